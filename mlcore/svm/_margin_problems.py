"""The quadratic programs of the widest margin, primal and dual, for labels +1 and −1.

Conventions::

    primal  minimise  ½‖w‖² + C Σ ξᵢ          subject to  yᵢ f(xᵢ) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
    dual    maximise  Σ αᵢ − ½ αᵀQα           subject to  0 ≤ αᵢ ≤ C,  Σ yᵢαᵢ = 0,   Qᵢⱼ = yᵢyⱼ k(xᵢ, xⱼ)
    link    w = Σ αᵢyᵢ φ(xᵢ),   f(x) = ⟨w, φ(x)⟩ + b

C = ∞ is the hard margin: no ξ, no upper bound of α. Both functions, and `mlcore.svm`, hand over α alone and let
`margin_solution` derive all the rest from it, so that their results can be compared and carry the same certificate.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.optimize import lsq_linear

from mlcore.errors import NotAKernel
from mlcore.optimize import Certificate, KKTResiduals, QuadraticProgram, Status, box_constraints, solve_qp
from mlcore.svm._gram_rows import RowStore
from mlcore.validation import as_array, as_positive

__all__ = ["MarginSolution", "margin_solution", "refined", "solve_dual", "solve_primal"]

TOLERANCE = 1e-6  # largest relative gap and scaled residual that count as optimal, or as proof
TARGET = 1e-10  # a residual that needs no further step; multipliers this close to a bound are at the bound
ROUNDING = 1e-14  # error of a margin, relative to the size of f
ACTIVE_SET_STEPS = 10


@dataclass(frozen=True, eq=False)
class MarginSolution:
    """A margin problem and how its solution ended.

    Attributes
    ----------
    alpha : numpy.ndarray of shape (n,)
        Multipliers of the training points (NaN when infeasible).
    coefficients : numpy.ndarray of shape (n,)
        αᵢyᵢ, the weights of the points in w and f.
    w : numpy.ndarray of shape (d,) or None
        Normal vector; None where the points are known by their kernel matrix alone.
    b : float
        Offset: from the support vectors strictly between the bounds, or, if there is none, the middle of the
        interval of optimal offsets.
    margins : numpy.ndarray of shape (n,)
        yᵢ f(xᵢ).
    slack : numpy.ndarray of shape (n,)
        ξᵢ = max(0, 1 − yᵢ f(xᵢ)).
    norm : float
        ‖w‖ in feature space.
    support : numpy.ndarray of int
        Positions of the support vectors, αᵢ > 0.
    status : mlcore.optimize.Status
        "optimal" if relative gap and residual are below 1e-6 (`mlcore.svm`: or below its tolerance).
    certificate : mlcore.optimize.Certificate
        Objectives of the primal and the dual, their gap and the largest violation of the conditions
        αᵢ = 0 ⇒ yᵢf(xᵢ) ≥ 1, 0 < αᵢ < C ⇒ yᵢf(xᵢ) = 1, αᵢ = C ⇒ yᵢf(xᵢ) ≤ 1 and Σ yᵢαᵢ = 0. Infeasible: the
        ray holds weights uᵢ ≥ 0 of the points, Σ uᵢ = 1, with Σ uᵢyᵢ = 0 and Σ uᵢyᵢφ(xᵢ) = 0: the convex hulls of
        both classes share a point, which no plane can have on two sides. The residual is the length of the latter
        sum, relative to the longest φ(xᵢ).
    iterations : int
        Of the solver: interior-point iterations, or pair updates.
    """

    alpha: np.ndarray
    coefficients: np.ndarray
    w: np.ndarray | None
    b: float
    margins: np.ndarray
    slack: np.ndarray
    norm: float
    support: np.ndarray
    status: Status
    certificate: Certificate
    iterations: int = 0


def solve_primal(X, y, C=1.0):
    """Solve the primal margin problem in the variables w, b and ξ.

    Parameters
    ----------
    X : array_like of shape (n, d)
    y : array_like of shape (n,)
        Labels +1 and −1, both present.
    C : float
        Price of a unit of slack; infinity demands a hard margin.

    Returns
    -------
    MarginSolution
        With status optimal, infeasible, iteration limit or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, other labels, one class alone, or C ≤ 0.

    Notes
    -----
    ES p. 31 (hard margin) and p. 34 (slack).

    Examples
    --------
    >>> solution = solve_primal([[2, 2], [0, 0]], [1, -1], C=np.inf)
    >>> solution.w.round(6).tolist(), round(solution.b, 6)
    ([0.5, 0.5], -1.0)
    """
    X = as_array("X", X, ("n", "d"))
    y = _as_labels(y, len(X))
    C = as_positive("C", C, allow_infinite=True)
    n, d = X.shape
    centre = X.mean(axis=0)  # moves b alone, and saves the digits of points far from the origin
    X = X - centre
    separate = -y[:, None] * np.column_stack([X, np.ones(n)])  # −yᵢ(w·xᵢ + b) ≤ −1
    if np.isinf(C):
        problem = QuadraticProgram(P=np.diag([1.0] * d + [0.0]), q=np.zeros(d + 1), G=separate, h=-np.ones(n))
    else:
        price = np.concatenate([np.zeros(d + 1), np.full(n, C)])
        no_bonus, identity = sparse.csr_array((n, d + 1)), sparse.eye_array(n)
        problem = QuadraticProgram(
            P=sparse.diags_array([1.0] * d + [0.0] * (n + 1)),
            q=price,
            G=sparse.block_array([[separate, -identity], [no_bonus, -identity]]),
            h=np.concatenate([-np.ones(n), np.zeros(n)]),
        )
    result = solve_qp(problem)
    if result.status is Status.INFEASIBLE:
        return _inseparable(result.certificate.ray[:n], X @ X.T, y, X)
    solution = refined(result.inequality_multipliers[:n], X @ X.T, y, C, result.status, X)
    return replace(solution, b=solution.b - float(solution.w @ centre), iterations=result.iterations)


def solve_dual(K, y, C=1.0):
    """Solve the dual margin problem in the multipliers α.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Kernel matrix of the training points.
    y : array_like of shape (n,)
        Labels +1 and −1, both present.
    C : float
        Upper bound of the multipliers; infinity demands a hard margin.

    Returns
    -------
    MarginSolution
        With status optimal, infeasible, iteration limit or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, a matrix that is not symmetric, other labels, one class
        alone, or C ≤ 0.
    NotAKernel
        A matrix with a negative eigenvalue.

    Notes
    -----
    ES p. 39 (hard margin) and p. 50 (slack).

    Examples
    --------
    >>> X = np.array([[2.0, 2.0], [0.0, 0.0]])
    >>> solution = solve_dual(X @ X.T, [1, -1], C=np.inf)
    >>> solution.alpha.round(6).tolist(), round(solution.norm, 5)
    ([0.25, 0.25], 0.70711)
    """
    K = as_array("K", K, ("n", "n"))
    if K.shape[0] != K.shape[1] or not np.allclose(K, K.T, rtol=1e-10, atol=1e-10 * np.abs(K).max(initial=0)):
        raise ValueError(f"K: expected a symmetric kernel matrix, got shape {K.shape} or unequal halves")
    y = _as_labels(y, len(K))
    C = as_positive("C", C, allow_infinite=True)
    n = len(y)
    G, h = box_constraints(np.zeros(n), np.full(n, C))
    try:
        problem = QuadraticProgram(P=y[:, None] * K * y, q=-np.ones(n), G=G, h=h, A=y[None, :], b=np.zeros(1))
    except ValueError as error:
        least = np.linalg.eigvalsh(K)[0]
        raise NotAKernel(f"K: expected a positive semidefinite matrix, got one with eigenvalue {least:.3g}") from error
    result = solve_qp(problem)
    if result.status is Status.UNBOUNDED:
        return _inseparable(result.certificate.ray, K, y)
    return replace(refined(result.x, K, y, C, result.status), iterations=result.iterations)


def margin_solution(alpha, K, y, C, status=Status.NOT_CONVERGED, X=None):
    """Derive the machine from its multipliers, and judge it by the problem's own data.

    Parameters
    ----------
    alpha : numpy.ndarray of shape (n,)
        Multipliers found by some solver; they are clipped to [0, C].
    K : numpy.ndarray of shape (n, n) or mlcore.svm.RowStore
        Kernel matrix of the training points.
    y : numpy.ndarray of shape (n,)
        Labels +1 and −1.
    C : float
        May be infinite.
    status : mlcore.optimize.Status
        How the solver says it ended; kept only if the certificate is not good enough for "optimal".
    X : numpy.ndarray of shape (n, d), optional
        The points themselves, if the kernel is linear.

    Returns
    -------
    MarginSolution

    Examples
    --------
    >>> K, y = np.array([[8.0, 0.0], [0.0, 0.0]]), np.array([1.0, -1.0])
    >>> solution = margin_solution(np.array([0.25, 0.25]), K, y, np.inf)
    >>> str(solution.status), solution.b
    ('optimal', -1.0)
    """
    alpha = _at_bounds(alpha, C)
    coefficients = alpha * y
    through_origin = K @ coefficients  # f without b
    b = _offset(alpha, y - through_origin, y, C)
    margins = y * (through_origin + b)
    slack = np.maximum(0, 1 - margins)
    slack[slack <= ROUNDING * (1 + np.abs(through_origin).max())] = 0  # which a large C would make count
    squared_norm = max(0.0, float(coefficients @ through_origin))
    primal = squared_norm / 2 + (0.0 if np.isinf(C) else C * float(slack.sum()))
    dual = float(alpha.sum()) - squared_norm / 2
    size = _size(alpha)
    conditions = KKTResiduals(
        stationarity=float(abs(coefficients.sum()) / size),
        primal=float(slack.max()) if np.isinf(C) else 0.0,
        dual=0.0,  # α was clipped to [0, C]
        complementary=float(np.abs(_gradient_step(alpha, margins, C, size) - alpha).max() / size),
    )
    certificate = Certificate.of_optimum(primal, dual, conditions)
    relative_gap = certificate.gap / max(abs(primal), abs(dual), np.finfo(float).tiny)
    if max(certificate.residual, relative_gap) <= TOLERANCE:
        status = Status.OPTIMAL
    elif status is Status.OPTIMAL:
        status = Status.NOT_CONVERGED
    return MarginSolution(
        alpha=alpha,
        coefficients=coefficients,
        w=None if X is None else X.T @ coefficients,
        b=b,
        margins=margins,
        slack=slack,
        norm=float(np.sqrt(squared_norm)),
        support=np.flatnonzero(alpha),
        status=status,
        certificate=certificate,
    )


def refined(alpha, K, y, C, status, X=None):
    """Return the solution of full accuracy near an approximate one, by a primal-dual active set method.

    Parameters
    ----------
    alpha : numpy.ndarray of shape (n,)
        From a solver that has found most of the support vectors.
    K, y, C, status, X
        As for `margin_solution`.

    Returns
    -------
    MarginSolution
        The best one met, which may be that of `alpha` itself.

    Notes
    -----
    Hintermüller, Ito, Kunisch, "The primal-dual active set strategy as a semismooth Newton method", 2002.

    Examples
    --------
    >>> K, y = np.array([[8.0, 0.0], [0.0, 0.0]]), np.array([1.0, -1.0])
    >>> refined(np.array([0.26, 0.24]), K, y, 10.0, Status.OPTIMAL).alpha.round(9).tolist()
    [0.25, 0.25]
    """
    K = K if isinstance(K, RowStore) else RowStore.of_matrix(K)
    solution = best = margin_solution(np.nan_to_num(alpha), K, y, C, status, X)
    for _ in range(ACTIVE_SET_STEPS):
        if best.certificate.residual <= TARGET and best.status is Status.OPTIMAL:  # C magnifies the gap
            break
        solution = margin_solution(_active_set_step(solution, K, y, C), K, y, C, status, X)
        before, now = best.certificate.residual, solution.certificate.residual
        best = solution if now < before else best
        if before <= TOLERANCE and now > before / 2:
            break
    return best


def _gradient_step(alpha, margins, C, length):
    """Step along the gradient of the dual, 1 − margins, and back into the box: α stays where it is optimal."""
    return np.clip(alpha + length * (1 - margins), 0, C)


def _active_set_step(solution, K, y, C):
    """Fix what a gradient step takes to a bound, and solve the conditions of the rest, which are linear.

    The conditions are yᵢ f(xᵢ) = 1 on the free points and Σ αᵢyᵢ = 0; the unknowns are a step of the free α within
    their bounds, in units of the largest α, and a step of b.
    """
    size = _size(solution.alpha)
    steepness = float(K.diagonal.mean())  # change of a margin by a unit of its own α
    alpha = _gradient_step(solution.alpha, solution.margins, C, size / max(1, size * steepness))
    free = (alpha > 0) & (alpha < C)
    alpha[free] = solution.alpha[free]
    signs = y[free]
    system = np.block(
        [[size * signs[:, None] * K.block(np.flatnonzero(free)) * signs, signs[:, None]], [signs, np.zeros(1)]]
    )
    missing = np.append(1 - signs * ((K @ (alpha * y))[free] + solution.b), -(alpha @ y) / size)
    bounds = np.append(-alpha[free] / size, -np.inf), np.append((C - alpha[free]) / size, np.inf)
    unit = np.abs(missing).max() or 1.0  # lsq_linear stops at an absolute error
    step = lsq_linear(system, missing / unit, [bound / unit for bound in bounds], method="bvls", tol=1e-15).x
    alpha[free] += unit * size * step[:-1]
    return alpha


def _size(alpha):
    return alpha.max() or 1.0


def _at_bounds(alpha, C):
    """Clip to [0, C], and move what is within rounding of a bound onto it."""
    alpha = np.clip(alpha, 0, C)
    near = TARGET * _size(alpha)
    alpha[alpha <= near] = 0
    alpha[alpha >= C - near] = C
    return alpha


def _offset(alpha, target, y, C):
    """Return b: f(xᵢ) = yᵢ asks for b = target on every free point, and for an inequality on the others."""
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(target[free].mean())
    at_least = (alpha == 0) == (y > 0)
    bounds = np.array([target[at_least].max(initial=-np.inf), target[~at_least].min(initial=np.inf)])
    return float(bounds[np.isfinite(bounds)].mean())


def _inseparable(weights, K, y, X=None):
    """Turn a ray of the quadratic program into weights of the points, Σ uᵢ = 1."""
    u = np.maximum(weights, 0)
    u = u / u.sum()
    signed = u * y
    size = np.sqrt(np.diag(K).max(initial=0)) or 1.0
    distance = np.sqrt(max(0.0, float(signed @ K @ signed))) if X is None else np.linalg.norm(X.T @ signed)
    residual = max(float(distance) / size, abs(float(signed.sum())))
    proven = residual <= TOLERANCE
    missing = np.full(len(y), np.nan)
    return MarginSolution(
        alpha=missing,
        coefficients=missing,
        w=None if X is None else np.full(X.shape[1], np.nan),
        b=np.nan,
        margins=missing,
        slack=missing,
        norm=np.nan,
        support=np.arange(0),
        status=Status.INFEASIBLE if proven else Status.NOT_CONVERGED,
        certificate=Certificate(np.nan, np.nan, np.nan, residual, u),
    )


def _as_labels(y, n):
    y = as_array("y", y, (n,))
    if set(y) != {-1.0, 1.0}:
        raise ValueError(f"y: expected labels +1 and -1, both present, got {sorted(set(y))[:5]}")
    return y
