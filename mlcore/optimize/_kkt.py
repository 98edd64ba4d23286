"""The Karush-Kuhn-Tucker conditions of our problems, each violation by its name.

Conventions (those of `mlcore.optimize`)::

    minimise   ½ xᵀPx + qᵀx   subject to   Gx ≤ h (multipliers z),   Ax = b (multipliers y)

    stationarity    Px + q + Gᵀz + Aᵀy = 0     the forces on x balance
    primal          Gx ≤ h and Ax = b          x keeps the constraints
    dual            z ≥ 0                      a wall pushes, it never pulls
    complementary   zᵢ (h − Gx)ᵢ = 0           only a wall that is touched pushes

For a convex program the four together are equivalent to optimality, so every certificate of a quadratic program is
computed here. Solvers of special problems know more about them, and scale the same four conditions on their own.
"""

import numpy as np

from mlcore.optimize._certificate import Certificate, KKTResiduals
from mlcore.optimize._equilibration import ScaledProgram, natural_units
from mlcore.optimize._linear_program import LinearProgram
from mlcore.validation import as_array, as_positive

FLOOR = 1e-3  # violations are relative to their terms, but to no less than this fraction of the natural size


def kkt_residuals(problem, x, inequality_multipliers=(), equality_multipliers=(), *, units=None):
    """Return by how much a point and its multipliers violate each optimality condition of a program.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram or mlcore.optimize.LinearProgram
        A linear program is read as minimisation (of −c·x if it maximises).
    x : array_like, shape (n,)
        In the units of the problem, as are the multipliers.
    inequality_multipliers : array_like, shape (m,)
        z of Gx ≤ h. For a linear program: of the rows of `A_ub`, then of the finite lower bounds, written
        −x ≤ −lower, then of the finite upper bounds.
    equality_multipliers : array_like, shape (p,)
        y of Ax = b or of the rows of `A_eq`.
    units : mlcore.optimize.Units, optional
        The natural units of the problem, if they are known already.

    Returns
    -------
    KKTResiduals
        Without unit: each violation is divided by the size of its own terms, or by 1e-3 of the natural size of its
        row or column where the terms are smaller than that.

    Raises
    ------
    ValueError
        Something that is no program, shapes that do not fit it, or numbers that are not finite.

    Notes
    -----
    MW p. 75, (A.8) to (A.12); ES p. 46–47.

    Examples
    --------
    >>> from mlcore.optimize import QuadraticProgram
    >>> parabola = QuadraticProgram(P=[[2]], q=[0], G=[[-1]], h=[-1])  # minimise x² for x ≥ 1
    >>> kkt_residuals(parabola, [1], [2]).largest
    0.0
    >>> print(kkt_residuals(parabola, [1], [1]))  # a wall that pushes with half the force it takes
    stationarity 5.0e-01, primal < 1e-6, dual < 1e-6, complementary < 1e-6
    """
    program = _as_program(problem)
    x = as_array("x", x, program.q.shape)
    z = as_array("inequality_multipliers", inequality_multipliers, program.h.shape)
    y = as_array("equality_multipliers", equality_multipliers, program.b.shape)
    units = natural_units(program) if units is None else units
    d, e, f, _, unit = units
    with np.errstate(all="ignore"):  # numbers near 1e200 overflow, which the residuals tell
        Px, Gz, Ay = program.P @ x, program.G.T @ z, program.A.T @ y
        slack, misfit = program.h - program.G @ x, program.A @ x - program.b
        force_size = FLOOR * unit + max(np.abs(d * force).max() for force in (Px, program.q, Gz, Ay))
        inequality_size = e * np.abs(program.h) + FLOOR * (1 + e * (abs(program.G) @ np.abs(x)))
        equality_size = f * np.abs(program.b) + FLOOR * (1 + f * (abs(program.A) @ np.abs(x)))
        outside = e * np.maximum(-slack, 0) / inequality_size, f * np.abs(misfit) / equality_size
        return KKTResiduals(
            stationarity=_largest(d * (Px + program.q + Gz + Ay) / force_size),
            primal=_largest(np.concatenate(outside)),
            dual=_largest(np.maximum(-z, 0) / e / force_size),  # 1 / e is the force of a unit of the multiplier
            complementary=_largest(z * slack / _value_size(units, *_values(program, x, z, y))),
        )


def optimality(problem, x, inequality_multipliers, equality_multipliers, units=None):
    """Return the certificate of a point and its multipliers, and the error that decides about "optimal".

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    x, inequality_multipliers, equality_multipliers : numpy.ndarray, shapes (n,), (m,), (p,)
        As in `kkt_residuals`, but they need not be finite.
    units : mlcore.optimize.Units, optional

    Returns
    -------
    certificate : mlcore.optimize.Certificate
        Primal value, dual value −½ xᵀPx − hᵀz − bᵀy, their gap and the largest of the `kkt_residuals`.
    error : float
        That residual or the relative gap, whichever is larger; infinite where something is not finite.

    Examples
    --------
    >>> from mlcore.optimize import QuadraticProgram
    >>> parabola = QuadraticProgram(P=[[2]], q=[0], G=[[-1]], h=[-1])
    >>> certificate, error = optimality(parabola, np.array([1.0]), np.array([2.0]), np.zeros(0))
    >>> certificate.primal_value, certificate.dual_value, error < 1e-12
    (1.0, 1.0, True)
    """
    z, y = inequality_multipliers, equality_multipliers
    units = natural_units(problem) if units is None else units
    with np.errstate(all="ignore"):
        primal, dual = _values(problem, x, z, y)
        gap = abs(primal - dual)
        if not all(np.isfinite(part).all() for part in (x, z, y)):
            return Certificate(primal, dual, gap, np.inf), np.inf
        certificate = Certificate.of_optimum(primal, dual, kkt_residuals(problem, x, z, y, units=units))
        # The values are sums: beside terms that nearly cancel, a small gap proves nothing.
        terms = np.abs(x) @ (np.abs(problem.P) @ np.abs(x)) + np.abs(problem.q) @ np.abs(x)
        terms += np.abs(problem.h) @ np.abs(z) + np.abs(problem.b) @ np.abs(y)
        relative_gap = (gap + np.finfo(float).eps * terms) / _value_size(units, primal, dual)
        error = float(np.max([certificate.residual, relative_gap]))  # NaN stays NaN
    return certificate, error if np.isfinite(error) else np.inf


def margin_kkt_residuals(K, y, C, alpha, b):
    """Return by how much a support vector machine violates each optimality condition of its margin problem.

    Two unknowns of the primal are taken at their best, w = Σ αᵢyᵢφ(xᵢ) and ξᵢ = max(0, 1 − yᵢf(xᵢ)), and
    μᵢ = C − αᵢ prices ξᵢ ≥ 0. What is left to check::

        stationarity    Σ αᵢyᵢ = 0                                     (b is free)
        primal          yᵢ f(xᵢ) ≥ 1                                   (hard margin; slack makes it true)
        dual            αᵢ ≥ 0 and μᵢ ≥ 0
        complementary   αᵢ (yᵢf(xᵢ) − 1 + ξᵢ) = 0 and μᵢ ξᵢ = 0

    Parameters
    ----------
    K : array_like, shape (n, n)
        Kernel matrix of the training points.
    y : array_like, shape (n,)
        Labels +1 and −1.
    C : float
        Price of a unit of slack; infinity is the hard margin.
    alpha : array_like, shape (n,)
    b : float

    Returns
    -------
    KKTResiduals
        Relative to the largest α, to the margin 1, to the largest α, and to the largest α times the margin 1.

    Raises
    ------
    ValueError
        Wrong shapes, numbers that are not finite, other labels, or C ≤ 0.

    Notes
    -----
    MW (8.25) to (8.33), ES p. 48–50, HJ.

    Examples
    --------
    >>> K, y = [[8, 0], [0, 0]], [1, -1]  # the points (2, 2) and (0, 0)
    >>> margin_kkt_residuals(K, y, np.inf, [0.25, 0.25], -1).largest
    0.0
    >>> print(margin_kkt_residuals(K, y, 0.125, [0.25, 0.25], -1))
    stationarity < 1e-6, primal < 1e-6, dual 5.0e-01, complementary < 1e-6
    """
    K = as_array("K", K, ("n", "n"))
    y = as_array("y", y, (len(K),))
    if not set(y) <= {-1.0, 1.0}:
        raise ValueError(f"y: expected labels +1 and -1, got {sorted(set(y))[:5]}")
    C = as_positive("C", C, allow_infinite=True)
    alpha, b = as_array("alpha", alpha, (len(K),)), float(as_array("b", b, ()))
    margins = y * (K @ (alpha * y) + b)
    missing = np.maximum(0, 1 - margins)
    hard = np.isinf(C)
    slack = np.zeros_like(missing) if hard else missing
    mu = np.zeros_like(alpha) if hard else C - alpha
    size = _largest(alpha) or 1.0
    return KKTResiduals(
        stationarity=float(abs(alpha @ y) / size),
        primal=_largest(missing) if hard else 0.0,
        dual=_largest(np.maximum(0, -np.concatenate([alpha, mu])) / size),
        complementary=_largest(np.concatenate([alpha * (margins - 1 + slack), mu * slack]) / size),
    )


def _as_program(problem):
    if not isinstance(problem, LinearProgram):
        if not all(hasattr(problem, name) for name in ScaledProgram._fields):
            raise ValueError(f"problem: expected a QuadraticProgram or a LinearProgram, got {problem!r}")
        return problem
    n, (G, h) = problem.c.size, problem.inequalities()
    return ScaledProgram(
        np.zeros((n, n)), -problem.c if problem.maximize else problem.c, G, h, problem.A_eq, problem.b_eq
    )


def _values(program, x, z, y):
    """Return the primal and the dual value."""
    half = x @ (program.P @ x) / 2
    return float(half + program.q @ x), float(-half - program.h @ z - program.b @ y)


def _value_size(units, primal, dual):
    # No more than 1 is added, so that the gap is never larger than a certificate prints it.
    return min(FLOOR * units.value, 1.0) + max(abs(primal), abs(dual))


def _largest(violations):
    return float(np.abs(violations).max(initial=0.0))
