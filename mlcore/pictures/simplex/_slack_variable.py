"""Picture of chapter 6: the slack of an inequality as a height, so that a half-plane becomes a tilted plane."""

import numpy as np

from mlcore.explore import Explorable, linear_slider
from mlcore.pictures.drawing.polytope import View
from mlcore.pictures.drawing.readout import minus, number, subscript
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    BOUNDARY,
    FEASIBLE,
    NEGATIVE,
    QUIET,
    legend_below,
    panel_axes,
)

__all__ = ["slack_as_height"]

_LIMIT = 7.0
_VIEW = View(azimuth=28.0, elevation=20.0)


def slack_as_height():
    """Return x₁ + x₂ ≤ 7 in the plane beside x₁ + x₂ + s₁ = 7 in space, with a point to move (ES Fig. 75–78).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="An inequality in two variables is an equation in three",
        controls=(
            linear_slider("x1", "x₁", 0, _LIMIT, start=2, steps=8),
            linear_slider("x2", "x₂", 0, _LIMIT, start=3, steps=8),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(8.6, 3.9),
        panels=2,
    )


def _frame(figure):
    plane, space = panel_axes(figure)
    plane.set(xlim=(-0.6, _LIMIT + 1.2), ylim=(-0.6, _LIMIT + 1.2), xlabel="x₁", ylabel="x₂", aspect="equal")
    plane.fill([0, _LIMIT, 0], [0, 0, _LIMIT], color=FEASIBLE, linewidth=0, zorder=0.4)
    plane.plot([-1, 9], [_LIMIT + 1, _LIMIT - 9], color=BOUNDARY, linewidth=1.6, zorder=2)
    plane.axhline(0, color=BOUNDARY, linewidth=1.6, zorder=2)
    plane.axvline(0, color=BOUNDARY, linewidth=1.6, zorder=2)
    for text, place, turn in (("s₁ = 0", (4.9, 2.35), -45), ("x₁ = 0", (0.28, 4.6), 90), ("x₂ = 0", (5.6, 0.22), 0)):
        plane.text(*place, text, rotation=turn, fontsize=9, color="#444444", ha="center")
    plane.annotate("", (2.0, 6.9), (0.9, 6.9), arrowprops=dict(arrowstyle="-|>", color=ACCENT, linewidth=2))
    plane.text(2.2, 6.9, "c", style="italic", color=ACCENT, va="center")
    _draw_space(space)
    legend_below(figure.subfigs[0], "feasible region", ("objective", "objective c"))
    legend_below(figure.subfigs[1], ("path", "slack"), ("next move", "first pivot"))


def _draw_space(axes):
    corners = _LIMIT * np.eye(3)
    axes.fill(*_VIEW.project(corners).T, color=FEASIBLE, alpha=0.9, linewidth=0, zorder=1)
    axes.plot(*_VIEW.project(corners[[0, 1, 2, 0]]).T, color=BOUNDARY, linewidth=1.3, zorder=2)
    for name, unit in zip(("x1", "x2", "s1"), np.eye(3)):
        end = _VIEW.project((_LIMIT + 2.0) * unit)
        axes.annotate(
            "", end, (0, 0), arrowprops=dict(arrowstyle="-|>", color=QUIET, linewidth=1.0, shrinkA=0), zorder=1
        )
        axes.text(*(1.07 * end), subscript(name), ha="center", va="center", fontsize=9.5, color="#444444")
    start, end = _VIEW.project(corners[[2, 0]])
    axes.plot(*np.array([start, end]).T, color=ACCENT, linewidth=2.5, linestyle=(0, (1.5, 1.5)), zorder=3)
    axes.annotate("start (0, 0, 7)", start, (9, 4), textcoords="offset points", fontsize=9)
    axes.annotate("(7, 0, 0)", end, (-4, -13), textcoords="offset points", fontsize=9)
    axes.set(xlim=(-5.6, 9.6), ylim=(-5.4, 9.4), aspect="equal")
    axes.axis("off")


def _draw(figure, x1, x2):
    plane, space = figure.axes
    slack = _LIMIT - x1 - x2
    colour = ACCENT if slack >= 0 else NEGATIVE
    plane.plot(x1, x2, "o" if slack >= 0 else "X", color=colour, markersize=11, markeredgecolor="white", zorder=6)
    foot, top = _VIEW.project([[x1, x2, 0.0], [x1, x2, slack]])
    ends = _VIEW.project([[x1, 0.0, 0.0], [x1, x2, 0.0], [0.0, x2, 0.0]])
    space.plot(*ends.T, color=QUIET, linewidth=0.9, linestyle="--", zorder=1.5)
    space.plot(*np.array([foot, top]).T, color=colour, linewidth=4.5, zorder=4)
    space.plot(*foot, "o", color=QUIET, markersize=4, zorder=5)
    space.plot(*top, "o" if slack >= 0 else "X", color=colour, markersize=11, markeredgecolor="white", zorder=6)


def _describe(x1, x2):
    slack = _LIMIT - x1 - x2
    sentence = f"x₁ + x₂ = {number(x1 + x2)}, so the slack is s₁ = 7 − {number(x1 + x2)} = {number(slack)}. "
    zeros = [name for name, value in (("x₁", x1), ("x₂", x2), ("s₁", slack)) if value == 0]
    if slack < 0:
        sentence += "The point breaks the inequality: a slack below 0 is what s₁ ≥ 0 forbids."
    elif len(zeros) == 2:
        start = " It is where the method starts." if "s₁" not in zeros else ""
        best = " It is the best: x₁ cannot be larger." if x1 == _LIMIT else ""
        sentence += f"A vertex: {zeros[0]} and {zeros[1]} are 0, one variable is not.{start}{best}"
    elif zeros:
        sentence += f"On an edge: only {zeros[0]} is 0."
    else:
        sentence += "Inside: no variable is 0."
    return minus(sentence)
