"""What the width of the prior does to the line: from nothing learned to least squares."""

from functools import lru_cache

import numpy as np
from matplotlib.lines import Line2D

from mlcore.explore import FOREGROUND, Explorable, choice, log_slider
from mlcore.pictures.bayesian_regression._weight_plane import (
    design,
    draw_likelihood,
    draw_posterior,
    draw_prior,
    least_squares,
    observations,
    weights_after,
)
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.sample_data import Samples, draw_samples
from mlcore.pictures.drawing.visual_language import ACCENT, LEAVING, QUIET, legend_below, panel_axes

__all__ = ["shrinkage"]

_FLAT = 1e8
_LIFT = 5.0
_NOISE = 1.0


def shrinkage():
    """Return the path of the MAP weights from 0 to least squares as the prior gets wider, and the line.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="A narrow prior holds the weights near 0, a wide one lets them go",
        controls=(
            log_slider("width", "prior width σₚ", 0.01, 100, start=1, steps=17, page_every=2),
            choice("lift", "data", {"as before": 0.0, f"all lifted by {_LIFT:g}": _LIFT}),
            choice("flat", "prior on", {"both weights": False, "the slope only": True}),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.7),
        panels=2,
    )


def _lifted(lift):
    data = observations()
    return Samples(data.x, tuple(y + lift for y in data.y), data.names)


def _variances(width, flat):
    return (_FLAT if flat else width**2, width**2)


@lru_cache(maxsize=8)
def _path(lift, flat):
    """Return the MAP weights for prior widths from narrow to wide, of shape (2, m)."""
    data = _lifted(lift)
    widths = np.geomspace(1e-3, 1e3, 121)
    return np.array([weights_after(data, len(data.x), _variances(s, flat), _NOISE).mean for s in widths]).T


def _frame(figure):
    plane, lines = panel_axes(figure)
    plane.set(
        xlim=(-4.2, 8.4), ylim=(-1.3, 1.9), xlabel="offset w₁", ylabel="slope w₂",
        title="Weights: ellipses at 1 and 2 std",
    )  # fmt: skip
    lines.set(xlim=(0, 10.2), ylim=(-3.5, 14), xlabel="t", ylabel="y", title="Least squares and MAP")
    plane.plot([0], [0], "+", color=QUIET, markersize=9, zorder=FOREGROUND)
    legend_below(figure.subfigs[0], "prior", "likelihood", "posterior", ("drawn curve", "path of the MAP"), columns=2)
    legend_below(figure.subfigs[1], ("mean", "MAP line"), "least squares", ("sample", "observation"), columns=2)


def _draw(figure, width, lift, flat):
    plane, lines = figure.axes
    data = _lifted(lift)
    weights = weights_after(data, len(data.x), _variances(width, flat), _NOISE)
    draw_prior(plane, (_FLAT**0.5 if flat else width, width))
    draw_likelihood(plane, data, len(data.x), _NOISE)
    draw_posterior(plane, weights)
    plane.add_artist(Line2D(*_path(lift, flat), color=QUIET, linewidth=1.1, zorder=4))
    ends = np.array(lines.get_xlim())
    for (w1, w2), colour, style in ((weights.mean, ACCENT, "-"), (least_squares(data), LEAVING, "-.")):
        lines.add_artist(Line2D(ends, w1 + w2 * ends, color=colour, linestyle=style, linewidth=2, zorder=2))
    draw_samples(lines, data)


def _describe(width, lift, flat):
    data = _lifted(lift)
    weights = weights_after(data, len(data.x), _variances(width, flat), _NOISE)
    X, best = design(data.x), least_squares(data)
    free = float(np.trace(weights.covariance @ X.T @ X)) / _NOISE
    change = weights.mean[1] / best[1]
    if abs(change - 1) < 0.005:
        told = "as steep as least squares"
    else:
        told = f"{'flatter' if change < 1 else 'steeper'} than least squares: {change:.2f} times its slope"
    return minus(
        f"σₚ = {width:.3g} on {'the slope only' if flat else 'both weights'}: MAP w = ({decimals(weights.mean[0], 3)}, "
        f"{decimals(weights.mean[1], 3)}), least squares ({best[0]:.3f}, {best[1]:.3f}). The line is {told}.\n"
        f"Of the 2 weights the data determine {free:.2f} (effective number of parameters); the rest is the prior's."
    )
