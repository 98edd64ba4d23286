"""The standard form: what becomes of rows, bounds and units."""

import numpy as np
import pytest

from mlcore.optimize import LinearProgram
from mlcore.optimize._standard_form import rows_with_boxes, standard_form


def names(form):
    return [form.name(column) for column in range(form.scale.size)]


def test_slack_surplus_and_artificial_variables():
    form = standard_form(LinearProgram([1, 2], [[1, 1], [-1, 1]], [4, -1], [[1, -1], [1, 0]], [3, -2]))
    assert names(form) == ["x1", "x2", "s1", "s2", "z2", "z3", "z4"]
    np.testing.assert_array_equal(
        form.columns,
        [
            [1, 1, 1, 0, 0, 0, 0],
            [1, -1, 0, -1, 1, 0, 0],
            [1, -1, 0, 0, 0, 1, 0],
            [-1, 0, 0, 0, 0, 0, 1],
        ],
    )
    np.testing.assert_array_equal(form.constants, [4, 1, 3, 2])
    np.testing.assert_array_equal(form.cost, [-1, -2, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(form.artificial_cost, [0, 0, 0, 0, -1, -1, -1])
    np.testing.assert_array_equal(form.start, [2, 4, 5, 6])
    assert form.enterable == 4


def test_a_row_with_right_hand_side_0_needs_no_artificial_variable():
    form = standard_form(LinearProgram([1], [[-1]], [-0.0]))
    assert names(form) == ["x1", "s1"]


def test_every_kind_of_bound():
    bounds = [(0, None), (2, None), (None, 5), (None, None), (1, 3), (None, 0)]
    form = standard_form(LinearProgram([1] * 6, [[1] * 6], [20], bounds=bounds, maximize=True))
    assert names(form) == ["x1", "x2'", "x3'", "x4+", "x4-", "x5'", "x6'", "s1", "s2"]
    np.testing.assert_array_equal(form.columns[:, :7], [[1, 1, -1, 1, -1, 1, -1], [0, 0, 0, 0, 0, 1, 0]])
    np.testing.assert_array_equal(form.constants, [20 - 2 - 5 - 1, 2])
    np.testing.assert_array_equal(form.cost[:7], [1, 1, -1, 1, -1, 1, -1])
    np.testing.assert_array_equal(form.offset, [0, 2, 5, 0, 1, 0])
    np.testing.assert_array_equal(form.boxed, [False, False, False, False, True, False])


def test_rows_with_boxes():
    problem = LinearProgram([1, 1], [[1, 2]], [3], [[4, 5]], [6], [(0, 7), (None, 8)])
    rows, constants, boxed = rows_with_boxes(problem)
    np.testing.assert_array_equal(rows, [[1, 2], [1, 0], [4, 5]])
    np.testing.assert_array_equal(constants, [3, 7, 6])
    np.testing.assert_array_equal(boxed, [True, False])


def test_textbook_problems_are_not_scaled():
    form = standard_form(LinearProgram([100, 10, 1], [[1, 0, 0], [20, 1, 0], [200, 20, 1]], [1, 100, 10_000]))
    np.testing.assert_array_equal(form.scale, 1)
    np.testing.assert_array_equal(form.row_factor, 1)


@pytest.mark.parametrize("size", [1e-9, 1e7])
def test_scaling_uses_powers_of_2_and_keeps_the_system(size):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(5, 4)) * size ** rng.integers(0, 2, 4) * size ** rng.integers(0, 2, (5, 1))
    problem = LinearProgram(rng.normal(size=4), A, rng.normal(size=5))
    form = standard_form(problem)
    assert (np.log2(form.scale) % 1 == 0).all()
    assert (np.log2(np.abs(form.row_factor)) % 1 == 0).all()
    largest = np.abs(form.columns[:, :4])
    assert largest.max() < 16
    assert largest.max(axis=0).min() > 1 / 16
    assert largest.max(axis=1).min() > 1 / 16
    # Undone, the rows are the problem's own, bit by bit, and every slack has the unit of its row.
    np.testing.assert_array_equal(form.columns[:, :4] / form.scale[:4] / form.row_factor[:, None], A)
    np.testing.assert_array_equal(form.constants / form.row_factor, problem.b_ub)
    np.testing.assert_array_equal(form.scale[4:9], 1 / np.abs(form.row_factor))
    np.testing.assert_array_equal(form.cost[:4], -problem.c * form.scale[:4])


def test_a_tiny_coefficient_is_not_blown_up():
    form = standard_form(LinearProgram([1, 1], [[1e9, 1e-17], [1, 1]], [1e9, 1]))
    assert np.abs(form.columns[0, 1]) < 1e-15


def test_zero_rows_and_columns_keep_their_unit():
    form = standard_form(LinearProgram([1, 1], [[0, 0], [1e9, 0]], [1, 1]))
    assert form.row_factor[0] == 1
    assert form.scale[1] == 1
    assert np.isfinite(form.columns).all()
