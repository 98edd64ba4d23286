from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import wave_with_gap
from mlcore.exercises.gaussian_processes import (
    check_best_height,
    check_extrapolation,
    check_interpolator,
    check_stretched_minimum,
    rising_wave,
)
from mlcore.gaussian_process import GaussianProcessRegressor
from mlcore.kernels import Gaussian, Linear, Periodic, QuasiPeriodic, Sigmoid


def interpolate(x, y, x_new, width=1.0, noise=0.0, power=1.0, shift=0.0, scale=1.0):
    K = np.exp(-(np.subtract.outer(x, x) ** 2) / 2 / width**2) + noise * np.eye(len(x))
    cross = np.exp(-(np.subtract.outer(x_new, x) ** 2) / 2 / width**2)
    explained = np.sum(cross * np.linalg.solve(K, cross.T).T, axis=1)
    return cross @ np.linalg.solve(K, y) + shift, scale * np.maximum(1 - explained, 0) ** power


def with_far_variance_only(x, y, x_new):
    mean, variance = interpolate(x, y, x_new)
    return mean, np.where(variance > 0.5, variance, 0)


def best_height(K, y):
    return np.sqrt(y @ np.linalg.solve(K, y) / len(y))


def minimum():
    data = wave_with_gap()
    process = GaussianProcessRegressor(1.0 * Gaussian(1.0), noise=0.09).fit(*data)
    height, noise = np.sqrt(process.kernel_.left.value), np.sqrt(process.noise_)
    return np.array([process.kernel_.right.width, height, noise, -process.log_marginal_likelihood_])


LOG2 = 18 * np.log(2)
BEFORE = minimum()
STRETCHED = BEFORE * [10, 2, 2, 1] + [0, 0, 0, LOG2]
BY_HAND = np.append(BEFORE[:3].round(4), BEFORE[3].round(3)) * [10, 2, 2, 1] + [
    0,
    0,
    0,
    LOG2,
]  # with the digits that the cell prints
SUITS = 1.0 * QuasiPeriodic(1.0, 1.5, 4.0) + 0.2 * Linear()
LEARNED = GaussianProcessRegressor(SUITS, noise=0.01).fit(*rising_wave()).kernel_


def stretched(*factors, shift=LOG2):
    return tuple(BEFORE * factors + [0, 0, 0, shift])


TABLE = {
    check_interpolator: dict(
        right=[
            (interpolate,),
            (lambda *a: list(interpolate(*a)),),
            (lambda *a: [part.tolist() for part in interpolate(*a)],),
            (lambda *a: [pd.Series(part) for part in interpolate(*a)],),
            (lambda *a: [part[:, None] for part in interpolate(*a)],),
        ],
        wrong=[
            (3, "interpolate: expected a function of x, y and x_new"),
            (lambda x, y, x_new: interpolate(x, y, x_new)[0], "expected 2 results, got 8"),
            (lambda x, y, x_new: dict(mean=x_new), "interpolate should return mean, variance, got {"),
            (lambda x, y, x_new: (x_new[:2], x_new), "mean: expected 8 numbers, got 2 numbers"),
            (lambda x, y, x_new: (x_new * np.nan, x_new), "mean[0] is NaN"),
            (lambda x, y, x_new: (interpolate(x, y, x_new)[0], np.eye(8)), "variance: expected 8 numbers"),
            (lambda x, y, x_new: interpolate(x, y, x_new, noise=0.1), "exact observations must be met"),
            (lambda x, y, x_new: (interpolate(x, y, x_new)[0], np.ones(8)), "nothing is left to doubt"),
            (lambda x, y, x_new: interpolate(x, y, x_new, scale=2.0), "the prior must come back"),
            (lambda x, y, x_new: interpolate(x, y, x_new, width=0.5), "another one between them"),
            (lambda x, y, x_new: interpolate(x, y, x_new, power=0.5), "standard deviations"),
            (with_far_variance_only, "but not between them"),
        ],
    ),
    check_best_height: dict(
        right=[
            (best_height,),
            (lambda K, y: float(best_height(K, y)),),
            (lambda K, y: np.array(best_height(K, y)),),
            (lambda K, y: Fraction(best_height(K, y)),),
            (lambda K, y: np.sqrt(np.mean(np.linalg.solve(np.linalg.cholesky(K), y) ** 2)),),
        ],
        wrong=[
            (1.0, "best_height: expected a function of K and y"),
            (lambda K, y: None, "best_height still returns None"),
            (lambda K, y: y, "height: expected one number, got 3 numbers"),
            (lambda K, y: np.nan, "height is NaN"),
            (lambda K, y: 1 / 0, "ZeroDivisionError"),
            (lambda K, y: -best_height(K, y), "height: expected a number above 0"),
            (lambda K, y: best_height(K, y) ** 2, "This is h², not h."),
            (lambda K, y: best_height(K, y) * np.sqrt(len(y)), "number of observations is missing"),
            (lambda K, y: best_height(K, y) * np.sqrt(2), "Both terms have a factor ½"),
            (lambda K, y: np.sqrt(y @ y / len(y)), "K is missing"),
            (lambda K, y: np.sqrt(y @ K @ y / len(y)), "K⁻¹, not K"),
            (lambda K, y: 1.05 * best_height(K, y), "a slightly smaller one"),
            (lambda K, y: 0.95 * best_height(K, y), "a slightly larger one"),
        ],
    ),
    check_stretched_minimum: dict(
        context=dict(data=wave_with_gap()),
        right=[
            tuple(STRETCHED),
            tuple(BY_HAND),
            tuple(STRETCHED.round(3)),
            tuple(map(Fraction, STRETCHED)),
            tuple(map(np.array, STRETCHED)),
        ],
        wrong=[
            (*stretched(1, 2, 2, 1), "It has the unit of x"),
            (*stretched(10, 4, 2, 1), "height = "),
            (*stretched(10, 2, 4, 1), "as a standard deviation"),
            (*stretched(10, 2, 2, 1, shift=0), "A density has the unit 1/y"),
            (*stretched(10, 2, 2, 1, shift=np.log(2)), "A density has the unit 1/y"),
            (*stretched(10, -2, 2, 1), "height: expected a number above 0"),
            (1e6, 1e-6, 2 * np.std(wave_with_gap()[1]), 30.0, "width = 1e+06 is off by"),  # all slopes are flat there
            (*STRETCHED.round(1), "Nearly."),
            (*STRETCHED[:3], None, "nlml is still None"),
            (STRETCHED[0], "two", *STRETCHED[2:], "height: expected one number, got 'two'"),
            (*STRETCHED[:3], np.nan, "nlml is NaN"),
            (*STRETCHED[:2], [1, 2], STRETCHED[3], "noise: expected one number, got 2 numbers"),
        ],
    ),
    check_extrapolation: dict(
        right=[
            (SUITS,),
            (1.0 * QuasiPeriodic(1.0, 1.5, 5.0) + 4.0 * Gaussian(8.0),),
            (1.0 * Periodic(1.0, 1.5) * Gaussian(4.0) + 0.2 * Linear() + 1.0,),
            (0.2 * Linear() + QuasiPeriodic(1.0, 1.5, 4.0),),
            (LEARNED,),
        ],
        wrong=[
            (np.eye(3), "kernel: expected a kernel such as"),
            (Gaussian, "kernel: expected a kernel such as"),
            ("Gaussian(1.0)", "got 'Gaussian(1.0)'"),
            (lambda x, z: 1.0, "kernel: expected a kernel such as"),
            (2.0, "kernel: expected a kernel such as"),
            (4.0 * Gaussian(0.4), "Add a term for the trend"),
            (4.0 * Periodic(1.0, 1.5), "Add a term for the trend"),
            (QuasiPeriodic(1.0, 1.5, 4.0), "Add a term for the trend"),
            (Linear(), "Does a term repeat with the right period?"),
            (1.0 * QuasiPeriodic(1.0, 1.7, 4.0) + 0.2 * Linear(), "Does a term repeat with the right period?"),
            (1.0 * Periodic(1.0, 1.5) + 0.2 * Linear(), "too sure of itself"),
            (SUITS + 4.0 * Gaussian(0.01), "says nothing"),
            (50.0 * Sigmoid(1.0, -1.0), "eigenvalue"),
        ],
    ),
}


def test_other_units_have_other_minima():
    answer = BEFORE * [4, 1 / 3, 1 / 3, 1] - [0, 0, 0, 18 * np.log(3)]
    assert check_stretched_minimum(*answer, wave_with_gap(), 4.0, 1 / 3).passed


@pytest.mark.parametrize("kernel", [4.0 * Gaussian(0.4), Linear(), QuasiPeriodic(1.0, 1.5, 4.0)])
def test_the_term_that_is_named_is_the_one_that_helps_most(kernel):
    missing = {"trend": 0.2 * Linear(), "period": QuasiPeriodic(1.0, 1.5, 4.0)}
    told = {name: check_extrapolation(kernel + term).message for name, term in missing.items()}
    error = {name: float(text.split("error ")[1].split(",")[0]) for name, text in told.items()}
    assert min(error, key=error.get) in check_extrapolation(kernel).message
