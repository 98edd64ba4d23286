"""The inner loop of sequential minimal optimisation, for classification and epsilon-SVR alike.

Conventions (those of `mlcore.svm._dual`)::

    minimise   ½ βᵀ(K + ridge·I)β − tᵀβ + ε Σ |βᵢ|     subject to  lower ≤ β ≤ upper,  Σ βᵢ = 0
    F          the slope (K + ridge·I)β − t
    grow       what is added to F where βᵢ grows: ε, −ε below 0, ∞ at its upper bound
    shrink     what is added to F where βᵢ shrinks: ε above 0, −ε else, −∞ at its lower bound

A pair (i, j) moves: βᵢ grows by what βⱼ shrinks, to the best point of the line or to the next bound or kink.

Plain loops over floats: interpreted they are the definition, compiled by Numba, where it is installed, they are fast.
Numba keeps the compiled code on disk, so that only the very first import takes seconds. A Numba that is there but
broken is an error, not a slow loop.
"""

__all__ = ["COMPILED", "take_steps"]

STUCK, WITHIN_TOLERANCE, TIME_OUT = -3, -2, -1  # why the loop returns; from 0 on, the row it asks for
ALMOST_1 = 1 - 1e-14  # by more than the rounding errors of a product and a quotient
INDEFINITE = -1e-8  # as in `mlcore.svm._smo`, where the cache of Numba would not see a change
ROUNDING = 1e-12  # as in `mlcore.svm._margin`
INFINITY = float("inf")


def move(i, j, decrease, curvature, lower, upper, epsilon, beta, grow, shrink):
    """Move one pair, in place; return by how much βᵢ and βⱼ changed.

    Parameters
    ----------
    i, j : int
    decrease : float
        How fast the objective falls along the line.
    curvature : float
    lower, upper, beta, grow, shrink : array of shape (n,)
    epsilon : float
    """
    old_i, old_j = beta[i], beta[j]
    ceiling = upper[i] if old_i >= 0 else min(0.0, upper[i])
    floor = lower[j] if old_j <= 0 else max(0.0, lower[j])
    limit = old_j - (ceiling - old_i)  # there βᵢ is at its ceiling
    new_j = max(floor, limit)
    if curvature > 0:
        new_j = max(new_j, old_j - decrease / curvature)
    new_i = ceiling if new_j == limit and limit > floor else min(old_i + (old_j - new_j), ceiling)
    nearly_0 = ROUNDING * (abs(old_i) + abs(old_j))
    beta[i], beta[j] = new_i, new_j
    for t in (i, j):
        if abs(beta[t]) < nearly_0:
            beta[t] = 0.0
        elif upper[t] > 0 and beta[t] > (1 - ROUNDING) * upper[t]:
            beta[t] = upper[t]
        elif lower[t] < 0 and beta[t] < (1 - ROUNDING) * lower[t]:
            beta[t] = lower[t]
        grow[t] = INFINITY if beta[t] >= upper[t] else (epsilon if beta[t] >= 0 else -epsilon)
        shrink[t] = -INFINITY if beta[t] <= lower[t] else (epsilon if beta[t] > 0 else -epsilon)
    return beta[i] - old_i, beta[j] - old_j


def take_steps(
    rows, slot, diagonal, ridge, lower, upper, epsilon, beta, F, grow, shrink, active, least_curvature, tolerance, most
):
    """Move pairs, in place, until those among `active` are within the tolerance, or a row is missing.

    The pair is that of LIBSVM (Fan, Chen, Lin 2005): i, whose growth pays most, and j, with which the objective falls
    most before clipping.

    Parameters
    ----------
    rows : array of shape (capacity, n)
        Rows of K that are known; row i of K is ``rows[slot[i]]``, if ``slot[i]`` is not negative.
    slot : array of int, shape (n,)
    diagonal, lower, upper : array of shape (n,)
    ridge, epsilon : float
    beta, F, grow, shrink : array of shape (n,)
        All four are changed, F among the active points only.
    active : array of int, shape (m,)
    least_curvature : float
        Stands in for a smaller one when pairs are compared.
    tolerance : float
    most : int
        Largest number of steps.

    Returns
    -------
    taken : int
    reason : int
        `STUCK`, `WITHIN_TOLERANCE`, `TIME_OUT` or the number of the row that is missing.
    indefinite : bool
        Whether a pair of negative curvature was met.
    """
    indefinite = False
    i, least = active[0], INFINITY
    for t in active:
        if F[t] + grow[t] < least:
            i, least = t, F[t] + grow[t]
    for taken in range(most):
        if slot[i] < 0:
            return taken, i, indefinite
        K_i, K_ii = rows[slot[i]], diagonal[i] + ridge

        j, best_gain, almost, greatest = i, 0.0, 0.0, -INFINITY
        for t in active:
            F_t = F[t] + shrink[t]
            greatest = max(greatest, F_t)
            decrease = F_t - least
            if decrease > 0:
                curvature = max(K_ii + (diagonal[t] + ridge) - 2 * K_i[t], least_curvature)
                if decrease * decrease > almost * curvature:  # spares most of the divisions
                    gain = decrease * decrease / curvature
                    if gain > best_gain:
                        j, best_gain, almost = t, gain, gain * ALMOST_1
        if not greatest - least > tolerance:
            return taken, WITHIN_TOLERANCE, indefinite
        if slot[j] < 0:
            return taken, j, indefinite
        K_j, K_jj = rows[slot[j]], diagonal[j] + ridge

        curvature = K_ii + K_jj - 2 * K_i[j]
        indefinite |= curvature < INDEFINITE * (abs(K_ii) + abs(K_jj))
        decrease = F[j] + shrink[j] - least
        change_i, change_j = move(i, j, decrease, curvature, lower, upper, epsilon, beta, grow, shrink)
        if change_i == 0 and change_j == 0:
            return taken, STUCK, indefinite
        F[i] += ridge * change_i
        F[j] += ridge * change_j
        moved, least = i, INFINITY
        for t in active:
            F[t] += change_i * K_i[t] + change_j * K_j[t]
            if F[t] + grow[t] < least:
                i, least = t, F[t] + grow[t]
        if grow[moved] == shrink[moved] and grow[j] == shrink[j]:
            F[j] = F[moved] + (grow[moved] - grow[j])  # equal at the best point: rounding is not to choose
            if i in (moved, j) or F[j] + grow[j] <= least:
                least = INFINITY
                for t in active:
                    if F[t] + grow[t] < least:
                        i, least = t, F[t] + grow[t]
    return most, TIME_OUT, indefinite


try:
    from numba import njit, types
except ModuleNotFoundError as error:
    if error.name != "numba":
        raise
    COMPILED = False
else:
    COMPILED = True

    def _compiled(function, returns, *arguments):
        try:
            return njit(returns(*arguments), cache=True)(function)
        except RuntimeError:  # no folder in which the cache can be written
            return njit(returns(*arguments))(function)

    _real, _whole, _vector, _numbers = types.float64, types.int64, types.float64[::1], types.int64[::1]
    _fixed, _matrix = (types.Array(_real, dimension, "C", readonly=True) for dimension in (1, 2))
    _bounds = (_fixed, _fixed, _real)
    _state = (_vector, _vector, _vector)
    move = _compiled(move, types.UniTuple(_real, 2), _whole, _whole, _real, _real, *_bounds, *_state)
    take_steps = _compiled(
        take_steps,
        types.Tuple((_whole, _whole, types.boolean)),
        *(_matrix, _numbers, _fixed, _real, *_bounds, _vector, *_state, _numbers, _real, _real, _whole),
    )
