"""Checks of the exercises of chapter 5. They test what makes an answer right, not one stored answer."""

import numpy as np
from scipy.optimize import nnls

from mlcore.datasets import five_points, four_corners, two_clouds, two_columns
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.optimize import in_convex_hull
from mlcore.validation import as_array

__all__ = ["check_graphical_solution", "check_hull_corners", "check_separate"]

_TOLERANCE = 1e-6
_C = np.array([3.0, 2.0])
_ROWS = np.array([[2.0, 1.0], [2.0, 3.0], [3.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_LIMITS = np.array([18.0, 42.0, 24.0, 0.0, 0.0])
_NAMES = ("2x + y ≤ 18", "2x + 3y ≤ 42", "3x + y ≤ 24", "x ≥ 0", "y ≥ 0")


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
    Not yet. (8, 0) is feasible, value 24, but with 3x + y ≤ 24 and y ≥ 0 active you can still walk uphill.
    """
    missing = unanswered(x=x, y=y, weights=weights)
    if missing is not None:
        return missing
    try:
        point = np.array([as_array("x", x, ()), as_array("y", y, ())])
        weights = as_array("weights", weights, (3,))
    except ValueError as error:
        return wrong(f"{error}.")
    place = f"({point[0]:.4g}, {point[1]:.4g})"
    excess = _ROWS @ point - _LIMITS
    if excess.max() > _TOLERANCE:
        return wrong(f"{place} breaks {_NAMES[int(excess.argmax())]}.")
    value = _C @ point
    active = excess > -_TOLERANCE
    if not active.any():
        return wrong(f"{place} is feasible, but lies inside: walk along (3, 2) until a constraint stops you.")
    _, rest = nnls(_ROWS[active].T, _C)
    if rest > _TOLERANCE:
        names = " and ".join(name for name, is_active in zip(_NAMES, active) if is_active)
        return wrong(f"{place} is feasible, value {value:.4g}, but with {names} active you can still walk uphill.")
    return _judge_weights(weights, place, value)


def _judge_weights(weights, place, value):
    best = f"{place} is the best point, value {value:.4g}. For the proof: "
    if weights.min() < -_TOLERANCE:
        return wrong(f"{best}no weight may be negative, or its row turns round; got {weights.min():.4g}.")
    a, b = weights @ _ROWS[:3]
    bound = weights @ _LIMITS[:3]
    total = f"{a:.4g}x + {b:.4g}y ≤ {bound:.4g}"
    if min(a - 3, b - 2) < -_TOLERANCE:
        return wrong(f"{best}your rows sum to {total}, which says too little about 3x + 2y.")
    if bound > value + _TOLERANCE:
        return wrong(
            f"{best}your rows sum to {total}, a true bound, but one that leaves room for more than {value:.4g}."
        )
    return right(f"{place} is feasible with value {value:.4g}, and the rows sum to {total}: nothing does better.")


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
    if not callable(hull_corners):
        return wrong("hull_corners: expected a function that takes X.")
    for name, X in _clouds().items():
        answer, failure = _call("hull_corners", hull_corners, name, X.copy())
        if failure is not None:
            return failure
        if answer is None:
            return wrong("hull_corners returned None: fill it in above, run that cell, then this one.")
        rows = np.asarray(answer)
        if rows.dtype == bool and rows.shape == (len(X),):
            rows = np.flatnonzero(rows)
        if rows.ndim != 1 or (rows.size and not np.issubdtype(rows.dtype, np.integer)):
            return wrong(f"hull_corners: expected row numbers in one dimension, got {answer!r:.80}.")
        if rows.size and not 0 <= rows.min() <= rows.max() < len(X):
            return wrong(f"hull_corners: expected rows from 0 to {len(X) - 1}, got {rows.min()} to {rows.max()}.")
        listed = np.isin(np.arange(len(X)), rows)
        for i in range(len(X)):
            inside = in_convex_hull(X[i], np.delete(X, i, axis=0)).inside
            if listed[i] and inside:
                return wrong(f"Row {i} of {name} is listed, but it is a mixture of the other points.")
            if not (listed[i] or inside):
                return wrong(f"Row {i} of {name} is missing: no mixture of the other points gives it.")
    return right(f"All corners found, and nothing but corners, in {', '.join(_clouds())}.")


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
    if not callable(separate):
        return wrong("separate: expected a function that takes X and y.")
    lines = proofs = 0
    for name, (X, y) in _pairs_of_clouds().items():
        answer, failure = _call("separate", separate, name, X.copy(), y.copy())
        if failure is not None:
            return failure
        try:
            plane, weights = answer
        except (TypeError, ValueError):
            return wrong(f"separate: expected a pair, ((w, b), None) or (None, weights), got {answer!r:.80}.")
        if plane is None and weights is None:
            return wrong(f"separate says nothing about {name}: it returned neither a plane nor weights.")
        if plane is not None and weights is not None:
            return wrong(f"separate returned a plane and weights for {name}; both at once cannot be right.")
        failure = _judge_plane(name, plane, X, y) if weights is None else _judge_mixture(name, weights, X, y)
        if failure is not None:
            return failure
        lines, proofs = lines + (weights is None), proofs + (plane is None)
    return right(f"{lines} pairs of clouds separated, and {proofs} proven inseparable.")


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


def _judge_plane(name, plane, X, y):
    """Return what is wrong with a plane, or None."""
    try:
        w, b = plane
        w, b = as_array("w", w, (X.shape[1],)), float(as_array("b", b, ()))
    except (TypeError, ValueError) as error:
        return wrong(f"For {name}: expected a plane (w, b). {error}.")
    scores = y * (X @ w + b)
    size = np.abs(X).max() * np.abs(w).sum() + abs(b)
    if scores.min() > 1e-9 * size:
        return None
    worst = int(scores.argmin())
    if scores.min() >= -1e-9 * size:
        return wrong(f"For {name}: the plane goes through point {worst}, but it should keep clear of every point.")
    return wrong(f"For {name}: point {worst} is on the wrong side of the plane, y(w·x + b) = {scores.min():.3g}.")


def _judge_mixture(name, weights, X, y):
    """Return what is wrong with a proof of inseparability, or None."""
    try:
        weights = as_array("weights", weights, (len(X),))
    except ValueError as error:
        return wrong(f"For {name}: {error}.")
    if weights.min() < -_TOLERANCE:
        return wrong(f"For {name}: no weight may be negative, got {weights.min():.3g}.")
    totals = [float(weights[y == side].sum()) for side in (1, -1)]
    if not np.allclose(totals, 1, atol=_TOLERANCE):
        return wrong(f"For {name}: the weights of each class must sum to 1, got {totals[0]:.4g} and {totals[1]:.4g}.")
    first, second = (weights[y == side] @ X[y == side] for side in (1, -1))
    if not np.allclose(first, second, atol=_TOLERANCE * max(1.0, np.abs(X).max())):
        return wrong(
            f"For {name}: the classes are mixed to different points, {first.round(3)} and {second.round(3)}. "
            "Is there a plane after all?"
        )
    return None


def _call(what, function, name, *arguments):
    """Return what a reader's function returns, or the verdict that it failed."""
    try:
        return function(*arguments), None
    except Exception as error:  # whatever goes wrong in it is the reader's to see
        return None, wrong(f"{what} stopped at {name} with {type(error).__name__}: {error}.")
