"""Our Bayesian linear regression against scikit-learn's `Ridge`, `BayesianRidge` and `GaussianProcessRegressor`."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import DotProduct
from sklearn.linear_model import BayesianRidge, Ridge

from mlcore.kernels import Linear
from mlcore.linear_model import BayesianLinearRegressor, posterior


def random_data(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(6, 40)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    return X, 2 + X @ rng.normal(size=d) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_the_mean_is_ridge_regression(seed, fit_intercept):
    X, y = random_data(seed)
    rng = np.random.default_rng(seed)
    prior, noise = rng.uniform(0.01, 10), rng.uniform(0.01, 2)
    ours = BayesianLinearRegressor(prior, noise, fit_intercept).fit(X, y)
    peer = Ridge(alpha=noise / prior, fit_intercept=fit_intercept, solver="svd").fit(X, y)
    assert ours.coef_ == pytest.approx(peer.coef_, abs=1e-8)
    assert ours.intercept_ == pytest.approx(peer.intercept_, abs=1e-8)
    assert ours.predict(X + 1) == pytest.approx(peer.predict(X + 1), abs=1e-8)


def fixed(prior, noise, fit_intercept):
    """Return scikit-learn's model with both hyperparameters held (almost) where they are by their priors."""
    firm = 1e16
    return BayesianRidge(
        alpha_1=firm / noise, alpha_2=firm, lambda_1=firm / prior, lambda_2=firm, fit_intercept=fit_intercept
    )


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_bayesian_ridge_with_fixed_hyperparameters(seed, fit_intercept):
    X, y = random_data(seed)
    prior, noise = 0.7, 0.3
    peer = fixed(prior, noise, fit_intercept).fit(X, y)
    ours = BayesianLinearRegressor(prior, noise, fit_intercept).fit(X, y)
    assert ours.coef_ == pytest.approx(peer.coef_, abs=1e-8)
    assert ours.covariance_ == pytest.approx(peer.sigma_, abs=1e-8)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_bayesian_ridge_with_learned_hyperparameters(seed, fit_intercept):
    X, y = random_data(seed)
    flat = dict(alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0)
    peer = BayesianRidge(**flat, tol=1e-13, max_iter=10_000, fit_intercept=fit_intercept).fit(X, y)
    prior, noise = 1 / peer.lambda_, 1 / peer.alpha_
    ours = BayesianLinearRegressor(prior, noise, fit_intercept).fit(X, y)
    assert ours.coef_ == pytest.approx(peer.coef_, abs=1e-8)
    assert ours.covariance_ == pytest.approx(peer.sigma_, abs=1e-8)
    # What it learned is where the evidence, ours too, is highest. With an offset it counts n samples where only
    # n − 1 contrasts speak, so its noise is a little low; see scikit-learn's own formula.
    if not fit_intercept:
        for factor_prior, factor_noise in ((1.02, 1), (0.98, 1), (1, 1.02), (1, 0.98)):
            moved = BayesianLinearRegressor(prior * factor_prior, noise * factor_noise, False).fit(X, y)
            assert moved.log_evidence_ < ours.log_evidence_


def test_the_deviation_of_predictions():
    X, y = load_diabetes(return_X_y=True)
    peer = BayesianRidge(fit_intercept=False).fit(X, y - y.mean())
    ours = BayesianLinearRegressor(1 / peer.lambda_, 1 / peer.alpha_, fit_intercept=False).fit(X, y - y.mean())
    for told, expected in zip(
        ours.predict(X, return_std=True, with_noise=True), peer.predict(X, return_std=True), strict=True
    ):
        assert told == pytest.approx(expected, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_a_gaussian_process_with_a_linear_kernel(seed):
    X, y = random_data(seed)
    rng = np.random.default_rng(seed)
    height, noise, new = rng.uniform(0.2, 2), rng.uniform(0.05, 1), X[:5] + 0.3
    found = posterior(X, y, height**2, noise)
    told = found.predict(new)
    kernel = height**2 * Linear()
    K, across = kernel(X) + noise * np.eye(len(y)), kernel(new, X)
    assert told.mean == pytest.approx(across @ np.linalg.solve(K, y), abs=1e-8)
    variance = kernel.diag(new) - np.einsum("ij,ji->i", across, np.linalg.solve(K, across.T))
    assert told.variance == pytest.approx(variance, abs=1e-8)
    peer = GaussianProcessRegressor(height**2 * DotProduct(0, "fixed"), alpha=noise, optimizer=None).fit(X, y)
    mean, std = peer.predict(new, return_std=True)
    assert told.mean == pytest.approx(mean, abs=1e-8)
    assert told.variance == pytest.approx(std**2, abs=1e-8)
    assert found.log_evidence == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-8)
