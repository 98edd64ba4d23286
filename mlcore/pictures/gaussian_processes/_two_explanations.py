"""Two maxima of one marginal likelihood: a smooth curve under noise, or a wiggly one without (chapter 18)."""

from functools import partial

import numpy as np
from matplotlib import colormaps
from matplotlib.lines import Line2D

from mlcore.datasets import ten_points
from mlcore.explore import FOREGROUND, Explorable, log_slider
from mlcore.gaussian_process import GaussianProcessRegressor
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, draw_arrow, legend_below, panel_axes
from mlcore.pictures.gaussian_processes._fitted_process import (
    draw_process,
    fit_process,
    learn,
    plain_log_axis,
    split_likelihood,
)

__all__ = ["climb", "two_explanations"]

_LEVELS = np.array([0.25, 0.5, 1, 2, 4, 8, 16, 32, 64])


def two_explanations(x=None, y=None, names=None):
    """Return the map of the NLML over width and noise, and where the optimiser ends from a chosen start.

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Observations of a process with mean 0; ten that have two explanations if left out.
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
    data = samples(*(ten_points() if x is None else (x, y)), names)
    span, height = (10.0, 1.0) if x is None else (float(np.ptp(data.x)), float(np.std(data.y)))
    bounds = ((span / 60, span), (0.02 * height, 2 * height))
    width = log_slider("width", "width at the start", span / 50, 0.8 * span, start=span / 50, steps=9)
    noise = log_slider("noise", "σₙ at the start", 0.03 * height, 1.5 * height, start=0.03 * height, steps=7)
    ends = {(w, s): climb(data, height, w, s, bounds) for w in width.values for s in noise.values}
    room = 0.06 * (data.x[-1] - data.x[0])
    reach = (data.x[0] - room, data.x[-1] + room)
    return Explorable(
        title="Where the optimiser ends depends on where it starts",
        controls=(width, noise),
        frame=partial(_frame, data=data, height=height, bounds=bounds, reach=reach),
        draw=partial(_draw, data=data, height=height, ends=ends, reach=reach),
        describe=partial(_describe, ends=ends),
        size=(8.6, 4.4),
        panels=2,
    )


def climb(data, height, width, noise, bounds):
    """Return where L-BFGS-B ends for width and noise, with the height fixed.

    Parameters
    ----------
    data : mlcore.pictures.drawing.sample_data.Samples
    height : float
    width, noise : float
        Start; `noise` is a standard deviation.
    bounds : ((float, float), (float, float))
        Of the width and of the standard deviation of the noise.

    Returns
    -------
    width, noise, nlml : float
        `noise` is a standard deviation.
    """
    (low, high), (quiet, loud) = bounds
    machine = GaussianProcessRegressor(
        height**2 * Gaussian(width),
        noise=noise**2,
        optimize=["right.width", "noise"],
        bounds={"right.width": (low, high), "noise": (quiet**2, loud**2)},
    )
    learn(machine, data)
    return machine.kernel_.right.width, float(np.sqrt(machine.noise_)), -machine.log_marginal_likelihood_


def _frame(figure, data, height, bounds, reach):
    plane, curve = panel_axes(figure)
    widths, noises = (np.geomspace(*ends, 60) for ends in bounds)
    nlml = np.array([[-split_likelihood(data, height**2 * Gaussian(w), s**2).value for w in widths] for s in noises])
    above = np.maximum(nlml - nlml.min(), 1e-3)
    plane.set_xscale("log")
    plane.set_yscale("log")
    shades = colormaps["Blues_r"](np.linspace(0.25, 0.97, len(_LEVELS) + 1))
    plane.contourf(widths, noises, above, levels=[0, *_LEVELS, max(above.max(), 65)], colors=shades)
    plane.contour(widths, noises, above, levels=_LEVELS, colors="white", linewidths=0.7)
    plane.set(xlim=bounds[0], ylim=bounds[1], xlabel="width", ylabel="σₙ, noise", title="NLML: dark is low")
    plain_log_axis(plane.xaxis)
    plain_log_axis(plane.yaxis)
    samples_axes(curve, data, room=0.5, title="The explanation found")
    curve.set_xlim(*reach)
    draw_samples(curve, data, zorder=FOREGROUND)
    legend_below(figure.subfigs[0], ("start", "start"), ("optimum", "where the optimiser ends"), columns=2)
    signs = (
        ("mean", "mean"),
        ("band", "± 2 standard deviations"),
        "sample",
        ("band with noise", "the same with noise"),
    )
    legend_below(figure.subfigs[1], *signs, columns=2)


def _draw(figure, width, noise, data, height, ends, reach):
    plane, curve = figure.axes
    found, quiet, _ = ends[width, noise]
    draw_arrow(plane, (width, noise), (found, quiet), color=BOUNDARY, linewidth=1.8)
    mark = dict(linestyle="none", markeredgecolor="white", zorder=7)
    plane.add_artist(Line2D([width], [noise], marker="s", markersize=7, color=BOUNDARY, **mark))
    plane.add_artist(Line2D([found], [quiet], marker="o", markersize=10, color=ACCENT, **mark))
    # Rounded, so that all starts that end in one optimum share one prediction.
    kernel, variance = height**2 * Gaussian(float(f"{found:.3g}")), float(f"{quiet:.3g}") ** 2
    draw_process(curve, fit_process(data, kernel, variance, *reach))


def _describe(width, noise, ends):
    found, quiet, nlml = ends[width, noise]
    lowest = min(end[2] for end in ends.values())
    verdict = "No start ends lower." if nlml < lowest + 0.01 else f"Another start ends lower, at {lowest:.2f}."
    return minus(
        f"From width {width:.3g}, σₙ = {noise:.3g} the optimiser comes to width {found:.2f}, σₙ = {quiet:.2f}: NLML "
        f"{nlml:.2f}.\n{verdict}"
    )
