"""Polytopes in space, seen from a direction that can be turned: corners, facets, edges, and which of them are hidden.

The drawing is an orthographic projection into plain axes: two dot products a point. Parallel edges stay parallel.
"""

from typing import NamedTuple

import numpy as np

from mlcore.optimize import LinearProgram, Status, enumerate_vertices, simplex
from mlcore.pictures.drawing.readout import subscript
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, FEASIBLE, LEAVING, QUIET

__all__ = ["Polytope", "View", "draw_axes", "draw_polytope", "draw_walk", "polytope", "space_axes"]

_ELEVATION = 22.0  # degrees above the plane of x1 and x2
_TOLERANCE = 1e-9
_FAINT = "#8fcfb8"


class Polytope(NamedTuple):
    """A bounded solid, measured in units that make it about as long as wide.

    Attributes
    ----------
    corners : numpy.ndarray of shape (v, 3)
    normals : dict of str to numpy.ndarray of shape (3,)
        Outward normal of every facet, by the name of the variable that is 0 there.
    facets : dict of str to tuple of int
        Its corners in order.
    unit : numpy.ndarray of shape (3,)
        What is drawn is a point divided by this.
    """

    corners: np.ndarray
    normals: dict
    facets: dict
    unit: np.ndarray

    @property
    def centre(self):
        """Middle of the box around the solid, shape (3,)."""
        return (self.corners.min(axis=0) + self.corners.max(axis=0)) / 2

    @property
    def radius(self):
        """Largest distance of a corner, and of the end of an axis, from the centre."""
        ends = np.vstack([self.corners, np.diag(self.axis_ends)])
        return float(np.linalg.norm(ends - self.centre, axis=1).max())

    @property
    def axis_ends(self):
        """How far the axes are drawn, shape (3,)."""
        longest = self.corners.max(axis=0)
        return longest + 0.2 * longest.max()

    def hides(self, point, view):
        """Say whether a point of the surface lies on the side away from the viewer."""
        sides = [
            name
            for name, normal in self.normals.items()
            if normal @ point >= (self.corners @ normal).max() - 1e-7 * np.linalg.norm(normal) * self.radius
        ]
        return bool(sides) and not any(view.sees(self.normals[name]) for name in sides)

    def edges(self):
        """Return the edges as a dict from a pair of corners to the facets on both sides."""
        found = {}
        for name, loop in self.facets.items():
            for start, end in zip(loop, loop[1:] + loop[:1]):
                found.setdefault((min(start, end), max(start, end)), []).append(name)
        return found


class View(NamedTuple):
    """An orthographic view from a direction, in degrees around x3 and above the plane of x1 and x2."""

    azimuth: float
    elevation: float = _ELEVATION

    def _directions(self):
        a, e = np.deg2rad([self.azimuth, self.elevation])
        right = [-np.sin(a), np.cos(a), 0.0]
        up = [-np.cos(a) * np.sin(e), -np.sin(a) * np.sin(e), np.cos(e)]
        return np.array([right, up]), np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])

    def project(self, points):
        """Return where points of shape (..., 3) appear, shape (..., 2)."""
        return np.asarray(points) @ self._directions()[0].T

    def sees(self, normal):
        """Say whether a facet with this outward normal faces the viewer."""
        return bool(np.asarray(normal) @ self._directions()[1] > _TOLERANCE)


def polytope(problem, unit=(1.0, 1.0, 1.0)):
    """Return the feasible region of a linear program in three variables as a solid.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
        Three variables that are at least 0, and rows `A_ub` only.
    unit : sequence of three floats
        Unit of measure along each axis.

    Returns
    -------
    Polytope

    Raises
    ------
    ValueError
        Another number of variables, equations, other bounds, or a region that is flat, empty or unbounded.

    Examples
    --------
    >>> cube = polytope(LinearProgram([1, 1, 1], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 1, 1]))
    >>> len(cube.corners), len(cube.edges()), list(cube.facets)
    (8, 12, ['s1', 's2', 's3', 'x1', 'x2', 'x3'])
    """
    if problem.c.size != 3:
        raise ValueError(f"problem: expected three variables, to be drawn in space, got {problem.c.size}")
    if len(problem.b_eq) or (problem.lower != 0).any() or np.isfinite(problem.upper).any():
        raise ValueError("problem: expected inequalities and x >= 0 only, got equations or other bounds")
    sides = LinearProgram(np.ones(3), problem.A_ub, problem.b_ub, maximize=True)
    if simplex(sides).status is not Status.OPTIMAL:
        raise ValueError("problem: expected a bounded feasible region with points in it, to be drawn as a solid")
    corners = enumerate_vertices(sides).vertices
    if np.linalg.matrix_rank(corners - corners[0], tol=_TOLERANCE * np.abs(corners).max(initial=1.0)) < 3:
        raise ValueError("problem: expected a feasible region with a volume, got a flat one")
    unit = np.asarray(unit, dtype=float)
    rows, limits = np.vstack([problem.A_ub, -np.eye(3)]), np.append(problem.b_ub, np.zeros(3))
    names = [f"s{i + 1}" for i in range(len(problem.b_ub))] + ["x1", "x2", "x3"]
    facets, normals = {}, {}
    for name, row, limit in zip(names, rows, limits):
        if not row.any():
            continue
        excess = np.abs(corners @ row - limit)
        on = np.flatnonzero(excess <= _TOLERANCE * (np.abs(corners) @ np.abs(row) + abs(limit) + 1e-300))
        if len(on) > 2 and not any(set(on) == set(facet) for facet in facets.values()):
            facets[name] = tuple(on[_in_order(corners[on] / unit, row * unit)].tolist())
            normals[name] = row * unit
    return Polytope(corners / unit, normals, facets, unit)


def _in_order(points, normal):
    """Return the order of the corners of a facet around its middle."""
    arms = points - points.mean(axis=0)
    first = arms[0] / np.linalg.norm(arms[0])
    second = np.cross(normal / np.linalg.norm(normal), first)
    return np.argsort(np.arctan2(arms @ second, arms @ first))


def space_axes(axes, solid):
    """Give `axes` limits in which `solid` fits from every side."""
    reach = 1.12 * solid.radius
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.axis("off")


def draw_axes(axes, solid, view, names=("x1", "x2", "x3")):
    """Draw the three axes from the origin, with their names at the ends."""
    for name, end in zip(names, np.diag(solid.axis_ends)):
        path = view.project(np.array([np.zeros(3), end]) - solid.centre)
        axes.annotate(
            "", path[1], path[0],
            arrowprops=dict(arrowstyle="-|>", color=QUIET, linewidth=1.0, shrinkA=0, shrinkB=0, mutation_scale=9),
            zorder=1,
        )  # fmt: skip
        tip = path[1] + 0.06 * solid.radius * (path[1] - path[0]) / max(np.linalg.norm(path[1] - path[0]), 1e-9)
        axes.text(*tip, subscript(name), ha="center", va="center", fontsize=9.5, color="#444444", zorder=7)


def draw_polytope(axes, solid, view, marked=None):
    """Draw a solid: facets towards the viewer tinted, hidden edges light and dashed.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        From `space_axes`.
    solid : Polytope
    view : View
    marked : str, optional
        The facet that stops the next move, painted orange.
    """
    corners = view.project(solid.corners - solid.centre)
    for name, loop in solid.facets.items():
        front = view.sees(solid.normals[name])
        if front:
            axes.fill(*corners[list(loop)].T, color=FEASIBLE, alpha=0.75, linewidth=0, zorder=1.5)
        if name == marked:
            axes.fill(*corners[list(loop)].T, color=LEAVING, alpha=0.45 if front else 0.25, linewidth=0, zorder=1.7)
    for (start, end), sides in solid.edges().items():
        front = any(view.sees(solid.normals[name]) for name in sides)
        look = dict(color=BOUNDARY, linewidth=1.3) if front else dict(color="#9a9a9a", linewidth=0.9, linestyle="--")
        axes.plot(*corners[[start, end]].T, zorder=2.2 if front else 1.6, **look)


def draw_walk(axes, solid, view, points, upcoming=None):
    """Draw a way along the edges, what it has reached, and the next move.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    solid : Polytope
    view : View
    points : array_like of shape (k, 3)
        Vertices visited so far, in the units of the problem.
    upcoming : array_like of shape (3,), optional
        Where the next move would end.
    """
    stations = np.asarray(points) / solid.unit
    walked = view.project(stations - solid.centre)
    for start, end, here, there in zip(stations, stations[1:], walked, walked[1:]):
        hidden = solid.hides((start + end) / 2, view)
        axes.plot(
            *np.array([here, there]).T, color=_FAINT if hidden else ACCENT, linewidth=4, zorder=2 if hidden else 4
        )
    if upcoming is not None:
        end = view.project(np.asarray(upcoming) / solid.unit - solid.centre)
        axes.plot(*np.array([walked[-1], end]).T, color=ACCENT, linewidth=2.5, linestyle=(0, (1.5, 1.5)), zorder=4,
                  dash_capstyle="butt")  # fmt: skip
    axes.plot(*walked[:-1].T, "o", color=ACCENT, markersize=5, markeredgecolor="white", zorder=5)
    axes.plot(*walked[-1:].T, "o", color=ACCENT, markersize=11, markeredgecolor="white", zorder=6)
