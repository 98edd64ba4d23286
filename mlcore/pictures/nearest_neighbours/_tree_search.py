"""Pictures of chapter 3: what a query costs, counted in distances, with a k-d tree and without."""

from functools import lru_cache, partial

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from mlcore.explore import FOREGROUND, Control, Explorable, step_scrubber
from mlcore.neighbors import build_cells, search_cells
from mlcore.pictures.drawing.readout import count
from mlcore.pictures.drawing.sample_data import points
from mlcore.pictures.drawing.visual_language import ACCENT, BOUNDARY, QUIET, plane_axes, star_point
from mlcore.pictures.nearest_neighbours._distance_balls import ball
from mlcore.validation import as_array

__all__ = ["query_cost", "tree_search"]

_COUNTS = (16, 64, 256, 1024)
_DIMENSIONS = (1, 2, 3, 4, 6, 8, 12, 16, 20)
_QUERIES = 20
_LEAF = 4
_OPENED, _CLOSED = "#bfe3d6", "#d9d9d9"


def tree_search(X=None, query=None, names=None):
    """Return the search for the nearest of many points, cell by cell, with a scrubber (ES p. 24, MW p. 22).

    Parameters
    ----------
    X : array_like or pandas.DataFrame of shape (n, 2), optional
        Points; 64 random ones if left out.
    query : array_like of shape (2,), optional
        Who asks; by default the middle of the points.
    names : (str, str), optional
        Names of the axes, if `X` has none of its own.

    Returns
    -------
    Explorable

    Raises
    ------
    ValueError
        No points, or shapes that do not fit.
    """
    if X is None:
        X, query = np.random.default_rng(3).uniform(0, 10, size=(64, 2)), np.array([7.2, 4.8])
    X, names = points(X, names)
    query = X.mean(axis=0) if query is None else as_array("query", query, (2,))
    space = build_cells(X, leaf_size=2)
    result = search_cells(X, space, query, record=True)
    return Explorable(
        title="Finding the nearest point while looking at few",
        controls=(step_scrubber("step", "cells looked at", len(result.steps) + 1),),
        frame=partial(_search_frame, X=X, query=query, space=space, names=names),
        draw=partial(_draw_search, X=X, query=query, result=result),
        describe=partial(_describe_search, X=X, result=result),
        size=(4.6, 4.9),
    )


def _search_frame(figure, X, query, space, names):
    axes = figure.subplots()
    plane_axes(axes, np.vstack([X, query]), names, margin=0.06)
    for cell in _inner_cells(space):
        low, high = _visible_corners(axes, cell)
        across = 1 - cell.axis
        ends = np.empty((2, 2))
        ends[:, cell.axis], ends[:, across] = cell.threshold, (low[across], high[across])
        axes.plot(*ends.T, color="#9a9a9a", linewidth=0.8, zorder=FOREGROUND)
    axes.scatter(*X.T, s=20, color=QUIET, zorder=FOREGROUND + 1)
    star_point(axes, query)
    handles = [
        Patch(facecolor=_OPENED, edgecolor="#999999", label="opened"),
        Patch(facecolor=_CLOSED, edgecolor="#999999", label="left closed"),
        Line2D([], [], color=ACCENT, linewidth=1.8, label="best so far"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)


def _inner_cells(cell):
    if cell.halves:
        yield cell
        for half in cell.halves:
            yield from _inner_cells(half)


def _visible_corners(axes, cell):
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    return np.maximum(cell.low, (left, bottom)), np.minimum(cell.high, (right, top))


def _draw_search(figure, step, X, query, result):
    axes = figure.axes[0]
    for i, seen in enumerate(result.steps[:step], start=1):
        low, high = _visible_corners(axes, seen.cell)
        newest = dict(edgecolor="black", linewidth=2.2, zorder=3) if i == step else dict(linewidth=0, zorder=1)
        corners = [low, (high[0], low[1]), high, (low[0], high[1])]
        axes.fill(*np.array(corners).T, facecolor=_OPENED if seen.opened else _CLOSED, **newest)
    if step == 0:
        return
    last = result.steps[step - 1]
    circle = query + ball(2.0, last.radius)
    axes.plot(*circle.T, color=ACCENT, linewidth=1.8, zorder=5)
    axes.plot(*np.array([query, X[last.indices[0]]]).T, color=ACCENT, linewidth=1.8, zorder=5)


def _describe_search(step, X, result):
    if step == 0:
        return f"{len(X)} points, cut into cells at medians. Nothing is known yet: any point may be the nearest."
    seen = result.steps[:step]
    opened = [one for one in seen if one.opened]
    last = seen[-1]
    deed = "is opened" if last.opened else "stays closed: whatever is in it is farther away than the best"
    text = (
        f"A cell with {count(len(last.cell.rows), 'point')}, {last.distance:.2f} away, {deed}. Best distance "
        f"{last.radius:.2f}. So far {sum(len(one.cell.rows) for one in opened)} of {len(X)} distances computed, "
        f"{sum(len(one.cell.rows) for one in seen if not one.opened)} points spared."
    )
    if step < len(result.steps):
        return text
    return f"{text}\nDone: the nearest point is certain after {result.n_distances} of {len(X)} distances."


def query_cost():
    """Return how many distances a query costs, by the number of points, with a slider for the dimension.

    Points and queries are drawn from a Gaussian with a fixed seed; counts do not depend on the machine.

    Returns
    -------
    Explorable
    """
    return Explorable(
        title="What one query costs: a scan of all points against a k-d tree",
        controls=(Control("d", "dimension", "slider", _DIMENSIONS, _DIMENSIONS, 2, str),),
        frame=_cost_frame,
        draw=_draw_cost,
        describe=_describe_cost,
        size=(4.6, 4.4),
    )


@lru_cache(maxsize=len(_DIMENSIONS))
def _mean_costs(d):
    """Return, for each number of points, how many distances to points and to boxes a query computes on average."""
    rng = np.random.default_rng(d)
    costs = []
    for n in _COUNTS:
        X, queries = rng.normal(size=(n, d)), rng.normal(size=(_QUERIES, d))
        space = build_cells(X, leaf_size=_LEAF)
        found = [search_cells(X, space, query) for query in queries]
        costs.append((np.mean([one.n_distances for one in found]), np.mean([one.n_boxes for one in found])))
    return tuple(zip(*costs))


def _cost_frame(figure):
    axes = figure.subplots()
    axes.set(
        xscale="log", yscale="log", xlim=(12, 1400), ylim=(3, 1400), xlabel="number of points",
        ylabel="distances computed for a query",
    )  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(_COUNTS if axis is axes.xaxis else (4, *_COUNTS))
        axis.set_major_formatter("{x:.0f}")
        axis.set_minor_locator(NullLocator())
    axes.plot(_COUNTS, _COUNTS, "--", color=QUIET, linewidth=1.6)
    handles = [
        Line2D([], [], color=QUIET, linestyle="--", linewidth=1.6, label="scan of all points"),
        Line2D([], [], color=ACCENT, marker="o", markersize=7, label="k-d tree"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2)


def _draw_cost(figure, d):
    axes, (costs, _) = figure.axes[0], _mean_costs(d)
    axes.plot(_COUNTS, costs, "o-", color=ACCENT, markersize=7, markeredgecolor="white", zorder=3)
    for n, cost in zip(_COUNTS, costs):
        axes.annotate(
            f"{cost:.0f}", (n, cost), (0, -14), textcoords="offset points", ha="center", fontsize=9.5, color=BOUNDARY
        )


def _describe_cost(d):
    costs, boxes = _mean_costs(d)
    listed = ", ".join(f"{cost:.0f} of {n}" for n, cost in zip(_COUNTS, costs))
    return (
        f"{d} {'dimension' if d == 1 else 'dimensions'}: a query in the tree computes {listed} distances on average. "
        f"The last is {100 * costs[-1] / _COUNTS[-1]:.1f} % of a scan. On the way it measures the distance to "
        f"{', '.join(f'{box:.0f}' for box in boxes)} boxes."
    )
