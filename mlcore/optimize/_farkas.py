"""Proofs that a quadratic program has no minimum: Farkas rays and recession directions.

Exactly one of two things holds for the constraints Gx ≤ h, Ax = b (Farkas's lemma): some x satisfies them, or
some weights z ≥ 0 and y add them up to the contradiction 0 ≤ −1. A feasible convex quadratic program, in turn,
either has a minimum or a direction along which its objective falls at a constant rate for ever.
"""

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from mlcore.optimize._certificate import Certificate
from mlcore.optimize._equilibration import in_units

ROUNDING = 1e-9  # a sum this small against its terms may be their rounding error
FLAT = 1e-11  # eigenvalues of the scaled P below this fraction of the largest count as 0


def prove_infeasible(problem, units):
    """Find a feasible point, or weights that add the constraints up to a contradiction.

    Minimises t subject to Gx ≤ h + t, |Ax − b| ≤ t in natural units. At t = 0 the point is feasible; at t > 0 the
    multipliers of this linear program are the weights.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    units : mlcore.optimize.Units

    Returns
    -------
    point : numpy.ndarray, shape (n,)
        Least violation of the constraints.
    certificate : Certificate or None
        Ray (z, y) with z ≥ 0, Gᵀz + Aᵀy = 0, hᵀz + bᵀy = −1. Its residual r, the largest entry of Gᵀz + Aᵀy in
        natural units, says how much it proves: no x with Σ|xⱼ| below 1 / r natural units is feasible.

    Examples
    --------
    >>> from mlcore.optimize._equilibration import natural_units
    >>> from mlcore.optimize import QuadraticProgram
    >>> problem = QuadraticProgram(P=[[1]], q=[0], G=[[1], [-1]], h=[0, -2])  # x ≤ 0 and x ≥ 2
    >>> point, certificate = prove_infeasible(problem, natural_units(problem))
    >>> certificate.ray
    array([0.5, 0.5])
    """
    scaled = in_units(problem, units)
    n, m, p = len(scaled.q), len(scaled.h), len(scaled.b)
    if not m + p:
        return np.zeros(n), None
    rows = sparse.vstack([sparse.csr_array(part) for part in (scaled.G, scaled.A, -scaled.A)])
    rows = sparse.hstack([rows, np.full((m + 2 * p, 1), -1.0)], format="csr")
    right = np.concatenate([scaled.h, scaled.b, -scaled.b])
    size = np.median(np.abs(right[right != 0])) if right.any() else 1.0  # HiGHS has absolute tolerances
    least = linprog(np.eye(n + 1)[n], rows, right / size, bounds=[(None, None)] * n + [(0, None)])
    if least.x is None:
        return np.zeros(n), None
    point = units.variable * size * least.x[:n] + 0.0
    weights = np.maximum(-least.ineqlin.marginals, 0)
    z = units.inequality * weights[:m]
    return point, contradiction(problem, units, z, units.equality * (weights[m : m + p] - weights[m + p :]))


def prove_unbounded(problem, units, point):
    """Find a direction in which the objective falls for ever without leaving the constraints.

    Minimises qᵀd subject to Pd = 0, Gd ≤ 0, Ad = 0, |d| ≤ 1 in natural units.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    units : mlcore.optimize.Units
    point : numpy.ndarray, shape (n,)
        A feasible point: the ray starts there.

    Returns
    -------
    Certificate or None
        Ray d with Pd = 0, Gd ≤ 0, Ad = 0, qᵀd = −1; its residual is the largest violation of these conditions or
        of the constraints at `point`, in natural units.

    Examples
    --------
    >>> from mlcore.optimize._equilibration import natural_units
    >>> from mlcore.optimize import QuadraticProgram
    >>> problem = QuadraticProgram(P=[[0]], q=[2], G=[[1]], h=[0])  # minimise 2x for x ≤ 0
    >>> prove_unbounded(problem, natural_units(problem), [0]).ray
    array([-0.5])
    """
    scaled = in_units(problem, units)
    eigenvalues, vectors = np.linalg.eigh(scaled.P)
    flat = vectors[:, eigenvalues <= FLAT * eigenvalues[-1]] if scaled.P.any() else np.eye(len(scaled.q))
    if not flat.shape[1]:
        return None
    G, A, slope = scaled.G @ flat, scaled.A @ flat, scaled.q @ flat
    steepest = linprog(slope / (np.abs(slope).max() or 1.0), G, np.zeros(len(G)), A, np.zeros(len(A)), bounds=(-1, 1))
    if steepest.x is None:
        return None
    return descent(problem, units, point, units.variable * (flat @ steepest.x))


def contradiction(problem, units, z, y):
    """Return the certificate that the weights z and y add the constraints up to 0 ≤ −1, or None if they do not.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    units : mlcore.optimize.Units
    z, y : numpy.ndarray, shapes (m,) and (p,)
        Weights of the inequalities, z ≥ 0, and of the equalities, of any size.

    Returns
    -------
    Certificate or None
        As `prove_infeasible` says.
    """
    total = problem.h @ z + problem.b @ y
    if not -total > ROUNDING * (np.abs(problem.h) @ z + np.abs(problem.b) @ np.abs(y)):
        return None
    z, y = z / -total, y / -total
    return _certificate(np.concatenate([z, y]), np.abs(units.variable * (problem.G.T @ z + problem.A.T @ y)))


def descent(problem, units, point, ray):
    """Return the certificate that the objective falls for ever from a point along a ray, or None if it does not fall.

    Parameters
    ----------
    problem : mlcore.optimize.QuadraticProgram
    units : mlcore.optimize.Units
    point, ray : numpy.ndarray, shape (n,)

    Returns
    -------
    Certificate or None
        As `prove_unbounded` says.
    """
    fall = -(problem.q @ ray)
    if not fall > ROUNDING * (np.abs(problem.q) @ np.abs(ray)):
        return None
    ray = ray / fall
    d, e, f, c, _ = units
    violations = (
        c * d * np.abs(problem.P @ ray),
        e * (problem.G @ ray),
        f * np.abs(problem.A @ ray),
        e * (problem.G @ point - problem.h),
        f * np.abs(problem.A @ point - problem.b),
    )
    return _certificate(ray, np.concatenate(violations))


def _certificate(ray, violations):
    return Certificate(np.nan, np.nan, np.nan, float(violations.max(initial=0.0)), ray + 0.0)  # no negative zeros
