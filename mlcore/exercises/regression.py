"""Checks of the exercises of chapter 12. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.optimize import QuadraticProgram, Status, solve_qp
from mlcore.svm import solve_svr_dual, solve_svr_primal
from mlcore.validation import as_array

__all__ = ["check_dual_of_linear_penalty", "check_quadratic_curve", "check_theta_program"]

TOLERANCE = 1e-4
RIVALS = (  # wrong formulas that are easily written, and what is wrong with each
    ("has the sign turned", lambda beta, K, y, C, epsilon: -_value(beta, K, y, epsilon)),
    ("misses the factor ½ of the quadratic term", lambda beta, K, y, C, epsilon: _value(beta, 2 * K, y, epsilon)),
    ("misses ε Σ |β| (Σ β without the bars is 0)", lambda beta, K, y, C, epsilon: _value(beta, K, y, 0)),
    (
        "still has 1/C on the diagonal, which belongs to the quadratic penalty",
        lambda beta, K, y, C, epsilon: _value(beta, K + np.eye(len(y)) / C, y, epsilon),
    ),
)


def check_theta_program(program):
    """Check the reader's quadratic program for a regression line in the variables θ of ES p. 82.

    The program is solved for several sets of samples; the line that its solution stands for must cost no more, in
    the primal, than the best line does.

    Parameters
    ----------
    program : callable
        ``program(x, y, C, epsilon)`` returns P, q, G, h, A, b of the 2m variables θᵢ = αᵢ − αᵢ′ and θₘ₊ᵢ = αᵢ′.

    Returns
    -------
    Verdict
    """
    missing = unanswered(theta_program=program)
    if missing is not None:
        return missing
    for x, y, C, epsilon in _problems():
        m = len(y)
        try:
            posed = QuadraticProgram(*program(x, y, C, epsilon))
        except Exception as error:  # whatever the reader's function raises is an answer to report
            return wrong(f"With m = {m} samples: {type(error).__name__}: {error}.")
        result = solve_qp(posed)  # what goes wrong in here is no answer of the reader's
        if result.status is not Status.OPTIMAL:
            return wrong(f"With m = {m} samples the program is {result.status}. Which bound on θ is missing or turned?")
        if len(result.x) != 2 * m:
            return wrong(f"Expected {2 * m} variables for m = {m} samples, got {len(result.x)}.")
        beta, alpha_star = np.split(result.x, 2)
        alpha = beta + alpha_star
        slip = 1e-5 * C
        if abs(beta.sum()) > slip:
            return wrong(f"The weights α − α′ must sum to 0, got {beta.sum():.3g}. How does this read in θ?")
        for name, values in (("α", alpha), ("α′", alpha_star)):
            if values.min() < -slip or values.max() > C + slip:
                return wrong(
                    f"{name} must stay between 0 and C = {C:g}, but ranges from {values.min():.3g} to "
                    f"{values.max():.3g}."
                )
        best = solve_svr_primal(x[:, None], y, C, epsilon).certificate.primal_value
        price = _line_price(float(beta @ x), x, y, C, epsilon)
        if price > best + TOLERANCE * max(1.0, best):
            return wrong(
                f"The bounds hold, but the line with slope Σ θᵢxᵢ = {beta @ x:.4g} costs {price:.4g}, the best line "
                f"{best:.4g}. Look at P and q: what multiplies θᵢ, and what multiplies θₘ₊ᵢ?"
            )
    return right("On every set of samples your program finds the flattest tube.")


def _problems():
    """Yield sets of samples, the first with m = 4."""
    rng = np.random.default_rng(12)
    for m, C, epsilon in ((4, 2.0, 0.3), (7, 0.2, 0.5), (9, 1.0, 0.1)):
        x = np.sort(rng.uniform(0, 4, m)).round(2)
        yield x, (1 + 0.8 * x + rng.normal(size=m)).round(2), C, epsilon


def _line_price(slope, x, y, C, epsilon):
    """Return the primal objective of the line with this slope and its best offset."""
    rest = y - slope * x
    corners = np.concatenate([rest - epsilon, rest + epsilon])  # where a piecewise linear price can be least
    slack = np.maximum(0, np.abs(rest - corners[:, None]) - epsilon)
    return slope**2 / 2 + C * slack.sum(axis=1).min()


def check_quadratic_curve(fit):
    """Check the reader's regression curve with the kernel of F(x₁, x₂) = (x₁², x₂², √2 x₁x₂) at (x, 1) (ES p. 82).

    The curve must be a parabola, and no parabola may be a better trade of ½‖w‖² against slack.

    Parameters
    ----------
    fit : callable
        ``fit(x, y, C, epsilon)`` returns a function that takes an array of inputs.

    Returns
    -------
    Verdict
    """
    missing = unanswered(fit_curve=fit)
    if missing is not None:
        return missing
    grid = np.linspace(-2.0, 4.0, 7)
    for x, y, C, epsilon in _problems():
        try:
            values = as_array("f(grid)", fit(x, y, C, epsilon)(grid), grid.shape)
        except Exception as error:  # whatever the reader's function raises is an answer to report
            return wrong(f"With {len(x)} samples: {type(error).__name__}: {error}.")
        scale = max(1.0, float(np.abs(values).max()))
        if np.abs(np.diff(values, 3)).max() > 1e-5 * scale:
            return wrong("The curve is no parabola: its third differences are not 0. Which kernel has squares only?")
        square, linear, constant = np.polyfit(grid, values, 2)
        slack = np.maximum(0, np.abs(y - np.polyval((square, linear, constant), x)) - epsilon)
        # F(x, 1) = (x², 1, √2 x): the constant is free, since b can stand for it.
        price = (square**2 + linear**2 / 2) / 2 + C * slack.sum()
        best = solve_svr_dual((np.outer(x, x) + 1) ** 2, y, C, epsilon).certificate.primal_value
        if price > best + TOLERANCE * max(1.0, best):
            return wrong(
                f"A parabola, but with ε = {epsilon:g} and C = {C:g} it costs ½‖w‖² + C Σ ξ = {price:.4g}, and the "
                f"best one {best:.4g}. Are the kernel, the weights β and the offset b those of this problem?"
            )
    return right("A parabola each time, and none is a better trade between ½‖w‖² and slack.")


def check_dual_of_linear_penalty(objective, allowed):
    """Check the reader's dual for the linear penalty, (9.13) of MW p. 49–50, in the variables β.

    For weights that are allowed, the objective must be the minimum of the Lagrangian over w, b and the slacks. The
    Lagrangian is evaluated here from its definition.

    Parameters
    ----------
    objective : callable
        ``objective(beta, K, y, C, epsilon)`` returns the number to maximise.
    allowed : callable
        ``allowed(beta, C)`` tells whether β satisfies the constraints.

    Returns
    -------
    Verdict
    """
    missing = unanswered(objective=objective, allowed=allowed)
    if missing is not None:
        return missing
    rng = np.random.default_rng(9)
    for _ in range(5):
        X, y, beta, C, epsilon = _random_multipliers(rng)
        K = X @ X.T
        lowest = _lagrangian_at_its_minimum(rng, X, y, beta, C, epsilon)
        try:
            value = float(objective(beta, K, y, C, epsilon))
        except Exception as error:  # whatever the reader's function raises is an answer to report
            return wrong(f"objective: {type(error).__name__}: {error}.")
        if abs(value - lowest) > 1e-8 * max(1.0, abs(lowest)):
            return wrong(_what_is_wrong(value, beta, K, y, C, epsilon, lowest))
        for answer, weights, reason in (
            (True, beta, "Σ β = 0 and every |β| is at most C: this β is allowed"),
            (False, beta + C / 50, "Σ β is not 0: moving b then lowers the Lagrangian without end"),
            (False, beta * 1.5 * C / np.abs(beta).max(), "some |β| is above C, so one of the η is negative"),
            (True, beta * C / np.abs(beta).max(), "a |β| may reach C"),
        ):
            try:
                told = bool(allowed(weights, C))
            except Exception as error:  # whatever the reader's function raises is an answer to report
                return wrong(f"allowed: {type(error).__name__}: {error}.")
            if told is not answer:
                return wrong(f"allowed: answers {told} for β = {weights.round(3).tolist()}, C = {C:.3g}, but {reason}.")
    return right(
        "Your objective is the lowest value of the Lagrangian for every β tried, and your constraints are right."
    )


def _random_multipliers(rng):
    """Return a random problem and weights β with Σ β = 0 and |β| < C, of both signs."""
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    beta = rng.normal(size=6)
    beta -= beta.mean()
    return X, y, beta, float(np.abs(beta).max() * rng.uniform(1.1, 2)), float(rng.uniform(0.1, 0.5))


def _lagrangian_at_its_minimum(rng, X, y, beta, C, epsilon):
    """Return the Lagrangian at w = Σ βᵢxᵢ; any offset and any slack give the same value."""
    alpha, alpha_star = np.maximum(beta, 0), np.maximum(-beta, 0)
    w, b = X.T @ beta, rng.normal()
    xi, xi_star = rng.exponential(size=(2, len(y)))
    eta, eta_star = C - alpha, C - alpha_star
    error = y - X @ w - b
    return (
        w @ w / 2 + C * (xi + xi_star).sum() - eta @ xi - eta_star @ xi_star
        - alpha @ (epsilon + xi - error) - alpha_star @ (epsilon + xi_star + error)
    )  # fmt: skip


def _value(beta, K, y, epsilon):
    return float(beta @ y - epsilon * np.abs(beta).sum() - beta @ K @ beta / 2)


def _what_is_wrong(value, beta, K, y, C, epsilon, lowest):
    for fault, rival in RIVALS:
        if np.isclose(value, rival(beta, K, y, C, epsilon), rtol=1e-8):
            return f"objective: your formula {fault}."
    return (
        f"objective: for β = {beta.round(3).tolist()} the Lagrangian's lowest value is {lowest:.4g}, your formula "
        f"gives {value:.4g}."
    )
