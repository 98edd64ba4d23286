"""Picture of chapter 12: a linear and a quadratic price for slack, and what one outlier can do."""

from functools import partial

import numpy as np

from mlcore.datasets import noisy_line
from mlcore.explore import Explorable, linear_slider, log_slider
from mlcore.kernels import Linear
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.sample_data import Samples, draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import circle_chosen, legend_below, panel_axes
from mlcore.pictures.regression._fitted_tube import draw_fit, draw_marks, fit_tube, tube_readout
from mlcore.validation import as_nonnegative

__all__ = ["two_penalties"]


def two_penalties(x=None, y=None, epsilon=None, names=None):
    """Return the line with the linear and with the quadratic penalty, while one sample is lifted (MW ch. 9).

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Samples; twelve near a line if left out. The last but two from the left is the one that moves.
    epsilon : float, optional
        Half the height of the tube; an eighth of the range of `y` if left out.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable
    """
    data = samples(*noisy_line(n=12, slope=0.8, noise=0.3, seed=1)) if x is None else samples(x, y, names)
    unit = data.half_range
    epsilon = float(f"{unit / 4:.2g}") if epsilon is None else as_nonnegative("epsilon", epsilon)
    lifted = partial(_lifted, data)
    return Explorable(
        title="One outlier: its pull has a limit on the left and none on the right",
        controls=(
            linear_slider("lift", "outlier lifted by", 0, float(f"{2.5 * unit:.2g}"), start=0, steps=17),
            log_slider("C", "penalty C", 0.03, 3, start=0.3, steps=5),
        ),
        frame=partial(_frame, data=data),
        draw=partial(_draw, lifted=lifted, epsilon=epsilon),
        describe=partial(_describe, lifted=lifted, epsilon=epsilon),
        size=(8.6, 4.4),
        panels=2,
    )


def _lifted(data, lift):
    """Return the samples with the outlier in its place, and which one it is."""
    outlier = len(data.x) - 3
    y = list(data.y)
    y[outlier] += lift
    return Samples(data.x, tuple(y), data.names), outlier


def _frame(figure, data):
    highest = max(_lifted(data, 2.5 * data.half_range)[0].y)
    for axes, title in zip(panel_axes(figure), ("Linear: C Σ ξ", "Quadratic: ½ C Σ ξ²")):
        samples_axes(axes, data, title=title, reach=(min(data.y), highest), room=0.06)
    legend_below(figure.subfigs[0], "sample", ("chosen pair", "outlier"), "fit", ("tube", "tube f ± ε"), columns=2)
    legend_below(figure.subfigs[1], "support vector", "outside the tube", "slack", columns=2)


def _fits(lift, C, lifted, epsilon):
    data, outlier = lifted(lift)
    return [fit_tube(data, Linear(), C, epsilon, loss) for loss in ("l1", "l2")], outlier


def _draw(figure, lift, C, lifted, epsilon):
    fits, outlier = _fits(lift, C, lifted, epsilon)
    for axes, fit in zip(figure.axes, fits):
        draw_fit(axes, fit)
        draw_samples(axes, fit.data)
        draw_marks(axes, fit)
        circle_chosen(axes, np.array([[fit.data.x[outlier], fit.data.y[outlier]]]))


def _describe(lift, C, lifted, epsilon):
    fits, outlier = _fits(lift, C, lifted, epsilon)
    lines = [f"Lifted by {lift:.3g}, C = {C:.3g}, ε = {epsilon:.3g}. The outlier's weight β and its slack ξ:"]
    for name, fit in zip(("linear", "quadratic"), fits):
        solution = fit.solution
        if not fit.found:
            lines.append(f"{name}: {tube_readout(fit)}")
            continue
        beta, slack = solution.coefficients[outlier], solution.slack[outlier]
        largest = np.abs(solution.coefficients).max()
        lines.append(
            f"{name}: β = {decimals(beta)}, ξ = {slack:.3f}, largest |β| {largest:.3f}; "
            f"slope {decimals(fit.slope)}, {len(solution.support)} support vectors; {solution.certificate}."
        )
    return minus("\n".join(lines))
