"""The proofs of a linear program's three ends, computed from the problem's own data.

Whoever holds a point and a price for every constraint (optimal), weights of contradicting constraints
(infeasible), or a direction that improves for ever (unbounded) can check the claim here without any solver.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlcore.optimize._certificate import Certificate, KKTResiduals

TOLERANCE = 1e-9  # A certificate proves its claim when its residual is at most this.

# Violations are compared with the terms of their own constraint, whatever its units. Terms far below the largest
# ones of the problem carry the rounding errors of those, so they count as at least this fraction of them.
_FLOOR = 1e-3
_TINY = np.finfo(float).tiny
_ROUNDING = np.finfo(float).eps
# A contradiction must hold for points this many times as far out as its own constraints, and a ray must improve
# against prices this many times as high as those that its costs and coefficients lead to.
_FAR = 1e3


@dataclass(frozen=True, eq=False)
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
    problem : mlcore.optimize.LinearProgram
    x : numpy.ndarray of shape (n,)
        The point.
    dual : DualSolution
        The prices.

    Returns
    -------
    mlcore.optimize.Certificate
        The violations by name are those of stationarity (``c`` = priced constraints), of rows and bounds (primal),
        of the signs of the prices (dual), and of equal values (complementary). If all are 0 the pair is optimal
        by weak duality.

    Examples
    --------
    >>> from mlcore.optimize import LinearProgram
    >>> problem = LinearProgram([1.0], [[1.0]], [2.0], maximize=True)
    >>> dual = DualSolution(np.array([1.0]), np.zeros(0), np.zeros(1), np.zeros(1))
    >>> print(optimality(problem, np.array([2.0]), dual))
    primal 2, dual 2, relative gap < 1e-6, largest KKT residual < 1e-6
    """
    sense = 1.0 if problem.maximize else -1.0
    rows = _stack(problem)
    weights, prices = np.concatenate([dual.ub, dual.eq]), np.concatenate([dual.lower, dual.upper])
    bounds = _finite(problem.bounds.T.ravel())
    dual_terms = np.concatenate([rows.constants * weights, bounds * prices])
    primal_value, dual_value = float(problem.c @ x), float(dual_terms.sum())
    combination, size = _combine(rows, weights)
    stationarity = np.abs(problem.c - combination - dual.lower - dual.upper)
    size += np.abs(problem.c) + np.abs(dual.lower) + np.abs(dual.upper)
    wrong = np.concatenate([-sense * dual.ub, sense * dual.lower, -sense * dual.upper, _of_no_bound(problem, prices)])
    # By weak duality no point of about this size is better by more than this.
    span = _span(rows, x)
    error = abs(primal_value - dual_value) + stationarity @ span
    conditions = KKTResiduals(
        stationarity=_worst([(stationarity, size)]),
        primal=_worst([_violation(rows, rows.constants, x), _excess(problem, x, span)]),
        dual=_worst([(wrong, max(_size(weights), _size(prices)))]),
        complementary=_worst([(error, np.abs(problem.c) @ span)]),  # equal values leave no priced slack
    )
    return Certificate.of_optimum(primal_value, dual_value, conditions)


def infeasibility(problem, ray):
    """Return the certificate that the constraints contradict each other (Farkas' lemma).

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
    ray : numpy.ndarray of shape (m_ub + m_eq + 2 n,)
        Weights of the rows of `A_ub` (>= 0), the rows of `A_eq`, the lower bounds written ``-x <= -lower`` and
        the upper bounds ``x <= upper`` (both >= 0). Summed with these weights, the constraints read 0 <= negative.

    Returns
    -------
    mlcore.optimize.Certificate
        `residual` is the largest scaled violation, or infinite if the weighted right-hand sides sum to no
        negative number.
    """
    rows = _stack(problem)
    m, n = rows.constants.size, problem.c.size
    weights, prices = ray[:m], ray[m:]
    below, above = prices[:n], prices[n:]
    bounds = _finite(problem.bounds.T.ravel())
    combination, size = _combine(rows, weights)
    left = np.abs(combination - below + above)
    terms = np.concatenate([rows.constants * weights, np.repeat([-1.0, 1.0], n) * bounds * prices])
    wrong = np.concatenate([-weights[~rows.equal], -prices, _of_no_bound(problem, prices)])
    residual = _worst([(left, size + np.abs(below) + np.abs(above)), (wrong, _size(ray))])
    # Rounding may leave a combination that is not quite 0, and so no contradiction for a point far enough away.
    doubt = _FAR * _reach(rows, weights, bounds[prices != 0]) * (left + _ROUNDING * size).sum()
    if not -terms.sum() > max(TOLERANCE * np.abs(terms).sum(), doubt):
        residual = np.inf
    return Certificate(np.nan, np.nan, np.nan, residual, ray)


def unboundedness(problem, x, ray):
    """Return the certificate that the objective improves for ever from `x` along `ray`.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
    x, ray : numpy.ndarray of shape (n,)
        A feasible point and a direction in which no row and no bound ends.

    Returns
    -------
    mlcore.optimize.Certificate
        `residual` is the largest scaled violation, or infinite if the objective does not improve along `ray`.
    """
    rows = _stack(problem)
    terms = problem.c * ray if problem.maximize else -problem.c * ray
    leaving = np.maximum(np.where(np.isfinite(problem.bounds.T), [-ray, ray], 0.0), 0.0).max(axis=0, initial=0.0)
    residual = _worst(
        [
            _violation(rows, rows.constants, x),
            _violation(rows, np.zeros_like(rows.constants), ray),
            _excess(problem, x, _span(rows, x)),
            (leaving, np.full_like(leaving, _size(ray))),
        ]
    )
    # Where c = y A for some prices y, the improvement y (A ray) consists of nothing but the ray's violations.
    move = rows.coefficients @ ray
    beyond = np.where(rows.equal, np.abs(move), move) + _ROUNDING * (rows.sizes @ np.abs(ray))
    doubt = _FAR * (_prices(problem.c, rows) @ np.maximum(beyond, 0.0) + np.abs(problem.c) @ leaving)
    if not terms.sum() > max(TOLERANCE * np.abs(terms).sum(), doubt):
        residual = np.inf
    return Certificate(np.inf if problem.maximize else -np.inf, np.nan, np.nan, residual, ray)


class _Rows(NamedTuple):
    """All rows of a problem, inequalities first, with what is needed to tell large from small in any units."""

    coefficients: np.ndarray
    constants: np.ndarray
    equal: np.ndarray
    sizes: np.ndarray  # of the coefficients
    largest: np.ndarray  # size of every row
    shares: np.ndarray  # largest part that each variable has in a row


def _stack(problem):
    sizes = np.abs(problem.rows)
    equal = np.arange(problem.constants.size) >= problem.b_ub.size
    largest = sizes.max(axis=1, initial=0.0)
    shares = (sizes / np.maximum(largest, _TINY)[:, None]).max(axis=0, initial=0.0)
    return _Rows(problem.rows, problem.constants, equal, sizes, largest, shares)


def _prices(c, rows):
    """Return how high a price each row may have: what a cost asks of the coefficient it stands over, or of any."""
    costs = np.abs(c)
    direct = np.where(rows.sizes > 0, costs / np.maximum(rows.sizes, _TINY), 0.0).max(axis=1, initial=0.0)
    units = np.where(rows.shares > 0, costs / np.maximum(rows.shares, _TINY), 0.0).max(initial=0.0)
    return np.maximum(direct, units / np.maximum(rows.largest, _TINY))


def _span(rows, x):
    """Return the size of every variable, or of the rounding errors that the others bring into it."""
    return np.abs(x) + _FLOOR * _size(x * rows.shares) / np.where(rows.shares > 0, rows.shares, np.inf)


def _violation(rows, constants, x):
    """Return by how much every row is violated, and the size of its terms."""
    excess = rows.coefficients @ x - constants
    sizes = rows.sizes @ np.abs(x) + np.abs(constants) + _FLOOR * _size(x * rows.shares) * rows.largest
    return np.where(rows.equal, np.abs(excess), np.maximum(excess, 0.0)), sizes


def _excess(problem, x, span):
    """Return by how much x is outside its bounds, and the size of the bound that is violated."""
    inside = np.minimum(np.maximum(x, problem.lower), problem.upper)
    return np.abs(x - inside), np.abs(inside) + span


def _combine(rows, weights):
    """Return the weighted sum of the rows, and the size of the terms in every component of it."""
    floor = _FLOOR * _size(weights * rows.largest) * rows.shares
    return weights @ rows.coefficients, np.abs(weights) @ rows.sizes + floor


def _reach(rows, weights, bounds):
    """Return how far from the origin the weighted rows and these bounds lie, in the largest coordinate."""
    weighted = (weights != 0) & (rows.largest > 0)
    return max(_size(rows.constants[weighted] / rows.largest[weighted]), _size(bounds))


def _of_no_bound(problem, prices):
    """Return the sizes of the prices that were given to bounds that do not exist."""
    return np.where(np.isinf(problem.bounds.T.ravel()), np.abs(prices), 0.0)


def _worst(checks):
    """Return the largest ratio of violation to size, at least 0; NaN if one of them is."""
    ratios = [(wrong / np.maximum(size, _TINY)).max(initial=0.0) for wrong, size in checks]
    return np.nan if any(ratio != ratio for ratio in ratios) else float(max(ratios))


def _size(vector):
    return float(np.abs(vector).max(initial=0.0))


def _finite(bounds):
    return np.where(np.isfinite(bounds), bounds, 0.0)
