"""Pictures of chapter 3: an unknown object asks its nearest neighbours."""

from functools import lru_cache, partial

import numpy as np

from mlcore.datasets import metal_and_wood, twelve_objects
from mlcore.explore import FOREGROUND, Control, Explorable, Picture, linear_slider
from mlcore.neighbors import KNeighborsClassifier, k_nearest
from mlcore.pictures.drawing.readout import subscript
from mlcore.pictures.drawing.sample_data import LabelledData, labelled_data
from mlcore.pictures.drawing.visual_language import (
    ACCENT,
    NEGATIVE,
    POSITIVE,
    draw_points,
    legend_below,
    plane_axes,
    star_point,
)
from mlcore.pictures.nearest_neighbours._neighbour_regions import draw_vote
from mlcore.validation import as_array

__all__ = [
    "class_name",
    "five_distances",
    "known_objects",
    "nearest_neighbours",
    "neighbour_axes",
    "objects_of_metal_and_wood",
]

RANKS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th")
_COLOUR = {1: POSITIVE, -1: NEGATIVE}
_PALE = {1: "#b9d6e8", -1: "#f4c9ae"}
_METRICS = ("euclidean", "manhattan", "chebyshev")
_K_IN_PAGE = (1, 2, 3, 5)
_STRIP = 4  # with equal scales, a picture this many times wider than high leaves no room to see anything


def objects_of_metal_and_wood():
    """Return the twelve objects, with the names of their features and classes, and the unknown one."""
    X, y, unknown = twelve_objects()
    return LabelledData(X, y, ("size (cm)", "weight (100 g)"), ("metal", "wood")), unknown


def known_objects():
    """Return the twelve objects by size and weight, without the unknown one (ES Fig. 1).

    Returns
    -------
    Explorable
    """
    data, _ = objects_of_metal_and_wood()
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
    legend_below(figure, *data.signs)


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
    """Return the unknown object and its five neighbours, with the distances that ES prints (ES Fig. 3).

    Returns
    -------
    Explorable
    """
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
        _label(axes, unknown + 0.58 * (point - unknown), f"d{subscript(str(i + 1))} = {distance:.2f}")
    draw_points(axes, X, y, size=60)
    star_point(axes, unknown)
    legend_below(figure, ("class +", "metal, +"), ("class −", "wood, −"), "unknown")


def _label(axes, place, text):
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}
    axes.text(*place, text, ha="center", va="center", fontsize=9.5, bbox=box, zorder=FOREGROUND + 2)


def _describe_five(y, distances):
    nearest = int(distances.argmin())
    listed = ", ".join(
        f"d{i + 1} = {d:.2f} ({'+' if side > 0 else '−'})" for i, (d, side) in enumerate(zip(distances, y))
    )
    winner = "+" if y[nearest] > 0 else "−"
    return f"{listed}.\nThe smallest is d{nearest + 1}: the unknown object gets the class {winner}."


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
        data, unknown = objects_of_metal_and_wood()
        low, high = np.array([2.0, 3.0]), np.array([10.0, 9.0])
    else:
        data = labelled_data(X, y, names)
        low, high = data.X.min(axis=0), data.X.max(axis=0)
        high = np.where(high > low, high, low + 1)
        unknown = (low + high) / 2 if unknown is None else np.clip(as_array("unknown", unknown, (2,)), low, high)
    across, up = (
        linear_slider(name, f"its {data.names[j]}", low[j], high[j], start=unknown[j], steps=steps, page_every=every)
        for j, (name, steps, every) in enumerate([("x1", 17, 4), ("x2", 13, 6)])
    )
    largest_k = min(len(RANKS), len(data.y))
    ranked = partial(_ranked, tuple(map(tuple, data.X)), largest_k)
    places = np.stack(np.meshgrid(across.values, up.values), axis=-1).reshape(-1, 2)
    reach = k_nearest(data.X, places, largest_k, "manhattan")[0].max()  # no other metric here gives a larger distance
    return Explorable(
        title="Ask the k nearest: which class does the unknown object get?",
        controls=(
            Control("k", "neighbours k", "slider", tuple(range(1, largest_k + 1)), _K_IN_PAGE[:largest_k], 1, str),
            Control("metric", "distance", "choice", _METRICS, _METRICS[:2], _METRICS[0], str.capitalize),
            across,
            up,
        ),
        frame=partial(_neighbours_frame, data=data, largest_k=largest_k, reach=reach),
        draw=partial(_draw_neighbours, data=data, ranked=ranked),
        describe=partial(_describe_neighbours, data=data, ranked=ranked),
        size=(8.6, 4.7),
        panels=2,
    )


@lru_cache(maxsize=1024)
def _ranked(X, m, metric, x1, x2):
    """Return distances and rows of the m points nearest to (x1, x2)."""
    distances, rows = k_nearest(np.array(X), [[x1, x2]], m, metric)
    return distances[0], rows[0]


def neighbour_axes(axes, data, title="", points=True):
    """Give `axes` the names, the range and the points of `data`, and equal scales unless units differ too much."""
    plane_axes(axes, data.X, data.names, title=title)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    spread = np.where(high > low, high - low, 1)
    if spread.max() > _STRIP * spread.min():
        (left, bottom), (right, top) = low - 0.1 * spread, high + 0.1 * spread
        axes.set(xlim=(left, right), ylim=(bottom, top), aspect="auto")
    if points:
        draw_points(axes, data.X, data.y)


def _neighbours_frame(figure, data, largest_k, reach):
    plane = figure.subfigs[0].subplots()
    neighbour_axes(plane, data)
    legend_below(figure.subfigs[0], *data.signs, "unknown", "neighbour", "boundary")
    ladder, ballot = figure.subfigs[1].subplots(2, 1, height_ratios=(largest_k + 1, 3))
    ladder.set(xlim=(0, 1.35 * reach), ylim=(largest_k + 0.6, 0.4), xlabel="distance", title="The nearest, in order")
    ladder.set_yticks(range(1, largest_k + 1), RANKS[:largest_k])
    ballot.set(xlim=(0, 1.35 * largest_k), ylim=(1.6, -0.6), xlabel="votes", title="Their votes")
    ballot.set_yticks((0, 1), data.classes)
    ballot.set_xticks(range(largest_k + 1))


def _draw_neighbours(figure, k, metric, x1, x2, data, ranked):
    plane, ladder, ballot = figure.axes
    distances, rows = ranked(metric, x1, x2)
    draw_vote(plane, data.X, data.y, k, metric)
    for row in rows[:k]:
        plane.plot(*np.array([(x1, x2), data.X[row]]).T, color=ACCENT, linewidth=1.6, zorder=4)
    star_point(plane, (x1, x2))
    for place, (distance, row) in enumerate(zip(distances, rows), start=1):
        side = data.y[row]
        colours = _COLOUR if place <= k else _PALE
        ladder.barh(place, distance, height=0.7, color=colours[side])
        if place <= k:
            _note(ladder, distance, place, f"{distance:.2f}")
    votes, winner = _votes(k, metric, x1, x2, data, rows)
    for place, side in enumerate((1, -1)):
        ballot.barh(place, votes[side], height=0.7, color=_COLOUR[side])
        text, weight = (f"{votes[side]}, wins", "bold") if side == winner else (str(votes[side]), "normal")
        _note(ballot, votes[side], place, text, weight)


def _note(axes, length, place, text, weight="normal"):
    axes.annotate(text, (length, place), (4, 0), textcoords="offset points", va="center", fontsize=9.5, weight=weight)


def class_name(data, side):
    """Return what +1 or −1 means in `data`."""
    return data.classes[0 if side > 0 else 1]


def _votes(k, metric, x1, x2, data, rows):
    """Return the number of votes of either class, and the class that wins under the tie rule."""
    model = KNeighborsClassifier(k=k, metric=metric).fit(data.X, data.y)
    voters = data.y[rows[:k]]
    return {side: int((voters == side).sum()) for side in (1, -1)}, int(model.predict([[x1, x2]])[0])


def _describe_neighbours(k, metric, x1, x2, data, ranked):
    distances, rows = ranked(metric, x1, x2)
    votes, winner = _votes(k, metric, x1, x2, data, rows)
    asked = ", ".join(f"{d:.2f} ({class_name(data, data.y[row])})" for d, row in zip(distances[:k], rows))
    ballot = ", ".join(f"{class_name(data, side)} {number}" for side, number in votes.items())
    line = f"k = {k}, {metric.capitalize()} distance. Asked: {asked}.\nVotes: {ballot}. "
    if votes[1] != votes[-1]:
        return line + f"The unknown object gets the class {class_name(data, winner)}."
    sums = {side: distances[:k][data.y[rows[:k]] == side].sum() for side in (1, -1)}
    summed = " against ".join(f"{sums[side]:.2f} ({class_name(data, side)})" for side in (1, -1))
    return line + f"A tie; the smaller sum of distances decides, {summed}: {class_name(data, winner)}."
