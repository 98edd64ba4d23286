"""What a basis of the simplex method says about the problem: its vertex, ray, shadow prices, Farkas weights.

All of it can be read off the tableau. Where the pivots left too many rounding errors there, the tight rows of the
problem are solved afresh.
"""

from typing import NamedTuple

import numpy as np

from mlcore.optimize._linear_certificates import DualSolution
from mlcore.optimize._standard_form import rows_with_boxes

__all__ = ["BasicSolution", "farkas_weights", "read_tableau", "solve_tight_rows", "vertex"]

_NOISE = 1e-13  # Weights below this fraction of the largest one are rounding errors.


class BasicSolution(NamedTuple):
    """A vertex with the shadow prices there or, when the objective is unbounded, with the ray that leaves it."""

    x: np.ndarray
    dual: DualSolution | None
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
    problem = form.problem
    # lower + (upper - lower) may miss upper by a rounding error.
    x = _clip(vertex(form, tableau, basis), problem)
    if entering is not None:
        fall = np.maximum(-tableau[: basis.size, entering], 0.0)
        return BasicSolution(x, None, _unit(_change(form, np.append(basis, entering), np.append(fall, 1.0))))
    objective = tableau[-1, :-1]
    prices = (form.cost[form.start] - objective[form.start]) * form.row_factor
    first = np.searchsorted(form.source, np.arange(problem.c.size))  # of a free variable the first of its columns
    reduced = form.sign[first] * objective[first] / form.scale[first]
    return BasicSolution(x, _dual(form, prices, reduced), None)


def solve_tight_rows(form, basis, redundant, entering=None):
    """Compute the solution from the rows that hold with equality, in the problem's own coefficients.

    A row is tight when its slack is not basic. The tight rows, without redundant ones and bounds, and the variables
    that are at no bound form a square matrix M: ``M x = b`` gives the vertex and ``M.T y = c`` the prices.

    Parameters
    ----------
    form, basis
        As for `vertex`.
    redundant : numpy.ndarray of int
        Rows that were dropped because their artificial variable could not leave.
    entering : int, optional
        The column that may grow for ever.

    Returns
    -------
    BasicSolution or None
        None if M is singular to machine precision.
    """
    problem, structural = form.problem, form.source.size
    rows, constants, boxed = rows_with_boxes(problem)
    tight = np.ones(len(rows), dtype=bool)
    tight[basis[basis >= structural] - structural] = False
    tight[redundant] = False
    boxes = np.arange(len(problem.b_ub), len(rows) - len(problem.b_eq))
    at_upper = np.flatnonzero(boxed)[tight[boxes]]
    tight[boxes] = False
    variables = np.setdiff1d(form.source[basis[basis < structural]], at_upper)
    x = form.offset.copy()
    x[at_upper], x[variables] = problem.upper[at_upper], 0.0
    rows, constants = rows[tight], constants[tight]
    square = rows[:, variables]
    try:
        x[variables] = np.linalg.solve(square, constants - rows @ x)
        x = _clip(x, problem)
        if entering is not None:
            return BasicSolution(x, None, _ray(form, boxes, tight, rows, variables, entering))
        prices = np.linalg.solve(square.T, problem.c[variables])
    except np.linalg.LinAlgError:
        return None
    reduced = problem.c - prices @ rows
    reduced[variables] = 0.0
    all_prices = np.zeros(tight.size)
    all_prices[tight] = prices
    # A variable at its upper bound: its reduced cost is the price of that bound.
    all_prices[boxes] = np.where(np.isin(np.flatnonzero(boxed), at_upper), reduced[boxed], 0.0)
    reduced[at_upper] = 0.0
    sense = 1.0 if problem.maximize else -1.0
    return BasicSolution(x, _dual(form, sense * all_prices, sense * reduced), None)


def _ray(form, boxes, tight, rows, variables, entering):
    """Return the direction in which the entering column grows while the tight rows stay tight."""
    ray, push = np.zeros(form.offset.size), np.zeros(tight.size)
    slack = entering - form.source.size
    if slack < 0:
        ray[form.source[entering]] = form.sign[entering]
    elif slack in boxes:
        ray[np.flatnonzero(form.boxed)[slack - boxes[0]]] = -1.0
    else:
        push[slack] = 1.0
    ray[variables] -= np.linalg.solve(rows[:, variables], rows @ ray + push[tight])
    return _unit(ray)


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
    ub = np.maximum(ub, 0.0)
    above = np.zeros(problem.c.size)
    above[form.boxed] = np.maximum(boxed, 0.0)
    combination = ub @ problem.A_ub + eq @ problem.A_eq + above
    size = ub @ np.abs(problem.A_ub) + np.abs(eq) @ np.abs(problem.A_eq) + above
    combination[np.abs(combination) <= _NOISE * size] = 0.0
    below = np.where(np.isfinite(problem.lower), np.maximum(combination, 0.0), 0.0)
    above += np.where(np.isfinite(problem.upper), np.maximum(-combination, 0.0), 0.0)
    return _unit(np.concatenate([ub, eq, below, above]))


def _dual(form, prices, reduced):
    """Turn prices of rows and reduced costs of the maximised objective into shadow prices of the problem's own."""
    problem = form.problem
    ub, boxed, eq = _split(form, prices)
    has_lower, has_upper = np.isfinite(problem.lower), np.isfinite(problem.upper)
    lower = np.where(has_lower, np.minimum(reduced, 0.0), 0.0)
    upper = np.where(has_upper & ~has_lower, np.maximum(reduced, 0.0), 0.0)
    upper[form.boxed] = np.maximum(boxed, 0.0)
    sense = 1.0 if problem.maximize else -1.0
    # Adding 0 turns -0 into 0.
    return DualSolution(*(sense * part + 0.0 for part in (np.maximum(ub, 0.0), eq, lower, upper)))


def _split(form, prices):
    """Split into the rows of A_ub, the upper bounds written as rows, and the rows of A_eq."""
    problem = form.problem
    return np.split(prices, [len(problem.b_ub), len(prices) - len(problem.b_eq)])


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
