"""Nearest neighbours: classify, or predict a number, by asking the k closest training points.

The Minkowski distance of order p contains the other three (Manhattan p = 1, Euclidean p = 2, Chebyshev p = ∞)::

    d(x, z) = m (Σ_j (|x_j - z_j| / m)^p)^(1/p),    m = max_j |x_j - z_j|

It is computed so that equal means equal. The terms are sorted before they are added, so the order of the columns
cannot matter, and the result is rounded to 40 binary digits (relative error at most 2⁻⁴⁰ < 1e-12): 0.3 - 0.2 and
0.2 - 0.1, which differ in the last digit of a float, are one distance. Neighbours are ordered by (distance,
index). Hence, where the last place goes to one of several points at the same distance, the first row gets it.

A k-d tree or a brute-force scan only proposes candidates, a few too many rather than one too few; the ordering
above decides among them. So both ways give the same answer, digit by digit.

Sources: ES chapter 1.2 (p. 11-13), MW chapter 5 (p. 21-23); the tree is the one of Maneewongvatana and Mount
(1999), through SciPy.
"""

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.validation import all_or_nothing, as_array, as_positive, as_whole_number

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor", "k_nearest"]

_ORDER = {"manhattan": 1.0, "euclidean": 2.0, "chebyshev": np.inf}
_METRICS = (*_ORDER, "minkowski")
_WEIGHTS = ("uniform", "distance", "exponential")
_ALGORITHMS = ("auto", "kd_tree", "brute")

_DIGITS = 40  # binary digits of a distance that count
_SLACK = 1e-9  # relative: far above the rounding of a proposed distance, so that no tie is lost
_SAME = 1e-12  # relative: sums of votes or distances closer than this are equal
_BLOCK = 2**20  # numbers in a temporary array (8 MiB), unless a single query needs more


def k_nearest(X, queries, k, metric="euclidean", *, p=2, algorithm="auto"):
    """Find the k rows of X that are closest to each query, ordered by (distance, index).

    Parameters
    ----------
    X : array_like, shape (n, d)
        Points to search, in the units of the features.
    queries : array_like, shape (q, d)
        Points whose neighbours are wanted; q may be 0.
    k : int
        Number of neighbours, 1 to n.
    metric : {"euclidean", "manhattan", "chebyshev", "minkowski"}
        Distance between two points.
    p : float
        Order of the Minkowski distance, at least 1 (below, the triangle inequality fails); infinity allowed.
        Other metrics ignore it.
    algorithm : {"auto", "kd_tree", "brute"}
        How to search; the answer is the same. "auto" takes the tree for many points in few dimensions.

    Returns
    -------
    distances : numpy.ndarray, shape (q, k)
        Ascending in each row, rounded to 40 binary digits.
    indices : numpy.ndarray of int, shape (q, k)
        Rows of `X`; ascending among equal distances.

    Raises
    ------
    ValueError
        Empty X, shapes that do not fit, NaN or infinite entries, k outside 1 to n, an unknown metric or
        algorithm, p below 1, or a distance too large for a float.

    Notes
    -----
    Source: ES p. 12 (the steps), MW p. 21.

    Examples
    --------
    >>> distances, indices = k_nearest([[0, 0], [3, 4], [5, 0], [0, 1]], [[0, 0]], k=3)
    >>> distances
    array([[0., 1., 5.]])
    >>> indices
    array([[0, 3, 1]])
    """
    X = as_array("X", X, ("n", "d"))
    if X.size == 0:
        raise ValueError(f"X: expected at least one row and one column, got shape {X.shape}")
    queries = as_array("queries", queries, ("q", X.shape[1]))
    return _search(X, _build_tree(X, algorithm), queries, k, _minkowski_order(metric, p))


class KNeighborsClassifier(ClassifierMixin, BaseEstimator):
    """Assign the class for which the k nearest training points cast most votes.

    Ties follow one rule: most votes (sum of weights), then the smaller summed distance of the class's
    neighbours, then the order of `classes_`. Sums that agree to a relative 1e-12 are equal.

    Parameters
    ----------
    k : int
        Number of neighbours, 1 to the number of training rows.
    metric, p, algorithm
        As in `k_nearest`.
    weights : {"uniform", "distance", "exponential"}
        Weight of a neighbour at distance d: 1; 1/d, where neighbours at distance 0 outvote all others; or the
        similarity exp(-d / width). MW eq. (5.1) weighs votes by a similarity K(x, x_n) without choosing one.
    width : float
        Distance over which the exponential weight falls by a factor e, in the units of the metric.

    Attributes
    ----------
    classes_ : numpy.ndarray, shape (n_classes,)
        Labels in ascending order.
    X_ : numpy.ndarray, shape (n, d)
        Training points.
    codes_ : numpy.ndarray of int, shape (n,)
        Position of each training label in `classes_`.
    tree_ : scipy.spatial.KDTree or None
        The tree over `X_`, where the algorithm uses one.

    Notes
    -----
    The order of the training rows matters only where points of different classes share the k-th distance and
    not all of them find a place. Source: ES chapter 1.2, MW chapter 5.

    Examples
    --------
    >>> model = KNeighborsClassifier(k=3).fit([[0], [1], [4], [5]], ["wood", "wood", "metal", "metal"])
    >>> model.predict([[2], [3]])
    array(['wood', 'metal'], dtype='<U5')
    >>> model.predict_proba([[2]]).round(3)
    array([[0.333, 0.667]])
    """

    def __init__(self, k=5, metric="euclidean", p=2, weights="uniform", width=1.0, algorithm="auto"):
        self.k = k
        self.metric = metric
        self.p = p
        self.weights = weights
        self.width = width
        self.algorithm = algorithm

    @all_or_nothing
    def fit(self, X, y):
        """Store the training points, shape (n, d), and their labels, shape (n,).

        Raises
        ------
        ValueError
            Parameters or arrays that do not fit, named in the message.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, copy=True)
        check_classification_targets(y)
        self.classes_, self.codes_ = np.unique(y, return_inverse=True)
        return _store(self, X)

    def kneighbors(self, X, k=None):
        """Return (distances, indices), each of shape (q, k), as `k_nearest` does, for X of shape (q, d).

        They are the points that vote; None takes the estimator's k. Raises as `k_nearest` does.
        """
        return _neighbors_of(self, X, k)

    def predict(self, X):
        """Return the label of each row of X, shape (q, d), under the tie rule: shape (q,)."""
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def predict_proba(self, X):
        """Return each class's share of the votes, shape (q, n_classes), for X, shape (q, d).

        Of classes that tie for most votes, the one that wins is put one float step above the equal share and
        the others one step below, so that the largest share always belongs to the label of `predict`.
        """
        distances, indices = self.kneighbors(X)
        weights = _vote_weights(distances, self.weights, self.width)
        return _vote_shares(weights, distances, self.codes_[indices], len(self.classes_))


class KNeighborsRegressor(RegressorMixin, BaseEstimator):
    """Predict the (weighted) mean of the targets of the k nearest training points.

    Parameters
    ----------
    k, metric, p, weights, width, algorithm
        As in `KNeighborsClassifier`; neighbours at distance 0 alone are averaged under "distance".

    Attributes
    ----------
    X_ : numpy.ndarray, shape (n, d)
        Training points.
    y_ : numpy.ndarray, shape (n,) or (n, n_outputs)
        Training targets.
    tree_ : scipy.spatial.KDTree or None
        The tree over `X_`, where the algorithm uses one.

    Notes
    -----
    Source: ES chapter 1.2 and MW chapter 5, with a mean in place of the vote.

    Examples
    --------
    >>> model = KNeighborsRegressor(k=2, weights="distance").fit([[0], [1], [3]], [0, 10, 20])
    >>> model.predict([[1], [0.25], [2]])
    array([10. ,  2.5, 15. ])
    """

    def __init__(self, k=5, metric="euclidean", p=2, weights="uniform", width=1.0, algorithm="auto"):
        self.k = k
        self.metric = metric
        self.p = p
        self.weights = weights
        self.width = width
        self.algorithm = algorithm

    @all_or_nothing
    def fit(self, X, y):
        """Store the training points, shape (n, d), and their targets, shape (n,) or (n, n_outputs).

        Raises
        ------
        ValueError
            Parameters or arrays that do not fit, named in the message.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, copy=True, multi_output=True, y_numeric=True)
        self.y_ = np.array(y, dtype=float)
        return _store(self, X)

    def kneighbors(self, X, k=None):
        """Return (distances, indices), each of shape (q, k), as `k_nearest` does, for X of shape (q, d).

        They are the points that are averaged; None takes the estimator's k. Raises as `k_nearest` does.
        """
        return _neighbors_of(self, X, k)

    def predict(self, X):
        """Return the prediction for each row of X, shape (q, d): shape (q,) or (q, n_outputs)."""
        distances, indices = self.kneighbors(X)
        weights = _vote_weights(distances, self.weights, self.width)
        shares = weights / weights.sum(axis=1, keepdims=True)
        return np.einsum("qk,qk...->q...", shares, self.y_[indices])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _store(estimator, X):
    _checked_k(estimator.k, len(X))
    _minkowski_order(estimator.metric, estimator.p)
    _one_of("weights", estimator.weights, _WEIGHTS)
    as_positive("width", estimator.width)
    estimator.X_ = X
    estimator.tree_ = _build_tree(X, estimator.algorithm)
    return estimator


def _neighbors_of(estimator, X, k):
    check_is_fitted(estimator)
    queries = validate_data(estimator, X, dtype=np.float64, reset=False)
    k = estimator.k if k is None else k
    order = _minkowski_order(estimator.metric, estimator.p)
    return _search(estimator.X_, estimator.tree_, queries, k, order)


def _vote_weights(distances, weights, width):
    """Weigh each neighbour relative to the nearest one, whose weight is 1: no over- or underflow."""
    _one_of("weights", weights, _WEIGHTS)
    nearest = distances[:, :1]
    if weights == "uniform":
        return np.ones_like(distances)
    if weights == "exponential":
        with np.errstate(over="ignore", under="ignore"):
            return np.exp((nearest - distances) / as_positive("width", width))
    return np.where(nearest > 0, nearest / np.where(distances > 0, distances, 1), distances == 0)


def _vote_shares(weights, distances, codes, n_classes):
    """Count the votes and settle ties: most votes, then smaller summed distance, then order of the classes."""
    cells = np.arange(len(codes))[:, None] * n_classes + codes
    votes, summed = (
        np.bincount(cells.ravel(), amounts.ravel(), minlength=len(codes) * n_classes).reshape(-1, n_classes)
        for amounts in (weights, distances)
    )
    most = votes.max(axis=1, keepdims=True)
    leads = votes >= most * (1 - _SAME)
    smallest = np.where(leads, summed, np.inf).min(axis=1, keepdims=True)
    winner = (leads & (summed * (1 - _SAME) <= smallest)).argmax(axis=1, keepdims=True)
    shares = np.where(leads, most, votes) / votes.sum(axis=1, keepdims=True)
    tied = leads & (leads.sum(axis=1, keepdims=True) > 1)
    towards = (np.arange(n_classes) == winner).astype(float)
    return np.where(tied, np.nextafter(shares, towards), shares)


def _search(X, tree, queries, k, p):
    k = _checked_k(k, len(X))
    distances = np.empty((len(queries), k))
    indices = np.empty((len(queries), k), dtype=np.intp)
    step = max(1, _BLOCK // len(X))  # every point may be a candidate of every query
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, len(queries), step):
            block = slice(start, start + step)
            rows, points = _candidates(X, tree, queries[block], k, p)
            distances[block], indices[block] = _closest(X, queries[block], rows, points, k, p)
    if np.isinf(distances).any():
        raise ValueError("X, queries: expected distances below 1.8e308, got rows that are farther apart")
    return distances, indices


def _candidates(X, tree, queries, k, p):
    """Propose pairs (query, point), sorted by query, with all that could be among the k nearest.

    Proposed distances are off by rounding (covered by a relative slack), too small where |x - z|^p underflows
    (covered by `lost`), or infinite where it overflows (then every point is a candidate).
    """
    lost = 0.0 if np.isinf(p) else 1e-290 ** (1 / p)
    if tree is not None and _powers_fit(tree, queries, lost, p):
        radius = tree.query(queries, k=[k], p=p)[0][:, 0] * (1 + _SLACK) + lost
        found = tree.query_ball_point(queries, radius, p=p)
        return np.repeat(np.arange(len(found)), [len(points) for points in found]), np.concatenate(found)
    metric = {1.0: "cityblock", 2.0: "euclidean", np.inf: "chebyshev"}.get(p)
    rough = cdist(queries, X, metric) if metric else cdist(queries, X, "minkowski", p=p)
    radius = np.partition(rough, k - 1, axis=1)[:, k - 1 : k] * (1 + _SLACK) + lost
    return np.nonzero(rough <= radius)


def _powers_fit(tree, queries, lost, p):
    """Whether no power that the tree may form overflows; SciPy's tree would refuse to search."""
    sides = np.maximum(tree.maxes, queries.max(axis=0)) - np.minimum(tree.mins, queries.min(axis=0))
    return tree.m * (sides.max() + lost) ** (1 if np.isinf(p) else p) < 1e300


def _closest(X, queries, rows, points, k, p):
    """Keep the first k candidates of each query in the order of (distance, index)."""
    exact = np.empty(len(rows))
    step = max(1, _BLOCK // X.shape[1])
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        exact[block] = _distance(X[points[block]] - queries[rows[block]], p)
    ranked = np.lexsort((points, exact, rows))
    first = np.searchsorted(rows, np.arange(len(queries)))
    best = ranked[first[:, None] + np.arange(k)]
    return exact[best], points[best]


def _distance(differences, p):
    """Return the Minkowski length of each row, the same for every order of its entries, rounded."""
    sizes = np.sort(np.abs(differences), axis=-1)
    largest = sizes[:, -1]
    scalable = (largest > 0) & (largest < np.inf)
    ratios = np.divide(sizes, largest[:, None], out=np.ones_like(sizes), where=scalable[:, None])
    lengths = largest if np.isinf(p) else largest * (ratios**p).sum(axis=-1) ** (1 / p)
    mantissa, exponent = np.frexp(lengths)
    return np.ldexp(np.rint(np.ldexp(mantissa, _DIGITS)), exponent - _DIGITS)


def _build_tree(X, algorithm):
    _one_of("algorithm", algorithm, _ALGORITHMS)
    pays = X.shape[0] >= 1000 and X.shape[1] <= 5  # where 500 queries by tree were measured to be faster
    return KDTree(X) if algorithm == "kd_tree" or (algorithm == "auto" and pays) else None


def _minkowski_order(metric, p):
    _one_of("metric", metric, _METRICS)
    if metric != "minkowski":
        return _ORDER[metric]
    order = as_positive("p", p, allow_infinite=True)
    if order < 1:
        raise ValueError(f"p: expected a number of at least 1, got {p!r}")
    return order


def _checked_k(k, n):
    k = as_whole_number("k", k)
    if k > n:
        raise ValueError(f"k: expected at most the number of points (n_samples={n}), got {k}")
    return k


def _one_of(name, value, choices):
    if not (isinstance(value, str) and value in choices):
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, choices))}, got {value!r}")
