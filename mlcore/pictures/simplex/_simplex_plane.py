"""A linear program in two variables and the way of the simplex method through it.

Every constraint is drawn with the name of the variable that is 0 on it: the slack s₃ on its row, x₁ on its bound.
So a basis can be seen: the two variables that are not in it name the two bold lines, which cross in the vertex.
"""

from typing import NamedTuple

import numpy as np

from mlcore.pictures.drawing.half_planes import HalfPlane, cut, draw_half_plane
from mlcore.pictures.drawing.readout import subscript
from mlcore.pictures.drawing.visual_language import ACCENT, FEASIBLE, LEAVING

__all__ = [
    "FeasiblePlane",
    "draw_constraints",
    "draw_region",
    "draw_step",
    "feasible_plane",
    "plane_limits",
    "tight_names",
]

_FAR = 1e4  # where an unbounded region is cut off, in distances of the constraints from the origin


class FeasiblePlane(NamedTuple):
    """What the constraints of a problem leave of the plane.

    Attributes
    ----------
    constraints : dict of str to HalfPlane
        By the variable that is 0 where the constraint is tight; an equation by its artificial variable.
    equations : frozenset of str
        Names of the equations among them.
    corners : numpy.ndarray of shape (k, 2)
        Of the feasible region, in order, cut off far away if it is unbounded.
    reach : float
        Corners further out come from the cut.
    """

    constraints: dict
    equations: frozenset
    corners: np.ndarray
    reach: float


def feasible_plane(problem):
    """Return the constraints of a problem under the names that the simplex method gives them.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
        In two variables.

    Returns
    -------
    FeasiblePlane

    Raises
    ------
    ValueError
        Not two variables, or a row of zeros.

    Examples
    --------
    >>> from mlcore.optimize import LinearProgram
    >>> plane = feasible_plane(LinearProgram([1, 1], [[1, 2]], [4]))
    >>> print(*plane.constraints, plane.corners.tolist())
    s1 x1 x2 [[0.0, 0.0], [4.0, 0.0], [0.0, 2.0]]
    """
    if problem.c.size != 2:
        raise ValueError(f"problem: expected two variables, to be drawn in a plane, got {problem.c.size}")
    if not np.vstack([problem.A_ub, problem.A_eq]).any(axis=1).all():
        raise ValueError("problem: expected a coefficient other than 0 in every row")
    units, lower, upper = np.eye(2), problem.lower, problem.upper
    boxed = [j for j in range(2) if np.isfinite([lower[j], upper[j]]).all()]
    rows = [*zip(problem.A_ub, problem.b_ub), *((units[j], upper[j]) for j in boxed)]
    constraints = {f"s{i + 1}": HalfPlane(*map(float, (*a, b))) for i, (a, b) in enumerate(rows)}
    for i, (a, b) in enumerate(zip(problem.A_eq, problem.b_eq)):
        constraints[f"z{len(rows) + i + 1}"] = HalfPlane(*map(float, (*a, b)))
    equations = frozenset(name for name in constraints if name[0] == "z")
    for j in range(2):
        if np.isfinite(lower[j]):
            name = f"x{j + 1}" if lower[j] == 0 else f"x{j + 1}'"
            constraints[name] = HalfPlane(*(0.0 - units[j]), 0.0 - float(lower[j]))
        elif np.isfinite(upper[j]):
            constraints[f"x{j + 1}'"] = HalfPlane(*map(float, units[j]), float(upper[j]))
    distances = [abs(plane.limit) / np.hypot(*plane[:2]) for plane in constraints.values()]
    reach = _FAR * max([1.0, *distances])
    corners = reach * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for name, plane in constraints.items():
        corners = cut(corners, plane)
        if name in equations:
            corners = cut(corners, HalfPlane(-plane.a1, -plane.a2, -plane.limit))
    first = np.lexsort(corners.T[::-1])[:1]
    return FeasiblePlane(constraints, equations, np.roll(corners, -first.sum(), axis=0) + 0.0, reach)


def plane_limits(planes, points, room=0.2):
    """Return limits of both axes around the corners of all `planes` and all `points` (arrays of shape (k, 2))."""
    corners = [plane.corners[(np.abs(plane.corners) < 0.99 * plane.reach).all(axis=1)] for plane in planes]
    shown = np.vstack([*corners, *points])
    low, high = shown.min(axis=0), shown.max(axis=0)
    widest = (high - low).max()
    margin = room * np.maximum(high - low, 0.3 * widest if widest > 0 else 1.0)
    return tuple(zip(low - margin, high + margin))


def tight_names(step):
    """Return the names of the constraints that a step's basis makes tight: those of its nonbasic variables.

    The row of a slack that is nonbasic counts only once its artificial variable has left the basis.

    Parameters
    ----------
    step : mlcore.optimize.SimplexStep

    Returns
    -------
    list of str
    """
    basis = set(step.basis)
    nonbasic = [name for name in step.column_names[:-1] if name not in basis]
    rows_with_slack = {name[1:] for name in step.column_names if name[0] == "s"}
    return [
        name
        for name in nonbasic
        if not (name[0] == "s" and f"z{name[1:]}" in basis) and not (name[0] == "z" and name[1:] in rows_with_slack)
    ]


def draw_constraints(axes, plane, names=None, bold=(), stopping=None, labels=True):
    """Draw constraints as half-planes: bold where they are tight, orange where one stops the next move.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    plane : FeasiblePlane
    names : sequence of str, optional
        Which constraints; all if left out. Names of no constraint, the parts of a free variable, are passed over.
    bold : collection of str
    stopping : str, optional
    labels : bool
        Whether to write the names along the lines.
    """
    others = list(plane.constraints.values())
    for name, half_plane in plane.constraints.items():
        if names is not None and name not in names:
            continue
        if name == stopping:
            _draw_line(axes, half_plane, color=LEAVING, linewidth=6.5, zorder=1.8)
        draw_half_plane(
            axes,
            half_plane,
            bold=name in bold,
            label=f"{subscript(name)} = 0" if labels else None,
            others=others,
            fringe=labels and name not in plane.equations,
        )


def draw_region(axes, plane):
    """Fill the feasible region of a `FeasiblePlane`, or draw it as a line where equations leave no more."""
    if plane.equations:
        axes.plot(*plane.corners.T, color=FEASIBLE, linewidth=12, zorder=0.4)
    elif len(plane.corners):
        axes.fill(*plane.corners.T, color=FEASIBLE, linewidth=0, zorder=0.4)


def draw_step(axes, plane, problem, steps, index, ray=None):
    """Draw the tight constraints, the way, the level of the objective and the next move at one step.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    plane : FeasiblePlane
    problem : mlcore.optimize.LinearProgram
    steps : sequence of mlcore.optimize.SimplexStep
    index : int
        The current step. Points of phase 1 that break a constraint are hollow.
    ray : numpy.ndarray of shape (2,), optional
        Direction in which the objective is unbounded, drawn at the last step.
    """
    step, tight = steps[index], tight_names(steps[index])
    if step.phase == 2:
        tight = [*tight, *plane.equations]
    draw_constraints(axes, plane, tight, tight, labels=False)
    if step.leaving is not None:
        stopping = step.leaving if step.leaving in plane.constraints else step.leaving.replace("z", "s")
        draw_constraints(axes, plane, [stopping], tight, stopping, labels=False)
    if step.phase == 2 and problem.c.any():
        _draw_level(axes, problem.c, step.vertex)
    walked = np.array([step.vertex for step in steps[: index + 1]])
    axes.plot(*walked.T, color=ACCENT, linewidth=4.5, solid_joinstyle="round", zorder=4)
    if index + 1 < len(steps):
        _dash(axes, walked[-1], steps[index + 1].vertex)
    elif ray is not None:
        _dash(axes, walked[-1], walked[-1] + _farthest(axes) * ray)
    for station, size in [*((station, 5) for station in steps[:index]), (step, 11)]:
        inside = station.phase == 2 or abs(station.tableau[-1, -1]) < 1e-9
        look = dict(color=ACCENT, markeredgecolor="white") if inside else dict(color="white", markeredgecolor=ACCENT)
        axes.plot(*station.vertex, "o", markersize=size, markeredgewidth=1.0 if inside else 2.2, zorder=6, **look)


def _dash(axes, start, end):
    if not np.allclose(start, end):
        axes.plot(
            *np.array([start, end]).T, color=ACCENT, linewidth=2.5, linestyle=(0, (1.5, 1.5)), zorder=4.5,
            dash_capstyle="butt",
        )  # fmt: skip


def _farthest(axes):
    """Return more than the distance between any two points that the axes show."""
    return 4 * np.abs([axes.get_xlim(), axes.get_ylim()]).max()


def _draw_level(axes, c, at):
    along = _farthest(axes) * np.array([-c[1], c[0]]) / np.hypot(*c)
    axes.plot(*np.array([at - along, at + along]).T, color=ACCENT, linewidth=1.2, zorder=3)


def _draw_line(axes, plane, **style):
    normal = np.array(plane[:2])
    foot = plane.limit * normal / (normal @ normal)
    along = _farthest(axes) * np.array([-normal[1], normal[0]]) / np.hypot(*normal)
    axes.plot(*np.array([foot - along, foot + along]).T, **style)
