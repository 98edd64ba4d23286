import numpy as np
import pytest

from mlcore.exercises.linear_programs import check_graphical_solution, check_hull_corners, check_separate
from mlcore.optimize import extreme_points, separating_plane


class TestGraphicalSolution:
    def test_the_right_answer_passes(self):
        verdict = check_graphical_solution(3, 12, [1.25, 0.25, 0])
        assert verdict.passed
        assert "(3, 12) is feasible with value 33" in verdict.message
        assert check_graphical_solution(np.float64(3), 12.0, np.array([5 / 4, 1 / 4, 0.0])).passed

    @pytest.mark.parametrize(
        ("x", "y", "weights", "message"),
        [
            (None, None, None, "x and y and weights are still None"),
            (3, 12, None, "weights is still None"),
            (0, 0, [0, 0, 1], "with x ≥ 0 and y ≥ 0 active you can still walk uphill"),
            (1, 1, [0, 0, 1], "lies inside: walk along (3, 2)"),
            (6, 6, [0, 0, 1], "value 30, but with 2x + y ≤ 18 and 3x + y ≤ 24 active"),
            (0, 14, [0, 0, 1], "value 28, but with 2x + 3y ≤ 42 and x ≥ 0 active"),
            (30 / 7, 78 / 7, [0, 0, 1], "breaks 2x + y ≤ 18"),
            (-1, 0, [0, 0, 1], "breaks x ≥ 0"),
            (3, 12, [-1, 1, 1], "no weight may be negative"),
            (3, 12, [1, 0, 0], "sum to 2x + 1y ≤ 18, which says too little"),
            (3, 12, [0, 1.5, 0], "sum to 3x + 4.5y ≤ 63, a true bound, but one that leaves room"),
            (3, 12, [1, 1], r"weights: expected shape (3,)"),
            ("three", 12, [1, 1, 1], "x: expected numbers"),
            ([3, 3], 12, [1, 1, 1], "x: expected shape ()"),
            (np.nan, 12, [1, 1, 1], "NaN"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, x, y, weights, message):
        verdict = check_graphical_solution(x, y, weights)
        assert not verdict.passed
        assert message in verdict.message


class TestHullCorners:
    def test_right_answers_pass_in_any_form(self):
        assert check_hull_corners(extreme_points).passed
        assert check_hull_corners(lambda X: list(extreme_points(X))[::-1]).passed
        assert check_hull_corners(lambda X: np.isin(np.arange(len(X)), extreme_points(X))).passed

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (None, "expected a function"),
            (lambda X: None, "returned None: fill it in"),
            (lambda X: range(len(X)), "is listed, but it is a mixture of the other points"),
            (lambda X: [], "is missing: no mixture"),
            (lambda X: np.arange(len(X)) + 1, "expected rows from 0 to 8, got 1 to 9"),
            (lambda X: X, "expected row numbers in one dimension"),
            (lambda X: "all", "expected row numbers in one dimension"),
            (lambda X: [0.5], "expected row numbers in one dimension"),
            (lambda X: 1 / 0, "stopped at nine points on a grid with ZeroDivisionError"),
            (lambda: None, "TypeError"),
            # Forgets that weights sum to 1: the cone instead of the hull.
            (lambda X: np.flatnonzero(np.abs(X).sum(axis=1) > 1), "is listed|is missing"),
            # Knows two dimensions only.
            (lambda X: extreme_points(X[:, :2]), "in space is missing|in space is listed"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, answer, message):
        verdict = check_hull_corners(answer)
        assert not verdict.passed
        assert any(part in verdict.message for part in message.split("|"))

    def test_the_reader_may_spoil_the_points(self):
        def spoiling(X):
            corners = extreme_points(X)
            X[:] = 0
            return corners

        assert check_hull_corners(spoiling).passed


def _right(X, y):
    result = separating_plane(X, y)
    return ((result.w, result.b), None) if result.separable else (None, result.weights)


class TestSeparate:
    def test_the_right_answer_passes(self):
        verdict = check_separate(_right)
        assert verdict.passed
        assert verdict.message == "3 pairs of clouds separated, and 4 proven inseparable."

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (None, "expected a function"),
            (lambda X, y: None, "expected a pair"),
            (lambda X, y: (None, None), "says nothing about two columns"),
            (lambda X, y: (([1, 0], -4.5), np.ones(8) / 4), "both at once cannot be right"),
            (lambda X, y: (([1, 0], 0), None), "is on the wrong side of the plane"),
            (lambda X, y: (([1, 0], -4), None), "the plane goes through point 0"),
            (lambda X, y: (([0, 0], 0), None), "goes through point 0"),
            (lambda X, y: (([1, 0, 0], -4.5), None), "expected a plane (w, b). w: expected shape (2,)"),
            (lambda X, y: (7, None), "expected a plane (w, b)"),
            (lambda X, y: (None, np.ones(8) / 4), "Is there a plane after all?"),
            (lambda X, y: (None, np.ones(len(y))), "the weights of each class must sum to 1, got 4 and 4"),
            (lambda X, y: (None, -np.ones(len(y))), "no weight may be negative"),
            (lambda X, y: (None, [1, 2]), "weights: expected shape (8,)"),
            (lambda X, y: 1 / 0, "stopped at two columns with ZeroDivisionError"),
            (lambda X, y: (([1, 0], -4.5), None), "two columns, reflected in the origin: point"),
            # Never doubts that there is a plane.
            (lambda X, y: ((X[y > 0].mean(0) - X[y < 0].mean(0), 0.0), None), "wrong side"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, answer, message):
        verdict = check_separate(answer)
        assert not verdict.passed
        assert message in verdict.message
