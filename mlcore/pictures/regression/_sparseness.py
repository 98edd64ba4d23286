"""Picture of chapter 12: the higher the tube, the fewer support vectors, until none is left."""

from functools import lru_cache, partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, QUIET, legend_below, panel_axes
from mlcore.pictures.regression._fitted_tube import draw_fit, draw_marks, fit_tube, tube_readout
from mlcore.pictures.regression._tube import wave
from mlcore.validation import as_positive

__all__ = ["support_vectors_by_epsilon"]

_STEPS = 33


def support_vectors_by_epsilon(x=None, y=None, C=10.0, width=1.0, names=None):
    """Return a fitted curve beside the number of its support vectors, with a slider for ε.

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Samples; forty of a noisy sine wave if left out.
    C, width : float
        Penalty, and width of the Gaussian kernel.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable
    """
    truth = x is None
    data = wave(noise=0.2, n=40, seed=4) if truth else samples(x, y, names)
    as_positive("C", C)
    slider = linear_slider("epsilon", "half height ε", 0, 1.2 * data.half_range, start=0, steps=_STEPS)
    fit = partial(_fit, data, float(C), float(width))
    return Explorable(
        title="The higher the tube, the fewer support vectors",
        controls=(slider,),
        frame=partial(_frame, data=data, truth=truth, counts=_counts(data, float(C), float(width), slider.values)),
        draw=partial(_draw, fit=fit),
        describe=partial(_describe, fit=fit, truth=truth),
        size=(8.6, 4.3),
        panels=2,
    )


def _fit(data, C, width, epsilon):
    return fit_tube(data, Gaussian(width), C, epsilon)


@lru_cache(maxsize=16)
def _counts(data, C, width, epsilons):
    """Return ε and the number of support vectors, a row for each ε."""
    return np.array([(e, len(_fit(data, C, width, e).solution.support)) for e in epsilons])


def _frame(figure, data, truth, counts):
    curve, number = panel_axes(figure)
    samples_axes(curve, data, title="The fit")
    draw_samples(curve, data, zorder=FOREGROUND)
    signs = ["sample", "fit", ("tube", "tube f ± ε"), "support vector", "outside the tube", "slack"]
    if truth:
        grid = np.linspace(data.x[0], data.x[-1], 121)
        curve.plot(grid, np.sin(grid), ":", color=BOUNDARY, linewidth=1.6, zorder=FOREGROUND)
        signs.append("truth")
    legend_below(figure.subfigs[0], *signs)
    number.plot(*counts.T, ".-", color=BOUNDARY, linewidth=1.2, markersize=5, zorder=1)
    number.axvline(data.half_range, color=QUIET, linestyle="--", linewidth=1.6, zorder=0)
    number.set(
        xlim=(-0.03 * counts[-1, 0], 1.03 * counts[-1, 0]), ylim=(-0.04 * len(data.x), 1.04 * len(data.x)),
        xlabel="half height ε of the tube", ylabel=f"support vectors, of {len(data.x)} samples", title="What it needs",
    )  # fmt: skip
    legend_below(figure.subfigs[1], ("training", "half the range of y"), ("optimum", "this ε"), columns=2)


def _draw(figure, epsilon, fit):
    curve, number = figure.axes
    fitted = fit(epsilon)
    draw_fit(curve, fitted)
    draw_marks(curve, fitted)
    number.plot(epsilon, len(fitted.solution.support), "o", color=ACCENT, markersize=9, markeredgecolor="white")


def _describe(epsilon, fit, truth):
    fitted = fit(epsilon)
    data = fitted.data
    place = "above" if epsilon > data.half_range else "below"
    text = f"ε = {epsilon:.3f}, {place} half the range of y, {data.half_range:.3f}. "
    if truth and fitted.found:
        distance = np.sqrt(np.mean((fitted.solution.fitted - np.sin(data.x)) ** 2))
        text += f"Root mean squared distance from the truth: {distance:.3f}. "
    return text + tube_readout(fitted)
