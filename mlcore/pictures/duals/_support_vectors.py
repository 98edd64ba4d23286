"""Pictures of chapter 8: which points hold the street, tested by leaving one out."""

from dataclasses import replace
from functools import partial

import numpy as np

from mlcore.datasets import two_clouds
from mlcore.explore import Explorable, Picture, linear_slider
from mlcore.pictures.drawing.readout import count, minus
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.street import separating_street, street
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    draw_points,
    draw_street,
    legend_below,
    plane_axes,
    ring_points,
)

__all__ = ["leave_one_out", "marked_support_vectors"]


def leave_one_out(X=None, y=None):
    """Return the widest street with one point left out, the points in the order of their distance from it.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        At most 119 points; two clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name, which a line separates, with at least two points each.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        A class with a single point.
    mlcore.errors.InfeasibleProblem
        When no line separates the classes.
    """
    data = _separable_clouds() if X is None else labelled_data(X, y)
    if min(np.sum(data.y > 0), np.sum(data.y < 0)) < 2:
        raise ValueError("y: expected at least two points of each class, so that one can be left out")
    full = separating_street(data)
    # Points on the edge tie, up to rounding; the larger multiplier comes first.
    order = tuple(np.lexsort((-full.alpha.round(6), full.margins.round(6))).tolist())
    n = len(order)
    return Explorable(
        title="Leave one point out: who holds the street?",
        controls=(
            linear_slider("left_out", "leave out", 0, n, start=0, steps=n + 1, text=partial(_which, n=n)),
        ),
        frame=partial(_frame, data=data, compares=True),
        draw=partial(_draw, data=data, order=order),
        describe=partial(_describe, data=data, order=order),
        size=(4.6, 4.9),
    )  # fmt: skip


def marked_support_vectors(X=None, y=None, title="The points with α > 0, ringed"):
    """Return the widest hard street with the points of positive multiplier ringed and numbered (ES Fig. 19, 20).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; two clouds if left out.
    y : array_like of shape (n,), optional
        Two classes of any name, which a line separates.
    title : str

    Returns
    -------
    Explorable

    Raises
    ------
    mlcore.errors.InfeasibleProblem
        When no line separates the classes.
    """
    data = _separable_clouds() if X is None else labelled_data(X, y)
    return Picture(
        title=title,
        frame=partial(_frame, data=data),
        draw=partial(_draw_marked, data=data, solution=separating_street(data)),
        describe=partial(_describe_marked, solution=separating_street(data)),
        size=(4.6, 4.9),
    )


def _separable_clouds():
    return labelled_data(*two_clouds(n=20, distance=5.0, seed=24))


def _which(position, n):
    position = round(position)
    return "none" if position == 0 else f"point {position} of {n}"


def _frame(figure, data, compares=False):
    axes = figure.subplots()
    plane_axes(axes, data.X, data.names)
    signs = ["support vector", "boundary", "margin"]
    if compares:
        signs += ["left out", ("training", "street of all points")]
    legend_below(figure, *data.signs, *signs, columns=3)


def _without(left_out, data, order):
    """Return which points stay, and their widest street."""
    keep = np.ones(len(data.y), dtype=bool)
    if left_out:
        keep[order[round(left_out) - 1]] = False
    return keep, street(replace(data, X=data.X[keep], y=data.y[keep]), np.inf)


def _draw(figure, left_out, data, order):
    axes = figure.axes[0]
    keep, solution = _without(left_out, data, order)
    if left_out:
        _, full = _without(0, data, order)
        draw_street(axes, full.w, full.b, sides=False, color="#9a9a9a")
    draw_street(axes, solution.w, solution.b)
    draw_points(axes, data.X[keep], data.y[keep], zorder=6)
    if left_out:
        draw_points(axes, data.X[~keep], data.y[~keep], zorder=6, face="white", edge=ACCENT, width=2.4, size=60)
    ring_points(axes, data.X[keep][solution.support])


def _describe(left_out, data, order):
    keep, solution = _without(left_out, data, order)
    _, full = _without(0, data, order)
    if keep.all():
        return minus(
            f"All {len(data.y)} points: street {2 / full.norm:.4f} wide, {count(len(full.support), 'support vector')} "
            f"(ringed).\nCertificate: {full.certificate}."
        )
    alpha = full.alpha[~keep][0]
    moved = max(np.abs(solution.w - full.w).max(), abs(solution.b - full.b)) > 1e-6
    change = f"widens it from {2 / full.norm:.4f} to {2 / solution.norm:.4f}" if moved else "moves nothing"
    holds = f"had α = {alpha:.4f}" if alpha > 0 else "had α = 0"
    return minus(
        f"The point left out {holds}: leaving it out {change}. "
        f"{count(len(solution.support), 'support vector')} (ringed).\nCertificate: {solution.certificate}."
    )


def _draw_marked(figure, data, solution):
    axes = figure.axes[0]
    draw_street(axes, solution.w, solution.b)
    draw_points(axes, data.X, data.y, zorder=6)
    ring_points(axes, data.X[solution.support])


def _describe_marked(solution):
    touching = int(np.sum(np.abs(solution.margins - 1) < 1e-6))
    return minus(
        f"Street {2 / solution.norm:.4f} wide, {count(touching, 'point')} on its edge, of which "
        f"{len(solution.support)} with α > 0 (ringed); Σα = {solution.alpha.sum():.4f} = ‖w‖².\n"
        f"Certificate: {solution.certificate}."
    )
