"""All lines at once: their distribution at one input, without and with noise (ES Fig. 53, 54)."""

from functools import partial

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mlcore.explore import Explorable, choice, linear_slider
from mlcore.pictures.bayesian_regression._weight_plane import design, observations, weights_after
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples_axes
from mlcore.pictures.drawing.visual_language import BOUNDARY, QUIET, draw_band, legend_below, panel_axes
from mlcore.validation import as_positive

__all__ = ["predictive_slice"]

_DRAWN, _SHOWN = 1000, 25
_F, _Y = ("#abdcca", "#5fb596"), ("#e2f3ec", "#9ccdb9")


def predictive_slice(t=None, y=None, names=None, width=1.0, noise=1.0):
    """Return lines drawn from the posterior, and the distribution of f and y at an input that can be moved.

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
    low, high = (-4.0, 14.0) if t is None else (-4.0, 4.0)
    n = len(data.x)
    given = dict(data=data, width=width, noise=noise)
    return Explorable(
        title="Lines drawn from the posterior, and what they say at one input",
        controls=(
            choice("count", "observations", {str(k): k for k in dict.fromkeys((0, 2, n // 2, n))}, start=n),
            linear_slider("at", "input t*", low, high, start=low + (high - low) / 2, steps=19),
        ),
        frame=partial(_frame, data=data, ends=(low, high)),
        draw=partial(_draw, **given),
        describe=partial(_describe, **given),
        size=(8.6, 4.7),
        panels=2,
    )


def _frame(figure, data, ends):
    lines, slice_ = panel_axes(figure)
    samples_axes(lines, data, 0.65, f"{_SHOWN} lines, bands of ±2 std", aside=0.65)
    lines.set_xlim(ends)
    slice_.set(
        xlim=lines.get_ylim(), xlabel=f"{data.names[1]} at t*", ylabel="density (highest of f is 1)", ylim=(0, 1.05),
        title="The slice at t*",
    )  # fmt: skip
    legend_below(figure.subfigs[0], ("mean", "MAP line"), ("drawn curve", "drawn line"), ("sample", "observation"),
                 ("band", "±2 std of f"), ("band with noise", "±2 std with noise"), "not yet seen")  # fmt: skip
    legend_below(figure.subfigs[1], ("band", "f(t*), without noise"), ("band with noise", "y at t*, with noise"),
                 ("drawn curve", "the drawn lines"), ("boundary", "mean"), columns=2)  # fmt: skip


def _state(count, at, data, width, noise):
    """Return the posterior, what it says at the input, and the offsets and slopes of lines drawn from it."""
    weights = weights_after(data, count, (width**2, width**2), noise)
    return weights, weights.predict(design([at])), weights.sample(_DRAWN, random_state=1)


def _draw(figure, count, at, data, width, noise):
    lines, slice_ = figure.axes
    weights, told, drawn = _state(count, at, data, width, noise)
    ends = np.array(lines.get_xlim())
    grid = np.linspace(*ends, 61)
    everywhere = weights.predict(design(grid))
    draw_band(lines, grid, everywhere.mean, everywhere.std, everywhere.std_with_noise)
    segments = [[(x, w1 + w2 * x) for x in ends] for w1, w2 in drawn[:_SHOWN]]
    lines.add_collection(LineCollection(segments, colors=QUIET, linewidths=0.7, zorder=1.5), autolim=False)
    lines.add_artist(Line2D([at, at], lines.get_ylim(), color=BOUNDARY, linewidth=1.4, linestyle="--", zorder=4))
    draw_samples(lines, data, seen=count)
    _draw_densities(slice_, told, drawn[:_SHOWN] @ [1, at])


def _draw_densities(axes, told, values):
    """Draw both densities, scaled so that a height of 1 is the highest density of f."""
    grid = np.linspace(*axes.get_xlim(), 201)
    mean, std = told.mean[0], told.std[0]
    near = np.sort(np.append(grid, mean + std * np.linspace(-4, 4, 41)))
    for (tint, edge), deviation in ((_Y, told.std_with_noise[0]), (_F, std)):
        height = std / deviation * np.exp(-0.5 * ((near - mean) / deviation) ** 2)
        outline = np.column_stack([near, height])
        axes.add_artist(Polygon([*outline, (near[-1], 0), (near[0], 0)], facecolor=tint, edgecolor=edge, zorder=1))
    axes.add_artist(Line2D([mean, mean], [0, 1], color=BOUNDARY, linewidth=2, zorder=2))
    ticks = [[(value, 0), (value, 0.06)] for value in values]
    axes.add_collection(LineCollection(ticks, colors=QUIET, linewidths=1.1, zorder=3), autolim=False)


def _describe(count, at, data, width, noise):
    _, told, drawn = _state(count, at, data, width, noise)
    mean, std, with_noise = told.mean[0], told.std[0], told.std_with_noise[0]
    values = drawn @ [1, at]
    inside = np.abs(values - mean) <= 2 * std
    return minus(
        f"{count} of {len(data.x)} observations, t* = {at:.3g}: f = {decimals(mean, 2)} ± {2 * std:.2f} without noise, "
        f"a new observation {decimals(mean, 2)} ± {2 * with_noise:.2f} (2 standard deviations).\n"
        f"Of {_DRAWN} lines drawn from the posterior {100 * inside.mean():.0f} % pass the narrow band at t*; their "
        f"mean there is {decimals(values.mean(), 2)}, their standard deviation {values.std():.2f}, by the formula "
        f"{std:.2f}."
    )
