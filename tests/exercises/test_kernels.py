import numpy as np
import pytest

from mlcore.datasets import circle_data
from mlcore.exercises.kernels import (
    check_counterexample,
    check_inseparable,
    check_kernel_machine,
    check_number_of_monomials,
    check_two_feature_maps,
)
from mlcore.kernels import Gaussian, Polynomial
from mlcore.svm import solve_dual


def three_features(x1, x2):
    return [x1**2, x2**2, np.sqrt(2) * x1 * x2]


def four_features(x1, x2):
    return [x1 * x1, x1 * x2, x1 * x2, x2 * x2]


class TestInseparable:
    @pytest.mark.parametrize(
        ("positive", "negative"),
        [
            ([[1, 1], [-1, -1]], [[-1, 1], [1, -1]]),
            ([[0, 0], [2, 0]], [[1, 0], [3, 0]]),  # on one line
            (np.array([[0, 0], [0, 5]]), ((-1, 2), (4, 3))),
        ],
    )
    def test_any_such_configuration_passes(self, positive, negative):
        assert check_inseparable(positive, negative).passed

    @pytest.mark.parametrize(
        ("positive", "negative", "message"),
        [
            (None, None, "positive and negative are still None"),
            ([[0, 0], [1, 1]], [[0, 1], [1, 2]], "A line separates them"),
            ([[0, 0], [1, 1]], [[0, 0], [1, 2]], "Two of the four points are the same"),
            ([[0, 0]], [[0, 1], [1, 2]], "positive: expected shape (2, 2)"),
            ([[0, 0], [1, np.inf]], [[0, 1], [1, 2]], "positive: expected"),
            ("points", [[0, 1], [1, 2]], "positive: expected numbers"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, positive, negative, message):
        verdict = check_inseparable(positive, negative)
        assert not verdict.passed
        assert message in verdict.message

    def test_the_line_named_does_separate(self):
        text = check_inseparable([[0, 0], [1, 1]], [[0, 1], [1, 2]]).message
        assert "2 x1 - 2 x2 + 1 = 0" in text


class TestTwoFeatureMaps:
    def test_any_two_maps_of_the_kernel_pass(self):
        assert check_two_feature_maps(three_features, four_features).passed
        assert check_two_feature_maps(lambda a, b: [-v for v in three_features(a, b)], three_features).passed
        assert check_two_feature_maps(lambda a, b: np.array([a * a + b * b, a * a - b * b, 2 * a * b]) / 2**0.5,
                                      four_features).passed  # fmt: skip

    @pytest.mark.parametrize(
        ("first", "second", "message"),
        [
            (None, three_features, "first is still None"),
            (three_features, three_features, "they are the same map"),
            (three_features, lambda a, b: [a * a, b * b, a * b], "second: at x ="),
            (three_features, [1, 2, 3], "second: expected a function"),
            (lambda a: [a], three_features, "first: it should turn x1, x2 into a list"),
            (lambda a, b: ["a"], three_features, "first: it should turn"),
            (lambda a, b: [a] * (1 if a > 0 else 2), three_features, "first: it should turn"),
            (lambda a, b: a, three_features, "first: it should turn"),
            (lambda a, b: [np.nan], three_features, "first: it should turn"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, first, second, message):
        verdict = check_two_feature_maps(first, second)
        assert not verdict.passed
        assert message in verdict.message


class TestKernelMachine:
    X, y = circle_data(n=60)
    kernel = Polynomial(2, 0)
    solution = solve_dual(kernel(X), y, np.inf)

    def check(self, alpha, b):
        return check_kernel_machine(alpha, b, self.X, self.y, self.kernel)

    def test_the_solution_passes(self):
        verdict = self.check(self.solution.alpha, self.solution.b)
        assert verdict.passed
        assert "each gives b = 4.9384" in verdict.message

    @pytest.mark.parametrize("seed", range(3))
    def test_it_agrees_with_the_solver_on_other_data_and_kernels(self, seed):
        X, y = circle_data(n=40, seed=seed)
        for kernel in (Polynomial(2, 1.0), Gaussian(1.0)):
            solution = solve_dual(kernel(X), y, np.inf)
            assert check_kernel_machine(solution.alpha, solution.b, X, y, kernel).passed

    def test_wrong_answers_are_told_why(self):
        alpha, b = self.solution.alpha, self.solution.b
        one = np.eye(60)[0]
        cases = [
            (None, None, "alpha and b are still None"),
            (alpha[:3], b, "alpha: expected shape (60,)"),
            ("all", b, "alpha: expected numbers"),
            (alpha, [b, b], "b: expected shape ()"),
            (-alpha, b, "none may be negative"),
            (alpha + 0.1 * alpha.max() * one, b, "the sum of alpha_i y_i must be 0"),
            (0 * alpha, b, "all are 0"),
            (2 * alpha, b, "do not agree on b"),
            (alpha, 1 / self.y[8] + 1.0, "on every support vector"),
        ]
        for answer, offset, message in cases:
            verdict = self.check(answer, offset)
            assert not verdict.passed
            assert message in verdict.message, verdict

    def test_two_points_alone_are_not_enough(self):
        # The right machine of two points only: others stand too near.
        pair = [int(np.flatnonzero(self.y > 0)[0]), int(np.flatnonzero(self.y < 0)[0])]
        small = solve_dual(self.kernel(self.X[pair]), self.y[pair], np.inf)
        alpha = np.zeros(60)
        alpha[pair] = small.alpha
        assert "every point needs at least 1" in self.check(alpha, small.b).message

    def test_the_printed_sign_of_the_offset_fails(self):
        K, sv = self.kernel(self.X), self.solution.support
        printed = (1 / self.y + K @ self.solution.coefficients)[sv]
        assert not any(self.check(self.solution.alpha, b).passed for b in printed)

    def test_a_kernel_is_asked_for(self):
        assert "kernel: expected a kernel" in check_kernel_machine([1], 0, [[1]], [1], "rbf").message


class TestMonomials:
    @pytest.mark.parametrize(("n", "d", "number"), [(5, 3, 56), (2, 2, 6), (1, 4, 5), (4, 1, 5)])
    def test_the_binomial_coefficient_passes(self, n, d, number):
        assert check_number_of_monomials(number, n, d).passed
        assert check_number_of_monomials(float(number), n, d).passed
        assert not check_number_of_monomials(number + 1, n, d).passed

    @pytest.mark.parametrize(
        ("number", "message"),
        [
            (None, "number is still None"),
            (125, "counts x1 x2 and x2 x1 as two"),
            (35, "too few"),
            (100, "too many"),
            ("56", "expected a whole number"),
            (56.5, "expected a whole number"),
            (np.nan, "expected a whole number"),
            (np.inf, "expected a whole number"),
            (True, "expected a whole number"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, number, message):
        assert message in check_number_of_monomials(number, 5, 3).message


class TestCounterexample:
    def test_a_pair_of_opposites_passes(self):
        verdict = check_counterexample([0.1, -0.1])
        assert verdict.passed
        assert "eigenvalue -0.04" in verdict.message
        assert check_counterexample([3, -3]).passed

    @pytest.mark.parametrize(
        ("points", "message"),
        [
            (None, "points is still None"),
            ([], "at least one number"),
            ([2.0], "do not prove anything"),
            ([[1, 2]], "points: expected shape"),
            ("ab", "points: expected numbers"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, points, message):
        verdict = check_counterexample(points)
        assert not verdict.passed
        assert message in verdict.message
