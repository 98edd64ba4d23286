"""Our Gaussian process regressor against scikit-learn's: predictions, likelihood, gradient, learned parameters."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor as PeerRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    WhiteKernel,
)

from mlcore.gaussian_process import GaussianProcessRegressor, log_marginal_likelihood, posterior_samples
from mlcore.kernels import Gaussian, Linear, Periodic, QuasiPeriodic

# ours, scikit-learn's, and the names of ours in the order of scikit-learn's hyperparameters; theirs may take the sine
# of the distance for the periodic kernel, so that it is compared in one dimension only, where both agree
KERNELS = {
    "gaussian": (Gaussian(0.8), RBF(0.8), ["width"]),
    "height": (2.5 * Gaussian(1.7), ConstantKernel(2.5) * RBF(1.7), ["left.value", "right.width"]),
    "periodic": (Periodic(1.3, 2.1), ExpSineSquared(1.3, 2.1), ["width", "period"]),
    "quasi-periodic": (
        QuasiPeriodic(0.9, 3.0, 4.0),
        ExpSineSquared(0.9, 3.0) * RBF(4.0),
        ["width", "period", "decay"],
    ),
    "sum": (
        0.7 * Gaussian(0.5) + 1.5 * Gaussian(3.0),
        ConstantKernel(0.7) * RBF(0.5) + ConstantKernel(1.5) * RBF(3.0),
        ["left.left.value", "left.right.width", "right.left.value", "right.right.width"],
    ),
    "linear trend": (
        0.3 * Linear() + 1.2 * Periodic(1.0, 2.5),
        ConstantKernel(0.3) * DotProduct(sigma_0=0.0, sigma_0_bounds="fixed")
        + ConstantKernel(1.2) * ExpSineSquared(1.0, 2.5),
        ["left.left.value", "right.left.value", "right.right.width", "right.right.period"],
    ),
    "product of sums": (
        (Gaussian(1.1) + 0.4) * Gaussian(2.0),
        (RBF(1.1) + ConstantKernel(0.4)) * RBF(2.0),
        ["left.left.width", "left.right.value", "right.width"],
    ),
}
IN_MANY_DIMENSIONS = ["gaussian", "height", "sum", "product of sums"]
CASES = [(name, 1) for name in KERNELS] + [(name, 3) for name in IN_MANY_DIMENSIONS]


def data(n=40, d=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, d))
    return X, np.sin(2 * X[:, 0]) + X.sum(axis=1) / 3 + 0.3 * rng.normal(size=n), rng.uniform(-5, 5, size=(30, d))


@pytest.mark.parametrize("noise", [1e-3, 0.1, 2.0])
@pytest.mark.parametrize(("name", "d"), CASES)
def test_predictions_and_likelihood_with_given_parameters(name, d, noise):
    ours, theirs, _ = KERNELS[name]
    X, y, X_new = data(d=d)
    process = GaussianProcessRegressor(ours, noise, optimize=False).fit(X, y)
    peer = PeerRegressor(theirs, alpha=noise, optimizer=None).fit(X, y)
    mean, std = process.predict(X_new, return_std=True)
    their_mean, their_std = peer.predict(X_new, return_std=True)
    np.testing.assert_allclose(mean, their_mean, atol=1e-8)
    np.testing.assert_allclose(std, their_std, atol=1e-8)
    covariance, their_covariance = (machine.predict(X_new, return_cov=True)[1] for machine in (process, peer))
    np.testing.assert_allclose(covariance, their_covariance, atol=1e-8)
    assert process.log_marginal_likelihood_ == pytest.approx(peer.log_marginal_likelihood_value_, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(("name", "d"), CASES)
def test_gradient_of_the_likelihood(name, d):
    ours, theirs, names = KERNELS[name]
    X, y, _ = data(d=d)
    peer = PeerRegressor(theirs + WhiteKernel(0.1), alpha=0.0, optimizer=None).fit(X, y)
    value, by_logarithm = peer.log_marginal_likelihood(peer.kernel_.theta, eval_gradient=True)
    found = log_marginal_likelihood(ours, 0.1, X, y, gradient=True)
    parameters = ours.parameters | {"noise": 0.1}
    assert sorted(found.gradient) == sorted([*names, "noise"])
    assert found.value == pytest.approx(value, rel=1e-8, abs=1e-8)
    slopes = [found.gradient[key] * parameters[key] for key in [*names, "noise"]]  # ∂/∂ log θ = θ ∂/∂θ
    np.testing.assert_allclose(slopes, by_logarithm, rtol=1e-8, atol=1e-8)


def test_scaled_output():
    X, y, X_new = data()
    y = 300 + 40 * y
    process = GaussianProcessRegressor(Gaussian(0.8), 0.1, optimize=False, scale_output=True).fit(X, y)
    peer = PeerRegressor(RBF(0.8), alpha=0.1, optimizer=None, normalize_y=True).fit(X, y)
    for ours, theirs in (
        (process.predict(X_new, return_std=True), peer.predict(X_new, return_std=True)),
        (process.predict(X_new, return_cov=True), peer.predict(X_new, return_cov=True)),
    ):
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-8)
        np.testing.assert_allclose(ours[1], theirs[1], atol=1e-8 * 40**2)
    # theirs is the density of the scaled numbers, ours that of y
    unscaled = process.log_marginal_likelihood_ + len(y) * np.log(y.std())
    assert unscaled == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-8)


def test_noise_of_new_observations():
    X, y, X_new = data()
    process = GaussianProcessRegressor(Gaussian(0.8), 0.3, optimize=False).fit(X, y)
    peer = PeerRegressor(RBF(0.8) + WhiteKernel(0.3), alpha=0.0, optimizer=None).fit(X, y)
    std = process.predict(X_new, return_std=True, with_noise=True)[1]
    np.testing.assert_allclose(std, peer.predict(X_new, return_std=True)[1], atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["height", "sum"])
def test_learning_from_the_same_start_gets_as_high(name, seed):
    ours, theirs, _ = KERNELS[name]
    X, y, _ = data(seed=seed)
    bounds = (0.01, 100.0)
    theirs = clone(theirs).set_params(**{f"{each.name}_bounds": bounds for each in theirs.hyperparameters})
    process = GaussianProcessRegressor(ours, 0.1, bounds=bounds, restarts=2, random_state=seed).fit(X, y)
    peer = PeerRegressor(theirs + WhiteKernel(0.1, bounds), alpha=0.0, n_restarts_optimizer=2, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs warns of parameters at their bounds
        peer.fit(X, y)
    assert process.log_marginal_likelihood_ > peer.log_marginal_likelihood_value_ - 1e-4


def test_samples_have_the_distribution_of_theirs():
    X, y, X_new = data()
    peer = PeerRegressor(RBF(0.8), alpha=0.1, optimizer=None).fit(X, y)
    theirs = peer.sample_y(X_new[:4], 20_000, random_state=0).T
    ours = posterior_samples(Gaussian(0.8), 0.1, X, y, X_new[:4], 20_000, random_state=0)
    np.testing.assert_allclose(ours.mean(axis=0), theirs.mean(axis=0), atol=0.04)
    np.testing.assert_allclose(np.cov(ours.T), np.cov(theirs.T), atol=0.04)
