"""The simplex method on problems that have broken other solvers: odd shapes, degeneracy, rounding errors, units."""

import numpy as np
import pytest

from mlcore.optimize import LinearProgram, Status, invariants, simplex
from mlcore.optimize._linear_certificates import TOLERANCE
from mlcore.optimize._pivot_rules import RULES

FREE = (None, None)


def assert_proven(problem, result):
    """The status has a proof, and what it says about the point is so."""
    assert result.status in (Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED)
    assert result.certificate.residual <= TOLERANCE
    if result.status is Status.OPTIMAL:
        assert result.value == problem.c @ result.x == pytest.approx(result.certificate.dual_value, rel=1e-9, abs=1e-9)
        assert (problem.A_ub @ result.x <= problem.b_ub + 1e-9 * (1 + np.abs(problem.b_ub))).all()


@pytest.mark.parametrize(
    ("problem", "status", "value"),
    [
        (LinearProgram([1, 2]), Status.OPTIMAL, 0),
        (LinearProgram([-1, 2]), Status.UNBOUNDED, -np.inf),
        (LinearProgram([0, 0], bounds=FREE), Status.OPTIMAL, 0),
        (LinearProgram([1, 2], np.zeros((0, 2)), [], np.zeros((0, 2)), []), Status.OPTIMAL, 0),
        (LinearProgram([1], [[0]], [1]), Status.OPTIMAL, 0),
        (LinearProgram([1], [[0]], [-1]), Status.INFEASIBLE, np.nan),
        (LinearProgram([1], A_eq=[[0]], b_eq=[0]), Status.OPTIMAL, 0),
        (LinearProgram([1], A_eq=[[0]], b_eq=[1]), Status.INFEASIBLE, np.nan),
        (LinearProgram([1, 1], [[1, 2], [1, 2], [1, 2]], [4, 4, 4], maximize=True), Status.OPTIMAL, 4),
        (LinearProgram([1, 1], A_eq=[[1, 2], [1, 2]], b_eq=[4, 4], maximize=True), Status.OPTIMAL, 4),
        (LinearProgram([1, 1], [[1, 2], [3, -1]], [0, 0], maximize=True), Status.OPTIMAL, 0),
        (LinearProgram([1, 1], A_eq=[[1, -1]], b_eq=[0], bounds=(0, 3), maximize=True), Status.OPTIMAL, 6),
        (LinearProgram([1, 1], [[-1, -1]], [-2]), Status.OPTIMAL, 2),
        (LinearProgram([1, 1], A_eq=[[-1, -2]], b_eq=[-2]), Status.OPTIMAL, 1),
        (LinearProgram([1], [[1]], [5], bounds=(2, 2)), Status.OPTIMAL, 2),
        (LinearProgram([1, 1], bounds=[(None, -2), (3, 3)], maximize=True), Status.OPTIMAL, 1),
        (LinearProgram([1], [[-1]], [1], bounds=FREE), Status.OPTIMAL, -1),
        (LinearProgram([]), Status.OPTIMAL, 0),
        (LinearProgram([], np.zeros((1, 0)), [-1]), Status.INFEASIBLE, np.nan),
    ],
)
@pytest.mark.parametrize("rule", RULES)
def test_odd_shapes(problem, status, value, rule):
    result = simplex(problem, rule)
    assert result.status is status
    np.testing.assert_array_equal(result.value, value)
    assert_proven(problem, result)


def test_redundant_equations_are_dropped():
    result = simplex(LinearProgram([1, 2, 3], A_eq=[[1, 1, 1], [2, 2, 2], [1, 0, -1]], b_eq=[3, 6, 0]), trace=True)
    assert result.status is Status.OPTIMAL
    assert len(result.basis) == 2
    assert not any(name.startswith("z") for name in result.basis)
    assert result.value == pytest.approx(6)
    assert all(not name.startswith("z") for step in result.steps if step.phase == 2 for name in step.column_names)


def test_an_artificial_variable_at_zero_is_exchanged():
    # The origin satisfies x1 - x2 = 0, so its artificial variable is 0 from the start and no price calls it out.
    problem = LinearProgram([-1, -1], [[1, 1]], [4], [[1, -1], [0, 0]], [0, 0])
    result = simplex(problem, trace=True)
    np.testing.assert_allclose(result.x, [2, 2])
    assert not any(name.startswith("z") for name in result.basis)


def test_rounding_errors_do_not_break_ties():
    # 0.3 / 3 != 0.1 in floating-point numbers: the rows tie nevertheless, and what is left of the second is 0.
    problem = LinearProgram([1, 1], [[3, 1], [1, 0]], [0.3, 0.1], maximize=True)
    result = simplex(problem, trace=True)
    assert (result.steps[1].tableau[:-1, -1] == 0).sum() == 1
    assert_proven(problem, result)


def test_an_infeasibility_of_rounding_size_does_not_grow():
    # x2 would have to be -1e-8. The artificial variable of the second row ends at 1e-11 and is exchanged for x2.
    problem = LinearProgram([1, 0], A_eq=[[1, 0], [1, -1e-3]], b_eq=[1, 1 + 1e-11])
    result = simplex(problem, trace=True)
    np.testing.assert_array_equal(result.x, [1, 0])
    assert_proven(problem, result)
    assert all(all(invariants(step)) for step in result.steps)


def test_the_answer_is_computed_afresh_where_the_pivots_left_only_rounding_errors():
    # The only point is the origin, measured from the lower bounds: 2 - 2 leaves 4e-16, which is no solution of
    # homogeneous equations. The last equation is redundant.
    problem = LinearProgram(
        [-1, 3, 3],
        A_eq=[[2, -2, -2], [3, -1, 3], [0, 3, 0], [5, 0, 1]],
        b_eq=[0, 0, 0, 0],
        bounds=[(-2, 2), (-1, 4), (-2, 3)],
    )
    for rule in RULES:
        result = simplex(problem, rule)
        np.testing.assert_array_equal(result.x, 0)
        assert_proven(problem, result)


def test_a_coefficient_that_is_a_rounding_error_is_no_coefficient():
    problem = LinearProgram([1, 1], A_eq=[[0.1 + 0.2 - 0.3, 0], [1, 1]], b_eq=[0, 2])
    result = simplex(problem)
    assert result.status is Status.OPTIMAL
    np.testing.assert_allclose(result.value, 2)


@pytest.mark.parametrize("unit", [1e-9, 1e-6, 1e6, 1e9])
def test_units_do_not_matter(unit):
    c, A, b = np.array([3.0, 2.0]), np.array([[2.0, 1], [2, 3], [3, 1]]), np.array([18.0, 42, 24])
    for changed, scale in [
        (LinearProgram(c * unit, A, b, maximize=True), unit),
        (LinearProgram(c, A * unit, b * unit, maximize=True), 1),
        (LinearProgram(c * [unit, 1], A * [unit, 1], b, maximize=True), 1),
        (LinearProgram(c, A * [[unit], [1], [1]], b * [unit, 1, 1], maximize=True), 1),
    ]:
        result = simplex(changed)
        assert result.status is Status.OPTIMAL
        assert result.value == pytest.approx(33 * scale, rel=1e-12)


def test_infeasibility_is_found_beside_a_huge_loose_bound():
    problem = LinearProgram([0, 1], [[1, 0], [0, 1], [0, -1]], [1e12, 1, -1.001])
    assert simplex(problem).status is Status.INFEASIBLE


@pytest.mark.parametrize(
    "problem",
    [
        # 0 x = -3 is the contradiction; the other rows leave rounding errors in their weights.
        LinearProgram([0, 0], [[-3, 0], [-2, 2]], [-3, -3], [[0, 0]], [-3]),
        # x1 + x2 = 1 and x1 + x2 >= 1.5; the bounds are so far out that a weight of 1e-16 would seem to matter.
        LinearProgram([0, 0], [[-2, -2], [-2, -3]], [-3, -3], [[3, 3]], [3], (-1e12, 1e12)),
        LinearProgram([0, 0], [[3, 2], [-3, -2]], [-2, -3], [[-2, 1], [-3, 0]], [-3, -3], (-1e12, 1e12)),
    ],
)
def test_rounding_errors_do_not_spoil_the_proof_of_infeasibility(problem):
    result = simplex(problem)
    assert result.status is Status.INFEASIBLE
    assert_proven(problem, result)


def test_a_small_cost_counts_beside_a_huge_one():
    result = simplex(LinearProgram([1e9, -1], [[0, 1]], [5]))
    assert result.value == -5


@pytest.mark.parametrize("huge", [1e200, 1e308])
def test_numbers_that_overflow_are_no_optimum(huge):
    problem = LinearProgram([huge, 1], [[1, 1], [huge, 1]], [huge, huge], maximize=True)
    result = simplex(problem)  # all numbers on its way stay finite
    assert_proven(problem, result)
    assert (result.status, result.value) == (Status.OPTIMAL, huge)
    assert simplex(LinearProgram([huge], [[1]], [huge], maximize=True)).status is Status.NOT_CONVERGED


def test_input_is_not_changed():
    c, A, b, bounds = (
        np.array([1.0, -2.0]),
        np.array([[-1.0, 1], [1, 1]]),
        np.array([-1.0, 6]),
        np.array([[0, 9.0]] * 2),
    )
    copies = [array.copy() for array in (c, A, b, bounds)]
    simplex(LinearProgram(c, A, b, bounds=bounds), trace=True)
    for array, copy in zip((c, A, b, bounds), copies):
        np.testing.assert_array_equal(array, copy)
