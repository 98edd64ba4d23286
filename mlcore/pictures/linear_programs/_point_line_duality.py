"""Picture of chapter 5: points that become lines and lines that become points."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from mlcore.datasets import six_points
from mlcore.explore import FOREGROUND, Explorable, position
from mlcore.optimize import feasible_point
from mlcore.pictures.drawing.half_planes import HalfPlane, as_program, cut, row_sum
from mlcore.pictures.drawing.readout import number
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.visual_language import (
    BOUNDARY,
    FEASIBLE,
    NEGATIVE,
    POSITIVE,
    cross_points,
    draw_points,
    legend_below,
    panel_axes,
    plane_axes,
)

__all__ = ["points_and_lines"]

_COLOUR = {1: POSITIVE, -1: NEGATIVE}
_FAR = 1e3


def points_and_lines(X=None, y=None):
    """Return the primal plane beside the dual plane, with a point of the dual plane to be moved (ES Fig. 7).

    The point (a, b) is drawn as the line n = a·m − b, and the line y = m·x − n as the point (m, n).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; six of ours if left out.
    y : array_like of shape (n,), optional
        Two classes of any name. The one on top is the one whose points a line can have above it; where no
        line separates, it is the positive class.

    Returns
    -------
    Explorable
    """
    planes = _planes(labelled_data(*(six_points() if X is None else (X, y))))
    (low_m, high_m), (low_n, high_n) = planes.window
    return Explorable(
        title="A point here is a line there: move the point of the dual plane",
        controls=(
            position(
                "point", "dual point", (low_m, high_m), (low_n, high_n),
                start=planes.window.mean(axis=1), steps=17, page_every=2,
            ),
        ),
        frame=partial(_frame, planes=planes),
        draw=partial(_draw, planes=planes),
        describe=partial(_describe, planes=planes),
        size=(8.6, 4.3),
        panels=2,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Planes:
    """Points, which class is to lie above the line, the feasible cell of the dual plane, and what to show of it."""

    data: LabelledData
    top: int
    separable: bool
    cell: np.ndarray
    window: np.ndarray

    def clearance(self, m, n):
        """Return how far every point is on its side of the line, measured upwards.

        It is the same number in both planes: b − (a·m − n) = n − (a·m − b).
        """
        a, b = self.data.X.T
        return self.top * self.data.y * (n - (a * m - b))


def _planes(data):
    wide, high = np.ptp(data.X, axis=0)
    if not (wide and high):
        raise ValueError("X: expected points that differ in both coordinates")
    scale = np.array([high / wide, high])
    programs = {side: as_program(_dual_half_planes(data, side), (0, 0)) for side in (1, -1)}
    possible = [side for side in programs if feasible_point(programs[side]).x is not None]
    top = possible[0] if possible else 1
    reach = _FAR * scale
    cell = reach * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for plane in _dual_half_planes(data, top):
        cell = cut(cell, plane)
    corners = cell[(np.abs(cell) < 0.99 * reach).all(axis=1)]  # without those of the square that was cut
    if len(corners):
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        half = np.maximum(np.ptp(corners, axis=0), scale / 2)
    else:
        middle, half = np.array([0.0, -data.X[:, 1].mean()]), scale
    return _Planes(data, top, bool(possible), cell, np.column_stack([middle - half, middle + half]))


def _dual_half_planes(data, top):
    """Return, for every point, the dual points whose lines leave it on its side: n ≥ a·m − b for the top class."""
    return [HalfPlane(a, -1.0, b) if label == top else HalfPlane(-a, 1.0, -b) for (a, b), label in zip(data.X, data.y)]


def _frame(figure, planes):
    primal, dual = panel_axes(figure)
    plane_axes(primal, planes.data.X, planes.data.names, margin=0.25, title="Primal plane: points and a line")
    draw_points(primal, planes.data.X, planes.data.y)
    for name, point in zip(_names(planes), planes.data.X):
        primal.annotate(name, point, (7, 6), textcoords="offset points", fontsize=9, zorder=FOREGROUND + 2)
    seen = planes.window + 0.05 * np.ptp(planes.window, axis=1)[:, None] * [-1, 1]  # the ends of the sliders, too
    dual.set(
        xlim=seen[0], ylim=seen[1], xlabel="slope m", ylabel="n, minus the intercept",
        title="Dual plane: lines and a point",
    )  # fmt: skip
    dual.fill(*planes.cell.T, color=FEASIBLE, linewidth=0, zorder=0.3)
    look = dict(fontsize=9, ha="center", va="center", bbox=dict(facecolor="white", edgecolor="none", pad=0.6))
    for name, place in _label_places(planes).items():
        dual.text(*place, name, zorder=FOREGROUND, **look)
    classes = (("class +", planes.data.classes[0]), ("class −", planes.data.classes[1]))
    legend_below(figure.subfigs[0], *classes, "wrong side", "boundary", columns=2)
    legend_below(figure.subfigs[1], ("feasible region", "separating lines"), "line of +", "line of −", columns=2)


def _names(planes):
    return [f"P{number + 1}" for number in range(len(planes.data.y))]


def _label_places(planes):
    """Return, by name, a place on every dual line that is seen, as far right as leaves the labels apart."""
    low, high = planes.window.T
    margin, places = 0.06 * (high - low), {}
    for name, (a, b) in zip(_names(planes), planes.data.X):
        m = np.linspace(high[0] - margin[0], low[0] + margin[0], 45)
        seen = [place for place in zip(m, a * m - b) if low[1] + margin[1] < place[1] < high[1] - margin[1]]
        free = [
            place
            for place in seen
            if all((np.abs(np.subtract(place, taken)) > 1.5 * margin).any() for taken in places.values())
        ]
        if seen:
            places[name] = (free or seen)[0]
    return places


def _draw(figure, point_x, point_y, planes):
    primal, dual = figure.axes
    wrong = planes.clearance(point_x, point_y) < -1e-9
    across, slopes = np.array(primal.get_xlim()), np.array(dual.get_xlim())
    primal.plot(across, point_x * across - point_y, color=BOUNDARY, linewidth=2, zorder=2)
    cross_points(primal, planes.data.X[wrong])
    for (a, b), label, is_wrong in zip(planes.data.X, planes.data.y, wrong):
        style = dict(linestyle=(0, (4, 2)), linewidth=2.6) if is_wrong else dict(linewidth=1.4)
        dual.plot(slopes, a * slopes - b, color=_COLOUR[int(label)], zorder=2, **style)
    dual.plot(point_x, point_y, "o", color=BOUNDARY, markersize=10, markeredgecolor="white", zorder=FOREGROUND + 1)


def _describe(point_x, point_y, planes):
    clearance = planes.clearance(point_x, point_y)
    names = np.array(_names(planes))
    line = f"The dual point ({number(point_x)}, {number(point_y)}) is the line y = {_line(point_x, -point_y)}. "
    if (clearance < -1e-9).any():
        wrong = names[clearance < -1e-9]
        verb, their = ("is", "its line") if len(wrong) == 1 else ("are", "their lines")
        line += (
            f"{', '.join(wrong)} {verb} on its wrong side, and the dual point is on the wrong side of {their} (dashed)."
        )
        return line if planes.separable else f"{line} There is no cell: no line has one class above and one below."
    top, bottom = planes.data.classes[:: planes.top]
    line += f"It lies in the cell, and the line separates: {top} above, {bottom} below. "
    if clearance.min() > 1e-9:
        nearest = int(clearance.argmin())
        return (
            f"{line}Measured upwards, {names[nearest]} is nearest, in both planes: {number(clearance[nearest])} away."
        )
    touched = names[clearance <= 1e-9]
    return f"{line}It lies on the line of {' and of '.join(touched)}: the line goes through {' and '.join(touched)}."


def _line(slope, intercept):
    """Return ``m·x + c`` as it is written by hand."""
    if not round(slope, 3):
        return number(intercept)
    sign = {1.0: " + ", -1.0: " − ", 0.0: ""}[float(np.sign(round(intercept, 3)))]
    return row_sum((slope, 0), ("x", "")) + (sign + number(abs(intercept)) if sign else "")
