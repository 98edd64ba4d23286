"""Linear programs: validation, the feasibility test, and duals."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.optimize import LinearProgram, Status, dual_program, feasible_point, simplex

INF = np.inf


# What may go in


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"c": [[1, 2]]}, "c: expected shape (n,), got (1, 2)"),
        ({"c": [1, np.nan]}, "c: expected numbers, got NaN"),
        ({"c": [1, INF]}, "c: expected finite numbers, got infinity"),
        ({"c": [1, 2], "A_ub": [[1, 2, 3]], "b_ub": [1]}, "A_ub: expected shape (m, 2), got (1, 3)"),
        ({"c": [1, 2], "A_ub": [1, 2], "b_ub": [1]}, "A_ub: expected shape (m, 2), got (2,)"),
        ({"c": [1, 2], "A_ub": [[1, 2]], "b_ub": [1, 2]}, "b_ub: expected shape (1,), got (2,)"),
        ({"c": [1, 2], "A_ub": [[1, np.nan]], "b_ub": [1]}, "A_ub: expected numbers, got NaN at position (0, 1)"),
        ({"c": [1, 2], "A_ub": [[1, 2]], "b_ub": [INF]}, "b_ub: expected finite numbers, got infinity"),
        ({"c": [1, 2], "A_eq": [[1]], "b_eq": [1]}, "A_eq: expected shape (m, 2), got (1, 1)"),
        ({"c": [1, 2], "A_eq": [[1, 2]], "b_eq": 1}, "b_eq: expected shape (1,), got ()"),
        ({"c": [1, 2], "A_ub": [[1, 2]]}, "b_ub: expected an array to go with A_ub, got None"),
        ({"c": [1, 2], "b_eq": [1]}, "A_eq: expected an array to go with b_eq, got None"),
        ({"c": [1, 2], "bounds": [(0, 1)] * 3}, "bounds: expected shape (2, 2), got (3, 2)"),
        ({"c": [1, 2], "bounds": (0, 1, 2)}, "bounds: expected"),
        ({"c": [1, 2], "bounds": [(0, np.nan), (0, 1)]}, "bounds: expected numbers, got NaN"),
        ({"c": [1, 2], "bounds": (INF, INF)}, "bounds: expected lower bounds below infinity"),
        ({"c": [1, 2], "bounds": 3}, "bounds: expected (lower, upper) or one such pair a variable, got 3"),
        ({"c": [1, 2], "bounds": ["ab", "cd"]}, "bounds: expected"),
        ({"c": [1, 2], "maximize": "yes"}, "maximize: expected True or False, got 'yes'"),
        ({"c": ["a", 2]}, "c: expected numbers"),
        ({"c": [1j, 2]}, "c: expected real numbers"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        LinearProgram(**arguments)


def test_bounds_come_in_the_forms_of_scipy():
    nothing, everything = [[0, INF], [0, INF]], [[-INF, INF], [-INF, INF]]
    for given_bounds, expected in [
        ((0, None), nothing),
        ([(0, None)] * 2, nothing),
        ((None, None), everything),
        (None, everything),
        (np.array([[-INF, 1], [2, INF]]), [[-INF, 1], [2, INF]]),
        ([(None, 1), [2, None]], [[-INF, 1], [2, INF]]),
        ((-1, 1), [[-1, 1], [-1, 1]]),
    ]:
        np.testing.assert_array_equal(LinearProgram([1, 1], bounds=given_bounds).bounds, expected)
    np.testing.assert_array_equal(LinearProgram([1], bounds=[(2, 3)]).bounds, [[2, 3]])


def test_the_problem_is_a_read_only_copy():
    A = np.array([[1.0, 2.0]])
    problem = LinearProgram([1, 1], A, [4])
    A[0, 0] = 99
    assert problem.A_ub[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        problem.A_ub[0, 0] = 99


def test_rows_with_senses():
    problem = LinearProgram.from_rows(
        [1, 2], [[1, 0], [1, 1], [0, 1]], [">=", "=", "<="], [1, 5, 3], bounds=(None, None), maximize=True
    )
    np.testing.assert_array_equal(problem.A_ub, [[-1, 0], [0, 1]])
    np.testing.assert_array_equal(problem.b_ub, [-1, 3])
    np.testing.assert_array_equal(problem.A_eq, [[1, 1]])
    np.testing.assert_array_equal(problem.b_eq, [5])
    assert problem.maximize
    assert not np.signbit(problem.A_ub[problem.A_ub == 0]).any()
    assert simplex(problem).value == 8  # x = (2, 3)
    with pytest.raises(ValueError, match='senses: expected "<=", ">=" or "=", got \'<\''):
        LinearProgram.from_rows([1], [[1]], ["<"], [1])
    with pytest.raises(ValueError, match="senses: expected 1 of them, one for each row of A, got 2"):
        LinearProgram.from_rows([1], [[1]], ["<=", "="], [1])


# Test (F)


def test_system_1_is_feasible():
    system = LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -4])  # ES p. 16
    result = feasible_point(system)
    assert result.status is Status.OPTIMAL
    assert (system.A_ub @ result.x <= system.b_ub).all()


def test_system_2_is_infeasible_with_its_certificate():
    system = LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -6], bounds=(None, None))  # ES p. 17
    result = feasible_point(system)
    assert result.status is Status.INFEASIBLE
    assert result.x is None
    weights = result.certificate.ray[:3]
    np.testing.assert_array_equal(weights, [1, 1, 1])
    np.testing.assert_array_equal(weights @ system.A_ub, [0, 0])
    assert weights @ system.b_ub == -1
    np.testing.assert_array_equal(result.certificate.ray[3:], 0)


def test_the_objective_does_not_matter_to_feasibility():
    unbounded = LinearProgram([1], bounds=(None, None))
    assert simplex(unbounded).status is Status.UNBOUNDED
    assert feasible_point(unbounded).status is Status.OPTIMAL


def test_feasible_points_may_be_negative():
    result = feasible_point(LinearProgram([0], [[1]], [-3], bounds=(None, None)), trace=True)
    assert result.x[0] <= -3
    assert result.steps


# Duals


def test_dual_of_the_standard_form():
    primal = LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True)
    dual = dual_program(primal)
    np.testing.assert_array_equal(dual.program.c, primal.b_ub)
    np.testing.assert_array_equal(dual.program.A_ub, -primal.A_ub.T)
    np.testing.assert_array_equal(dual.program.b_ub, -primal.c)
    np.testing.assert_array_equal(dual.program.bounds, [[0, INF]] * 3)
    assert not dual.program.maximize
    assert dual.variables == ("A_ub[0]", "A_ub[1]", "A_ub[2]")
    assert dual.constraints == ("x1", "x2")
    np.testing.assert_array_equal(dual.signs, 1)
    assert simplex(dual.program).value == pytest.approx(33)


@pytest.mark.parametrize(
    ("A", "b", "y"), [([[1, 1], [-1, 0]], [2, -1], [1, 1]), ([[1, 1], [-1, 0], [1, 0]], [2, -1, 3], [1, 1, 0])]
)
def test_exercises_of_chapter_4(A, b, y):  # ES p. 41, 42
    primal = LinearProgram([0, 1], A, b, maximize=True)
    result, dual = simplex(primal), simplex(dual_program(primal).program)
    np.testing.assert_allclose(result.x, [1, 1])
    np.testing.assert_allclose(result.dual.ub, y)
    np.testing.assert_allclose(dual.x, y)
    assert result.value == dual.value == 1


CANONICAL = [
    LinearProgram([3, 2], [[2, 1], [0, 3], [3, 1]], [18, 42, 24], maximize=True),
    LinearProgram([3, 2], [[-2, -1], [-2, -3], [0, -1]], [-1, -2, 4]),
    LinearProgram([3, 2, 5], A_eq=[[2, 1, 0], [2, 3, 4]], b_eq=[18, -42]),
    LinearProgram([3, 2, 5], A_eq=[[2, 1, 0], [2, 3, 4]], b_eq=[18, -42], maximize=True),
]


@pytest.mark.parametrize("problem", CANONICAL)
def test_dual_of_the_dual_is_the_primal(problem):
    back = dual_program(dual_program(problem).program).program
    for name in ("c", "A_ub", "b_ub", "A_eq", "b_eq", "bounds"):
        np.testing.assert_array_equal(getattr(back, name), getattr(problem, name))
    assert back.maximize == problem.maximize


def test_names_and_signs_lead_back_to_rows_and_bounds():
    # min -x1 - x2 with x1 + 2 x2 <= 4, x1 - x2 = 1, -1 <= x1 <= 3, x2 free
    problem = LinearProgram([-1, -1], [[1, 2]], [4], [[1, -1]], [1], bounds=[(-1, 3), (None, None)])
    dual = dual_program(problem)
    assert dual.variables == ("A_ub[0]", "A_eq[0]", "lower[0]", "upper[0]")
    assert dual.constraints == ("x1", "x2")
    np.testing.assert_array_equal(dual.signs, [-1, 1, 1, -1])
    primal_result, dual_result = simplex(problem), simplex(dual.program)
    assert primal_result.value == pytest.approx(-3)
    assert dual_result.value == pytest.approx(-3)
    prices = primal_result.dual
    shadow = dual.signs * dual_result.x
    np.testing.assert_allclose(shadow, [prices.ub[0], prices.eq[0], prices.lower[0], prices.upper[0]], atol=1e-12)


@pytest.mark.parametrize("maximize", [False, True])
def test_a_bound_of_0_is_the_slack_of_its_dual_row(maximize):
    problem = LinearProgram([3, -5, 0], [[1, 2, 4]], [6], bounds=[(0, None), (None, 0), (0, 9)], maximize=maximize)
    dual = dual_program(problem)
    assert dual.variables == ("A_ub[0]", "upper[2]")
    # max: y >= 3, 2 y <= -5, 4 y + u >= 0; min with y = -v, u = -w: -v <= 3, -2 v >= -5, -4 v - w <= 0
    rows, constants = [[-1, 0], [2, 0], [-4, -1]], [-3, -5, 0]
    np.testing.assert_array_equal(dual.program.A_ub, rows)
    np.testing.assert_array_equal(dual.program.b_ub, constants if maximize else np.negative(constants))


@pytest.mark.parametrize("c", [0, 1])
def test_dual_without_variables(c):
    problem = LinearProgram([c], bounds=(None, None))
    dual = dual_program(problem)
    assert dual.variables == ()
    primal_result, dual_result = simplex(problem), simplex(dual.program)
    if c == 0:
        assert (primal_result.value, dual_result.value) == (0, 0)
    else:
        assert (primal_result.status, dual_result.status) == (Status.UNBOUNDED, Status.INFEASIBLE)


def test_degenerate_optimum_has_several_duals():
    # max x with x <= 1 written twice: ES p. 38 claims that a unique optimum has a unique dual.
    problem = LinearProgram([1], [[1], [1]], [1, 1], bounds=(None, None), maximize=True)
    result = simplex(problem)
    assert (result.x[0], result.value) == (1, 1)
    dual = dual_program(problem).program
    for y in ([1, 0], [0, 1], [0.5, 0.5]):
        np.testing.assert_array_equal(dual.A_eq @ y, dual.b_eq)
        assert dual.c @ y == 1
    assert result.dual.ub.sum() == 1


def test_complementary_slackness_has_no_converse():
    # ES p. 42 c: a slack row has price 0, but a tight one may have price 0 as well.
    problem = LinearProgram([1, 1], [[1, 0], [0, 1], [1, 1]], [1, 1, 2], maximize=True)
    result = simplex(problem)
    slack = problem.b_ub - problem.A_ub @ result.x
    np.testing.assert_array_equal(slack, 0)
    assert (result.dual.ub == 0).any()


@st.composite
def problems(draw):
    """Small problems with integer data and every kind of row and bound."""
    n, m, k = draw(st.integers(1, 4)), draw(st.integers(0, 4)), draw(st.integers(0, 2))

    def integers(*shape, low=-3, high=4):
        count = int(np.prod(shape))
        return np.array(draw(st.lists(st.integers(low, high), min_size=count, max_size=count))).reshape(shape)

    pairs = [(0, INF), (-INF, INF), (-INF, 0), (-INF, 3), (-2, INF), (0, 2), (-1, 1), (1, 1)]
    bounds = [draw(st.sampled_from(pairs)) for _ in range(n)]
    return LinearProgram(
        integers(n),
        integers(m, n),
        integers(m, low=-2, high=6),
        integers(k, n),
        integers(k, low=-2, high=4),
        bounds,
        draw(st.booleans()),
    )


@given(problems())
@settings(deadline=None, max_examples=150)
def test_duality(problem):
    primal, dual = simplex(problem), simplex(dual_program(problem).program)
    if primal.status is Status.OPTIMAL:
        assert dual.status is Status.OPTIMAL
        assert dual.value == pytest.approx(primal.value, abs=1e-9)
        again = simplex(dual_program(dual_program(problem).program).program)
        assert again.status is Status.OPTIMAL
        assert again.value == pytest.approx(primal.value, abs=1e-9)
    elif primal.status is Status.UNBOUNDED:
        assert dual.status is Status.INFEASIBLE
    else:
        assert primal.status is Status.INFEASIBLE
        assert dual.status in (Status.INFEASIBLE, Status.UNBOUNDED)


@given(problems())
@settings(deadline=None, max_examples=150)
def test_shadow_prices_have_their_signs_and_their_value(problem):
    result = simplex(problem)
    if result.status is not Status.OPTIMAL:
        return
    dual, sense = result.dual, 1 if problem.maximize else -1
    lower, upper = (np.where(np.isfinite(bound), bound, 0) for bound in (problem.lower, problem.upper))
    value = problem.b_ub @ dual.ub + problem.b_eq @ dual.eq + lower @ dual.lower + upper @ dual.upper
    assert value == pytest.approx(result.value, abs=1e-9)
    combination = problem.A_ub.T @ dual.ub + problem.A_eq.T @ dual.eq
    np.testing.assert_allclose(combination + dual.lower + dual.upper, problem.c, atol=1e-9)
    np.testing.assert_allclose(result.reduced_costs, problem.c - combination, atol=1e-9)
    assert (sense * dual.ub >= 0).all()
    assert (sense * dual.upper >= 0).all()
    assert (sense * dual.lower <= 0).all()
    assert (dual.lower[np.isinf(problem.lower)] == 0).all()
    assert (dual.upper[np.isinf(problem.upper)] == 0).all()


def test_shadow_prices_are_derivatives():
    def problem(b=(7, 9), e=4, low=0.5, high=2, maximize=True):
        sign = 1 if maximize else -1
        return LinearProgram(
            np.multiply(sign, [3, 1, 2]),
            [[1, 1, 1], [1, 2, 3]],
            b,
            [[1, 0, 2]],
            [e],
            [(0, high), (low, None), (0, 9)],
            maximize,
        )

    for maximize in (True, False):
        base, step = simplex(problem(maximize=maximize)), 1e-4
        changed = [
            (problem(b=(7 + step, 9), maximize=maximize), base.dual.ub[0]),
            (problem(b=(7, 9 + step), maximize=maximize), base.dual.ub[1]),
            (problem(e=4 + step, maximize=maximize), base.dual.eq[0]),
            (problem(low=0.5 + step, maximize=maximize), base.dual.lower[1]),
            (problem(high=2 + step, maximize=maximize), base.dual.upper[0]),
        ]
        for other, price in changed:
            assert (simplex(other).value - base.value) / step == pytest.approx(price, abs=1e-8)
        assert sum(price != 0 for _, price in changed) >= 3
