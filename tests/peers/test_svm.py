"""Our support vector classifier against scikit-learn's `SVC` (LIBSVM), run to a tight tolerance."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from mlcore.datasets import iris_pair, moons, two_clouds
from mlcore.kernels import Gaussian, Linear, Polynomial
from mlcore.svm import SupportVectorClassifier

KERNELS = {
    "linear": (Linear(), {"kernel": "linear"}),
    "quadratic": (Polynomial(degree=2, offset=1.0), {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1}),
    "cubic": (Polynomial(degree=3, offset=0.5), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 0.5}),
    "narrow": (Gaussian(width=0.4), {"kernel": "rbf", "gamma": 1 / (2 * 0.4**2)}),
    "wide": (Gaussian(width=2.0), {"kernel": "rbf", "gamma": 1 / (2 * 2.0**2)}),
}
DATA = {
    "overlapping clouds": two_clouds(n=60, distance=1.5, seed=2),
    "distant clouds": two_clouds(n=50, distance=6.0, seed=3),
    "moons": moons(n=60, noise=0.2, seed=1),
    "iris": iris_pair(("versicolor", "virginica"), ("petal length", "petal width"))[:2],
}


@pytest.fixture(params=KERNELS, ids=str)
def kernels(request):
    return KERNELS[request.param]


def objective(alpha, K, y):
    return alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2


def multipliers(peer, n):
    alpha = np.zeros(n)
    alpha[peer.support_] = np.abs(peer.dual_coef_[0])
    return alpha


def plane_is_unique(machine):
    return ((machine.alpha_ > 0) & (machine.alpha_ < machine.C)).any()


@pytest.mark.parametrize("C", [1e-2, 1.0, 30.0, 1e3])
@pytest.mark.parametrize("data", DATA, ids=str)
def test_two_classes(data, kernels, C):
    (X, y), (ours, theirs) = DATA[data], kernels
    machine = SupportVectorClassifier(ours, C=C).fit(X, y)
    peer = SVC(**theirs, C=C, tol=1e-9).fit(X, y)
    K = ours(X)
    best = objective(multipliers(peer, len(X)), K, y)
    assert objective(machine.alpha_, K, y) == pytest.approx(best, rel=1e-7)
    assert machine.certificate_.dual_value == pytest.approx(best, rel=1e-7)
    # With no multiplier between the bounds, b may be anywhere in an interval; LIBSVM takes the middle too.
    fresh = np.vstack([X, X + 0.3])
    expected = peer.decision_function(fresh)
    np.testing.assert_allclose(
        machine.decision_function(fresh), expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max()
    )


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize("data", DATA, ids=str)
def test_primal(data, C):
    X, y = DATA[data]
    machine = SupportVectorClassifier(C=C, solver="primal").fit(X, y)
    peer = SVC(kernel="linear", C=C, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(machine.w_, peer.coef_[0], rtol=1e-5, atol=1e-6)
    assert machine.b_ == pytest.approx(peer.intercept_[0], rel=1e-5)
    assert machine.support_.tolist() == peer.support_.tolist()


def test_hard_margin_is_the_limit_of_large_C():
    X, y = DATA["distant clouds"]
    machine = SupportVectorClassifier(C=np.inf).fit(X, y)
    peer = SVC(kernel="linear", C=1e6, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(machine.w_, peer.coef_[0], rtol=1e-5)
    assert machine.support_.tolist() == peer.support_.tolist()


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e3])
def test_three_classes(kernels, C):
    ours, theirs = kernels
    X, y = load_iris(return_X_y=True)
    X, y = X[::2, 2:], y[::2]
    machine = SupportVectorClassifier(ours, C=C).fit(X, y)
    peer = SVC(**theirs, C=C, tol=1e-9, break_ties=True).fit(X, y)
    fresh = np.vstack([X, X + 0.1])
    decision = machine.decision_function(fresh)
    np.testing.assert_allclose(decision, peer.decision_function(fresh), atol=1e-5)
    margin = np.diff(np.sort(decision, axis=1)[:, -2:]).ravel()
    clear = margin > 1e-4
    assert (machine.predict(fresh) == peer.predict(fresh))[clear].all()


def test_pairs_of_classes():
    X, y = load_iris(return_X_y=True)
    machine = SupportVectorClassifier(C=1.0).fit(X, y)
    peer = SVC(kernel="linear", C=1.0, tol=1e-9, decision_function_shape="ovo").fit(X, y)
    for pair, (each, coefficients) in enumerate(zip(machine.machines_, peer.coef_)):
        # With several classes, scikit-learn counts the first class of a pair as the positive one.
        np.testing.assert_allclose(each.w_, -coefficients, rtol=1e-5, atol=1e-7)
        assert each.b_ == pytest.approx(-peer.intercept_[pair], rel=1e-5)
