"""Solutions read off a tableau and solved afresh from the tight rows are the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.optimize import LinearProgram, simplex
from mlcore.optimize._basic_solution import farkas_weights, read_tableau, solve_tight_rows, vertex
from mlcore.optimize._standard_form import standard_form

# max x1 + 2 x2 + x3 with x1 + x2 + x3 <= 4, x1 - x2 = 1 twice, x1 <= 2, x2 <= 9, x3 free
PROBLEM = LinearProgram(
    [1, 2, 1],
    [[1, 1, 1]],
    [4],
    [[1, -1, 0], [2, -2, 0]],
    [1, 2],
    [(0, 2), (None, 9), (None, None)],
    maximize=True,
)


def test_tight_rows_give_vertex_and_prices():
    form = standard_form(PROBLEM)
    columns = {form.name(column): column for column in range(form.scale.size)}
    basis = np.array([columns["x3+"], columns["x1"], columns["x2'"]])
    x, dual, ray = solve_tight_rows(form, basis, redundant=np.array([3]))
    assert ray is None
    np.testing.assert_allclose(x, [2, 1, 1])
    np.testing.assert_allclose(dual.ub, [1])  # c3 = 1 is the price of the only row with x3
    np.testing.assert_allclose(dual.eq, [-1, 0])  # x2: 2 = 1 + 1, so the equation takes -1
    np.testing.assert_allclose(dual.upper, [1, 0, 0])  # x1: 1 = 1 - 1 + 1
    np.testing.assert_array_equal(dual.lower, 0)
    result = simplex(PROBLEM)
    np.testing.assert_allclose(result.x, x)
    np.testing.assert_allclose(result.dual.upper, dual.upper)


@pytest.mark.parametrize(("entering", "ray"), [("x2", [0, 1]), ("s1", [-1, 0])])
def test_tight_rows_give_the_ray(entering, ray):
    # At (3, 0) the row x1 <= 3 is tight and x1 - x2 <= 5 loose. Let x2 grow, or the slack of the tight row.
    form = standard_form(LinearProgram([-1, -2], [[1, 0], [1, -1]], [3, 5]))
    columns = {form.name(column): column for column in range(form.scale.size)}
    basis = np.array([columns["x1"], columns["s2"]])
    solution = solve_tight_rows(form, basis, np.zeros(0, dtype=int), columns[entering])
    np.testing.assert_array_equal(solution.x, [3, 0])
    np.testing.assert_array_equal(solution.ray, ray)
    assert solution.dual is None


def test_direction_away_from_an_upper_bound():
    # Where x1 = 2 is its upper bound, let the slack of that bound grow: x1 falls and x2 = 5 - x1 rises.
    problem = LinearProgram([1, 1], A_eq=[[1, 1]], b_eq=[5], bounds=[(0, 2), (0, None)])
    form = standard_form(problem)
    columns = {form.name(column): column for column in range(form.scale.size)}
    solution = solve_tight_rows(form, np.array([columns["x1"], columns["x2"]]), np.zeros(0, dtype=int), columns["s1"])
    np.testing.assert_array_equal(solution.x, [2, 3])
    np.testing.assert_array_equal(solution.ray, [-1, 1])


def test_prices_of_rows_are_free_of_the_rounding_errors_of_bounds():
    # All cost is borne by the upper bounds, so the price of the row is exactly 0.
    problem = LinearProgram([0.1, 0.2, 0], [[0.3, 0.7, 1]], [9], bounds=[(0, 1), (0, 1), (None, None)], maximize=True)
    form = standard_form(problem)
    columns = {form.name(column): column for column in range(form.scale.size)}
    basis = np.array([columns[name] for name in ("x3+", "x1", "x2")])
    dual = solve_tight_rows(form, basis, np.zeros(0, dtype=int)).dual
    np.testing.assert_array_equal(dual.ub, [0])
    np.testing.assert_array_equal(dual.upper, [0.1, 0.2, 0])


def test_a_singular_basis_gives_nothing():
    problem = LinearProgram([1, 1], A_eq=[[1, 1], [2, 2]], b_eq=[1, 2])
    assert solve_tight_rows(standard_form(problem), np.array([0, 1]), np.zeros(0, dtype=int)) is None


def test_first_vertex_has_every_variable_at_its_bound():
    form = standard_form(PROBLEM)
    tableau = np.zeros((len(form.constants) + 1, form.scale.size + 1))
    tableau[:-1, -1] = form.constants
    np.testing.assert_array_equal(vertex(form, tableau, form.start), [0, 9, 0])


def test_farkas_weights_of_a_first_tableau():
    # x1 <= -1 with x1 >= 0: the artificial variable cannot fall.
    problem = LinearProgram([1], [[1]], [-1])
    form = standard_form(problem)  # -x1 - s1 + z1 = 1
    objective = form.artificial_cost + form.columns[0]
    np.testing.assert_array_equal(objective, [-1, -1, 0])
    np.testing.assert_array_equal(farkas_weights(form, objective), [1, 1, 0])  # x1 <= -1 plus -x1 <= 0


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_both_ways_agree_on_random_problems(seed):
    rng = np.random.default_rng(seed)
    n, m, k = rng.integers(2, 6), rng.integers(1, 6), rng.integers(0, 2)
    inside = rng.random(n)
    A, E = rng.normal(size=(m, n)), rng.normal(size=(k, n))
    bounds = np.column_stack([-rng.random(n), 1 + rng.random(n)])
    problem = LinearProgram(rng.normal(size=n), A, A @ inside + rng.random(m), E, E @ inside, bounds, bool(seed % 2))
    result = simplex(problem)
    form = standard_form(problem)
    columns = {form.name(column): column for column in range(form.scale.size)}
    basis = np.array([columns[name] for name in result.basis])
    afresh = solve_tight_rows(form, basis, np.zeros(0, dtype=int))
    np.testing.assert_allclose(afresh.x, result.x, atol=1e-9)
    for name in ("ub", "eq", "lower", "upper"):
        np.testing.assert_allclose(getattr(afresh.dual, name), getattr(result.dual, name), atol=1e-8)
    # The last tableau, rebuilt from the basis.
    square = form.columns[:, basis]
    tableau = np.linalg.solve(square, np.column_stack([form.columns, form.constants]))
    objective = np.append(form.cost, 0) - form.cost[basis] @ tableau
    read = read_tableau(form, np.vstack([tableau, objective]), basis)
    np.testing.assert_allclose(read.x, result.x, atol=1e-9)
    np.testing.assert_allclose(read.dual.ub, result.dual.ub, atol=1e-8)
