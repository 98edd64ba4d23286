"""One active-set step for a quadratic program: from a good approximation to full accuracy.

Once it is known which inequalities are active, they hold as equations and the optimality conditions of a
quadratic program are linear.
"""

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.optimize import nnls

from mlcore.optimize._constraints import dense

SMALL = 100  # up to this order a least-squares solution costs less than an interior-point iteration
LARGE = 600  # beyond this order it costs too much
SINGULAR = 1e-13
REGULARIZATION = 1e-9


def active_set_step(program, active, x, z, y):
    """Yield solutions of the optimality conditions with the given inequalities taken as equations.

    Variables that an active bound fixes are taken out first, so that the system is as small as the number of the
    free ones and of the other active constraints. When it is singular, as with dependent constraints, the step of
    least norm is taken: it keeps multipliers that have a choice near the given ones.

    Parameters
    ----------
    program : QuadraticProgram or ScaledProgram
    active : numpy.ndarray of bool, shape (m,)
        Which inequalities hold as equations; the others get multiplier 0.
    x, z, y : numpy.ndarray, shapes (n,), (m,), (p,)
        The approximation, z for inequalities and y for equalities.

    Yields
    ------
    x, z, y : numpy.ndarray
        First by elimination (for more than 100 unknowns), then by least squares (for at most 600). Entries of z may
        be negative if the active set is not the right one, or the point is degenerate. For that case, last, z is
        chosen anew.
    """
    active = np.flatnonzero(active)
    G = dense(program.G[active])
    bound = np.count_nonzero(G, axis=1) == 1
    bounds, others = active[bound], active[~bound]
    fixed = np.abs(G[bound]).argmax(axis=1)
    coefficients = G[bound][np.arange(len(fixed)), fixed]
    is_free = np.ones(len(x), dtype=bool)
    is_free[fixed] = False

    start = x.copy()
    start[fixed] = program.h[bounds] / coefficients
    rows = np.vstack([G[~bound], dense(program.A)])
    right = np.concatenate([program.h[others], program.b])
    multipliers = np.concatenate([z[others], y])
    misfit = np.concatenate(
        [(program.P @ start + program.q + rows.T @ multipliers)[is_free], rows @ start - right],
    )
    free_rows = rows[:, is_free]
    size = int(is_free.sum())
    kkt = np.block([[program.P[np.ix_(is_free, is_free)], free_rows.T], [free_rows, np.zeros((len(rows), len(rows)))]])

    if not (np.isfinite(kkt).all() and np.isfinite(misfit).all()):
        return  # LAPACK would print a complaint
    for solve in (_regularized,) * (len(kkt) > SMALL) + (_least_norm,) * (len(kkt) <= LARGE):
        try:
            step = solve(kkt, -misfit, size)
        except np.linalg.LinAlgError:  # the singular value decomposition may fail to converge
            return
        new_x, new_multipliers = start.copy(), multipliers + step[size:]
        new_x[is_free] += step[:size]
        new_z = np.zeros_like(z)
        new_z[others] = new_multipliers[: len(others)]
        # What the other forces leave over at a fixed variable, its bound must hold; of several bounds, one.
        force = -(program.P @ new_x + program.q + rows.T @ new_multipliers)[fixed] / coefficients
        _, first = np.unique((fixed + 1) * np.where(force > 0, 1, -1), return_index=True)
        new_z[bounds[first]] = force[first]
        yield new_x, new_z, new_multipliers[len(others) :]
    if 0 < len(active) <= SMALL:  # with no column at all, scipy.optimize.nnls corrupts the memory (SciPy 1.17)
        chosen_z = np.zeros_like(z)
        chosen_z[active], chosen_y = _nonnegative(G, dense(program.A), program.P @ new_x + program.q)
        yield new_x, chosen_z, chosen_y


def _nonnegative(G, A, gradient):
    """Multipliers z ≥ 0 and y that balance the gradient best: at a degenerate point there are many to choose from."""
    try:
        weights, _ = nnls(np.hstack([G.T, A.T, -A.T]), -gradient)
    except (RuntimeError, ValueError):  # too many iterations, or a gradient that is not finite
        weights = np.zeros(len(G) + 2 * len(A))
    z, plus, minus = np.split(weights, [len(G), len(G) + len(A)])
    return z, plus - minus


def _regularized(kkt, right, size):
    """Elimination with ± a small diagonal, which is never singular; refinement takes its effect out again."""
    signs = np.where(np.arange(len(kkt)) < size, 1.0, -1.0)
    factors = lu_factor(kkt + np.diag(REGULARIZATION * signs), check_finite=False)
    step = np.zeros_like(right)
    for _ in range(3):
        step += lu_solve(factors, right - kkt @ step, check_finite=False)
    return step


def _least_norm(kkt, right, size):
    return np.linalg.lstsq(kkt, right, rcond=SINGULAR)[0]
