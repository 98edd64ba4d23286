"""The proofs of a linear program's three ends, computed from the problem's own data.

Whoever holds a point and a price for every constraint (optimal), weights of contradicting constraints
(infeasible), or a direction that improves for ever (unbounded) can check the claim here without any solver.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlcore.certificate import Certificate

__all__ = ["TOLERANCE", "DualSolution", "infeasibility", "optimality", "unboundedness"]

TOLERANCE = 1e-9  # A certificate proves its claim when its residual is at most this.

# Violations are compared with the terms of their own constraint, whatever its units. Terms far below the largest
# ones of the problem carry the rounding errors of those, so they count as at least this fraction of them.
_FLOOR = 1e-3
_TINY = np.finfo(float).tiny
_ROUNDING = np.finfo(float).eps
_FAR = 1e3  # A contradiction must hold for points this many times as far out as its own constraints.


@dataclass(frozen=True)
class DualSolution:
    """Shadow prices: the derivative of the optimal value by each right-hand side and bound.

    At an optimum ``c = A_ub.T @ ub + A_eq.T @ eq + lower + upper`` and the optimal value is
    ``b_ub @ ub + b_eq @ eq`` plus the sum of every finite bound times its price (strong duality).
    In a maximisation `ub` and `upper` are >= 0 and `lower` is <= 0; in a minimisation it is the reverse.

    Attributes
    ----------
    ub, eq : numpy.ndarray
        One price for each row of `A_ub` and of `A_eq`.
    lower, upper : numpy.ndarray of shape (n,)
        One price for each bound, 0 where the bound is infinite. Their sum is the vector of reduced costs.
    """

    ub: np.ndarray
    eq: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


def optimality(problem, x, dual):
    """Return the certificate of a pair of primal and dual solutions.

    Parameters
    ----------
    problem : mlcore.linear_program.LinearProgram
    x : numpy.ndarray of shape (n,)
        The point.
    dual : DualSolution
        The prices.

    Returns
    -------
    mlcore.certificate.Certificate
        `residual` is the largest scaled violation among rows, bounds, signs of the prices, stationarity
        (``c`` = priced constraints) and equal objectives. If it is 0 the pair is optimal by weak duality.

    Examples
    --------
    >>> from mlcore.linear_program import LinearProgram
    >>> problem = LinearProgram([1.0], [[1.0]], [2.0], maximize=True)
    >>> dual = DualSolution(np.array([1.0]), np.zeros(0), np.zeros(1), np.zeros(1))
    >>> print(optimality(problem, np.array([2.0]), dual))
    primal 2, dual 2, relative gap < 1e-6, largest KKT residual < 1e-6
    """
    sense = 1.0 if problem.maximize else -1.0
    lower, upper = _finite(problem.lower), _finite(problem.upper)
    dual_terms = np.concatenate(
        [problem.b_ub * dual.ub, problem.b_eq * dual.eq, lower * dual.lower, upper * dual.upper]
    )
    primal_value, dual_value = float(problem.c @ x), float(dual_terms.sum())
    gap = abs(primal_value - dual_value)
    rows = _stack(problem)
    combination, size = _combine(rows, np.concatenate([dual.ub, dual.eq]))
    stationarity = np.abs(problem.c - combination - dual.lower - dual.upper)
    size += np.abs(problem.c) + np.abs(dual.lower) + np.abs(dual.upper)
    prices = np.concatenate([dual.ub, dual.eq, dual.lower, dual.upper])
    wrong_sign = np.concatenate([-sense * dual.ub, sense * dual.lower, -sense * dual.upper])
    # By weak duality no point near x is better by more than this, rounding errors included.
    span = _span(rows, x)
    error = gap + stationarity @ span + _ROUNDING * (np.abs(dual_terms).sum() + size @ span)
    residual = np.max(
        [
            _outside(problem, rows, x),
            _largest(stationarity, size),
            _largest(np.maximum(wrong_sign, 0.0), _size(prices)),
            _price_of_no_bound(problem, dual.lower, dual.upper),
            _largest(np.array([error]), np.abs(problem.c) @ span),
        ]
    )
    return Certificate(primal_value, dual_value, gap, float(residual))


def infeasibility(problem, ray):
    """Return the certificate that the constraints contradict each other (Farkas' lemma).

    Parameters
    ----------
    problem : mlcore.linear_program.LinearProgram
    ray : numpy.ndarray of shape (m_ub + m_eq + 2 n,)
        Weights of the rows of `A_ub` (>= 0), the rows of `A_eq`, the lower bounds written ``-x <= -lower`` and
        the upper bounds ``x <= upper`` (both >= 0). Summed with these weights, the constraints read 0 <= negative.

    Returns
    -------
    mlcore.certificate.Certificate
        `residual` is the largest scaled violation, or infinite if the weighted right-hand sides sum to no
        negative number.
    """
    rows = _stack(problem)
    weights, below, above = np.split(ray, [rows.constants.size, rows.constants.size + problem.c.size])
    lower, upper = _finite(problem.lower), _finite(problem.upper)
    combination, size = _combine(rows, weights)
    terms = np.concatenate([rows.constants * weights, -lower * below, upper * above])
    negative_weights = np.maximum(-np.concatenate([weights[~rows.equal], below, above]), 0.0)
    residual = np.max(
        [
            _largest(np.abs(combination - below + above), size + np.abs(below) + np.abs(above)),
            _largest(negative_weights, _size(ray)),
            _price_of_no_bound(problem, below, above),
        ]
    )
    # Rounding may leave a combination that is not quite 0, and so no contradiction for a point far enough away.
    left = np.abs(combination - below + above) + _ROUNDING * size
    doubt = _FAR * _reach(problem, rows, weights, below, above) * left.sum()
    if not -terms.sum() > max(TOLERANCE * np.abs(terms).sum(), doubt):
        residual = np.inf
    return Certificate(np.nan, np.nan, np.nan, float(residual), ray)


def unboundedness(problem, x, ray):
    """Return the certificate that the objective improves for ever from `x` along `ray`.

    Parameters
    ----------
    problem : mlcore.linear_program.LinearProgram
    x, ray : numpy.ndarray of shape (n,)
        A feasible point and a direction in which no row and no bound ends.

    Returns
    -------
    mlcore.certificate.Certificate
        `residual` is the largest scaled violation, or infinite if the objective does not improve along `ray`.
    """
    sense = 1.0 if problem.maximize else -1.0
    rows = _stack(problem)
    terms = sense * problem.c * ray
    leaves = np.maximum(np.where(np.isfinite(problem.lower), -ray, 0.0), np.where(np.isfinite(problem.upper), ray, 0.0))
    residual = np.max(
        [
            _outside(problem, rows, x),
            _violation(rows, np.zeros_like(rows.constants), ray),
            _largest(np.maximum(leaves, 0.0), _size(ray)),
        ]
    )
    if not terms.sum() > TOLERANCE * np.abs(terms).sum():
        residual = np.inf
    return Certificate(sense * np.inf, np.nan, np.nan, float(residual), ray)


class _Rows(NamedTuple):
    """All rows of a problem, inequalities first, with what is needed to tell large from small in any units."""

    coefficients: np.ndarray
    constants: np.ndarray
    equal: np.ndarray
    sizes: np.ndarray  # of the coefficients
    largest: np.ndarray  # size of every row
    shares: np.ndarray  # largest part that each variable has in a row


def _stack(problem):
    coefficients = np.concatenate([problem.A_ub, problem.A_eq])
    constants = np.concatenate([problem.b_ub, problem.b_eq])
    sizes = np.abs(coefficients)
    equal = np.arange(constants.size) >= problem.b_ub.size
    largest = sizes.max(axis=1, initial=0.0)
    shares = (sizes / np.maximum(largest, _TINY)[:, None]).max(axis=0, initial=0.0)
    return _Rows(coefficients, constants, equal, sizes, largest, shares)


def _outside(problem, rows, x):
    """Return the largest scaled violation of rows and bounds at a point."""
    size = _span(rows, x)
    return np.max(
        [
            _violation(rows, rows.constants, x),
            _largest(np.maximum(problem.lower - x, 0.0), np.abs(_finite(problem.lower)) + size),
            _largest(np.maximum(x - problem.upper, 0.0), np.abs(_finite(problem.upper)) + size),
        ]
    )


def _span(rows, x):
    """Return the size of every variable, or of the rounding errors that the others bring into it."""
    return np.abs(x) + _FLOOR * _size(x * rows.shares) / np.where(rows.shares > 0, rows.shares, np.inf)


def _violation(rows, constants, x):
    excess = rows.coefficients @ x - constants
    terms = rows.sizes @ np.abs(x) + np.abs(constants) + _FLOOR * _size(x * rows.shares) * rows.largest
    return _largest(np.where(rows.equal, np.abs(excess), np.maximum(excess, 0.0)), terms)


def _combine(rows, weights):
    """Return the weighted sum of the rows, and the size of the terms in every component of it."""
    floor = _FLOOR * _size(weights * rows.largest) * rows.shares
    return weights @ rows.coefficients, np.abs(weights) @ rows.sizes + floor


def _reach(problem, rows, weights, below, above):
    """Return how far from the origin the weighted constraints lie, in the largest coordinate."""
    weighted = (weights != 0) & (rows.largest > 0)
    return max(
        _size(rows.constants[weighted] / rows.largest[weighted]),
        _size(_finite(problem.lower)[below != 0]),
        _size(_finite(problem.upper)[above != 0]),
    )


def _price_of_no_bound(problem, below, above):
    """Return the scaled weight that was given to bounds that do not exist."""
    weights = np.concatenate([below[np.isinf(problem.lower)], above[np.isinf(problem.upper)]])
    return _largest(np.abs(weights), max(_size(below), _size(above)))


def _largest(violations, sizes):
    return float((violations / np.maximum(sizes, _TINY)).max(initial=0.0))


def _size(vector):
    return float(np.abs(vector).max(initial=0.0))


def _finite(bounds):
    return np.where(np.isfinite(bounds), bounds, 0.0)
