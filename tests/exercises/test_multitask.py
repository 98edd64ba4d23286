import numpy as np
import pytest

from mlcore.exercises.multitask import check_hyperparameter_count, check_separate_kernels, check_third_correlation
from mlcore.kernels import Gaussian


class TestCount:
    def test_the_right_formula_passes_in_any_form(self):
        assert check_hyperparameter_count(lambda s, p: s * (s + 1) // 2 + s + p).passed
        assert check_hyperparameter_count(lambda s, p: p + s + sum(range(s + 1)) + 0.0).passed

    @pytest.mark.parametrize(
        ("count", "message"),
        [
            (None, "count is still None"),
            (17, "TypeError"),
            (lambda s: s, "TypeError"),
            (lambda s, p: None, "ValueError"),
            (lambda s, p: "many", "ValueError"),
            (lambda s, p: [s, p], "ValueError"),
            (lambda s, p: 1 / 0, "ZeroDivisionError"),
            (lambda s, p: s * (s + 1) // 2 + p, "noise of its own"),
            (lambda s, p: s * (s + 1) // 2 + p + 1, "every sensor has its own"),
            (lambda s, p: s * s + s + p, "not all s² entries"),
            (lambda s, p: s * (s - 1) // 2 + s + p, "the diagonal of L, the heights of the tasks, counts too"),
            (lambda s, p: s * (s + 1) // 2 + s + s * p, "share one temporal kernel"),
            (lambda s, p: s * (s + 1) // 2 + s, "The temporal kernel has parameters"),
            (lambda s, p: s * (s + 1) // 2, "That is L alone"),
            (lambda s, p: 22 if s == 5 else 6, "With s = 5 and p = 1 you count 22"),
            (lambda s, p: 100, "Add what L, the kernel and the noises contribute"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, count, message):
        verdict = check_hyperparameter_count(count)
        assert not verdict.passed
        assert message in verdict.message


class TestSeparateKernels:
    def test_the_right_kernels_pass(self):
        assert check_separate_kernels(lambda L, k: [L[a, a] ** 2 * k for a in range(len(L))]).passed
        assert check_separate_kernels(lambda L, k: tuple(k * h for h in np.diag(L @ L.T))).passed

    @pytest.mark.parametrize(
        ("kernels", "message"),
        [
            (None, "kernels is still None"),
            (3, "TypeError"),
            (lambda L: [], "TypeError"),
            (lambda L, k: None, "TypeError"),
            (lambda L, k: [k], "expected a list of 2 kernels"),
            (lambda L, k: [1.0, 2.0], "expected a list of 2 kernels"),
            (lambda L, k: [k] * len(L), "Which variance does K_c = L Lᵀ give it?"),
            (lambda L, k: [L[a, a] * k for a in range(len(L))], "Which variance does K_c = L Lᵀ give it?"),
            (lambda L, k: [L[a, a] ** 2 * Gaussian(0.3) for a in range(len(L))], "Is the kernel the same?"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, kernels, message):
        verdict = check_separate_kernels(kernels)
        assert not verdict.passed
        assert message in verdict.message


def ends(r12, r23):
    room = np.sqrt((1 - r12**2) * (1 - r23**2))
    return r12 * r23 - room, r12 * r23 + room


class TestThirdCorrelation:
    def test_the_right_interval_passes(self):
        assert check_third_correlation(ends).passed
        assert check_third_correlation(lambda a, b: np.cos(np.arccos(a) + np.arccos(b) * np.array([1, -1]))).passed

    @pytest.mark.parametrize(
        ("interval", "message"),
        [
            (None, "interval is still None"),
            ((-1, 1), "TypeError"),
            (lambda a, b: None, "ValueError"),
            (lambda a, b: a * b, "ValueError"),
            (lambda a, b: (np.nan, 1), "got NaN"),
            (lambda a, b: ends(a, b)[::-1], "the lower end first"),
            (lambda a, b: (-1, 1), "has a negative eigenvalue"),
            (lambda a, b: (a * b - 0.01, a * b + 0.01), "there is room beyond"),
            (lambda a, b: (ends(a, b)[0], 1), "has a negative eigenvalue"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, interval, message):
        verdict = check_third_correlation(interval)
        assert not verdict.passed
        assert message in verdict.message
