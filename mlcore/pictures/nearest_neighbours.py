"""Pictures of chapter 3: an unknown object asks its nearest neighbours."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import metal_and_wood
from mlcore.explore import FOREGROUND, Control, Explorable, Picture, choice, linear_slider
from mlcore.neighbors import k_nearest
from mlcore.pictures.labelled_data import LabelledData, labelled_data
from mlcore.pictures.neighbour_regions import draw_vote, vote_lead
from mlcore.pictures.visual_language import (
    ACCENT,
    BOUNDARY,
    NEGATIVE,
    POSITIVE,
    draw_points,
    legend_below,
    plane_axes,
    star_point,
)

__all__ = ["five_distances", "known_objects", "nearest_neighbours", "twelve_objects"]

RANKS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th")
_COLOUR = {1: POSITIVE, -1: NEGATIVE}
_PALE = {1: "#b9d6e8", -1: "#f4c9ae"}
_METRICS = {"Euclidean": "euclidean", "Manhattan": "manhattan", "Chebyshev": "chebyshev"}


def twelve_objects():
    """Return six objects of metal and six of wood, by size and weight, and an unknown one (after ES Fig. 1, 2).

    The book prints only the pictures. The first five objects are those of `metal_and_wood`, at the printed
    distances from the unknown one; the others are ours and farther away.

    Returns
    -------
    data : LabelledData
        Size in cm, weight in 100 g; metal is +1.
    unknown : numpy.ndarray of shape (2,)
    """
    X, y, unknown = metal_and_wood()
    metal = [[4.4, 11.0], [1.0, 6.6], [9.6, 11.6]]
    wood = [[1.4, 1.6], [5.0, 1.0], [9.6, 2.2], [11.2, 5.2]]
    X = np.vstack([X, metal, wood])
    y = np.concatenate([y, np.ones(len(metal)), -np.ones(len(wood))])
    return LabelledData(X, y, ("size (cm)", "weight (100 g)"), ("metal", "wood")), unknown


def known_objects():
    """Return the twelve objects by size and weight, without the unknown one (ES Fig. 1)."""
    data, _ = twelve_objects()
    return Picture(
        title="Twelve objects of known material",
        frame=partial(_objects_frame, data=data),
        draw=_draw_nothing,
        describe=partial(_describe_objects, data),
        size=(4.6, 4.7),
    )


def _objects_frame(figure, data):
    axes = figure.subplots()
    plane_axes(axes, data.X, data.names)
    draw_points(axes, data.X, data.y)
    legend_below(figure, *_class_signs(data))


def _class_signs(data):
    return ("class +", data.classes[0]), ("class −", data.classes[1])


def _draw_nothing(figure):
    """Leave the frame as it is."""


def _describe_objects(data):
    counts = [f"{int((data.y == side).sum())} of {name}" for side, name in zip((1, -1), data.classes)]
    means = [data.X[data.y == side].mean(axis=0) for side in (1, -1)]
    return (
        f"{', '.join(counts)}. Mean size and weight: {data.classes[0]} {means[0][0]:.1f} cm and "
        f"{100 * means[0][1]:.0f} g, {data.classes[1]} {means[1][0]:.1f} cm and {100 * means[1][1]:.0f} g."
    )


def five_distances():
    """Return the unknown object and its five neighbours, with the distances that ES prints (ES Fig. 3)."""
    X, y, unknown = metal_and_wood()
    distances = np.linalg.norm(X - unknown, axis=1)
    return Picture(
        title="Five distances, and the shortest decides",
        frame=partial(_five_frame, X=X, y=y, unknown=unknown, distances=distances),
        draw=_draw_nothing,
        describe=partial(_describe_five, y, distances),
        size=(4.6, 4.7),
    )


def _five_frame(figure, X, y, unknown, distances):
    axes = figure.subplots()
    plane_axes(axes, np.vstack([X, unknown]), ("size (cm)", "weight (100 g)"))
    nearest = int(distances.argmin())
    for i, (point, distance) in enumerate(zip(X, distances)):
        colour, width = (ACCENT, 3.0) if i == nearest else ("#9a9a9a", 1.3)
        axes.plot(*np.array([unknown, point]).T, color=colour, linewidth=width, zorder=FOREGROUND)
        _label(axes, unknown + 0.58 * (point - unknown), f"$d_{i + 1}$ = {distance:.2f}")
    draw_points(axes, X, y, s=60)
    star_point(axes, unknown)
    legend_below(figure, ("class +", "metal, +"), ("class −", "wood, −"), "unknown")


def _label(axes, place, text):
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}
    axes.text(*place, text, ha="center", va="center", fontsize=9.5, bbox=box, zorder=FOREGROUND + 2)


def _describe_five(y, distances):
    nearest = int(distances.argmin())
    listed = ", ".join(f"d{i + 1} = {d:.2f} ({'+' if side > 0 else '−'})" for i, (d, side) in enumerate(zip(distances, y)))
    return f"{listed}.\nThe smallest is d{nearest + 1}: the unknown object gets the class {'+' if y[nearest] > 0 else '−'}."


def nearest_neighbours(X=None, y=None, unknown=None, names=None):
    """Return an unknown object that can be moved, its k nearest neighbours, and their votes (ES Fig. 2, 3).

    In a kernel the sliders are finer, k goes up to 7 and Chebyshev's distance joins the metrics.

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; the objects of metal and wood if left out.
    y : array_like of shape (n,), optional
        Two classes of any name.
    unknown : array_like of shape (2,), optional
        Where the unknown object starts, to the nearest position of the sliders; by default the middle.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        Fewer than two points, or what `labelled_data` refuses.
    """
    if X is None:
        data, unknown = twelve_objects()
        low, high = np.array([2.0, 3.0]), np.array([10.0, 9.0])
    else:
        data = labelled_data(X, y, names)
        low, high = data.X.min(axis=0), data.X.max(axis=0)
        low, high = low - 1e-9 * (low == high), high + 1e-9 * (low == high)
        unknown = (low + high) / 2 if unknown is None else np.clip(np.asarray(unknown, dtype=float), low, high)
    largest_k = min(7, len(data.y))
    across, up = (
        linear_slider(name, f"unknown: {data.names[j]}", low[j], high[j], start=unknown[j], steps=steps, page_every=every)
        for j, (name, steps, every) in enumerate([("x1", 17, 4), ("x2", 13, 6)])
    )
    picture = partial(_vote_at, tuple(map(tuple, data.X)), tuple(data.y), largest_k)
    return Explorable(
        title="Ask the k nearest: which class does the unknown object get?",
        controls=(_k_slider(largest_k), _metric_choice(), across, up),
        frame=partial(_neighbours_frame, data=data, reach=_longest(picture, across.values, up.values)),
        draw=partial(_draw_neighbours, data=data, vote_at=picture),
        describe=partial(_describe_neighbours, data=data, vote_at=picture),
        size=(8.6, 4.5),
        panels=2,
    )
