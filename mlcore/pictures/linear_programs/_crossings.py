"""Picture of chapter 5: every crossing of two constraints, and the few that are vertices."""

from functools import lru_cache, partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.optimize import LinearProgram, enumerate_vertices
from mlcore.pictures.drawing.half_planes import as_program, cut, draw_half_plane, half_planes
from mlcore.pictures.drawing.readout import count, number
from mlcore.pictures.drawing.visual_language import ACCENT, FEASIBLE, QUIET, legend_below

__all__ = ["all_crossings", "twelve_half_planes"]


def twelve_half_planes():
    """Return a linear program in two variables with twelve rows, the first three of which leave a triangle.

    Returns
    -------
    mlcore.optimize.LinearProgram
    """
    angles = np.deg2rad([80, 205, 325, 20, 143, 265, 110, 235, 350, 50, 175, 295])
    limits = [2.4, 2.2, 2.4, 2.8, 2.6, 2.5, 3.4, 2.6, 3.3, 3.0, 2.5, 3.2]
    rows = np.column_stack([np.cos(angles), np.sin(angles)]).round(2)
    return LinearProgram([1, 1], rows, limits, bounds=(None, None), maximize=True)


def all_crossings(problem=None):
    """Return all crossings of two constraints, with a slider for the number of constraints (ES Fig. 10).

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram, optional
        In two variables, without equations: its rows and then its bounds are taken in one by one. Twelve rows
        of ours if left out.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A problem that cannot be drawn in the plane, or one with fewer than three constraints.
    """
    rows, bounds = half_planes(twelve_half_planes() if problem is None else problem)
    planes = (*rows, *bounds)
    if len(planes) < 3:
        raise ValueError(f"problem: expected at least three constraints, got {len(planes)}")
    window = _window(planes)
    return Explorable(
        title="How many crossings would the naive method try?",
        controls=(
            linear_slider(
                "m", "constraints", 2, len(planes), start=min(6, len(planes)), steps=len(planes) - 1, text=number
            ),
        ),
        frame=partial(_frame, window=window),
        draw=partial(_draw, planes=planes),
        describe=partial(_describe, planes=planes, window=window),
        size=(4.6, 4.9),
    )


@lru_cache(maxsize=64)
def _enumerate(planes):
    return enumerate_vertices(as_program(planes, (0, 0)))


def _window(planes):
    """Return the limits of a square around the vertices and the nearer part of the other crossings."""
    found = _enumerate(planes)
    crossings = found.crossings if len(found.crossings) else np.zeros((1, 2))
    middle = (found.vertices if len(found.vertices) else crossings).mean(axis=0)
    far = np.abs(crossings - middle).max(axis=1)
    reach = 1.2 * max(np.quantile(far, 0.63), *far[found.feasible], 1e-3 * np.abs(middle).max(), 1e-9)
    return tuple((float(centre - reach), float(centre + reach)) for centre in middle)


def _frame(figure, window):
    axes = figure.subplots()
    axes.set(xlim=window[0], ylim=window[1], xlabel="x₁", ylabel="x₂", aspect="equal")
    legend_below(
        figure,
        "feasible region",
        "constraint",
        ("optimum", "vertex"),
        ("no vertex", "crossing, not feasible"),
        columns=2,
    )


def _draw(figure, m, planes):
    axes, planes = figure.axes[0], planes[: int(m)]
    result = _enumerate(planes)
    region = (
        100
        * np.abs([axes.get_xlim(), axes.get_ylim()]).max()
        * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    )
    for plane in planes:
        region = cut(region, plane)
        draw_half_plane(axes, plane, fringe=False)
    axes.fill(*region.T, color=FEASIBLE, linewidth=0, zorder=0.3)
    axes.scatter(*result.crossings[~result.feasible].T, marker="x", s=34, color=QUIET, linewidth=1.3, zorder=3)
    axes.scatter(*result.vertices.T, s=70, color=ACCENT, edgecolor="white", linewidth=0.9, zorder=FOREGROUND)


def _describe(m, planes, window):
    planes = planes[: int(m)]
    result = _enumerate(planes)
    parallel = result.systems - len(result.crossings)
    unseen = len(result.crossings) - int(_inside(result.crossings, window).sum())
    notes = [f"{parallel} parallel"] * (parallel > 0) + [f"{unseen} cross outside the picture"] * (unseen > 0)
    joined = ", ".join(notes)
    return (
        f"m = {len(planes)} constraints in n = 2 variables: C({len(planes)}, 2) = {count(result.systems, 'pair')} "
        f"to try{f' ({joined})' if notes else ''}. "
        f"All constraints hold at {int(result.feasible.sum())} of the crossings: {_vertices(len(result.vertices))}."
    )


def _vertices(number):
    return "1 vertex" if number == 1 else f"{number} vertices"


def _inside(points, window):
    low, high = np.transpose(window)
    return ((points >= low) & (points <= high)).all(axis=1)
