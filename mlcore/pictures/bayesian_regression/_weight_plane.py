"""Lines y = w₁ + w₂t as points of a plane, the observations of chapter 17, and ellipses of Gaussians in that plane."""

from functools import lru_cache

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mlcore.datasets import ten_observations
from mlcore.linear_model import posterior
from mlcore.pictures.drawing.sample_data import samples, standardised
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, POSITIVE

__all__ = [
    "TRUE_WEIGHTS",
    "design",
    "draw_likelihood",
    "draw_posterior",
    "draw_prior",
    "least_squares",
    "observations",
    "weight_axes",
    "weights_after",
]

LEVELS = (1.0, 2.0)
"""Ellipses are drawn where the density has fallen to that of so many standard deviations."""
_ANGLE = np.linspace(0, 2 * np.pi, 97)
_CIRCLE = np.array([np.cos(_ANGLE), np.sin(_ANGLE)])
_FAR = 1e3
TRUE_WEIGHTS = (-1.0, 0.8)
"""Offset and slope of the line behind the ten observations."""


def observations(t=None, y=None, names=None):
    """Return ten observations of a line, or the reader's own in standard deviations from their mean.

    Parameters
    ----------
    t, y : array_like or pandas.Series of shape (n,), optional
        Inputs and targets, in the order in which they are to arrive.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    mlcore.pictures.drawing.sample_data.Samples

    Raises
    ------
    ValueError
        What `mlcore.pictures.drawing.sample_data.samples` refuses.
    """
    own = t is not None
    data = samples(*((t, y) if own else ten_observations()), names, arguments=("t", "y"), in_order=True)
    return standardised(data) if own else data


def design(t):
    """Return the matrix X whose row for the input t is (1, t)."""
    return np.column_stack([np.ones(len(t)), t])


@lru_cache(maxsize=1024)
def weights_after(data, count, prior_variances, noise):
    """Return the posterior of (w₁, w₂) after the first `count` observations.

    The last ones are kept, since picture and readout ask for the same one.

    Parameters
    ----------
    data : mlcore.pictures.drawing.sample_data.Samples
    count : int
    prior_variances : (float, float)
        Of offset and slope.
    noise : float
        Variance.

    Returns
    -------
    mlcore.linear_model.WeightPosterior
    """
    return posterior(design(data.x[:count]), data.y[:count], prior_variances, noise)


def least_squares(data, count=None):
    """Return the weights of the least-squares line through the first `count` observations, or of all."""
    return np.linalg.lstsq(design(data.x[:count]), np.array(data.y[:count]))[0]


def weight_axes(axes, reach, title=""):
    """Give `axes` the plane of offset and slope, from −reach to reach in both, with equal scales."""
    axes.set(
        xlim=(-reach, reach), ylim=(-reach, reach), xlabel="offset w₁", ylabel="slope w₂", title=title,
        aspect="equal",
    )  # fmt: skip


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
    X = design(data.x[:count])
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
