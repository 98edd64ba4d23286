import numpy as np
import pytest
from scipy.stats import multivariate_normal

from mlcore.exercises.bayesian_regression import (
    check_log_evidence,
    check_shrinkage,
    check_steeper_line,
    check_update,
)
from mlcore.linear_model import posterior
from mlcore.pictures.bayesian_regression import design
from mlcore.pictures.bayesian_regression._weight_plane import least_squares, observations

DATA = observations()
BEST = least_squares(DATA)


class TestShrinkage:
    @pytest.mark.parametrize("wide", [BEST, BEST.round(4), tuple(BEST)])
    def test_the_right_limits_pass(self, wide):
        assert check_shrinkage([0, 0], wide, DATA.x, DATA.y).passed

    @pytest.mark.parametrize(
        ("narrow", "wide", "message"),
        [
            (None, None, "narrow and wide are still None"),
            ([0, 0], None, "wide is still None"),
            ([np.mean(DATA.y), 0], BEST, "flat line at the mean"),
            (BEST, BEST, "narrow: at σₚ = 0.0001"),
            ([0, 0], [0, 0], "wide: without a prior the gradient"),
            ([0, 0], posterior(design(DATA.x), DATA.y, 1.0, 1.0).mean, "wide: without a prior the gradient"),
            ([0, 0, 0], BEST, "narrow: expected shape (2,)"),
            ("zero", BEST, "narrow: expected numbers"),
            ([0, 0], [np.inf, 1], "wide: expected finite numbers"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, narrow, wide, message):
        verdict = check_shrinkage(narrow, wide, DATA.x, DATA.y)
        assert not verdict.passed
        assert message in verdict.message


class TestSteeperLine:
    @pytest.mark.parametrize(("t", "y"), [([1, 2, 3], [7, 8, 9]), ([1, 2], [-6, -7]), ([1, 2, 3], [5, 5.5, 5])])
    def test_data_that_cross_high_above_the_origin_pass(self, t, y):
        assert check_steeper_line(t, y).passed

    @pytest.mark.parametrize(
        ("t", "y", "message"),
        [
            (None, [1], "t_mine is still None"),
            ([1, 2, 3], [1, 2, 3], "not steeper. The prior draws"),
            (DATA.x, DATA.y, "Least squares (-2.07"),
            ([1, 1], [1, 2], "at least two different inputs"),
            ([1], [1], "at least two different inputs"),
            ([1, 2], [1, 2, 3], "y: expected shape (2,)"),
            ([1, "a"], [1, 2], "t: expected numbers"),
            ([1, 2], [1e300, 2e300], "too large for floating point"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, t, y, message):
        verdict = check_steeper_line(t, y)
        assert not verdict.passed
        assert message in verdict.message


def by_precision(mean, covariance, x, y, noise):
    precision = np.linalg.inv(covariance) + np.outer(x, x) / noise
    return np.linalg.solve(precision, np.linalg.solve(covariance, mean) + x * y / noise), np.linalg.inv(precision)


def by_gain(mean, covariance, x, y, noise):
    gain = covariance @ x / (x @ covariance @ x + noise)
    return mean + gain * (y - x @ mean), covariance - np.outer(gain, covariance @ x)


def with_covariance(make):
    return lambda mean, covariance, x, y, noise: (mean, make(covariance, x, noise))


def in_place(mean, covariance, x, y, noise):
    gain = covariance @ x / (x @ covariance @ x + noise)
    mean += gain * (y - x @ mean)
    covariance -= np.outer(gain, covariance @ x)
    return mean, covariance


class TestUpdate:
    @pytest.mark.parametrize("update", [by_precision, by_gain, in_place])
    def test_every_right_way_passes(self, update):
        assert check_update(update).passed

    @pytest.mark.parametrize(
        ("update", "message"),
        [
            (None, "update is still None"),
            (7, "TypeError"),
            (lambda *a: None, "TypeError"),
            (lambda m, C, x, y, noise: (m[:1], C), "mean: expected shape (2,)"),
            (lambda m, C, x, y, noise: (m, C[0]), "covariance: expected shape (2, 2)"),
            (lambda m, C, x, y, noise: (m * np.nan, C), "got NaN"),
            (lambda *a: 1 / 0, "ZeroDivisionError"),
            (with_covariance(lambda C, x, noise: C), "nothing was learned"),
            (with_covariance(lambda C, x, noise: np.linalg.inv(C) + np.outer(x, x) / noise), "is the precision"),
            (with_covariance(lambda C, x, noise: np.linalg.inv(C + np.outer(x, x) / noise)), "precisions add"),
            (with_covariance(lambda C, x, noise: np.linalg.inv(np.linalg.inv(C) + np.outer(x, x))), "forgets to"),
            (
                with_covariance(lambda C, x, noise: np.linalg.inv(np.linalg.inv(C) + np.outer(x, x) / noise**2)),
                "a variance already",
            ),
            (with_covariance(lambda C, x, noise: 0.5 * C), "determinant"),
            (lambda m, C, x, y, noise: (m, by_gain(m, C, x, y, noise)[1]), "the covariance is right, the mean"),
            (
                lambda m, C, x, y, noise: by_gain(0 * m, C, x, y, noise),  # forgets what was known before
                "Did the old mean come in",
            ),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, update, message):
        verdict = check_update(update)
        assert not verdict.passed
        assert message in verdict.message


def evidence(X, y, prior, noise):
    K = X @ prior @ X.T + noise * np.eye(len(y))
    return -0.5 * (y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1] + len(y) * np.log(2 * np.pi))


class TestLogEvidence:
    @pytest.mark.parametrize("formula", [evidence, lambda *a: posterior(*a).log_evidence])
    def test_the_right_formula_passes(self, formula):
        assert check_log_evidence(formula).passed

    @pytest.mark.parametrize(
        ("formula", "message"),
        [
            (None, "log_evidence is still None"),
            (3.0, "TypeError"),
            (lambda *a: None, "TypeError"),
            (lambda X, y, P, s: evidence(X, y, P, s) + 0.5 * len(y) * np.log(2 * np.pi), "misses the constant"),
            (lambda *a: -evidence(*a), "sign turned"),
            (lambda *a: np.exp(evidence(*a)), "take the log"),
            (lambda X, y, P, s: evidence(X, y, P, s**0.5), "standard deviation of the noise"),
            (lambda X, y, P, s: evidence(X, y, P, s**2), "squares the noise"),
            (lambda X, y, P, s: posterior(X, y, P, s).fit + posterior(X, y, P, s).constant, "misses −½ log|K|"),
            (
                lambda X, y, P, s: posterior(X, y, P, s).log_evidence + posterior(X, y, P, s).complexity,
                "log|K| without the half",
            ),
            (
                lambda X, y, P, s: multivariate_normal(X @ posterior(X, y, P, s).mean, s * np.eye(len(y))).logpdf(y),
                "log likelihood at the MAP",
            ),
            (lambda *a: 0.0, "yours is 0.0000"),
            (lambda *a: float("nan"), "yours is nan"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, formula, message):
        verdict = check_log_evidence(formula)
        assert not verdict.passed
        assert message in verdict.message
