"""The margin by sequential minimal optimisation: the same machine as that of the quadratic program."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.errors import NotAKernel
from mlcore.kernels import Gaussian, GramRows, Linear, Polynomial, RowStore
from mlcore.optimize import Certificate, Status
from mlcore.svm import solve_dual, solve_smo, within
from mlcore.svm._solvers import check_kernel


def noisy(n, seed=0):
    random = np.random.default_rng(seed)
    y = np.where(random.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    return random.normal(size=(n, 2)) + y[:, None] / 2, y


@given(
    st.integers(0, 9999),
    st.integers(2, 40),
    st.sampled_from([1e-2, 1.0, 30.0]),
    st.sampled_from([Linear(), Gaussian(0.6), Polynomial(2, 1.0)]),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_the_machine_of_the_quadratic_program(seed, n, C, kernel, on_a_grid):
    X, y = noisy(n, seed)
    X = X.round() if on_a_grid else X
    K = kernel(X)
    dual = solve_dual(K, y, C)
    for gram in (K, GramRows(kernel, X)):
        solution = solve_smo(gram, y, C)
        assert solution.status is Status.OPTIMAL
        assert solution.certificate.dual_value == pytest.approx(dual.certificate.dual_value, rel=1e-6)
        np.testing.assert_allclose(solution.margins, dual.margins, atol=1e-5 * (1 + np.abs(dual.margins).max()))
        assert solution.iterations >= 1


def test_the_limit_of_pair_updates_covers_all_rounds():
    X, y = noisy(100)
    for limit in (1, 10, 200):
        assert solve_smo(Gaussian(0.5)(X), y, 100.0, max_iter=limit).iterations <= limit


def test_blocks_of_a_matrix_that_is_no_kernel():
    gram = RowStore.of_matrix(np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert check_kernel(gram, np.array([0, 2]))
    assert not check_kernel(gram, np.array([0, 1]), allow_indefinite=True)
    with pytest.raises(NotAKernel, match="eigenvalue -1"):
        check_kernel(gram, np.arange(3))


@pytest.mark.parametrize(
    ("gap", "residual", "expected"),
    [(0.1, 0.01, True), (0.11, 0.01, False), (0.1, 0.02, False), (0.0, 0.0, True)],
)
def test_both_gap_and_residual_must_be_within(gap, residual, expected):
    assert within(Certificate(10.0, 10.0 - gap, gap, residual), 0.01) is expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(K=np.ones((2, 3))), "^K: expected"),
        (dict(y=[1, 1]), "^y: expected labels"),
        (dict(C=np.inf), "^C: expected a finite number"),
        (dict(C=0), "^C: expected"),
        (dict(tol=-1), "^tol: expected"),
        (dict(max_iter=0), "^max_iter: expected"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve_smo(**(dict(K=np.eye(2), y=[1, -1], C=1.0) | arguments))


def test_the_multipliers_of_a_neighbouring_penalty_save_updates():
    X, y = noisy(80)
    K = Gaussian(0.6)(X)
    near = solve_smo(K, y, 1.0)
    cold, warm = solve_smo(K, y, 1.1), solve_smo(K, y, 1.1, alpha=near.alpha)
    assert warm.iterations < 0.8 * cold.iterations
    np.testing.assert_allclose(warm.alpha, cold.alpha, atol=1e-7)
    assert solve_smo(K, y, 1.0, alpha=near.alpha).iterations == 0


def test_multipliers_of_a_wrong_shape_are_refused():
    X, y = noisy(10)
    with pytest.raises(ValueError, match="^alpha: expected shape"):
        solve_smo(X @ X.T, y, 1.0, alpha=np.zeros(9))
