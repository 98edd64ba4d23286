import numpy as np
import pytest

from mlcore.exercises.lagrange import (
    check_broken_constraint,
    check_lagrange_function,
    check_smallest_on_the_line,
    check_squared_slack,
)


def subtracted(x, y, alpha):
    return x**2 + y**2 - alpha * (x + y - 2)


def added(x, y, alpha):
    return x**2 + y**2 + alpha * (x + y - 2)


def told(verdict, message):
    assert not verdict.passed
    assert repr(verdict).startswith("Not yet. ")
    assert message in verdict.message
    return True


class TestLagrangeFunction:
    @pytest.mark.parametrize("lagrangian", [subtracted, added, lambda x, y, a: x * x + y * y + 3 * a * (2 - x - y)])
    def test_right_answers_pass(self, lagrangian):
        assert check_lagrange_function(lagrangian).passed

    @pytest.mark.parametrize(
        ("lagrangian", "message"),
        [
            (None, "lagrangian is still None"),
            (7, "not callable"),
            (lambda x, y: x + y, "takes 2 positional arguments"),
            (lambda x, y, a: x**2 + y**2 - a * (x + y), "must be f = 4 whatever alpha is"),
            (lambda x, y, a: x + y - a * (x**2 + y**2 - 2), "must be f = 4"),
            (lambda x, y, a: x**2 + y**2, "must change with alpha"),
            (lambda x, y, a: x**2 + y**2 - a * (x + y - 2) ** 2, "in proportion to x + y − 2"),
            (lambda x, y, a: x**2 + y**2 - a**2 * (x + y - 2), "a straight line in alpha"),
            (lambda x, y, a: x**2 + y**2 - (a + 1) * (x + y - 2), "With alpha = 0 only f"),
            (lambda x, y, a: [x, y], "L(x, y, alpha): expected shape ()"),
            (lambda x, y, a: np.nan, "got NaN"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, lagrangian, message):
        assert told(check_lagrange_function(lagrangian), message)


class TestSmallestOnTheLine:
    def test_the_sign_follows_the_readers_function(self):
        assert check_smallest_on_the_line(1, 1, 2, subtracted).passed
        assert check_smallest_on_the_line(1, 1, -2, added).passed

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            ((None, None, None, subtracted), "x and y and alpha are still None"),
            ((1, 1, 2, None), "lagrangian is still None"),
            ((1, 1, 2, lambda x, y, a: x + y + a), "First the Lagrange function"),
            ((1, 1, -2, subtracted), "the point is right, the multiplier is not"),
            ((2, 2, 2, subtracted), "not on the line: x + y = 4"),
            ((0, 2, 2, subtracted), "the forces do not balance"),
            (("one", 1, 2, subtracted), "x: expected numbers"),
            (([1], 1, 2, subtracted), "x: expected shape ()"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, answer, message):
        assert told(check_smallest_on_the_line(*answer), message)


class TestBrokenConstraint:
    def test_any_prices_that_do_the_job_pass(self):
        assert check_broken_constraint(self.both).passed
        assert check_broken_constraint(lambda f0, f1, h, M: (1e15 * (f1 > 0), np.sign(h) * 1e15 * (f1 <= 0))).passed

    @staticmethod
    def both(f0, f1, h, M):
        need = max(0, M - f0)
        if f1 > 0:
            return need / f1, 0
        return 0, need / h if h else 0

    @pytest.mark.parametrize(
        ("multipliers", "message"),
        [
            (None, "multipliers is still None"),
            (lambda f0, f1, h, M: (0, 0), "h = 1.5 is broken"),
            (lambda f0, f1, h, M: (-M, -M), "λ may not be negative"),
            (lambda f0, f1, h, M: (0, M / h if h else 0), "f1 = 0.01 is broken"),
            (lambda f0, f1, h, M: (0, M / h), "division by zero"),
            (lambda f0, f1, h, M: (1e15 * (f1 > 0) + 1 * (h == 0), np.sign(h) * 1e15 * (f1 <= 0)), "but λ = 1 loses 2"),
            (lambda f0, f1, h, M: 3, "(λ, ν): expected shape (2,)"),
            (lambda f0, f1: 3, "takes 2 positional arguments"),
            ("both", "not callable"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, multipliers, message):
        assert told(check_broken_constraint(multipliers), message)


def gram(X, y):
    return (y[:, None] * X) @ (y[:, None] * X).T


class TestSquaredSlack:
    def test_the_right_dual_passes(self):
        assert check_squared_slack(lambda X, y, C: (gram(X, y) + np.eye(len(y)) / C, np.inf)).passed

    @pytest.mark.parametrize(
        ("dual", "message"),
        [
            (None, "squared_slack_dual is still None"),
            (lambda X, y, C: (gram(X, y), C), "still an upper bound"),
            (lambda X, y, C: (gram(X, y) + np.eye(len(y)) / C, C / 10), "still an upper bound"),
            (lambda X, y, C: (gram(X, y) + C * np.eye(len(y)), np.inf), "on it you add 0.2"),
            (lambda X, y, C: (gram(X, y) + np.eye(len(y)) / (2 * C), np.inf), "on it you add 2.5"),
            (lambda X, y, C: (gram(X, y) + 2 * np.eye(len(y)) / C, np.inf), "on it you add 10"),
            (lambda X, y, C: (gram(X, y) + 1 / C, np.inf), "Off the diagonal Q must be"),
            (lambda X, y, C: (X @ X.T + np.eye(len(y)) / C, np.inf), "Off the diagonal Q must be"),
            (lambda X, y, C: (gram(X, y), np.inf), "on it you add 0"),
            (lambda X, y, C: (gram(X, y) - np.eye(len(y)) / C, np.inf), "positive semidefinite"),
            (lambda X, y, C: (np.eye(3), np.inf), "Q: expected shape (12, 12)"),
            (lambda X, y, C: np.eye(12), "too many values to unpack"),
            (lambda X, y, C: (gram(X, y), None), "upper: expected numbers"),
            (lambda X, y, C: (gram(X, y) + np.eye(len(y)) / C, np.nan), "upper: expected numbers, got NaN"),
            (lambda X, y, C: (gram(X, y) + np.eye(len(y)) / C, -1.0), "upper"),
            (lambda X: X, "takes 1 positional argument"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, dual, message):
        assert told(check_squared_slack(dual), message)
