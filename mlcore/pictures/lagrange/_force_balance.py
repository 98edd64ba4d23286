"""Picture of chapter 9: a ball in a bowl, held by walls. A multiplier is the force of a wall."""

from functools import lru_cache

import numpy as np

from mlcore.datasets import ball_program
from mlcore.explore import Explorable, linear_slider
from mlcore.optimize import kkt_residuals, solve_qp
from mlcore.pictures.drawing.readout import decimals, minus
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, INFEASIBLE, LEAVING, draw_arrow, legend_below

__all__ = ["ball_and_walls"]

_WALLS = np.array([[1.0, 0.0], [0.5, 1.0]])  # walls push along their normals
_SHORT = 0.75  # of the forces
_LOW, _HIGH = -2.3, 2.7


def ball_and_walls():
    """Return a ball in a bowl with two walls that can be moved, and the forces that hold it (MW p. 75).

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="A ball in a bowl, and two walls",
        controls=(
            linear_slider("a", "left wall, x₁ ≥ a", -1.5, 1.5, start=-0.9, steps=21, page_every=2),
            linear_slider("b", "lower wall, ½x₁ + x₂ ≥ b", -1.2, 1.2, start=-0.9, steps=17, page_every=2),
        ),
        frame=_frame,
        draw=_draw,
        describe=_describe,
        size=(4.6, 5.0),
    )


@lru_cache(maxsize=512)
def _solve(a, b):
    return solve_qp(ball_program(a, b))


def _touched(x, a, b):
    return abs(_WALLS @ x - [a, b]) < 1e-7


def _frame(figure):
    axes = figure.subplots()
    axes.set(xlim=(_LOW, _HIGH), ylim=(_LOW, _HIGH), xlabel="x₁", ylabel="x₂", aspect="equal")
    x1, x2 = np.meshgrid(*[np.linspace(_LOW, _HIGH, 81)] * 2)
    levels = [0.1, 0.4, 0.9, 1.6, 2.5, 3.6, 4.9]
    axes.contour(x1, x2, x1**2 / 2 + x2**2, levels=levels, colors="#9a9a9a", linewidths=1, zorder=1)
    legend_below(
        figure, ("optimum", "the ball"), ("objective", "pull of the slope, −∇f"), ("what stops it", "push of a wall"),
        "constraint", "active constraint", ("infeasible region", "behind a wall"), columns=2,
    )  # fmt: skip


def _draw(figure, a, b):
    axes, result = figure.axes[0], _solve(a, b)
    x = result.x
    for normal, limit, touched in zip(_WALLS, (a, b), _touched(x, a, b)):
        foot, along = limit * normal / (normal @ normal), np.array([-normal[1], normal[0]])
        ends = np.array([foot - 10 * along, foot + 10 * along])
        behind = np.vstack([ends, ends[::-1] - 10 * normal])
        axes.fill(*behind.T, facecolor=INFEASIBLE, linewidth=0, alpha=0.75, zorder=0.5)
        axes.plot(*ends.T, color=BOUNDARY, linewidth=3.4 if touched else 1.2, zorder=3)
    draw_arrow(axes, x, x - _SHORT * (ball_program(a, b).P @ x), color=ACCENT)
    for push in result.inequality_multipliers[:, None] * _WALLS:
        if np.linalg.norm(push) > 1e-6:
            draw_arrow(axes, x, x + _SHORT * push, color=LEAVING)
    axes.plot(*x, "o", color=ACCENT, markersize=11, markeredgecolor="white", zorder=7)


def _describe(a, b):
    result = _solve(a, b)
    x, z = result.x, result.inequality_multipliers
    pull = -ball_program(a, b).P @ x
    walls = []
    for name, room, push, touched in zip(("left", "lower"), _WALLS @ x - [a, b], z, _touched(x, a, b)):
        if not touched:
            walls.append(f"the {name} wall has {room:.2f} to spare and cannot push")
        elif push > 1e-6:
            walls.append(f"the {name} wall is touched and pushes with multiplier {push:.2f}")
        else:
            walls.append(f"the {name} wall is just touched and need not push")
    residuals = kkt_residuals(ball_program(a, b), x, z)
    return minus(
        f"The ball lies at ({decimals(x[0], 2)}, {decimals(x[1], 2)}), where the slope pulls with "
        f"({decimals(pull[0], 2)}, {decimals(pull[1], 2)}); {walls[0]}; {walls[1]}.\nKKT residuals: {residuals}."
    )
