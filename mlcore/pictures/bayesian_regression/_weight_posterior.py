"""The main picture of chapter 17: prior times likelihood is posterior, while observations arrive one by one."""

from functools import partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, log_slider, step_scrubber
from mlcore.pictures.bayesian_regression._weight_plane import (
    TRUE_WEIGHTS,
    design,
    draw_likelihood,
    draw_posterior,
    draw_prior,
    least_squares,
    observations,
    weight_axes,
    weights_after,
)
from mlcore.pictures.drawing.readout import decimals, minus, small
from mlcore.pictures.drawing.sample_data import draw_samples, samples_axes
from mlcore.pictures.drawing.visual_language import BOUNDARY, draw_band, legend_below, panel_axes

__all__ = ["weight_posterior"]

_REACH = 3.2


def weight_posterior(t=None, y=None, names=None, start=3):
    """Return the posterior of offset and slope beside the line and its bands (ES Fig. 48–54).

    Sliders for the number of observations, the width of the prior and the noise.

    Parameters
    ----------
    t, y : array_like or pandas.Series of shape (n,), optional
        Observations in the order in which they arrive; ten of a line if left out. Yours are measured in standard
        deviations from their mean.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.
    start : int
        Number of observations shown first.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than three observations, or values that are not finite or all equal.
    """
    data = observations(t, y, names)
    every = -(-len(data.x) // 10)
    return Explorable(
        title="Prior × likelihood = posterior, while observations arrive one by one",
        controls=(
            step_scrubber("count", "observations", len(data.x) + 1, start=start * every, page_every=every),
            log_slider("width", "prior width σₚ", 0.25, 4, start=1, steps=9, page_every=4),
            log_slider("noise", "std of the noise σₙ", 0.25, 4, start=1, steps=9, page_every=4),
        ),
        frame=partial(_frame, data=data, known=t is None),
        draw=partial(_draw, data=data),
        describe=partial(_describe, data=data),
        size=(8.6, 4.7),
        panels=2,
    )


def _frame(figure, data, known):
    plane, lines = panel_axes(figure)
    weight_axes(plane, _REACH, "Weights: ellipses at 1 and 2 std")
    samples_axes(lines, data, 0.25, "Line, and bands of ±2 std", aside=0.25)
    if known:
        look = dict(marker="+", markersize=11, markeredgewidth=1.8, color=BOUNDARY, linestyle="none")
        plane.plot(*TRUE_WEIGHTS, zorder=FOREGROUND + 1, **look)
        ends = np.array(lines.get_xlim())
        lines.plot(
            ends, TRUE_WEIGHTS[0] + TRUE_WEIGHTS[1] * ends, ":", color=BOUNDARY, linewidth=1.6, zorder=FOREGROUND
        )
    legend_below(figure.subfigs[0], "prior", "likelihood", "posterior", *([("truth", "truth (+)")] if known else []))
    legend_below(
        figure.subfigs[1], ("mean", "MAP line"), ("band", "±2 std of f"), ("band with noise", "±2 std with noise"),
        ("sample", "observation"), "not yet seen", *(["truth"] if known else []),
    )  # fmt: skip


def _draw(figure, count, width, noise, data):
    plane, lines = figure.axes
    weights = weights_after(data, count, (width**2, width**2), noise**2)
    draw_prior(plane, (width, width))
    draw_likelihood(plane, data, count, noise**2)
    draw_posterior(plane, weights)
    grid = np.linspace(*lines.get_xlim(), 61)
    told = weights.predict(design(grid))
    draw_band(lines, grid, told.mean, told.std, told.std_with_noise)
    draw_samples(lines, data, seen=count)


def _describe(count, width, noise, data):
    weights = weights_after(data, count, (width**2, width**2), noise**2)
    X, y = design(data.x[:count]), np.array(data.y[:count])
    gradient = X.T @ (y - X @ weights.mean) / noise**2 - weights.mean / width**2
    scale = 1 + np.abs(X.T @ y).max(initial=0) / noise**2
    first, second = np.sqrt(np.diag(weights.covariance))
    middle = weights.predict(design([float(np.median(data.x))]))
    return minus(
        f"{count} of {len(data.x)} observations, σₚ = {width:.3g}, σₙ = {noise:.3g}. {_likelihood(count, data)}\n"
        f"Posterior: MAP w = ({decimals(weights.mean[0], 2)}, {decimals(weights.mean[1], 2)}), standard deviations "
        f"{first:.2f} and {second:.2f}. At t = {decimals(np.median(data.x), 2)}: f = {decimals(middle.mean[0], 2)} ± "
        f"{2 * middle.std[0]:.2f} without noise, ± {2 * middle.std_with_noise[0]:.2f} with noise (2 standard "
        "deviations).\n"
        f"Log evidence {weights.log_evidence:.2f}. Gradient of the log posterior at the MAP, relative: "
        f"{small(np.abs(gradient).max() / scale)}."
    )


def _likelihood(count, data):
    if count == 0:
        return "No likelihood yet."
    if np.ptp(data.x[:count]) < 1e-9:
        return "The likelihood is a ridge: all lines through the observation are equally good."
    w1, w2 = least_squares(data, count)
    seen = "" if max(abs(w1), abs(w2)) < _REACH else ", outside the picture"
    return f"Likelihood highest at least squares, ({decimals(w1, 2)}, {decimals(w2, 2)}){seen}."
