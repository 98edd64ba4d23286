"""Where the k nearest points vote for which class: an exact boundary from sorted distances.

For odd k = 2m − 1 class + wins a vote exactly if its m-th nearest point is closer than the m-th nearest of class −:
only then at least m of the k voters are positive. The difference of these two distances is a continuous function,
so its zero line is the boundary, free of the steps of a grid::

    lead(x) = d₋(m) − d₊(m)

For even k = 2m a vote may tie, with m voters on each side, and the smaller sum of distances decides::

    lead(x) = median( d₋(m) − d₊(m+1),  Σ_{j ≤ m} (d₋(j) − d₊(j)),  d₋(m+1) − d₊(m) )

The first is positive where + has m + 1 voters, the last negative where − has.
"""

from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from mlcore.pictures.drawing.visual_language import draw_sides

__all__ = ["draw_vote", "draw_weighted_vote", "similarities", "vote_lead", "weighted_lead"]

_BLOCK = 2**21
_NAMES = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}


def vote_lead(X, y, queries, k, metric="euclidean"):
    """Return by how much class + leads at each query; the sign is the vote of the k nearest points.

    Parameters
    ----------
    X : numpy.ndarray of shape (n, d)
        Points.
    y : numpy.ndarray of shape (n,)
        +1 and −1.
    queries : numpy.ndarray of shape (q, d)
    k : int
        Number of voters, 1 to n.
    metric : {"euclidean", "manhattan", "chebyshev"}

    Returns
    -------
    numpy.ndarray of shape (q,)
        Finite, in the units of the distance.

    Examples
    --------
    >>> X, y = np.array([[0.0], [1.0], [4.0]]), np.array([1.0, 1.0, -1.0])
    >>> vote_lead(X, y, np.array([[3.0]]), k=1).tolist(), vote_lead(X, y, np.array([[3.0]]), k=3).tolist()
    ([-1.0], [3.0])
    """
    return _in_blocks(partial(_lead, y=y, k=k), queries, X, _NAMES[metric])


def weighted_lead(X, y, queries, k, width):
    """Return Σ K(query, xᵢ) yᵢ over the k nearest points by Euclidean distance, divided by Σ K (MW eq. 5.1).

    Parameters
    ----------
    X, y, queries, k
        As in `vote_lead`.
    width : float
        Of K, as in `similarities`.

    Returns
    -------
    numpy.ndarray of shape (q,)
        From −1 to 1.

    Examples
    --------
    >>> X, y = np.array([[0.0], [2.0]]), np.array([1.0, -1.0])
    >>> weighted_lead(X, y, np.array([[0.0], [1.0]]), k=2, width=2.0).round(3).tolist()
    [0.462, 0.0]
    """
    return _in_blocks(partial(_weighted, y=y, k=k, width=width), queries, X, "euclidean")


def similarities(distances, width):
    """Return K = exp(−distance / width) for every distance: 1 for a twin, 0.37 for a point one width away.

    Examples
    --------
    >>> similarities(np.array([0.0, 2.0]), 2.0).round(3)
    array([1.   , 0.368])
    """
    return np.exp(-distances / width)


def _in_blocks(score, queries, X, metric):
    pieces = np.array_split(queries, max(1, len(queries) * len(X) // _BLOCK))
    return np.concatenate([score(cdist(piece, X, metric)) for piece in pieces])


def _weighted(distances, y, k, width):
    rows = np.argpartition(distances, k - 1, axis=1)[:, :k]
    distances = np.take_along_axis(distances, rows, axis=1)
    # Relative to the nearest, so that no sum is 0 by underflow.
    weights = similarities(distances - distances.min(axis=1, keepdims=True), width)
    return (weights * y[rows]).sum(axis=1) / weights.sum(axis=1)


def _lead(distances, y, k):
    m = (k + 1) // 2
    farthest = distances.max(initial=0.0)
    plus, minus = (_sorted_start(distances[:, y == side], m + 1) for side in (1, -1))
    if k % 2:
        lead = minus[:, m - 1] - plus[:, m - 1]
    else:
        certain_plus = minus[:, m - 1] - plus[:, m]
        certain_minus = minus[:, m] - plus[:, m - 1]
        tie = (minus[:, :m] - plus[:, :m]).sum(axis=1)
        lead = np.clip(tie, certain_plus, certain_minus)  # the median, since the first is never above the last
    return np.clip(lead, -farthest, farthest)


def _sorted_start(distances, count):
    """Return the `count` smallest entries of each row, ascending, filled up with infinity."""
    if distances.shape[1] > count:
        distances = np.partition(distances, count - 1, axis=1)[:, :count]
    missing = count - distances.shape[1]
    return np.pad(np.sort(distances, axis=1), ((0, 0), (0, missing)), constant_values=np.inf)


def draw_vote(axes, X, y, k, metric="euclidean", cells=81, units=(1.0, 1.0)):
    """Tint the plane of `axes` by the vote of the k nearest points of X (n × 2) and draw the boundary.

    `units` are factors by which the two coordinates are multiplied before a distance is taken.
    """

    def score(places):
        return vote_lead(X * units, y, places * units, k, metric)

    _draw_score(axes, score, cells)


def draw_weighted_vote(axes, X, y, k, width, cells=121):
    """Tint the plane of `axes` by the votes of the k nearest points of X (n × 2), weighed by similarity."""

    def score(places):
        return weighted_lead(X, y, places, k, width)

    _draw_score(axes, score, cells)


def _draw_score(axes, score, cells):
    x1, x2 = np.meshgrid(*(np.linspace(*limits, cells) for limits in (axes.get_xlim(), axes.get_ylim())))
    values = score(np.column_stack([x1.ravel(), x2.ravel()]))
    draw_sides(axes, x1, x2, values.reshape(cells, cells))
