"""Checks of the exercises of chapter 5. They test what makes an answer right, not one stored answer."""

import numpy as np
from scipy.optimize import nnls

from mlcore.datasets import five_points, four_corners, two_clouds, two_columns
from mlcore.exercises._answers import array, function, indices, number, parts, vanishes
from mlcore.exercises._verdict import check, refuse
from mlcore.optimize import in_convex_hull

__all__ = ["check_graphical_solution", "check_hull_corners", "check_separate", "mixed_point"]

_TOLERANCE = 1e-6
_C = np.array([3.0, 2.0])
_ROWS = np.array([[2.0, 1.0], [2.0, 3.0], [3.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_LIMITS = np.array([18.0, 42.0, 24.0, 0.0, 0.0])
_NAMES = ("2x + y ≤ 18", "2x + 3y ≤ 42", "3x + y ≤ 24", "x ≥ 0", "y ≥ 0")


@check
def check_graphical_solution(x, y, weights=None):
    """Check the best point of max 3x + 2y of ES p. 24 and the proof that nothing is better.

    Parameters
    ----------
    x, y : float
        The point.
    weights : array_like of shape (3,)
        Of the three rows with ≤, none negative: the rows must sum to a x + b y ≤ value with a ≥ 3 and b ≥ 2.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> check_graphical_solution(8, 0, [0, 0, 1])
    Wrong. (8, 0) is feasible, value 24, but with 3x + y ≤ 24 and y ≥ 0 active you can still walk uphill.
    """
    point = np.array([number("x", x), number("y", y)])
    weights = array("weights", weights, (3,))
    place = f"({point[0]:.4g}, {point[1]:.4g})"
    excess = _ROWS @ point - _LIMITS
    if excess.max() > _TOLERANCE:
        refuse(f"{place} breaks {_NAMES[int(excess.argmax())]} by {excess.max():.3g}.")
    value = _C @ point
    active = excess > -_TOLERANCE
    if not active.any():
        refuse(f"{place} is feasible, but lies inside: walk along (3, 2) until a constraint stops you.")
    _, rest = nnls(_ROWS[active].T, _C)
    if rest > _TOLERANCE:
        names = " and ".join(name for name, is_active in zip(_NAMES, active) if is_active)
        refuse(f"{place} is feasible, value {value:.4g}, but with {names} active you can still walk uphill.")
    best = f"{place} is the best point, value {value:.4g}. For the proof: "
    if weights.min() < 0:
        refuse(f"{best}no weight may be negative, or its row turns round; got {weights.min():.4g}.")
    a, b = weights @ _ROWS[:3]
    bound = weights @ _LIMITS[:3]
    total = f"{a:.4g}x + {b:.4g}y ≤ {bound:.4g}"
    if not vanishes("weights", weights, min(a - 3, b - 2, 0), 7.0):
        refuse(f"{best}your rows sum to {total}, which says too little about 3x + 2y.")
    if not vanishes("weights", weights, max(bound - value, 0), 84.0):
        refuse(f"{best}your rows sum to {total}, a true bound, but one that leaves room for more than {value:.4g}.")
    return f"{place} is feasible with value {value:.4g}, and the rows sum to {total}: nothing does better."


@check
def check_hull_corners(hull_corners):
    """Check a function that finds the corners of the convex hull of a cloud in any dimension (ES p. 24).

    Parameters
    ----------
    hull_corners : callable
        Takes an array of shape (n, d) and returns the rows that are corners, in any order.

    Returns
    -------
    Verdict
    """
    ask = function("hull_corners", hull_corners, "X")
    for name, X in _clouds().items():
        listed = np.isin(np.arange(len(X)), indices(f"hull_corners on {name}", ask(X), len(X)))
        for i in range(len(X)):
            inside = in_convex_hull(X[i], np.delete(X, i, axis=0)).inside
            if listed[i] and inside:
                refuse(f"Row {i} of {name} is listed, but it is a mixture of the other points.")
            if not (listed[i] or inside):
                refuse(f"Row {i} of {name} is missing: no mixture of the other points gives it.")
    return f"All corners found, and nothing but corners, in {', '.join(_clouds())}."


def _clouds():
    """Return clouds whose corners are clear of rounding errors, the first with points on its edges."""
    grid = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])
    draw = np.random.default_rng(5).normal
    return {
        "nine points on a grid": grid,
        "twelve points in the plane": draw(size=(12, 2)) - 5,
        "fifteen points in space": draw(size=(15, 3)),
        "fifteen points in five dimensions": draw(size=(15, 5)),
    }


@check
def check_separate(separate):
    """Check a function that separates two clouds or proves that it cannot be done.

    Parameters
    ----------
    separate : callable
        Takes points (n, d) and labels +1, −1 and returns a pair: ((w, b), None) with y(w·x + b) > 0 at every
        point, or (None, weights) with weights that are not negative, sum to 1 in each class, and mix both
        classes to the same point.

    Returns
    -------
    Verdict
    """
    ask = function("separate", separate, "X and y")
    pairs = _pairs_of_clouds()
    lines = 0
    for name, (X, y) in pairs.items():
        plane, weights = parts(f"separate on {name}", ask(X, y), ("(w, b) or None", "weights or None"), some=True)
        if plane is not None and weights is not None:
            refuse(f"separate returned a plane and weights for {name}; both at once cannot be right.")
        if plane is None:
            mixed_point(f"separate on {name}: weights", weights, X, y, digits=6)
        else:
            _require_plane(name, plane, X, y)
            lines += 1
    return f"{lines} pairs of clouds separated, and {len(pairs) - lines} proven inseparable."


def _pairs_of_clouds():
    """Return pairs of clouds with room between them, or with a good deal in common, in two to four dimensions."""
    X, y = two_columns()
    near, label = two_clouds(n=24, distance=1.0, seed=3)
    draw = np.random.default_rng(2).normal
    space = draw(size=(20, 3))
    return {
        "two columns": (X, y),
        "two columns, reflected in the origin": (-X, y),
        "the five points of chapter 7": five_points(label=-1),
        "the four corners of a square": four_corners(),
        "two clouds in the plane": (near, label),
        "two halves of a cloud in space": (space, np.where(space @ [1, -2, 1] > 0.3, 1.0, -1.0)),
        "two clouds in four dimensions": (draw(size=(40, 4)), np.repeat([1.0, -1.0], 20)),
    }


def _require_plane(name, plane, X, y):
    w, b = parts(f"separate on {name}: the plane", plane, ("w", "b"))
    w, b = array("w", w, (X.shape[1],)), number("b", b)
    scores = y * (X @ w + b)
    size = np.abs(X).max() * np.abs(w).sum() + abs(b)
    worst = int(scores.argmin())
    if scores[worst] < -1e-9 * size:
        refuse(f"For {name}: point {worst} is on the wrong side of the plane, y(w·x + b) = {scores[worst]:.3g}.")
    if scores[worst] <= 1e-9 * size:
        refuse(f"For {name}: the plane goes through point {worst}, but it should keep clear of every point.")


def mixed_point(name, weights, X, y, digits=3):
    """Return the point that weights make out of the positive and of the negative points, or end the check.

    Parameters
    ----------
    name : str
    weights : array_like of shape (n,)
        Not negative, sum 1 in each class.
    X, y : numpy.ndarray of shapes (n, d) and (n,)
    digits : int
        Decimals that are asked for.

    Returns
    -------
    numpy.ndarray of shape (d,)
    """
    weights = array(name, weights, (len(X),))
    if weights.min() < -(10.0**-digits):
        refuse(f"{name}: none may be negative, got {weights.min():.3g}.")
    totals = np.array([weights[y == side].sum() for side in (1, -1)])
    if not vanishes(name, weights, totals - 1, len(X), digits):
        refuse(f"{name}: those of each class must sum to 1, got {totals[0]:.4g} (+) and {totals[1]:.4g} (−).")
    first, second = (weights[y == side] @ X[y == side] for side in (1, -1))
    if not vanishes(name, weights, first - second, np.abs(X).sum(axis=0).max(), digits):
        refuse(
            f"{name}: the positive points mix to {first.round(3).tolist()}, the negative ones to "
            f"{second.round(3).tolist()}: a proof needs the same point."
        )
    return first
