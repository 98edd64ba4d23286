"""The central path of a linear program: through the interior of the feasible region to an optimum (ES A.4).

Interior-point methods replace ``maximise c @ x subject to A @ x <= b`` by problems without constraints,

    maximise  c @ x + mu * sum(log(b - A @ x)),

whose logarithms are a barrier that no point can cross. As mu falls to 0 the solutions draw the central path. At each
of them the gradient ``c - A.T @ (mu / slack)`` is 0, so the prices ``y = mu / slack`` are feasible for the dual, and
the gap between the two values is ``y @ slack``: mu times the number of constraints.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.optimize._certificate import Status
from mlcore.optimize._linear_program import LinearProgram
from mlcore.optimize._simplex import simplex
from mlcore.validation import as_array

_QUADRATIC = 0.25  # Newton decrement below which full steps converge quadratically
_MOST_STEPS = 500


@dataclass(frozen=True, eq=False)
class CentralPoint:
    """One point of the central path, with its dual point.

    Attributes
    ----------
    mu : float
        Weight of the barrier.
    x : numpy.ndarray of shape (n,)
        Strictly inside all constraints.
    value : float
        Objective at `x`.
    prices : numpy.ndarray of shape (m,)
        ``mu / slack`` of the rows of `A_ub`, of the finite lower and of the finite upper bounds, in this order.
    bound : float
        Dual value: no feasible point is better. It differs from `value` by `mu` times the number of constraints.
    newton_steps : int
        Steps from the point before.
    """

    mu: float
    x: np.ndarray
    value: float
    prices: np.ndarray
    bound: float
    newton_steps: int


def central_path(problem, weights):
    """Return the points of the central path for a sequence of barrier weights.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram
        Inequalities and bounds with a bounded region that has an interior.
    weights : array_like of shape (k,)
        Values of mu above 0; falling ones start each from the point before, near the next.

    Returns
    -------
    tuple of CentralPoint

    Raises
    ------
    ValueError
        Equations, a region that is flat, empty or unbounded, or a weight that is not above 0.

    Notes
    -----
    Newton steps are damped by 1 / (1 + decrement), which never leaves the interior and always arrives since
    the barrier is self-concordant (Nesterov and Nemirovskii 1994).

    Examples
    --------
    >>> triangle = LinearProgram([1, 0], [[1, 1]], [7], maximize=True)  # ES p. 140
    >>> [point.x.round(3).tolist() for point in central_path(triangle, [1e6, 1.0, 1e-3])]
    [[2.333, 2.333], [5.317, 0.842], [6.998, 0.001]]
    """
    weights = as_array("weights", weights, ("k",))
    if not (weights > 0).all():
        raise ValueError(f"weights: expected numbers above 0, got {weights.min():g}")
    if len(problem.b_eq):
        raise ValueError("problem: expected inequalities only, got equations, which leave no interior")
    A, b = problem.inequalities()
    c = problem.c if problem.maximize else -problem.c
    x, points = _deepest_point(A, b), []
    for mu in weights.tolist():
        x, steps = _newton(A, b, c / mu, x)
        prices = mu / (b - A @ x)
        value = float(problem.c @ x)
        gap = mu * len(b)
        bound = value + gap if problem.maximize else value - gap
        points.append(CentralPoint(mu, x, value, prices, bound, steps))
    return tuple(points)


def _deepest_point(A, b):
    """Return the centre of the largest ball inside the constraints, itself found by a linear program."""
    lengths = np.linalg.norm(A, axis=1)
    n = A.shape[1]
    bounds = [(None, None)] * n + [(0, None)]
    result = simplex(LinearProgram(np.eye(n + 1)[n], np.column_stack([A, lengths]), b, bounds=bounds, maximize=True))
    if result.status is not Status.OPTIMAL or result.value <= 1e-9 * np.abs(b).max(initial=1e-300):
        raise ValueError("problem: expected a bounded feasible region with an interior, got a flat or unbounded one")
    return result.x[:n]


def _newton(A, b, c, x):
    """Maximise ``c @ x + sum(log(b - A @ x))`` from an interior point; return the maximiser and the steps taken."""
    before = np.inf
    for steps in range(_MOST_STEPS):
        inverse = 1 / (b - A @ x)
        gradient = c - A.T @ inverse
        try:
            step = np.linalg.solve((A.T * inverse**2) @ A, gradient)
        except np.linalg.LinAlgError:
            break
        decrement = np.sqrt(max(gradient @ step, 0.0))
        if before < _QUADRATIC and decrement >= before / 2:  # no longer squared: only rounding errors are left
            return x, steps
        x = x + step / (1.0 if decrement < _QUADRATIC else 1.0 + decrement)
        before = decrement
    raise ValueError("problem: expected a bounded feasible region, got one in which the barrier has no maximum")
