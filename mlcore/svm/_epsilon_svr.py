"""The problem of epsilon-SVR, primal and dual: the flattest f within ε of the targets, up to slack.

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
upper bound. At the optimum αᵢαᵢ′ = 0, so β alone tells both. All solvers hand over β, and all the rest is derived from
it in one way, so that their results can be compared and carry the same certificate.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.kernels import Linear, RowStore
from mlcore.optimize import Certificate, Status
from mlcore.svm._dual import DualProblem, Machine
from mlcore.svm._solvers import as_price, solved, training_rows
from mlcore.validation import as_array, as_nonnegative, as_positive, as_whole_number

__all__ = [
    "LOSSES",
    "SVRSolution",
    "solve_svr_dual",
    "solve_svr_primal",
    "solve_svr_smo",
    "svr_problem",
    "svr_solution",
]

LOSSES = ("l1", "l2")


@dataclass(frozen=True, eq=False)
class SVRSolution:
    """An epsilon-SVR problem and how its solution ended.

    Attributes
    ----------
    alpha, alpha_star : numpy.ndarray of shape (n,)
        Multipliers α and α′ of the upper and the lower edge of the tube (NaN when infeasible).
    coefficients : numpy.ndarray of shape (n,)
        βᵢ = αᵢ − αᵢ′, the weights of the points in w and f.
    w : numpy.ndarray of shape (d,) or None
        Slopes; None where the points are known by their kernel matrix alone.
    b : float
        Offset: from the support vectors strictly between the bounds, or, if there is none, the middle of the
        interval of optimal offsets.
    fitted : numpy.ndarray of shape (n,)
        f(xᵢ).
    slack : numpy.ndarray of shape (n,)
        max(0, |yᵢ − f(xᵢ)| − ε), which is ξᵢ above the tube and ξᵢ′ below it.
    norm : float
        ‖w‖ in feature space.
    support : numpy.ndarray of int
        Positions of the support vectors, βᵢ ≠ 0: they lie on the edge of the tube or outside.
    status : mlcore.optimize.Status
        "optimal" if relative gap and residual are below 1e-6 (`mlcore.svm`: or below its tolerance).
    certificate : mlcore.optimize.Certificate
        Objectives of the primal and the dual, their gap and the largest violation of Σ βᵢ = 0 and of the conditions
        on the errors eᵢ = yᵢ − f(xᵢ) − (Rβ)ᵢ: |eᵢ| ≤ ε where βᵢ = 0, eᵢ = ±ε where βᵢ is between the bounds, with
        the sign of βᵢ, and |eᵢ| ≥ ε, with that sign, where |βᵢ| = C. Errors are in units of half the range of y.
        Infeasible: the ray holds weights βᵢ with Σ |βᵢ| = 1, Σ βᵢ = 0, Σ βᵢφ(xᵢ) = 0 and Σ βᵢyᵢ > ε; but with every
        point in the tube, Σ βᵢyᵢ = Σ βᵢ(yᵢ − f(xᵢ)) ≤ ε. The residual is the larger of the length of Σ βᵢφ(xᵢ),
        relative to the longest φ(xᵢ), and |Σ βᵢ|, both divided by the excess of Σ βᵢyᵢ over ε in units of half the
        range of y: what it leaves possible are tubes steeper than 1/residual in these units.
    iterations : int
        Of the solver: interior-point iterations, or pair updates.
    """

    alpha: np.ndarray
    alpha_star: np.ndarray
    coefficients: np.ndarray
    w: np.ndarray | None
    b: float
    fitted: np.ndarray
    slack: np.ndarray
    norm: float
    support: np.ndarray
    status: Status
    certificate: Certificate
    iterations: int = 0

    @classmethod
    def of(cls, machine, y, iterations=0, centre=None):
        """Return what a machine is for targets y; `centre` is from where its points are counted."""
        beta, height = machine.beta, _middle(y)
        return cls(
            alpha=np.maximum(beta, 0),
            alpha_star=np.maximum(-beta, 0),
            coefficients=beta,
            w=machine.w,
            b=machine.b + height - (0.0 if centre is None else float(machine.w @ centre)),
            fitted=y - machine.errors,
            slack=machine.slack,
            norm=machine.norm,
            support=np.flatnonzero(np.nan_to_num(beta)),
            status=machine.status,
            certificate=machine.certificate,
            iterations=iterations,
        )


def solve_svr_primal(X, y, C=1.0, epsilon=0.1, loss="l1"):
    """Solve the primal problem in the variables w, b, ξ and ξ′.

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
    SVRSolution
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
    >>> solution = solve_svr_primal([[0], [1], [2]], [0, 1, 2], C=10, epsilon=0.5)
    >>> solution.w.round(6).tolist(), round(solution.b, 6)
    ([0.5], 0.5)
    """
    X = as_array("X", X, ("n", "d"))
    gram, X, centre = training_rows(Linear(), X)
    problem, y = svr_problem(gram, y, C, epsilon, loss, X)
    machine, iterations = solved(problem, "primal")
    return SVRSolution.of(machine, y, iterations, centre)


def solve_svr_dual(K, y, C=1.0, epsilon=0.1, loss="l1"):
    """Solve the dual problem in the multipliers α and α′.

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
    SVRSolution
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
    >>> solution = solve_svr_dual(X @ X.T, [0, 1, 2], C=10, epsilon=0.5)
    >>> solution.alpha.round(6).tolist(), solution.alpha_star.round(6).tolist()
    ([0.0, 0.0, 0.25], [0.25, 0.0, 0.0])
    """
    problem, y = svr_problem(RowStore.of(K), y, C, epsilon, loss)
    machine, iterations = solved(problem, "dual")
    return SVRSolution.of(machine, y, iterations)


def solve_svr_smo(K, y, C=1.0, epsilon=0.1, loss="l1", *, tol=1e-3, max_iter=1_000_000, beta=None):
    """Solve the dual problem in the multipliers α and α′, two at a time.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.kernels.GramRows
        Kernel matrix of the training points, or its rows on demand.
    y : array_like of shape (n,)
        Targets.
    C : float
        Upper bound of the multipliers ("l1") or inverse of what is added to the diagonal of K ("l2"); finite.
    epsilon : float
        Half the height of the tube, at least 0, in the unit of y.
    loss : {"l1", "l2"}
        Linear or quadratic penalty.
    tol : float
        Gap between the optimality conditions, relative to half the range of y, at which SMO stops. With up to 1000
        multipliers strictly between the bounds the solution is then refined. SMO goes on to finer gaps if that fails,
        or if, with more of them, primal and dual value still differ by more than this share.
    max_iter : int
        Largest number of pair updates.
    beta : array_like of shape (n,), optional
        Coefficients β = α − α′ to start from, such as those of a neighbouring C, ε or kernel.

    Returns
    -------
    mlcore.svm.SVRSolution
        With status optimal if relative gap and residual are below 1e-6 or, failing that, within `tol`; iteration
        limit; or not converged.

    Raises
    ------
    ValueError
        Wrong shapes, no samples, entries that are not finite, a matrix that is not symmetric, or a parameter out of
        range.
    mlcore.errors.NotAKernel
        A negative eigenvalue; with more than 500 points only some support vectors are looked at for that.

    Notes
    -----
    ES p. 81; MW (9.5) and (9.13).

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> solution = solve_svr_smo(X @ X.T, [0, 1, 2], C=10, epsilon=0.5)
    >>> solution.alpha.round(6).tolist(), solution.alpha_star.round(6).tolist()
    ([0.0, 0.0, 0.25], [0.25, 0.0, 0.0])
    """
    problem, y = svr_problem(RowStore.of(K), y, C, epsilon, loss)
    as_price(C, finite="for a hard tube solve the quadratic program (solve_svr_dual)")
    tol, max_iter = as_positive("tol", tol), as_whole_number("max_iter", max_iter)
    start = None if beta is None else problem.start("beta", beta)
    machine, iterations = solved(problem, "smo", tol, max_iter, start)
    return SVRSolution.of(machine, y, iterations)


def svr_solution(beta, K, y, C, epsilon, loss="l1", status=Status.NOT_CONVERGED, X=None):
    """Derive the regression from its coefficients β = α − α′, and judge it by the problem's own data.

    Parameters
    ----------
    beta : numpy.ndarray of shape (n,)
        Found by some solver; they are clipped to the bounds.
    K : array_like of shape (n, n) or mlcore.kernels.GramRows
    y, C, epsilon, loss
        As for `solve_svr_dual`.
    status : mlcore.optimize.Status
        How the solver says it ended; kept only if the certificate is not good enough for "optimal".
    X : numpy.ndarray of shape (n, d), optional
        The points themselves, if the kernel is linear.

    Returns
    -------
    SVRSolution

    Examples
    --------
    >>> K, y = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([0.0, 2.0])
    >>> solution = svr_solution(np.array([-1.0, 1.0]), K, y, C=10, epsilon=0.5)
    >>> str(solution.status), solution.b
    ('optimal', 0.5)
    """
    problem, y = svr_problem(RowStore.of(K), y, C, epsilon, loss, X)
    return SVRSolution.of(Machine.of(problem, problem.at_bounds(beta), status), y)


def svr_problem(gram, y, C, epsilon, loss, X=None):
    """Return the problem, its targets counted from the middle of their range, which moves b alone, and y as floats.

    Raises
    ------
    ValueError
        Targets of another shape or not finite, or a parameter out of range.
    """
    y = as_array("y", y, (len(gram),))
    if not len(y):
        raise ValueError("y: expected at least one sample, got shape (0,)")
    C, epsilon = as_price(C), as_nonnegative("epsilon", epsilon)
    if loss not in LOSSES:
        raise ValueError(f"loss: expected one of {LOSSES}, got {loss!r}")
    bound, ridge = (C, 0.0) if loss == "l1" else (np.inf, 1 / C)
    limit = np.full(len(y), bound)
    return DualProblem(gram, y - _middle(y), -limit, limit, C, epsilon, ridge, X), y


def _middle(y):
    """Return the middle of the range."""
    return float(y.min() + (y.max() - y.min()) / 2)
