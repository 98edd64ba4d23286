"""The margin problem of support vector classification, primal and dual, for labels +1 and −1.

Conventions::

    primal  minimise  ½‖w‖² + C Σ ξᵢ          subject to  yᵢ f(xᵢ) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
    dual    maximise  Σ αᵢ − ½ αᵀQα           subject to  0 ≤ αᵢ ≤ C,  Σ yᵢαᵢ = 0,   Qᵢⱼ = yᵢyⱼ k(xᵢ, xⱼ)
    link    w = Σ αᵢyᵢ φ(xᵢ),   f(x) = ⟨w, φ(x)⟩ + b

    pair    η = K₁₁ + K₂₂ − 2K₁₂ ≥ 0 is the curvature along y₁α₁ + y₂α₂ = constant, E = f − y are the errors:
            W(t) − W(0) = y₂(E₁ − E₂) t − ½ η t²   with  α₂ + t,  α₁ − y₁y₂ t     (ES eq. (14): η with the other sign)

C = ∞ is the hard margin: no ξ, no upper bound of α. All solvers hand over α alone, and all the rest is derived from
it in one way, so that their results can be compared and carry the same certificate.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mlcore.kernels import Linear, RowStore
from mlcore.optimize import Certificate, Status
from mlcore.svm._dual import DualProblem, Machine, as_labels
from mlcore.svm._solvers import as_price, solved, training_rows
from mlcore.validation import as_array, as_positive, as_whole_number

__all__ = [
    "MarginSolution",
    "PairUpdate",
    "margin_solution",
    "move_pair",
    "pair_update",
    "solve_dual",
    "solve_primal",
    "solve_smo",
]

ROUNDING = 1e-12  # share of two multipliers, or of C, that a sum or difference of them may miss by rounding


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


class PairUpdate(NamedTuple):
    """A pair of multipliers before and after clipping.

    Attributes
    ----------
    L, H : float
        Least and greatest α₂ for which α₁ and α₂ are both in [0, C].
    curvature : float
        η, how fast the slope of W falls along the line.
    unclipped : float
        Maximiser α₂ on the whole line; −∞ or ∞, on the side of the better end, if η ≤ 0.
    alpha1, alpha2 : float
        New values; alpha2 is `unclipped` clipped to [L, H].
    b : float
        New threshold.
    """

    L: float
    H: float
    curvature: float
    unclipped: float
    alpha1: float
    alpha2: float
    b: float


def pair_update(*, alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, C, b=0.0):
    """Maximise the dual objective over two multipliers, and move the threshold along.

    Parameters
    ----------
    alpha1, alpha2 : float
        Old values, in [0, C].
    y1, y2 : float
        Labels, +1 or −1.
    E1, E2 : float
        Errors f(x₁) − y₁ and f(x₂) − y₂ with the old multipliers and the threshold `b`.
    K11, K22, K12 : float
        Kernel values of the pair.
    C : float
        Upper bound of the multipliers, finite.
    b : float
        Old threshold.

    Returns
    -------
    PairUpdate

    Raises
    ------
    ValueError
        A value that is not finite, a label other than ±1, a multiplier outside [0, C], or C ≤ 0.

    Notes
    -----
    ES p. 72–76, equations (19) to (26); in (25) and (26) the last term is subtracted, not added as printed.
    The threshold gives a multiplier strictly between 0 and C the margin 1; if both are at a bound, any value
    between the two candidates is admissible and the middle is taken. With η ≤ 0, as for a point paired with
    its copy, W has no maximum inside the segment and the better end is taken.

    Examples
    --------
    Two points at x = −1 and x = 1, linear kernel, from α = 0 and b = 0:

    >>> step = pair_update(alpha1=0, alpha2=0, y1=-1, y2=1, E1=1, E2=-1, K11=1, K22=1, K12=-1, C=10)
    >>> step.L, step.H, step.alpha1, step.alpha2, step.b
    (0.0, 10.0, 0.5, 0.5, 0.0)
    """
    names = ("alpha1", "alpha2", "y1", "y2", "E1", "E2", "K11", "K22", "K12", "b")
    values = (alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, b)
    alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, b = (
        float(as_array(name, value, ())) for name, value in zip(names, values)
    )
    C = as_positive("C", C)
    for name, y in (("y1", y1), ("y2", y2)):
        if y not in (-1, 1):
            raise ValueError(f"{name}: expected +1 or -1, got {y:g}")
    for name, alpha in (("alpha1", alpha1), ("alpha2", alpha2)):
        if not 0 <= alpha <= C:
            raise ValueError(f"{name}: expected a value between 0 and C = {C:g}, got {alpha:g}")
    return move_pair(alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, C, b)


def move_pair(alpha1, alpha2, y1, y2, E1, E2, K11, K22, K12, C, b):
    """Do the work of `pair_update`, which documents it, on floats that need no checks."""
    if y1 != y2:
        L, H = max(0.0, alpha2 - alpha1), min(C, alpha2 + (C - alpha1))
    else:
        L, H = max(0.0, alpha2 - (C - alpha1)), min(C, alpha1 + alpha2)
    least, greatest = ROUNDING * (alpha1 + alpha2), (1 - ROUNDING) * C  # this near a bound is meant to be there
    L, H = 0.0 if least > L else L, C if greatest < H else H

    slope, curvature = y2 * (E1 - E2), K11 + K22 - 2 * K12
    if curvature > 0:
        unclipped = alpha2 + slope / curvature
    else:
        gain_at_L = (L - alpha2) * (slope - curvature * (L - alpha2) / 2)
        gain_at_H = (H - alpha2) * (slope - curvature * (H - alpha2) / 2)
        unclipped = float("-inf") if gain_at_L > gain_at_H else float("inf")
    new2 = min(max(unclipped, L), H)

    if (new2 == L and L > 0) or (new2 == H and H < C):  # α₁ is at a bound: exactly, not up to rounding
        new1 = 0.0 if alpha1 + y1 * y2 * (alpha2 - new2) < C / 2 else C
    else:
        new1 = min(max(alpha1 + y1 * y2 * (alpha2 - new2), 0.0), C)
    new1 = 0.0 if new1 < least else C if new1 > greatest else new1
    new2 = 0.0 if new2 < least else C if new2 > greatest else new2

    change1, change2 = y1 * (new1 - alpha1), y2 * (new2 - alpha2)
    b1 = b - E1 - change1 * K11 - change2 * K12
    b2 = b - E2 - change1 * K12 - change2 * K22
    if 0 < new1 < C:
        b = b1
    elif 0 < new2 < C:
        b = b2
    else:
        b = (b1 + b2) / 2
    return PairUpdate(L, H, curvature, unclipped, new1, new2, b)
