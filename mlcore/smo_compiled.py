"""The second-order steps of `mlcore.smo`, compiled by Numba, for problems of hundreds of points and more.

The same pairs and the same multipliers, to the last bit, as the readable loop of `mlcore.smo`, with two savings of
LIBSVM's on top:

- rows of the Gram matrix are computed when a step first needs them (`mlcore.gram_rows`),
- shrinking: points at a bound that belong to no violating pair are left out of the search for a while.

Importing this module loads the compiled code, from Numba's cache on disk if it has been compiled before.
"""

import numpy as np
from numba import njit, types

from mlcore.pair_update import clipped_step

__all__ = ["second_order_steps", "solve"]

STEPS_BETWEEN_SHRINKS = 1000
WORTHWHILE = 0.7  # the points are copied into a smaller problem if at most this share of them stays
ROWS_AT_ONCE = 16

_VECTOR = types.float64[::1]
_SIGNATURE = types.Tuple((types.int64, types.int64, types.float64))(
    types.Array(types.float64, 2, "C", readonly=True),
    types.int64[::1],
    _VECTOR,
    _VECTOR,
    types.float64,
    _VECTOR,
    _VECTOR,
    types.float64,
    types.int64,
)
TINY = 1e-12


def compiled(*signature):
    def compile_(function):
        try:
            return njit(*signature, cache=True)(function)
        except RuntimeError:
            return njit(*signature)(function)
    return compile_

_clipped_step = njit(clipped_step)

@compiled(_SIGNATURE)
def second_order_steps(rows, slot, diagonal, y, C, F, alpha, tolerance, max_iter):
    n = len(y)
    up = np.empty(n)
    low = np.empty(n)
    for t in range(n):
        up[t] = 0.0 if (alpha[t] < C if y[t] > 0 else alpha[t] > 0) else np.inf
        low[t] = 0.0 if (alpha[t] > 0 if y[t] > 0 else alpha[t] < C) else -np.inf
    i = 0
    least = np.inf
    for t in range(n):
        value = F[t] + up[t]
        if value < least:
            least = value
            i = t
    for step in range(max_iter):
        if slot[i] < 0:
            return step, i, np.inf
        K_i = rows[slot[i]]
        greatest = -np.inf
        best = -1.0
        j = 0
        for t in range(n):
            value = F[t] + low[t]
            if value > greatest:
                greatest = value
            difference = value - least
            if difference > 0:
                gain = difference * difference / max(diagonal[i] + diagonal[t] - 2 * K_i[t], TINY)
                if gain > best:
                    best = gain
                    j = t
        gap = greatest - least
        if gap <= tolerance:
            return step, -1, gap
        if slot[j] < 0:
            return step, j, gap
        K_j = rows[slot[j]]
        curvature = diagonal[i] + diagonal[j] - 2 * K_i[j]
        L, H, unclipped, alpha_i, alpha_j = _clipped_step(alpha[i], alpha[j], y[i], y[j], F[i], F[j], curvature, C)
        if alpha_j == alpha[j] and alpha_i == alpha[i]:
            return step, -2, gap
        weight_i = y[i] * (alpha_i - alpha[i])
        weight_j = y[j] * (alpha_j - alpha[j])
        alpha[i] = alpha_i
        alpha[j] = alpha_j
        for t in (i, j):
            up[t] = 0.0 if (alpha[t] < C if y[t] > 0 else alpha[t] > 0) else np.inf
            low[t] = 0.0 if (alpha[t] > 0 if y[t] > 0 else alpha[t] < C) else -np.inf
        least = np.inf
        for t in range(n):
            F[t] += weight_i * K_i[t] + weight_j * K_j[t]
            value = F[t] + up[t]
            if value < least:
                least = value
                i = t
    return max_iter, -1, np.inf

STATS={}
def solve(store, y, C, F, alpha, tolerance, max_iter):
    n = len(y)
    active = np.arange(n)
    part = store
    done = 0
    Fp, ap, yp = F, alpha, y
    while True:
        budget = min(STEPS_BETWEEN_SHRINKS, max_iter - done)
        while True:
            steps, missing, gap = second_order_steps(part.rows, part.slot, part.diagonal, yp, C, Fp, ap, tolerance, budget)
            done += steps
            budget -= steps
            if missing < 0: break
            STATS["reentry"] = STATS.get("reentry",0)+1
            part.fetch(batch(part, missing, yp, C, Fp, ap))
        if part is not store:
            F[active] = Fp; alpha[active] = ap
        ended = gap <= tolerance or done == max_iter or missing == -2
        if ended:
            if part is store:
                return done
            F[:] = store.combine(alpha * y) - y
            STATS["unshrink"] = STATS.get("unshrink",0)+1
            if done == max_iter: return done
            part, active, Fp, ap, yp = store, np.arange(n), F, alpha, y
            continue
        keep = may_move(Fp, ap, yp, C)
        if keep.sum() <= WORTHWHILE * len(keep):
            active = active[keep]
            part = part.restricted(np.flatnonzero(keep))
            Fp, ap, yp = F[active], alpha[active], y[active]
            STATS["shrink"] = STATS.get("shrink",[])+[len(active)]

def can(alpha, y, C):
    up = np.where(y > 0, alpha < C, alpha > 0)
    low = np.where(y > 0, alpha > 0, alpha < C)
    return up, low
def may_move(F, alpha, y, C):
    up, low = can(alpha, y, C)
    return (up & (F <= F[low].max())) | (low & (F >= F[up].min()))

def batch(part, missing, y, C, F, alpha):
    m = ROWS_AT_ONCE
    if m == 1: return np.array([missing])
    up, low = can(alpha, y, C)
    unknown = part.slot < 0
    middle = (F[up].min() + F[low].max())/2
    violation = np.where(unknown, np.maximum(np.where(up, middle - F, -np.inf), np.where(low, F - middle, -np.inf)), -np.inf)
    violation[missing] = np.inf
    m = min(m, len(y))
    best = np.argpartition(-violation, m-1)[:m]
    return best[(violation[best] > 0)]
