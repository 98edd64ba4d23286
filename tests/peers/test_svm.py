"""Our support vector classifier against scikit-learn's `SVC` (LIBSVM), run to a tight tolerance."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from mlcore.datasets import iris_pair, moons, two_clouds
from mlcore.kernels import Gaussian, Linear, Polynomial
from mlcore.svm import SupportVectorClassifier, margin_solution

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
DATA["iris"] = (StandardScaler().fit_transform(DATA["iris"][0]), DATA["iris"][1])


@pytest.fixture(params=KERNELS, ids=str)
def kernels(request):
    return KERNELS[request.param]


def judged(peer, K, y, C):
    """The peer's multipliers, judged by our certificate."""
    alpha = np.zeros(len(y))
    alpha[peer.support_] = np.abs(peer.dual_coef_[0])
    return margin_solution(alpha, K, y, C)


def assert_close(actual, expected, peer_residual):
    # LIBSVM keeps the kernel in single precision, so its own residual limits what can be compared.
    tolerance = max(1e-5, 20 * peer_residual) * np.abs(expected).max()
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("C", [1e-2, 1.0, 30.0, 1e3])
@pytest.mark.parametrize("data", DATA, ids=str)
def test_two_classes(data, kernels, C):
    (X, y), (ours, theirs) = DATA[data], kernels
    machine = SupportVectorClassifier(ours, C=C).fit(X, y)
    peer = SVC(**theirs, C=C, tol=1e-7).fit(X, y)
    theirs_judged = judged(peer, ours(X), y, C).certificate
    assert theirs_judged.residual < 1e-2
    assert machine.certificate_.residual < 1e-9
    assert machine.certificate_.dual_value == pytest.approx(theirs_judged.dual_value, rel=1e-6)
    assert machine.certificate_.dual_value >= theirs_judged.dual_value * (1 - 1e-12)
    # With no multiplier between the bounds, b may be anywhere in an interval; LIBSVM takes the middle too.
    fresh = np.vstack([X, X + 0.3])
    assert_close(machine.decision_function(fresh), peer.decision_function(fresh), theirs_judged.residual)


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize("data", DATA, ids=str)
def test_primal(data, C):
    X, y = DATA[data]
    machine = SupportVectorClassifier(C=C, solver="primal").fit(X, y)
    peer = SVC(kernel="linear", C=C, tol=1e-7).fit(X, y)
    residual = judged(peer, X @ X.T, y, C).certificate.residual
    theirs = np.append(peer.coef_[0], peer.intercept_)
    assert_close(np.append(machine.w_, machine.b_), theirs, residual)
    assert machine.support_.tolist() == sorted(peer.support_)


def test_hard_margin_is_the_limit_of_large_C():
    X, y = DATA["distant clouds"]
    machine = SupportVectorClassifier(C=np.inf).fit(X, y)
    peer = SVC(kernel="linear", C=1e6, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(machine.w_, peer.coef_[0], rtol=1e-5)
    assert machine.support_.tolist() == sorted(peer.support_)


@pytest.mark.parametrize("C", [1e-2, 1.0, 30.0])
def test_three_classes(kernels, C):
    ours, theirs = kernels
    X, y = load_iris(return_X_y=True)
    X, y = StandardScaler().fit_transform(X)[::2], y[::2]
    machine = SupportVectorClassifier(ours, C=C).fit(X, y)
    peer = SVC(**theirs, C=C, tol=1e-7, break_ties=True).fit(X, y)
    fresh = np.vstack([X, X + 0.1])
    decision = machine.decision_function(fresh)
    np.testing.assert_allclose(decision, peer.decision_function(fresh), atol=1e-4)
    assert (machine.predict(fresh) == peer.predict(fresh)).all()


def test_pairs_of_classes():
    X, y = load_iris(return_X_y=True)
    machine = SupportVectorClassifier(C=1.0).fit(X, y)
    peer = SVC(kernel="linear", C=1.0, tol=1e-7, decision_function_shape="ovo").fit(X, y)
    for each, w, b in zip(machine.machines_, peer.coef_, peer.intercept_):
        # With several classes, scikit-learn counts the first class of a pair as the positive one.
        np.testing.assert_allclose(each.w_, -w, atol=1e-4)
        assert each.b_ == pytest.approx(-b, rel=1e-4)
