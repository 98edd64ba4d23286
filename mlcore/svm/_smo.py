"""Sequential minimal optimisation: the dual of the support vector machine, two multipliers at a time.

Conventions::

    maximise   W(α) = Σ αᵢ − ½ αᵀQα     subject to  0 ≤ αᵢ ≤ C,  yᵀα = 0,    Qᵢⱼ = yᵢyⱼKᵢⱼ
    machine    f(x) = Σ yⱼαⱼ k(xⱼ, x) + b
    errors     Fᵢ = Σ yⱼαⱼKᵢⱼ − yᵢ, kept up to date;  Eᵢ = f(xᵢ) − yᵢ = Fᵢ + b

One multiplier alone cannot move, because yᵀα = 0; `pair_update` moves two. The variants differ in how they choose
the pair: at random, by the largest difference of errors, or by the largest gain.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from mlcore.kernels import RowStore
from mlcore.optimize import Certificate, Status
from mlcore.svm._dual import DualProblem, Machine, as_labels
from mlcore.svm._margin import ROUNDING, move_pair
from mlcore.svm._solvers import LEAST_CURVATURE, as_price, pair_steps
from mlcore.validation import as_positive, as_whole_number

__all__ = ["SMOResult", "SMOStep", "kkt_gap", "simplified_smo", "smo"]

INDEFINITE = -1e-8  # a curvature below this share of K₁₁ + K₂₂ is no rounding error
EQUAL = 1e-6  # share of the tolerance by which equal errors may differ
ALMOST_EQUAL = 1e-9  # share by which equal differences of errors may differ


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
        By how much the optimality conditions are missed, in the unit of the margin; negative
        where they hold with room to spare.
    iterations : int
        Pair updates made.
    status : mlcore.optimize.Status
        "optimal" if `kkt_gap` and the certificate's residual are within the tolerance; "iteration_limit";
        "not_converged" if rounding or bad luck with partners left no pair that moves, or if the matrix is no Gram
        matrix of a kernel: a pair of negative curvature was met, and the conditions prove nothing.
    certificate : mlcore.optimize.Certificate
        Primal and dual value, gap and residual, recomputed from K, y, C, alpha and b.
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


def kkt_gap(F, alpha, y, C):
    """Return by how much the optimality conditions are missed, in the unit of the margin; 0 or less at the optimum.

    Parameters
    ----------
    F, alpha, y : numpy.ndarray of shape (n,)
        Errors without the threshold, multipliers, labels.
    C : float

    Returns
    -------
    float
        max F over the points whose yᵢαᵢ may shrink − min F over those whose yᵢαᵢ may grow: some b meets all conditions
        if and only if it is not above 0 (Keerthi et al. 2001).

    Examples
    --------
    At α = 0 every margin misses 1 by 1, and a threshold can help one class at the expense of the other:

    >>> y = np.array([1.0, -1.0])
    >>> kkt_gap(-y, np.zeros(2), y, C=1)
    2.0
    """
    no_rows = RowStore(None, np.zeros(len(y)))
    return DualProblem.of_labels(no_rows, y, C).gap(alpha * y, F)


@np.errstate(over="ignore", invalid="ignore")  # what overflows ends in a ValueError
def simplified_smo(K, y, C=1.0, *, tolerance=1e-3, max_passes=100, max_iter=20_000, random_state=0, trace=False):
    """Maximise the dual by sweeps over the points: each that violates its condition moves with a random partner.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.kernels.GramRows
        Gram matrix.
    y : array_like of shape (n,)
        Labels +1 and −1, both present.
    C : float
        Upper bound of the multipliers, finite.
    tolerance : float
        Gap between the optimality conditions that counts as none, in the unit of the margin.
    max_passes : int
        Sweeps in a row without any change after which to give up.
    max_iter : int
        Largest number of pair updates.
    random_state : int, numpy.random.Generator or None
        Seed of the choice of partners; None takes a new one every time.
    trace : bool
        Whether to record every step.

    Returns
    -------
    SMOResult

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, a matrix that is not symmetric, other labels, one class alone,
        or a parameter out of range.

    Notes
    -----
    ES p. 76. Errors are computed afresh whenever they are needed. What rounding alone would move is no update, so
    that the number of updates is the same on every machine.

    Examples
    --------
    >>> X = np.array([[2.0], [0.0]])
    >>> result = simplified_smo(X @ X.T, [1, -1], C=10)
    >>> result.alpha, result.b, str(result.status)
    (array([0.5, 0.5]), -1.0, 'optimal')
    """
    problem, tolerance, max_iter = _checked(K, y, C, tolerance, max_iter)
    max_passes = as_whole_number("max_passes", max_passes)
    random = _generator(random_state)
    gram, y, C, n = problem.gram, problem.target, problem.C, len(problem.target)
    alpha, b, F = np.zeros(n), 0.0, -y
    record = [] if trace else None

    def error(i):
        return float((alpha * y) @ gram[i]) + b - float(y[i])

    iterations = passes = 0
    indefinite = False
    while problem.gap(alpha * y, F) > tolerance and passes < max_passes and iterations < max_iter:
        before_sweep = iterations
        for i in range(n):
            E_i = error(i)
            too_small = y[i] * E_i < -tolerance / 2 and alpha[i] < C
            too_large = y[i] * E_i > tolerance / 2 and alpha[i] > 0
            if not (too_small or too_large) or iterations == max_iter:
                continue
            j = (i + 1 + int(random.integers(n - 1))) % n
            before, E_j = (float(alpha[i]), float(alpha[j])), error(j)
            step, negative = _moved(problem, alpha, i, j, E_i, E_j, b)
            indefinite |= negative
            far_enough = abs(step.alpha2 - before[1]) > ROUNDING / 10 * sum(before)
            if not (far_enough and abs(E_i - E_j) > EQUAL * tolerance):
                alpha[[i, j]] = before
                continue
            b = step.b
            iterations += 1
            if trace:
                record.append(_recorded(problem, (i, j), before, step, problem.slopes(alpha * y), alpha * y))
        F = problem.slopes(alpha * y)
        if iterations == before_sweep:
            passes += 1
            b = problem.offset(alpha * y, F)  # the pair's own threshold may hide who can still move
        else:
            passes = 0
    return _result(problem, alpha * y, F, iterations, max_iter, tolerance, indefinite, record)


@np.errstate(over="ignore", invalid="ignore")
def smo(
    K,
    y,
    C=1.0,
    *,
    partner="second_order",
    tolerance=1e-3,
    max_iter=1_000_000,
    alpha=None,
    trace=False,
    compiled=None,
):
    """Maximise the dual, choosing each pair by the errors of all points.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.kernels.GramRows
        Gram matrix; the second form computes only the rows that are needed.
    y : array_like of shape (n,)
        Labels +1 and −1, both present.
    C : float
        Upper bound of the multipliers, finite.
    partner : {"second_order", "largest_difference"}
        "largest_difference": the point that violates its condition most, and the one whose error differs most from
        its own among those the pair can move with. "second_order": the point whose error is least among those
        whose yᵢαᵢ may grow, and the one with which the objective gains most before clipping.
    tolerance : float
        Gap between the optimality conditions that counts as none, in the unit of the margin.
    max_iter : int
        Largest number of pair updates.
    alpha : array_like of shape (n,), optional
        Multipliers to start from, such as those of a neighbouring C; if one is above C, all are scaled down, and
        if yᵀα ≠ 0, those of the class with the larger sum are. Left out: 0.
    trace : bool
        Whether to record every step.
    compiled : bool, optional
        Whether to take the steps in the compiled loop, for partner "second_order" without a trace. Left out, it is
        used where Numba is installed. Up to 400 points both loops take the same steps to the last bit; with more
        the compiled one leaves points out of its search that cannot move at present.

    Returns
    -------
    SMOResult

    Raises
    ------
    ValueError
        Wrong shapes, entries that are not finite, a matrix that is not symmetric, other labels, one class alone,
        or a parameter out of range.

    Notes
    -----
    "largest_difference": SN, after Platt (1998). "second_order": Fan, Chen, Lin (2005), the choice of LIBSVM.

    Examples
    --------
    >>> from mlcore.kernels import Linear
    >>> X, y = np.array([[2, 1], [1, 2], [0, 1], [1, 0]]), [-1, 1, 1, -1]
    >>> result = smo(Linear()(X), y, C=100, tolerance=1e-6)
    >>> (result.alpha * y) @ X, round(result.b, 6)
    (array([-1.,  1.]), 0.0)
    """
    problem, tolerance, max_iter = _checked(K, y, C, tolerance, max_iter)
    if partner not in tuple(PARTNERS):
        raise ValueError(f"partner: expected one of {sorted(PARTNERS)}, got {partner!r}")
    y, record = problem.target, [] if trace else None
    beta = np.zeros(len(y)) if alpha is None else problem.start("alpha", alpha, y)
    readable = trace or partner != "second_order"
    if compiled and readable:
        raise ValueError(f"compiled: expected no trace and partner 'second_order' with True, got {partner!r}, {trace=}")
    if not readable and compiled is not False:
        from mlcore.svm import _loops  # loading Numba takes most of a second: only where it is used

        if compiled and not _loops.COMPILED:
            raise ValueError("compiled: expected Numba to be installed with True, but it cannot be imported")
        readable = not _loops.COMPILED
    steps = partial(_steps, PARTNERS[partner], record) if readable else None
    iterations, _, F, indefinite = pair_steps(problem, beta, tolerance, max_iter, steps)
    return _result(problem, beta, F, iterations, max_iter, tolerance, indefinite, record)


def _largest_difference(F, up, low, b, gram):
    """Choose the largest violation of E ≥ 0 or E ≤ 0, and the largest |Eᵢ − Eⱼ| it can move with.

    While there is a gap, there is such a partner, whatever b is: of the two points that show the gap, one is on the
    side that i moves to, and the other violates its condition no more than i. Of partners with the same difference
    the one with the least curvature is taken, with which the step is longest.
    """
    E = F + b
    i = int(np.maximum(np.where(up, -E, 0), np.where(low, E, 0)).argmax())
    difference = np.where(low, E - E[i], 0) if E[i] < 0 else np.where(up, E[i] - E, 0)
    farthest = difference >= (1 - ALMOST_EQUAL) * difference.max()
    curvature = gram.diagonal[i] + gram.diagonal - 2 * gram[i]
    return i, int(np.where(farthest, curvature, np.inf).argmin())


def _second_order(F, up, low, b, gram):
    """Choose the smallest error in `up`, and the partner in `low` that gains most: (Eᵢ − Eⱼ)² / 2η."""
    i = int(np.where(up, F, np.inf).argmin())
    difference = np.where(low, F - F[i], 0).clip(min=0)
    curvature = gram.diagonal[i] + gram.diagonal - 2 * gram[i]
    return i, int((difference**2 / curvature.clip(min=LEAST_CURVATURE * (gram.diagonal.max() or 1.0))).argmax())


PARTNERS = {"largest_difference": _largest_difference, "second_order": _second_order}


def _steps(choose, record, problem, beta, F, tolerance, max_iter):
    """Move pairs, in place, to the tolerance or until none moves; return how many, and if a curvature was negative."""
    y, gram = problem.target, problem.gram
    alpha, b = beta * y, problem.offset(beta, F)
    taken, indefinite = 0, False
    while taken < max_iter:
        grow, shrink = problem.edges(alpha * y)
        up, low = np.isfinite(grow), np.isfinite(shrink)
        if not F[low].max() - F[up].min() > tolerance:
            break
        i, j = choose(F, up, low, b, gram)
        before = float(alpha[i]), float(alpha[j])
        step, negative = _moved(problem, alpha, i, j, float(F[i]), float(F[j]), 0.0)
        indefinite |= negative
        if before == (step.alpha1, step.alpha2):
            break
        b, taken = step.b, taken + 1
        F += y[i] * (step.alpha1 - before[0]) * gram[i] + y[j] * (step.alpha2 - before[1]) * gram[j]
        if 0 < step.alpha1 < problem.C and 0 < step.alpha2 < problem.C:
            F[j] = F[i]  # at the top of the parabola both errors are equal: rounding is not to choose between them
        if record is not None:
            record.append(_recorded(problem, (i, j), before, step, F, alpha * y))
    beta[:] = alpha * y
    return taken, indefinite


def _moved(problem, alpha, i, j, E_i, E_j, b):
    """Update a pair of multipliers, in place; return the update, and whether its curvature is negative."""
    gram, y = problem.gram, problem.target
    K_ii, K_jj, K_ij = float(gram.diagonal[i]), float(gram.diagonal[j]), float(gram[i][j])
    pair = float(alpha[i]), float(alpha[j]), float(y[i]), float(y[j])
    step = move_pair(*pair, E_i, E_j, K_ii, K_jj, K_ij, problem.C, b)
    alpha[i], alpha[j] = step.alpha1, step.alpha2
    return step, step.curvature < INDEFINITE * (abs(K_ii) + abs(K_jj))


def _recorded(problem, pair, before, step, F, beta):
    after, objective = (step.alpha1, step.alpha2), float(beta @ (problem.target - F) / 2)  # β·t − ½β·(F + t)
    gap = problem.gap(beta, F)
    return SMOStep(pair, before, after, step.L, step.H, step.unclipped, step.alpha2, step.b, objective, gap)


def _result(problem, beta, F, iterations, max_iter, tolerance, indefinite, record):
    """Judge the multipliers by the problem's own data."""
    gap, machine = problem.gap(beta, F), Machine.of(problem, beta, F=F)
    certificate = machine.certificate
    if not np.isfinite(certificate.primal_value):
        raise ValueError("K: the entries are too large for floating point with this C; scale the kernel")
    status = Status.ITERATION_LIMIT if iterations == max_iter else Status.NOT_CONVERGED
    if max(gap, certificate.residual) <= tolerance and not indefinite:
        status = Status.OPTIMAL
    alpha, steps = beta * problem.target, tuple(record or ())
    return SMOResult(alpha, machine.b, certificate.dual_value, gap, iterations, status, certificate, steps)


def _checked(K, y, C, tolerance, max_iter):
    gram, C = RowStore.of(K), as_price(C, finite="for a hard margin solve the quadratic program (solve_dual)")
    problem = DualProblem.of_labels(gram, as_labels(y, len(gram)), C)
    return problem, as_positive("tolerance", tolerance), as_whole_number("max_iter", max_iter)


def _generator(random_state):
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise ValueError(f"random_state: expected a seed, a Generator or None, got {random_state!r}") from error
