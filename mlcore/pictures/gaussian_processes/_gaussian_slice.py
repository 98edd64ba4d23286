"""A Gaussian in the plane, and what is left of it once one of the two numbers is known (chapter 18)."""

from functools import partial

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mlcore.explore import Explorable, choice, linear_slider
from mlcore.explore.controls import Control
from mlcore.gaussian_process import condition
from mlcore.pictures.drawing.readout import digits, minus
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BAND_WITH_NOISE,
    BOUNDARY,
    ELLIPSE,
    POSITIVE,
    legend_below,
    panel_axes,
)
from mlcore.validation import as_array

__all__ = ["draw_ellipses", "gaussian_slice", "normal_density"]

_CORRELATIONS = tuple(round(0.05 * step, 2) for step in range(-18, 19))
_PAGE_CORRELATIONS = (-0.9, -0.8, -0.5, 0.0, 0.5, 0.8, 0.9)
_PAGE_VALUES = (-2.0, -1.5, -1.0, 0.0, 1.0, 1.5, 2.0)
_CIRCLE = np.array([np.cos(np.linspace(0, 2 * np.pi, 91)), np.sin(np.linspace(0, 2 * np.pi, 91))])
_TINTS = {2: "#e6f1f8", 1: ELLIPSE}
_SIGNS = (
    ("ellipses", "y₁, y₂: 1 and 2 standard deviations"),
    ("boundary", "the slice: y₂ is known"),
    ("truth", "y₁ before"),
    ("mean", "y₁ after"),
)


def gaussian_slice(mean=None, covariance=None):
    """Return the contours of a joint Gaussian, a slice at a known y₂, and y₁ before and after (ES Fig. 55).

    Parameters
    ----------
    mean : array_like of shape (2,), optional
        Mean of (y₁, y₂). Left out, sliders choose the mean of y₁ and the correlation, which include the three
        distributions of ES p. 109.
    covariance : array_like of shape (2, 2), optional
        Symmetric and positive definite. To be given together with `mean`.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Only one of both given, wrong shapes, or a covariance that is not symmetric and positive definite.

    Examples
    --------
    >>> print(gaussian_slice().describe(mean=0.0, correlation=0.5, value=-1.5).splitlines()[0])
    Before: y₁ ~ N(0, 1). After y₂ = −1.5: y₁ ~ N(−0.75, 0.75), by the mean and the variance.
    """
    if (mean is None) != (covariance is None):
        raise ValueError("mean, covariance: expected both or neither")
    if mean is None:
        value = Control("value", "y₂ is found to be", "slider", _values(), _PAGE_VALUES, -1.5, _signed)
        correlation = ("correlation", "covariance σ₁₂", "slider", _CORRELATIONS, _PAGE_CORRELATIONS, 0.5, _signed)
        controls = (choice("mean", "mean of y₁", {"0": 0.0, "−1": -1.0}), Control(*correlation), value)
        joint, centre, room = _by_sliders, np.array([-0.5, 0.0]), np.array([3.2, 2.7])
        sharpest = 1 - _CORRELATIONS[-1] ** 2
    else:
        mean, covariance = _read(mean, covariance)
        deviation = np.sqrt(np.diag(covariance))
        low, high = mean[1] - 2 * deviation[1], mean[1] + 2 * deviation[1]
        controls = (linear_slider("value", "y₂ is found to be", low, high, start=low, steps=17, page_every=2),)
        joint, centre, room = partial(_given, mean, covariance), mean, 2.7 * deviation
        sharpest = condition(mean, covariance, [1], [low]).covariance[0, 0]
    return Explorable(
        title="Know one number, and the other moves",
        controls=controls,
        frame=partial(_frame, centre=centre, room=room, highest=1.05 * normal_density(0, 0, sharpest)),
        draw=partial(_draw, joint=joint),
        describe=partial(_describe, joint=joint),
        size=(8.6, 4.1),
        panels=2,
    )


def normal_density(x, mean, variance):
    """Return the density of N(mean, variance) at every entry of `x`."""
    return np.exp(-((x - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)


def draw_ellipses(axes, mean, covariance):
    """Fill the ellipses at Mahalanobis distance 1 and 2 of a Gaussian in the plane.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    mean : numpy.ndarray of shape (2,)
    covariance : numpy.ndarray of shape (2, 2)
    """
    root = np.linalg.cholesky(covariance) @ _CIRCLE
    for radius, tint in _TINTS.items():
        outline = mean + radius * root.T
        axes.add_artist(Polygon(outline, facecolor=tint, edgecolor=POSITIVE, linewidth=0.9, zorder=1))


def _values():
    return tuple(round(0.25 * step, 2) for step in range(-8, 9))


def _signed(value):
    return minus(f"{value:g}")


def _by_sliders(mean, correlation):
    return np.array([mean, 0.0]), np.array([[1.0, correlation], [correlation, 1.0]])


def _given(mean, covariance):
    return mean, covariance


def _read(mean, covariance):
    mean, covariance = as_array("mean", mean, (2,)), as_array("covariance", covariance, (2, 2))
    if not np.allclose(covariance, covariance.T) or np.linalg.eigvalsh(covariance)[0] <= 0:
        raise ValueError(
            f"covariance: expected a symmetric, positive definite matrix, got {covariance.round(3).tolist()}"
        )
    return mean, covariance


def _frame(figure, centre, room, highest):
    plane, density = panel_axes(figure)
    (low, bottom), (high, top) = centre - room, centre + room
    plane.set(
        xlim=(low, high), ylim=(bottom, top), xlabel="y₁", ylabel="y₂", title="Both numbers"
    )  # fmt: skip
    plane.set_aspect("equal", adjustable="box")
    density.set(xlim=(low, high), ylim=(0, highest), xlabel="y₁", ylabel="density", title="y₁ alone")
    legend_below(figure.subfigs[0], *_SIGNS[:2], columns=1)
    legend_below(figure.subfigs[1], *_SIGNS[2:], columns=1)


def _draw(figure, value, joint, **chosen):
    plane, density = figure.axes
    mean, covariance = joint(**chosen)
    after = condition(mean, covariance, [1], [value])
    centre, variance = after.mean[0], after.covariance[0, 0]
    draw_ellipses(plane, mean, covariance)
    plane.add_artist(Line2D(plane.get_xlim(), [value, value], color=BOUNDARY, linewidth=1.6, zorder=3))
    spread = 2 * np.sqrt(variance)
    bar = LineCollection(
        [[(centre - spread, value), (centre + spread, value)]], colors=ACCENT, linewidths=5, alpha=0.75, zorder=4
    )
    plane.add_collection(bar, autolim=False)
    plane.add_artist(
        Line2D([centre], [value], marker="o", markersize=8, color=ACCENT, markeredgecolor="white", zorder=5)
    )
    y1 = np.linspace(*density.get_xlim(), 201)
    curve = normal_density(y1, centre, variance)
    outline = np.column_stack([np.append(y1, y1[::-1]), np.append(curve, np.zeros_like(curve))])
    density.add_artist(Polygon(outline, facecolor=BAND_WITH_NOISE, linewidth=0, zorder=1))
    density.add_artist(Line2D(y1, curve, color=ACCENT, linewidth=2.2, zorder=3))
    before = normal_density(y1, mean[0], covariance[0, 0])
    density.add_artist(Line2D(y1, before, color=BOUNDARY, linestyle=":", linewidth=1.6, zorder=4))


def _describe(value, joint, **chosen):
    mean, covariance = joint(**chosen)
    after = condition(mean, covariance, [1], [value])
    slope = covariance[0, 1] / covariance[1, 1]
    share = 1 - after.covariance[0, 0] / covariance[0, 0]
    return minus(
        f"Before: y₁ ~ N({digits(mean[0], 4)}, {digits(covariance[0, 0], 4)}). After y₂ = {digits(value, 4)}: y₁ ~ "
        f"N({digits(after.mean[0], 4)}, {digits(after.covariance[0, 0], 4)}), by the mean and the variance.\n"
        f"The mean moved by σ₁₂/σ₂₂ = {digits(slope, 4)} for each unit of y₂; the variance fell by {share:.0%}, "
        "whatever y₂ was. Green bar: mean ± 2 standard deviations."
    )
