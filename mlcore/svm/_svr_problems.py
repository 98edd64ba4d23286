"""The quadratic programs of the flattest tube, primal and dual, for targets y.

Conventions::

    primal  minimise  ½‖w‖² + penalty(ξ) + penalty(ξ′)
            subject to  yᵢ − f(xᵢ) ≤ ε + ξᵢ,  f(xᵢ) − yᵢ ≤ ε + ξᵢ′,  ξᵢ, ξᵢ′ ≥ 0
    dual    maximise  yᵀβ − ε Σ (αᵢ + αᵢ′) − ½ βᵀ(K + R)β     subject to  Σ βᵢ = 0,   β = α − α′
    link    w = Σ βᵢ φ(xᵢ),   f(x) = ⟨w, φ(x)⟩ + b

    loss    penalty(ξ)     R      bounds
    "l1"    C Σ ξᵢ         0      0 ≤ αᵢ, αᵢ′ ≤ C      ES ch. 8, MW (9.11)–(9.14)
    "l2"    ½ C Σ ξᵢ²      I/C    0 ≤ αᵢ, αᵢ′          MW (9.1)–(9.9); ξᵢ = αᵢ/C, ξᵢ′ = αᵢ′/C

α belongs to the upper edge of the tube and α′ to the lower one, as in ES; MW has them the other way round (α̂ above,
α below). Without the factor ½ in the quadratic penalty R would be I/(2C). C = ∞ is the hard tube: no ξ, R = 0, no
upper bound. At the optimum αᵢαᵢ′ = 0, so β alone tells both. All functions here, and `mlcore.svm`, derive the rest
from β by `tube_solution`, so that their results can be compared and carry the same certificate.
"""

from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.optimize import lsq_linear

from mlcore.errors import NotAKernel
from mlcore.kernels import as_gram_matrix, check_positive_semidefinite
from mlcore.optimize import QuadraticProgram, Status, box_constraints, solve_qp
from mlcore.svm._gram_rows import RowStore
from mlcore.svm._svr_solution import (
    TOLERANCE,
    TubeSolution,
    bound_and_ridge,
    largest,
    middle,
    no_tube,
    proximal_step,
    tube_solution,
)
from mlcore.validation import as_array, as_nonnegative, as_positive

__all__ = ["LOSSES", "TubeSolution", "checked", "refined", "solve_tube_dual", "solve_tube_primal", "tube_solution"]

LOSSES = ("l1", "l2")
TARGET = 1e-10  # a residual that needs no further step
ACTIVE_SET_STEPS = 10
HUGE = 1e50  # products of larger numbers overflow


def solve_tube_primal(X, y, C=1.0, epsilon=0.1, loss="l1"):
    """Solve the primal tube problem in the variables w, b, ξ and ξ′.

    Parameters
    ----------
    X : array_like of shape (n, d)
    y : array_like of shape (n,)
        Targets.
    C : float
        Price of a unit of slack, or of half its square; infinity demands a tube that holds every point.
    epsilon : float
        Half the height of the tube, at least 0, in the unit of y.
    loss : {"l1", "l2"}
        Linear or quadratic penalty.

    Returns
    -------
    TubeSolution
        With status optimal, infeasible, iteration limit or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, no samples, entries that are not finite, C ≤ 0, a negative ε, or another loss.

    Notes
    -----
    ES p. 79 (hard tube) and p. 80 (slack); MW (9.1).

    Examples
    --------
    >>> solution = solve_tube_primal([[0], [1], [2]], [0, 1, 2], C=10, epsilon=0.5)
    >>> solution.w.round(6).tolist(), round(solution.b, 6)
    ([0.5], 0.5)
    """
    X = as_array("X", X, ("n", "d"))
    y, C, epsilon = checked("X", X, y, C, epsilon, loss)
    n, d = X.shape
    centre, height = X.mean(axis=0), middle(y)  # they move b alone, and save the digits of far-off data
    X, y = X - centre, y - height
    plane = np.column_stack([X, np.ones(n)])
    within = np.vstack([-plane, plane])  # yᵢ − f(xᵢ) ≤ ε, f(xᵢ) − yᵢ ≤ ε
    edges = np.concatenate([epsilon - y, epsilon + y])
    if np.isinf(C):
        problem = QuadraticProgram(P=np.diag([1.0] * d + [0.0]), q=np.zeros(d + 1), G=within, h=edges)
    else:
        linear, quadratic = (C, 0.0) if loss == "l1" else (0.0, C)
        identity, no_bonus = sparse.eye_array(2 * n), sparse.csr_array((2 * n, d + 1))
        problem = QuadraticProgram(
            P=sparse.diags_array([1.0] * d + [0.0] + [quadratic] * (2 * n)),
            q=np.concatenate([np.zeros(d + 1), np.full(2 * n, linear)]),
            G=sparse.block_array([[within, -identity], [no_bonus, -identity]]),
            h=np.concatenate([edges, np.zeros(2 * n)]),
        )
    result = solve_qp(problem)
    K = X @ X.T
    if result.status is Status.INFEASIBLE:
        solution = no_tube(_difference(result.certificate.ray, n), K, y, epsilon, X)
    else:
        beta = _difference(result.inequality_multipliers, n)
        solution = refined(beta, K, y, C, epsilon, loss, result.status, X)
    b = solution.b + height - float(solution.w @ centre)
    return replace(solution, b=b, fitted=solution.fitted + height, iterations=result.iterations)


def solve_tube_dual(K, y, C=1.0, epsilon=0.1, loss="l1"):
    """Solve the dual tube problem in the multipliers α and α′.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Kernel matrix of the training points.
    y : array_like of shape (n,)
        Targets.
    C : float
        Upper bound of the multipliers ("l1") or inverse of what is added to the diagonal of K ("l2"); infinity
        demands a tube that holds every point.
    epsilon : float
        Half the height of the tube, at least 0, in the unit of y.
    loss : {"l1", "l2"}
        Linear or quadratic penalty.

    Returns
    -------
    TubeSolution
        With status optimal, infeasible, iteration limit or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, no samples, entries that are not finite, a matrix that is not symmetric, C ≤ 0, a negative ε,
        or another loss.
    NotAKernel
        A matrix with a negative eigenvalue.

    Notes
    -----
    ES p. 81; MW (9.5) and (9.13). ES p. 82 takes θ = (α − α′, α′) as variables instead. Since α = θ₁ + θ₂ and
    α + α′ = θ₁ + 2θ₂, the program is then to minimise ½ θ₁ᵀKθ₁ + (ε − y)ᵀθ₁ + 2ε Σ θ₂ subject to 0 ≤ θ₂ ≤ C,
    0 ≤ θ₁ + θ₂ ≤ C and Σ θ₁ = 0: K occurs once instead of four times, but the bounds are no longer a box.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> solution = solve_tube_dual(X @ X.T, [0, 1, 2], C=10, epsilon=0.5)
    >>> solution.alpha.round(6).tolist(), solution.alpha_star.round(6).tolist()
    ([0.0, 0.0, 0.25], [0.25, 0.0, 0.0])
    """
    K = as_gram_matrix(K)
    y, C, epsilon = checked("K", K, y, C, epsilon, loss)
    check_positive_semidefinite(K)
    n, height = len(y), middle(y)
    y = y - height  # moves b alone
    bound, ridge = bound_and_ridge(C, loss)
    G, h = box_constraints(np.zeros(2 * n), np.full(2 * n, bound))
    try:
        problem = QuadraticProgram(
            P=np.block([[K, -K], [-K, K]]) + ridge * np.eye(2 * n),
            q=epsilon - np.concatenate([y, -y]),
            G=G,
            h=h,
            A=np.repeat([[1.0, -1.0]], n, axis=1),
            b=np.zeros(1),
        )
    except ValueError as error:  # features of very different sizes, where the check above sees the larger ones only
        raise NotAKernel("K: expected a positive semidefinite matrix, also with its diagonal scaled to 1") from error
    result = solve_qp(problem)
    if result.status is Status.UNBOUNDED:
        return no_tube(_difference(result.certificate.ray, n), K, y, epsilon)
    solution = refined(_difference(result.x, n), K, y, C, epsilon, loss, result.status)
    return replace(solution, b=solution.b + height, fitted=solution.fitted + height, iterations=result.iterations)


def refined(beta, K, y, C, epsilon, loss, status, X=None):
    """Return the solution of full accuracy near an approximate one, by a primal-dual active set method.

    Parameters
    ----------
    beta : numpy.ndarray of shape (n,)
        From a solver that has found most of the support vectors.
    K : numpy.ndarray of shape (n, n) or mlcore.svm.RowStore
        Kernel matrix of the training points.
    y, C, epsilon, loss, status, X
        As for `tube_solution`.

    Returns
    -------
    TubeSolution
        The best one met, which may be that of `beta` itself.

    Notes
    -----
    Hintermüller, Ito, Kunisch, "The primal-dual active set strategy as a semismooth Newton method", 2002.

    Examples
    --------
    >>> K, y = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([0.0, 2.0])
    >>> refined(np.array([-0.9, 0.9]), K, y, 10.0, 0.5, "l1", Status.OPTIMAL).coefficients.round(9).tolist()
    [-1.0, 1.0]
    """
    K = K if isinstance(K, RowStore) else RowStore.of_matrix(K)
    solution = best = min(
        (tube_solution(start, K, y, C, epsilon, loss, status, X) for start in (np.zeros(len(y)), beta)),
        key=lambda start: start.certificate.residual,
    )  # β = 0 is the exact solution if the tube is as high as the data
    far = False  # how far the guess of the active set looks ahead
    for _ in range(ACTIVE_SET_STEPS):
        if best.certificate.residual <= TARGET and best.status is Status.OPTIMAL:  # C magnifies the gap
            break
        beta = _active_set_step(solution, K, y, C, epsilon, loss, far)
        solution = tube_solution(beta, K, y, C, epsilon, loss, status, X)
        before, now = best.certificate.residual, solution.certificate.residual
        best = solution if now < before else best
        if now > before / 2:
            if far and before <= TOLERANCE:
                break
            far, solution = not far, best
    return best


def _active_set_step(solution, K, y, C, epsilon, loss, far):
    """Fix what a proximal step takes to 0 or to a bound, and solve the conditions of the rest, which are linear.

    The conditions are yᵢ − f(xᵢ) − (Rβ)ᵢ = ±ε on the free points and Σ βᵢ = 0; the unknowns are a step of the free β
    that keeps their signs and bounds, in units of the largest β, and a step of b.
    """
    bound, ridge = bound_and_ridge(C, loss)
    old = solution.coefficients
    errors = y - solution.fitted - ridge * old
    size = largest(old, bound)
    steepness = float(K.diagonal.mean()) + ridge  # change of an error by a unit of its own β
    unit = np.abs(y - middle(y)).max() or 1.0
    length = size / unit if far else size / max(unit, size * steepness)
    beta = proximal_step(old, errors, bound, epsilon, length)
    free = (beta != 0) & (np.abs(beta) < bound)
    signs = np.sign(beta[free])
    beta[free] = np.where(signs * old[free] > 0, old[free], 0)
    ones = np.ones((free.sum(), 1))
    curvature = K.block(np.flatnonzero(free)) + ridge * np.eye(free.sum())
    system = np.block([[size * curvature, ones], [ones.T, np.zeros((1, 1))]])
    inside = y[free] - (K @ beta)[free] - ridge * beta[free] - solution.b - signs * epsilon
    missing = np.append(inside, -beta.sum() / size)
    ends = np.sort([-beta[free] / size, (signs * bound - beta[free]) / size], axis=0)
    lower, upper = np.append(ends[0], -np.inf), np.append(ends[1], np.inf)
    scale = np.abs(missing).max() or 1.0  # lsq_linear stops at an absolute error
    step = lsq_linear(system, missing / scale, (lower / scale, upper / scale), method="bvls", tol=1e-15).x
    beta[free] += scale * size * step[:-1]
    return beta


def _difference(multipliers, n):
    """β = α − α′ from multipliers that begin with α and α′; NaN, from a solver that failed, counts as 0."""
    return np.nan_to_num(multipliers[:n] - multipliers[n : 2 * n])


def checked(name, rows, y, C, epsilon, loss):
    """Return y, C and ε as floats, or say what is wrong with them.

    Parameters
    ----------
    name : str
        What the rows are called.
    rows : numpy.ndarray of n rows
        Samples, kernel matrix, or its diagonal.
    y, C, epsilon, loss
        As for `solve_tube_dual`.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> checked("K", np.eye(2), [1, 2], C=1, epsilon=-1, loss="l1")
    Traceback (most recent call last):
        ...
    ValueError: epsilon: expected a finite number of at least 0, got -1
    """
    y = as_array("y", y, (len(rows),))
    if not len(y):
        raise ValueError("y: expected at least one sample, got shape (0,)")
    C, epsilon = as_positive("C", C, allow_infinite=True), as_nonnegative("epsilon", epsilon)
    if loss not in LOSSES:
        raise ValueError(f"loss: expected one of {LOSSES}, got {loss!r}")
    for label, value in ((name, rows), ("y", y), ("epsilon", epsilon), ("C", 0.0 if np.isinf(C) else C)):
        if (size := np.abs(value).max(initial=0)) > HUGE:
            raise ValueError(f"{label}: expected numbers of at most {HUGE:g} in size, got {size:g}")
    if C < 1 / HUGE:
        raise ValueError(f"C: expected a number of at least {1 / HUGE:g}, got {C:g}")
    return y, C, epsilon
