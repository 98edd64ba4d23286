"""Picture of chapter 9: the Lagrangian, its lowest value for every multiplier, and the gap that may remain."""

from functools import lru_cache

import numpy as np

from mlcore.datasets import one_variable_problems
from mlcore.explore import Explorable, choice, linear_slider
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, FEASIBLE, LEAVING, legend_below, panel_axes

__all__ = ["PROBLEMS", "duality_gap"]


PROBLEMS = one_variable_problems()
_HIGHEST = 4.0  # multiplier of the slider


def duality_gap():
    """Return the Lagrangian of a convex and of a non-convex problem, and the dual function (MW A.1).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="From the Lagrangian to the dual function",
        controls=(
            choice("problem", "objective", {"convex: one valley": "convex", "not convex: two valleys": "two valleys"}),
            linear_slider("multiplier", "multiplier λ", 0, _HIGHEST, start=1, steps=41, text=lambda v: f"{v:.1f}"),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 4.4),
        panels=2,
    )


@lru_cache(maxsize=8)
def _dual_curve(problem):
    multipliers = np.linspace(0, _HIGHEST, 161)
    return multipliers, np.array([PROBLEMS[problem].lowest(value)[0] for value in multipliers])


@lru_cache(maxsize=8)
def _best_dual(problem):
    multipliers, values = _dual_curve(problem)
    return float(multipliers[values.argmax()]), float(values.max())  # both optima, 2 and 2, lie on the grid


def _frame(figure):
    left, right = panel_axes(figure)
    left.set(xlim=(-2.1, 2.2), ylim=(-1.5, 6), xlabel="x", ylabel="value", title="Objective and Lagrangian")
    right.set(
        xlim=(-0.12, _HIGHEST + 0.16), ylim=(-1.5, 6), xlabel="multiplier λ", ylabel="lowest value of the Lagrangian",
        title="The dual function D(λ)",
    )  # fmt: skip
    legend_below(
        figure.subfigs[0], ("boundary", "objective f₀"), ("objective", "Lagrangian"),
        ("feasible region", "feasible x"), columns=3,
    )  # fmt: skip
    legend_below(
        figure.subfigs[1], ("boundary", "D(λ)"), ("margin", "primal value p*"), ("what stops it", "gap"), columns=3
    )


def _draw(figure, problem, multiplier):
    left, right = (panel.axes[0] for panel in figure.subfigs)
    task = PROBLEMS[problem]
    primal, minimiser = task.best()
    value, lowest = task.lowest(multiplier)
    x = np.linspace(-2.1, 2.2, 173)
    left.axvspan(task.bound, 2.2, facecolor=FEASIBLE, linewidth=0, zorder=0.2)
    left.plot(x, np.polyval(task.objective, x), color=BOUNDARY, linewidth=2, zorder=2)
    left.plot(x, task.lagrangian(x, multiplier), color=ACCENT, linewidth=2, zorder=3)
    left.plot([-2.1, 2.2], [value, value], color=ACCENT, linewidth=1, linestyle=":", zorder=2)
    left.plot(lowest, np.full_like(lowest, value), "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=5)
    left.plot(minimiser, primal, "o", color=BOUNDARY, markersize=7, markeredgecolor="white", zorder=4)

    top, best = _best_dual(problem)
    right.axhline(primal, color=BOUNDARY, linewidth=1.3, linestyle="--", zorder=1)
    right.plot(*_dual_curve(problem), color=BOUNDARY, linewidth=2, zorder=2)
    if primal - best > 1e-9:
        right.plot([top, top], [best, primal], color=LEAVING, linewidth=4.5, zorder=3)
    right.plot(multiplier, value, "o", color=ACCENT, markersize=9, markeredgecolor="white", zorder=5)


def _describe(problem, multiplier):
    task = PROBLEMS[problem]
    primal, _ = task.best()
    value, lowest = task.lowest(multiplier)
    top, best = _best_dual(problem)
    places = " and ".join(f"{x + 0.0:.2f}" for x in np.sort(np.where(abs(lowest) < 5e-3, 0, lowest)))
    gap = "no gap remains" if primal - best < 1e-9 else f"a gap of {primal - best:.3f} remains"
    return minus(
        f"{task.text[0].upper()}{task.text[1:]}: p* = {primal:.3f}. With λ = {multiplier:.1f} the Lagrangian is lowest "
        f"at x = {places}, so D(λ) = {decimals(value)}, a lower bound of p*. The best bound is d* = {best:.3f} at "
        f"λ = {top:.1f}: {gap}."
    )
