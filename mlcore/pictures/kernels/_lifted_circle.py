"""Picture of chapter 10: points around a circle, lifted to space until a plane separates them."""

from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np

from mlcore.datasets import circle_data
from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.optimize import Status
from mlcore.pictures.drawing.polytope import View
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import (
    BOUNDARY,
    FEASIBLE,
    QUIET,
    cross_points,
    draw_points,
    draw_sides,
    legend_below,
    panel_axes,
    plane_axes,
    ring_points,
)
from mlcore.svm import MarginSolution, solve_primal

__all__ = ["lift", "lifted_circle"]

SOFT_PENALTY = 100.0  # of the plane that is shown where none separates
_GRID = 61
_NAMES = ("z₁", "z₂", "z₃")


def lifted_circle(X=None, y=None):
    """Return points of the plane on their way to F(x) = (x₁², x₂², √2 x₁x₂), seen from any side (ES Fig. 26, 27).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; a square with a circular class in it if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.

    Returns
    -------
    Explorable
    """
    data = labelled_data(*(circle_data(n=120) if X is None else (X, y)))
    solve = partial(_solve, tuple(map(tuple, data.X)), tuple(data.y))
    box = _box(data.X)
    height = linear_slider("height", "lift", 0, 1, start=1, steps=11, page_every=2)
    for value in height.values:
        solve(value)  # beforehand: what no line separates takes two programs, too long for a moving slider
    return Explorable(
        title="No line separates them in the plane; lifted to space, a plane does",
        controls=(
            height,
            linear_slider("azimuth", "view from", 0, 355, start=140, steps=72, page_every=4, text=_degrees),
        ),
        frame=partial(_frame, data=data, box=box),
        draw=partial(_draw, data=data, box=box, solve=solve),
        describe=partial(_describe, solve=solve),
        size=(8.6, 4.3),
        panels=2,
    )


def lift(X, height=1.0):
    """Return points on the straight way from (x₁, x₂, 0) to F(x) = (x₁², x₂², √2 x₁x₂).

    Parameters
    ----------
    X : array_like of shape (..., 2)
    height : float
        0 is flat, 1 is F(x).

    Returns
    -------
    numpy.ndarray of shape (..., 3)

    Examples
    --------
    >>> lift([[1, 2]], height=0.5).round(3)
    array([[1.   , 3.   , 1.414]])
    """
    x1, x2 = np.moveaxis(np.asarray(X, dtype=float), -1, 0)
    flat = np.stack([x1, x2, 0 * x1], axis=-1)
    lifted = np.stack([x1**2, x2**2, np.sqrt(2) * x1 * x2], axis=-1)
    return (1 - height) * flat + height * lifted


class _Machine(NamedTuple):
    """The widest street between the lifted points, or the best plane at a price where there is none."""

    solution: MarginSolution
    separable: bool
    w: np.ndarray
    b: float
    decides: bool  # False where every point gets the same answer

    def score(self, points):
        return points @ self.w + self.b


@lru_cache(maxsize=64)
def _solve(X, y, height):
    points, labels = lift(X, height), np.array(y)
    hard = solve_primal(points, labels, np.inf)
    separable = hard.status is Status.OPTIMAL
    solution = hard if separable else solve_primal(points, labels, SOFT_PENALTY)
    scores = points @ solution.w + solution.b
    return _Machine(solution, separable, solution.w, solution.b, scores.min() < 0 < scores.max())


class _Box(NamedTuple):
    """Where the points are, at any height: corners low and high of shape (3,)."""

    low: np.ndarray
    high: np.ndarray

    @property
    def centre(self):
        return (self.low + self.high) / 2

    def cut(self, w, b):
        """Return the corners of the polygon that the plane w·z + b = 0 cuts out, in order, shape (k, 3)."""
        corners = np.array(list(product(*zip(self.low, self.high))))
        found = []
        for i, j in zip(*np.triu_indices(8, 1)):
            start, end = corners[i], corners[j]
            if np.sum(start != end) != 1:  # not an edge
                continue
            first, second = start @ w + b, end @ w + b
            if first * second < 0:
                found.append(start + first / (first - second) * (end - start))
        if len(found) < 3:
            return np.empty((0, 3))
        arms = np.array(found) - np.mean(found, axis=0)
        across = arms[0] / np.linalg.norm(arms[0])
        along = np.cross(w / np.linalg.norm(w), across)
        return np.array(found)[np.argsort(np.arctan2(arms @ along, arms @ across))]


def _box(X):
    points = np.vstack([lift(X, 0), lift(X, 1), np.zeros((1, 3))])
    room = 0.05 * np.ptp(points, axis=0) + 1e-9
    return _Box(points.min(axis=0) - room, points.max(axis=0) + room)


def _frame(figure, data, box):
    plane, space = panel_axes(figure)
    plane_axes(plane, data.X, data.names, title="Where the points are")
    draw_points(plane, data.X, data.y, size=22)
    half, tilt = (box.high - box.low) / 2, np.deg2rad(View(0).elevation)
    wide = np.hypot(half[0], half[1])
    tall = wide * np.sin(tilt) + half[2] * np.cos(tilt)
    reach = 1.06 * max(wide, tall)
    space.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title="Where they are lifted to")
    space.axis("off")
    names = [*data.signs, "support vector", "boundary", "wrong side"]
    legend_below(figure.subfigs[0], *names)


def _draw(figure, height, azimuth, data, box, solve):
    plane, space = figure.axes
    machine, view = solve(height), View(azimuth)
    wrong = machine.solution.slack > 1
    x1, x2 = np.meshgrid(*(np.linspace(*ends, _GRID) for ends in (plane.get_xlim(), plane.get_ylim())))
    draw_sides(plane, x1, x2, machine.score(lift(np.stack([x1, x2], axis=-1), height)))
    cross_points(plane, data.X[wrong])
    _draw_space(space, lift(data.X, height), data.y, machine, box, view, wrong)
    if machine.separable:
        ring_points(plane, data.X[machine.solution.support])


def _draw_space(axes, points, y, machine, box, view, wrong):
    _draw_directions(axes, box, view)
    places = view.project(points - box.centre)
    polygon = box.cut(machine.w, machine.b) if machine.decides else np.empty((0, 3))
    behind = (machine.score(points) > 0) != view.sees(machine.w)
    if len(polygon):
        axes.fill(
            *view.project(polygon - box.centre).T,
            facecolor=FEASIBLE, edgecolor=BOUNDARY, linewidth=1.6, alpha=0.6, zorder=3,
        )  # fmt: skip
    for side, zorder in ((behind, 2), (~behind, 4)):
        draw_points(axes, places[side], y[side], zorder=zorder, size=22)
    axes.plot(*places[wrong].T, "x", color="black", markersize=7, markeredgewidth=1.2, zorder=5)
    if machine.separable:
        ring_points(axes, places[machine.solution.support])


def _draw_directions(axes, box, view):
    """Draw the three axes through the origin, with their names at the positive ends."""
    for name, direction in zip(("z₁", "z₂", "z₃"), np.eye(3)):
        start, end = view.project(np.array([direction * box.low, direction * box.high]) - box.centre)
        axes.annotate(
            "",
            end,
            start,
            arrowprops=dict(arrowstyle="-|>", color=QUIET, linewidth=1.0, shrinkA=0, shrinkB=0),
            zorder=1,
        )
        away = (end - start) / max(np.linalg.norm(end - start), 1e-9)
        axes.text(
            *(end + 0.05 * np.ptp(axes.get_ylim()) * away), name,
            ha="center", va="center", color="#444444", zorder=FOREGROUND - 1,
        )  # fmt: skip


def _describe(height, azimuth, solve):
    machine = solve(height)
    solution = machine.solution
    place = f"Lift {height:g}, seen from {azimuth:g}°: "
    if not machine.separable:
        wrong = f"{count(int((solution.slack > 1).sum()), 'point')} of {len(solution.slack)}"
        best = (
            f"The plane shown, the best at C = {SOFT_PENALTY:g}, leaves {wrong} on the wrong side (crossed)."
            if machine.decides
            else f"The best at C = {SOFT_PENALTY:g} gives every point the same answer, with {wrong} wrong (crossed)."
        )
        return minus(f"{place}no plane separates the lifted points. {best}\nCertificate: {solution.certificate}.")
    equation = " ".join(f"{'+' if value >= 0 else '−'} {abs(value):.2f} {z}" for value, z in zip(machine.w, _NAMES))
    return minus(
        f"{place}a plane separates the lifted points, {equation.removeprefix('+ ')} "
        f"{'+' if machine.b >= 0 else '−'} {abs(machine.b):.2f} = 0. The street is {2 / solution.norm:.3f} wide and "
        f"held by {count(len(solution.support), 'support vector')} (ringed).\nCertificate: {solution.certificate}."
    )


def _degrees(value):
    return f"{value:g}°"
