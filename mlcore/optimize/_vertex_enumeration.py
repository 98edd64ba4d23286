"""The naive way to a linear program's vertices: solve every choice of n constraints as equations (ES 2.3).

It finds every vertex and needs C(m, n) systems of equations, which is why nobody uses it.
"""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from mlcore.optimize._constraints import independent_rows
from mlcore.validation import as_whole_number

_SINGULAR = 1e-10  # Smallest singular value of a system with rows of length 1.
_TOLERANCE = 1e-9  # Relative violation that is put down to rounding errors.
_ROUNDING = 1e-13
_BATCH = 4096


@dataclass(frozen=True, eq=False)
class VertexEnumeration:
    """All crossings of n constraints, and those of them that are vertices.

    Attributes
    ----------
    systems : int
        Systems of equations that were tried: C(m, n) for m inequalities, bounds among them, and no equations.
    crossings : numpy.ndarray of shape (k, n)
        Solutions of the systems that have exactly one (ES Fig. 10).
    feasible : numpy.ndarray of shape (k,)
        Which crossings satisfy all constraints.
    vertices : numpy.ndarray of shape (v, n)
        The feasible crossings without repetitions, in the order found.
    values : numpy.ndarray of shape (v,)
        The objective at the vertices. Its best is the optimum if the objective is bounded and a vertex exists.
    """

    systems: int
    crossings: np.ndarray
    feasible: np.ndarray
    vertices: np.ndarray
    values: np.ndarray


def enumerate_vertices(problem, *, max_systems=200_000):
    """Find all vertices of a linear program by trying every choice of n tight constraints.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
        Equations are tight in every choice.
    max_systems : int
        Largest number of systems to try.

    Returns
    -------
    VertexEnumeration

    Raises
    ------
    ValueError
        More than `max_systems` systems.

    Examples
    --------
    >>> from mlcore.optimize import LinearProgram
    >>> result = enumerate_vertices(LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24]))  # ES p. 24
    >>> print(result.systems, len(result.crossings), len(result.vertices), result.values.max())
    10 10 5 33.0
    """
    max_systems = as_whole_number("max_systems", max_systems)
    n = problem.c.size
    rows, constants = problem.inequalities()
    independent = independent_rows(problem.A_eq)
    tight, tight_constants = problem.A_eq[independent], problem.b_eq[independent]
    chosen = n - len(independent)
    systems = comb(len(rows), chosen)
    if systems > max_systems:
        raise ValueError(
            f"problem: expected at most max_systems = {max_systems} choices of {chosen} among {len(rows)} "
            f"constraints, got {systems}"
        )
    choices = np.array(list(combinations(range(len(rows)), chosen)), dtype=int).reshape(systems, chosen)
    batches = [
        _solve(rows[choice], constants[choice], tight, tight_constants)
        for choice in np.array_split(choices, max(1, -(-systems // _BATCH)))
    ]
    crossings = np.concatenate(batches)
    feasible = _satisfied(crossings, rows, constants, equal=False)
    feasible &= _satisfied(crossings, problem.A_eq, problem.b_eq, equal=True)
    vertices = _distinct(crossings[feasible])
    return VertexEnumeration(systems, crossings, feasible, vertices, vertices @ problem.c)


def _solve(rows, constants, tight, tight_constants):
    """Return the solutions of a stack of systems, leaving out the singular ones."""
    stack = len(rows)
    matrices = np.concatenate([rows, np.broadcast_to(tight, (stack, *tight.shape))], axis=1)
    right = np.concatenate([constants, np.broadcast_to(tight_constants, (stack, tight_constants.size))], axis=1)
    lengths = np.linalg.norm(matrices, axis=2)
    lengths[lengths == 0] = 1.0
    matrices, right = matrices / lengths[:, :, None], right / lengths
    regular = np.linalg.svd(matrices, compute_uv=False)[:, -1] > _SINGULAR
    return np.linalg.solve(matrices[regular], right[regular][:, :, None])[:, :, 0]


def _satisfied(points, rows, constants, *, equal):
    left = points @ rows.T
    excess = np.abs(left - constants) if equal else left - constants
    size = np.abs(points) @ np.abs(rows).T + np.abs(constants)
    # A coordinate that should be 0 comes out as a rounding error of the largest one.
    rounding = np.abs(rows).max(axis=1, initial=0.0) * np.abs(points).max(axis=1, initial=0.0)[:, None]
    return (excess <= _TOLERANCE * size + _ROUNDING * rounding).all(axis=1)


def _distinct(points):
    """Return the points without repetitions, the first of each kept."""
    kept = np.zeros((0, points.shape[1]))
    near = _TOLERANCE * np.abs(points).max(axis=0, initial=0.0)
    for point in points:
        if not (np.abs(kept - point) <= near).all(axis=1).any():
            kept = np.vstack([kept, point])
    return kept
