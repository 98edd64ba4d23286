from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import beale, four_inequalities, three_resources
from mlcore.exercises.simplex import check_cycling, check_invariants, check_prices, check_slips, three_slips
from mlcore.optimize import dual_program, invariants, simplex


def by_the_book(step, tolerance=1e-9):
    basic = [step.column_names.index(name) for name in step.basis]
    block, last = step.tableau[:-1, basic], step.tableau[-1, basic]
    return [
        np.abs(block - np.eye(len(basic))).max() <= tolerance,
        np.abs(last).max() <= tolerance,
        step.tableau[:-1, -1].min() >= -tolerance,
    ]


def off_the_last_row():
    last = simplex(three_resources(), trace=True).steps[-1]
    return -last.tableau[-1, [last.column_names.index(name) for name in ("s1", "s2", "s3")]]


ROWS, B = [[0.25, -8, -1, 9], [0.5, -12, -0.5, 3], [0, 0, 1, 0]], [0, 0, 1]
ROUND, KNOWN = beale(rounder=True), beale()
TABLE = {
    check_invariants: dict(
        right=[
            (by_the_book,),
            (lambda step: tuple(np.array(by_the_book(step))),),
            (lambda step: np.array(by_the_book(step)),),
            (lambda step: list(map(bool, by_the_book(step))),),
            (invariants,),
        ],
        wrong=[
            (True, "holds: expected a function of a step"),
            (lambda step: (True, True, True), "invariant 1 (one basic variable in each equation) is kept"),
            (lambda step: (by_the_book(step)[0], True, True), "invariant 2 (no basic variable in the objective)"),
            (lambda step: (*by_the_book(step)[:2], True), "invariant 3 (no negative right-hand side)"),
            (lambda step: [not holds for holds in by_the_book(step)], "is broken, but it holds"),
            (lambda step: [int(holds) for holds in by_the_book(step)], "expected True or False, got 1"),
            (lambda step: ["yes" if holds else "" for holds in by_the_book(step)], "expected True or False, got 'yes'"),
            (lambda step: [step.tableau > 0] * 3, "one basic variable in each equation: expected True or False"),
            (lambda step: (True, True), "expected 3 results, got 2"),
            (lambda step: True, "holds should return"),
            (lambda step: step.nothing, "AttributeError"),
            (lambda step: (True, None, True), "no basic variable in the objective is still None"),
        ],
    ),
    check_slips: dict(
        right=[
            (2, 3, 1),
            tuple(np.array([2, 3, 1])),
            (2.0, 3.0, 1.0),
            (Fraction(2), 3, 1),
            (np.array(2), np.int8(3), 1),
        ],
        wrong=[
            (1, 3, 1, "In calculation a invariant 1 holds"),
            (2, 3, 3, "In calculation c invariant 3 holds"),
            (2, 1, 1, "In calculation b invariant 1 holds"),
            (2, "third", 1, "slip_b: expected one number, got 'third'"),
            (0, 3, 1, "slip_a: expected a whole number of at least 1 and of at most 3, got 0"),
            (2, 4, 1, "slip_b: expected a whole number"),
            (2, 3, 1.5, "slip_c: expected a whole number"),
            ([2], 3, 1, "slip_a: expected one number, got 1 number"),
            (2, 3, True, "slip_c: expected one number, got True"),
            (2, np.nan, 1, "slip_b is NaN"),
            ({2}, 3, 1, "slip_a: expected one number"),
        ],
    ),
    check_cycling: dict(
        right=[
            ([0.8, -20, 0.5, -6], ROWS, B),
            (np.array([0.75, -20, 0.6, -6]), np.array(ROWS), np.array(B)),
            ((1.6, -40, 1, -12), tuple(map(tuple, ROWS)), pd.Series(B)),
            ([10, -57, -9, -24], [[0.5, -5.5, -2.5, 9], [0.5, -1.5, -0.5, 1], [1, 0, 0, 0]], [0, 0, 1]),
            ([Fraction(4, 5), -20, Fraction(1, 2), -6], pd.DataFrame(ROWS), np.array(B)[:, None]),
        ],
        wrong=[
            ([1, 1], [[1, 1]], [7], "No right-hand side is 0"),
            ([1, 1], [[1, 1], [1, -1]], [7, 0], "ended after"),
            ([1, 1], [[1, 1], [-1, -1]], [7, -1], "keep all right-hand sides at least 0"),
            (-ROUND.c, ROUND.A_ub, ROUND.b_ub, "Beale's own"),
            (-KNOWN.c, KNOWN.A_ub, KNOWN.b_ub, "Beale's own"),
            (-2 * KNOWN.c, KNOWN.A_ub, KNOWN.b_ub, "Beale's own"),
            ([3, -80, 2, -24], ROWS, B, "Beale's own"),
            (-KNOWN.c, 3 * KNOWN.A_ub, 3 * KNOWN.b_ub, "Beale's own"),
            (-ROUND.c[[1, 0, 2, 3]], ROUND.A_ub[:, [1, 0, 2, 3]], ROUND.b_ub, "Beale's own"),
            ([1, 1], [[1, 1, 1]], [7], "A: expected numbers in an array of shape (m, 2), got numbers in an array"),
            ([1, 1], [[1, 1]], [7, 8], "b: expected 1 number, got 2 numbers"),
            ("c", [[1, 1]], [7], "c: expected a list of numbers, got 'c'"),
            ([], np.zeros((0, 0)), [], "A: expected 1 to 50 rows and variables"),
            ([1, np.nan], [[1, 1]], [0], "c[1] is NaN"),
        ],
    ),
    check_prices: dict(
        right=[
            ([2, 1, 0],),
            (simplex(dual_program(three_resources()).program).x,),
            (off_the_last_row(),),
            (pd.Series([2.0, 1, 0]),),
            ((Fraction(2), 1, 0),),
        ],
        wrong=[
            ([-2, -1, 0], "no price may be negative"),
            ([1, 1, 1], "x1 uses costs 4 at these prices, less than the 5 it earns"),
            ([2, 1, 1], "bound the value by 34"),
            ([0, 0, 0], "costs 0 at these prices"),
            ([1.99, 1, 0], "costs"),
            ([2.05, 1, 0], "bound the value by 28.5"),
            ([2, 1], "y: expected 3 numbers, got 2 numbers"),
            (["a", "b", "c"], "y: expected 3 numbers"),
            ([2, 1, np.nan], "y[2] is NaN"),
            ([2, 1, None], "y[2] is still None"),
            ({2, 1, 0}, "y: expected 3 numbers"),
        ],
    ),
}


def test_each_calculation_breaks_exactly_one_invariant():
    broken = [[i + 1 for i, holds in enumerate(invariants(step)) if not holds] for step in three_slips()]
    assert broken == [[2], [3], [1]]


@pytest.mark.parametrize("c", [[0.8, -20, 0.5, -6], [0.75, -20, 0.6, -6]])
def test_the_number_of_pivots_is_named(c):
    assert "after 6 pivots" in check_cycling(c, ROWS, B).message


def test_the_slips_start_from_the_example_of_the_book():
    right = simplex(four_inequalities(), trace=True).steps[1].tableau
    a, _, c = three_slips()
    assert (a.tableau[:-1] == right[:-1]).all()
    assert (c.tableau[[0, 1, 2, 4]] == right[[0, 1, 2, 4]]).all()
