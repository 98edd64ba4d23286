"""Solutions read off a tableau that was computed afresh from its basis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.optimize import LinearProgram, simplex
from mlcore.optimize._basic_solution import farkas_weights, fresh_tableau, read_tableau, vertex
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


def afresh(form, names, rows=None, entering=None):
    """The solution of a basis given by the names of its columns, with the vertex that does not start at the bounds."""
    columns = {form.name(column): column for column in range(form.scale.size)}
    basis = np.array([columns[name] for name in names])
    rows = np.arange(len(form.constants)) if rows is None else np.array(rows)
    tableau, x = fresh_tableau(form, basis, rows, form.cost)
    solution = read_tableau(form, tableau, basis, columns.get(entering))
    np.testing.assert_allclose(x, solution.x, atol=1e-9)
    return solution._replace(x=x)


def test_a_basis_gives_vertex_and_prices():
    form = standard_form(PROBLEM)
    x, dual, ray = afresh(form, ("x3+", "x1", "x2'"), rows=[0, 1, 2])  # without the redundant row
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
def test_a_basis_gives_the_ray(entering, ray):
    # At (3, 0) the row x1 <= 3 is tight and x1 - x2 <= 5 loose. Let x2 grow, or the slack of the tight row.
    form = standard_form(LinearProgram([-1, -2], [[1, 0], [1, -1]], [3, 5], bounds=[(None, 9), (0, None)]))
    solution = afresh(form, ("x1'", "s2"), entering=entering)
    np.testing.assert_array_equal(solution.x, [3, 0])
    np.testing.assert_array_equal(solution.ray, ray)


def test_prices_of_rows_are_free_of_the_rounding_errors_of_bounds():
    # All cost is borne by the upper bounds, so the price of the row is exactly 0.
    problem = LinearProgram([0.1, 0.2, 0], [[0.3, 0.7, 1]], [9], bounds=[(0, 1), (0, 1), (None, None)], maximize=True)
    dual = afresh(standard_form(problem), ("x3+", "x1", "x2")).dual
    np.testing.assert_array_equal(dual.ub, [0])
    np.testing.assert_array_equal(dual.upper, [0.1, 0.2, 0])


def test_a_vertex_does_not_inherit_the_rounding_errors_of_a_far_bound():
    problem = LinearProgram([1, 1], A_eq=[[3, 7], [1, -1]], b_eq=[1, 0], bounds=(-1e15, None))
    form = standard_form(problem)
    tableau, x = fresh_tableau(form, np.array([0, 1]), np.arange(2), form.cost)
    np.testing.assert_allclose(x, 0.1, rtol=1e-14)
    assert abs(vertex(form, tableau, np.array([0, 1])) - 0.1).max() > 1e-3


def test_a_singular_basis_is_refused():
    form = standard_form(LinearProgram([1, 1], A_eq=[[1, 1], [2, 2]], b_eq=[1, 2]))
    with pytest.raises(np.linalg.LinAlgError):
        fresh_tableau(form, np.array([0, 1]), np.arange(2), form.cost)


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
def test_the_pivots_and_the_basis_agree_on_random_problems(seed):
    rng = np.random.default_rng(seed)
    n, m, k = rng.integers(2, 6), rng.integers(1, 6), rng.integers(0, 2)
    inside = rng.random(n)
    A, E = rng.normal(size=(m, n)), rng.normal(size=(k, n))
    bounds = np.column_stack([-rng.random(n), 1 + rng.random(n)])
    problem = LinearProgram(rng.normal(size=n), A, A @ inside + rng.random(m), E, E @ inside, bounds, bool(seed % 2))
    result = simplex(problem)
    form = standard_form(problem)
    solution = afresh(form, result.basis)
    np.testing.assert_allclose(solution.x, result.x, atol=1e-9)
    for name in ("ub", "eq", "lower", "upper"):
        np.testing.assert_allclose(getattr(solution.dual, name), getattr(result.dual, name), atol=1e-8)
