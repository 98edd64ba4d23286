"""Picture of chapter 5: a point in the convex hull of a cloud, with its weights, or a line that keeps it out."""

from functools import lru_cache, partial

import numpy as np

from mlcore.explore import FOREGROUND, Explorable, position
from mlcore.optimize import extreme_points, in_convex_hull
from mlcore.pictures.drawing.readout import number
from mlcore.pictures.drawing.sample_data import points
from mlcore.pictures.drawing.visual_language import ACCENT, POSITIVE, draw_street, legend_below, plane_axes, star_point

__all__ = ["draw_hull", "hull_corners", "hull_membership", "mixture"]


_CLOUD = [
    [-2, -1], [-1.5, 1], [-0.5, 2], [1, 1.5], [2, 0], [1.5, -1.5], [0, -2],
    [-0.5, 0.5], [0.5, -0.5], [1, 0.5], [-1, -0.5], [0, 1],
]  # fmt: skip


def hull_membership(X=None):
    """Return a cloud with its convex hull and a point to be moved in and out (ES p. 24).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        The cloud; twelve points of ours if left out. The columns of a DataFrame name the axes.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Not two columns, no points, or values that are not finite.
    """
    cloud, names = points(_CLOUD if X is None else X)
    spans = np.ptp(cloud, axis=0)
    room = np.maximum(0.25 * spans, 0.1 * spans.max() or 1.0)
    ranges = np.column_stack([cloud.min(axis=0) - room, cloud.max(axis=0) + room])
    key = tuple(map(tuple, cloud.tolist()))
    return Explorable(
        title="Is the point a mixture of the others?",
        controls=(position("point", "point", *ranges, start=ranges.mean(axis=1), steps=(25, 17), page_every=2),),
        frame=partial(_frame, cloud=cloud, names=names, ranges=ranges),
        draw=partial(_draw, key=key, corners=hull_corners(cloud)),
        describe=partial(_describe, key=key),
        size=(4.6, 4.9),
    )


def hull_corners(X):
    """Return the corners of the convex hull of `X` (n × 2), in order around it."""
    corners = X[extreme_points(X)]
    middle = corners.mean(axis=0)
    return corners[np.argsort(np.arctan2(*(corners - middle).T[::-1]))]


def draw_hull(axes, corners, colour):
    """Draw a convex hull, lightly filled, from its corners in order; it may be a segment or a point."""
    axes.fill(*corners.T, facecolor=colour, alpha=0.13, linewidth=0, zorder=1)
    axes.plot(*np.vstack([corners, corners[:1]]).T, color=colour, linewidth=1.4, zorder=1.5)


def mixture(weights, X):
    """Write a weighted mean with the points that take part in it.

    Examples
    --------
    >>> mixture(np.array([0.25, 0, 0.75]), np.array([[1, 2], [0, 0], [3, 0.5]]))
    '0.25 × (1, 2) + 0.75 × (3, 0.5)'
    """
    used = np.flatnonzero(weights > 1e-9)
    return " + ".join(f"{number(weights[i])} × ({number(X[i][0])}, {number(X[i][1])})" for i in used)


@lru_cache(maxsize=512)
def _solve(point, cloud):
    try:
        return in_convex_hull(point, cloud)
    except ArithmeticError:  # too close to the border to tell
        return None


def _frame(figure, cloud, names, ranges):
    axes = figure.subplots()
    plane_axes(axes, ranges.T, names, margin=0.06)
    axes.scatter(*cloud.T, s=38, color=POSITIVE, edgecolor="white", linewidth=0.7, zorder=FOREGROUND)
    legend_below(figure, ("class +", "cloud"), ("unknown", "the point"), ("objective", "weight"), "boundary", columns=2)


def _draw(figure, point_x, point_y, key, corners):
    axes, cloud = figure.axes[0], np.array(key)
    draw_hull(axes, corners, POSITIVE)
    answer = _solve((point_x, point_y), key)
    star_point(axes, (point_x, point_y))
    if answer is None:
        return
    if answer.inside:
        for corner, weight in zip(cloud, answer.weights):
            if weight > 1e-9:
                axes.plot(*np.array([(point_x, point_y), corner]).T, color=ACCENT, linewidth=1 + 7 * weight, zorder=2)
                axes.scatter(*corner, s=150, facecolor="none", edgecolor=ACCENT, linewidth=2, zorder=4)
    else:
        draw_street(axes, answer.w, answer.b, margins=False)


def _describe(point_x, point_y, key):
    answer = _solve((point_x, point_y), key)
    place = f"({number(point_x)}, {number(point_y)})"
    if answer is None:
        return f"{place} is so near to the border that floating-point numbers cannot tell on which side."
    if answer.inside:
        return f"Inside: {place} = {mixture(answer.weights, key)}. The weights are not negative and sum to 1."
    values = np.array(key) @ answer.w + answer.b
    w1, w2 = answer.w
    return (
        f"Outside, and the line w·x + b = 0 with w = ({number(w1)}, {number(w2)}), b = {number(answer.b)} proves it: "
        f"w·x + b is {number(answer.w @ (point_x, point_y) + answer.b)} at the point and at most "
        f"{number(values.max())} in the cloud."
    )
