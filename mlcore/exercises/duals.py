"""Checks of the exercises of chapter 8. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import four_points, two_clouds, two_columns
from mlcore.exercises._answers import (
    agree,
    array,
    function,
    indices,
    inequality,
    parts,
    shown,
    up_to_scale,
)
from mlcore.exercises._verdict import Refusal, check, refuse
from mlcore.exercises.margins import widest_street

__all__ = [
    "check_active",
    "check_another_alpha",
    "check_dual_street",
    "check_prices",
    "check_small_dual",
    "check_support_vectors",
    "check_third_constraint",
]

_TOLERANCE = 1e-3  # three decimals, or what a solver leaves
_ROWS = np.array([[1.0, 1.0], [-1.0, 0.0], [1.0, 0.0]])  # x1 + x2 <= 2, -x1 <= -1, x1 <= 3
_LIMITS = np.array([2.0, -1.0, 3.0])
_GAINS = np.array([0.0, 1.0])  # maximise x2
_NAMES = ("x1 + x2 <= 2", "x1 >= 1", "x1 <= 3", "x1 >= 0", "x2 >= 0")


@check
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
    for name, X, y, w, _, alpha in _streets(street, "alpha"):
        alpha = array("alpha", alpha, y.shape)
        if alpha.min() < -_TOLERANCE or abs(alpha @ y) > _TOLERANCE:
            refuse(
                f"On {name}: the street is right, but alpha is no dual solution: it needs α ≥ 0 and Σ αᵢyᵢ = 0; the "
                f"least αᵢ is {alpha.min():.3g}, the sum {alpha @ y:.3g}."
            )
        off = np.abs(X.T @ (alpha * y) - w).max()
        if off > _TOLERANCE * np.abs(X).max():
            refuse(f"On {name}: the street is right, but w is not Σ αᵢyᵢxᵢ with your alpha; it is off by {off:.3g}.")
    return "On all data sets the street is the widest, and your α prove it."


@check
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
    for name, X, y, w, b, support in _streets(street, "support"):
        support = indices(f"support on {name}", support, len(y))
        margins = y * (X @ w + b)
        off = support[np.abs(margins[support] - 1) > 10 * _TOLERANCE]
        if off.size:
            refuse(
                f"On {name}: point {off[0]} is marked but does not stand on the edge of the street: its y(w·x + b) is "
                f"{margins[off[0]]:.3g}."
            )
        try:
            alone = len(set(y[support])) == 2 and widest_street(w, b, X[support], y[support]) is not None
        except Refusal:
            alone = False
        if not alone:
            refuse(
                f"On {name}: the marked points {support.tolist()} alone would allow a wider street. Solvers return "
                "numbers like 1e-9 for 0: is your threshold too high?"
            )
    return "The marked points stand on the edge and hold every street without the others."


def _streets(street, third):
    """Yield, for separable data sets, their names, points and labels, and the widest street the reader found there."""
    ask = function("Your function", street, "X and y")
    sets = [("the four points", *four_points()), ("the two columns", *two_columns())]
    sets += [(f"two clouds (seed {seed})", *two_clouds(n=24, distance=6.0, seed=seed)) for seed in (1, 4, 6)]
    for name, X, y in sets:
        w, b, last = parts("Your function", ask(X, y), ("w", "b", third))
        try:
            w, b = widest_street(w, b, X, y)
        except Refusal as refusal:
            raise Refusal(refusal.verdict.kind, f"On {name}: {refusal.verdict.message}") from None
        yield name, X, y, w, b, last


@check
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
    X, y = four_points()
    alpha = array("alpha", alpha, (4,))
    if alpha.min() < 0 or abs(alpha @ y) > _TOLERANCE:
        refuse(f"Not feasible: the dual wants α ≥ 0 and Σ αᵢyᵢ = 0, which is {alpha @ y:.3g}.")
    w = X.T @ (alpha * y)
    if np.abs(w - [-1, 1]).max() > _TOLERANCE:  # the value is flat around the optimum, w is not
        value = alpha.sum() - w @ w / 2
        refuse(
            f"Feasible, with the dual value {value:.5g} where the optimum is 1: Σ αᵢyᵢxᵢ must be (−1, 1), it is "
            f"({w[0]:.3g}, {w[1]:.3g})."
        )
    used = int(np.sum(alpha > _TOLERANCE))
    if used != 2:
        refuse(f"Optimal, with {used} entries that are not 0. Can you do with two?")
    return "Two points with α > 0 prove the street, although four stand on its edge."


@check
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
    _require_dual(objective, rows, right_sides, 2)
    _plan(x, 2)
    _require_prices(y, 2)
    return "x and y are feasible and both have the value 1: that alone proves both optimal."


@check
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
    _require_dual(objective, rows, right_sides, 3)
    return "A new row of the primal is a new variable of the dual: its limit 3 is the cost, its row a column."


@check
def check_active(x, active):
    """Check the optimum of the three rows and the constraints that are active there (ES p. 42, exercise 2 b).

    Parameters
    ----------
    x : array_like of shape (2,)
    active : iterable of str
        Among "x1 + x2 <= 2", "x1 >= 1", "x1 <= 3", "x1 >= 0" and "x2 >= 0", in any spelling.

    Returns
    -------
    Verdict
    """
    x = _plan(x, 3)
    if isinstance(active, np.ndarray) and active.size < 100:
        active = active.ravel().tolist()
    if not isinstance(active, str | list | tuple | set | frozenset):
        refuse(f"active: expected a list of constraints such as ['x1 >= 1'], got {shown(active)}.")
    known = {inequality(name, ("x1", "x2")): name for name in _NAMES}
    answer = set()
    for text in active.split(",") if isinstance(active, str) else active:
        name = known.get(inequality(text, ("x1", "x2"))) if isinstance(text, str) else None
        if name is None:
            refuse(f"active: expected constraints among {', '.join(_NAMES)}; {shown(text)} is none.")
        answer.add(name)
    slack = np.append(_LIMITS - _ROWS @ x, x)
    for name, room in zip(_NAMES, slack):
        if abs(room) < 0.01 and name not in answer:
            refuse(f"{name} holds with equality at your x, but is not in your list.")
        if abs(room) >= 0.01 and name in answer:
            refuse(f"{name} has slack {room:.3g} at your x, so it is not active.")
    return "Two active constraints hold the optimum; the other three have slack."


@check
def check_prices(y):
    """Check the dual optimum that belongs to x = (1, 1) (ES p. 42, exercise 2 c).

    Parameters
    ----------
    y : array_like of shape (3,)

    Returns
    -------
    Verdict
    """
    _require_prices(y, 3)
    return "y₃ = 0 because x1 ≤ 3 has slack, and the two dual rows hold with equality because x1 and x2 are not 0."


def _require_dual(objective, rows, right_sides, m):
    """End the check unless this is the dual of the first `m` rows; its rows may be scaled and reordered."""
    objective = array("objective", objective, (m,))
    rows, right_sides = array("rows", rows, (2, m)), array("right_sides", right_sides, (2,))
    hint = "The right sides of the primal rows, written with ≤, are the costs."
    if np.allclose(objective, np.abs(_LIMITS[:m])):
        hint += " A row with ≥ must first be written with ≤."
    agree("objective", objective, _LIMITS[:m], hint=hint)
    given = up_to_scale(np.column_stack([rows, right_sides]))
    expected = np.column_stack([_ROWS[:m].T, _GAINS])
    if np.allclose(given, up_to_scale(-expected)):
        refuse("rows: the inequalities point the wrong way; a price list must cover the gain, so ≥.")
    if not np.allclose(given, up_to_scale(expected)):
        refuse(
            "rows, right_sides: the row of x1 holds the coefficients of x1 in the primal rows (with ≤), and on "
            "its right stands the gain of x1; likewise for x2."
        )


def _plan(x, m):
    x = array("x", x, (2,))
    slack = np.append(_LIMITS[:m] - _ROWS[:m] @ x, x)
    if slack.min() < -_TOLERANCE:
        name = (*_NAMES[:m], *_NAMES[3:])[int(slack.argmin())]
        refuse(f"x = ({x[0]:.4g}, {x[1]:.4g}) breaks {name} by {-slack.min():.3g}.")
    if _GAINS @ x < 1 - _TOLERANCE:
        refuse(f"x is feasible with the value {_GAINS @ x:.4g}, but a larger one is possible.")
    return x


def _require_prices(y, m):
    y = array("y", y, (m,))
    if y.min() < -_TOLERANCE:
        refuse(f"y: prices are at least 0, got {y.min():.3g}.")
    surplus = y @ _ROWS[:m] - _GAINS
    if surplus.min() < -_TOLERANCE:
        refuse(f"y breaks the dual row of x{int(surplus.argmin()) + 1} by {-surplus.min():.3g}.")
    if _LIMITS[:m] @ y > 1 + _TOLERANCE:
        refuse(f"y is feasible with the value {_LIMITS[:m] @ y:.4g}, but a smaller one is possible.")
