"""A point of the weight plane is a line: how good is one that is not the best? (ES Fig. 51–53.)"""

from functools import partial

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.linear_model import log_likelihood, log_prior
from mlcore.pictures.bayesian_regression._weight_plane import (
    design,
    draw_likelihood,
    draw_posterior,
    draw_prior,
    least_squares,
    observations,
    weights_after,
)
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples_axes
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BOUNDARY,
    LEAVING,
    QUIET,
    legend_below,
    panel_axes,
    star_point,
)
from mlcore.validation import as_positive

__all__ = ["one_point_one_line"]

_STEPS = (5, 4)  # on either side of the maximum


def one_point_one_line(t=None, y=None, names=None, width=1.0, noise=1.0):
    """Return the weight plane with a point to move, and its line among the observations (ES Fig. 48, 52, 53).

    Parameters
    ----------
    t, y : array_like or pandas.Series of shape (n,), optional
        Observations; ten of a line if left out. Yours are measured in standard deviations from their mean.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.
    width : float
        Standard deviation σ_p of the prior of both weights.
    noise : float
        Variance σ_n² of the noise.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Observations that cannot be used, or a width or noise that is not above 0.
    """
    data = observations(t, y, names)
    width, noise = as_positive("width", width), as_positive("noise", noise)
    weights = weights_after(data, len(data.x), (width**2, width**2), noise)
    steps = [_round_step(3 * std / count) for std, count in zip(np.sqrt(np.diag(weights.covariance)), _STEPS)]
    centre = [round(mean / step) * step for mean, step in zip(weights.mean, steps)]
    ends = [(at - count * step, at + count * step) for at, step, count in zip(centre, steps, _STEPS)]
    given = dict(data=data, weights=weights, width=width, noise=noise)
    return Explorable(
        title="Every point of the plane is a line: move the star",
        controls=(
            linear_slider(
                "w1", "offset w₁ of the star", *ends[0], start=centre[0] + 3 * steps[0], steps=2 * _STEPS[0] + 1
            ),
            linear_slider("w2", "slope w₂ of the star", *ends[1], start=centre[1], steps=2 * _STEPS[1] + 1),
        ),  # fmt: skip
        frame=partial(_frame, **given),
        draw=partial(_draw, data=data),
        describe=partial(_describe, **given),
        size=(8.6, 4.6),
        panels=2,
    )


def _round_step(step):
    """Return the nearest of 1, 2, 3 and 5 times a power of ten."""
    rounds = np.outer(10.0 ** np.arange(-6, 4), [1, 2, 3, 5]).ravel()
    return float(rounds[np.abs(np.log(rounds / step)).argmin()])


def _frame(figure, data, weights, width, noise):
    plane, lines = panel_axes(figure)
    reach = 4.5 * np.sqrt(np.diag(weights.covariance))
    (left, low), (right, high) = weights.mean - reach, weights.mean + reach
    plane.set(
        xlim=(left, right), ylim=(low, high), xlabel="offset w₁", ylabel="slope w₂",
        title="Weights: ellipses at 1 and 2 std",
    )  # fmt: skip
    draw_prior(plane, (width, width))
    draw_likelihood(plane, data, len(data.x), noise)
    draw_posterior(plane, weights)
    samples_axes(lines, data, 0.12, "The star's line", aside=0.12)
    ends = np.array(lines.get_xlim())
    for (offset, slope), colour, style in ((weights.mean, ACCENT, "-"), (least_squares(data), LEAVING, "-.")):
        lines.plot(ends, offset + slope * ends, linestyle=style, color=colour, linewidth=2, zorder=2)
    draw_samples(lines, data, zorder=FOREGROUND)
    legend_below(figure.subfigs[0], "prior", "likelihood", "posterior", ("unknown", "moved weights"))
    legend_below(figure.subfigs[1], ("mean", "MAP line"), "least squares", ("boundary", "line of the star"),
                 ("sample", "observation"),
                 columns=2)  # fmt: skip


def _draw(figure, w1, w2, data):
    plane, lines = figure.axes
    star_point(plane, (w1, w2))
    ends = np.array(lines.get_xlim())
    lines.add_artist(Line2D(ends, w1 + w2 * ends, color=BOUNDARY, linewidth=2, zorder=4))
    bars = [[(t, y), (t, w1 + w2 * t)] for t, y in zip(data.x, data.y)]
    lines.add_collection(LineCollection(bars, colors=QUIET, linewidths=1.1, zorder=3.5), autolim=False)


def _describe(w1, w2, data, weights, width, noise):
    w, X = np.array([w1, w2]), design(data.x)
    prior, likelihood = log_prior(w, width**2), log_likelihood(w, X, data.y, noise)
    best = log_prior(weights.mean, width**2), log_likelihood(weights.mean, X, data.y, noise)
    height = np.exp(prior + likelihood - sum(best))
    errors = [((np.array(data.y) - X @ at) ** 2).sum() for at in (w, weights.mean, least_squares(data))]
    far = np.sqrt(max(0.0, 2 * (sum(best) - prior - likelihood)))
    told = f"{height:.3f}" if height >= 0.001 else "less than 0.001"
    return minus(
        f"Star ({w1:.3g}, {w2:.3g}): log prior {prior:.2f}, log likelihood {likelihood:.2f}, sum "
        f"{prior + likelihood:.2f}. MAP: {best[0]:.2f}, {best[1]:.2f}, sum {sum(best):.2f}.\n"
        f"The posterior density at the star is {told} of that at the MAP: {far:.2f} standard deviations off. "
        f"Sum of squared errors: star {errors[0]:.2f}, MAP {errors[1]:.2f}, least squares {errors[2]:.2f}."
    )
