"""Checks of the exercises of chapter 9. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.datasets import two_clouds
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.optimize import QuadraticProgram, solve_qp
from mlcore.validation import as_array

__all__ = ["check_broken_constraint", "check_lagrange_function", "check_smallest_on_the_line", "check_squared_slack"]


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
    Not yet. On the line, at (2, 0) with alpha = 1, L must be f = 4 whatever alpha is, got 2.
    """
    missing = unanswered(lagrangian=lagrangian)
    if missing is not None:
        return missing
    rng = np.random.default_rng(0)
    try:
        for x, alpha in [(2.0, 1.0), *rng.normal(size=(5, 2))]:
            y, f = 2 - x, x**2 + (2 - x) ** 2
            value = _number("L(x, y, alpha)", lagrangian(x, y, alpha))
            if abs(value - f) > 1e-9 * (1 + f):
                return wrong(
                    f"On the line, at ({x:.3g}, {y:.3g}) with alpha = {alpha:.3g}, L must be f = {f:.3g} whatever "
                    f"alpha is, got {value:.3g}."
                )
        slopes = []
        for x, y in rng.normal(size=(5, 2)):
            at_zero, at_one, at_two = (_number("L(x, y, alpha)", lagrangian(x, y, alpha)) for alpha in (0.0, 1.0, 2.0))
            if abs(at_zero - x**2 - y**2) > 1e-9:
                return wrong(
                    f"With alpha = 0 only f = x² + y² must be left, but L({x:.3g}, {y:.3g}, 0) differs from it."
                )
            slopes.append((at_one - at_zero) / (x + y - 2))
            if abs(at_two - 2 * at_one + at_zero) > 1e-9 * (1 + abs(at_two)):
                return wrong("L must be a straight line in alpha: alpha times the constraint.")
    except (TypeError, ValueError) as error:
        return wrong(f"{error}.")
    if np.ptp(slopes) > 1e-9 or abs(slopes[0]) < 1e-9:
        return wrong("Off the line, L must change with alpha in proportion to x + y − 2.")
    sign = "−" if slopes[0] < 0 else "+"
    if abs(abs(slopes[0]) - 1) > 1e-9:
        return right(f"L = f {sign} α·{abs(slopes[0]):.3g}(g − 2): a multiple of the constraint serves as well.")
    return right(f"L = f {sign} α(g − 2).")


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
    missing = unanswered(x=x, y=y, alpha=alpha, lagrangian=lagrangian)
    if missing is not None:
        return missing
    first = check_lagrange_function(lagrangian)
    if not first.passed:
        return wrong(f"First the Lagrange function: {first.message}")
    try:
        point = np.array([_number(name, value) for name, value in (("x", x), ("y", y), ("alpha", alpha))])
    except ValueError as error:
        return wrong(f"{error}.")
    if abs(point[0] + point[1] - 2) > 1e-6:
        return wrong(
            f"The point ({point[0]:.3g}, {point[1]:.3g}) is not on the line: x + y = {point[0] + point[1]:.3g}."
        )
    step = 1e-4
    for k, name in enumerate(("x", "y")):
        ahead, behind = (lagrangian(*(point + sign * step * np.eye(3)[k])) for sign in (1, -1))
        slope = (ahead - behind) / (2 * step)
        if abs(slope) > 1e-6:
            hint = (
                "the point is right, the multiplier is not" if np.ptp(point[:2]) < 1e-6 else "the forces do not balance"
            )
            return wrong(f"∂L/∂{name} = {slope:.3g} there, not 0: {hint}.")
    return right(
        f"All derivatives of L vanish at ({point[0]:.3g}, {point[1]:.3g}), and f is {point[:2] @ point[:2]:.3g}."
    )


def check_broken_constraint(multipliers):
    """Check the exercise of MW p. 74: a broken constraint lets the Lagrangian exceed every bound.

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
    Not yet. h = 1.5 is broken (f0 = 2, f1 = -1), and with λ = 100, ν = 0 the Lagrangian is -98, below M = 100.
    """
    missing = unanswered(multipliers=multipliers)
    if missing is not None:
        return missing
    broken = [("h", (2.0, -1.0, 1.5)), ("h", (2.0, -1.0, -1.5)), ("f1", (-3.0, 0.01, 0.0)), ("f1", (5.0, 2.0, 0.0))]
    broken += [("f1", (-50.0, 1e-3, -2.0)), ("h", (-7.0, 0.0, 1e-3))]
    for name, (f0, f1, h) in broken + [("", (3.0, -2.0, 0.0)), ("", (-1.0, 0.0, 0.0))]:
        for M in (100.0, 1e6):
            try:
                weight, price = as_array("(λ, ν)", multipliers(f0, f1, h, M), (2,))
            except (TypeError, ValueError, ZeroDivisionError) as error:
                return wrong(f"At f0 = {f0:g}, f1 = {f1:g}, h = {h:g}: {error}.")
            value = f0 + weight * f1 + price * h
            place = f"(f0 = {f0:g}, f1 = {f1:g})" if name == "h" else f"(f0 = {f0:g}, h = {h:g})"
            if weight < 0:
                return wrong(f"λ may not be negative, got {weight:g} at f0 = {f0:g}, f1 = {f1:g}, h = {h:g}.")
            if not name and value < f0 - 1e-9:
                return wrong(
                    f"At f0 = {f0:g}, f1 = {f1:g}, h = {h:g} no constraint is broken; the best is to gain nothing, "
                    f"but λ = {weight:g} loses {f0 - value:g}."
                )
            if name and value < M * (1 - 1e-9):
                broken_value = h if name == "h" else f1
                return wrong(
                    f"{name} = {broken_value:g} is broken {place}, and with λ = {weight:g}, ν = {price:g} the "
                    f"Lagrangian is {value:g}, below M = {M:g}."
                )
    return right("Broken constraints cost without limit, kept ones nothing: sup L is ∞ or f0, so inf sup L = p*.")


def check_squared_slack(squared_slack_dual):
    """Check the dual of the squared slack penalty (MW k = 2) on random data, by its value and its machine.

    The primal is: minimise ½‖w‖² + ½C Σξᵢ² subject to yᵢ(w·xᵢ + b) ≥ 1 − ξᵢ.

    Parameters
    ----------
    squared_slack_dual : callable
        From X (n × d), y and C to a pair (Q, upper): the dual is to maximise Σαᵢ − ½αᵀQα subject to Σαᵢyᵢ = 0
        and 0 ≤ αᵢ ≤ upper, where upper may be infinite.

    Returns
    -------
    Verdict
    """
    missing = unanswered(squared_slack_dual=squared_slack_dual)
    if missing is not None:
        return missing
    for seed, C in ((0, 0.2), (1, 1.0), (2, 5.0)):
        X, y = two_clouds(n=12, distance=1.5, seed=seed)
        primal = _squared_slack_primal(X, y, C)
        try:
            Q, upper = squared_slack_dual(X.copy(), y.copy(), C)
            Q = as_array("Q", Q, (len(y), len(y)))
            upper = float(as_array("upper", upper, (), allow_infinite=True))
            problem = _dual_program(Q, upper, y)
        except (TypeError, ValueError) as error:
            return wrong(f"{error}.")
        result = solve_qp(problem)
        value = -result.value
        if not np.isfinite(value) or abs(value - primal) > 1e-5 * (1 + abs(primal)):
            return wrong(_what_is_wrong(Q, upper, X, y, C, primal, value))
    return right("On random data the dual has the value of the primal, so no gap is left.")


def _squared_slack_primal(X, y, C):
    n, d = X.shape
    rows = -np.column_stack([y[:, None] * X, y, np.eye(n)])
    P = np.diag(np.concatenate([np.ones(d), [0.0], np.full(n, C)]))
    return solve_qp(QuadraticProgram(P, np.zeros(d + 1 + n), rows, -np.ones(n))).value


def _dual_program(Q, upper, y):
    n = len(y)
    G, h = -np.eye(n), np.zeros(n)
    if np.isfinite(upper):
        G, h = np.vstack([G, np.eye(n)]), np.append(h, np.full(n, upper))
    return QuadraticProgram(Q, -np.ones(n), G, h, A=y[None, :], b=[0.0])


def _what_is_wrong(Q, upper, X, y, C, primal, value):
    gap = f"For C = {C:g} the primal value is {primal:.4f}, your dual has {value:.4f}."
    if np.isfinite(upper):
        return f"{gap} Is there still an upper bound? No μ is needed here: a negative slack never pays."
    extra = Q - (y[:, None] * X) @ (y[:, None] * X).T
    off_diagonal = extra - np.diag(np.diag(extra))
    if np.abs(off_diagonal).max() > 1e-9:
        return f"{gap} Off the diagonal Q must be yᵢyⱼ xᵢ·xⱼ, as without slack."
    return f"{gap} Off the diagonal Q is right; on it you add {extra[0, 0]:.4g}. What does ∂L/∂ξᵢ = 0 say about ξᵢ?"


def _number(name, value):
    return float(as_array(name, value, ()))
