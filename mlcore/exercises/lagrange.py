"""Checks of the exercises of chapter 9. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import two_clouds
from mlcore.exercises._answers import array, function, number, parts
from mlcore.exercises._verdict import Refusal, check, nearly, refuse

__all__ = ["check_broken_constraint", "check_lagrange_function", "check_smallest_on_the_line", "check_squared_slack"]


@check
def check_lagrange_function(lagrangian):
    """Check the Lagrange function of "minimise x² + y² on the line x + y = 2" (ES p. 52 a), with either sign.

    Parameters
    ----------
    lagrangian : callable
        From numbers x, y, alpha to a number.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> check_lagrange_function(lambda x, y, alpha: x**2 + y**2 - alpha * (x + y))
    Wrong. On the line, at (2, 0) with alpha = 1, L must be f = 4 whatever alpha is, got 2.
    """
    slope = _slope(_reader(lagrangian))
    sign = "−" if slope < 0 else "+"
    if abs(abs(slope) - 1) > 1e-9:
        return f"L = f {sign} α·{abs(slope):.3g}(g − 2): a multiple of the constraint serves as well."
    return f"L = f {sign} α(g − 2)."


def _reader(lagrangian):
    ask = function("lagrangian", lagrangian, "x, y and alpha")
    return lambda *point: number("L(x, y, alpha)", ask(*map(float, point)))


def _slope(L):
    """Return c of L = f + c α (x + y − 2), or end the check if L is not of this form."""
    rng = np.random.default_rng(0)
    for x, alpha in [(2.0, 1.0), *rng.normal(size=(5, 2))]:
        y, f = 2 - x, x**2 + (2 - x) ** 2
        value = L(x, y, alpha)
        if abs(value - f) > 1e-9 * (1 + f):
            refuse(
                f"On the line, at ({x:.3g}, {y:.3g}) with alpha = {alpha:.3g}, L must be f = {f:.3g} whatever "
                f"alpha is, got {value:.3g}."
            )
    slopes = []
    for x, y in rng.normal(size=(5, 2)):
        at_zero, at_one, at_two = (L(x, y, alpha) for alpha in (0.0, 1.0, 2.0))
        if abs(at_zero - x**2 - y**2) > 1e-9:
            refuse(
                f"With alpha = 0 only f = x² + y² must be left, but L({x:.3g}, {y:.3g}, 0) is off by "
                f"{at_zero - x**2 - y**2:.3g}."
            )
        slopes.append((at_one - at_zero) / (x + y - 2))
        if abs(at_two - 2 * at_one + at_zero) > 1e-9 * (1 + abs(at_two)):
            refuse("L must be a straight line in alpha: alpha times the constraint.")
    if np.ptp(slopes) > 1e-9 * (1 + abs(slopes[0])) or abs(slopes[0]) < 1e-9:
        refuse("Off the line, L must change with alpha in proportion to x + y − 2.")
    return slopes[0]


@check
def check_smallest_on_the_line(x, y, alpha, lagrangian):
    """Check the optimum of ES p. 52 b: all three derivatives of the reader's own Lagrange function are 0 there.

    Parameters
    ----------
    x, y, alpha : float
    lagrangian : callable
        As in `check_lagrange_function`; it decides the sign of alpha.

    Returns
    -------
    Verdict
    """
    L = _reader(lagrangian)
    try:
        slope = _slope(L)
    except Refusal as refusal:
        refuse(f"First the Lagrange function: {refusal.verdict.message}")
    x, y, alpha = number("x", x), number("y", y), number("alpha", alpha)
    if abs(x + y - 2) > 2e-3:
        refuse(f"The point ({x:.4g}, {y:.4g}) is not on the line: x + y = {x + y:.4g}.")
    for name, value in (("x", x), ("y", y)):
        force = 2 * value + slope * alpha
        if abs(force) > 2e-3 * (1 + abs(slope)):
            hint = "the point is right, the multiplier is not" if abs(x - y) < 2e-3 else "the forces do not balance"
            refuse(f"∂L/∂{name} = {force:.3g} there, not 0: {hint}.")
    return f"All derivatives of L vanish at ({x:.3g}, {y:.3g}), and f is {x * x + y * y:.3g}."


@check
def check_broken_constraint(multipliers):
    """Check the exercise of MW p. 74: a broken constraint lets the Lagrangian exceed every bound.

    After every answer a bound is asked for that this answer does not reach, so that no constant passes.

    Parameters
    ----------
    multipliers : callable
        From the values f0, f1, h at a point and a bound M to a pair (λ, ν). With λ ≥ 0 it makes
        f0 + λ f1 + ν h at least M wherever the point breaks f1 ≤ 0 or h = 0, and at least f0 elsewhere.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> check_broken_constraint(lambda f0, f1, h, M: (M, 0))
    Wrong. h = 1.5 is broken (f0 = 2, f1 = -1), and with λ = 100, ν = 0 the Lagrangian is -98, below M = 100.
    """
    ask = function("multipliers", multipliers, "f0, f1, h and M")
    broken = [("h", (2.0, -1.0, 1.5)), ("h", (2.0, -1.0, -1.5)), ("f1", (-3.0, 0.01, 0.0)), ("f1", (5.0, 2.0, 0.0))]
    broken += [("f1", (-50.0, 1e-3, -2.0)), ("h", (-7.0, 0.0, 1e-3))]
    for name, (f0, f1, h) in broken + [("", (3.0, -2.0, 0.0)), ("", (-1.0, 0.0, 0.0))]:
        place = f"f0 = {f0:g}, f1 = {f1:g}, h = {h:g}"
        M = 100.0
        for _ in range(3):
            weight, price = array(f"(λ, ν) at {place}", ask(f0, f1, h, M), (2,))
            value = f0 + weight * f1 + price * h
            if weight < 0:
                refuse(f"λ may not be negative, got {weight:g} at {place}.")
            if not name and value < f0 - 1e-9:
                refuse(
                    f"At {place} no constraint is broken; the best is to gain nothing, but λ = {weight:g} loses "
                    f"{f0 - value:g}."
                )
            if name and value < M * (1 - 1e-9):
                kept = f"f0 = {f0:g}, f1 = {f1:g}" if name == "h" else f"f0 = {f0:g}, h = {h:g}"
                refuse(
                    f"{name} = {h if name == 'h' else f1:g} is broken ({kept}), and with λ = {weight:g}, "
                    f"ν = {price:g} the Lagrangian is {value:g}, below M = {M:g}."
                )
            M = 10 * max(M, value)
    return "Broken constraints cost without limit, kept ones nothing: sup L is ∞ or f0, so inf sup L = p*."


@check
def check_squared_slack(squared_slack_dual):
    """Check the dual of the squared slack penalty (MW k = 2) on random data, by its quadratic form and its bound.

    The primal is: minimise ½‖w‖² + ½C Σξᵢ² subject to yᵢ(w·xᵢ + b) ≥ 1 − ξᵢ. Only the values αᵀQα at α with
    Σαᵢyᵢ = 0 count.

    Parameters
    ----------
    squared_slack_dual : callable
        From X (n × d), y and C to a pair (Q, upper): the dual is to maximise Σαᵢ − ½αᵀQα subject to Σαᵢyᵢ = 0
        and 0 ≤ αᵢ ≤ upper, where upper may be infinite.

    Returns
    -------
    Verdict
    """
    ask = function("squared_slack_dual", squared_slack_dual, "X, y and C")
    for seed, C in ((0, 0.2), (1, 1.0), (2, 5.0)):
        X, y = two_clouds(n=12, distance=1.5, seed=seed)
        n = len(y)
        Q, upper = parts("squared_slack_dual", ask(X, y, C), ("Q", "upper"))
        Q, upper = array("Q", Q, (n, n)), number("upper", upper, infinite=True)
        if upper != np.inf:
            refuse(
                f"For C = {C:g} you bound α by {upper:g}. Is there still an upper bound? No μ is needed here, since a "
                "negative slack never pays, and αᵢ = C ξᵢ grows with the slack."
            )
        gram = (y[:, None] * X) @ (y[:, None] * X).T
        extra = (Q + Q.T) / 2 - gram
        free = np.eye(n) - np.outer(y, y) / n  # onto the α with Σ αᵢyᵢ = 0
        off = np.abs(free @ (extra - np.eye(n) / C) @ free).max()
        if off > 1e-6 * np.abs(gram).max():
            if off < 1e-2 / C:
                nearly("Q", 7)
            if np.abs(extra - np.diag(np.diag(extra))).max() > 1e-9 * np.abs(gram).max():
                refuse(f"For C = {C:g}: off the diagonal Q must be yᵢyⱼ xᵢ·xⱼ, as without slack.")
            refuse(
                f"For C = {C:g}: off the diagonal Q is right; on it you add {extra[0, 0]:.4g}. What does "
                "∂L/∂ξᵢ = 0 say about ξᵢ?"
            )
    return "On random data your dual is that of the squared slack: Σαᵢ − ½αᵀQα for every α, and no upper bound."
