"""The negative log marginal likelihood and its two opposing terms, over the width of the kernel (chapter 18)."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.lines import Line2D

from mlcore.datasets import true_wave, wave_with_gap
from mlcore.explore import FOREGROUND, Explorable, log_slider
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, POSITIVE, legend_below, panel_axes
from mlcore.pictures.gaussian_processes._fitted_process import (
    draw_process,
    draw_truth,
    fit_process,
    plain_log_axis,
    split_likelihood,
)

__all__ = ["likelihood_over_width"]


def likelihood_over_width(x=None, y=None, names=None):
    """Return a fit beside the curve of its NLML over the width, split into its terms (ES Fig. 58).

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Observations; those of a wave with a gap if left out. The process has mean 0.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than three observations, or entries that are not finite.
    """
    data = samples(*(wave_with_gap() if x is None else (x, y)), names)
    span, height = (4.0, 1.0) if x is None else (float(np.ptp(data.x)), float(np.std(data.y)))
    room = 0.06 * (data.x[-1] - data.x[0])
    parts = dict(
        data=data,
        ends=(data.x[0] - room, data.x[-1] + room),
        height=height,
        widths=tuple(np.geomspace(span / 32, 2 * span, 85).tolist()),
    )
    width = log_slider("width", "width", span / 32, 2 * span, start=span / 4, steps=37, page_every=2)
    least, most = 0.1 * height, height
    noise = log_slider("noise", "std of the noise σₙ", least, most, start=0.3 * height, steps=9, page_every=2)
    for value in noise.values:  # so that the sliders answer at once
        _terms(data, height, value, parts["widths"])
    return Explorable(
        title="Too wiggly, too stiff, and the least improbable between them",
        controls=(width, noise),
        frame=partial(_frame, **parts, truth=x is None),
        draw=partial(_draw, **parts),
        describe=partial(_describe, **parts),
        size=(8.6, 4.3),
        panels=2,
    )


def _frame(figure, data, ends, height, widths, truth):
    curve, terms = panel_axes(figure)
    samples_axes(curve, data, room=0.45, title="The fit with this width")
    curve.set_xlim(*ends)
    if truth:
        grid = np.linspace(*ends, 161)
        draw_truth(curve, grid, true_wave(grid), zorder=FOREGROUND)
    draw_samples(curve, data, zorder=FOREGROUND + 1)
    n = len(data.x)
    terms.set_xscale("log")
    terms.set(
        xlim=(widths[0], widths[-1]), ylim=(-2.2 * n, 4 * n), xlabel="width", ylabel="nats", title="NLML over the width"
    )
    plain_log_axis(terms.xaxis)
    terms.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=1)
    signs = [
        ("mean", "mean"),
        ("band", "± 2 standard deviations"),
        ("band with noise", "the same with noise"),
        "sample",
    ]
    legend_below(figure.subfigs[0], *signs, *(["truth"] if truth else []), columns=2)
    legend_below(figure.subfigs[1], "NLML", "data fit", "complexity", columns=3)


@lru_cache(maxsize=64)
def _terms(data, height, noise, widths):
    """Return a row of data fit, one of complexity and one of the NLML, a column for each width."""
    split = [split_likelihood(data, height**2 * Gaussian(width), noise**2) for width in widths]
    return np.array([[-each.fit, -each.complexity, -each.value] for each in split]).T


def _draw(figure, width, noise, data, ends, height, widths):
    curve, terms = figure.axes
    draw_process(curve, fit_process(data, height**2 * Gaussian(width), noise**2, *ends))
    fit, complexity, total = _terms(data, height, noise, widths)
    terms.add_artist(Line2D(widths, fit, color=POSITIVE, linestyle="--", linewidth=1.6, zorder=2))
    terms.add_artist(Line2D(widths, complexity, color=LEAVING, linestyle=":", linewidth=2.2, zorder=2))
    terms.add_artist(Line2D(widths, total, color=BOUNDARY, linewidth=2.2, zorder=3))
    terms.add_artist(Line2D([width, width], terms.get_ylim(), color=ACCENT, linewidth=1.2, zorder=1.5))
    here = -split_likelihood(data, height**2 * Gaussian(width), noise**2).value
    terms.add_artist(Line2D([width], [here], marker="o", markersize=9, color=ACCENT, markeredgecolor="white", zorder=4))


def _describe(width, noise, data, ends, height, widths):
    here = split_likelihood(data, height**2 * Gaussian(width), noise**2)
    total = _terms(data, height, noise, widths)[2]
    lowest = int(total.argmin())
    return minus(
        f"Width {width:.3g}, σₙ = {noise:.3g}, height {height:.3g}. NLML {-here.value:.2f} = data fit {-here.fit:.2f} "
        f"+ complexity {-here.complexity:.2f} + constant {-here.constant:.2f}.\n"
        f"Lowest with this noise: {total[lowest]:.2f}, near width {widths[lowest]:.2g}."
    )
