"""Lines y = w₁ + w₂t as points of a plane, the observations of chapter 17, and ellipses of Gaussians in that plane."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mlcore.linear_model import posterior
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, POSITIVE
from mlcore.validation import as_array

__all__ = [
    "Observations",
    "design",
    "draw_likelihood",
    "draw_observations",
    "draw_posterior",
    "draw_prior",
    "least_squares",
    "line_axes",
    "observations",
    "small",
    "ten_observations",
    "tidy",
    "weight_axes",
    "weights_after",
]

LEVELS = (1.0, 2.0)
"""Ellipses are drawn where the density has fallen to that of so many standard deviations."""
_ANGLE = np.linspace(0, 2 * np.pi, 97)
_CIRCLE = np.array([np.cos(_ANGLE), np.sin(_ANGLE)])
_FAR = 1e3
_TRUE_WEIGHTS = (-1.0, 0.8)


@dataclass(frozen=True)
class Observations:
    """Inputs and targets in the order in which they arrive, hashable so that what was computed can be kept.

    Attributes
    ----------
    t, y : tuple of float
    names : (str, str)
        What input and target mean.
    truth : (float, float) or None
        Offset and slope of the line behind the observations, where it is known.
    """

    t: tuple
    y: tuple
    names: tuple = ("t", "y")
    truth: tuple | None = None


def ten_observations():
    """Return ten observations of the line −1 + 0.8t with noise of standard deviation 1 (like ES Fig. 48).

    Returns
    -------
    Observations
    """
    t = (3.2, 2.9, 7.2, 0.9, 8.8, 1.5, 6.7, 4.6, 9.5, 5.4)
    y = (-0.4, 2.4, 4.4, -1.2, 5.4, -0.5, 4.7, 2.6, 8.1, 1.5)
    return Observations(t, y, ("t", "y"), _TRUE_WEIGHTS)


def observations(t, y, names=None):
    """Read the reader's own observations, and measure both in standard deviations from their mean.

    So a slope of 1 is steep and a prior of width 1 makes sense, whatever the units.

    Parameters
    ----------
    t, y : array_like or pandas.Series of shape (n,)
        Inputs and targets, in the order in which they are to arrive.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Observations

    Raises
    ------
    ValueError
        Fewer than three observations, shapes that do not fit, entries that are not finite, or values that are all
        equal.

    Examples
    --------
    >>> observations([10, 20, 30], [1, 2, 6]).t
    (-1.224744871391589, 0.0, 1.224744871391589)
    """
    if names is None:
        names = tuple(str(getattr(values, "name", None) or name) for values, name in ((t, "t"), (y, "y")))
    t, y = as_array("t", t, ("n",)), as_array("y", y, ("n",))
    if not len(t) == len(y) >= 3:
        raise ValueError(f"t, y: expected at least three inputs and as many targets, got {len(t)} and {len(y)}")
    for name, values in (("t", t), ("y", y)):
        if np.ptp(values) == 0:
            raise ValueError(f"{name}: expected values that differ, got {values[0]:g} only")
    standard = [tuple(((values - values.mean()) / values.std()).tolist()) for values in (t, y)]
    return Observations(*standard, tuple(f"{name}, standardised" for name in names))


def design(t):
    """Return the matrix X whose row for the input t is (1, t)."""
    return np.column_stack([np.ones(len(t)), t])


@lru_cache(maxsize=1024)
def weights_after(data, count, prior_variances, noise):
    """Return the posterior of (w₁, w₂) after the first `count` observations.

    The last ones are kept, since picture and readout ask for the same one.

    Parameters
    ----------
    data : Observations
    count : int
    prior_variances : (float, float)
        Of offset and slope.
    noise : float
        Variance.

    Returns
    -------
    mlcore.linear_model.WeightPosterior
    """
    return posterior(design(data.t[:count]), data.y[:count], prior_variances, noise)


def least_squares(data, count=None):
    """Return the weights of the least-squares line through the first `count` observations, or of all."""
    return np.linalg.lstsq(design(data.t[:count]), np.array(data.y[:count]))[0]


def weight_axes(axes, reach, title=""):
    """Give `axes` the plane of offset and slope, from −reach to reach in both, with equal scales."""
    axes.set(
        xlim=(-reach, reach), ylim=(-reach, reach), xlabel="offset $w_1$", ylabel="slope $w_2$", title=title,
        aspect="equal",
    )  # fmt: skip


def line_axes(axes, data, title="", room=0.25):
    """Give `axes` limits around the observations, wider by the share `room` of their range, and their names."""
    ends = []
    for values in (data.t, data.y):
        low, high = min(values), max(values)
        ends.append((low - room * (high - low), high + room * (high - low)))
    axes.set(xlim=ends[0], ylim=ends[1], xlabel=data.names[0], ylabel=data.names[1], title=title)


def draw_observations(axes, data, count=None, zorder=4.5):
    """Draw the first `count` observations, or all, as blue circles, and the others as hollow ones."""
    count = len(data.t) if count is None else count
    looks = (
        (slice(count), dict(color=POSITIVE, markeredgecolor="white", markeredgewidth=0.6)),
        (slice(count, None), dict(markerfacecolor="white", markeredgecolor="#9a9a9a", markeredgewidth=1.0)),
    )
    for part, look in looks:
        marks = dict(linestyle="none", marker="o", markersize=5.5, zorder=zorder)
        axes.add_artist(Line2D(data.t[part], data.y[part], **marks, **look))


def draw_prior(axes, std):
    """Draw the ellipses of a prior with standard deviations `std` (two numbers) around 0."""
    for level in LEVELS:
        ellipse = np.multiply(np.array(std)[:, None], level * _CIRCLE)
        axes.add_artist(Line2D(*ellipse, color=POSITIVE, linewidth=1.6, linestyle="--", zorder=3))


def draw_likelihood(axes, data, count, noise):
    """Draw where the likelihood of (w₁, w₂) has fallen to that of 1 and 2 standard deviations from its maximum.

    With one observation these are straight lines: every line through the observation explains it.
    """
    if count == 0:
        return
    X = design(data.t[:count])
    _, s, directions = np.linalg.svd(X / np.sqrt(noise), full_matrices=True)
    centre = least_squares(data, count)
    look = dict(color=LEAVING, linewidth=1.6, zorder=3.2)
    if len(s) < 2 or s[1] < 1e-9 * s[0]:
        across, along = directions[0] / s[0], directions[1]
        for level in (-2, -1, 1, 2):
            ends = centre + level * across + np.outer([-_FAR, _FAR], along)
            axes.add_artist(Line2D(*ends.T, **look))
        return
    for level in LEVELS:
        axes.add_artist(Line2D(*(centre[:, None] + level * (directions.T / s) @ _CIRCLE), **look))


def draw_posterior(axes, weights):
    """Draw the two ellipses of a posterior, filled, with a dot at the maximum.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    weights : mlcore.linear_model.WeightPosterior
    """
    for level, tint in zip(LEVELS[::-1], ("#d7efe6", "#9fd6c2")):
        outline = (weights.mean[:, None] + level * weights.factor @ _CIRCLE).T
        axes.add_artist(Polygon(outline, facecolor=tint, edgecolor=ACCENT, linewidth=1.3, zorder=2))
    axes.add_artist(Line2D(*weights.mean[:, None], marker="o", markersize=4, color=BOUNDARY, zorder=5))


def tidy(value, digits=2):
    """Print a number with so many digits, a rounded 0 always without a sign: it would be that of rounding noise."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}"


def small(value):
    """Print noise below 1e-6 as such, so that the text is the same on every machine."""
    return "< 1e-6" if abs(value) < 1e-6 else f"{value:.1e}"
