"""What sequential minimal optimisation reports: its steps, and its result with the proof."""

from dataclasses import dataclass

import numpy as np

from mlcore.optimize import Certificate, Status
from mlcore.svm._dual import certify, kkt_gap, threshold

__all__ = ["SMOResult", "SMOStep", "smo_result", "smo_step"]


@dataclass(frozen=True)
class SMOStep:
    """One pair update.

    Attributes
    ----------
    pair : tuple of int
        Positions (i, j) of the two multipliers; j is "α₂", the one that is computed first and clipped.
    before, after : tuple of float
        (αᵢ, αⱼ) before and after the step.
    L, H : float
        Bounds of αⱼ.
    unclipped, clipped : float
        Maximiser αⱼ on the whole line (infinite without curvature), and between the bounds.
    b : float
        Threshold after the step.
    objective : float
        W(α) after the step.
    kkt_gap : float
        `mlcore.svm.kkt_gap` after the step.
    """

    pair: tuple[int, int]
    before: tuple[float, float]
    after: tuple[float, float]
    L: float
    H: float
    unclipped: float
    clipped: float
    b: float
    objective: float
    kkt_gap: float


@dataclass(frozen=True, eq=False)
class SMOResult:
    """How sequential minimal optimisation ended.

    Attributes
    ----------
    alpha : numpy.ndarray of shape (n,)
        Multipliers.
    b : float
        Threshold: the mean over the points with 0 < α < C, or the middle of the optimal interval if there is none.
    objective : float
        W(α).
    kkt_gap : float
        By how much the optimality conditions are missed, in the unit of the margin (or of the targets); negative
        where they hold with room to spare.
    iterations : int
        Pair updates made.
    status : mlcore.optimize.Status
        "optimal" if `kkt_gap` and the certificate's residual are within the tolerance; "iteration_limit";
        "not_converged" if rounding or bad luck with partners left no pair that moves, or if the matrix is no Gram
        matrix of a kernel: a pair of negative curvature was met, and the conditions prove nothing.
    certificate : mlcore.optimize.Certificate
        Primal and dual value, gap and residual, recomputed from K, y, C, the targets, alpha and b.
    steps : tuple of SMOStep
        Empty unless a trace was asked for.
    """

    alpha: np.ndarray
    b: float
    objective: float
    kkt_gap: float
    iterations: int
    status: Status
    certificate: Certificate
    steps: tuple[SMOStep, ...] = ()


def smo_step(pair, before, step, F, alpha, y, C, target):
    """Return the record of a step.

    Parameters
    ----------
    pair : tuple of int
    before : tuple of float
        (αᵢ, αⱼ) before the step.
    step : mlcore.svm.PairUpdate
    F, alpha, y : numpy.ndarray of shape (n,)
        Errors without the threshold and multipliers, both after the step; labels.
    C : float
    target : numpy.ndarray of shape (n,)

    Returns
    -------
    SMOStep
    """
    return SMOStep(
        pair=pair,
        before=before,
        after=(step.alpha1, step.alpha2),
        L=step.L,
        H=step.H,
        unclipped=step.unclipped,
        clipped=step.alpha2,
        b=step.b,
        objective=float((alpha * y) @ (target - F) / 2),  # (αy)·t − ½(αy)·(F + t)
        kkt_gap=kkt_gap(F, alpha, y, C),
    )


def smo_result(F, y, C, target, alpha, iterations, max_iter, tolerance, indefinite, steps):
    """Judge the multipliers by the problem's own data.

    Parameters
    ----------
    F : numpy.ndarray of shape (n,)
        Errors without the threshold, computed afresh from the Gram matrix.
    y, target, alpha : numpy.ndarray of shape (n,)
    C, tolerance : float
    iterations, max_iter : int
    indefinite : bool
        Whether a pair of negative curvature was met.
    steps : iterable of SMOStep

    Returns
    -------
    SMOResult

    Raises
    ------
    ValueError
        The objective is too large for floating point.
    """
    gap, b = kkt_gap(F, alpha, y, C), threshold(F, alpha, y, C)
    certificate = certify(F, alpha, y, C, b, target)
    if not np.isfinite(certificate.primal_value):
        raise ValueError("K: the entries are too large for floating point with this C; scale the kernel")
    if max(gap, certificate.residual) <= tolerance and not indefinite:
        status = Status.OPTIMAL
    else:
        status = Status.ITERATION_LIMIT if iterations == max_iter else Status.NOT_CONVERGED
    return SMOResult(alpha, b, certificate.dual_value, gap, iterations, status, certificate, tuple(steps))
