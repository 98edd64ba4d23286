"""The main picture of chapter 18: a Gaussian process through noisy observations, and how probable it makes them."""

from functools import partial

import numpy as np
from matplotlib.collections import PolyCollection

from mlcore.datasets import true_wave, wave_with_gap
from mlcore.explore import FOREGROUND, Explorable, log_slider
from mlcore.gaussian_process import GaussianProcessRegressor
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.text_labels import draw_labels
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, LEAVING, POSITIVE, QUIET, legend_below, panel_axes
from mlcore.pictures.gaussian_processes._fitted_process import (
    draw_process,
    draw_truth,
    fit_process,
    learn,
    split_likelihood,
)

__all__ = ["regression"]

_TERMS = ("data fit", "complexity", "constant", "NLML")
_TERM_COLOURS = (POSITIVE, LEAVING, QUIET, ACCENT)
_PLACES = np.array([3.0, 2.0, 1.0, -0.4])
_HALF = 0.32
_POINTS = 101  # of the curve: it follows three sliders


def regression(x=None, y=None, names=None):
    """Return a Gaussian process with sliders for width, height and noise, and its NLML in terms (ES Fig. 56–58).

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Observations; those of a wave with a gap if left out. The process has mean 0, so take off the mean of `y`
        when it is far from 0.
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
    span, height = (4.0, 1.0) if x is None else (np.ptp(data.x), float(np.std(data.y)))
    ends = _ends(data)
    lowest = -_best(data, span, height).log_marginal_likelihood_
    floor = 0.5 * len(data.x) * np.log(2 * np.pi) + len(data.x) * np.log(0.1 * height)
    reach = (min(-1.2 * abs(floor), 1.3 * lowest), 3.2 * max(len(data.x), lowest))
    width = log_slider("width", "width", span / 16, span, start=span / 4, steps=19, page_every=3)
    tall = log_slider("height", "height", 0.25 * height, 4 * height, start=height, steps=13, page_every=3)
    least, most = 0.1 * height, height
    noise = log_slider("noise", "std of the noise σₙ", least, most, start=0.3 * height, steps=9, page_every=4)
    return Explorable(
        title="A Gaussian process, and how well it explains what was observed",
        controls=(width, tall, noise),
        frame=partial(_frame, data=data, ends=ends, truth=x is None, lowest=lowest, reach=reach),
        draw=partial(_draw, data=data, ends=ends, reach=reach),
        describe=partial(_describe, data=data, ends=ends, lowest=lowest),
        size=(8.6, 4.3),
        panels=2,
    )


def _ends(data):
    room = 0.06 * (data.x[-1] - data.x[0])
    return data.x[0] - room, data.x[-1] + room


def _best(data, span, height):
    bounds = {
        "right.width": (span / 64, 16 * span),
        "left.value": (1e-3 * height**2, 1e3 * height**2),
        "noise": (1e-6 * height**2, 1e2 * height**2),
    }
    machine = GaussianProcessRegressor(
        height**2 * Gaussian(span / 4), noise=0.1 * height**2, bounds=bounds, restarts=3, random_state=0
    )
    return learn(machine, data)


def _frame(figure, data, ends, truth, lowest, reach):
    curve, bars = panel_axes(figure)
    samples_axes(curve, data, room=0.45, title="What the process says")
    curve.set_xlim(*ends)
    if truth:
        grid = np.linspace(*ends, 161)
        draw_truth(curve, grid, true_wave(grid), zorder=FOREGROUND)
    draw_samples(curve, data, zorder=FOREGROUND + 1)
    bars.set(xlim=reach, ylim=(-1.1, 3.6), xlabel="nats (a low NLML is good)", title="How improbable it finds the data")
    bars.set_yticks(_PLACES, _TERMS)
    bars.spines["left"].set_visible(False)
    bars.tick_params(axis="y", length=0)
    bars.axvline(0, color=BOUNDARY, linewidth=0.8, zorder=FOREGROUND)
    bars.plot([lowest, lowest], [-0.85, 0.05], color=BOUNDARY, linestyle="--", linewidth=1.6, zorder=FOREGROUND)
    signs = [
        ("mean", "mean"),
        ("band", "± 2 standard deviations"),
        ("band with noise", "the same with noise"),
        "sample",
    ]
    legend_below(figure.subfigs[0], *signs, *(["truth"] if truth else []), columns=2)
    legend_below(figure.subfigs[1], ("margin", "the lowest NLML there is"))


def _kernel(width, height):
    return height**2 * Gaussian(width)


def _terms(data, width, height, noise):
    """Return data fit, complexity, constant and their sum, all for the negative log marginal likelihood."""
    split = split_likelihood(data, _kernel(width, height), noise**2)
    return np.array([-split.fit, -split.complexity, -split.constant, -split.value])


def _draw(figure, width, height, noise, data, ends, reach):
    curve, bars = figure.axes
    draw_process(curve, fit_process(data, _kernel(width, height), noise**2, *ends, points=_POINTS))
    terms = _terms(data, width, height, noise)
    boxes = [[(0, p - _HALF), (0, p + _HALF), (t, p + _HALF), (t, p - _HALF)] for p, t in zip(_PLACES, terms)]
    bars.add_collection(PolyCollection(boxes, facecolors=_TERM_COLOURS, linewidths=0, zorder=2), autolim=False)
    room = 0.02 * (reach[1] - reach[0])
    beyond = terms > 0.8 * reach[1]
    beside = np.column_stack([np.where(beyond, reach[1] - room, np.maximum(terms, 0) + room), _PLACES])
    texts = np.array([minus(f"{term:.1f}") + (" →" if cut else "") for term, cut in zip(terms, beyond)])
    for cut, ha, color in ((False, "left", BOUNDARY), (True, "right", "white")):
        chosen = beyond == cut
        draw_labels(bars, beside[chosen], texts[chosen], ha=ha, color=color, weight="bold", zorder=5)


def _describe(width, height, noise, data, ends, lowest):
    fit, complexity, constant, total = _terms(data, width, height, noise)
    process = fit_process(data, _kernel(width, height), noise**2, *ends, points=_POINTS)
    at = int(process.prediction.std.argmax())
    return minus(
        f"Width {width:.3g}, height {height:.3g}, σₙ = {noise:.3g}. NLML {total:.2f} = data fit {fit:.2f} + complexity "
        f"{complexity:.2f} + constant {constant:.2f}; the lowest there is: {lowest:.2f}.\n"
        f"Least sure at x = {process.grid[at]:.1f}: ± {2 * process.prediction.std[at]:.2f} (2 standard deviations of "
        f"the curve), ± {2 * process.prediction.std_with_noise[at]:.2f} for an observation there."
    )
