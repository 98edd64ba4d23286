"""Checks of the exercises of chapter 12. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.exercises._answers import agree, array, function, number, parts, truth
from mlcore.exercises._verdict import check, refuse
from mlcore.optimize import QuadraticProgram, Status, solve_qp
from mlcore.svm import solve_svr_dual, solve_svr_primal

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


@check
def check_theta_program(theta_program):
    """Check the reader's quadratic program for a regression line in the variables θ of ES p. 82.

    The program is solved for several sets of samples; its bounds must be those of the dual, and its line must have
    the slope of the best one, which is unique.

    Parameters
    ----------
    theta_program : callable
        ``theta_program(x, y, C, epsilon)`` returns P, q, G, h, A, b of the 2m variables θᵢ = αᵢ − αᵢ′ and
        θₘ₊ᵢ = αᵢ′.

    Returns
    -------
    Verdict
    """
    ask = function("theta_program", theta_program, "x, y, C and epsilon")
    for x, y, C, epsilon in _problems():
        m = len(y)
        P, q, G, h, A, b = parts("theta_program", ask(x, y, C, epsilon), ("P", "q", "G", "h", "A", "b"))
        P, q = array("P", P, (2 * m, 2 * m)), array("q", q, (2 * m,))
        G, A = array("G", G, ("rows", 2 * m)), array("A", A, ("rows", 2 * m))
        h, b = array("h", h, (len(G),)), array("b", b, (len(A),))
        P = (P + P.T) / 2  # which is all that θᵀPθ sees
        lowest = np.linalg.eigvalsh(P)[0]
        if lowest < -1e-9 * max(1.0, np.abs(P).max()):
            refuse(f"P: expected a matrix without negative eigenvalues; its lowest one is {lowest:.3g}.")
        result = solve_qp(QuadraticProgram(P, q, G, h, A, b))
        if result.status is not Status.OPTIMAL:
            refuse(f"With m = {m} samples the program is {result.status}. Which bound on θ is missing or turned?")
        beta, alpha_star = np.split(result.x, 2)
        alpha = beta + alpha_star
        slip = 1e-5 * C
        if abs(beta.sum()) > slip:
            refuse(f"The weights α − α′ must sum to 0, got {beta.sum():.3g}. How does this read in θ?")
        for name, values in (("α", alpha), ("α′", alpha_star)):
            if values.min() < -slip or values.max() > C + slip:
                refuse(
                    f"{name} must stay between 0 and C = {C:g}, but ranges from {values.min():.3g} to "
                    f"{values.max():.3g}."
                )
        best = solve_svr_primal(x[:, None], y, C, epsilon)
        if abs(beta @ x - best.w[0]) > TOLERANCE * max(1.0, abs(best.w[0])):
            refuse(
                f"The bounds hold, but with m = {m} samples the slope Σ θᵢxᵢ is {beta @ x:.4g}, and the best line has "
                f"{best.w[0]:.4g}. Look at P and q: what multiplies θᵢ, and what multiplies θₘ₊ᵢ?"
            )
    return "On every set of samples your program finds the flattest tube."


def _problems():
    """Yield sets of samples, the first with m = 4."""
    rng = np.random.default_rng(12)
    for m, C, epsilon in ((4, 2.0, 0.3), (7, 0.2, 0.5), (9, 1.0, 0.1)):
        x = np.sort(rng.uniform(0, 4, m)).round(2)
        yield x, (1 + 0.8 * x + rng.normal(size=m)).round(2), C, epsilon


@check
def check_quadratic_curve(fit_curve):
    """Check the reader's regression curve with the kernel of F(x₁, x₂) = (x₁², x₂², √2 x₁x₂) at (x, 1) (ES p. 82).

    The curve must be a parabola, with the square and the slope of the best one, which are unique, and no worse an
    offset.

    Parameters
    ----------
    fit_curve : callable
        ``fit_curve(x, y, C, epsilon)`` returns a function that takes an array of inputs, or a fitted estimator that
        predicts from a column of them.

    Returns
    -------
    Verdict
    """
    ask = function("fit_curve", fit_curve, "x, y, C and epsilon")
    grid = np.linspace(-2.0, 4.0, 7)
    for x, y, C, epsilon in _problems():
        curve = function("The function that fit_curve returns", ask(x, y, C, epsilon), "an array of inputs")
        values = array("f(grid)", curve(grid), grid.shape)
        scale = max(1.0, float(np.abs(values).max()))
        if np.abs(np.diff(values, 3)).max() > 1e-5 * scale:
            refuse("The curve is no parabola: its third differences are not 0. Which kernel has squares only?")
        square, linear, constant = np.polyfit(grid, values, 2)
        best = solve_svr_dual((np.outer(x, x) + 1) ** 2, y, C, epsilon)
        # F(x, 1) = (x², 1, √2 x): the constant is free, since b can stand for it.
        agree(
            "A parabola, but (square, linear) of it",
            [square, linear],
            [best.coefficients @ x**2, 2 * best.coefficients @ x],
            hint="Are the kernel and the weights β those of this problem?",
        )
        slack = np.maximum(0, np.abs(y - np.polyval((square, linear, constant), x)) - epsilon)
        price = (square**2 + linear**2 / 2) / 2 + C * slack.sum()
        lowest = best.certificate.primal_value
        if price > lowest + 3e-3 * max(1.0, lowest):
            refuse(
                f"A parabola of the right shape, but with ε = {epsilon:g} and C = {C:g} it costs ½‖w‖² + C Σ ξ = "
                f"{price:.4g}, and the best one {lowest:.4g}. Is the offset b that of this problem?"
            )
    return "A parabola each time, and none is a better trade between ½‖w‖² and slack."


@check
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
    value_of = function("objective", objective, "beta, K, y, C and epsilon")
    is_allowed = function("allowed", allowed, "beta and C")
    rng = np.random.default_rng(9)
    for _ in range(5):
        X, y, beta, C, epsilon = _random_multipliers(rng)
        K = X @ X.T
        lowest = _lagrangian_at_its_minimum(rng, X, y, beta, C, epsilon)
        value = number("objective", value_of(beta, K, y, C, epsilon))
        if abs(value - lowest) > 1e-8 * max(1.0, abs(lowest)):
            refuse(_what_is_wrong(value, beta, K, y, C, epsilon, lowest))
        edge = beta * C / np.abs(beta).max()
        for answer, weights, reason in (
            (True, beta, "Σ β = 0 and every |β| is at most C: this β is allowed"),
            (False, beta + C / 50, "Σ β is not 0: moving b then lowers the Lagrangian without end"),
            (False, beta - C / 50, "Σ β is not 0: moving b then lowers the Lagrangian without end"),
            (False, 1.5 * edge, "some |β| is above C, so one of the η is negative"),
            (False, -1.5 * edge, "some |β| is above C, so one of the η is negative"),
            (True, edge, "a |β| may reach C"),
            (True, -edge, "a |β| may reach C"),
        ):
            told = truth("allowed", is_allowed(weights, C))
            if told is not answer:
                refuse(f"allowed: answers {told} for β = {weights.round(3).tolist()}, C = {C:.3g}, but {reason}.")
    return "Your objective is the lowest value of the Lagrangian for every β tried, and your constraints are right."


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
