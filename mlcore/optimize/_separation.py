"""A plane between two classes, or the proof that there is none, by one linear program (ES 2; ES p. 24, exercise).

The program asks for a point that both convex hulls share: weights ``lam, mu >= 0`` that sum to 1 each, with
``lam @ X_plus == mu @ X_minus``. If there are such weights, no plane has the classes on opposite sides. If there
are none, the Farkas weights of the equations are the normal and the offset of a plane. Either way the answer
carries its own proof. With one row a dimension it stays small however many points there are; the program in w
and b of ES p. 23 has one row a point.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.optimize._certificate import Certificate, Status
from mlcore.optimize._linear_program import LinearProgram
from mlcore.optimize._simplex import feasible_point
from mlcore.validation import as_array


@dataclass(frozen=True, eq=False)
class Separation:
    """A separating plane, or a point that both convex hulls share.

    Attributes
    ----------
    separable : bool
        Whether a plane has the classes strictly on opposite sides.
    w : numpy.ndarray of shape (d,) or None
        Normal of the plane ``w @ x + b = 0``, scaled so that ``min(y * (X @ w + b)) == 1``.
    b : float or None
        Offset of the plane, midway between the closest points of the classes.
    weights : numpy.ndarray of shape (n,) or None
        Not separable: a weight for every point, none negative, that sum to 1 within each class.
    common_point : numpy.ndarray of shape (d,) or None
        Not separable: the point that is the weighted mean of either class.
    certificate : mlcore.optimize.Certificate
        Of the linear program for the weights.
    """

    separable: bool
    w: np.ndarray | None
    b: float | None
    weights: np.ndarray | None
    common_point: np.ndarray | None
    certificate: Certificate


@dataclass(frozen=True, eq=False)
class HullMembership:
    """Why a point lies in a convex hull or not.

    Attributes
    ----------
    inside : bool
        Whether the point is a weighted mean of the others.
    weights : numpy.ndarray of shape (n,) or None
        Inside: the weights, none negative, that sum to 1.
    w : numpy.ndarray of shape (d,) or None
    b : float or None
        Outside: a plane with ``w @ point + b >= 1`` and ``X @ w + b <= -1``.
    """

    inside: bool
    weights: np.ndarray | None
    w: np.ndarray | None
    b: float | None


def separating_plane(X, y):
    """Find a plane between two classes of points, or prove that there is none.

    The plane is a vertex of the program's solutions: it separates, but its margin is whatever it is (ES 2.4).

    Parameters
    ----------
    X : array_like of shape (n, d)
        One point a row.
    y : array_like of shape (n,)
        +1 or -1; both must occur.

    Returns
    -------
    Separation
        Classes that touch (or come closer than about 1e-9 of their size) do not count as separable.

    Raises
    ------
    ValueError
        Wrong shapes, NaN or infinite entries, labels that are not +1 and -1.
    ArithmeticError
        The linear program could not be decided because of rounding errors.

    Examples
    --------
    >>> result = separating_plane([[0, 1], [1, 2], [1, 0], [2, 1]], [1, 1, -1, -1])
    >>> print(result.separable, result.w, result.b)
    True [-1.  1.] 0.0
    >>> result = separating_plane([[0, 0], [1, 1], [2, 2]], [1, -1, 1])  # three points on a line
    >>> print(result.separable, result.weights, result.common_point)
    False [0.5 1.  0.5] [1. 1.]
    """
    X = as_array("X", X, ("n", "d"))
    y = as_array("y", y, (len(X),))
    if not (np.isin(y, (-1, 1)).all() and (y == 1).any() and (y == -1).any()):
        raise ValueError(f"y: expected labels +1 and -1, both present, got {np.unique(y)}")
    return _separate(X, y)


def in_convex_hull(point, X):
    """Decide whether a point lies in the convex hull of others (ES p. 24).

    Parameters
    ----------
    point : array_like of shape (d,)
    X : array_like of shape (n, d)
        The others, one a row.

    Returns
    -------
    HullMembership
        With the weights or with a plane that keeps the point out.

    Raises
    ------
    ValueError
        Wrong shapes, NaN or infinite entries, no points.
    ArithmeticError
        The linear program could not be decided because of rounding errors.

    Examples
    --------
    >>> triangle = [[0, 0], [4, 0], [0, 4]]
    >>> in_convex_hull([1, 1], triangle).weights
    array([0.5 , 0.25, 0.25])
    >>> in_convex_hull([3, 3], triangle).inside
    False
    """
    point = as_array("point", point, ("d",))
    X = as_array("X", X, ("n", point.size))
    if len(X) == 0:
        raise ValueError(f"X: expected at least one point, got shape {X.shape}")
    result = _separate(np.vstack([point, X]), np.concatenate([[1.0], -np.ones(len(X))]))
    return HullMembership(
        inside=not result.separable,
        weights=None if result.separable else result.weights[1:],
        w=result.w,
        b=result.b,
    )


def extreme_points(X):
    """Find the corners of the convex hull of a cloud in any number of dimensions (ES p. 24, exercise).

    A point is a corner if it is not in the hull of the others; one linear program a point decides.

    Parameters
    ----------
    X : array_like of shape (n, d)
        One point a row. Of points that coincide only the last can be a corner.

    Returns
    -------
    numpy.ndarray of int
        Rows of the corners, ascending.

    Raises
    ------
    ValueError
        Wrong shape, NaN or infinite entries.
    ArithmeticError
        A linear program could not be decided because of rounding errors.

    Examples
    --------
    >>> extreme_points([[0, 0], [1, 1], [2, 0], [1, 0], [0, 2]])
    array([0, 2, 4])
    """
    X = as_array("X", X, ("n", "d"))
    corner = np.ones(len(X), dtype=bool)
    for i in range(len(X)):
        corner[i] = False
        others = X[corner]  # without the points found to be no corners: the hull is the same
        corner[i] = len(others) == 0 or not in_convex_hull(X[i], others).inside
    return np.flatnonzero(corner)


def _separate(X, y):
    # Weighted means do not depend on the origin, but rounding errors do.
    center = X.mean(axis=0)
    signed = np.where(y[:, None] > 0, 1.0, -1.0) * (X - center)
    rows = np.vstack([signed.T, y > 0, y < 0])
    constants = np.concatenate([np.zeros(X.shape[1]), [1.0, 1.0]])
    result = feasible_point(LinearProgram(np.zeros(len(X)), A_eq=rows, b_eq=constants))
    if result.status is Status.OPTIMAL:
        weights = result.x
        common = weights[y > 0] @ X[y > 0]
        return Separation(False, None, None, weights, common, result.certificate)
    if result.status is Status.INFEASIBLE:
        w = result.certificate.ray[: X.shape[1]]
        heights = X @ w
        above, below = heights[y > 0].min(), heights[y < 0].max()
        if above > below:
            half = (above - below) / 2
            b = float(-(above + below) / 2 / half) + 0.0
            return Separation(True, w / half + 0.0, b, None, None, result.certificate)
    raise ArithmeticError("X: the classes come too close to each other for floating-point numbers to tell")
