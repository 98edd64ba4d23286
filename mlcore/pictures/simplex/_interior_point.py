"""Picture of chapter 6: the central path through the interior, beside the simplex method along the boundary."""

from functools import partial
from typing import NamedTuple

import numpy as np

from mlcore.datasets import four_inequalities
from mlcore.explore import Explorable, choice, log_slider
from mlcore.optimize import LinearProgram, QuadraticProgram, central_path, simplex, solve_qp
from mlcore.pictures.drawing.readout import minus, number
from mlcore.pictures.drawing.visual_language import ACCENT, POSITIVE, legend_below
from mlcore.pictures.simplex._simplex_plane import (
    FeasiblePlane,
    draw_constraints,
    draw_region,
    feasible_plane,
    plane_limits,
)
from mlcore.pictures.simplex._simplex_tableau import entry

__all__ = ["interior_point"]

_STEPS = 21


def interior_point(problems=None):
    """Return the central path with a slider for the barrier weight, and the ways of three methods (ES A.4).

    Parameters
    ----------
    problems : dict of str to mlcore.optimize.LinearProgram, optional
        By name, at least two, in two variables with a bounded region; the example of ES p. 144 with one and with
        many optimal points if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A problem with equations, or with a region that is flat, empty or unbounded.
    """
    if problems is None:
        example = four_inequalities()
        many = LinearProgram([150, 300], example.A_ub, example.b_ub, maximize=True)
        problems = {"maximise 150 x₁ + 450 x₂": example, "maximise 150 x₁ + 300 x₂": many}
    size = max(_span(problem) for problem in problems.values())
    slider = log_slider("mu", "barrier weight μ", 1e-5 * size, 10 * size, start=10 * size, steps=_STEPS)
    settings = {name: _setting(problem, slider.values) for name, problem in problems.items()}
    return Explorable(
        title="Two ways to an optimum: through the interior, or along the boundary",
        controls=(choice("name", "objective", list(problems)), slider),
        frame=partial(_frame, settings=settings),
        draw=partial(_draw, settings=settings),
        describe=partial(_describe, settings=settings),
        size=(4.6, 3.9),
    )


def _span(problem):
    """Return the difference between the best and the worst value of the objective."""
    central_path(problem, [1.0])  # refuses what has no interior or no end
    span = float(np.ptp(feasible_plane(problem).corners @ problem.c))
    if span == 0:
        raise ValueError("problem: expected an objective with a coefficient other than 0")
    return span


class _Setting(NamedTuple):
    """A problem with its central path, the vertices of the simplex method, and CVXOPT's solution."""

    problem: LinearProgram
    plane: FeasiblePlane
    path: dict
    vertices: np.ndarray
    value: float
    interior: object


def _setting(problem, weights):
    path = dict(zip(weights[::-1], central_path(problem, weights[::-1])))
    walk = simplex(problem, trace=True)
    rows = np.array([[plane.a1, plane.a2, plane.limit] for plane in feasible_plane(problem).constraints.values()])
    c = -problem.c if problem.maximize else problem.c
    interior = solve_qp(QuadraticProgram(np.zeros((2, 2)), c, rows[:, :2], rows[:, 2]))
    vertices = np.array([step.vertex for step in walk.steps])
    return _Setting(problem, feasible_plane(problem), path, vertices, walk.value, interior)


def _frame(figure, settings):
    axes = figure.subplots()
    limits = plane_limits([setting.plane for setting in settings.values()], [], room=0.1)
    axes.set(xlim=limits[0], ylim=limits[1], xlabel="x₁", ylabel="x₂", aspect="equal")
    legend_below(
        figure, ("path", "central path"), ("training", "equal c·x + barrier"), ("line of +", "simplex method"),
        ("unknown", "where CVXOPT ends"), columns=2,
    )  # fmt: skip


def _draw(figure, name, mu, settings):
    axes = figure.axes[0]
    setting = settings[name]
    draw_region(axes, setting.plane)
    draw_constraints(axes, setting.plane, labels=False)
    _draw_barrier(axes, setting, mu)
    axes.plot(*setting.vertices.T, "o-", color=POSITIVE, linewidth=2.2, markersize=5, zorder=5)
    points = np.array([point.x for weight, point in setting.path.items() if weight >= mu])
    axes.plot(*points.T, color=ACCENT, linewidth=4.5, zorder=6)
    axes.plot(*points[-1], "o", color=ACCENT, markersize=11, markeredgecolor="white", zorder=8)
    axes.scatter(*setting.interior.x, marker="*", s=190, color=ACCENT, edgecolor="black", linewidth=0.9, zorder=7)


def _draw_barrier(axes, setting, mu):
    """Draw where the objective with the barrier falls short of its maximum by 0.5 μ, 2 μ, 8 μ, ..."""
    planes = np.array(list(setting.plane.constraints.values()))
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    x1, x2 = np.meshgrid(np.linspace(left, right, 121), np.linspace(low, high, 81))
    slack = planes[:, 2] - np.stack([x1, x2], axis=-1) @ planes[:, :2].T
    sense = 1 if setting.problem.maximize else -1

    def height(x, slack):
        with np.errstate(invalid="ignore", divide="ignore"):
            return sense * x @ setting.problem.c / mu + np.log(slack).sum(axis=-1)

    best = setting.path[mu].x
    surface = height(np.stack([x1, x2], axis=-1), np.where(slack > 0, slack, np.nan))
    top = height(best, planes[:, 2] - planes[:, :2] @ best)
    levels = top - np.array([32.0, 16.0, 8.0, 4.0, 2.0, 0.5])
    axes.contour(x1, x2, surface, levels=levels, colors="#8a8a8a", linewidths=0.9, linestyles="--", zorder=1.5)


def _describe(name, mu, settings):
    setting = settings[name]
    point, interior = setting.path[mu], setting.interior
    sense = 1 if setting.problem.maximize else -1
    m = len(point.prices)
    return minus(
        f"μ = {mu:g}: the point is ({point.x[0]:.1f}, {point.x[1]:.1f}), value {point.value:.2f}. Its prices μ/slack "
        f"prove that nothing is better than {point.bound:.2f}: the gap is {m} μ = {m * mu:.2f}.\n"
        f"Simplex method: {len(setting.vertices) - 1} pivots to ({_tidy(setting.vertices[-1])}), value "
        f"{entry(setting.value)}. CVXOPT: {interior.status} at "
        f"({interior.x[0]:.1f}, {interior.x[1]:.1f}), value {entry(-sense * interior.value)}."
    )


def _tidy(x):
    return ", ".join(number(value) for value in x)
