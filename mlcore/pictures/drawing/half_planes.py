"""Half-planes a·x ≤ limit: how they are written, what they leave of the plane, and how they are drawn."""

from typing import NamedTuple

import numpy as np

from mlcore.optimize import LinearProgram
from mlcore.pictures.drawing.readout import number
from mlcore.pictures.drawing.visual_language import BOUNDARY

__all__ = [
    "HalfPlane",
    "as_program",
    "cut",
    "draw_half_plane",
    "half_planes",
    "is_turned",
    "row",
    "row_sum",
    "written",
]

_FRINGE = "#8a8a8a"


class HalfPlane(NamedTuple):
    """The points of the plane with a1·x₁ + a2·x₂ ≤ limit."""

    a1: float
    a2: float
    limit: float


def half_planes(problem):
    """Return the rows and then the finite bounds of a linear program in two variables.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram

    Returns
    -------
    rows, bounds : tuple of HalfPlane
        Lower bounds ``-x <= -lower`` come before upper bounds ``x <= upper``.

    Raises
    ------
    ValueError
        Not a linear program, not two variables, equations, or a row of zeros.

    Examples
    --------
    >>> half_planes(LinearProgram([3, 2], [[2, 1]], [18]))[1]
    (HalfPlane(a1=-1.0, a2=0.0, limit=0.0), HalfPlane(a1=0.0, a2=-1.0, limit=0.0))
    """
    if not isinstance(problem, LinearProgram):
        raise ValueError(f"problem: expected a LinearProgram, got {problem!r}")
    if problem.c.size != 2:
        raise ValueError(f"problem: expected two variables, to be drawn in a plane, got {problem.c.size}")
    if len(problem.b_eq):
        raise ValueError("problem: expected inequalities only; write an equation as two of them")
    if not problem.A_ub.any(axis=1).all():
        raise ValueError("problem: expected a coefficient other than 0 in every row of A_ub")
    units, (lower, upper) = np.eye(2), problem.bounds.T
    below = [_plane(-units[j], -lower[j]) for j in range(2) if lower[j] > -np.inf]
    above = [_plane(units[j], upper[j]) for j in range(2) if upper[j] < np.inf]
    return tuple(map(_plane, problem.A_ub, problem.b_ub)), (*below, *above)


def _plane(a, limit):
    return HalfPlane(*(float(value) + 0.0 for value in (*a, limit)))  # -0.0 becomes 0.0


def as_program(planes, c, maximize=True):
    """Return the linear program with objective ``c @ x`` over the points that all `planes` share."""
    A, b = np.reshape([plane[:2] for plane in planes], (-1, 2)), [plane.limit for plane in planes]
    return LinearProgram(c, A, b, bounds=(None, None), maximize=maximize)


def cut(polygon, plane):
    """Return the part of a convex polygon that lies in a half-plane.

    Parameters
    ----------
    polygon : numpy.ndarray of shape (n, 2)
        Corners in order.
    plane : HalfPlane

    Returns
    -------
    numpy.ndarray of shape (k, 2)
        Its corners in order; none where nothing is left.

    Examples
    --------
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> cut(square, HalfPlane(1, 1, 0.5)).tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]
    """
    excess = polygon @ plane[:2] - plane.limit
    excess[np.abs(excess) <= 1e-9 * (np.abs(polygon) @ np.abs(plane[:2]) + abs(plane.limit))] = 0.0
    kept = []
    for here, there, e, f in zip(polygon, np.roll(polygon, -1, axis=0), excess, np.roll(excess, -1)):
        if e <= 0:
            kept.append(here)
        if e * f < 0:
            kept.append(here + e / (e - f) * (there - here))
    return np.reshape(np.array(kept, dtype=float), (-1, 2))


def row_sum(a, names):
    """Return ``a1·x₁ + a2·x₂`` as it is written by hand.

    Examples
    --------
    >>> row_sum((1, -2), ("x", "y")), row_sum((0, 3), ("bread", "cake")), row_sum((0, 0), ("x", "y"))
    ('x − 2y', '3 cake', '0')
    """
    text = ""
    for coefficient, name in zip(a, names):
        size = number(abs(coefficient))
        if size == "0":
            continue
        sign = ("−" if coefficient < 0 else "") if not text else (" − " if coefficient < 0 else " + ")
        space = " " if len(name) > 2 else ""
        text += sign + (name if size == "1" else f"{size}{space}{name}")
    return text or "0"


def row(plane, names):
    """Return a half-plane as a row with ≤, the form in which rows are added up."""
    return f"{row_sum(plane[:2], names)} ≤ {number(plane.limit)}"


def written(plane, names):
    """Return a half-plane as a reader would write it: with ≥ where that saves the minus signs.

    Examples
    --------
    >>> written(HalfPlane(-1, 0, -5), ("x", "y")), row(HalfPlane(-1, 0, -5), ("x", "y"))
    ('x ≥ 5', '−x ≤ −5')
    """
    if is_turned(plane):
        return f"{row_sum((-plane.a1, -plane.a2), names)} ≥ {number(-plane.limit)}"
    return row(plane, names)


def is_turned(plane):
    """Say whether a half-plane is written with ≥."""
    return max(plane.a1, plane.a2) <= 0


def draw_half_plane(axes, plane, bold=False, label=None, others=(), fringe=True):
    """Draw the line that ends a half-plane, with a grey fringe on the forbidden side.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Its limits are taken as given.
    plane : HalfPlane
    bold : bool
        For an active constraint.
    label : str, optional
        Written along the line, on the forbidden side.
    others : sequence of HalfPlane
        Whose lines the label keeps away from.
    fringe : bool
        Whether to mark the forbidden side.
    """
    low, span = _box(axes)
    ends = _visible(_in_box(plane, low, span))
    if ends is None:
        return
    normal = np.array(plane[:2]) * span
    outward = 0.02 * normal / np.hypot(*normal)
    if fringe:
        strip = low + span * np.vstack([ends, ends[::-1] + outward])
        axes.fill(*strip.T, color=_FRINGE, alpha=0.35, linewidth=0, zorder=1)
    axes.plot(*(low + span * ends).T, color=BOUNDARY, linewidth=3.4 if bold else 1.2, zorder=2.5 if bold else 2)
    if label is not None:
        _write_along(axes, ends, outward, label, [_in_box(other, low, span) for other in others if other != plane])


def _box(axes):
    """Return corner and size of what the axes show: drawing is planned in a box from (0, 0) to (1, 1)."""
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    return low, high - low


def _in_box(plane, low, span):
    a = np.array(plane[:2])
    return HalfPlane(*(a * span), plane.limit - a @ low)


def _visible(plane):
    """Return the two ends of the part of the line inside the box, from left to right, or None."""
    a = np.array(plane[:2])
    foot, direction = plane.limit * a / (a @ a), np.array([-a[1], a[0]]) / np.hypot(*a)
    flat = direction == 0
    if (flat & ((foot < 0) | (foot > 1))).any():
        return None
    meets = np.sort([-foot[~flat] / direction[~flat], (1 - foot[~flat]) / direction[~flat]], axis=0)
    start, stop = meets[0].max(), meets[1].min()
    if not start < stop:
        return None
    ends = foot + np.array([[start], [stop]]) * direction
    return ends[np.lexsort(ends.T[::-1])]


def _write_along(axes, ends, outward, label, others):
    """Write the label beside the line where the lines of `others` leave room, as far right as possible."""
    length, wide = np.hypot(*(ends[1] - ends[0])), np.hypot(*outward)
    along, half = (ends[1] - ends[0]) / length, 0.46 * wide * len(label)
    middles = (
        ends[0] + np.linspace(max(length - half - wide, length / 2), min(half + wide, length / 2), 20)[:, None] * along
    )
    room = np.full(len(middles), 5.0 * wide)  # more than this is not needed
    label_ends = middles[:, None] + 2 * outward + np.array([[-half], [half]]) * along
    for a1, a2, limit in others:
        sides = (label_ends @ [a1, a2] - limit) / np.hypot(a1, a2)
        crossed = sides[:, 0] * sides[:, 1] <= 0
        room = np.minimum(room, np.where(crossed, 0.0, np.abs(sides).min(axis=1)))
    above = along[0] * outward[1] > along[1] * outward[0]
    low, span = _box(axes)
    axes.text(
        *(low + span * (middles[room.argmax()] + 1.3 * outward)), label, fontsize=9, color="#444444", zorder=3,
        ha="center", va="bottom" if above else "top",
        rotation=np.degrees(np.arctan2(*(span * along)[::-1])), rotation_mode="anchor", transform_rotates_text=True,
    )  # fmt: skip
