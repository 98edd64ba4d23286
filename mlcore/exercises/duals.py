"""Checks of the exercises of chapter 8. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import four_points, two_clouds, two_columns
from mlcore.exercises._verdict import Verdict, right, unanswered, wrong
from mlcore.exercises.margins import is_widest_street
from mlcore.validation import as_array

__all__ = [
    "check_active",
    "check_another_alpha",
    "check_dual_street",
    "check_prices",
    "check_small_dual",
    "check_support_vectors",
    "check_third_constraint",
]

_TOLERANCE = 1e-4
_ROWS = np.array([[1.0, 1.0], [-1.0, 0.0], [1.0, 0.0]])  # x1 + x2 <= 2, -x1 <= -1, x1 <= 3
_LIMITS = np.array([2.0, -1.0, 3.0])
_GAINS = np.array([0.0, 1.0])  # maximise x2
_NAMES = ("x1 + x2 <= 2", "x1 >= 1", "x1 <= 3", "x1 >= 0", "x2 >= 0")


def check_dual_street(street):
    """Check a function that finds the widest street through the dual (ES p. 40).

    Parameters
    ----------
    street : callable
        From points X (n × 2) and labels y (n, +1 and −1) to w, b and alpha of shapes (2,), () and (n,).

    Returns
    -------
    Verdict
    """
    for name, X, y in _separable_sets():
        answer = _call(street, X, y, 3, "w, b, alpha")
        if isinstance(answer, Verdict):
            return answer
        w, b, alpha = answer
        verdict = is_widest_street(w, b, X, y)
        if not verdict.passed:
            return wrong(f"On {name}: {verdict.message}")
        try:
            alpha = as_array("alpha", alpha, y.shape)
        except ValueError as error:
            return wrong(f"On {name}: {error}.")
        if not _are_multipliers(alpha, y):
            return wrong(
                f"On {name}: the street is right, but alpha is no dual solution: it needs α ≥ 0 and Σ αᵢyᵢ = 0."
            )
        if np.abs(X.T @ (alpha * y) - w).max() > _TOLERANCE * max(1.0, np.abs(w).max()):
            return wrong(f"On {name}: the street is right, but w is not Σ αᵢyᵢxᵢ with your alpha.")
    return right("On all data sets the street is the widest, and your α prove it.")


def check_support_vectors(street):
    """Check a function that finds the widest street and marks its support vectors (ES p. 41).

    The marked points must stand on the edge of the street and must hold it alone.

    Parameters
    ----------
    street : callable
        From points X (n × 2) and labels y (n, +1 and −1) to w, b and the positions of the support vectors.

    Returns
    -------
    Verdict
    """
    for name, X, y in _separable_sets():
        answer = _call(street, X, y, 3, "w, b, support")
        if isinstance(answer, Verdict):
            return answer
        w, b, support = answer
        verdict = is_widest_street(w, b, X, y)
        if not verdict.passed:
            return wrong(f"On {name}: {verdict.message}")
        support = np.asarray(support)
        if support.ndim != 1 or not len(support) or support.dtype.kind not in "iu":
            return wrong(f"On {name}: support: expected a list of positions such as [0, 2], got {support.tolist()}.")
        if support.min() < 0 or support.max() >= len(y):
            return wrong(f"On {name}: support: expected positions from 0 to {len(y) - 1}, got {support.tolist()}.")
        off = np.abs((y * (X @ w + b))[support] - 1) > 10 * _TOLERANCE
        if off.any():
            return wrong(f"On {name}: point {support[off][0]} is marked but does not stand on the edge of the street.")
        if len(set(y[support])) < 2 or not is_widest_street(w, b, X[support], y[support]).passed:
            return wrong(
                f"On {name}: the marked points {support.tolist()} alone would allow a wider street. Solvers return "
                "numbers like 1e-9 for 0: is your threshold too high?"
            )
    return right("The marked points stand on the edge and hold every street without the others.")


def check_another_alpha(alpha):
    """Check another optimal α of the four points of ES p. 31, with exactly two entries that are not 0.

    Parameters
    ----------
    alpha : array_like of shape (4,)
        In the order of `mlcore.datasets.four_points`.

    Returns
    -------
    Verdict
    """
    missing = unanswered(alpha=alpha)
    if missing is not None:
        return missing
    X, y = four_points()
    try:
        alpha = as_array("alpha", alpha, (4,))
    except ValueError as error:
        return wrong(f"{error}.")
    if not _are_multipliers(alpha, y):
        return wrong("Not feasible: the dual wants α ≥ 0 and Σ αᵢyᵢ = 0.")
    w = X.T @ (alpha * y)
    value = alpha.sum() - w @ w / 2
    if value < 1 - _TOLERANCE:
        return wrong(f"Feasible, but its dual value is {value:.3g} and the optimum is 1: does Σ αᵢyᵢxᵢ give (−1, 1)?")
    used = int(np.sum(alpha > _TOLERANCE))
    if used != 2:
        return wrong(f"Optimal, with {used} entries that are not 0. Can you do with two?")
    return right("Two points with α > 0 prove the street, although four stand on its edge.")


def check_small_dual(objective, rows, right_sides, x, y):
    """Check the dual of max x2, x1 + x2 ≤ 2, x1 ≥ 1, x ≥ 0 and both optima (ES p. 41, exercise 1).

    Parameters
    ----------
    objective : array_like of shape (2,)
        Of the dual, which is minimised.
    rows, right_sides : array_like of shapes (2, 2) and (2,)
        Its constraints ``rows @ y >= right_sides``, beside y ≥ 0.
    x, y : array_like of shape (2,)
        The two optima.

    Returns
    -------
    Verdict
    """
    missing = unanswered(objective=objective, rows=rows, right_sides=right_sides, x=x, y=y)
    if missing is not None:
        return missing
    fault = _dual_fault(objective, rows, right_sides, 2) or _pair_fault(x, y, 2)
    return fault or right("x and y are feasible and both have the value 1: that alone proves both optimal.")


def check_third_constraint(objective, rows, right_sides):
    """Check the dual after x1 ≤ 3 has been added (ES p. 42, exercise 2 a).

    Parameters
    ----------
    objective : array_like of shape (3,)
    rows, right_sides : array_like of shapes (2, 3) and (2,)
        Constraints ``rows @ y >= right_sides``, beside y ≥ 0.

    Returns
    -------
    Verdict
    """
    missing = unanswered(objective=objective, rows=rows, right_sides=right_sides)
    if missing is not None:
        return missing
    return _dual_fault(objective, rows, right_sides, 3) or right(
        "A new row of the primal is a new variable of the dual: its limit 3 is the cost, its row a column."
    )


def check_active(x, active):
    """Check the optimum of the three rows and the constraints that are active there (ES p. 42, exercise 2 b).

    Parameters
    ----------
    x : array_like of shape (2,)
    active : iterable of str
        Among "x1 + x2 <= 2", "x1 >= 1", "x1 <= 3", "x1 >= 0" and "x2 >= 0".

    Returns
    -------
    Verdict
    """
    missing = unanswered(x=x, active=active)
    if missing is not None:
        return missing
    fault = _plan_fault(x, 3)
    if fault is not None:
        return fault
    x = np.asarray(x, dtype=float)
    try:
        answer = {str(text).replace(" ", "") for text in ((active,) if isinstance(active, str) else active)}
    except TypeError:
        return wrong(f"active: expected a list of constraints such as ['x1 >= 1'], got {active!r}.")
    known = {name.replace(" ", ""): name for name in _NAMES}
    if not answer <= set(known):
        return wrong(f"active: expected constraints among {', '.join(_NAMES)}; {min(answer - set(known))} is none.")
    slack = np.append(_LIMITS - _ROWS @ x, x)
    for (short, name), room in zip(known.items(), slack):
        if (abs(room) < _TOLERANCE) != (short in answer):
            fact = "holds with equality at your x, but is not in your list" if abs(room) < _TOLERANCE else (
                f"has slack {room:.3g} at your x, so it is not active"
            )  # fmt: skip
            return wrong(f"{name} {fact}.")
    return right("Two active constraints hold the optimum; the other three have slack.")


def check_prices(y):
    """Check the dual optimum that belongs to x = (1, 1) (ES p. 42, exercise 2 c).

    Parameters
    ----------
    y : array_like of shape (3,)

    Returns
    -------
    Verdict
    """
    missing = unanswered(y=y)
    if missing is not None:
        return missing
    fault = _price_fault(y, 3)
    if fault is not None:
        return fault
    return right(
        "y₃ = 0 because x1 ≤ 3 has slack, and the two dual rows hold with equality because x1 and x2 are not 0."
    )


def _separable_sets():
    yield "the four points", *four_points()
    yield "the two columns", *two_columns()
    for seed in (1, 4, 6):
        X, y = two_clouds(n=24, distance=6.0, seed=seed)
        yield f"two clouds (seed {seed})", X, y


def _call(function, X, y, count, names):
    """Return the reader's answer as a tuple, or the verdict that there is none."""
    if not callable(function):
        return wrong(f"expected a function of X and y, got {function!r}.")
    try:
        answer = function(X.copy(), y.copy())
    except Exception as error:  # the reader's own code may fail in any way
        return wrong(f"Your function stopped with {type(error).__name__}: {error}")
    if answer is None:
        return wrong("Your function still returns None: fill it in above, run that cell, then this one.")
    if not isinstance(answer, tuple | list) or len(answer) != count:
        return wrong(f"Your function should return {names}, got {answer!r}.")
    if any(part is None for part in answer):
        return wrong(f"Your function should return {names}; one of them is None.")
    try:
        w, b = as_array("w", answer[0], (2,)), float(as_array("b", answer[1], ()))
    except ValueError as error:
        return wrong(f"{error}.")
    return w, b, answer[2]


def _are_multipliers(alpha, y):
    size = max(1.0, np.abs(alpha).max())
    return alpha.min() >= -_TOLERANCE * size and abs(alpha @ y) <= _TOLERANCE * size


def _dual_fault(objective, rows, right_sides, m):
    """Return what is wrong with a dual of the first `m` rows, or None; rows may be scaled and reordered."""
    try:
        objective = as_array("objective", objective, (m,))
        rows, right_sides = as_array("rows", rows, (2, m)), as_array("right_sides", right_sides, (2,))
    except ValueError as error:
        return wrong(f"{error}. The dual has a variable for every row of the primal and a row for x1 and for x2.")
    if not np.allclose(objective, _LIMITS[:m]):
        hint = " A row with ≥ must first be written with ≤." if np.allclose(objective, np.abs(_LIMITS[:m])) else ""
        return wrong(f"objective: the right sides of the primal rows, written with ≤, are the costs.{hint}")
    given, expected = (
        np.array(sorted((row / np.abs(row).max()).round(9).tolist() for row in np.column_stack(pair) if row.any()))
        for pair in ((rows, right_sides), (_ROWS[:m].T, _GAINS))
    )
    if given.shape == expected.shape and np.allclose(given, expected):
        return None
    if given.shape == expected.shape and np.allclose(given, np.array(sorted((-expected).tolist()))):
        return wrong("rows: the inequalities point the wrong way; a price list must cover the gain, so ≥.")
    return wrong("rows, right_sides: the row of x1 holds the coefficients of x1 in the primal rows (with ≤), and on "
                 "its right stands the gain of x1; likewise for x2.")  # fmt: skip


def _plan_fault(x, m):
    try:
        x = as_array("x", x, (2,))
    except ValueError as error:
        return wrong(f"{error}.")
    slack = np.append(_LIMITS[:m] - _ROWS[:m] @ x, x)
    if slack.min() < -_TOLERANCE:
        names = (*_NAMES[:m], *_NAMES[3:])
        return wrong(f"x = ({x[0]:g}, {x[1]:g}) breaks {names[int(slack.argmin())]}.")
    if _GAINS @ x < 1 - _TOLERANCE:
        return wrong(f"x is feasible with the value {_GAINS @ x:.3g}, but a larger one is possible.")
    return None


def _price_fault(y, m):
    try:
        y = as_array("y", y, (m,))
    except ValueError as error:
        return wrong(f"{error}.")
    if y.min() < -_TOLERANCE:
        return wrong(f"y: prices are at least 0, got {y.min():.3g}.")
    surplus = y @ _ROWS[:m] - _GAINS
    if surplus.min() < -_TOLERANCE:
        return wrong(f"y breaks the dual row of x{int(surplus.argmin()) + 1} by {-surplus.min():.3g}.")
    if _LIMITS[:m] @ y > 1 + _TOLERANCE:
        return wrong(f"y is feasible with the value {_LIMITS[:m] @ y:.3g}, but a smaller one is possible.")
    return None


def _pair_fault(x, y, m):
    return _plan_fault(x, m) or _price_fault(y, m)
