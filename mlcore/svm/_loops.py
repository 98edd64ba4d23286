"""The second-order loop of `mlcore.svm`, compiled by Numba.

It takes the same steps as the readable loop, to the last bit, in a fiftieth of the time. With many points it
shrinks the problem now and then, as LIBSVM does: points that belong to no violating pair at present are left out.

Importing this module loads the compiled loop. Numba keeps it on disk, so that only the very first import, which
compiles it, takes seconds.
"""

import numpy as np
from numba import njit, types

from mlcore.svm._dual import movable
from mlcore.svm._smo import MANY

__all__ = ["take_steps"]

STEPS_BETWEEN_SHRINKINGS = 500
LEAST_CURVATURE = 1e-12  # this and the next two as in `mlcore.svm._smo`, where Numba's cache would not see a change
ROUNDING = 1e-12
INDEFINITE = -1e-8
ALMOST_1 = 1 - 1e-14  # by more than the rounding errors of a product and a quotient
TIME_OUT, WITHIN_TOLERANCE, STUCK = -1, -2, -3  # why the loop returns; from 0 on, the row it asks for


def take_steps(gram, y, C, F, alpha, tolerance, max_iter):
    """Move pairs, in place, until those not left out are within the tolerance or no pair moves.

    Parameters
    ----------
    gram : mlcore.svm.RowStore
        Rows are computed when a step first needs them.
    y : numpy.ndarray of shape (n,)
    C : float
    F, alpha : numpy.ndarray of shape (n,)
        Errors without the threshold, and multipliers; both are changed. The errors of points left out in the end
        are those of earlier steps: compute F afresh, and if that shows a gap, go on.
    tolerance : float
    max_iter : int

    Returns
    -------
    taken : int
        Steps taken.
    indefinite : bool
        Whether a pair of negative curvature was met.
    """
    active, taken, indefinite = np.arange(len(y)), 0, False
    while True:
        stretch = min(STEPS_BETWEEN_SHRINKINGS, max_iter - taken)
        steps, reason, met = _stretch(gram, y, C, F, alpha, active, tolerance, stretch)
        taken += steps
        indefinite |= met
        if reason != TIME_OUT or taken == max_iter or not np.isfinite(F[active]).all():
            return taken, indefinite
        if len(y) > MANY:
            active = active[_in_a_violating_pair(F[active], alpha[active], y[active], C)]


def _stretch(gram, y, C, F, alpha, active, tolerance, max_iter):
    """Run the compiled loop as often as it asks for a row."""
    up, low = movable(alpha, y, C)
    bar_up, bar_low = np.where(up, 0, np.inf), np.where(low, 0, -np.inf)  # added to F: cheaper than branches
    taken, indefinite = 0, False
    while True:
        steps, reason, met = _loop(
            gram.rows, gram.slot, gram.diagonal, y, C, F, alpha, bar_up, bar_low, active, tolerance, max_iter - taken
        )
        taken += steps
        indefinite |= met
        if reason < 0:
            return taken, reason, indefinite
        gram.fetch(np.array([reason]))


def _in_a_violating_pair(F, alpha, y, C):
    up, low = movable(alpha, y, C)
    least_up, greatest_low = F[up].min(), F[low].max()
    return (up & (greatest_low >= F)) | (low & (least_up <= F))


def _compiled(function):
    vector, numbers, real = types.float64[::1], types.int64[::1], types.float64
    matrix = types.Array(types.float64, 2, "C", readonly=True)
    state = (vector, real, vector, vector, vector, vector)  # y, C, F, alpha and what is added to F
    returns = types.Tuple((types.int64, types.int64, types.boolean))
    signature = returns(matrix, numbers, vector, *state, numbers, real, types.int64)
    try:
        return njit(signature, cache=True)(function)
    except RuntimeError:  # no folder in which the cache can be written
        return njit(signature)(function)


@_compiled
def _loop(rows, slot, diagonal, y, C, F, alpha, bar_up, bar_low, active, tolerance, max_iter):
    indefinite = False
    i, least = active[0], np.inf
    for t in active:
        if F[t] + bar_up[t] < least:
            i, least = t, F[t]
    for taken in range(max_iter):
        if slot[i] < 0:
            return taken, i, indefinite
        K_i, K_ii = rows[slot[i]], diagonal[i]

        # The partner: see `mlcore.svm._second_order`.
        j, best_gain, almost, greatest = i, 0.0, 0.0, -np.inf
        for t in active:
            F_t = F[t] + bar_low[t]
            greatest = max(greatest, F_t)
            difference = max(F_t - least, 0.0)
            curvature = max(K_ii + diagonal[t] - 2 * K_i[t], LEAST_CURVATURE)
            if difference * difference > almost * curvature:  # spares most of the divisions
                gain = difference * difference / curvature
                if gain > best_gain:
                    j, best_gain, almost = t, gain, gain * ALMOST_1
        if not greatest - least > tolerance:
            return taken, WITHIN_TOLERANCE, indefinite
        if slot[j] < 0:
            return taken, j, indefinite
        K_j, K_jj = rows[slot[j]], diagonal[j]

        # The step: see `mlcore.svm.move_pair`.
        alpha_i, alpha_j = alpha[i], alpha[j]
        if y[i] != y[j]:
            L, H = max(0.0, alpha_j - alpha_i), min(C, C + alpha_j - alpha_i)
        else:
            L, H = max(0.0, alpha_i + alpha_j - C), min(C, alpha_i + alpha_j)
        nearly_0, nearly_C = ROUNDING * (alpha_i + alpha_j), (1 - ROUNDING) * C
        L, H = 0.0 if nearly_0 > L else L, C if nearly_C < H else H
        slope, curvature = y[j] * (F[i] - F[j]), K_ii + K_jj - 2 * K_i[j]
        if curvature > 0:
            new_j = min(max(alpha_j + slope / curvature, L), H)
        else:
            gain_at_L = (L - alpha_j) * (slope - curvature * (L - alpha_j) / 2)
            gain_at_H = (H - alpha_j) * (slope - curvature * (H - alpha_j) / 2)
            new_j = L if gain_at_L > gain_at_H else H
            indefinite |= curvature < INDEFINITE * (abs(K_ii) + abs(K_jj))
        new_i = alpha_i + y[i] * y[j] * (alpha_j - new_j)
        if (new_j == L and L > 0) or (new_j == H and H < C):
            new_i = 0.0 if new_i < C / 2 else C
        else:
            new_i = min(max(new_i, 0.0), C)
        new_i = 0.0 if new_i < nearly_0 else C if new_i > nearly_C else new_i
        new_j = 0.0 if new_j < nearly_0 else C if new_j > nearly_C else new_j
        if new_i == alpha_i and new_j == alpha_j:
            return taken, STUCK, indefinite

        alpha[i], alpha[j] = new_i, new_j
        for t in (i, j):
            below_C, above_0 = alpha[t] < C, alpha[t] > 0
            bar_up[t] = 0.0 if (below_C if y[t] > 0 else above_0) else np.inf
            bar_low[t] = 0.0 if (above_0 if y[t] > 0 else below_C) else -np.inf
        weight_i, weight_j = y[i] * (new_i - alpha_i), y[j] * (new_j - alpha_j)
        moved_i, least = i, np.inf
        for t in active:
            F[t] += weight_i * K_i[t] + weight_j * K_j[t]
            if F[t] + bar_up[t] < least:
                i, least = t, F[t]
        if 0.0 < new_i < C and 0.0 < new_j < C:  # equal errors: see `_smo`
            F[j] = F[moved_i]
            if i in (moved_i, j) or F[j] == least:
                least = np.inf
                for t in active:
                    if F[t] + bar_up[t] < least:
                        i, least = t, F[t]
    return max_iter, TIME_OUT, indefinite
