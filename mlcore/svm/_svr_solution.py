"""What the multipliers of a tube problem say: the regression they stand for, and how far it is from the optimum.

The conventions are those of `mlcore.svm`.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.optimize import Certificate, KKTResiduals, Status

__all__ = ["TubeSolution", "bound_and_ridge", "largest", "middle", "no_tube", "proximal_step", "tube_solution"]

TOLERANCE = 1e-6  # largest relative gap and scaled residual that count as optimal, or as proof
AT_BOUND = 1e-10  # multipliers this close to a bound, relative to the largest one, are at the bound
CANCELLATION = 1e-8  # objectives below this share of their terms are known to fewer than 8 digits


@dataclass(frozen=True, eq=False)
class TubeSolution:
    """A tube problem and how its solution ended.

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


def tube_solution(beta, K, y, C, epsilon, loss="l1", status=Status.NOT_CONVERGED, X=None):
    """Derive the regression from its multipliers, and judge it by the problem's own data.

    Parameters
    ----------
    beta : numpy.ndarray of shape (n,)
        βᵢ = αᵢ − αᵢ′ found by some solver; they are clipped to the bounds.
    K : numpy.ndarray of shape (n, n) or mlcore.svm.RowStore
        Kernel matrix of the training points.
    y : numpy.ndarray of shape (n,)
        Targets.
    C : float
        May be infinite.
    epsilon : float
    loss : {"l1", "l2"}
    status : mlcore.optimize.Status
        How the solver says it ended; kept only if the certificate is not good enough for "optimal".
    X : numpy.ndarray of shape (n, d), optional
        The points themselves, if the kernel is linear.

    Returns
    -------
    TubeSolution

    Examples
    --------
    >>> K, y = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([0.0, 2.0])
    >>> solution = tube_solution(np.array([-1.0, 1.0]), K, y, C=10, epsilon=0.5)
    >>> str(solution.status), solution.b
    ('optimal', 0.5)
    """
    bound, ridge = bound_and_ridge(C, loss)
    beta = _at_bounds(beta, bound)
    height = middle(y)
    target = y - height
    through_origin = K @ beta  # f without b
    b = _offset(beta, target - through_origin - ridge * beta, bound, epsilon)
    errors = target - through_origin - b
    slack = np.maximum(0, np.abs(errors) - epsilon)
    squared_norm = max(0.0, float(beta @ through_origin))
    pull = float(target @ beta) - epsilon * float(np.abs(beta).sum())
    dual = pull - squared_norm / 2 - ridge * float(beta @ beta) / 2
    primal = squared_norm / 2
    if np.isfinite(C):
        primal += C * float(slack.sum()) if loss == "l1" else C * float(slack @ slack) / 2
    size, unit = largest(beta, bound), np.abs(target).max() or 1.0
    step = proximal_step(beta, (errors - ridge * beta) / unit, bound, epsilon / unit, size)
    conditions = KKTResiduals(
        stationarity=float(abs(beta.sum()) / size),
        primal=float(slack.max() / unit) if np.isinf(C) else 0.0,
        dual=0.0,  # β was clipped to its bounds
        complementary=float(np.abs(step - beta).max() / size),
    )
    certificate = Certificate.of_optimum(primal, dual, conditions)
    terms = float(np.abs(beta) @ (np.abs(target) + epsilon))
    relative_gap = certificate.gap / max(abs(primal), abs(dual), CANCELLATION * terms, np.finfo(float).tiny)
    if max(certificate.residual, relative_gap) <= TOLERANCE:
        status = Status.OPTIMAL
    elif status is Status.OPTIMAL:
        status = Status.NOT_CONVERGED
    return TubeSolution(
        alpha=np.maximum(beta, 0),
        alpha_star=np.maximum(-beta, 0),
        coefficients=beta,
        w=None if X is None else X.T @ beta,
        b=b + height,
        fitted=y - errors,
        slack=slack,
        norm=float(np.sqrt(squared_norm)),
        support=np.flatnonzero(beta),
        status=status,
        certificate=certificate,
    )


def no_tube(beta, K, y, epsilon, X=None):
    """Return the answer that no tube holds every point, from a ray of the quadratic program.

    Parameters
    ----------
    beta : numpy.ndarray of shape (n,)
        Weights of any length, as in the ray of `TubeSolution.certificate`.
    K, y, epsilon, X
        As for `tube_solution`.

    Returns
    -------
    TubeSolution
        With status infeasible, or not converged if the weights prove nothing.

    Examples
    --------
    No constant comes within 0.1 of both 0 and 1:

    >>> answer = no_tube(np.array([-1.0, 1.0]), np.zeros((2, 2)), np.array([0.0, 1.0]), epsilon=0.1)
    >>> str(answer.status), answer.certificate.ray.tolist()
    ('infeasible', [-0.5, 0.5])
    """
    beta = beta / np.abs(beta).sum()
    target = y - middle(y)
    excess = (float(target @ beta) - epsilon) / (np.abs(target).max() or 1.0)
    length = np.sqrt(max(0.0, float(beta @ K @ beta))) if X is None else np.linalg.norm(X.T @ beta)
    size = np.sqrt(np.diag(K).max()) or 1.0
    residual = max(float(length) / size, abs(float(beta.sum()))) / max(excess, np.finfo(float).tiny)
    missing = np.full(len(y), np.nan)
    return TubeSolution(
        alpha=missing,
        alpha_star=missing,
        coefficients=missing,
        w=None if X is None else np.full(X.shape[1], np.nan),
        b=np.nan,
        fitted=missing,
        slack=missing,
        norm=np.nan,
        support=np.arange(0),
        status=Status.INFEASIBLE if residual <= TOLERANCE else Status.NOT_CONVERGED,
        certificate=Certificate(np.nan, np.nan, np.nan, residual, beta),
    )


def bound_and_ridge(C, loss):
    """Return the upper bound of α and α′, and what R adds to the diagonal of K.

    Examples
    --------
    >>> bound_and_ridge(4.0, "l1"), bound_and_ridge(4.0, "l2")
    ((4.0, 0.0), (inf, 0.25))
    """
    return (C, 0.0) if loss == "l1" else (np.inf, 1 / C)


def proximal_step(beta, errors, bound, epsilon, length):
    """Step along the errors, back by ε towards 0, and back into the box: β stays where it is optimal.

    Parameters
    ----------
    beta, errors : numpy.ndarray of shape (n,)
        Multipliers, and y − f − Rβ.
    bound, epsilon, length : float

    Returns
    -------
    numpy.ndarray of shape (n,)

    Examples
    --------
    >>> proximal_step(np.array([0.0, 1.0, 2.0]), np.array([0.3, 0.7, 0.9]), bound=2.0, epsilon=0.5, length=1.0)
    array([0. , 1.2, 2. ])
    """
    moved = beta + length * errors
    return np.clip(np.sign(moved) * np.maximum(np.abs(moved) - length * epsilon, 0), -bound, bound)


def _offset(beta, target, bound, epsilon):
    """Return b: a free point asks for b = target ∓ ε, exactly, and the others for inequalities."""
    inner, outer = target - np.sign(beta) * epsilon, np.abs(beta) == bound
    free = (beta != 0) & ~outer
    if free.any():
        return float(inner[free].mean())
    unused = beta == 0
    least = np.concatenate([target[unused] - epsilon, inner[outer & (beta < 0)]])
    most = np.concatenate([target[unused] + epsilon, inner[outer & (beta > 0)]])
    return float(least.max() + most.min()) / 2


def largest(beta, bound):
    """Return max |βᵢ|, or, if all are 0, a length on which they could be."""
    return np.abs(beta).max() or min(1.0, bound)


def _at_bounds(beta, bound):
    """Clip to the bounds, and move what is within rounding of a bound or of 0 onto it."""
    beta = np.clip(beta, -bound, bound)
    near = AT_BOUND * largest(beta, bound)
    beta[np.abs(beta) <= near] = 0
    full = np.abs(beta) >= bound - near
    beta[full] = np.sign(beta[full]) * bound
    return beta


def middle(y):
    """Return the middle of the range of y."""
    return float(y.min() + (y.max() - y.min()) / 2)
