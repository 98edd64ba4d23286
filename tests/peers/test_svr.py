"""Our support vector regressor against scikit-learn's `SVR` (LIBSVM) and `LinearSVR` (LIBLINEAR), run tightly."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVR, LinearSVR

from mlcore.kernels import Gaussian, Linear, Polynomial
from mlcore.optimize import Status
from mlcore.svm import SupportVectorRegressor
from mlcore.svm._epsilon_svr import svr_solution

KERNELS = {
    "linear": (Linear(), {"kernel": "linear"}),
    "quadratic": (Polynomial(degree=2, offset=1.0), {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1}),
    "cubic": (Polynomial(degree=3, offset=0.5), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 0.5}),
    "narrow": (Gaussian(width=0.4), {"kernel": "rbf", "gamma": 1 / (2 * 0.4**2)}),
    "wide": (Gaussian(width=1.5), {"kernel": "rbf", "gamma": 1 / (2 * 1.5**2)}),
}
SETTINGS = [(0.01, 0.1), (1.0, 0.0), (1.0, 0.1), (1.0, 0.5), (20.0, 0.2)]


def random_data(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(15, 50)), int(rng.integers(1, 4))
    X = rng.uniform(-1, 1, size=(n, d))
    return X, np.sin(3 * X[:, 0]) + X.sum(axis=1) + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("C", "epsilon"), SETTINGS)
@pytest.mark.parametrize("name", KERNELS)
def test_random_problems(name, C, epsilon, seed):  # 100 of them
    (ours, theirs), (X, y) = KERNELS[name], random_data(seed)
    machine = SupportVectorRegressor(ours, C=C, epsilon=epsilon).fit(X, y)
    peer = SVR(**theirs, C=C, epsilon=epsilon, tol=1e-8).fit(X, y)
    beta = np.zeros(len(y))
    beta[peer.support_] = peer.dual_coef_[0]
    theirs_judged = svr_solution(beta, ours(X), y, C, epsilon).certificate
    assert theirs_judged.residual < 1e-4
    assert machine.certificate_.residual < 1e-8
    assert machine.certificate_.dual_value == pytest.approx(theirs_judged.dual_value, rel=1e-6)
    fresh = np.vstack([X, X + 0.2])
    expected = peer.predict(fresh)
    difference = machine.predict(fresh) - expected
    if not ((beta != 0) & (np.abs(beta) < C)).any():
        difference -= difference.mean()  # the offset may be anywhere in an interval
    np.testing.assert_allclose(difference, 0, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("C", [1e-3, 1e2, 1e4])
def test_small_and_large_prices_of_slack(C):
    for seed in range(3):
        X, y = random_data(seed)
        machine = SupportVectorRegressor(Gaussian(0.7), C=C, epsilon=0.3).fit(X, y)
        peer = SVR(kernel="rbf", gamma=1 / (2 * 0.7**2), C=C, epsilon=0.3, tol=1e-8).fit(X, y)
        beta = np.zeros(len(y))
        beta[peer.support_] = peer.dual_coef_[0]
        theirs_judged = svr_solution(beta, Gaussian(0.7)(X), y, C, 0.3).certificate
        assert machine.certificate_.dual_value == pytest.approx(theirs_judged.dual_value, rel=1e-5)
        assert machine.certificate_.dual_value >= theirs_judged.dual_value * (1 - 1e-9)
        assert machine.certificate_.residual < 1e-8


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_quadratic_penalty(C, epsilon):
    # LIBLINEAR minimises ½‖w‖² + C Σ max(0, |y − f| − ε)², which is our C/2, and penalises the offset like a slope;
    # a constant feature of 10⁴ makes that penalty small.
    X, y = random_data(1)
    machine = SupportVectorRegressor(C=2 * C, epsilon=epsilon, loss="l2").fit(X, y)
    peer = LinearSVR(
        C=C,
        epsilon=epsilon,
        loss="squared_epsilon_insensitive",
        dual=False,
        intercept_scaling=1e4,
        tol=1e-12,
        max_iter=100_000,
    )
    peer.fit(X, y)
    np.testing.assert_allclose(machine.predict(X), peer.predict(X), atol=1e-4 * np.abs(y).max())


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e2, 1e4, 1e6])
@pytest.mark.parametrize("name", KERNELS)
def test_sequential_minimal_optimisation(name, C):  # 75 problems
    """Primal, dual, SMO and LIBSVM agree, as far as the gap of each allows."""
    ours, theirs = KERNELS[name]
    for seed, epsilon in ((0, 0.0), (1, 0.1), (2, 0.4)):
        X, y = random_data(seed)
        X, y = np.vstack([X, X[:5]]), np.append(y, y[:5] + 0.3)  # copies with another target
        K = ours(X)
        dual = SupportVectorRegressor(ours, C=C, epsilon=epsilon).fit(X, y)
        best = dual.certificate_.dual_value
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine = SupportVectorRegressor(ours, C=C, epsilon=epsilon, solver="smo").fit(X, y)
            peer = SVR(**theirs, C=C, epsilon=epsilon, tol=1e-6, max_iter=2_000_000).fit(X, y)
        if C <= 100:
            assert machine.status_ is Status.OPTIMAL
            assert machine.certificate_.dual_value == pytest.approx(best, rel=1e-9)
            free = ((dual.coefficients_ != 0) & (np.abs(dual.coefficients_) < C)).any()
            assert free == (C >= 1)
            if free:  # else b is not unique
                np.testing.assert_allclose(machine.predict(X), dual.predict(X), atol=1e-9 * np.abs(y).max())
        elif machine.status_ is Status.OPTIMAL:  # the last digits would take too many steps
            assert machine.certificate_.dual_value == pytest.approx(best, rel=machine.tol)
        else:
            assert (machine.status_, machine.n_iter_) == (Status.ITERATION_LIMIT, machine.max_iter)
        if name == "linear":
            primal = SupportVectorRegressor(C=C, epsilon=epsilon, solver="primal").fit(X, y)
            assert primal.certificate_.dual_value == pytest.approx(best, rel=1e-5)
        beta = np.zeros(len(y))
        beta[peer.support_] = peer.dual_coef_[0]
        for weights in (beta, machine.coefficients_):
            certificate = svr_solution(weights, K, y, C, epsilon).certificate
            assert certificate.dual_value <= best + 1e-8 * abs(best)
            far = np.sqrt(K.diagonal() * 2 * (certificate.gap + 1e-8 * abs(best)))
            assert (np.abs(K @ (weights - dual.coefficients_)) <= far + 1e-9).all()


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("name", KERNELS)
def test_sequential_minimal_optimisation_of_the_quadratic_penalty(name, C, epsilon):
    X, y = random_data(3)
    kernel = KERNELS[name][0]
    machine, dual = (
        SupportVectorRegressor(kernel, C=C, epsilon=epsilon, loss="l2", solver=solver).fit(X, y)
        for solver in ("smo", "dual")
    )
    assert machine.certificate_.dual_value == pytest.approx(dual.certificate_.dual_value, rel=1e-5)
    np.testing.assert_allclose(machine.predict(X), dual.predict(X), atol=1e-5 * np.abs(y).max())
