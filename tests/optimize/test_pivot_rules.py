"""Entering rules and the ratio test."""

import numpy as np
import pytest

from mlcore.optimize._pivot_rules import bland, dantzig, largest_increase, leaving_row

EQUATIONS = np.array([[1.0, 0, 2, 1], [0, 1, 4, -1]])
CONSTANTS = np.array([10.0, 4])


@pytest.mark.parametrize(
    ("prices", "choices"),
    [
        # Dantzig takes the price 3, Bland the first one; the increases are 2 * 10, 1 * 4 and 3 * 1.
        ([2.0, 1, 3, 0], (2, 0, 0)),
        ([0.0, 1, 3, 0], (2, 1, 1)),
        ([-1.0, -2, 0, 0], (None, None, None)),
        ([1e-12, 0, 0, 0], (None, None, None)),
        ([0.0, 0, 1, 0.5], (2, 2, 3)),
    ],
)
def test_choices(prices, choices):
    rules = (dantzig, bland, largest_increase)
    arguments = (np.array(prices), 1e-11, None, EQUATIONS, CONSTANTS)
    assert tuple(rule(*arguments) for rule in rules) == choices


def test_dantzig_compares_in_the_units_of_the_problem():
    prices, unit = np.array([2.0, 3.0]), np.array([0.5, 4.0])
    assert dantzig(prices, 1e-11, None, EQUATIONS[:, :2], CONSTANTS) == 1
    assert dantzig(prices, 1e-11, unit, EQUATIONS[:, :2], CONSTANTS) == 0
    # A price that is a rounding error does not win by its unit.
    assert dantzig(np.array([1e-12, 3.0]), 1e-11, np.array([1e-15, 1.0]), EQUATIONS[:, :2], CONSTANTS) == 1


def test_largest_increase_takes_an_unbounded_variable():
    assert largest_increase(np.array([5.0, 1.0]), 0.0, None, np.array([[1.0, -1.0]]), np.array([3.0])) == 1


def test_largest_increase_falls_back_where_nothing_moves():
    degenerate = np.array([0.0, 0.0])
    assert largest_increase(np.array([1.0, 2, 3, 0]), 0.0, None, EQUATIONS, degenerate) == 2


def test_smallest_ratio_leaves():
    row, tied, ratio = leaving_row(np.array([1.0, 2, -1, 0]), np.array([3.0, 4, 1, 0]), np.arange(4), 9)
    assert (row, tied, ratio) == (1, [1], 2)


def test_nothing_leaves():
    row, tied, ratio = leaving_row(np.array([0.0, -1, 1e-12]), np.ones(3), np.arange(3), 9)
    assert (row, tied, ratio) == (None, [], np.inf)


@pytest.mark.parametrize(("basis", "row"), [([5, 3, 4], 1), ([5, 3, 7], 2), ([8, 3, 7], 2)])
def test_ties_go_to_artificial_variables_then_to_the_lowest_index(basis, row):
    chosen, tied, _ = leaving_row(np.ones(3), np.full(3, 2.0), np.array(basis), enterable=7)
    assert chosen == row
    assert tied == [0, 1, 2]


def test_ties_avoid_a_tiny_pivot():
    chosen, tied, _ = leaving_row(np.array([1e-8, 1.0]), np.zeros(2), np.array([0, 1]), 9)
    assert tied == [0, 1]
    assert chosen == 1


def test_ratios_that_differ_by_rounding_errors_tie():
    _, tied, _ = leaving_row(np.array([1.0, 1.0]), np.array([0.3, 0.1 + 0.2]), np.array([0, 1]), 9)
    assert tied == [0, 1]
