"""Observations that arrive one by one, and how the curves that are still possible become fewer (chapter 18)."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.collections import LineCollection

from mlcore.datasets import true_wave
from mlcore.explore import FOREGROUND, Explorable, choice, step_scrubber, toggle
from mlcore.gaussian_process import posterior_samples, prior_samples
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import Samples, draw_samples, samples
from mlcore.pictures.drawing.visual_language import QUIET, legend_below
from mlcore.pictures.gaussian_processes._fitted_process import draw_process, draw_truth, fit_process

__all__ = ["arriving_points"]

_INPUTS = (2.2, 6.8, 4.4, 9.1, 0.6, 3.2, 5.6, 8.0)
_CURVES = 6


def arriving_points(x=None, y=None, names=None):
    """Return a process from prior to posterior, one observation after the other (ES Fig. 56, 57).

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Observations in the order in which they arrive; eight points of a wave if left out.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than two observations, different lengths, or entries that are not finite.
    """
    truth = x is None
    if truth:
        x, y = np.array(_INPUTS), true_wave(np.array(_INPUTS)).round(2)
    data = samples(x, y, names, least=2, in_order=True)
    x, y = np.array(data.x), np.array(data.y)
    height = float(np.sqrt(np.mean(y**2))) or 1.0
    span = 10.0 if truth else float(np.ptp(x))
    every = 1 + len(x) // 9  # the page offers ten steps at most
    ends = (0.0, 10.0) if truth else (x.min() - 0.06 * span, x.max() + 0.06 * span)
    parts = dict(data=data, ends=ends, height=float(f"{height:.2g}"))
    return Explorable(
        title="What is still possible, after each observation",
        controls=(
            step_scrubber("observed", "observations", len(x) + 1, start=max(2, every), page_every=every),
            choice(
                "width", "width", {f"{share * span:.3g}": share * span for share in (0.05, 0.1, 0.2)}, start=0.1 * span
            ),
            toggle("noisy", "noise in the observations"),
            toggle("curves", "draw six possible curves", start=True),
        ),  # fmt: skip
        frame=partial(_frame, **parts, truth=truth),
        draw=partial(_draw, **parts),
        describe=partial(_describe, **parts),
        size=(5.6, 4.7),
    )


def _frame(figure, data, ends, height, truth):
    axes = figure.subplots()
    axes.set(xlim=ends, ylim=(-3.4 * height, 3.4 * height), xlabel=data.names[0], ylabel=data.names[1])
    if truth:
        grid = np.linspace(*ends, 161)
        draw_truth(axes, grid, true_wave(grid), zorder=FOREGROUND)
    signs = (
        "sample",
        "mean",
        ("band", "± 2 standard deviations"),
        ("band with noise", "the same with noise"),
        "drawn curve",
    )
    legend_below(figure, *signs, *(["truth"] if truth else []))


def _noise(noisy, height):
    return (0.3 * height) ** 2 if noisy else 0.0


def _first(data, observed):
    return Samples(data.x[:observed], data.y[:observed], data.names)


@lru_cache(maxsize=256)
def _curves(data, kernel, noise, ends):
    """Return a grid and six curves, always from the same random numbers, so that they bend and do not jump."""
    grid = np.linspace(*ends, 101)
    x = np.array(data.x)[:, None]
    if not len(x):
        return grid, prior_samples(kernel, grid[:, None], _CURVES, random_state=2)
    return grid, posterior_samples(kernel, noise, x, np.array(data.y), grid[:, None], _CURVES, random_state=2)


def _draw(figure, observed, width, noisy, curves, data, ends, height):
    axes, given = figure.axes[0], _first(data, observed)
    kernel, noise = height**2 * Gaussian(width), _noise(noisy, height)
    draw_process(axes, fit_process(given, kernel, noise, *ends))
    if curves:
        grid, values = _curves(given, kernel, noise, ends)
        lines = [np.column_stack([grid, curve]) for curve in np.reshape(values, (_CURVES, -1))]
        axes.add_collection(LineCollection(lines, colors=QUIET, linewidths=1.1, zorder=2), autolim=False)
    draw_samples(axes, given)


def _describe(observed, width, noisy, curves, data, ends, height):
    given, noise = _first(data, observed), _noise(noisy, height)
    fit = fit_process(given, height**2 * Gaussian(width), noise, *ends)
    deviation = fit.prediction.std
    noise_text = f"with noise, σₙ = {np.sqrt(noise):.3g}" if noisy else "without noise"
    text = f"{count(observed, 'observation')} {noise_text}: "
    if not observed:
        text += f"the prior, 0 ± {2 * height:.3g} (2 standard deviations) everywhere."
    else:
        text += (
            f"the curve is known to ± {2 * deviation.mean():.2f} on average, and where it is known least, to ± "
            f"{2 * deviation.max():.2f} (2 standard deviations)."
        )
    return minus(text + (" Six curves, drawn at random from what is left." if curves else ""))
