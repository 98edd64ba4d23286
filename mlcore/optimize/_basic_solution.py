"""What a basis of the simplex method says about the problem: its vertex, ray, shadow prices, Farkas weights.

All of it is read off the tableau. Where the pivots left too many rounding errors there, the tableau is computed
afresh from the basis.
"""

from typing import NamedTuple

import numpy as np

from mlcore.optimize._linear_certificates import DualSolution
from mlcore.optimize._standard_form import rows_with_boxes

_NOISE = 1e-13  # Weights below this fraction of the largest one are rounding errors.


class BasicSolution(NamedTuple):
    """A vertex, the shadow prices there and, when the objective is unbounded, the ray that leaves it."""

    x: np.ndarray
    dual: DualSolution
    ray: np.ndarray | None


def vertex(form, tableau, basis):
    """Return the point a tableau stands for, in the problem's variables.

    Parameters
    ----------
    form : mlcore.optimize.StandardForm
    tableau : numpy.ndarray of shape (m + 1, N + 1)
    basis : numpy.ndarray of shape (m,)
        Column each equation is solved for.

    Returns
    -------
    numpy.ndarray of shape (n,)
    """
    return form.offset + _change(form, basis, np.maximum(tableau[: basis.size, -1], 0.0))


def read_tableau(form, tableau, basis, entering=None):
    """Read the solution off the last tableau.

    Parameters
    ----------
    form, tableau, basis
        As for `vertex`.
    entering : int, optional
        The column that may grow for ever.

    Returns
    -------
    BasicSolution
    """
    ray = None
    if entering is not None:
        fall = np.maximum(-tableau[: basis.size, entering], 0.0)
        ray = _unit(_change(form, np.append(basis, entering), np.append(fall, 1.0)))
    objective = tableau[-1, :-1]
    prices = (form.cost[form.start] - objective[form.start]) * form.row_factor
    first = np.searchsorted(form.source, np.arange(form.offset.size))  # of a free variable the first of its columns
    reduced = form.sign[first] * objective[first] / form.scale[first]
    # lower + (upper - lower) may miss upper by a rounding error.
    return BasicSolution(_clip(vertex(form, tableau, basis), form.problem), _dual(form, prices, reduced), ray)


def fresh_tableau(form, basis, rows, cost):
    """Compute a basis's tableau, and the vertex in the problem's own variables, from the standard form.

    Parameters
    ----------
    form, basis
        As for `vertex`.
    rows : numpy.ndarray of shape (m,)
        The rows of the form that are not redundant.
    cost : numpy.ndarray of shape (N,)

    Returns
    -------
    tableau : numpy.ndarray of shape (m + 1, N + 1)
    x : numpy.ndarray of shape (n,)
        Not measured from the bounds, which may be far away, and so free of the rounding errors of the difference.

    Raises
    ------
    numpy.linalg.LinAlgError
        The basis is singular to machine precision.
    """
    all_rows, all_constants, _ = rows_with_boxes(form.problem)
    offset = form.offset.copy()
    offset[form.source[basis[basis < form.source.size]]] = 0.0
    right = (form.row_factor * (all_constants - all_rows @ offset))[rows]
    system = np.column_stack([form.columns[rows], form.constants[rows], right])
    solved = np.linalg.solve(form.columns[np.ix_(rows, basis)], system)
    tableau = np.zeros((basis.size + 1, form.scale.size + 1), order="F")
    tableau[:-1] = solved[:, :-1]
    tableau[:-1, basis] = np.eye(basis.size)
    tableau[-1] = np.append(cost, 0.0) - cost[basis] @ tableau[:-1]
    tableau[-1, basis] = 0.0
    return tableau, _clip(offset + _change(form, basis, solved[:, -1]), form.problem)


def farkas_weights(form, objective):
    """Read weights of contradicting constraints off the objective row at the end of phase 1.

    Parameters
    ----------
    form : mlcore.optimize.StandardForm
    objective : numpy.ndarray of shape (N,)

    Returns
    -------
    numpy.ndarray of shape (m_ub + m_eq + 2 n,)
        As `mlcore.optimize.infeasibility` takes them, the largest being 1.
    """
    problem = form.problem
    prices = form.artificial_cost[form.start] - objective[form.start]
    prices[np.abs(prices) <= _NOISE * np.abs(prices).max(initial=0.0)] = 0.0
    ub, boxed, eq = _split(form, prices * form.row_factor)
    weights = np.concatenate([np.maximum(ub, 0.0), eq])
    above = np.zeros(problem.c.size)
    above[form.boxed] = np.maximum(boxed, 0.0)
    combination = weights @ problem.rows + above
    combination[np.abs(combination) <= _NOISE * (np.abs(weights) @ np.abs(problem.rows) + above)] = 0.0
    below = np.where(np.isfinite(problem.lower), np.maximum(combination, 0.0), 0.0)
    above += np.where(np.isfinite(problem.upper), np.maximum(-combination, 0.0), 0.0)
    return _unit(np.concatenate([weights, below, above]))


def _dual(form, prices, reduced):
    """Turn prices of rows and reduced costs of the maximised objective into shadow prices of the problem's own."""
    problem = form.problem
    ub, boxed, eq = _split(form, prices)
    has_lower, has_upper = np.isfinite(problem.bounds.T)
    lower = np.where(has_lower, np.minimum(reduced, 0.0), 0.0)
    upper = np.where(has_upper & ~has_lower, np.maximum(reduced, 0.0), 0.0)
    upper[form.boxed] = np.maximum(boxed, 0.0)
    sense = 1.0 if problem.maximize else -1.0
    # Adding 0 turns -0 into 0.
    return DualSolution(*(sense * part + 0.0 for part in (np.maximum(ub, 0.0), eq, lower, upper)))


def _split(form, prices):
    """Split into the rows of A_ub, the upper bounds written as rows, and the rows of A_eq."""
    m_ub, m = len(form.problem.b_ub), len(prices) - len(form.problem.b_eq)
    return prices[:m_ub], prices[m_ub:m], prices[m:]


def _change(form, basis, values):
    """Return how far the problem's variables are from `offset` when the basic columns have these values."""
    v = np.zeros(form.scale.size)
    v[basis] = values
    structural = form.source.size
    moved = form.sign * v[:structural] * form.scale[:structural]
    return np.bincount(form.source, moved, minlength=form.offset.size)


def _clip(x, problem):
    return np.minimum(np.maximum(x, problem.lower), problem.upper)


def _unit(vector):
    """Scale so that the largest entry has size 1."""
    return vector / (np.abs(vector).max(initial=0.0) or 1.0) + 0.0
