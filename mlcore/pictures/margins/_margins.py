"""Pictures of chapter 7: streets between two classes, and what the penalty C does to them."""

from functools import partial

import numpy as np

from mlcore.datasets import four_points, overlapping_clouds, two_points
from mlcore.explore import FOREGROUND, Explorable, Picture, choice, linear_slider, log_slider, position
from mlcore.optimize import Status
from mlcore.pictures.drawing.readout import count, decimals, digits, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.street import separating_street, street, street_width, violations
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    NEGATIVE,
    POSITIVE,
    circle_points,
    cross_points,
    draw_points,
    draw_street,
    legend_below,
    panel_axes,
    plane_axes,
    ring_points,
)

__all__ = ["fifth_point", "hard_margin", "rotating_line", "soft_margin"]

_ALL_SIGNS = ("support vector", "inside the street", "wrong side", "boundary", "margin")


def soft_margin(X=None, y=None, low=0.01, high=1000.0, start=1.0):
    """Return the widest soft street between two classes, with a slider for the penalty C (ES Fig. 16–18).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two overlapping clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    low, high, start : float
        Ends of the slider and its first value.

    Returns
    -------
    Explorable
    """
    data = labelled_data(*(overlapping_clouds() if X is None else (X, y)))
    return Explorable(
        title="The widest street, at a price of C for every unit of slack",
        controls=(log_slider("C", "penalty C", low, high, start=start, steps=31),),
        frame=partial(_plane_frame, data=data),
        draw=partial(_draw_soft_margin, data=data),
        describe=partial(_describe_soft_margin, data=data),
        size=(4.6, 4.7),
    )


def hard_margin(X=None, y=None, title="The widest street, with every point outside"):
    """Return the widest hard street between two separable classes (ES Fig. 12, 16).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; the four of ES p. 31 if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    title : str

    Returns
    -------
    Explorable

    Raises
    ------
    mlcore.errors.InfeasibleProblem
        When no line separates the classes.
    """
    data = labelled_data(*(four_points() if X is None else (X, y)))
    solution = separating_street(data)
    return Picture(
        title=title,
        frame=partial(_plane_frame, data=data, signs=("support vector", "boundary", "margin")),
        draw=partial(_draw_hard_margin, data=data, solution=solution),
        describe=partial(_describe_street, solution),
        size=(4.6, 4.6),
    )


def _draw_hard_margin(figure, data, solution):
    draw_street(figure.axes[0], solution.w, solution.b)
    ring_points(figure.axes[0], data.X[solution.support])


def _describe_street(solution):
    (w1, w2), b = solution.w, solution.b
    return minus(
        f"w = ({digits(w1)}, {digits(w2)}), b = {digits(b)}, street {2 / solution.norm:.3f} wide, "
        f"{count(len(solution.support), 'support vector')}.\nCertificate: {solution.certificate}."
    )


def _plane_frame(figure, data, signs=_ALL_SIGNS):
    axes = figure.subplots()
    plane_axes(axes, data.X, data.names)
    draw_points(axes, data.X, data.y)
    legend_below(figure, *data.signs, *signs)


def _draw_soft_margin(figure, C, data):
    axes, solution = figure.axes[0], street(data, C)
    draw_street(axes, solution.w, solution.b)
    inside, wrong = violations(solution)
    ring_points(axes, data.X[solution.support])
    circle_points(axes, data.X[inside])
    cross_points(axes, data.X[wrong])


def _describe_soft_margin(C, data):
    solution = street(data, C)
    inside, wrong = (int(mask.sum()) for mask in violations(solution))
    return minus(
        f"C = {C:g}: the street is {street_width(solution, data.spread)}. {count(inside, 'point')} inside it on the "
        f"right side (circled), {count(wrong, 'point')} on the wrong side of the boundary (crossed); the slacks add up "
        f"to {decimals(solution.slack.sum(), 2)}. {count(len(solution.support), 'support vector')} (ringed).\n"
        f"Certificate: {solution.certificate}."
    )


# Rotating the line between two points


def rotating_line():
    """Return a line between the two points of ES p. 27–30 that can be turned and shifted (ES Fig. 13–15).

    Returns
    -------
    Explorable
    """
    X, y = two_points()
    return Explorable(
        title="Turn the line: the street is widest when the line stands across the connection",
        controls=(
            linear_slider("angle", "angle of w", 0, 90, start=90, steps=19, text=lambda v: f"{v:g}°"),
            linear_slider("shift", "shift towards p", -0.6, 0.6, start=0, steps=5, text=lambda v: minus(f"{v:g}")),
        ),
        frame=partial(_rotating_frame, X=X, y=y),
        draw=partial(_draw_rotating, X=X),
        describe=partial(_describe_rotating, X=X),
        size=(8.6, 4.1),
        panels=2,
    )


def _rotating_frame(figure, X, y):
    plane, curve = panel_axes(figure)
    plane_axes(plane, np.array([[-0.9, -0.9], [2.9, 2.9]]), margin=0, title="Two points and a line")
    draw_points(plane, X, y)
    for name, point in zip("pq", X):
        plane.annotate(name, point, (9, -3), textcoords="offset points", style="italic", zorder=FOREGROUND + 2)
    curve.set(
        xlim=(-3, 93), ylim=(0, 1.6), xlabel="angle of w in degrees", ylabel="distance to the nearer point",
        title="How far the nearer point is",
    )  # fmt: skip
    curve.set_xticks([0, 15, 30, 45, 60, 75, 90])
    legend_below(figure.subfigs[0], ("class +", "p, class +"), ("class −", "q, class −"), "boundary", "margin")


def _line(angle, shift, X):
    """Return unit normal and offset of the line that meets the connection `shift` beyond its middle."""
    normal = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    along = (X[0] - X[1]) / np.linalg.norm(X[0] - X[1])
    return normal, -float(normal @ (X.mean(axis=0) + shift * along))


def _distances(angle, shift, X):
    normal, offset = _line(angle, shift, X)
    return np.abs(X @ normal + offset)


def _draw_rotating(figure, angle, shift, X):
    plane, curve = figure.axes
    normal, offset = _line(angle, shift, X)
    nearer = _distances(angle, shift, X).min()
    draw_street(plane, normal / nearer, offset / nearer)
    for point in X:
        foot = point - (point @ normal + offset) * normal
        plane.plot(*np.array([point, foot]).T, color=ACCENT, linewidth=2, zorder=3)
    angles = np.linspace(0, 90, 181)
    curve.plot(angles, [_distances(a, shift, X).min() for a in angles], color=ACCENT)
    curve.plot([angle], [nearer], "o", color=ACCENT, markersize=9, markeredgecolor="white")


def _describe_rotating(angle, shift, X):
    normal, offset = _line(angle, shift, X)
    to_p, to_q = _distances(angle, shift, X)
    if abs(to_p - to_q) > 1e-9:
        return minus(
            f"Distances: p {to_p:.3f}, q {to_q:.3f}. They differ, so no scaling of w and b gives +1 at p and −1 at q: "
            "this line has no canonical form, and shifting it back would widen the street."
        )
    w, b = normal / to_p + 0.0, offset / to_p
    norm = 1 / to_p
    widest = " No angle does better." if np.isclose(angle, 45) else ""
    return minus(
        f"Both distances are {to_p:.3f}. Canonical form: w = ({digits(w[0])}, {digits(w[1])}), b = {digits(b)}, "
        f"‖w‖ = {norm:.5f}, street {2 / norm:.3f} wide.{widest}"
    )


# The fifth point, and the proof that no line separates


def fifth_point():
    """Return the four points of ES p. 31 with a fifth to be placed, and the hard street or why there is none.

    Returns
    -------
    Explorable
    """
    X, y = four_points()
    return Explorable(
        title="A fifth point: move it until no line is left",
        controls=(
            choice("label", "its class", {"+": 1, "−": -1}),
            position("fifth", "fifth point", (-1, 2.5), (-0.5, 2.5), start=(-1, 1.5), steps=(8, 7)),
        ),
        frame=partial(_fifth_frame, X=X, y=y),
        draw=partial(_draw_fifth, X=X, y=y),
        describe=partial(_describe_fifth, X=X, y=y),
        size=(4.6, 4.8),
    )


def _fifth_frame(figure, X, y):
    axes = figure.subplots()
    plane_axes(axes, np.array([[-1.5, -1.0], [3.0, 3.0]]), margin=0)
    draw_points(axes, X, y)
    legend_below(figure, "class +", "class −", "support vector", "boundary", "margin")


def _with_fifth(X, y, label, x1, x2):
    X, y = np.vstack([X, [x1, x2]]), np.append(y, float(label))
    return X, y, street(labelled_data(X, y), np.inf)


def _common_point(X, y, weights):
    """Return the point that both convex hulls share, by the weights of the positive points."""
    positive = y > 0
    return weights[positive] @ X[positive] / weights[positive].sum()


def _draw_fifth(figure, label, fifth_x, fifth_y, X, y):
    axes = figure.axes[0]
    X, y, solution = _with_fifth(X, y, label, fifth_x, fifth_y)
    draw_points(axes, X[4:], y[4:], zorder=8, size=75, edge="black")
    if solution.status is Status.OPTIMAL:
        draw_street(axes, solution.w, solution.b)
        ring_points(axes, X[solution.support])
        return
    # Two or three points are the corners of their own convex hull.
    for side, colour in ((1, POSITIVE), (-1, NEGATIVE)):
        axes.fill(*X[y == side].T, facecolor=colour, edgecolor=colour, alpha=0.25, linewidth=2, zorder=2)
    common = _common_point(X, y, solution.certificate.ray)
    axes.scatter(*common, marker="*", s=230, color="black", edgecolor="white", zorder=9)


def _describe_fifth(label, fifth_x, fifth_y, X, y):
    X, y, solution = _with_fifth(X, y, label, fifth_x, fifth_y)
    if solution.status is Status.OPTIMAL:
        return "Separable: " + _describe_street(solution)
    common = _common_point(X, y, solution.certificate.ray)
    return minus(
        f"No line separates these points. Proof: the point ({common[0]:.3f}, {common[1]:.3f}), drawn as a star, is a "
        "mixture of positive points and also a mixture of negative ones, and a line cannot have it on both sides.\n"
        f"Certificate: {solution.certificate}."
    )
