import numpy as np
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


class TestInterpolator:
    def test_the_right_one_passes(self):
        assert check_interpolator(interpolate).passed

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (None, "interpolate is still None"),
            (3, "TypeError"),
            (lambda x, y, x_new: interpolate(x, y, x_new)[0], "too many values"),
            (lambda x, y, x_new: (x_new[:2], x_new), "mean: expected shape (8,)"),
            (lambda x, y, x_new: (x_new * np.nan, x_new), "mean: expected numbers, got NaN"),
            (lambda x, y, x_new: (interpolate(x, y, x_new)[0], np.eye(8)), "variance: expected shape (8,)"),
            (lambda x, y, x_new: interpolate(x, y, x_new, noise=0.1), "exact observations must be met"),
            (lambda x, y, x_new: (interpolate(x, y, x_new)[0], np.ones(8)), "nothing is left to doubt"),
            (lambda x, y, x_new: interpolate(x, y, x_new, scale=2.0), "the prior must come back"),
            (lambda x, y, x_new: interpolate(x, y, x_new, width=0.5), "another one between them"),
            (lambda x, y, x_new: interpolate(x, y, x_new, power=0.5), "standard deviations"),
            (with_far_variance_only, "but not between them"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, answer, message):
        verdict = check_interpolator(answer)
        assert not verdict.passed
        assert message in verdict.message


def best_height(K, y):
    return np.sqrt(y @ np.linalg.solve(K, y) / len(y))


class TestBestHeight:
    def test_the_right_one_passes(self):
        assert check_best_height(best_height).passed

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (None, "best_height is still None"),
            (lambda K, y: None, "Return one number"),
            (lambda K, y: y, "height: expected"),
            (lambda K, y: 1 / 0, "ZeroDivisionError"),
            (lambda K, y: -best_height(K, y), "above 0"),
            (lambda K, y: best_height(K, y) ** 2, "This is h², not h."),
            (lambda K, y: best_height(K, y) * np.sqrt(len(y)), "number of observations is missing"),
            (lambda K, y: best_height(K, y) * np.sqrt(2), "Both terms have a factor ½"),
            (lambda K, y: np.sqrt(y @ y / len(y)), "K is missing"),
            (lambda K, y: np.sqrt(y @ K @ y / len(y)), "K⁻¹, not K"),
            (lambda K, y: 1.05 * best_height(K, y), "a slightly smaller one"),
            (lambda K, y: 0.95 * best_height(K, y), "a slightly larger one"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, answer, message):
        verdict = check_best_height(answer)
        assert not verdict.passed
        assert message in verdict.message


@pytest.fixture(scope="module")
def minimum():
    process = GaussianProcessRegressor(1.0 * Gaussian(1.0), noise=0.09).fit(*wave_with_gap())
    kernel = process.kernel_
    height, noise = np.sqrt(kernel.left.value), np.sqrt(process.noise_)
    return np.array([kernel.right.width, height, noise, -process.log_marginal_likelihood_])


class TestStretchedMinimum:
    def test_the_right_one_passes(self, minimum):
        shift = np.array([0, 0, 0, 18 * np.log(2)])
        assert check_stretched_minimum(*(minimum * [10, 2, 2, 1] + shift), wave_with_gap()).passed
        shift[3] = -18 * np.log(3)
        verdict = check_stretched_minimum(*(minimum * [4, 1 / 3, 1 / 3, 1] + shift), wave_with_gap(), 4.0, 1 / 3)
        assert verdict.passed

    @pytest.mark.parametrize(
        ("factors", "shift", "message"),
        [
            ((1, 2, 2, 1), 18 * np.log(2), "for the width"),
            ((10, 4, 2, 1), 18 * np.log(2), "for the height"),
            ((10, 2, 4, 1), 18 * np.log(2), "for the noise"),
            ((10, 2, 2, 1), 0, "A density has the unit 1/y"),
            ((10, 2, 2, 1), np.log(2), "A density has the unit 1/y"),
            ((10, -2, 2, 1), 0, "above 0"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, minimum, factors, shift, message):
        answer = minimum * factors + [0, 0, 0, shift]
        verdict = check_stretched_minimum(*answer, wave_with_gap())
        assert not verdict.passed
        assert message in verdict.message

    def test_no_answer_and_no_number(self):
        assert "nlml are still None" in check_stretched_minimum(1, 1, None, None, wave_with_gap()).message
        assert "height: expected" in check_stretched_minimum(1, "two", 1, 1, wave_with_gap()).message


class TestExtrapolation:
    @pytest.mark.parametrize(
        "kernel",
        [
            1.0 * QuasiPeriodic(1.0, 1.5, 4.0) + 0.2 * Linear(),
            1.0 * QuasiPeriodic(1.0, 1.5, 5.0) + 4.0 * Gaussian(8.0),
            1.0 * Periodic(1.0, 1.5) * Gaussian(4.0) + 0.2 * Linear() + 1.0,
        ],
    )
    def test_more_than_one_kernel_is_right(self, kernel):
        assert check_extrapolation(kernel).passed

    def test_so_is_what_the_likelihood_learns(self):
        start = 1.0 * QuasiPeriodic(1.0, 1.5, 4.0) + 0.2 * Linear()
        learned = GaussianProcessRegressor(start, noise=0.01).fit(*rising_wave())
        assert check_extrapolation(learned.kernel_).passed

    @pytest.mark.parametrize(
        ("kernel", "message"),
        [
            (None, "kernel is still None"),
            (np.eye(3), "got ndarray"),
            (Gaussian, "got type"),
            (4.0 * Gaussian(0.4), "Add a term for the trend"),
            (4.0 * Periodic(1.0, 1.5), "Add a term for the trend"),
            (Linear(), "Does a term repeat with the right period?"),
            (1.0 * QuasiPeriodic(1.0, 1.7, 4.0) + 0.2 * Linear(), "Does a term repeat with the right period?"),
            (1.0 * Periodic(1.0, 1.5) + 0.2 * Linear(), "too sure of itself"),
            (1.0 * QuasiPeriodic(1.0, 1.5, 4.0) + 0.2 * Linear() + 4.0 * Gaussian(0.01), "says nothing"),
            (50.0 * Sigmoid(1.0, -1.0), "eigenvalue"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, kernel, message):
        verdict = check_extrapolation(kernel)
        assert not verdict.passed
        assert message in verdict.message
