"""Natural units: whatever the data are measured in, the scaled program is the same size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlcore.optimize import QuadraticProgram, box_constraints
from mlcore.optimize._equilibration import in_units, largest, natural_units

exponents = st.lists(st.integers(-6, 6), min_size=3, max_size=3)


def problem_in_units(columns, rows, objective):
    rng = np.random.default_rng(0)
    B, d, e = rng.normal(size=(3, 3)), 10.0 ** np.array(columns), 10.0 ** np.array(rows)
    P, q, G, h = objective * B @ B.T * np.outer(d, d), objective * d, e[:, None] * rng.normal(size=(3, 3)) * d, e
    return QuadraticProgram(P, q, G, h, [d], [1])


@settings(deadline=None, max_examples=50)
@given(exponents, exponents, st.sampled_from([1e-9, 1.0, 1e9]))
def test_entries_become_of_order_one(columns, rows, objective):
    problem = problem_in_units(columns, rows, objective)
    scaled = in_units(problem, natural_units(problem))
    assert 0.1 < np.abs(scaled.P).max() <= 10
    assert 0.1 < np.abs(scaled.q).max() <= 10
    for part in (scaled.G, scaled.A):
        sizes = largest(part, 1)
        assert sizes.min() > 0.3 and sizes.max() < 3


@settings(deadline=None, max_examples=30)
@given(exponents, exponents)
def test_scaling_keeps_values_and_slacks(columns, rows):
    problem = problem_in_units(columns, rows, 1.0)
    units = natural_units(problem)
    scaled = in_units(problem, units)
    hat = np.array([0.3, -1.0, 2.0])
    x = units.variable * hat
    value = hat @ scaled.P @ hat / 2 + scaled.q @ hat
    assert value == pytest.approx(units.objective * problem.objective(x), rel=1e-9)
    slack = units.inequality * (problem.h - problem.G @ x)
    np.testing.assert_allclose(scaled.h - scaled.G @ hat, slack, atol=1e-9 * (1 + np.abs(scaled.h).max()))


@pytest.mark.parametrize(
    "problem",
    [
        QuadraticProgram([[0]], [0]),
        QuadraticProgram([[0]], [0], [[0]], [0], [[0]], [0]),
        QuadraticProgram([[1e-300]], [1e-300]),
        QuadraticProgram([[1]], [0], [[1e-300]], [-1]),
        QuadraticProgram([[1]], [1], [[1]], [1e99]),
    ],
)
def test_units_are_finite_and_positive_for_any_data(problem):
    units = natural_units(problem)
    for unit in units:
        assert np.isfinite(unit).all() and (np.asarray(unit) > 0).all()


def test_a_bound_that_stands_for_infinity_does_not_set_the_unit():
    plain = natural_units(QuadraticProgram([[1]], [1]))
    bounded = natural_units(QuadraticProgram([[1]], [1], [[1]], [1e20]))
    np.testing.assert_array_equal(bounded.variable, plain.variable)


def test_sparse_stays_sparse_and_scales_alike():
    n = 110
    box, h = box_constraints(-np.arange(1.0, n + 1), np.arange(1.0, n + 1))
    q = np.ones(n)
    from_sparse = QuadraticProgram(np.eye(n), q, box, h)
    from_dense = QuadraticProgram(np.eye(n), q, box.toarray(), h)
    units = natural_units(from_sparse)
    for ours, theirs in zip(units, natural_units(from_dense)):
        np.testing.assert_array_equal(ours, theirs)
    scaled = in_units(from_sparse, units)
    assert sparse.issparse(scaled.G)
    np.testing.assert_allclose(scaled.G.toarray(), in_units(from_dense, units).G)


def test_largest_entry_of_rows_and_columns():
    array = np.array([[1.0, -5.0], [0.0, 2.0]])
    for kind in (np.array, sparse.csr_array):
        np.testing.assert_array_equal(largest(kind(array), 0), [1, 5])
        np.testing.assert_array_equal(largest(kind(array), 1), [5, 2])
    np.testing.assert_array_equal(largest(np.zeros((0, 2)), 0), [0, 0])
