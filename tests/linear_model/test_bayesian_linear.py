import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.linear_model import BayesianLinearRegressor, log_likelihood, log_prior, posterior


def problem(seed, n=None, d=None):
    """Return X, y, a prior covariance, a prior mean and a noise variance."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12)) if n is None else n
    d = int(rng.integers(1, 5)) if d is None else d
    root = rng.normal(size=(d, d))
    prior = root @ root.T + 0.1 * np.eye(d)
    return rng.normal(size=(n, d)), rng.normal(size=n), prior, rng.normal(size=d), float(rng.uniform(0.05, 3))


def by_inverse(X, y, prior, mean, noise):
    """Return mean and covariance by the formula of the book, with the inverse of the prior covariance."""
    A = X.T @ X / noise + np.linalg.inv(prior)
    return np.linalg.solve(A, X.T @ y / noise + np.linalg.solve(prior, mean)), np.linalg.inv(A)


seeds = st.integers(0, 10_000)


class TestPosterior:
    @given(seeds)
    @settings(deadline=None, max_examples=40)
    def test_it_is_the_formula_of_the_book_with_the_inverse_prior(self, seed):
        X, y, prior, mean, noise = problem(seed)
        found = posterior(X, y, prior, noise, mean)
        expected, covariance = by_inverse(X, y, prior, mean, noise)
        assert found.mean == pytest.approx(expected, abs=1e-9)
        assert found.covariance == pytest.approx(covariance, abs=1e-9)
        assert found.factor @ found.factor.T == pytest.approx(covariance, abs=1e-9)

    @given(seeds)
    @settings(deadline=None, max_examples=40)
    def test_the_log_posterior_is_flat_at_the_map(self, seed):
        X, y, prior, mean, noise = problem(seed)
        w = posterior(X, y, prior, noise, mean).mean

        def height(at):
            return log_likelihood(at, X, y, noise) + log_prior(at, prior, mean)

        # Central differences of a quadratic have no error but rounding, whatever the step.
        step = 1e-2 * np.sqrt(np.linalg.eigvalsh(prior).min())
        size = abs(height(w)) * np.finfo(float).eps / step
        for direction in np.eye(len(w)):
            slope = (height(w + step * direction) - height(w - step * direction)) / (2 * step)
            assert abs(slope) < max(1e-10, 20 * size)
        gradient = X.T @ (y - X @ w) / noise - np.linalg.solve(prior, w - mean)
        assert np.abs(gradient).max() < 1e-10 * (1 + np.abs(X.T @ y).max() / noise) * np.linalg.cond(prior)

    def test_the_gradient_at_the_map_of_a_line_is_zero_to_ten_digits(self):
        t = np.linspace(0, 9, 10)
        X, y = np.column_stack([np.ones(10), t]), 1 + 0.5 * t + np.sin(t)
        w = posterior(X, y, 1.0, 1.0).mean

        def height(at):
            return log_likelihood(at, X, y, 1.0) + log_prior(at, 1.0)

        for direction in np.eye(2):
            assert abs(height(w + 0.1 * direction) - height(w - 0.1 * direction)) / 0.2 < 1e-10
        printed = np.linalg.solve(X.T @ X + np.diag([4.0, 0.25]), X.T @ y)  # Σ_p where Σ_p⁻¹ belongs (ES-18)
        right = posterior(X, y, [4.0, 0.25], 1.0).mean
        for guess, flat in ((printed, False), (right, True)):
            gradient = X.T @ (y - X @ guess) - guess / [4.0, 0.25]
            assert bool(np.abs(gradient).max() < 1e-10) is flat

    @given(seeds)
    @settings(deadline=None, max_examples=30)
    def test_bayes_rule_holds_at_every_weight(self, seed):
        X, y, prior, mean, noise = problem(seed)
        found = posterior(X, y, prior, noise, mean)
        for w in found.sample(3, random_state=seed):
            left = log_likelihood(w, X, y, noise) + log_prior(w, prior, mean)
            assert left == pytest.approx(found.log_evidence + log_prior(w, found.covariance, found.mean), abs=1e-7)

    def test_no_data_leave_the_prior(self):
        found = posterior(np.zeros((0, 2)), [], [4.0, 0.25], 1.0, [1.0, -1.0])
        assert found.mean.tolist() == [1.0, -1.0]
        assert found.covariance == pytest.approx(np.diag([4.0, 0.25]))
        assert found.log_evidence == 0

    @pytest.mark.parametrize(
        "prior", [2.0, [2.0, 2.0], np.diag([2.0, 2.0]), np.array(2), [[2, 0], [0, 2]]], ids=lambda p: str(np.shape(p))
    )
    def test_every_form_of_the_prior_covariance(self, prior):
        X, y = [[1, 2], [3, 4], [5, 7]], [1, 0, 2]
        expected = posterior(X, y, 2.0, 0.3)
        found = posterior(X, y, prior, 0.3)
        assert found.covariance == pytest.approx(expected.covariance, rel=1e-12)
        assert found.log_evidence == pytest.approx(expected.log_evidence, rel=1e-12)

    def test_a_variance_of_zero_keeps_the_weight_where_it_was(self):
        X, y = np.array([[1.0, 2], [1, 3], [1, 5]]), np.array([1.0, 2, 4])
        for prior in ([0.0, 4.0], np.diag([0.0, 4.0])):
            found = posterior(X, y, prior, 0.5, [7.0, 0.0])
            slope = posterior(X[:, 1:], y - 7, 4.0, 0.5)
            assert found.mean == pytest.approx([7.0, slope.mean[0]])
            assert found.covariance == pytest.approx(np.diag([0.0, slope.covariance[0, 0]]))
            assert found.log_evidence == pytest.approx(slope.log_evidence)

    def test_fewer_samples_than_weights(self):
        X, y, prior, mean, noise = problem(3, n=2, d=6)
        expected, covariance = by_inverse(X, y, prior, mean, noise)
        found = posterior(X, y, prior, noise, mean)
        assert found.mean == pytest.approx(expected, abs=1e-9)
        assert found.covariance == pytest.approx(covariance, abs=1e-9)

    @pytest.mark.parametrize("variance", [1e-16, 1e-6, 1e6, 1e16])
    def test_shrinkage_from_a_certain_to_a_vague_prior(self, variance):
        t = np.linspace(0, 9, 10)
        X, y = np.column_stack([np.ones(10), t]), 1 + 0.5 * t + np.sin(t)
        w = posterior(X, y, variance, 1.0).mean
        least_squares = np.linalg.lstsq(X, y)[0]
        if variance < 1:
            assert w == pytest.approx(variance * X.T @ y, rel=1e3 * variance + 1e-12)
        else:
            assert w == pytest.approx(least_squares, rel=10 / variance + 1e-12)

    def test_collinear_columns_share_the_weight(self):
        found = posterior([[1, 1], [2, 2], [3, 3]], [2, 4, 6], 1e8, 1e-4)
        assert found.mean == pytest.approx([1, 1], rel=1e-6)
        assert found.covariance[0] == pytest.approx([0.5e8, -0.5e8], rel=1e-6)

    @pytest.mark.parametrize("width", [1e2, 1e5, 1e8, 1e11])
    def test_a_wide_prior_does_not_blur_what_was_seen(self, width):
        found = posterior([[3.0, 4.0]], [2.0], width**2 / 25, 1.0)
        told = found.predict([[3.0, 4.0]])
        assert told.mean == pytest.approx([2.0], rel=2 / width**2 + 1e-15 * width)
        assert told.std == pytest.approx([1.0], rel=1 / width**2 + 1e-15 * width)

    def test_inputs_are_not_changed(self):
        X, y, prior, mean, noise = problem(5, n=4, d=2)
        before = [a.copy() for a in (X, y, prior, mean)]
        posterior(X, y, prior, noise, mean).update(X, y)
        assert all((a == b).all() for a, b in zip(before, (X, y, prior, mean)))


class TestEvidence:
    @given(seeds)
    @settings(deadline=None, max_examples=40)
    def test_it_is_the_gaussian_density_of_y_with_every_constant(self, seed):
        X, y, prior, mean, noise = problem(seed)
        K = X @ prior @ X.T + noise * np.eye(len(y))
        found = posterior(X, y, prior, noise, mean)
        assert found.log_evidence == pytest.approx(multivariate_normal(X @ mean, K).logpdf(y), abs=1e-8)
        residual = y - X @ mean
        assert found.fit == pytest.approx(-residual @ np.linalg.solve(K, residual) / 2, abs=1e-8)
        assert found.complexity == pytest.approx(-np.linalg.slogdet(K)[1] / 2, abs=1e-8)
        assert found.constant == pytest.approx(-len(y) * np.log(2 * np.pi) / 2)

    def test_it_integrates_to_one_over_the_targets(self):
        grid = np.linspace(-30, 30, 6001)
        densities = [np.exp(posterior([[2.0]], [v], 3.0, 0.5).log_evidence) for v in grid]
        assert np.trapezoid(densities, grid) == pytest.approx(1, abs=1e-9)

    def test_it_changes_with_the_unit_of_y_as_a_density_does(self):
        X, y, prior, mean, noise = problem(8, n=6)
        metres = posterior(X, y, prior, noise, mean)
        centimetres = posterior(X, 100 * y, 1e4 * prior, 1e4 * noise, 100 * mean)
        assert centimetres.log_evidence == pytest.approx(metres.log_evidence - 6 * np.log(100))


class TestUpdate:
    @given(seeds)
    @settings(deadline=None, max_examples=30)
    def test_one_by_one_equals_all_at_once_in_any_order(self, seed):
        X, y, prior, mean, noise = problem(seed, n=6)
        batch = posterior(X, y, prior, noise, mean)
        found = posterior(X[:0], y[:0], prior, noise, mean)
        for i in np.random.default_rng(seed).permutation(len(y)):
            found = found.update(X[i : i + 1], y[i : i + 1])
        assert found.mean == pytest.approx(batch.mean, abs=1e-8)
        assert found.covariance == pytest.approx(batch.covariance, abs=1e-8)
        assert found.log_evidence == pytest.approx(batch.log_evidence, abs=1e-8)
        assert found.fit == pytest.approx(batch.fit, abs=1e-8)
        assert found.constant == pytest.approx(batch.constant)

    def test_every_sample_makes_the_weights_surer(self):
        X, y, prior, mean, noise = problem(4, n=8, d=3)
        found = posterior(X[:0], y[:0], prior, noise, mean)
        for i in range(8):
            after = found.update(X[i : i + 1], y[i : i + 1])
            assert np.linalg.eigvalsh(found.covariance - after.covariance).min() > -1e-12
            assert np.linalg.slogdet(after.covariance)[1] < np.linalg.slogdet(found.covariance)[1]
            found = after


class TestPrediction:
    @given(seeds)
    @settings(deadline=None, max_examples=30)
    def test_it_averages_over_the_weights(self, seed):
        X, y, prior, mean, noise = problem(seed)
        found = posterior(X, y, prior, noise, mean)
        new = X[:3] + 1.0
        told = found.predict(new)
        assert told.mean == pytest.approx(new @ found.mean)
        assert told.variance == pytest.approx(np.diag(new @ found.covariance @ new.T), abs=1e-12)
        assert told.std**2 == pytest.approx(told.variance)
        assert told.std_with_noise**2 == pytest.approx(told.variance + noise)

    def test_samples_have_its_mean_and_covariance(self):
        X, y, prior, mean, noise = problem(1, n=5, d=3)
        found = posterior(X, y, prior, noise, mean)
        drawn = found.sample(200_000, random_state=0)
        assert drawn.mean(axis=0) == pytest.approx(found.mean, abs=0.02)
        assert np.cov(drawn.T) == pytest.approx(found.covariance, abs=0.03)
        assert (found.sample(4, random_state=0) == drawn[:4]).all()

    @given(seeds)
    @settings(deadline=None, max_examples=30)
    def test_it_is_the_gaussian_process_of_the_kernel_of_the_prior(self, seed):
        X, y, prior, _, noise = problem(seed)
        new = X[:3] - 0.5
        K, across = X @ prior @ X.T + noise * np.eye(len(y)), new @ prior @ X.T
        told = posterior(X, y, prior, noise).predict(new)
        assert told.mean == pytest.approx(across @ np.linalg.solve(K, y), abs=1e-8)
        expected = new @ prior @ new.T - across @ np.linalg.solve(K, across.T)
        assert told.variance == pytest.approx(np.diag(expected), abs=1e-8)


class TestBadInput:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"X": [1, 2]}, r"X: expected shape \(n, d\), got \(2,\)"),
            ({"X": [[1, np.nan], [3, 4]]}, "X: expected numbers, got NaN"),
            ({"y": [1, 2, 3]}, r"y: expected shape \(2,\), got \(3,\)"),
            ({"y": [1, np.inf]}, "y: expected finite numbers"),
            ({"noise": 0}, "noise: expected a number above 0, got 0"),
            ({"noise": "much"}, "noise: expected a number above 0"),
            ({"prior_covariance": -1.0}, "prior_covariance: expected variances of at least 0, got -1"),
            ({"prior_covariance": [1, -2]}, "prior_covariance: expected variances of at least 0, got -2"),
            ({"prior_covariance": [1, 2, 3]}, r"prior_covariance: expected shape \(2,\), got \(3,\)"),
            ({"prior_covariance": [[1, 0.5], [0, 1]]}, "prior_covariance: expected a symmetric matrix"),
            ({"prior_covariance": [[1, 2], [2, 1]]}, "prior_covariance: expected no negative eigenvalue, got -1"),
            ({"prior_covariance": np.inf}, "prior_covariance: expected finite numbers"),
            ({"X": [[1e8, 1], [1e8, 1]], "noise": 1e-12, "prior_covariance": 1e12}, "a prior that is less wide"),
            ({"X": np.zeros((2, 0))}, "X: expected at least one feature"),
            ({"prior_mean": [0]}, r"prior_mean: expected shape \(2,\), got \(1,\)"),
            ({"X": [[1e200, 1], [1e200, 2]], "noise": 1e-300}, "too large for floating point"),
            ({"y": [1e300, 1e300]}, "too large for floating point"),
        ],
    )
    def test_it_is_named(self, changes, message):
        arguments = dict(X=[[1, 2], [3, 4]], y=[1, 2], prior_covariance=1.0, noise=1.0) | changes
        with pytest.raises(ValueError, match=message):
            posterior(**arguments)

    def test_of_the_other_functions(self):
        with pytest.raises(ValueError, match="prior_covariance: expected a positive definite matrix"):
            log_prior([0, 0], [[1, 1], [1, 1]])
        with pytest.raises(ValueError, match="prior_covariance: expected a positive definite matrix"):
            log_prior([0, 0], 0.0)
        with pytest.raises(ValueError, match=r"w: expected shape \(2,\), got \(3,\)"):
            log_likelihood([1, 2, 3], [[1, 2]], [1], 1.0)
        found = posterior([[1, 2]], [1], 1.0, 1.0)
        with pytest.raises(ValueError, match=r"X: expected shape \(m, 2\)"):
            found.predict([[1, 2, 3]])
        with pytest.raises(ValueError, match=r"y: expected shape \(1,\)"):
            found.update([[1, 2]], [1, 2])
        with pytest.raises(ValueError, match="count: expected a whole number of at least 1"):
            found.sample(0)
        with pytest.raises(ValueError, match="too large for floating point"):
            found.predict([[1e200, 1e200]])


@parametrize_with_checks([BayesianLinearRegressor(), BayesianLinearRegressor(fit_intercept=False)])
def test_estimator_conventions(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks provoke warnings of their own
        check(estimator)


class TestRegressor:
    def test_a_flat_offset_is_the_limit_of_a_wide_prior(self):
        X, y, prior, _, noise = problem(2, n=9, d=3)
        model = BayesianLinearRegressor(prior, noise).fit(X, y + 50)
        wide = np.block([[prior, np.zeros((3, 1))], [np.zeros((1, 3)), np.array([[1e10]])]])
        limit = posterior(np.column_stack([X, np.ones(9)]), y + 50, wide, noise)
        assert model.coef_ == pytest.approx(limit.mean[:3], abs=1e-6)
        assert model.intercept_ == pytest.approx(limit.mean[3], abs=1e-6)
        assert model.covariance_ == pytest.approx(limit.covariance[:3, :3], abs=1e-6)
        new = X + 3
        told = limit.predict(np.column_stack([new, np.ones(9)]))
        for with_noise, std in ((False, told.std), (True, told.std_with_noise)):
            found = model.predict(new, return_std=True, with_noise=with_noise)
            assert found[0] == pytest.approx(told.mean, abs=1e-5)
            assert found[1] == pytest.approx(std, abs=1e-5)

    def test_the_evidence_is_that_of_the_contrasts(self):
        X, y, prior, _, noise = problem(6, n=7, d=2)
        contrasts = np.linalg.qr(np.column_stack([np.ones(7), np.eye(7)[:, :6]]))[0][:, 1:]
        K = X @ prior @ X.T + noise * np.eye(7)
        expected = multivariate_normal(np.zeros(6), contrasts.T @ K @ contrasts).logpdf(contrasts.T @ y)
        assert BayesianLinearRegressor(prior, noise).fit(X, y).log_evidence_ == pytest.approx(expected)
        plain = BayesianLinearRegressor(prior, noise, fit_intercept=False).fit(X, y)
        assert plain.log_evidence_ == pytest.approx(multivariate_normal(np.zeros(7), K).logpdf(y))

    def test_shifting_the_data_moves_the_offset_only(self):
        X, y, prior, _, noise = problem(7, n=9, d=2)
        near = BayesianLinearRegressor(prior, noise).fit(X, y)
        far = BayesianLinearRegressor(prior, noise).fit(X + 1000, y - 200)
        assert far.coef_ == pytest.approx(near.coef_, abs=1e-9)
        assert far.log_evidence_ == pytest.approx(near.log_evidence_, abs=1e-8)
        assert far.predict(X + 1000) == pytest.approx(near.predict(X) - 200)

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"noise": -1}, "noise: expected a number above 0"),
            ({"prior_covariance": [1, 2, 3]}, r"prior_covariance: expected shape \(2,\)"),
        ],
    )
    def test_bad_parameters_are_named(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            BayesianLinearRegressor(**parameters).fit([[1, 2], [3, 4]], [1, 2])
