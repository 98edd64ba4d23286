import numpy as np
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


class TestInvariants:
    def test_a_right_function_passes_whatever_it_returns_them_in(self):
        assert check_invariants(by_the_book).passed
        assert check_invariants(lambda step: tuple(np.array(by_the_book(step)))).passed
        assert check_invariants(invariants).passed

    @pytest.mark.parametrize(
        ("holds", "message"),
        [
            (None, "holds is still None"),
            (True, "expected a function"),
            (lambda step: (True, True, True), "invariant 1 (one basic variable in each equation) is kept"),
            (lambda step: (by_the_book(step)[0], True, True), "invariant 2 (no basic variable in the objective)"),
            (lambda step: (*by_the_book(step)[:2], True), "invariant 3 (no negative right-hand side)"),
            (lambda step: [not holds for holds in by_the_book(step)], "is broken, but it holds"),
            (lambda step: (True, True), "three truth values, it returned 2"),
            (lambda step: True, "raised TypeError"),
            (lambda step: step.nothing, "raised AttributeError"),
        ],
    )
    def test_a_wrong_one_is_told_why(self, holds, message):
        verdict = check_invariants(holds)
        assert not verdict.passed
        assert message in repr(verdict)


class TestSlips:
    def test_each_calculation_breaks_exactly_one_invariant(self):
        broken = [[i + 1 for i, holds in enumerate(invariants(step)) if not holds] for step in three_slips()]
        assert broken == [[2], [3], [1]]
        assert check_slips(2, 3, 1).passed
        assert check_slips(*np.array([2, 3, 1])).passed

    @pytest.mark.parametrize(
        ("answers", "message"),
        [
            ((None, 3, None), "slip_a and slip_c are still None"),
            ((1, 3, 1), "In calculation a invariant 1 holds"),
            ((2, 3, 3), "In calculation c invariant 3 holds"),
            ((2, "third", 1), "slip_b: expected 1, 2 or 3, got 'third'"),
            ((0, 3, 1), "slip_a: expected 1, 2 or 3"),
            (([2], 3, 1), "slip_a: expected 1, 2 or 3"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, answers, message):
        verdict = check_slips(*answers)
        assert not verdict.passed
        assert message in repr(verdict)


class TestCycling:
    rows, b = [[0.25, -8, -1, 9], [0.5, -12, -0.5, 3], [0, 0, 1, 0]], [0, 0, 1]

    @pytest.mark.parametrize("c", [[0.8, -20, 0.5, -6], [0.75, -20, 0.6, -6], [3, -80, 2, -24]])
    def test_any_program_that_cycles_passes(self, c):
        verdict = check_cycling(c, self.rows, self.b)
        assert verdict.passed
        assert "after 6 pivots" in verdict.message

    def test_a_quite_different_one_passes_too(self):
        rows = [[0.5, -5.5, -2.5, 9], [0.5, -1.5, -0.5, 1], [1, 0, 0, 0]]
        assert check_cycling([10, -57, -9, -24], rows, [0, 0, 1]).passed

    @pytest.mark.parametrize(
        ("c", "A", "b", "message"),
        [
            (None, None, None, "c and A and b are still None"),
            ([1, 1], [[1, 1]], [7], "No right-hand side is 0"),
            ([1, 1], [[1, 1], [1, -1]], [7, 0], "ended after"),
            ([1, 1], [[1, 1], [-1, -1]], [7, -1], "keep all right-hand sides at least 0"),
            ([1, 1], [[1, 1, 1]], [7], "A: expected shape (m, 2), got (1, 3)"),
            ([1, 1], [[1, 1]], [7, 8], "b: expected shape (1,)"),
            ("c", [[1, 1]], [7], "c: expected numbers"),
        ],
    )
    def test_a_wrong_one_is_told_why(self, c, A, b, message):
        verdict = check_cycling(c, A, b)
        assert not verdict.passed
        assert message in repr(verdict)

    @pytest.mark.parametrize("rounder", [False, True])
    def test_beales_own_do_not_count(self, rounder):
        known = beale(rounder)
        assert "Beale's own" in check_cycling(-known.c, known.A_ub, known.b_ub).message


class TestPrices:
    def test_the_dual_solution_passes(self):
        dual = simplex(dual_program(three_resources()).program)
        assert check_prices(dual.x).passed
        last = simplex(three_resources(), trace=True).steps[-1]
        columns = [last.column_names.index(name) for name in ("s1", "s2", "s3")]
        assert check_prices(-last.tableau[-1, columns]).passed

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            (None, "y is still None"),
            ([-2, -1, 0], "no price may be negative"),
            ([1, 1, 1], "x1 uses costs 4 at these prices, less than the 5 it earns"),
            ([2, 1, 1], "bound the value by 34"),
            ([2, 1], "y: expected shape (3,), got (2,)"),
            (["a", "b", "c"], "y: expected numbers"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, y, message):
        verdict = check_prices(y)
        assert not verdict.passed
        assert message in repr(verdict)


def test_the_slips_start_from_the_example_of_the_book():
    right = simplex(four_inequalities(), trace=True).steps[1].tableau
    a, _, c = three_slips()
    assert (a.tableau[:-1] == right[:-1]).all()
    assert (c.tableau[[0, 1, 2, 4]] == right[[0, 1, 2, 4]]).all()
