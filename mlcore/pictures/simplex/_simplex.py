"""Pictures of chapter 6: the simplex method in the plane, from vertex to vertex, beside its tableau."""

from functools import partial

from mlcore.datasets import four_inequalities
from mlcore.explore import Explorable, choice, linear_slider, step_scrubber
from mlcore.optimize import LinearProgram, Status
from mlcore.pictures.drawing.visual_language import legend_below, panel_axes
from mlcore.pictures.simplex._simplex_plane import (
    draw_constraints,
    draw_region,
    draw_step,
    feasible_plane,
    plane_limits,
)
from mlcore.pictures.simplex._simplex_run import (
    RULES,
    describe_step,
    longest,
    recorded_run,
    runs_by_rule,
    with_one_layout,
)
from mlcore.pictures.simplex._simplex_tableau import draw_tableau, tableau_axes

__all__ = ["phase_one", "plane_and_tableau", "tie"]


def plane_and_tableau(problem=None):
    """Return the simplex method on a plane polygon beside its tableau, step by step (ES A.1, A.2, Fig. 74).

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram, optional
        In two variables; the example of ES p. 144 if left out. The table is readable up to about eight rows.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A problem that cannot be drawn in the plane, or one that takes no pivot at all.
    """
    runs = runs_by_rule(four_inequalities() if problem is None else problem)
    planes = dict.fromkeys(runs, feasible_plane(runs["dantzig"].problem))
    return Explorable(
        title="From vertex to vertex, pivot by pivot",
        controls=(choice("rule", "rule", RULES), step_scrubber("step", "step", longest(runs.values()))),
        **_drawn(runs, planes, "rule"),
    )


def tie():
    """Return the example of ES p. 144 with a fourth inequality that can be moved until two ratios tie (ES p. 143).

    Returns
    -------
    Explorable
    """
    slider = linear_slider("last", "x₁ + 2x₂ ≤ …", 100, 180, start=140, steps=9)
    runs = with_one_layout({last: recorded_run(four_inequalities(last)) for last in slider.values})
    planes = {last: feasible_plane(run.problem) for last, run in runs.items()}
    return Explorable(
        title="A tie in the ratio test: three lines through one vertex",
        controls=(slider, step_scrubber("step", "step", longest(runs.values()))),
        **_drawn(runs, planes, "last"),
    )


_FOUR_ENDS = {
    "two rows with ≥": ([1, -1], [[1, 1], [1, 2], [2, 1]], ["<=", ">=", ">="], [9, 8, 7]),
    "a row with ≥, an equation": ([3, 1], [[1, -1], [0, 1], [1, 2]], ["<=", ">=", "="], [3, 1, 9]),
    "infeasible": ([1, 0], [[1, 1], [1, 0], [0, 1]], ["<=", ">=", ">="], [10, 5, 6]),
    "unbounded": ([1, 1], [[1, -1], [1, 2], [2, 1]], ["<=", ">=", ">="], [4, 6, 6]),
}


def phase_one(problems=None):
    """Return the two phases on problems whose origin is not feasible (ES A.3, Fig. 79).

    Parameters
    ----------
    problems : dict of str to mlcore.optimize.LinearProgram, optional
        In two variables, by name, at least two; examples of the four ways to go on from phase 1 if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A problem that cannot be drawn in the plane, or none that takes a pivot.
    """
    if problems is None:
        problems = {name: LinearProgram.from_rows(*rows, maximize=True) for name, rows in _FOUR_ENDS.items()}
    runs = {name: recorded_run(problem) for name, problem in problems.items()}
    planes = {name: feasible_plane(problem) for name, problem in problems.items()}
    return Explorable(
        title="Phase 1 looks for a vertex, phase 2 for the best one",
        controls=(choice("name", "problem", list(problems)), step_scrubber("step", "step", longest(runs.values()))),
        **_drawn(runs, planes, "name"),
    )


def _drawn(runs, planes, control):
    """Return what an explorable of a plane and a tableau needs besides title and controls."""
    first, *others = planes.values()
    plane = first if all(other is first for other in others) else None
    layouts = [run.layout for run in runs.values()]
    same_table = all(layout == layouts[0] for layout in layouts)
    return dict(
        frame=partial(_frame, runs=runs, planes=planes, plane=plane, layouts=layouts[:1] if same_table else layouts),
        draw=partial(_draw, runs=runs, planes=planes, control=control, plane=plane, header=not same_table),
        describe=partial(_describe, runs=runs, control=control),
        size=(8.6, 3.7),
        panels=2,
    )


def _frame(figure, runs, planes, plane, layouts):
    axes, table = panel_axes(figure)
    points = [[step.vertex for step in run.result.steps] for run in runs.values()]
    (left, right), (low, high) = plane_limits(planes.values(), points)
    similar = 1 / 3 < (right - left) / (high - low) < 3
    axes.set(xlim=(left, right), ylim=(low, high), xlabel="x₁", ylabel="x₂", aspect="equal" if similar else "auto")
    if plane is not None:
        draw_region(axes, plane)
        draw_constraints(axes, plane)
    tableau_axes(table, layouts)
    legend_below(figure.subfigs[0], "path", "next move", "what stops it", ("active constraint", "tight"), columns=4)
    legend_below(figure.subfigs[1], ("entering", "entering column"), ("leaving", "leaving row"), "pivot")


def _draw(figure, step, *, runs, planes, control, plane, header, **choices):
    axes, table = figure.axes
    run, own_plane = runs[choices[control]], planes[choices[control]]
    index = run.index(step)
    if plane is None:
        draw_region(axes, own_plane)
        draw_constraints(axes, own_plane)
    ray = run.result.certificate.ray if run.result.status is Status.UNBOUNDED else None
    draw_step(axes, own_plane, run.problem, run.result.steps, index, ray)
    draw_tableau(table, run.layout, run.result.steps[index], header=header)


def _describe(step, *, runs, control, **choices):
    run = runs[choices[control]]
    return describe_step(run, run.index(step))
