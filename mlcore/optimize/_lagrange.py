"""Quadratic programs with equations only: Lagrange's conditions are linear, so one linear system solves them.

Conventions (those of `mlcore.optimize`)::

    minimise   ½ xᵀPx + qᵀx   subject to   Ax = b

    Lagrangian   L(x, y) = ½ xᵀPx + qᵀx + yᵀ(Ax − b)
    system       ⎡P  Aᵀ⎤ ⎡x⎤   ⎡−q⎤
                 ⎣A  0 ⎦ ⎣y⎦ = ⎣ b⎦

Other books write f − α(g − c); their multiplier is α = −y. It is the derivative of the lowest value by the
right-hand side.
"""

from dataclasses import replace

import numpy as np

from mlcore.optimize._certificate import Status
from mlcore.optimize._equilibration import in_units, natural_units
from mlcore.optimize._farkas import contradiction, descent
from mlcore.optimize._kkt import optimality
from mlcore.optimize._quadratic_program import QPResult, QuadraticProgram, no_minimum

TOLERANCE = 1e-6  # largest scaled residual and relative gap that count as optimal; the usual result has 1e-12
PROOF = 1e-9  # largest violation of a proof
DEPENDENT = 1e-12  # singular values below this fraction of the largest belong to dependent rows
FLAT = 1e-12  # eigenvalues below this fraction of the largest belong to directions without curvature


def solve_equality_qp(P, q, A=None, b=None):
    """Minimise a convex quadratic function under linear equations in closed form, or prove that it has no minimum.

    The point x₀ of least norm with Ax₀ = b is found first; then every feasible point is x₀ + Zv, where the columns
    of Z span the null space of A, and the best v solves ZᵀPZ v = −Zᵀ(Px₀ + q). Dependent rows and directions
    without curvature are seen in the singular values of A and the eigenvalues of ZᵀPZ; of several minimisers and
    of several multipliers, those of least norm in natural units are returned.

    Parameters
    ----------
    P : array_like, shape (n, n)
        Symmetric and positive semidefinite.
    q : array_like, shape (n,)
    A : array_like, shape (p, n), optional
        The equations; left out, there are none.
    b : array_like, shape (p,), optional

    Returns
    -------
    mlcore.optimize.QPResult
        With `x`, `value`, `equality_multipliers` (y, with Px + q + Aᵀy = 0), `certificate` and status optimal,
        infeasible (a ray y with Aᵀy = 0 and bᵀy = −1), unbounded (a ray d with Pd = 0, Ad = 0 and qᵀd = −1) or
        not converged, when rounding errors hide the answer. There are no iterations.

    Raises
    ------
    ValueError
        As for `mlcore.optimize.QuadraticProgram`.

    Notes
    -----
    ES p. 45–46. The null-space method: Nocedal and Wright, *Numerical Optimization*, 2006, section 16.2.

    Examples
    --------
    >>> result = solve_equality_qp(P=[[2, 0], [0, 2]], q=[0, 0], A=[[1, 1]], b=[2])  # ES p. 52
    >>> print(result.status, result.x.round(9), round(result.value, 9), -result.equality_multipliers.round(9))
    optimal [1. 1.] 2.0 [2.]
    """
    problem = QuadraticProgram(P=P, q=q, A=A, b=b)
    units = natural_units(problem)
    with np.errstate(all="ignore"):  # what overflows is told by the certificate
        return _solve(problem, units, in_units(problem, units))


def _solve(problem, units, scaled):
    d, _, f, c, _ = units
    U, singular, Vt = np.linalg.svd(scaled.A)
    rank = np.count_nonzero(singular > DEPENDENT * singular.max(initial=0.0))
    U, singular, rows, Z = U[:, :rank], singular[:rank], Vt[:rank], Vt[rank:].T
    start = rows.T @ (U.T @ scaled.b / singular)  # the feasible point of least norm
    curvature, directions = np.linalg.eigh(Z.T @ scaled.P @ Z)
    flat = curvature <= FLAT * np.abs(scaled.P).max()
    curved, flat = Z @ directions[:, ~flat], Z @ directions[:, flat]
    gradient = scaled.P @ start + scaled.q
    x = start - curved @ (curved.T @ gradient / curvature[len(curvature) - curved.shape[1] :])
    y = -U @ (rows @ (scaled.P @ x + scaled.q) / singular)

    x, y, none = d * x + 0.0, f * y / c + 0.0, np.zeros(0)  # no negative zeros
    certificate, error = optimality(problem, x, none, y, units)
    if error <= TOLERANCE:
        return QPResult(x, certificate.primal_value, none, y, Status.OPTIMAL, certificate, 0)
    # What no x can reach of b is at right angles to all that A can give.
    proof = contradiction(problem, units, none, f * (scaled.A @ start - scaled.b))
    if proof is not None and proof.residual <= PROOF:
        return no_minimum(problem, Status.INFEASIBLE, proof, np.full_like(x, np.nan))
    proof = descent(problem, units, d * start, -d * (flat @ (flat.T @ gradient)))
    if proof is not None and proof.residual <= PROOF:
        return no_minimum(problem, Status.UNBOUNDED, proof, d * start)
    certificate = replace(certificate, proof=False)
    return QPResult(x, certificate.primal_value, none, y, Status.NOT_CONVERGED, certificate, 0)
