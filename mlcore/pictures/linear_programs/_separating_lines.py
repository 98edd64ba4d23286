"""Pictures of chapter 5: lines between two classes, and the proof where there is none."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import two_clouds, two_columns
from mlcore.explore import FOREGROUND, Explorable, linear_slider
from mlcore.optimize import LinearProgram, separating_plane, simplex
from mlcore.pictures.drawing.readout import minus, number
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    NEGATIVE,
    POSITIVE,
    draw_points,
    draw_street,
    legend_below,
    plane_axes,
    star_point,
)
from mlcore.pictures.linear_programs._convex_hulls import draw_hull, hull_corners, mixture
from mlcore.svm import solve_primal
from mlcore.validation import as_array

__all__ = ["flattest_line", "line_or_proof"]


def flattest_line():
    """Return the two columns of ES Fig. 11 with the line of the linear program and the widest street.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="Two programs, two lines: the linear one leans on the points",
        controls=(
            linear_slider("shift", "lift right column by", -4, 4, start=0, steps=17, text=number),
            linear_slider("gap", "columns apart by", 0.5, 2, start=1, steps=4, text=number),
        ),
        frame=_flattest_frame,
        draw=_draw_flattest,
        describe=_describe_flattest,
        size=(4.6, 5.6),
    )


def _line_of_smallest_slope(X, y):
    """Solve the linear program of ES p. 23: the line y = m·x + c of smallest m, positive points on it or below it."""
    rows = -y[:, None] * np.column_stack([X[:, 0], np.ones(len(X))])
    return simplex(LinearProgram([1, 0], rows, -y * X[:, 1], bounds=(None, None)))


@lru_cache(maxsize=256)
def _columns(shift, gap):
    """Return points, labels, the linear program's answer, the widest street and the touched points."""
    X, y = two_columns()
    X[y > 0] += [gap - 1, shift]
    line = _line_of_smallest_slope(X, y)
    m, c = line.x
    touched = np.abs(m * X[:, 0] + c - X[:, 1]) < 1e-9
    return X, y, line, solve_primal(X, y, np.inf), touched


def _flattest_frame(figure):
    axes = figure.subplots()
    plane_axes(axes, np.array([[-0.5, -3.3], [9.5, 8.3]]), ("x", "y"), margin=0)
    draw_points(axes, *_left_column())
    legend_below(
        figure, "class +", "class −", ("objective", "linear program"), ("boundary", "widest street"), columns=2
    )


def _left_column():
    X, y = two_columns()
    return X[y < 0], y[y < 0]


def _draw_flattest(figure, shift, gap):
    axes = figure.axes[0]
    X, y, line, street, touched = _columns(shift, gap)
    m, c = line.x
    draw_street(axes, street.w, street.b, sides=False)
    reach = np.array([-50.0, 50.0])
    axes.plot(reach, m * reach + c, color=ACCENT, linewidth=2.4, zorder=3)
    draw_points(axes, X[y > 0], y[y > 0])
    axes.scatter(*X[touched].T, s=150, facecolor="none", edgecolor=ACCENT, linewidth=2.2, zorder=4)


def _describe_flattest(shift, gap):
    X, y, line, street, touched = _columns(shift, gap)
    m, c = line.x
    distance = np.abs(m * X[:, 0] + c - X[:, 1]).min() / np.hypot(m, 1)
    places = " and ".join(f"({number(a)}, {number(b)})" for a, b in X[touched])
    certificate = f"\nCertificate of the linear program: {line.certificate}."
    return minus(
        f"Linear program: m = {number(m)}, c = {number(c)}. Active constraints: those of {places}, which lie on the "
        f"line; distance to the nearest point {number(distance)}. Quadratic program: the nearest point is "
        f"{number(1 / street.norm)} away.{certificate}"
    )


def line_or_proof(X=None, y=None, unknown=None):
    """Return two classes that a slider moves apart: a separating line, or the proof that there is none.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two clouds of twelve if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    unknown : array_like of shape (2,), optional
        A point without a class, for the line to decide (ES Fig. 4).

    Returns
    -------
    Explorable
    """
    if X is None:
        data = labelled_data(*two_clouds(n=24, distance=0, seed=8))
        way, label, text = np.array([1, 1]) / np.sqrt(2), "distance of the clouds", number
        low, high, start = 0.0, 6.0, 2.0
    else:
        data = labelled_data(X, y)
        way = data.X[data.y > 0].mean(axis=0) - data.X[data.y < 0].mean(axis=0)
        label, text = "move apart by", _percent  # of the distance between the means
        low, high, start = -1.0, 1.0, 0.0
    unknown = None if unknown is None else as_array("unknown", unknown, (2,))
    state = partial(_apart, tuple(map(tuple, data.X)), tuple(data.y), tuple(way))
    seen = np.vstack([state(low)[0], state(high)[0], *([] if unknown is None else [unknown])])
    hulls = {side: hull_corners(data.X[data.y == side]) for side in (1, -1)}
    return Explorable(
        title="A line between two classes, or the reason why there is none",
        controls=(linear_slider("distance", label, low, high, start=start, steps=25, text=text),),
        frame=partial(_apart_frame, seen=seen, data=data, unknown=unknown),
        draw=partial(_draw_apart, state=state, hulls=hulls, way=way),
        describe=partial(_describe_apart, state=state, classes=data.classes, unknown=unknown),
        size=(4.6, 5.0),
    )


def _percent(share):
    return minus(f"{share:.0%}")


@lru_cache(maxsize=256)
def _apart(X, y, way, distance):
    """Return the points with each class moved half the way, their labels, and what separates them or does not.

    There is no answer, None, where the classes come too close to each other to tell.
    """
    X, y = np.array(X) + np.multiply.outer(np.array(y) * distance / 2, way), np.array(y)
    try:
        return X, y, separating_plane(X, y)
    except ArithmeticError:
        return X, y, None


def _apart_frame(figure, seen, data, unknown):
    axes = figure.subplots()
    plane_axes(axes, seen, data.names, margin=0.05)
    signs = [*data.signs, "boundary", "common point"]
    if unknown is not None:
        star_point(axes, unknown)
        signs.append("unknown")
    legend_below(figure, *signs)


def _draw_apart(figure, distance, state, hulls, way):
    axes = figure.axes[0]
    X, y, answer = state(distance)
    draw_points(axes, X, y)
    for side, colour in ((1, POSITIVE), (-1, NEGATIVE)):
        draw_hull(axes, hulls[side] + side * distance / 2 * way, colour)
    if answer is None:
        return
    if answer.separable:
        draw_street(axes, answer.w, answer.b, margins=False)
        return
    for corner, weight in zip(X, answer.weights):
        if weight > 1e-9:
            axes.plot(*np.array([answer.common_point, corner]).T, color="black", linewidth=1 + 4 * weight, zorder=2)
            axes.scatter(*corner, s=150, facecolor="none", edgecolor="black", linewidth=1.8, zorder=4)
    axes.scatter(*answer.common_point, marker="*", s=230, color="black", edgecolor="white", zorder=FOREGROUND + 2)


def _describe_apart(distance, state, classes, unknown):
    X, y, answer = state(distance)
    if answer is None:
        return "The convex hulls touch, or nearly so: too close to each other for floating-point numbers to tell."
    certificate = f"\nCertificate: {answer.certificate}."
    if not answer.separable:
        common = f"({number(answer.common_point[0])}, {number(answer.common_point[1])})"
        plus, rest = (mixture(answer.weights[y == side], X[y == side]) for side in (1, -1))
        return minus(
            f"No line separates. Proof: {common} is a mixture of both classes, {plus} and {rest}; no line has it on "
            f"both of its sides.{certificate}"
        )
    (w1, w2), b = answer.w, answer.b
    decided = ""
    if unknown is not None:
        score = answer.w @ unknown + b
        decided = f" At the unknown point w·x + b = {number(score)}: {classes[0 if score > 0 else 1]}."
    return minus(
        f"Separable: w = ({number(w1)}, {number(w2)}), b = {number(b)}; y(w·x + b) is at least "
        f"{number((y * (X @ answer.w + b)).min())} at every point.{decided}{certificate}"
    )
