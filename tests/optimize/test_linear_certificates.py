"""Certificates of linear programs: what they accept and, above all, what they refuse."""

import numpy as np
import pytest

from mlcore.optimize import LinearProgram
from mlcore.optimize._linear_certificates import TOLERANCE, DualSolution, infeasibility, optimality, unboundedness

NOTHING = np.zeros(0)
# max 3 x1 + 2 x2 with 2 x1 + x2 <= 18, 2 x1 + 3 x2 <= 42, 3 x1 + x2 <= 24 (ES p. 24): x = (3, 12), y = (5/4, 1/4, 0)
PROBLEM = LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True)
X, PRICES = np.array([3.0, 12.0]), np.array([1.25, 0.25, 0.0])


def dual(ub, lower=(0.0, 0.0), upper=(0.0, 0.0)):
    return DualSolution(np.array(ub), NOTHING, np.array(lower), np.array(upper))


def test_the_optimum_is_accepted():
    certificate = optimality(PROBLEM, X, dual(PRICES))
    assert certificate.residual <= 1e-12
    assert (certificate.primal_value, certificate.dual_value, certificate.gap) == (33, 33, 0)


@pytest.mark.parametrize(
    ("x", "prices"),
    [
        ([3, 12.001], dual(PRICES)),  # violates rows
        ([-1e-6, 14], dual([0, 2 / 3, 0], lower=(5 / 3, 0))),  # violates a bound
        ([0, 14], dual([0, 2 / 3, 0], lower=(5 / 3, 0))),  # a price of the wrong sign balances the books
        ([0, 14], dual([0, 2 / 3, 0])),  # prices do not add up to c
        ([3, 11], dual(PRICES)),  # feasible, not the best
        ([3, 12], dual([1.25, 0.25, 1e-6])),
        ([3, 12], dual([1.25, 0.25 + 1e-6, 0])),
        ([3, 12], dual([0, 2 / 3, 0], upper=(5 / 3, 0))),  # a price for a bound that does not exist
        ([np.nan, 12], dual(PRICES)),
        ([3, 12], dual([np.nan, 0.25, 0])),
    ],
)
def test_anything_else_is_refused(x, prices):
    assert not optimality(PROBLEM, np.array(x, dtype=float), prices).residual <= TOLERANCE


def test_every_condition_counts_by_itself():
    bounds, nothing = np.zeros(1), DualSolution(np.zeros(1), NOTHING, np.zeros(1), np.zeros(1))
    # x = 0 has the objectives equal at 0, but the prices do not add up to c.
    assert optimality(LinearProgram([1], [[1]], [1], maximize=True), bounds, nothing).residual > TOLERANCE
    # Without an objective only feasibility is left: outside a lower bound, an upper bound, a row, an equation.
    for problem, x in [
        (LinearProgram([0], [[1]], [5]), -1.0),
        (LinearProgram([0], [[1]], [5], bounds=(0, 1)), 2.0),
        (LinearProgram([0], [[1]], [5]), 6.0),
    ]:
        assert optimality(problem, np.array([x]), nothing).residual > TOLERANCE
    equation = LinearProgram([0], A_eq=[[1]], b_eq=[2])
    price = DualSolution(NOTHING, np.zeros(1), bounds, bounds)
    assert optimality(equation, np.array([2.0]), price).residual == 0
    assert optimality(equation, np.array([2.1]), price).residual > TOLERANCE
    assert optimality(equation, np.array([1.9]), price).residual > TOLERANCE


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
def test_units_do_not_hide_an_error(unit):
    scaled = LinearProgram(PROBLEM.c * unit, PROBLEM.A_ub * unit, PROBLEM.b_ub, maximize=True)
    right, wrong = X / unit, X / unit * [1, 1 + 1e-6]
    assert optimality(scaled, right, dual(PRICES)).residual <= TOLERANCE
    assert optimality(scaled, wrong, dual(PRICES)).residual > TOLERANCE


def test_a_violated_small_row_counts_beside_a_large_one():
    problem = LinearProgram([0, 0], [[1, 0], [0, 1]], [1e9, 1])
    certificate = optimality(problem, np.array([0.0, 1.001]), dual([0, 0]))
    assert certificate.residual > TOLERANCE


def test_huge_prices_prove_nothing():
    # Two rows that nearly coincide, with prices of 1e15 that nearly cancel: the second one misses c by 1, which is
    # little beside 1e15.
    problem = LinearProgram([1, 1], A_eq=[[1, 1], [1, 1 + 1e-15]], b_eq=[2, 2])
    good, huge = np.array([1.0, 0.0]), np.array([1 + 1e15, -1e15])
    x, bounds = np.array([2.0, 0.0]), np.zeros(2)
    assert optimality(problem, x, DualSolution(NOTHING, good, bounds, bounds)).residual <= TOLERANCE
    assert optimality(problem, x, DualSolution(NOTHING, huge, bounds, bounds)).residual > TOLERANCE


SYSTEM = LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -6], bounds=(None, None))  # ES p. 17


def test_a_contradiction_is_accepted():
    assert infeasibility(SYSTEM, np.array([1.0, 1, 1, 0, 0, 0, 0])).residual == 0


@pytest.mark.parametrize(
    "ray",
    [
        [1, 1, 1 + 1e-6, 0, 0, 0, 0],  # the left-hand sides do not cancel
        [-1, -1, -1, 0, 0, 0, 0],  # negative weights
        [0, 0, 0, 0, 0, 0, 0],  # 0 <= 0 is no contradiction
        [1, 1, 0, 0, 1, 0, 0],  # a weight on a bound that does not exist
        [np.nan, 1, 1, 0, 0, 0, 0],
    ],
)
def test_other_weights_are_no_contradiction(ray):
    assert not infeasibility(SYSTEM, np.array(ray, dtype=float)).residual <= TOLERANCE


def test_a_feasible_system_has_no_contradiction():
    feasible = LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -4], bounds=(None, None))
    assert infeasibility(feasible, np.array([1.0, 1, 1, 0, 0, 0, 0])).residual == np.inf


def test_rounding_errors_are_no_contradiction():
    # -2 x = -4 with weight 2e-16 looks like 0 <= -9e-16 where x is left with 4e-16: false at x = 2.
    problem = LinearProgram([0], A_eq=[[0], [-2]], b_eq=[0, -4])
    assert not infeasibility(problem, np.array([-1, 2.2e-16, 0, 0])).residual <= TOLERANCE
    # Here an equation with right-hand side 0 has a weight of honest size, and the errors hide beside it.
    A = [[-3, 2, -3], [2, -2, -3], [-2, 1, 0], [3, 3, -1], [3, -3, 3], [0, 2, 0]]
    problem = LinearProgram([0, 0, 0], A, [-11, 3, -6, 8, 12, 0], [[0, -2, 0]], [0])
    ray = np.array([0, 5.6e-17, 1.1e-16, 0, 0, 0, -0.5, 0, 1, 0, 0, 0, 0])
    assert not infeasibility(problem, ray).residual <= TOLERANCE
    # And here the sum of the rows swallows the tiny weight: 1 - 3e-17 is 1, so nothing seems to be left.
    problem = LinearProgram([0, 0], [[-3, 0]], [-11], [[1, -1], [1, -1]], [0, 0])
    assert not infeasibility(problem, np.array([1e-17, 1, -1, 0, 0, 0, 0])).residual <= TOLERANCE


def test_a_ray_is_accepted():
    problem = LinearProgram([1, 0], [[1, -1]], [2], maximize=True)
    certificate = unboundedness(problem, np.zeros(2), np.array([1.0, 1.0]))
    assert certificate.residual == 0
    assert certificate.primal_value == np.inf


@pytest.mark.parametrize(
    ("x", "ray"),
    [
        ([0, 0], [1, 0.99]),  # leaves the row
        ([0, 0], [1, -1]),  # leaves a bound
        ([0, 0], [0, 1]),  # does not improve
        ([3, 0], [1, 1]),  # does not start at a feasible point
        ([0, 0], [np.nan, 1]),
    ],
)
def test_other_directions_are_no_ray(x, ray):
    problem = LinearProgram([1, 0], [[1, -1]], [2], maximize=True)
    certificate = unboundedness(problem, np.array(x, dtype=float), np.array(ray, dtype=float))
    assert not certificate.residual <= TOLERANCE


def test_a_ray_keeps_the_equations():
    problem = LinearProgram([-1, -1], A_eq=[[1, -1]], b_eq=[0])
    assert unboundedness(problem, np.zeros(2), np.ones(2)).residual == 0
    assert unboundedness(problem, np.zeros(2), np.array([1.0, 0.5])).residual > TOLERANCE
