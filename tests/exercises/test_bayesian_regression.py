from fractions import Fraction

import numpy as np
import pandas as pd
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
BEST = np.array(least_squares(DATA))
ALMOST = posterior(design(DATA.x), DATA.y, 1e4, 1.0).mean


def by_precision(mean, covariance, x, y, noise):
    precision = np.linalg.inv(covariance) + np.outer(x, x) / noise
    return np.linalg.solve(precision, np.linalg.solve(covariance, mean) + x * y / noise), np.linalg.inv(precision)


def by_gain(mean, covariance, x, y, noise):
    gain = covariance @ x / (x @ covariance @ x + noise)
    return mean + gain * (y - x @ mean), covariance - np.outer(gain, covariance @ x)


def in_place(mean, covariance, x, y, noise):
    gain = covariance @ x / (x @ covariance @ x + noise)
    mean += gain * (y - x @ mean)
    covariance -= np.outer(gain, covariance @ x)
    return mean, covariance


def with_covariance(make):
    return lambda mean, covariance, x, y, noise: (mean, make(covariance, x, noise))


inv = np.linalg.inv


def evidence(X, y, prior, noise):
    K = X @ prior @ X.T + noise * np.eye(len(y))
    return -0.5 * (y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1] + len(y) * np.log(2 * np.pi))


def at_the_map(X, y, P, s):
    return multivariate_normal(X @ posterior(X, y, P, s).mean, s * np.eye(len(y))).logpdf(y)


TABLE = {
    check_shrinkage: dict(
        context=dict(t=DATA.x, y=DATA.y),
        right=[
            ([0, 0], BEST),
            ((0.0, 0.0), BEST.round(3)),
            (np.zeros(2), tuple(BEST)),
            (np.zeros((2, 1)), pd.Series(BEST)),
            ([Fraction(0), 0], BEST[:, None]),
            ([1e-5, -1e-5], BEST),
        ],
        wrong=[
            ([0, 0], None, "wide is still None"),
            ([np.mean(DATA.y), 0], BEST, "flat line at the mean"),
            (BEST, BEST, "Where do the MAP weights go as σₚ falls below 0.0001?"),
            ([0, 0], [0, 0], "Without a prior the gradient"),
            ([0, 0], posterior(design(DATA.x), DATA.y, 1.0, 1.0).mean, "wide[0] ="),
            ([0, 0], BEST + [0.004, -0.003], "wide[0] ="),  # where the gradient is as good as 0
            ([0, 0], BEST.round(1), "Nearly. wide"),
            ([0, 0], BEST.round(2), "Nearly. wide"),
            ([0, 0], BEST[::-1], "Without a prior"),
            ([0, 0, 0], BEST, "narrow: expected 2 numbers, got 3 numbers"),
            ("zero", BEST, "narrow: expected 2 numbers, got 'zero'"),
            ([0, 0], [np.inf, 1], "wide[0] is infinite"),
            ([0, 0], [np.nan, 1], "wide[0] is NaN"),
        ],
    ),
    check_steeper_line: dict(
        right=[
            ([1, 2, 3], [6, 7, 8]),
            ((1, 2), (-6, -7)),
            (np.array([1, 2, 3]), [5, 5.5, 5]),
            (pd.Series([1, 2, 3]), np.array([[6], [7], [8]])),
            ([Fraction(1, 2), 1, 2], [8, 8.1, 8.2]),
        ],
        wrong=[
            ([1, 2, 3], [1, 2, 3], "not steeper. The prior draws"),
            (DATA.x, DATA.y, "Least squares (-2.07"),
            ([1, 1], [1, 2], "at least two different inputs"),
            ([1], [1], "at least two different inputs"),
            ([], [], "at least two different inputs"),
            ([1, 2], [0, 0], "not steeper"),
            ([1, 2], [1, 2, 3], "y_mine: expected 2 numbers, got 3 numbers"),
            ([1, "a"], [1, 2], "t_mine: expected a list of numbers"),
            ([1, 2], [1e300, 2e300], "y_mine[0] is too large to compute with"),
            ([1, 2], [1e9, 2e9], "keep the numbers below a million"),
            ([1, 2], [1, np.nan], "y_mine[1] is NaN"),
            ([[1], [2, 3]], [1, 2], "t_mine: expected a list of numbers"),
        ],
    ),
    check_update: dict(
        right=[
            (by_precision,),
            (by_gain,),
            (in_place,),
            (lambda *a: list(by_gain(*a)),),
            (lambda m, C, x, y, s: (by_gain(m, C, x, y, s)[0][:, None], by_gain(m, C, x, y, s)[1].tolist()),),
        ],
        wrong=[
            (7, "update: expected a function of mean, covariance, x, y and noise"),
            (lambda *a: None, "update still returns None"),
            (lambda m, C, x, y, noise: (m[:1], C), "mean: expected 2 numbers, got 1 number"),
            (lambda m, C, x, y, noise: (m, C[0]), "covariance: expected numbers in an array of shape (2, 2)"),
            (lambda m, C, x, y, noise: (m * np.nan, C), "mean[0] is NaN"),
            (lambda m, C, x, y, noise: {"mean": m}, "update should return mean, covariance, got {"),
            (lambda *a: 1 / 0, "ZeroDivisionError"),
            (with_covariance(lambda C, x, noise: C), "nothing was learned"),
            (with_covariance(lambda C, x, noise: inv(C) + np.outer(x, x) / noise), "is the precision"),
            (with_covariance(lambda C, x, noise: inv(C + np.outer(x, x) / noise)), "precisions add"),
            (with_covariance(lambda C, x, noise: inv(inv(C) + np.outer(x, x))), "forgets to"),
            (with_covariance(lambda C, x, noise: inv(inv(C) + np.outer(x, x) / noise**2)), "a variance already"),
            (with_covariance(lambda C, x, noise: 0.5 * C), "determinant"),
            (lambda m, C, x, y, noise: (m, by_gain(m, C, x, y, noise)[1]), "the covariance is right, the mean"),
            (lambda m, C, x, y, noise: by_gain(0 * m, C, x, y, noise), "Did the old mean come in"),
        ],
    ),
    check_log_evidence: dict(
        right=[
            (evidence,),
            (lambda *a: posterior(*a).log_evidence,),
            (lambda *a: np.array(evidence(*a)),),
            (lambda *a: float(evidence(*a)),),
            (lambda X, y, P, s: multivariate_normal(np.zeros(len(y)), X @ P @ X.T + s * np.eye(len(y))).logpdf(y),),
        ],
        wrong=[
            (3.0, "log_evidence: expected a function"),
            (lambda *a: None, "log_evidence still returns None"),
            (lambda X, y, P, s: evidence(X, y, P, s) + 0.5 * len(y) * np.log(2 * np.pi), "misses the constant"),
            (lambda *a: -evidence(*a), "sign turned"),
            (lambda *a: np.exp(evidence(*a)), "take the log"),
            (lambda X, y, P, s: evidence(X, y, P, s**0.5), "standard deviation of the noise"),
            (lambda X, y, P, s: evidence(X, y, P, s**2), "squares the noise"),
            (lambda *a: posterior(*a).fit + posterior(*a).constant, "misses −½ log|K|"),
            (lambda *a: posterior(*a).log_evidence + posterior(*a).complexity, "log|K| without the half"),
            (at_the_map, "log likelihood at the MAP"),
            (lambda *a: 0.0, "yours is 0.0000"),
            (lambda *a: float("nan"), "log_evidence is NaN"),
            (lambda X, y, P, s: y, "log_evidence: expected one number, got 5 numbers"),
        ],
    ),
}
