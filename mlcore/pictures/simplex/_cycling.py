"""Picture of chapter 6: bases as stations, a rule that goes round in a ring for ever, and the rule that leaves it."""

from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.patches import FancyBboxPatch

from mlcore.datasets import beale
from mlcore.explore import FOREGROUND, Explorable, choice, step_scrubber
from mlcore.pictures.drawing.readout import subscript
from mlcore.pictures.drawing.visual_language import ACCENT, ENTERING, QUIET, legend_below, panel_axes
from mlcore.pictures.simplex._simplex_run import RULES, describe_step, longest, runs_by_rule
from mlcore.pictures.simplex._simplex_tableau import draw_tableau, entry, tableau_axes

__all__ = ["cycling"]


def cycling(problem=None):
    """Return the bases that the simplex method passes through where Dantzig's rule cycles.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram, optional
        One that makes Dantzig's rule cycle, without phase 1; the rounder one of Beale's kind if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        When no basis comes back, or when the problem needs phase 1.
    """
    runs = runs_by_rule(beale(rounder=True) if problem is None else problem)
    del runs["largest_increase"]
    result = runs["dantzig"].result
    if not result.cycled:
        raise ValueError("problem: expected one on which Dantzig's rule cycles, got one where no basis comes back")
    if result.steps[0].phase == 1:
        raise ValueError("problem: expected one whose start x = 0 is feasible, got one that needs phase 1")
    places = _places(runs)
    return Explorable(
        title="Round and round without moving: a cycle, and the way out",
        controls=(
            choice("rule", "rule", {text: rule for text, rule in RULES.items() if rule in runs}),
            step_scrubber("step", "step", longest(runs.values())),
        ),
        frame=partial(_frame, runs=runs, places=places),
        draw=partial(_draw, runs=runs, places=places),
        describe=partial(_describe, runs=runs),
        size=(8.6, 3.9),
        panels=2,
    )


class _Place(NamedTuple):
    """Where a basis stands, and the value of the objective there."""

    x: float
    y: float
    text: str
    value: float


def _places(runs):
    """Return a place for every basis: those of the ring in a circle, the others in a column beside it."""
    steps = runs["dantzig"].result.steps
    bases = [frozenset(step.basis) for step in steps]
    end = runs["dantzig"].result.bland_from
    ring = bases[bases.index(bases[end]) : end]
    others = {}
    for run in runs.values():
        for step in run.result.steps:
            if frozenset(step.basis) not in ring:
                others.setdefault(frozenset(step.basis), len(others))
    # The station where the ring is left looks towards the column.
    leave = max((ring.index(a) for a, b in zip(bases, bases[1:]) if a in ring and b in others), default=0)
    angles = [-2 * np.pi * (place - leave) / len(ring) for place in range(len(ring))]
    spots = {basis: (np.cos(angle), np.sin(angle)) for basis, angle in zip(ring, angles)}
    for basis, place in others.items():
        spots[basis] = (2.35, -0.95 * place)
    named = {frozenset(step.basis): step for run in runs.values() for step in run.result.steps}
    return {
        basis: _Place(x, y, " ".join(subscript(name) for name in sorted(basis, key=_order)), named[basis].objective)
        for basis, (x, y) in spots.items()
    }


def _order(name):
    return "xsz".index(name[0]), name


def _frame(figure, runs, places):
    wheel, table = panel_axes(figure)
    spots = np.array([place[:2] for place in places.values()])
    low, high = spots.min(axis=0), spots.max(axis=0)
    wheel.set(xlim=(low[0] - 0.55, high[0] + 0.55), ylim=(low[1] - 0.35, high[1] + 0.35), aspect="equal")
    wheel.axis("off")
    for place in places.values():
        wheel.text(place.x, place.y, place.text, ha="center", va="center", fontsize=9, zorder=FOREGROUND)
        if place.x > 1.5:
            wheel.text(place.x, place.y + 0.2, f"value {entry(place.value)}", ha="center", fontsize=9, color="#444444")
    ring = next(iter(places.values()))  # along a cycle the value cannot change
    wheel.text(0, 0, f"value {entry(ring.value)}", ha="center", va="center", color="#444444")
    tableau_axes(table, [runs["dantzig"].layout])
    legend_below(figure.subfigs[0], ("path", "pivots made"), ("next move", "next pivot"))
    legend_below(figure.subfigs[1], ("entering", "entering column"), ("leaving", "leaving row"), "pivot")


def _draw(figure, rule, step, runs, places):
    wheel, table = figure.axes
    run = runs[rule]
    index = run.index(step)
    way = [places[frozenset(visited.basis)] for visited in run.result.steps]
    for here, there in zip(way[:index], way[1:]):
        _arrow(wheel, here, there, linewidth=3.0)
    if index + 1 < len(way):
        _arrow(wheel, way[index], way[index + 1], linewidth=2.0, linestyle=(0, (1.5, 1.5)))
    width = 0.205 * len(run.result.basis)
    for place in places.values():
        current = place is way[index]
        wheel.add_patch(
            FancyBboxPatch(
                (place.x - width / 2, place.y - 0.12),
                width,
                0.24,
                boxstyle="round,pad=0,rounding_size=0.06",
                facecolor=ENTERING if current else "white",
                edgecolor=ACCENT if current else QUIET,
                linewidth=2.5 if current else 1.0,
                zorder=5,
            )
        )
    draw_tableau(table, run.layout, run.result.steps[index])


def _arrow(axes, here, there, **line):
    look = dict(arrowstyle="-|>", color=ACCENT, shrinkA=16, shrinkB=20, mutation_scale=13, **line)
    axes.annotate("", there[:2], here[:2], arrowprops=look, zorder=3)


def _describe(rule, step, runs):
    run = runs[rule]
    index = run.index(step)
    text = describe_step(run, index)
    if run.result.bland_from == index:
        text += "\nThis basis was here before: a cycle, which is cut short by Bland's rule from now on."
    return text
