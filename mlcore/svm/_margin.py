"""The margin problem of support vector classification, primal and dual, for labels +1 and −1.

Conventions::

    primal  minimise  ½‖w‖² + C Σ ξᵢ          subject to  yᵢ f(xᵢ) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
    dual    maximise  Σ αᵢ − ½ αᵀQα           subject to  0 ≤ αᵢ ≤ C,  Σ yᵢαᵢ = 0,   Qᵢⱼ = yᵢyⱼ k(xᵢ, xⱼ)
    link    w = Σ αᵢyᵢ φ(xᵢ),   f(x) = ⟨w, φ(x)⟩ + b

C = ∞ is the hard margin: no ξ, no upper bound of α. All solvers hand over α alone, and all the rest is derived from
it in one way, so that their results can be compared and carry the same certificate.
"""

from dataclasses import dataclass, replace

import numpy as np

from mlcore.kernels import Linear, RowStore
from mlcore.optimize import Certificate, Status
from mlcore.svm._dual import DualProblem, Machine, as_labels, as_price
from mlcore.svm._solvers import solved, training_rows
from mlcore.validation import as_array, as_positive, as_whole_number

__all__ = ["MarginSolution", "margin_solution", "solve_dual", "solve_primal", "solve_smo"]


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

    @classmethod
    def of(cls, machine, y, iterations=0, centre=None):
        """Return what a machine is for labels y; `centre` is from where its points are counted."""
        certificate = machine.certificate
        return cls(
            alpha=machine.beta * y,
            coefficients=machine.beta,
            w=machine.w,
            b=machine.b - (0.0 if centre is None else float(machine.w @ centre)),
            margins=1 - y * machine.errors,
            slack=machine.slack,
            norm=machine.norm,
            support=np.flatnonzero(np.nan_to_num(machine.beta)),
            status=machine.status,
            certificate=certificate if certificate.ray is None else replace(certificate, ray=certificate.ray * y),
            iterations=iterations,
        )


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
    y, C = as_labels(y, len(X)), as_price(C)
    gram, X, centre = training_rows(Linear(), X)
    machine, iterations = solved(DualProblem.of_labels(gram, y, C, X), "primal")
    return MarginSolution.of(machine, y, iterations, centre)


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
    gram = RowStore.of(K)
    y, C = as_labels(y, len(gram)), as_price(C)
    machine, iterations = solved(DualProblem.of_labels(gram, y, C), "dual")
    return MarginSolution.of(machine, y, iterations)


def solve_smo(K, y, C=1.0, *, tol=1e-3, max_iter=1_000_000, allow_indefinite=False, alpha=None):
    """Solve the dual margin problem in the multipliers α, two at a time.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.kernels.GramRows
        Kernel matrix of the training points, or its rows on demand.
    y : array_like of shape (n,)
        Labels +1 and −1, both present.
    C : float
        Upper bound of the multipliers, finite.
    tol : float
        Gap between the optimality conditions, in the unit of the margin, at which SMO stops. With up to 1000
        multipliers strictly between the bounds the solution is then refined. SMO goes on to finer gaps if that fails,
        or if, with more of them, primal and dual value still differ by more than this share.
    max_iter : int
        Largest number of pair updates.
    allow_indefinite : bool
        Whether to look for a stationary point if the matrix has a negative eigenvalue. It is never called optimal.
    alpha : array_like of shape (n,), optional
        Multipliers to start from, such as those of a neighbouring C or kernel; see `mlcore.svm.smo`.

    Returns
    -------
    mlcore.svm.MarginSolution
        With status optimal if relative gap and residual are below 1e-6 or, failing that, within `tol`; iteration
        limit; or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, a matrix that is not symmetric, other labels, one class alone,
        or a parameter out of range.
    mlcore.errors.NotAKernel
        A negative eigenvalue, which is not allowed; with more than 500 points only some support vectors are looked
        at for that.

    Examples
    --------
    >>> X = np.array([[2.0, 2.0], [0.0, 0.0]])
    >>> solution = solve_smo(X @ X.T, [1, -1], C=10)
    >>> solution.alpha.round(6).tolist(), solution.b, str(solution.status)
    ([0.25, 0.25], -1.0, 'optimal')
    """
    gram = RowStore.of(K)
    y, C = as_labels(y, len(gram)), as_price(C, finite="for a hard margin solve the quadratic program (solve_dual)")
    tol, max_iter = as_positive("tol", tol), as_whole_number("max_iter", max_iter)
    problem = DualProblem.of_labels(gram, y, C)
    start = None if alpha is None else problem.start("alpha", alpha, y)
    machine, iterations = solved(problem, "smo", tol, max_iter, start, allow_indefinite)
    return MarginSolution.of(machine, y, iterations)


def margin_solution(alpha, K, y, C, status=Status.NOT_CONVERGED, X=None):
    """Derive the machine from its multipliers, and judge it by the problem's own data.

    Parameters
    ----------
    alpha : numpy.ndarray of shape (n,)
        Multipliers found by some solver; they are clipped to [0, C].
    K : numpy.ndarray of shape (n, n) or mlcore.kernels.GramRows
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
    problem = DualProblem.of_labels(RowStore.of(K), y, C, X)
    return MarginSolution.of(Machine.of(problem, problem.at_bounds(alpha * y), status), y)
