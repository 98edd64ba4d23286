"""Pictures of chapter 12: the tube, what falls out of it, and when no tube holds every sample."""

from functools import partial

import numpy as np
from scipy.optimize import linprog

from mlcore.datasets import noisy_wave, size_and_weight
from mlcore.explore import FOREGROUND, Explorable, choice, linear_slider, log_slider
from mlcore.kernels import Gaussian, Linear
from mlcore.pictures.drawing.readout import decimals, minus, small
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import BOUNDARY, NEGATIVE, POSITIVE, legend_below
from mlcore.pictures.regression._fitted_tube import draw_fit, draw_marks, fit_tube, tube_readout

__all__ = ["curve_and_tube", "line_and_tube", "smallest_epsilon", "wave"]

_SIGNS = ("sample", "fit", ("tube", "tube f ± ε"), "support vector", "outside the tube", "slack")


def wave(noise, n=30, seed=6):
    """Return samples of a sine wave under noise, always the same noise, scaled.

    Parameters
    ----------
    noise : float
        Standard deviation.
    n, seed : int

    Returns
    -------
    mlcore.pictures.drawing.sample_data.Samples
    """
    return samples(*noisy_wave(n=n, noise=noise, seed=seed))


def curve_and_tube(x=None, y=None, names=None):
    """Return a curve with its tube, with sliders for ε, penalty C, width of the kernel and noise (ES Fig. 34).

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Samples; those of a sine wave, with a slider for their noise, if left out.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable
    """
    data = None if x is None else samples(x, y, names)
    unit, span = (1.0, 4.0) if data is None else (data.half_range, np.ptp(data.x) / 2)
    controls = [
        linear_slider("epsilon", "half height ε", 0, 1.2 * unit, start=0.3 * unit, steps=25, page_every=6),
        log_slider("C", "penalty C", 0.1 * unit, 100 * unit, start=unit, steps=13, page_every=4),
        log_slider("width", "width of the kernel", span / 16, span, start=span / 4, steps=5, page_every=2),
    ]
    if data is None:
        controls.append(linear_slider("noise", "noise in y", 0.1, 0.3, start=0.3, steps=3, page_every=2))
    get = partial(_given, data)
    return Explorable(
        title="A curve and its tube: only what lies on the edge or outside holds it",
        controls=tuple(controls),
        frame=partial(_curve_frame, data=data),
        draw=partial(_draw_curve, get=get),
        describe=partial(_describe_curve, get=get),
        size=(4.6, 4.6),
    )


def _given(data, noise=None):
    return wave(noise) if data is None else data


def _curve_frame(figure, data):
    axes = figure.subplots()
    if data is not None:
        samples_axes(axes, data)
        draw_samples(axes, data, zorder=FOREGROUND)
        legend_below(figure, *_SIGNS)
        return
    samples_axes(axes, wave(0.3), reach=(-1.6, 1.6), room=0)
    grid = np.linspace(0, 2 * np.pi, 121)
    axes.plot(grid, np.sin(grid), ":", color=BOUNDARY, linewidth=1.6, zorder=FOREGROUND)
    legend_below(figure, *_SIGNS, "truth")


def _draw_curve(figure, epsilon, C, width, get, **noise):
    axes, fit = figure.axes[0], fit_tube(get(**noise), Gaussian(width), C, epsilon)
    draw_fit(axes, fit)
    if noise:  # then the samples move
        draw_samples(axes, fit.data)
    draw_marks(axes, fit)


def _describe_curve(epsilon, C, width, get, **noise):
    fit = fit_tube(get(**noise), Gaussian(width), C, epsilon)
    flat = " The curve is flat: no sample pulls." if not len(fit.solution.support) else ""
    return f"ε = {epsilon:.3g}, C = {C:.3g}, width {width:.3g}.{flat} {tube_readout(fit)}"


# A line, with slack and without


def line_and_tube(x=None, y=None, names=None):
    """Return a line with its tube, with a price for slack or none allowed (ES Fig. 33, 34).

    Without slack and with a tube too low, the picture shows the proof that no line is within ε of every sample.

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Samples; ten of size and weight if left out.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable
    """
    data = samples(*size_and_weight(), ("size", "weight")) if x is None else samples(x, y, names)
    unit = data.half_range
    prices = {f"{price:.3g}": price for price in (0.01 * unit, 0.1 * unit, unit)}
    return Explorable(
        title="The flattest line within ε of the samples",
        controls=(
            linear_slider("epsilon", "half height ε", 0, 1.25 * unit, start=0.5 * unit, steps=26),
            choice("C", "penalty C", prices | {"∞ (no slack)": np.inf}, start=np.inf),
        ),
        frame=partial(_line_frame, data=data),
        draw=partial(_draw_line, data=data),
        describe=partial(_describe_line, data=data),
        size=(4.6, 4.6),
    )


def smallest_epsilon(x, y):
    """Return the least ε for which a line is within ε of every sample, and weights βᵢ that prove it.

    Parameters
    ----------
    x, y : array_like of shape (n,)

    Returns
    -------
    epsilon : float
    weights : numpy.ndarray of shape (n,)
        With Σ βᵢ = 0, Σ βᵢxᵢ = 0 and Σ |βᵢ| = 1, so that every line has Σ βᵢ(yᵢ − f(xᵢ)) = Σ βᵢyᵢ, which is the ε
        returned: the errors cannot all be smaller. Three samples suffice.

    Examples
    --------
    >>> epsilon, weights = smallest_epsilon([0, 1, 2], [0, 1, 0])
    >>> float(epsilon), weights.tolist()
    (0.5, [-0.25, 0.5, -0.25])
    """
    x, y = np.asarray(x), np.asarray(y)
    ones = np.ones(len(x))
    rows = np.vstack([np.column_stack([-x, -ones, -ones]), np.column_stack([x, ones, -ones])])
    free = (None, None)
    result = linprog([0, 0, 1], A_ub=rows, b_ub=np.concatenate([-y, y]), bounds=[free, free, (0, None)])
    above, below = np.split(-result.ineqlin.marginals, 2)
    return result.fun, above - below


def _line_frame(figure, data):
    axes = figure.subplots()
    samples_axes(axes, data, room=0.25)
    draw_samples(axes, data, zorder=FOREGROUND)
    legend_below(figure, *_SIGNS)


def _draw_line(figure, epsilon, C, data):
    axes, fit = figure.axes[0], fit_tube(data, Linear(), C, epsilon)
    if fit.found or np.isfinite(C):
        draw_fit(axes, fit)
        draw_marks(axes, fit)
        return
    _, weights = smallest_epsilon(data.x, data.y)
    points = np.column_stack([data.x, data.y])
    for sign, colour in ((1, POSITIVE), (-1, NEGATIVE)):
        chosen = points[sign * weights > 1e-9]
        axes.plot(*chosen.T, "o-", color=colour, markersize=12, linewidth=2, markerfacecolor="none", zorder=3)
    above, below = (_mixture(points, weights, sign) for sign in (1, -1))
    axes.plot(*np.array([below, above]).T, color=BOUNDARY, linewidth=3.2, zorder=2.5)


def _mixture(points, weights, sign):
    """Return the point that the samples with weights of this sign mix to."""
    part = np.maximum(sign * weights, 0)
    return part @ points / part.sum()


def _small(weights, data):
    violation = max(abs(weights.sum()), abs(weights @ np.array(data.x)) / np.abs(data.x).max())
    return small(violation)


def _describe_line(epsilon, C, data):
    fit = fit_tube(data, Linear(), C, epsilon)
    # Just below the least ε the solver may leave its own proof unfinished; the one told here does not need it.
    if np.isinf(C) and not fit.found:
        least, weights = smallest_epsilon(data.x, data.y)
        n = int((np.abs(weights) > 1e-9).sum())
        return minus(
            f"ε = {epsilon:.3g}, no slack: no line is within ε of every sample. Proof: {n} samples, marked. A line "
            f"within ε of these would pass within ε of both ends of the bar, which is {2 * least:.3f} long, but the "
            f"tube is only 2ε = {2 * epsilon:.3g} high. From ε = {least:.3f} on there is a line.\n"
            f"Certificate: weights β with Σβ = 0 and Σβx = 0, violated by {_small(weights, data)}, Σ|β| = 1 and "
            f"Σβy = {least:.3f} > ε."
        )
    slope = f"slope {decimals(fit.slope)}. " if fit.found else ""
    text = f"ε = {epsilon:.3g}, " + ("no slack" if np.isinf(C) else f"C = {C:.3g}")
    return f"{text}: {slope}{tube_readout(fit)}"
