"""Sequential minimal optimisation: the dual of the support vector machine, two multipliers at a time.

Conventions::

    maximise   W(α) = Σ αᵢ − ½ αᵀQα     subject to  0 ≤ αᵢ ≤ C,  yᵀα = 0,    Qᵢⱼ = yᵢyⱼKᵢⱼ
    machine    f(x) = Σ yⱼαⱼ k(xⱼ, x) + b
    errors     Fᵢ = Σ yⱼαⱼKᵢⱼ − yᵢ, kept up to date;  Eᵢ = f(xᵢ) − yᵢ = Fᵢ + b
    targets    other values t in the place of y:  W(α) = Σ yᵢαᵢtᵢ − ½ αᵀQα,  Fᵢ = Σ yⱼαⱼKᵢⱼ − tᵢ

One multiplier alone cannot move, because yᵀα = 0; `pair_update` moves two. The variants differ in how they choose
the pair: at random, by the largest difference of errors, or by the largest gain.
"""

import sys
from contextlib import suppress
from functools import partial
from importlib import import_module

import numpy as np

from mlcore.kernels import as_gram_matrix
from mlcore.svm._dual import feasible_point, kkt_gap, movable, signs, threshold
from mlcore.svm._gram_rows import RowStore
from mlcore.svm._pair_update import ROUNDING, PairUpdate, move_pair, pair_update
from mlcore.svm._smo_result import SMOResult, SMOStep, smo_result, smo_step
from mlcore.validation import as_array, as_positive, as_whole_number

__all__ = ["PairUpdate", "SMOResult", "SMOStep", "pair_update", "simplified_smo", "smo"]

LEAST_CURVATURE = 1e-12  # stands in for zero and negative curvature when gains are compared
INDEFINITE = -1e-8  # a curvature below this share of K₁₁ + K₂₂ is no rounding error
MANY = 400  # points above which the compiled loop is used at once, and leaves points out of its search
READABLE_WORK = 500_000  # points × steps, some 50 ms, before it pays to load the compiled loop for fewer points
EQUAL = 1e-6  # share of the tolerance by which equal errors may differ
ALMOST_EQUAL = 1e-9  # share by which equal differences of errors may differ
FRESH_STARTS = 1000  # how often to go on when errors computed afresh show a gap, hidden by rounding or shrinking


@np.errstate(over="ignore", invalid="ignore")  # what overflows ends in a ValueError
def simplified_smo(K, y, C=1.0, *, tolerance=1e-3, max_passes=100, max_iter=20_000, random_state=0, trace=False):
    """Maximise the dual by sweeps over the points: each that violates its condition moves with a random partner.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.svm.GramRows
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
    gram, y, C, tolerance, max_iter = _checked(K, y, C, tolerance, max_iter)
    max_passes = as_whole_number("max_passes", max_passes)
    random = _generator(random_state)
    n = len(y)
    alpha, b, F = np.zeros(n), 0.0, -y
    record = [] if trace else None

    def error(i):
        return float((alpha * y) @ gram[i]) + b - float(y[i])

    def moves(i, j, step, E_i, E_j):
        far_enough = abs(step.alpha2 - alpha[j]) > ROUNDING / 10 * (alpha[i] + alpha[j])
        return far_enough and abs(E_i - E_j) > EQUAL * tolerance

    iterations = passes = 0
    indefinite = False
    while kkt_gap(F, alpha, y, C) > tolerance and passes < max_passes and iterations < max_iter:
        before_sweep = iterations
        for i in range(n):
            E_i = error(i)
            too_small = y[i] * E_i < -tolerance / 2 and alpha[i] < C
            too_large = y[i] * E_i > tolerance / 2 and alpha[i] > 0
            if not (too_small or too_large) or iterations == max_iter:
                continue
            j = (i + 1 + int(random.integers(n - 1))) % n
            E_j = error(j)
            step = _pair_update(gram, y, C, alpha, i, j, E_i, E_j, b)
            indefinite |= _is_indefinite(gram, i, j, step)
            if not moves(i, j, step, E_i, E_j):
                continue
            before = float(alpha[i]), float(alpha[j])
            alpha[i], alpha[j], b = step.alpha1, step.alpha2, step.b
            iterations += 1
            if trace:
                record.append(smo_step((i, j), before, step, gram.combine(alpha * y) - y, alpha, y, C, y))
        F = gram.combine(alpha * y) - y
        if iterations == before_sweep:
            passes += 1
            b = threshold(F, alpha, y, C)  # the pair's own threshold may hide who can still move
        else:
            passes = 0
    return smo_result(F, y, C, y, alpha, iterations, max_iter, tolerance, indefinite, record or ())


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
    target=None,
    trace=False,
    compiled=None,
):
    """Maximise the dual, choosing each pair by the errors of all points.

    Parameters
    ----------
    K : array_like of shape (n, n) or mlcore.svm.GramRows
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
    target : array_like of shape (n,), optional
        What f is to be at the points, up or down to which an error costs nothing: f(xᵢ) ≥ tᵢ for y = +1 and ≤ tᵢ for
        y = −1. Left out: y, which makes a classifier. For regression see `mlcore.svm`.
    trace : bool
        Whether to record every step.
    compiled : bool, optional
        Whether to take the steps of partner "second_order" in the loop compiled by Numba. Up to 400 points both
        loops take the same steps to the last bit, and the compiled one is used, if it is not left to choice, when
        it is loaded already or the run proves long. With more points it is used if Numba is installed, and leaves
        points out of its search that cannot move at present.

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
    gram, y, C, tolerance, max_iter = _checked(K, y, C, tolerance, max_iter)
    if partner not in tuple(PARTNERS):
        raise ValueError(f"partner: expected one of {sorted(PARTNERS)}, got {partner!r}")
    alpha = np.zeros(len(y)) if alpha is None else feasible_point(alpha, y, C)
    target = y if target is None else as_array("target", target, y.shape)
    record = [] if trace else None
    readable = trace or partner != "second_order" or compiled is False
    if compiled and readable:
        raise ValueError(f"compiled: expected no trace and partner 'second_order' with True, got {partner!r}, {trace=}")
    if compiled and _compiled_loop(load=True) is None:
        raise ValueError("compiled: expected Numba to be installed with True, but it cannot be imported")

    iterations, starts, indefinite = 0, 0, False
    F = gram.combine(alpha * y) - target
    while kkt_gap(F, alpha, y, C) > tolerance and iterations < max_iter and starts < FRESH_STARTS:
        left = max_iter - iterations
        if readable:
            taken, met = _steps(PARTNERS[partner], gram, y, C, F, alpha, tolerance, left, record, target)
        else:
            taken, met = _fast_steps(gram, y, C, F, alpha, tolerance, left, compiled)
        iterations += taken
        indefinite |= met
        if not taken:
            break
        starts += 1
        F = gram.combine(alpha * y) - target
    return smo_result(F, y, C, target, alpha, iterations, max_iter, tolerance, indefinite, record or ())


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
    return i, int((difference**2 / curvature.clip(min=LEAST_CURVATURE)).argmax())


PARTNERS = {"largest_difference": _largest_difference, "second_order": _second_order}


def _steps(choose, gram, y, C, F, alpha, tolerance, max_iter, record=None, target=None):
    """Move pairs, in place, to the tolerance or until none moves; return how many, and if a curvature was negative."""
    b = threshold(F, alpha, y, C)
    indefinite = False
    for taken in range(max_iter):
        up, low = movable(alpha, y, C)
        if not F[low].max() - F[up].min() > tolerance:
            return taken, indefinite
        i, j = choose(F, up, low, b, gram)
        before = float(alpha[i]), float(alpha[j])
        step = _pair_update(gram, y, C, alpha, i, j, float(F[i]), float(F[j]), 0.0)
        indefinite |= _is_indefinite(gram, i, j, step)
        if before == (step.alpha1, step.alpha2):
            return taken, indefinite
        alpha[i], alpha[j], b = step.alpha1, step.alpha2, step.b
        F += y[i] * (step.alpha1 - before[0]) * gram[i] + y[j] * (step.alpha2 - before[1]) * gram[j]
        if 0 < alpha[i] < C and 0 < alpha[j] < C:
            F[j] = F[i]  # at the top of the parabola both errors are equal: rounding is not to choose between them
        if record is not None:
            record.append(smo_step((i, j), before, step, F, alpha, y, C, target))
    return max_iter, indefinite


def _fast_steps(gram, y, C, F, alpha, tolerance, max_iter, compiled):
    """Take second-order steps in the compiled loop, or, as long as that is not worth loading, in the readable one."""
    taken, indefinite = 0, False
    loop = _compiled_loop(load=compiled or len(y) > MANY)
    if loop is None:
        stretch = min(max_iter, 1 + READABLE_WORK // len(y))
        taken, indefinite = _steps(_second_order, gram, y, C, F, alpha, tolerance, stretch)
        if taken < stretch or taken == max_iter:
            return taken, indefinite
        loop = _compiled_loop(load=True) or partial(_steps, _second_order)
    more, met = loop(gram, y, C, F, alpha, tolerance, max_iter - taken)
    return taken + more, indefinite | met


def _compiled_loop(load):
    if load or "mlcore.svm._loops" in sys.modules:
        with suppress(ImportError):  # Numba is optional
            return import_module("mlcore.svm._loops").take_steps
    return None


def _pair_update(gram, y, C, alpha, i, j, E_i, E_j, b):
    K_ii, K_jj, K_ij = float(gram.diagonal[i]), float(gram.diagonal[j]), float(gram[i][j])
    return move_pair(float(alpha[i]), float(alpha[j]), float(y[i]), float(y[j]), E_i, E_j, K_ii, K_jj, K_ij, C, b)


def _is_indefinite(gram, i, j, step):
    return step.curvature < INDEFINITE * (abs(gram.diagonal[i]) + abs(gram.diagonal[j]))


def _checked(K, y, C, tolerance, max_iter):
    gram = K if isinstance(K, RowStore) else RowStore.of_matrix(as_gram_matrix(K))
    C = as_positive("C", C, allow_infinite=True)
    if np.isinf(C):
        raise ValueError("C: expected a finite number; for a hard margin solve the quadratic program (solve_dual)")
    return gram, signs(y, len(gram)), C, as_positive("tolerance", tolerance), as_whole_number("max_iter", max_iter)


def _generator(random_state):
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise ValueError(f"random_state: expected a seed, a Generator or None, got {random_state!r}") from error
