from fractions import Fraction

import cvxopt
import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

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


def three(x1, x2, root=2**0.5):
    return [x1**2, x2**2, root * x1 * x2]


def four(x1, x2):
    return [x1 * x1, x1 * x2, x1 * x2, x2 * x2]


def turned(x1, x2):
    return np.array([x1 * x1 + x2 * x2, x1 * x1 - x2 * x2, 2 * x1 * x2]) / 2**0.5


X, Y = circle_data(n=60)
KERNEL = Polynomial(2, 0)
SOLUTION = solve_dual(KERNEL(X), Y, np.inf)
ALPHA, B = SOLUTION.alpha, SOLUTION.b
MACHINE = SVC(kernel="poly", degree=2, gamma=1, coef0=0, C=1e6).fit(X, Y)  # else with its default settings
SPARSE = np.zeros(60)
SPARSE[MACHINE.support_] = np.abs(MACHINE.dual_coef_[0])


def two_points_alone():
    """Return the right machine of two points only: others stand too near."""
    pair = [int(np.flatnonzero(Y > 0)[0]), int(np.flatnonzero(Y < 0)[0])]
    small = solve_dual(KERNEL(X[pair]), Y[pair], np.inf)
    alpha = np.zeros(60)
    alpha[pair] = small.alpha
    return alpha, small.b


TABLE = {
    check_inseparable: dict(
        right=[
            ([[1, 1], [-1, -1]], [[-1, 1], [1, -1]]),
            ([[0, 0], [2, 0]], [[1, 0], [3, 0]]),  # on one line
            (np.array([[0, 0], [0, 5]]), ((-1, 2), (4, 3))),
            (pd.DataFrame([[1, 1], [-1, -1]]), [np.array([-1, 1]), (1.0, -1.0)]),
            ([[0, 0], [Fraction(1, 3), Fraction(1, 3)]], [[0, Fraction(1, 3)], [Fraction(1, 3), 0]]),
        ],
        wrong=[
            ([[0, 0], [1, 1]], [[0, 1], [1, 2]], "A line separates them, for instance 2 x1 - 2 x2 + 1 = 0"),
            ([[0, 0], [1, 0]], [[0, 1], [1, 1]], "A line separates them"),
            ([[0, 0], [5, 0]], [[1, 1], [3, 2]], "A line separates them"),
            ([[0, 0], [1, 1]], [[0, 0], [1, 2]], "Two of the four points are the same"),
            ([[0, 0]], [[0, 1], [1, 2]], "positive: expected numbers in an array of shape (2, 2)"),
            ([0, 0, 1, 1], [0, 1, 1, 0], "positive: expected numbers in an array of shape (2, 2), got 4 numbers"),
            ([[0, 0], [1, np.inf]], [[0, 1], [1, 2]], "positive[1, 1] is infinite"),
            ([[0, 0], [1, np.nan]], [[0, 1], [1, 2]], "positive[1, 1] is NaN"),
            ([[0, 0], [1, 1]], [[0, 1], [1]], "negative: expected numbers"),
            ([[0, 0], [1, 1]], [[0, 1], [1, None]], "negative[1, 1] is still None"),
            ("points", [[0, 1], [1, 2]], "positive: expected numbers in an array of shape (2, 2), got 'points'"),
        ],
    ),
    check_two_feature_maps: dict(
        right=[
            (three, four),
            (lambda a, b: [-v for v in three(a, b)], three),
            (turned, four),
            (lambda a, b: tuple(three(a, b, 1.41421356)), four),
            (lambda a, b: three(a, b, 1.414214), lambda a, b: np.reshape(turned(a, b), (3, 1))),
        ],
        wrong=[
            (three, three, "they are the same map"),
            (three, lambda a, b: [a * a, b * b, a * b], "second: at x ="),
            (lambda a, b: three(a, b, 1.41), four, "Nearly. first: a constant in it"),
            (lambda a, b: three(a, b, 1.4), four, "first"),
            (lambda a, b: three(a, b, 2), four, "first: at x ="),
            (three, [1, 2, 3], "second: expected a function of x1 and x2"),
            (lambda a: [a], three, "first cannot be called with x1 and x2: TypeError"),
            (lambda a, b: ["a"], three, "first(x1, x2): expected a list of numbers"),
            (lambda a, b: [a * a, [b]], three, "first(x1, x2): expected a list of numbers"),
            (lambda a, b: [a] * (1 if a > 0 else 2), three, "always as many"),
            (lambda a, b: a, three, "first(x1, x2): expected a list of numbers, got one number"),
            (lambda a, b: [np.nan], three, "first(x1, x2)[0] is NaN"),
            (three, lambda a, b: {"a": a}, "second(x1, x2): expected a list of numbers, got {"),
        ],
    ),
    check_kernel_machine: dict(
        context=dict(X=X, y=Y, kernel=KERNEL),
        right=[
            (ALPHA, B),
            (SPARSE, MACHINE.intercept_[0]),
            (ALPHA.tolist(), np.array(B)),
            (cvxopt.matrix(ALPHA), B),
            (pd.Series(ALPHA), Fraction(B)),
            (ALPHA.round(4), round(B, 3)),
        ],
        wrong=[
            (ALPHA[:3], B, "alpha: expected 60 numbers, got 3 numbers"),
            ("all", B, "alpha: expected 60 numbers, got 'all'"),
            (ALPHA, [B, B], "b: expected one number, got 2 numbers"),
            (-ALPHA, B, "none may be negative"),
            (ALPHA + 0.1 * ALPHA.max() * np.eye(60)[0], B, "the sum of alpha_i y_i must be 0"),
            (0 * ALPHA, B, "all are 0"),
            (2 * ALPHA, B, "do not agree on b"),
            (ALPHA, 1 / Y[8] + 1.0, "on every support vector"),
            (ALPHA, 1 / Y[0] + (KERNEL(X) @ (ALPHA * Y))[0], "on every support vector"),  # the printed sign
            (ALPHA, -B, "on every support vector"),
            (*two_points_alone(), "every point needs at least 1"),
            (ALPHA * np.nan, B, "alpha[0] is NaN"),
            (ALPHA, "4.94", "b: expected one number, got '4.94'"),
        ],
    ),
    check_number_of_monomials: dict(
        context=dict(n=5, d=3),
        right=[(56,), (56.0,), (np.int64(56),), (np.array(56),), (Fraction(56),)],
        wrong=[
            (125, "counts x1 x2 and x2 x1 as two"),
            (35, "too few"),
            (100, "too many"),
            (-56, "too few"),
            ("56", "number: expected one number, got '56'"),
            (56.5, "expected a whole number, got 56.5"),
            (np.nan, "number is NaN"),
            (np.inf, "number is infinite"),
            (True, "number: expected one number, got True"),
            ([56], "number: expected one number, got 1 number"),
            (56 + 0j, "number: expected one number"),
        ],
    ),
    check_counterexample: dict(
        right=[([3, -3],), ((0.2, -0.2),), (np.array([[1], [-1]]),), (pd.Series([2, -2, 5]),), ([0.1, -0.1, 1],)],
        wrong=[
            ([0.1, -0.1], "that is the pair ±0.1"),
            ([-0.1, 0.1], "that is the pair ±0.1"),
            (np.array([0.1, -0.1, 0.1]), "that is the pair ±0.1"),
            ([], "at least one number"),
            ([2.0], "do not prove anything"),
            ([0, 0], "do not prove anything"),
            ([[1, 2], [3, 4]], "points: expected a list of numbers, got numbers in an array of shape (2, 2)"),
            ([[1, 2], [3]], "points: expected a list of numbers"),
            ("ab", "points: expected a list of numbers, got 'ab'"),
            ([3, np.nan], "points[1] is NaN"),
            ([3, "-3"], "points: expected a list of numbers"),
            (np.zeros(5000), "points: expected at most 1000 entries, got 5000"),
        ],
    ),
}


@pytest.mark.parametrize("seed", range(3))
def test_the_machine_agrees_with_the_solver_on_other_data_and_kernels(seed):
    points, labels = circle_data(n=40, seed=seed)
    for kernel in (Polynomial(2, 1.0), Gaussian(1.0)):
        solution = solve_dual(kernel(points), labels, np.inf)
        assert check_kernel_machine(solution.alpha, solution.b, points, labels, kernel).passed


def test_a_kernel_is_asked_for():
    assert "kernel: expected a kernel" in check_kernel_machine([1], 0, [[1]], [1], "rbf").message


@pytest.mark.parametrize(("n", "d", "number"), [(5, 3, 56), (2, 2, 6), (1, 4, 5), (4, 1, 5)])
def test_the_binomial_coefficient_passes(n, d, number):
    assert check_number_of_monomials(number, n, d).passed
    assert not check_number_of_monomials(number + 1, n, d).passed
