import numpy as np
import pytest

from mlcore.datasets import four_points, two_clouds
from mlcore.exercises.margins import check_five_points, check_plane_in_space, check_widest_street, is_widest_street
from mlcore.svm import solve_primal


class TestWidestStreet:
    def test_the_right_answer_passes(self):
        assert check_widest_street([-1, 1], 0).passed
        assert check_widest_street(np.array([-1.00001, 0.99999]), 1e-6).passed

    @pytest.mark.parametrize(
        ("w", "b", "message"),
        [
            (None, None, "w and b are still None"),
            ([-1, 1], None, "b is still None"),
            ([1, -1], 0, "every point needs at least 1"),
            ([-2, 2], 0, "Scale w and b down"),
            ([-1, 1], 0.3, "every point needs at least 1"),
            ([-1, 1, 0], 0, r"w: expected shape (2,)"),
            ("up", 0, "w: expected numbers"),
            ([-1, 1], [0, 1], "b: expected shape ()"),
            ([np.nan, 1], 0, "w: expected numbers, got NaN"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, w, b, message):
        verdict = check_widest_street(w, b)
        assert not verdict.passed
        assert message in repr(verdict)
        assert repr(verdict).startswith("Not yet. ")

    def test_a_separating_line_that_is_not_the_widest(self):
        X, y = np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([1.0, -1.0])
        assert is_widest_street([0, 1], 0, X, y).passed
        assert "can be turned or shifted" in is_widest_street([0.7, 1.0], 0, X, y).message

    @pytest.mark.parametrize("seed", range(5))
    def test_it_agrees_with_the_solver_on_random_data(self, seed):
        X, y = two_clouds(n=20, distance=8, seed=seed)
        solution = solve_primal(X, y, np.inf)
        assert is_widest_street(solution.w, solution.b, X, y).passed
        turned = solution.w + 0.2 * solution.norm * np.array([-solution.w[1], solution.w[0]]) / solution.norm
        margins = y * (X @ turned)
        low, high = margins[y > 0].min(), margins[y < 0].min()
        scale = 2 / (low + high)  # canonical form of the turned line
        assert "can be turned or shifted" in is_widest_street(scale * turned, 1 - scale * low, X, y).message


class TestFifthPoint:
    def test_any_valid_proof_passes(self):
        p, q, r = np.linalg.solve([[1, 2, -1], [0, 1, 1.5], [1, 1, 1]], [0, 1, 1])
        assert check_five_points(True, False, [1, 0, p, q, r]).passed
        assert check_five_points(True, False, [5 / 7, 2 / 7, 0, 3 / 7, 4 / 7]).passed

    @pytest.mark.parametrize(
        ("plus", "minus", "weights", "message"),
        [
            (None, None, None, "separable_plus and separable_minus and weights are still None"),
            (False, False, [1, 0, 0, 0, 0], "Labelled +"),
            (True, True, [1, 0, 0, 0, 0], "Labelled −"),
            (True, False, [1, 0, 1, 0, 0], "a proof needs the same point"),
            (True, False, [1, 1, 0, 0.5, 0.5], "must sum to 1"),
            (True, False, [2, -1, 1, 0, 0], "none may be negative"),
            (True, False, [1, 0], "expected shape (5,)"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, plus, minus, weights, message):
        verdict = check_five_points(plus, minus, weights)
        assert not verdict.passed
        assert message in verdict.message


class TestPlaneInSpace:
    @pytest.mark.parametrize("sign", [1, -1])
    def test_either_labelling_passes(self, sign):
        assert check_plane_in_space(sign * np.full(3, 2 / 3), -sign).passed

    @pytest.mark.parametrize(
        ("w", "b", "message"),
        [
            (None, 1, "w is still None"),
            ([1, 1, 1], -1, "can be turned or shifted"),
            ([2, 0, 0], -1, "can be turned or shifted"),
            ([2 / 3, 2 / 3], -1, "expected shape (3,)"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, w, b, message):
        verdict = check_plane_in_space(w, b)
        assert not verdict.passed
        assert message in verdict.message


def test_four_points_are_those_of_the_exercise():
    assert four_points()[0].tolist() == [[0, 1], [1, 2], [1, 0], [2, 1]]
