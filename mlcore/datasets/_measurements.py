"""What was measured: tosses of a coin, and the heights of a mountain profile."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

__all__ = [
    "Profile",
    "recorded_tosses",
    "survey",
]

_ROW, _COLUMNS = 300, slice(0, 250)
_KILOMETRES_PER_DEGREE = 111.32


def recorded_tosses():
    """Return 29 tosses of a bent coin that shows heads with probability 0.6: 1 for heads, 0 for tails."""
    return tuple(int(toss == "H") for toss in "HHTHTTHHHTHHHTHTTTHHHHTTHTHTH")


@dataclass(frozen=True, eq=False)
class Profile:
    """Heights of the ground along a straight line from west to east.

    Attributes
    ----------
    x : numpy.ndarray of shape (n,)
        Distance from the western end in kilometres.
    y : numpy.ndarray of shape (n,)
        Height above the sea in metres.
    surveyed : numpy.ndarray of bool of shape (n,)
        Places that a process may look at; it is judged by the others.
    """

    x: np.ndarray
    y: np.ndarray
    surveyed: np.ndarray


def survey(every=9):
    """Return 18.6 km of mountains near Jacksboro, Tennessee, with every so many-th height surveyed.

    The heights come with Matplotlib ("jacksboro_fault_dem.npz"), one for each three seconds of longitude, about 75 m.

    Parameters
    ----------
    every : int
        Steps of 75 m between two surveyed places.

    Returns
    -------
    Profile

    Examples
    --------
    >>> profile = survey()
    >>> len(profile.x), int(profile.surveyed.sum()), int(profile.y.min()), int(profile.y.max())
    (250, 28, 412, 1031)
    """
    folder = Path(
        find_spec("matplotlib").origin
    ).parent  # where the file lies; nothing is drawn, so nothing is imported
    with np.load(folder / "mpl-data" / "sample_data" / "jacksboro_fault_dem.npz") as file:
        heights = file["elevation"][_ROW, _COLUMNS].astype(float)
        step, south, north = (float(file[key]) for key in ("dx", "ymax", "ymin"))
        rows = len(file["elevation"])
    latitude = north + (_ROW + 0.5) * (south - north) / rows
    x = np.arange(len(heights)) * step * _KILOMETRES_PER_DEGREE * np.cos(np.deg2rad(latitude))
    surveyed = np.zeros(len(x), dtype=bool)
    surveyed[every // 2 :: every] = True
    return Profile(x, heights, surveyed)
