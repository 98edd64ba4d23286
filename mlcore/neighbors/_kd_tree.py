"""A k-d tree that counts: which cells a query opens, and to how many points it computes a distance.

A cell is cut in two at the median of its points, across the axis in which they spread most, until few points are
left in it. A search goes down into the nearer half first. A cell whose nearest corner, edge or face is farther away
than the k-th best point so far is left closed, and all the points in it are spared::

    distance(query, cell)² = Σ_j max(low_j - query_j, 0, query_j - high_j)²

Rounding does no harm: each of these terms is at most that of a point in the cell, also in floating point. To search
fast, use `mlcore.neighbors.k_nearest`; this module is for counting.

Sources: ES p. 24 (classification time), MW p. 22 ("smart indexing"); Bentley (1975), Friedman, Bentley and Finkel
(1977).
"""

from dataclasses import dataclass, field

import numpy as np

from mlcore.validation import as_array, as_whole_number

__all__ = ["Cell", "SearchResult", "SearchStep", "build_cells", "search_cells"]


@dataclass(frozen=True, eq=False)
class Cell:
    """A box of space and the points in it.

    Attributes
    ----------
    low, high : numpy.ndarray of shape (d,)
        Corners of the box; infinite on sides that no cut has closed.
    rows : numpy.ndarray of int
        The points in it, ascending.
    axis : int or None
        Coordinate across which the cell is cut; None for a leaf.
    threshold : float or None
        Where it is cut.
    halves : tuple of Cell
        Lower and upper half, or nothing for a leaf. Both are closed: a point on the cut is in one of them.
    """

    low: np.ndarray
    high: np.ndarray
    rows: np.ndarray
    axis: int | None = None
    threshold: float | None = None
    halves: tuple = ()


@dataclass(frozen=True, eq=False)
class SearchStep:
    """One cell that the search opened to its points, or left closed.

    Attributes
    ----------
    cell : Cell
    distance : float
        From the query to the box.
    opened : bool
        Whether distances to its points were computed.
    radius : float
        Distance of the k-th best point after the step; infinite while fewer than k are known.
    indices : numpy.ndarray of int
        The best points after the step, at most k, by (distance, index).
    """

    cell: Cell
    distance: float
    opened: bool
    radius: float
    indices: np.ndarray


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found, and what it cost.

    Attributes
    ----------
    distances, indices : numpy.ndarray of shape (k,)
        The k nearest points by (distance, index).
    n_distances : int
        Distances to points that were computed; a scan without a tree computes n.
    n_boxes : int
        Distances to boxes that were computed on the way.
    steps : tuple of SearchStep
        Empty unless recorded.
    """

    distances: np.ndarray
    indices: np.ndarray
    n_distances: int
    n_boxes: int
    steps: tuple


def build_cells(X, leaf_size=1):
    """Cut space into cells around the points of X.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Points, at least one.
    leaf_size : int
        A cell with at most so many points is not cut.

    Returns
    -------
    Cell
        All of space; its halves lead to the leaves, of which there are about n / leaf_size.

    Raises
    ------
    ValueError
        Empty X, entries that are not finite, or a leaf size below 1.

    Examples
    --------
    >>> space = build_cells([[0, 0], [1, 5], [2, 1], [9, 4]], leaf_size=2)
    >>> space.axis, space.threshold, [half.rows.tolist() for half in space.halves]
    (0, 2.0, [[0, 1], [2, 3]])
    """
    X = _points(X)
    leaf_size = as_whole_number("leaf_size", leaf_size)
    d = X.shape[1]
    with np.errstate(over="ignore"):
        return _cut(X, np.arange(len(X)), np.full(d, -np.inf), np.full(d, np.inf), leaf_size)


def search_cells(X, space, query, k=1, *, record=False):
    """Find the k nearest points by Euclidean distance with the help of the cells, and count the work.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The points of `space`.
    space : Cell
        From `build_cells`.
    query : array_like, shape (d,)
        Point whose neighbours are wanted.
    k : int
        Number of neighbours, 1 to n.
    record : bool
        Whether to keep the steps.

    Returns
    -------
    SearchResult

    Raises
    ------
    ValueError
        Shapes that do not fit each other, entries that are not finite, k outside 1 to n, or a distance too large for
        a float.

    Notes
    -----
    Source: Friedman, Bentley and Finkel (1977).

    Examples
    --------
    >>> X = [[0, 0], [1, 5], [2, 1], [9, 4]]
    >>> found = search_cells(X, build_cells(X), [8, 4])
    >>> found.indices, found.distances, found.n_distances
    (array([3]), array([1.]), 2)
    """
    X = _points(X)
    if len(space.rows) != len(X) or len(space.low) != X.shape[1]:
        raise ValueError(
            f"space: expected the cells of X, shape {X.shape}, got those of {len(space.rows)} points in "
            f"{len(space.low)} dimensions"
        )
    k = as_whole_number("k", k)
    if k > len(X):
        raise ValueError(f"k: expected at most the number of points, {len(X)}, got {k}")
    search = _Search(X, as_array("query", query, (X.shape[1],)), k, record)
    with np.errstate(over="ignore", under="ignore"):
        search.visit(space, 0.0)
    if np.isinf(search.distances).any():
        raise ValueError("X, query: expected distances below 1.8e308, got points that are farther apart")
    return SearchResult(search.distances, search.indices, search.n_distances, search.n_boxes, tuple(search.steps))


def _points(X):
    X = as_array("X", X, ("n", "d"))
    if X.size == 0:
        raise ValueError(f"X: expected at least one row and one column, got shape {X.shape}")
    return X


def _cut(X, rows, low, high, leaf_size):
    spread = np.ptp(X[rows], axis=0)
    axis = int(spread.argmax())
    if len(rows) <= leaf_size or spread[axis] == 0:
        return Cell(low, high, rows)
    ranked = rows[np.argsort(X[rows, axis], kind="stable")]
    middle = len(rows) // 2
    threshold = float(X[ranked[middle], axis])
    below, above = high.copy(), low.copy()
    below[axis] = above[axis] = threshold
    halves = (
        _cut(X, np.sort(ranked[:middle]), low, below, leaf_size),
        _cut(X, np.sort(ranked[middle:]), above, high, leaf_size),
    )
    return Cell(low, high, rows, axis, threshold, halves)


def _lengths(differences):
    """Lengths of the rows, in units of a power of two on the way: no square leaves the range, and no digit changes."""
    exponents = np.frexp(np.abs(differences).max(axis=1))[1]
    ratios = np.ldexp(differences, -exponents[:, None])
    return np.ldexp(np.sqrt((ratios**2).sum(axis=1)), exponents)


@dataclass
class _Search:
    X: np.ndarray
    query: np.ndarray
    k: int
    record: bool
    distances: np.ndarray = field(default_factory=lambda: np.empty(0))
    indices: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))
    n_distances: int = 0
    n_boxes: int = 0
    steps: list = field(default_factory=list)

    @property
    def radius(self):
        return float(self.distances[-1]) if len(self.distances) == self.k else np.inf

    def visit(self, cell, distance):
        closed = distance > self.radius  # at equal distance a point of lower index may wait inside
        if not closed and cell.halves:
            order = sorted((self._to_box(half), side) for side, half in enumerate(cell.halves))
            for nearer, side in order:
                self.visit(cell.halves[side], nearer)
            return
        if not closed:
            self._open(cell.rows)
        if self.record:
            self.steps.append(SearchStep(cell, distance, not closed, self.radius, self.indices))

    def _to_box(self, cell):
        self.n_boxes += 1
        gaps = np.maximum(np.maximum(cell.low - self.query, self.query - cell.high), 0.0)
        return float(_lengths(gaps[None])[0])

    def _open(self, rows):
        self.n_distances += len(rows)
        indices = np.append(self.indices, rows)
        distances = np.append(self.distances, _lengths(self.X[rows] - self.query))
        best = np.lexsort((indices, distances))[: self.k]
        self.distances, self.indices = distances[best], indices[best]
