"""The tube by sequential minimal optimisation: the same machine as that of the quadratic program."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.errors import NotAKernel
from mlcore.kernels import Gaussian, GramRows, Linear, Polynomial
from mlcore.optimize import Status
from mlcore.svm import solve_svr_dual, solve_svr_smo


@given(
    st.integers(0, 9999),
    st.integers(1, 30),
    st.sampled_from([1e-2, 1.0, 10.0]),
    st.sampled_from([0.0, 0.1, 5.0]),
    st.sampled_from(["l1", "l2"]),
    st.sampled_from([Linear(), Gaussian(0.6), Polynomial(2, 1.0)]),
    st.sampled_from([1.0, 1e-4, 1e4]),
)
@settings(deadline=None, max_examples=80)
def test_the_machine_of_the_quadratic_program(seed, n, C, epsilon, loss, kernel, unit):
    """In any unit of y: C and ε change with it, and tol is relative."""
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(n, 2)), random.normal(size=n)
    X = X.round() if seed % 2 else X
    K = kernel(X)
    y, epsilon = unit * y + 7, unit * epsilon
    price = unit * C if loss == "l1" else C
    dual = solve_svr_dual(K, y, price, epsilon, loss)
    size = np.ptp(y) or 1.0
    for gram in (K, GramRows(kernel, X)):
        solution = solve_svr_smo(gram, y, price, epsilon, loss)
        assert solution.status is Status.OPTIMAL
        expected = dual.certificate.dual_value
        assert solution.certificate.dual_value == pytest.approx(expected, rel=1e-6, abs=1e-12 * size**2)
        np.testing.assert_allclose(solution.fitted - solution.b, dual.fitted - dual.b, atol=1e-5 * size)
        assert abs(solution.coefficients.sum()) <= 1e-9 * (1 + np.abs(solution.coefficients).max())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(K=np.ones((2, 3))), "^K: expected"),
        (dict(y=[1.0]), "^y: expected shape"),
        (dict(C=np.inf), "^C: expected a finite number"),
        (dict(C=0), "^C: expected"),
        (dict(epsilon=-1), "^epsilon: expected"),
        (dict(loss="huber"), "^loss: expected"),
        (dict(tol=0), "^tol: expected"),
        (dict(max_iter=0), "^max_iter: expected"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve_svr_smo(**(dict(K=np.eye(2), y=[1.0, 2.0], C=1.0) | arguments))


def test_a_matrix_that_is_no_kernel_is_named():
    with pytest.raises(NotAKernel, match="eigenvalue -1"):
        solve_svr_smo([[1.0, 2.0], [2.0, 1.0]], [1.0, 2.0])


@pytest.mark.parametrize("loss", ["l1", "l2"])
def test_the_coefficients_of_a_neighbouring_tube_save_updates(loss):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 1)), random.normal(size=60)
    K = Gaussian(0.6)(X)
    near = solve_svr_smo(K, y, 1.0, 0.2, loss)
    cold, warm = solve_svr_smo(K, y, 1.0, 0.21, loss), solve_svr_smo(K, y, 1.0, 0.21, loss, beta=near.coefficients)
    assert warm.iterations < 0.8 * cold.iterations
    np.testing.assert_allclose(warm.coefficients, cold.coefficients, atol=1e-6)


def test_coefficients_of_a_wrong_shape_are_refused():
    with pytest.raises(ValueError, match="^beta: expected shape"):
        solve_svr_smo(np.eye(3), [0, 1, 2], 1.0, 0.1, beta=np.zeros(2))
