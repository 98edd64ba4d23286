"""Pictures of chapter 6: the simplex method on polytopes in space, and the slack of an inequality as a third axis."""

from functools import partial

import numpy as np

from mlcore.datasets import klee_minty
from mlcore.explore import Explorable, choice, linear_slider, step_scrubber, toggle
from mlcore.optimize import LinearProgram
from mlcore.pictures.drawing.polytope import View, draw_axes, draw_polytope, draw_walk, polytope, space_axes
from mlcore.pictures.drawing.readout import minus
from mlcore.pictures.drawing.visual_language import legend_below
from mlcore.pictures.simplex._simplex_run import RULES, describe_step, longest, runs_by_rule
from mlcore.pictures.simplex._simplex_tableau import draw_tableau, tableau_axes

__all__ = ["four_planes", "klee_minty_cube", "polytope_and_tableau"]

_CUBE_VIEW = View(35.0)
_UNIT = np.array([1.0, 100.0, 10_000.0])  # largest values of the variables of the cube


def four_planes():
    """Return a linear program in three variables on which the three rules go three different ways."""
    return LinearProgram([7, 3, 6], [[0, 1, 2], [1, 0, 0], [0, 1, 0], [2, 0, 1]], [12, 3, 5, 7], maximize=True)


def polytope_and_tableau(problem=None):
    """Return the simplex method on a polytope in space beside its tableau; the view can be turned (ES Fig. 74, 79).

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram, optional
        Three variables that are at least 0, inequalities with a bounded region; an example if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A region that cannot be drawn as a solid, or a problem that takes no pivot.
    """
    problem = four_planes() if problem is None else problem
    solid, runs = polytope(problem), runs_by_rule(problem)
    steps = longest(runs.values())
    turns = 120 // (len(RULES) * steps)
    if turns < 2:
        raise ValueError(f"problem: expected at most 19 pivots, to be shown step by step, got {steps - 1}")
    page_every = 3 if turns >= 7 else 6 if turns >= 4 else 9
    return Explorable(
        title="Along the edges of a polytope",
        controls=(
            choice("rule", "rule", RULES),
            step_scrubber("step", "step", steps),
            linear_slider(
                "azimuth", "turn the view", -40, 140, start=20, steps=19, page_every=page_every, text=_degrees
            ),
        ),
        frame=partial(_space_frame, solid=solid, layout=runs["dantzig"].layout),
        draw=partial(_draw_space, solid=solid, runs=runs),
        describe=partial(_describe_space, runs=runs),
        size=(8.6, 3.9),
        panels=2,
    )


def _degrees(value):
    return minus(f"{value:g}°")


def _space_frame(figure, solid, layout):
    scene, table = (panel.subplots() for panel in figure.subfigs)
    space_axes(scene, solid)
    tableau_axes(table, [layout])
    legend_below(figure.subfigs[0], "path", "next move", ("leaving", "facet that stops it"))
    legend_below(figure.subfigs[1], ("entering", "entering column"), ("leaving", "leaving row"), "pivot")


def _draw_space(figure, rule, step, azimuth, solid, runs):
    scene, table = figure.axes
    run = runs[rule]
    index = run.index(step)
    draw_axes(scene, solid, View(azimuth))
    _draw_step(scene, solid, View(azimuth), run.result.steps, index)
    draw_tableau(table, run.layout, run.result.steps[index])


def _draw_step(scene, solid, view, steps, index):
    draw_polytope(scene, solid, view, marked=steps[index].leaving)
    upcoming = steps[index + 1].vertex if index + 1 < len(steps) else None
    draw_walk(scene, solid, view, [step.vertex for step in steps[: index + 1]], upcoming)


def _describe_space(rule, step, azimuth, runs):
    return describe_step(runs[rule], runs[rule].index(step))


def klee_minty_cube():
    """Return the cube on which Dantzig's rule visits every vertex, in its own units and in fair ones.

    Returns
    -------
    Explorable
    """
    problem = klee_minty(3)
    runs = {False: runs_by_rule(problem), True: runs_by_rule(_in_units(problem, _UNIT))}
    return Explorable(
        title="The cube of Klee and Minty: eight vertices, and a rule that visits them all",
        controls=(
            choice("rule", "rule", RULES),
            toggle("fair", "measure each xⱼ by its largest value"),
            step_scrubber("step", "step", longest(runs[False].values())),
        ),
        frame=partial(_cube_frame, solid=polytope(problem, _UNIT), layouts=[runs[f]["dantzig"].layout for f in runs]),
        draw=partial(_draw_cube, solid=polytope(problem, _UNIT), runs=runs),
        describe=partial(_describe_cube, runs=runs),
        size=(8.6, 3.7),
        panels=2,
    )


def _in_units(problem, unit):
    """Return the same problem with its variables and rows divided by `unit`."""
    return LinearProgram(problem.c * unit, problem.A_ub * unit / unit[:, None], problem.b_ub / unit, maximize=True)


def _cube_frame(figure, solid, layouts):
    scene, table = (panel.subplots() for panel in figure.subfigs)
    space_axes(scene, solid)
    draw_axes(scene, solid, _CUBE_VIEW)
    tableau_axes(table, layouts)
    legend_below(figure.subfigs[0], "path", "next move", ("leaving", "facet that stops it"))
    legend_below(figure.subfigs[1], ("entering", "entering column"), ("leaving", "leaving row"), "pivot")


def _draw_cube(figure, rule, fair, step, solid, runs):
    scene, table = figure.axes
    run = runs[fair][rule]
    index = run.index(step)
    unit = solid.unit / (_UNIT if fair else 1.0)
    _draw_step(scene, solid._replace(unit=unit), _CUBE_VIEW, run.result.steps, index)
    draw_tableau(table, run.layout, run.result.steps[index], header=True)


def _describe_cube(rule, fair, step, runs):
    run = runs[fair][rule]
    index = run.index(step)
    return describe_step(run, index) + f"\nVertices visited: {index + 1} of 8."
