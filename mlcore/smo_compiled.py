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

STEPS_BETWEEN_SHRINKS = 500
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
    types.int64[::1],
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
def second_order_steps(rows, slot, diagonal, y, C, F, alpha, active, tolerance, max_iter):
    n = len(y)
    up = np.empty(n)
    low = np.empty(n)
    i = active[0]
    least = np.inf
    for t in active:
        up[t] = 0.0 if (alpha[t] < C if y[t] > 0 else alpha[t] > 0) else np.inf
        low[t] = 0.0 if (alpha[t] > 0 if y[t] > 0 else alpha[t] < C) else -np.inf
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
        K_ii = diagonal[i]
        for t in active:
            value = F[t] + low[t]
            if value > greatest:
                greatest = value
            difference = value - least
            if difference > 0:
                gain = difference * difference / max(K_ii + diagonal[t] - 2 * K_i[t], TINY)
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
        for t in active:
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
    done = 0
    while True:
        budget = min(STEPS_BETWEEN_SHRINKS, max_iter - done)
        while True:
            steps, missing, gap = second_order_steps(store.rows, store.slot, store.diagonal, y, C, F, alpha, active, tolerance, budget)
            done += steps
            budget -= steps
            if missing < 0: break
            STATS["reentry"] = STATS.get("reentry",0)+1
            store.fetch(np.array([missing]))
        ended = gap <= tolerance or done == max_iter or missing == -2
        if ended:
            if len(active)==n:
                return done
            F[:] = store.combine(alpha * y) - y
            STATS["unshrink"] = STATS.get("unshrink",0)+1
            if done == max_iter: return done
            active = np.arange(n)
            continue
        Fp=F[active]; ap=alpha[active]; yp=y[active]
        active = active[may_move(Fp, ap, yp, C)]
        STATS["shrink"] = STATS.get("shrink",[])+[len(active)]

def can(alpha, y, C):
    up = np.where(y > 0, alpha < C, alpha > 0)
    low = np.where(y > 0, alpha > 0, alpha < C)
    return up, low
def may_move(F, alpha, y, C):
    up, low = can(alpha, y, C)
    return (up & (F <= F[low].max())) | (low & (F >= F[up].min()))
