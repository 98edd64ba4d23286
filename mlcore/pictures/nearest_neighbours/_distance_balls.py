"""Picture of chapter 3: what "near" means under different distances, as balls around the unknown object."""

from functools import partial

import numpy as np

from mlcore.explore import Control, Explorable
from mlcore.neighbors import KNeighborsClassifier
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.visual_language import ACCENT, legend_below, star_point
from mlcore.pictures.nearest_neighbours._nearest_neighbours import (
    class_name,
    neighbour_axes,
    objects_of_metal_and_wood,
)
from mlcore.validation import as_array

__all__ = ["distance_balls"]

_ORDERS = (1.0, 1.5, 2.0, 3.0, 6.0, np.inf)
_NAMES = {1.0: "1 (Manhattan)", 2.0: "2 (Euclidean)", np.inf: "∞ (Chebyshev)"}
_DEGREES = 181


def distance_balls(X=None, y=None, unknown=None, names=None):
    """Return the ball that just holds the k nearest points, for Minkowski distances of different order p (MW p. 21).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; the objects of metal and wood if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    unknown : array_like of shape (2,), optional
        Centre of the balls; by default the mean of the points.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    Explorable
    """
    if X is None:
        data, unknown = objects_of_metal_and_wood()[0], np.array([7.5, 5.8])
    else:
        data = labelled_data(X, y, names)
        unknown = data.X.mean(axis=0) if unknown is None else as_array("unknown", unknown, (2,))
    whole = tuple(range(1, min(5, len(data.y)) + 1))
    return Explorable(
        title="What is near? The ball that just holds the k nearest",
        controls=(
            Control("p", "order p of the distance", "slider", _ORDERS, _ORDERS, 2.0, _order_text),
            Control("k", "neighbours k", "slider", whole, whole, 1, str),
        ),
        frame=partial(_balls_frame, data=data, unknown=unknown),
        draw=partial(_draw_ball, data=data, unknown=unknown),
        describe=partial(_describe_ball, data=data, unknown=unknown),
        size=(4.6, 5.0),
    )


def _order_text(p):
    return _NAMES.get(p, f"{p:g}")


def _ask(p, k, data, unknown):
    """Return distances and rows of the k nearest, and the class that wins."""
    model = KNeighborsClassifier(k=k, metric="minkowski", p=p).fit(data.X, data.y)
    distances, rows = model.kneighbors(unknown[None])
    return distances[0], rows[0], int(model.predict(unknown[None])[0])


def ball(p, radius):
    """Return points on the edge of the Minkowski ball of order `p` around 0: Σ abs(xⱼ)ᵖ = radiusᵖ.

    Examples
    --------
    >>> bool(np.isclose(np.abs(ball(1.0, 3.0)).sum(axis=1), 3).all())
    True
    """
    angles = np.deg2rad(np.linspace(0, 360, 2 * _DEGREES - 1))
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    return radius * directions / np.linalg.norm(directions, ord=p, axis=1, keepdims=True)


def _balls_frame(figure, data, unknown):
    axes = figure.subplots()
    neighbour_axes(axes, data)
    legend_below(figure, *data.signs, "unknown", "neighbour")


def _draw_ball(figure, p, k, data, unknown):
    axes = figure.axes[0]
    distances, rows, _ = _ask(p, k, data, unknown)
    edge = unknown + ball(p, distances[-1])
    axes.fill(*edge.T, facecolor="#e3f3ed", edgecolor=ACCENT, linewidth=1.6, zorder=1)
    for row in rows:
        axes.plot(*np.array([unknown, data.X[row]]).T, color=ACCENT, linewidth=1.6, zorder=4)
    star_point(axes, unknown)


def _describe_ball(p, k, data, unknown):
    distances, rows, winner = _ask(p, k, data, unknown)
    asked = ", ".join(f"{d:.2f} ({class_name(data, data.y[row])})" for d, row in zip(distances, rows))
    return (
        f"p = {_order_text(p)}, k = {k}. Distances of those asked: {asked}. The ball of radius "
        f"{distances[-1]:.2f} just holds them. The unknown object gets the class {class_name(data, winner)}."
    )
