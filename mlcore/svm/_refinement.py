"""The last digits of a solution: which multipliers are between their bounds is guessed, and a linear system solved."""

import numpy as np
from scipy.optimize import lsq_linear

from mlcore.optimize import Status
from mlcore.svm._dual import TOLERANCE, Machine

__all__ = ["by_error", "finished", "refined"]

ACTIVE_SET_STEPS = 10
PROMISING = 0.1  # an error that a right guess of the active set at least halves
JITTER = 1e-11  # of the mean of the diagonal


def refined(problem, beta, status):
    """Return the machine of full accuracy near approximate multipliers, by a primal-dual active set method.

    Parameters
    ----------
    problem : DualProblem
    beta : numpy.ndarray of shape (n,)
        From a solver that has found most of the support vectors; NaN, from one that failed, counts as 0.
    status : mlcore.optimize.Status
        How that solver ended.

    Returns
    -------
    Machine
        The best one met, which may be that of `beta` itself.

    Notes
    -----
    Hintermüller, Ito, Kunisch, "The primal-dual active set strategy as a semismooth Newton method", 2002.
    """
    best = Machine.of(problem, problem.at_bounds(np.nan_to_num(beta)), status)
    if not best.error <= TOLERANCE:  # β = 0 is the exact solution if the tube is as high as the data
        best = min(best, Machine.of(problem, np.zeros(len(beta)), status), key=by_error)
    for step in (_newton_step, _bounded_step):
        machine, far, failed = best, False, 0  # far: whether the guess of the active set looks far ahead
        for _ in range(ACTIVE_SET_STEPS):
            patient = step is _bounded_step and best.error > TOLERANCE  # then it may get worse before it gets better
            if best.exact or (failed > 1 and not patient):
                break
            before, machine = best.error, step(problem, machine, far, status)
            best = min(best, machine, key=by_error)
            if machine.error <= before / 2:
                failed = 0
            else:
                far, machine, failed = not far, machine if patient else best, failed + 1
    return best


def finished(problem, beta, status, F):
    """Do the same for the multipliers of SMO and their slopes F, but give up at once where the guess is wrong."""
    b = problem.offset(beta, F)
    unknown = (None, np.nan, status, None, PROMISING)
    machine = Machine(beta, None, b, problem.ridge * beta - F - b, *unknown)
    for _ in range(ACTIVE_SET_STEPS):
        before, machine = machine.error, _newton_step(problem, machine, False, status)
        if machine.exact:
            return machine
        if not machine.error <= before / 2:
            break
    start = problem.at_bounds(beta)
    start = Machine.of(problem, start, status, F=F if np.array_equal(start, beta) else None)
    return min(start, machine, key=by_error)


def by_error(machine):
    return machine.error if np.isfinite(machine.error) else np.inf


def _active_set(problem, machine, far):
    """Fix what a proximal step takes to 0 or to a bound; return β with the rest as it was, and what is free."""
    old, size = machine.beta, problem.size(machine.beta)
    steepness = float(problem.gram.diagonal.mean()) + problem.ridge  # change of an error by a unit of its own β
    length = size / problem.unit if far else size / max(problem.unit, size * steepness)
    beta = problem.proximal_step(old, machine.errors - problem.ridge * old, length)
    free = np.flatnonzero((beta != 0) & (beta > problem.lower) & (beta < problem.upper))
    signs = np.sign(beta[free])
    beta[free] = np.where(signs * old[free] > 0, old[free], 0)
    ends = np.where(signs > 0, 0, problem.lower[free]), np.where(signs > 0, problem.upper[free], 0)
    return beta, free, signs, ends


def _newton_step(problem, machine, far, status):
    """Solve the conditions of the free points, −F − b = ±ε and Σ βᵢ = 0, fixing those that leave their bounds.

    With a linear kernel w = Σ βᵢxᵢ is an unknown of its own: where C is large the sum would lose its digits. A little
    jitter holds on to the multipliers of equal points.
    """
    beta, free, signs, (least, most) = _active_set(problem, machine, far)
    X, size, diagonal = problem.X, problem.size(machine.beta), float(problem.gram.diagonal.mean())
    w, d = None, 0 if X is None else X.shape[1]
    while len(free):
        m = d + 1 + len(free)
        system, right = np.zeros((m, m)), np.zeros(m)
        system[d, d + 1 :] = system[d + 1 :, d] = 1
        right[d] = -beta.sum() / size
        wanted = problem.target[free] - signs * problem.epsilon - problem.ridge * beta[free]
        if X is None:
            rows = problem.gram.rows_of(free)
            system[1:, 1:] = size * rows[:, free]
            right[1:] = wanted - rows @ beta
        else:
            norm = size * np.sqrt(diagonal) or 1.0  # w = norm · unknown
            system[:d, :d] = np.eye(d)
            system[:d, d + 1 :] = -(size / norm) * X[free].T
            system[d + 1 :, :d] = norm * X[free]
            right[:d], right[d + 1 :] = X.T @ beta / norm, wanted
        system.flat[(d + 1) * (m + 1) :: m + 1] += size * (problem.ridge or JITTER * diagonal)
        try:
            unknown = np.linalg.solve(system, right)
        except np.linalg.LinAlgError:  # no jitter helps: all points are at the origin
            return machine._replace(status=Status.NOT_CONVERGED, error=np.inf)
        w = None if X is None else norm * unknown[:d]
        moved = beta[free] + size * unknown[d + 1 :]
        beta[free] = np.minimum(np.maximum(moved, least), most)
        left = (moved <= least) | (moved >= most)
        if not left.any():
            break
        free, signs, least, most = (part[~left] for part in (free, signs, least, most))
        w = None
    return Machine.of(problem, problem.at_bounds(beta), status, w=w)


def _bounded_step(problem, machine, far, status):
    """Solve the same conditions for the best step within the bounds, which also works where many solutions exist."""
    beta, free, signs, ends = _active_set(problem, machine, far)
    size, k = problem.size(machine.beta), len(free)
    system = np.ones((k + 1, k + 1))
    system[:k, :k], system[k, k] = size * (problem.gram.block(free) + problem.ridge * np.eye(k)), 0
    inside = problem.target[free] - problem.gram.rows_of(free) @ beta - problem.ridge * beta[free] - machine.b
    missing = np.append(inside - signs * problem.epsilon, -beta.sum() / size)
    unit = np.abs(missing).max() or 1.0  # lsq_linear stops at an absolute error
    least, most = ((end - beta[free]) / (size * unit) for end in ends)
    bounds = np.append(np.minimum(least, 0), -np.inf), np.append(np.maximum(most, 0), np.inf)
    step = lsq_linear(system, missing / unit, bounds, method="bvls", tol=1e-15).x
    beta[free] += unit * size * step[:-1]
    return Machine.of(problem, problem.at_bounds(beta), status)
