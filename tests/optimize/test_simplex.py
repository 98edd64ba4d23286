"""The simplex method: textbook numbers, statuses with their proofs, degeneracy, and what the trace must keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.optimize import LinearProgram, Status, enumerate_vertices, invariants, simplex
from mlcore.optimize._linear_certificates import TOLERANCE, infeasibility, optimality, unboundedness
from mlcore.optimize._pivot_rules import RULES

FREE = (None, None)
BEALE_ROWS = [[0.25, -60, -1 / 25, 9], [0.5, -90, -1 / 50, 3], [0, 0, 1, 0]]
VARIANT_ROWS = [[0.25, -8, -1, 9], [0.5, -12, -0.5, 3], [0, 0, 1, 0]]


def klee_minty(n):
    """The cube of Klee and Minty (1972), whose 2^n corners Dantzig's rule visits one by one."""
    A = np.array([[2.0 * 10 ** (i - j) if j < i else float(i == j) for j in range(n)] for i in range(n)])
    return LinearProgram(10.0 ** np.arange(n)[::-1], A, 100.0 ** np.arange(n), maximize=True)


TEXTBOOK = {
    "ES p. 140": LinearProgram([1, 0], [[1, 1]], [7], maximize=True),
    "ES p. 144": LinearProgram([150, 450], [[1, 0], [0, 1], [1, 1], [1, 2]], [120, 70, 140, 180], maximize=True),
    "ES p. 24": LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True),
    "ES p. 23": LinearProgram([1, 0], [[4, 1]] * 4 + [[-5, -1]] * 4, [1, 2, 3, 4, -1, -2, -3, -4], bounds=FREE),
    "ES p. 41": LinearProgram([0, 1], [[1, 1], [-1, 0]], [2, -1], maximize=True),
    "ES p. 17": LinearProgram([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -6]),
    "Beale": LinearProgram([-0.75, 150, -0.02, 6], BEALE_ROWS, [0, 0, 1]),
    "variant of Beale": LinearProgram([-0.75, 20, -0.5, 6], VARIANT_ROWS, [0, 0, 1]),
    "Klee and Minty": klee_minty(3),
    "all row senses": LinearProgram.from_rows(
        [2, 3, 1], [[1, 1, 1], [1, -1, 0], [0, 1, 1]], ["=", ">=", "<="], [6, 1, 4], maximize=True
    ),
    "redundant equations": LinearProgram([1, 2, 3], A_eq=[[1, 1, 1], [2, 2, 2], [1, 0, -1]], b_eq=[3, 6, 0]),
    "all kinds of bounds": LinearProgram(
        [1, -2, 1, 1, 1],
        [[1, 1, 1, -1, 1]],
        [5],
        bounds=[(-3, None), (None, 4), FREE, (1, 2), (-1, -1)],
        A_eq=[[1, 0, -1, 0, 1]],
        b_eq=[0],
    ),
    "bad units": LinearProgram([1e6, 1e-6], [[1e7, 1e-5], [1e-6, 3e-18]], [1e8, 1e-5], maximize=True),
    "unbounded": LinearProgram([1, 1], [[1, -1]], [2], maximize=True),
    "unbounded after phase 1": LinearProgram([-1, 0], A_eq=[[1, -1]], b_eq=[2]),
    "no rows": LinearProgram([1, -1], bounds=[(2, 5), (None, 3)]),
}


def test_example_of_appendix_a():
    result = simplex(TEXTBOOK["ES p. 144"], trace=True)
    first, second, last = result.steps
    assert (first.objective, second.objective, last.objective) == (0, 31500, 37500)
    assert [(step.entering, step.leaving) for step in result.steps] == [("x2", "s2"), ("x1", "s4"), (None, None)]
    np.testing.assert_array_equal(first.ratios, [np.nan, 70, 140, 90])
    np.testing.assert_array_equal(second.vertex, [0, 70])
    # ES p. 147, the second table
    np.testing.assert_array_equal(
        second.tableau,
        [
            [1, 0, 1, 0, 0, 0, 120],
            [0, 1, 0, 1, 0, 0, 70],
            [1, 0, 0, -1, 1, 0, 70],
            [1, 0, 0, -2, 0, 1, 40],
            [150, 0, 0, -450, 0, 0, 31500],
        ],
    )
    assert second.column_names == ("x1", "x2", "s1", "s2", "s3", "s4", "b")
    assert second.row_names == ("s1", "x2", "s3", "s4", "objective")
    np.testing.assert_array_equal(last.tableau[-1], [0, 0, 0, -150, 0, -150, 37500])
    np.testing.assert_array_equal(result.x, [40, 70])
    np.testing.assert_array_equal(result.dual.ub, [0, 150, 0, 150])
    np.testing.assert_array_equal(result.reduced_costs, [0, 0])
    assert result.value == result.certificate.dual_value == 37500
    assert result.basis == ("s1", "x2", "s3", "x1")
    assert not any(np.signbit(step.tableau[step.tableau == 0]).any() for step in result.steps)
    assert (result.iterations, result.cycled, result.bland_from) == (2, False, None)


def test_flattest_line_between_two_columns_of_points():
    result = simplex(TEXTBOOK["ES p. 23"])
    np.testing.assert_allclose(result.x, [3, -11])
    np.testing.assert_allclose(result.dual.ub, [-1, 0, 0, 0, 0, 0, 0, -1], atol=1e-12)


def test_graphical_exercise():
    result = simplex(TEXTBOOK["ES p. 24"])
    np.testing.assert_allclose(result.x, [3, 12])
    assert result.value == pytest.approx(33, rel=1e-15)


def test_a_row_with_at_least_gets_a_surplus_and_an_artificial_variable():
    # x1 >= 2 has the equation x1 - s2 + z2 = 2; with ES's "+ s2" the slack would be negative at every x1 > 2.
    problem = LinearProgram.from_rows([1, 0], [[1, 1], [1, 0]], ["<=", ">="], [5, 2], maximize=True)
    first = simplex(problem, trace=True).steps[0]
    assert first.phase == 1
    assert first.column_names == ("x1", "x2", "s1", "s2", "z2", "b")
    np.testing.assert_array_equal(first.tableau, [[1, 1, 1, 0, 0, 5], [1, 0, 0, -1, 1, 2], [1, 0, 0, -1, 0, -2]])
    assert first.basis == ("s1", "z2")
    assert simplex(problem).value == 5


def test_a_tie_in_the_ratio_test_makes_the_next_vertex_degenerate():
    steps = simplex(LinearProgram([2, 1], [[1, 0], [1, 1]], [4, 4], maximize=True), trace=True).steps
    assert steps[0].ratios[0] == steps[0].ratios[1] == 4
    assert np.count_nonzero(steps[1].tableau[:-1, -1] == 0) == 1
    np.testing.assert_array_equal(steps[1].vertex, steps[2].vertex)
    assert steps[1].leaving == "s2"


# Cycling and long walks


@pytest.mark.parametrize(("name", "value"), [("Beale", -1 / 20), ("variant of Beale", -5 / 4)])
def test_beale_cycles_under_dantzig_and_ends_under_bland(name, value):
    result = simplex(TEXTBOOK[name], "dantzig", trace=True)
    assert result.cycled
    assert result.bland_from == 6
    assert set(result.steps[6].basis) == set(result.steps[0].basis)
    assert result.status is Status.OPTIMAL
    assert result.value == pytest.approx(value, rel=1e-12)
    bland = simplex(TEXTBOOK[name], "bland")
    assert not bland.cycled
    assert bland.value == pytest.approx(value, rel=1e-12)
    bases = [frozenset(step.basis) for step in simplex(TEXTBOOK[name], "bland", trace=True).steps]
    assert len(set(bases)) == len(bases)


@pytest.mark.parametrize(("rule", "pivots"), [("dantzig", 7), ("bland", 5), ("largest_increase", 1)])
def test_klee_minty(rule, pivots):
    result = simplex(klee_minty(3), rule)
    assert (result.value, result.iterations) == (10_000, pivots)


@pytest.mark.parametrize("n", range(1, 9))
def test_dantzig_visits_every_corner_of_the_klee_minty_cube(n):
    result = simplex(klee_minty(n))
    assert result.status is Status.OPTIMAL
    assert (result.value, result.iterations) == (100.0 ** (n - 1), 2**n - 1)


# Statuses and their proofs


def assert_proven(problem, result):
    """The certificate, computed once more from the problem, proves the status."""
    assert result.certificate.residual <= TOLERANCE
    if result.status is Status.OPTIMAL:
        assert vars(optimality(problem, result.x, result.dual)) == vars(result.certificate)
        assert result.value == result.certificate.primal_value == pytest.approx(problem.c @ result.x)
    elif result.status is Status.INFEASIBLE:
        assert infeasibility(problem, result.certificate.ray).residual <= TOLERANCE
        assert result.x is None
        assert np.isnan(result.value)
    else:
        assert result.status is Status.UNBOUNDED
        assert unboundedness(problem, result.x, result.certificate.ray).residual <= TOLERANCE
        assert result.value == (np.inf if problem.maximize else -np.inf)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_every_status_is_proven(name, rule):
    assert_proven(TEXTBOOK[name], simplex(TEXTBOOK[name], rule))


def test_unbounded_comes_with_a_ray():
    problem = TEXTBOOK["unbounded after phase 1"]  # min -x1 with x1 - x2 = 2
    result = simplex(problem)
    assert result.status is Status.UNBOUNDED
    np.testing.assert_array_equal(problem.A_eq @ result.x, problem.b_eq)
    np.testing.assert_array_equal(result.certificate.ray, [1, 1])
    assert result.dual is None
    assert result.reduced_costs is None


def test_infeasible_equations():
    result = simplex(LinearProgram([1, 1], A_eq=[[1, 1], [1, 1]], b_eq=[1, 2]))
    assert result.status is Status.INFEASIBLE
    np.testing.assert_allclose(result.certificate.ray[:2], [1, -1])


def test_a_lower_bound_above_the_upper_one_is_infeasible():
    problem = LinearProgram([1], bounds=(3, 2))
    result = simplex(problem)
    assert result.status is Status.INFEASIBLE
    np.testing.assert_array_equal(result.certificate.ray, [1, 1])  # -x <= -3 and x <= 2 sum to 0 <= -1


def test_bounds_beyond_the_rows_are_infeasible():
    result = simplex(LinearProgram([1, 1], [[1, 1]], [3], bounds=(2, None)))
    assert result.status is Status.INFEASIBLE
    np.testing.assert_array_equal(result.certificate.ray, [1, 1, 1, 0, 0])


def test_iteration_limit():
    problem = TEXTBOOK["ES p. 144"]
    result = simplex(problem, max_iter=1)
    assert result.status is Status.ITERATION_LIMIT
    assert result.iterations == 1
    np.testing.assert_array_equal(result.x, [0, 70])  # feasible, and not the best
    assert result.value == 31500
    assert result.certificate.residual > TOLERANCE
    in_phase_1 = simplex(TEXTBOOK["ES p. 23"], max_iter=1)
    assert (in_phase_1.status, in_phase_1.x, in_phase_1.certificate) == (Status.ITERATION_LIMIT, None, None)
    assert simplex(problem, max_iter=2).status is Status.OPTIMAL


def test_iteration_limit_reached_between_the_phases():
    # The equations sum to 0 = 0, so phase 1 has nothing to improve; two artificial variables at 0 have to go, and
    # the row of the third is redundant.
    equal = [[1, -1, 0], [0, 1, -1], [-1, 0, 1]]
    problem = LinearProgram([-1] * 3, [[1, 1, 1]], [6], equal, [0, 0, 0])
    full, limited = simplex(problem, trace=True), simplex(problem, max_iter=1)
    assert [(step.phase, step.leaving) for step in full.steps][:3] == [(1, None), (1, "z2"), (1, "z3")]
    np.testing.assert_allclose(full.x, 2)
    assert limited.status is Status.ITERATION_LIMIT
    np.testing.assert_array_equal(limited.x, 0)


@pytest.mark.parametrize(("rule", "shown"), [("steepest", "'steepest'"), (None, "None"), (["bland"], "['bland']")])
def test_unknown_rule(rule, shown):
    with pytest.raises(ValueError, match="rule: expected one of dantzig, bland, largest_increase, got ") as error:
        simplex(TEXTBOOK["ES p. 24"], rule)
    assert str(error.value).endswith(shown)


@pytest.mark.parametrize("max_iter", [0, -1, 2.5, None])
def test_bad_iteration_limit(max_iter):
    with pytest.raises(ValueError, match="max_iter: expected a whole number of at least 1"):
        simplex(TEXTBOOK["ES p. 24"], max_iter=max_iter)


# The trace


def assert_trace_is_sound(problem, result):
    sense = 1 if problem.maximize else -1
    steps = result.steps
    for step in steps:
        assert invariants(step) == (True, True, True)
        assert step.tableau.shape == (len(step.basis) + 1, len(step.column_names))
        assert step.objective == pytest.approx(problem.c @ step.vertex)
        if step.phase == 2:
            assert step.tableau[-1, -1] + sense * problem.c @ constant_part(problem) == pytest.approx(
                sense * step.objective, rel=1e-9, abs=1e-9
            )
            assert feasible(problem, step.vertex)
        if step.leaving is not None and not np.isnan(step.ratios).all():
            assert step.ratios[step.basis.index(step.leaving)] == pytest.approx(np.nanmin(step.ratios), abs=1e-9)
    assert sum(step.leaving is not None for step in steps) == result.iterations
    for before, after in zip(steps, steps[1:]):
        if before.phase == after.phase == 2:
            assert sense * (after.objective - before.objective) >= -1e-9 * (1 + abs(before.objective))
            assert set(after.basis) == set(before.basis) - {before.leaving} | {before.entering}


def constant_part(problem):
    """The point where all columns of the tableau are 0."""
    lower, upper = problem.lower, problem.upper
    return np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper, 0))


def feasible(problem, x, tolerance=1e-9):
    slack = tolerance * (1 + np.abs(x).max(initial=0))
    return (
        (problem.A_ub @ x <= problem.b_ub + slack * (1 + np.abs(problem.A_ub).sum(axis=1))).all()
        and (np.abs(problem.A_eq @ x - problem.b_eq) <= slack * (1 + np.abs(problem.A_eq).sum(axis=1))).all()
        and (problem.lower - slack <= x).all()
        and (x <= problem.upper + slack).all()
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_invariants_hold_on_every_step(name, rule):
    result = simplex(TEXTBOOK[name], rule, trace=True)
    assert_trace_is_sound(TEXTBOOK[name], result)
    silent = simplex(TEXTBOOK[name], rule)
    assert silent.steps == ()
    assert (silent.iterations, silent.basis, silent.status) == (result.iterations, result.basis, result.status)


def test_trace_is_in_the_units_of_the_problem():
    # The columns differ by 10 orders of magnitude, so the method works on a scaled tableau.
    problem = LinearProgram([3e5, 2e-5], [[2e5, 1e-5], [2e5, 3e-5], [3e5, 1e-5]], [18, 42, 24], maximize=True)
    plain = LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True)
    unit = [1e5, 1e-5, 1, 1, 1, 1]
    scaled, textbook = simplex(problem, trace=True), simplex(plain, trace=True)
    np.testing.assert_allclose(scaled.steps[0].tableau[:3, :2], problem.A_ub)
    assert [step.tableau.shape for step in scaled.steps] == [(4, 6)] * len(scaled.steps)
    np.testing.assert_allclose(scaled.x * unit[:2], textbook.x)
    np.testing.assert_allclose(scaled.steps[0].tableau[-1], [3e5, 2e-5, 0, 0, 0, 0])
    assert scaled.value == pytest.approx(33)
    assert_trace_is_sound(problem, scaled)


def test_names_of_columns_say_how_a_variable_is_measured():
    step = simplex(TEXTBOOK["all kinds of bounds"], trace=True).steps[0]
    assert step.column_names == ("x1'", "x2'", "x3+", "x3-", "x4'", "x5'", "s1", "s2", "s3", "z4", "b")


# Random problems with integer data


@st.composite
def problems(draw):
    n, m, k = draw(st.integers(1, 4)), draw(st.integers(0, 5)), draw(st.integers(0, 2))

    def integers(*shape, low=-3, high=3):
        count = int(np.prod(shape))
        return np.array(draw(st.lists(st.integers(low, high), min_size=count, max_size=count))).reshape(shape)

    pairs = [(0, None), (0, 3), (-2, 1), FREE, (None, 2), (1, 1)]
    bounds = [draw(st.sampled_from(pairs)) for _ in range(n)]
    return LinearProgram(
        integers(n),
        integers(m, n),
        integers(m, low=-2, high=6),
        integers(k, n),
        integers(k),
        bounds,
        draw(st.booleans()),
    )


@given(problems())
@settings(deadline=None, max_examples=150)
def test_all_rules_prove_the_same_answer(problem):
    results = [simplex(problem, rule, trace=True) for rule in RULES]
    for result in results:
        assert_proven(problem, result)
        assert_trace_is_sound(problem, result)
        assert result.status is results[0].status
        if result.status is Status.OPTIMAL:
            assert result.value == pytest.approx(results[0].value, abs=1e-9)


@given(problems())
@settings(deadline=None, max_examples=100)
def test_the_best_vertex_wins(problem):
    boxed = LinearProgram(
        problem.c, problem.A_ub, problem.b_ub, problem.A_eq, problem.b_eq,
        np.clip(problem.bounds, -5, 5), problem.maximize,
    )  # fmt: skip
    result, naive = simplex(boxed), enumerate_vertices(boxed)
    if len(naive.vertices) == 0:
        assert result.status is Status.INFEASIBLE
    else:
        assert result.status is Status.OPTIMAL
        best = naive.values.max() if boxed.maximize else naive.values.min()
        assert result.value == pytest.approx(best, abs=1e-8)
        assert np.abs(naive.vertices - result.x).max(axis=1).min() < 1e-8
