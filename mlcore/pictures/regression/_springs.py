"""Picture of chapter 12: support vectors as springs that pull at the tube, in balance (MW ch. 9)."""

from functools import partial

import numpy as np
from matplotlib.lines import Line2D

from mlcore.datasets import noisy_line
from mlcore.explore import FOREGROUND, Explorable, choice, linear_slider, log_slider
from mlcore.kernels import Linear
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.sample_data import draw_samples, samples, samples_axes
from mlcore.pictures.drawing.visual_language import (
    BOUNDARY,
    LEAVING,
    NEGATIVE,
    POSITIVE,
    QUIET,
    circle_points,
    draw_line,
    legend_below,
    panel_axes,
    ring_points,
)
from mlcore.pictures.regression._fitted_tube import draw_fit, fit_tube, tube_readout

__all__ = ["springs"]

_COILS = 6


def springs(x=None, y=None, names=None):
    """Return a line held by the forces α (up) and α′ (down) of its support vectors (MW ch. 9).

    Parameters
    ----------
    x, y : array_like of shape (n,), optional
        Samples; ten near a line if left out.
    names : (str, str), optional
        Names of the axes, if the two have none of their own.

    Returns
    -------
    Explorable
    """
    data = samples(*noisy_line(n=10, slope=0.8, noise=0.8, seed=4)) if x is None else samples(x, y, names)
    unit = data.half_range
    return Explorable(
        title="Forces that hold the tube: up and down in balance",
        controls=(
            choice("loss", "penalty", {"quadratic: springs": "l2", "linear: strings with a weight C": "l1"}),
            log_slider("C", "penalty C", 0.03, 3, start=0.3, steps=9, page_every=2),
            linear_slider("epsilon", "half height ε", 0, 1.1 * unit, start=0.2 * unit, steps=12),
        ),
        frame=partial(_frame, data=data),
        draw=partial(_draw, data=data),
        describe=partial(_describe, data=data),
        size=(8.6, 4.4),
        panels=2,
    )


def _frame(figure, data):
    line, force = panel_axes(figure)
    samples_axes(line, data, title="The line, and what pulls at it", room=0.2)
    draw_samples(line, data, zorder=FOREGROUND)
    legend_below(
        figure.subfigs[0], "sample", "fit", ("tube", "tube f ± ε"), ("slack", "spring or string"), "support vector",
        "outside the tube",
    )  # fmt: skip
    force.axhline(0, color=BOUNDARY, linewidth=0.8, zorder=2)
    force.set(
        xlim=line.get_xlim(), xlabel=data.names[0], ylabel="force β = α − α′, in shares of all", title="The forces",
        ylim=(-0.58, 0.58),
    )  # fmt: skip
    legend_below(figure.subfigs[1], ("line of +", "α, up"), ("line of −", "α′, down"), ("training", "limit ± C"))


def _draw(figure, loss, C, epsilon, data):
    line, force = figure.axes
    fit = fit_tube(data, Linear(), C, epsilon, loss)
    beta, slack = fit.solution.coefficients, fit.solution.slack
    points = np.column_stack([data.x, data.y])
    draw_fit(line, fit)
    ring_points(line, points[fit.on_edge])
    circle_points(line, points[fit.outside])
    # A spring pulls harder when it is stretched; a string over a pulley, with the weight C, does not.
    width = 0.012 * np.ptp(line.get_xlim()) if loss == "l2" else 0.0
    for (x, y), pull in zip(points[fit.outside], (np.sign(beta) * slack)[fit.outside]):
        line.add_artist(Line2D(*_coil(x, y - pull, y, width), color=LEAVING, linewidth=1.8, zorder=4))
    total = np.abs(beta).sum()
    if not total > 0:  # nothing pulls
        return
    for colour, shares in ((POSITIVE, np.maximum(beta, 0) / total), (NEGATIVE, np.minimum(beta, 0) / total)):
        pulling = shares != 0
        x, share = np.array(data.x)[pulling], shares[pulling]
        gap = np.full(len(x), np.nan)  # one line of separate bars
        bars = np.column_stack([x, x, gap]).ravel(), np.column_stack([0 * share, share, gap]).ravel()
        draw_line(force, *bars, color=colour, linewidth=7, solid_capstyle="butt", zorder=1)
    if loss == "l1":
        for limit in (C / total, -C / total):
            draw_line(force, force.get_xlim(), [limit] * 2, color=QUIET, linestyle="--", linewidth=1.6, zorder=0)


def _coil(x, start, end, width):
    """Return the zigzag of a spring from (x, start) to (x, end)."""
    aside = np.zeros(2 * _COILS + 3)
    aside[2:-2:2], aside[3:-2:2] = width, -width
    return x + aside, np.linspace(start, end, len(aside))


def _describe(loss, C, epsilon, data):
    fit = fit_tube(data, Linear(), C, epsilon, loss)
    solution = fit.solution
    up, down = solution.alpha.sum(), solution.alpha_star.sum()
    moment = float(solution.coefficients @ np.array(data.x))
    if not fit.found:
        return f"C = {C:.3g}, ε = {epsilon:.3g}. {tube_readout(fit)}"
    law = "α = Cξ, the pull grows with the stretch" if loss == "l2" else "0 ≤ α ≤ C, and outside the tube α = C"
    at_limit = f" ({int((np.abs(solution.coefficients) == C).sum())} at the limit)" if loss == "l1" else ""
    return minus(
        f"C = {C:.3g}, ε = {epsilon:.3g}; {law}. Upward forces Σα = {up:.3f}, downward Σα′ = {down:.3f}, from "
        f"{len(solution.support)} support vectors{at_limit}. Their moment Σβx = {decimals(moment)} is "
        f"the slope of the line, {decimals(fit.slope)}.\nCertificate: {solution.certificate}."
    )
