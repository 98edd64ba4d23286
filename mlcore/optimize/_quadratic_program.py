"""Convex quadratic programs, solved by CVXOPT's interior-point method and checked on the original data.

Conventions (CVXOPT's)::

    minimise   ½ xᵀPx + qᵀx                      multipliers
    subject to Gx ≤ h                            z ≥ 0
               Ax = b                            y, free
    optimal:   Px + q + Gᵀz + Aᵀy = 0, the constraints hold, zᵢ(h − Gx)ᵢ = 0  (checked by `mlcore.optimize`)
    dual value: −½ xᵀPx − hᵀz − bᵀy
"""

from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from cvxopt import lapack, matrix
from scipy import sparse

from mlcore.optimize._active_set import active_set_step
from mlcore.optimize._certificate import Certificate, Status
from mlcore.optimize._constraints import as_constraints, dense, independent_rows
from mlcore.optimize._equilibration import in_units, largest, natural_units
from mlcore.optimize._farkas import prove_infeasible, prove_unbounded
from mlcore.optimize._interior_point import DENSE, interior_point
from mlcore.optimize._kkt import optimality
from mlcore.optimize._linear_program import LinearProgram
from mlcore.optimize._simplex import simplex
from mlcore.validation import as_array, as_positive, as_symmetric, as_whole_number

HUGE = 1e100  # squares of larger numbers overflow
GOOD = 1e-9  # an error that satisfies; what counts as optimal is the caller's tolerance
CHEAP = 2000  # number of unknowns up to which a solution is polished in any case
REACH = 1e6  # a bound further away, in units of x, is first left out: it may stand for infinity
PULL = 1e-6  # weight of the proximal term for hard programs
PROXIMAL_STEPS = 5
FULL_RUNS = 2  # all runs of CVXOPT together make at most so many times `max_iter` iterations


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    """Minimise ½ xᵀPx + qᵀx subject to Gx ≤ h and Ax = b.

    Parameters
    ----------
    P : array_like or sparse, shape (n, n)
        Symmetric and positive semidefinite, both up to rounding (1e-10, relative).
    q : array_like, shape (n,)
    G : array_like or sparse, shape (m, n), optional
        Inequalities; a large sparse array is kept as CSR, any other is stored dense. Left out, there are none.
    h : array_like, shape (m,), optional
    A : array_like or sparse, shape (p, n), optional
        Equalities, likewise.
    b : array_like, shape (p,), optional

    Raises
    ------
    ValueError
        Wrong shapes, NaN, infinite entries or ones above 1e100 in size, one of a pair (G, h) or (A, b) missing,
        or a P that is not symmetric or has a negative eigenvalue.

    Examples
    --------
    >>> QuadraticProgram(P=[[1, 2], [2, 1]], q=[0, 0])
    Traceback (most recent call last):
        ...
    ValueError: P: expected a positive semidefinite matrix, got one with eigenvalue -1
    """

    P: np.ndarray
    q: np.ndarray
    G: np.ndarray | sparse.csr_array | None = None
    h: np.ndarray | None = None
    A: np.ndarray | sparse.csr_array | None = None
    b: np.ndarray | None = None

    def __post_init__(self):
        q = as_array("q", self.q, ("n",))
        if not len(q):
            raise ValueError("q: expected at least one variable, got shape (0,)")
        G, h = as_constraints(("G", self.G), ("h", self.h), len(q), DENSE)
        A, b = as_constraints(("A", self.A), ("b", self.b), len(q), DENSE)
        P = _as_semidefinite(self.P, len(q))
        for name, value in {"P": P, "q": q, "G": G, "h": h, "A": A, "b": b}.items():
            if (size := abs(value).max() if value.shape[0] else 0.0) > HUGE:
                raise ValueError(f"{name}: expected entries of at most {HUGE:g} in size, got {size:g}")
            object.__setattr__(self, name, value)

    def objective(self, x):
        """Return ½ xᵀPx + qᵀx for x of shape (n,)."""
        return float(x @ (self.P @ x) / 2 + self.q @ x)


@dataclass(frozen=True, eq=False)
class QPResult:
    """How `solve_qp` ended.

    Attributes
    ----------
    x : numpy.ndarray, shape (n,)
        The minimiser; the last point when the solver did not converge; a feasible point when the objective is
        unbounded; NaN when nothing is feasible.
    value : float
        Objective at `x`, −inf when unbounded, inf when infeasible.
    inequality_multipliers : numpy.ndarray, shape (m,)
        z ≥ 0 of Gx ≤ h (NaN when infeasible or unbounded).
    equality_multipliers : numpy.ndarray, shape (p,)
        y of Ax = b (NaN likewise).
    status : mlcore.optimize.Status
    certificate : mlcore.optimize.Certificate
        Values, gap and residual recomputed from the original data. Infeasible: the Farkas ray (z, y), with
        Gᵀz + Aᵀy = 0, z ≥ 0 and hᵀz + bᵀy = −1. Unbounded: a direction d with Pd = 0, Gd ≤ 0, Ad = 0, qᵀd = −1.
    iterations : int
        Interior-point iterations of all runs; 0 when a linear system sufficed or CVXOPT gave up with an exception.
    """

    x: np.ndarray
    value: float
    inequality_multipliers: np.ndarray
    equality_multipliers: np.ndarray
    status: Status
    certificate: Certificate
    iterations: int


def box_constraints(lower, upper):
    """Return the sparse G and h of lower ≤ x ≤ upper.

    CVXOPT solves a program with n ≥ 200 variables 4 to 7 times faster with a sparse box than with a dense one.

    Parameters
    ----------
    lower, upper : array_like, shape (n,)
        An infinite bound gives no row.

    Returns
    -------
    G : scipy.sparse.csr_array, shape (m, n)
        First one row −xᵢ ≤ −lowerᵢ for every finite lower bound, then one xᵢ ≤ upperᵢ for every upper one.
    h : numpy.ndarray, shape (m,)

    Raises
    ------
    ValueError
        Different lengths, NaN, or a lower bound above its upper bound.

    Examples
    --------
    >>> G, h = box_constraints([0, 0], [1, np.inf])
    >>> G.toarray()
    array([[-1.,  0.],
           [ 0., -1.],
           [ 1.,  0.]])
    """
    lower = as_array("lower", lower, ("n",), allow_infinite=True)
    upper = as_array("upper", upper, lower.shape, allow_infinite=True)
    if (crossed := np.flatnonzero(lower > upper)).size:
        i = crossed[0]
        raise ValueError(f"lower: expected at most upper, got {lower[i]:g} > {upper[i]:g} at position {i}")
    below, above = np.flatnonzero(np.isfinite(lower)), np.flatnonzero(np.isfinite(upper))
    signs = np.repeat([-1.0, 1.0], [len(below), len(above)])
    rows = np.arange(len(signs))
    G = sparse.csr_array((signs, (rows, np.concatenate([below, above]))), shape=(len(signs), len(lower)))
    return G, np.concatenate([-lower[below], upper[above]])


def solve_qp(problem, tolerance=1e-6, max_iter=100):
    """Minimise a convex quadratic program, or prove that it has no minimum.

    The program is scaled, dependent equalities are set aside, CVXOPT is run, and its point is polished by one
    Newton step on the active constraints. What comes out is judged on the original data. If it does not pass, two
    linear programs look for a proof that there is no minimum; failing that, CVXOPT is given easier variants.

    Parameters
    ----------
    problem : QuadraticProgram
    tolerance : float
        Largest scaled KKT residual and relative gap that still count as optimal; the usual result has 1e-12.
    max_iter : int
        Limit of interior-point iterations in a run of CVXOPT. A hard program takes several runs, which make at most
        twice as many together; then the status is iteration limit.

    Returns
    -------
    QPResult
        With status optimal, infeasible, unbounded, iteration limit or not converged.

    Raises
    ------
    ValueError
        A tolerance that is not positive or an iteration limit below 1.

    Notes
    -----
    The example is HJ's. CVXOPT: Andersen, Dahl, Vandenberghe, "Interior-point methods for large-scale cone
    programming", 2011.

    Examples
    --------
    >>> G, h = [[-1, 0], [0, -1], [-1, -3], [2, 5], [3, 4]], [0, 0, -15, 100, 80]
    >>> result = solve_qp(QuadraticProgram(P=[[1, 0], [0, 0]], q=[3, 4], G=G, h=h))
    >>> result.status, result.x.round(6) + 0, round(result.value, 6)
    (<Status.OPTIMAL: 'optimal'>, array([0., 5.]), 20.0)
    """
    tolerance = as_positive("tolerance", tolerance)
    max_iter = as_whole_number("max_iter", max_iter)
    with np.errstate(all="ignore"):  # a point that runs off to infinity is told by its certificate
        return _solve(problem, tolerance, max_iter)


class _Candidate(NamedTuple):
    """A primal-dual point with its certificate and its largest relative error, infinite if any is not finite."""

    x: np.ndarray
    z: np.ndarray
    y: np.ndarray
    certificate: Certificate
    error: float


def _solve(problem, tolerance, max_iter):
    units = natural_units(problem)
    best, iterations = _attempt(problem, units, units, max_iter)
    limit_met = iterations >= max_iter
    if best.error > GOOD and not problem.P.any() and len(best.x) <= CHEAP:
        best = min(best, _vertex(problem, units, best), key=_error)
    if best.error > tolerance:
        feasible, farkas = prove_infeasible(problem, units)
        if farkas is not None and farkas.residual <= tolerance:
            return no_minimum(problem, Status.INFEASIBLE, farkas, np.full_like(feasible, np.nan), iterations)
        recession = prove_unbounded(problem, units, feasible)
        if recession is not None and recession.residual <= tolerance:
            return no_minimum(problem, Status.UNBOUNDED, recession, feasible, iterations)
    center = np.zeros_like(best.x)
    for scaling, pull in _easier_variants(problem, units) if best.error > GOOD else ():
        left = min(max_iter, FULL_RUNS * max_iter - iterations)
        if best.error <= GOOD or left <= 0:
            break
        candidate, used = _attempt(problem, units, scaling, left, pull, center)
        iterations, limit_met = iterations + used, used >= left
        if pull and candidate.error >= best.error and best.error <= tolerance:
            break
        best = min(best, candidate, key=_error)
        if pull:
            center = candidate.x
    status, certificate = Status.OPTIMAL, best.certificate
    if best.error > tolerance:
        status = Status.ITERATION_LIMIT if limit_met else Status.NOT_CONVERGED
        certificate = replace(certificate, proof=False)
    x, z, y = (part + 0.0 for part in (best.x, best.z, best.y))  # no negative zeros
    return QPResult(x, certificate.primal_value, z, y, status, certificate, iterations)


def _vertex(problem, units, best):
    """Let the simplex method, which no unit disturbs, solve a program without a quadratic term."""
    rows = dense(problem.G), problem.h, dense(problem.A), problem.b
    result = simplex(LinearProgram(problem.q, *rows, bounds=(None, None)))
    if result.status is not Status.OPTIMAL:
        return best
    return _judged(problem, units, result.x, -result.dual.ub, -result.dual.eq)


def _easier_variants(problem, units):
    """Let the smaller part of the objective set its unit, or the far bounds that of x, or hold on to a center."""
    if units.objective * units.value < 1:
        yield units._replace(objective=1 / units.value), 0.0
    far = natural_units(problem, reach=REACH)
    if (far.variable > units.variable).any():
        yield far, 0.0
    for _ in range(PROXIMAL_STEPS):
        yield units, PULL


def no_minimum(problem, status, certificate, x, iterations=0):
    """Return the result of a program that is infeasible or unbounded."""
    value = np.inf if status is Status.INFEASIBLE else -np.inf
    z, y = np.full_like(problem.h, np.nan), np.full_like(problem.b, np.nan)
    return QPResult(x, value, z, y, status, certificate, iterations)


def _attempt(problem, units, scaling, max_iter, pull=0.0, center=0.0):
    """Run CVXOPT on the scaled program with ½ pull ‖x − center‖² added, then polish without that term.

    With a pull every program is strictly convex. Without one CVXOPT may stop at a singular matrix, or walk to the far
    end of an unbounded set of minimisers, where digits get lost.
    """
    scaled = in_units(problem, scaling)
    in_reach = True if pull else scaled.h <= 2 * REACH
    rows, basis = np.flatnonzero((largest(scaled.G, 1) > 0) & in_reach), independent_rows(scaled.A)
    core = scaled
    if len(rows) + len(basis) < len(scaled.h) + len(scaled.b):
        core = scaled._replace(G=scaled.G[rows], h=scaled.h[rows], A=scaled.A[basis], b=scaled.b[basis])
    n = len(core.q)
    x, z, y, iterations = center / scaling.variable, np.zeros(len(rows)), np.zeros(len(basis)), 0
    if len(rows):
        convex = core._replace(P=core.P + pull * np.eye(n), q=core.q - pull * x) if pull else core
        x, z, y, iterations = interior_point(convex, x, max_iter)

    def judged(x, z, y):
        d, e, f, c, _ = scaling
        all_z, all_y = np.zeros_like(problem.h), np.zeros_like(problem.b)
        all_z[rows], all_y[basis] = np.maximum(z, 0), y
        return _judged(problem, units, d * x, e * all_z / c, f * all_y / c)

    # Polished points first, which usually are good enough, unless polishing costs much.
    steps, ended = active_set_step(core, z > core.h - core.G @ x, x, z, y), [(x, z, y)]
    best = None
    for point in chain(steps, ended) if n + len(basis) <= CHEAP else chain(ended, steps):
        candidate = judged(*point)
        best = candidate if best is None else min(best, candidate, key=_error)
        if best.error <= GOOD:
            break
    return best, iterations


def _error(candidate):
    return candidate.error


def _judged(problem, units, x, z, y):
    """Check the optimality conditions on the original data."""
    return _Candidate(x, z, y, *optimality(problem, x, z, y, units))


def _as_semidefinite(P, n):
    P = as_symmetric("P", dense(P), n)
    size = np.abs(P).max()
    if not 0 < size <= HUGE:
        return P  # the caller refuses what is too large
    # With a unit diagonal, "up to rounding" means the same for variables of any unit.
    unit = 1 / np.sqrt(np.maximum(np.abs(np.diag(P)), 1e-11 * size))
    scaled = matrix(P.T)
    view = np.asarray(scaled)
    view *= unit
    view *= unit[:, None]
    view[np.diag_indices(n)] += 1e-10
    try:
        lapack.potrf(scaled)  # CVXOPT's: NumPy's threads would compete with those of the solver
    except ArithmeticError:
        least = np.linalg.eigvalsh(P)[0]
        message = f"P: expected a positive semidefinite matrix, got one with eigenvalue {least:g}"
        raise ValueError(message) from None
    return P
