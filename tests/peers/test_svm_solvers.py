"""Four ways to one machine, on random problems: primal, dual, sequential minimal optimisation and LIBSVM."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from mlcore.kernels import AllSubsets, Constant, Gaussian, Linear, Periodic, Polynomial, QuasiPeriodic
from mlcore.optimize import Status
from mlcore.svm import SupportVectorClassifier, margin_solution

KERNELS = {
    "linear": Linear(),
    "quadratic": Polynomial(degree=2, offset=1.0),
    "cubic": Polynomial(degree=3, offset=0.5),
    "homogeneous": Polynomial(degree=2, offset=0.0),
    "narrow": Gaussian(width=0.4),
    "wide": Gaussian(width=3.0),
    "periodic": Periodic(),
    "quasi-periodic": QuasiPeriodic(),
    "all subsets": AllSubsets(),
    "sum": Gaussian(width=1.0) + 0.1 * Linear() + Constant(2.0),
    "product": Gaussian(width=1.0) * Polynomial(degree=2, offset=1.0),
}
PRICES = [1e-3, 1e-1, 1.0, 10.0, 1e2, 1e4, 1e6]
SHAPES = ["overlapping", "separable", "copies", "unbalanced"]
PEER_STEPS = 2_000_000  # LIBSVM too needs very many with large C


def random_problem(shape, seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(12, 36)), int(rng.integers(1, 4))
    share = 0.1 if shape == "unbalanced" else 0.5
    y = np.where(rng.random(n) < share, 1.0, -1.0)
    y[:2] = 1, -1
    X = rng.normal(size=(n, d)) + y[:, None] * (3.0 if shape == "separable" else 0.5)
    if shape == "copies":
        X = X.round()
        X, y = np.vstack([X, X[: n // 2]]), np.append(y, y[: n // 2])
    return X - X.mean(axis=0), y


def peer(K, y, C):
    """LIBSVM's multipliers and offset, judged by our certificate."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine = SVC(C=C, kernel="precomputed", tol=1e-6, max_iter=PEER_STEPS).fit(K, y)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    return beta, machine.intercept_[0], margin_solution(beta * y, K, y, C).certificate


def fitted(X, y, kernel, C, solver):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return SupportVectorClassifier(kernel, C, solver).fit(X, y)


def assert_within_its_gap(certificate, f_without_b, best, values, K):
    """A point whose objective misses the optimum by g has a w within √2g of the optimal one."""
    assert certificate.dual_value <= best * (1 + 1e-9)
    assert certificate.dual_value >= best - certificate.gap - 1e-9 * best
    far = np.sqrt(K.diagonal() * 2 * (certificate.gap + 1e-9 * best))
    assert (np.abs(f_without_b - values) <= far + 1e-9).all()


def compare(name, C, shape, seed):
    """Check that all agree as far as their gaps allow; return which of SMO and LIBSVM reached the optimum."""
    kernel, (X, y) = KERNELS[name], random_problem(shape, seed)
    K = kernel(X)
    dual = fitted(X, y, kernel, C, "dual")
    assert dual.status_ is Status.OPTIMAL
    best, values = dual.certificate_.dual_value, K @ (dual.alpha_ * y)
    size = np.abs(values).max() + 1
    reached = {}
    for solver in ("primal", "smo") if name == "linear" else ("smo",):
        machine = fitted(X, y, kernel, C, solver)
        certificate = machine.certificate_
        assert_within_its_gap(certificate, K @ (machine.alpha_ * y), best, values, K)
        if reached.setdefault(solver, machine.status_ is Status.OPTIMAL):
            assert certificate.dual_value == pytest.approx(best, rel=1e-5)
            if certificate.residual < 1e-8:
                np.testing.assert_allclose(machine.decision_function(X), dual.decision_function(X), atol=1e-5 * size)
        else:
            assert machine.status_ is Status.ITERATION_LIMIT
            assert machine.n_iter_ == machine.max_iter
    beta, intercept, certificate = peer(K, y, C)
    assert_within_its_gap(certificate, K @ beta, best, values, K)
    if converged := certificate.gap <= 1e-5 * best:
        assert certificate.dual_value == pytest.approx(best, rel=1e-5)
        if ((dual.alpha_ > 0) & (dual.alpha_ < C)).any():  # else b is not unique
            far = np.sqrt(K.diagonal() * 2 * certificate.gap).max()
            np.testing.assert_allclose(K @ beta + intercept, dual.decision_function(X), atol=1e-4 * size + 2 * far)
    assert reached.get("primal", True)
    return reached["smo"], converged


@pytest.mark.parametrize("C", PRICES)
@pytest.mark.parametrize("name", KERNELS)
def test_random_problems(name, C):  # 308 of them
    outcomes = [compare(name, C, shape, seed) for seed, shape in enumerate(SHAPES)]
    found, converged = np.mean(outcomes, axis=0)
    if C <= 100:
        assert found == 1
    else:
        assert found >= converged
