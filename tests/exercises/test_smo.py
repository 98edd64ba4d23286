import numpy as np
import pytest

from mlcore.datasets import shape_bitmaps
from mlcore.exercises.smo import BITMAPS, PAIR, check_bitmap_machine, check_bounds, check_pair, check_starting_points
from mlcore.svm import pair_update, simplified_smo, smo


class TestStartingPoints:
    @pytest.mark.parametrize("other", [[0.5, 0, 0, 0.5, 0], [0, 1, 0, 0, 1], np.array([0, 0, 0.2, 0.2, 0])])
    def test_two_of_opposite_labels_pass(self, other):
        assert check_starting_points([0] * 5, other).passed

    @pytest.mark.parametrize(
        ("zero", "other", "message"),
        [
            (None, None, "zero and other are still None"),
            ([0] * 5, None, "other is still None"),
            ([0] * 4, [0.5, 0, 0, 0.5, 0], r"zero: expected shape (5,)"),
            ("zero", [0.5, 0, 0, 0.5, 0], "zero: expected numbers"),
            ([0] * 5, [np.nan, 0, 0, 0, 0], "other: expected numbers, got NaN"),
            ([0.5, 0, 0, 0.5, 0], [0.5, 0, 0, 0.5, 0], "zero: feasible, but not the start"),
            ([0] * 5, [0] * 5, "different from 0"),
            ([0] * 5, [0.5, 0, 0, 0, 0], "Σ yᵢαᵢ must be 0, but it is 0.5"),
            ([0] * 5, [0.5, 0, 0, -0.5, 0], "between 0 and C"),
            ([0] * 5, [2, 0, 0, 2, 0], "between 0 and C"),
            ([0] * 5, [0.2, 0.2, 0, 0.4, 0], "It can be done with fewer"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, zero, other, message):
        verdict = check_starting_points(zero, other)
        assert not verdict.passed
        assert message in repr(verdict)


def _right_bounds(alpha1, alpha2, equal, C):
    s = alpha1 + alpha2 if equal else alpha2 - alpha1
    return (max(0, s - C), min(C, s)) if equal else (max(0, s), min(C, s + C))


class TestBounds:
    def test_the_right_function_passes(self):
        assert check_bounds(_right_bounds).passed
        assert check_bounds(lambda *arguments: list(_right_bounds(*arguments))).passed

    @pytest.mark.parametrize(
        ("bounds", "message"),
        [
            (None, "bounds is still None"),
            ((0, 1), "bounds: expected a function"),
            (lambda a1, a2, equal, C: (None, None), "bounds returns None"),
            (lambda a1, a2, equal, C: None, "bounds returns None"),
            (lambda a1, a2, equal, C: (0, 1, 2), r"expected shape (2,)"),
            (lambda a1, a2, equal, C: "LH", "expected numbers"),
            (lambda a1, a2: (0, 1), "bounds cannot be called"),
            (lambda a1, a2, equal, C: (0, C), "leaves the box"),
            (lambda a1, a2, equal, C: (a2, a2), "could go further"),
            (lambda a1, a2, equal, C: _right_bounds(a1, a2, equal, C)[::-1], "is above H"),
            (lambda a1, a2, equal, C: _right_bounds(a1, a2, True, C), "labels opposite"),
            (lambda a1, a2, equal, C: _right_bounds(a1, a2, False, C), "labels equal"),
        ],
    )
    def test_a_wrong_function_is_told_why(self, bounds, message):
        verdict = check_bounds(bounds)
        assert not verdict.passed
        assert message in repr(verdict)


class TestPair:
    def test_the_update_of_the_package_passes(self):
        step = pair_update(**PAIR)
        assert check_pair(step.alpha1, step.alpha2).passed
        assert (step.alpha1, step.alpha2) == (1.0, 0.75)

    @pytest.mark.parametrize(
        ("alpha1", "alpha2", "message"),
        [
            (None, None, "alpha1 and alpha2 are still None"),
            (1.875, 1.625, "outside the box"),
            (0.0, 0.75, "not on the line"),
            (1.0, 1.0, "not on the line"),
            (0.5, 0.25, "still grows when α₂ gets larger"),
            (0.25, 0.0, "still grows when α₂ gets larger"),
            ([1, 2], 0.75, r"alpha1: expected shape ()"),
            ("one", 0.75, "alpha1: expected numbers"),
            (1.0, np.nan, "alpha2: expected numbers, got NaN"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, alpha1, alpha2, message):
        verdict = check_pair(alpha1, alpha2)
        assert not verdict.passed
        assert message in repr(verdict)

    def test_only_one_point_of_the_segment_passes(self):
        passed = [a for a in np.linspace(0, 0.75, 76) if check_pair(0.25 + a, a).passed]
        assert passed == [0.75]


def _bitmap_problem():
    X, y = shape_bitmaps(**BITMAPS)
    return X @ X.T, y


class TestBitmapMachine:
    def test_every_solver_passes(self):
        K, y = _bitmap_problem()
        for result in (smo(K, y, 1.0), simplified_smo(K, y, 1.0, tolerance=1e-2)):
            assert check_bitmap_machine(result.alpha, result.b).passed

    def test_wrong_answers_are_told_why(self):
        K, y = _bitmap_problem()
        result = smo(K, y, 1.0, tolerance=1e-6)
        unbalanced = result.alpha.copy()
        unbalanced[0] += 0.01
        early = smo(K, y, 1.0, max_iter=3)
        cases = [
            (None, None, "alpha and b are still None"),
            (result.alpha, None, "b is still None"),
            (result.alpha[:5], 0.0, r"alpha: expected shape (40,)"),
            ("alpha", 0.0, "alpha: expected numbers"),
            (result.alpha, [1, 2], "b: expected shape ()"),
            (result.alpha - 1, result.b, "between 0 and C = 1"),
            (unbalanced, result.b, "Σ yᵢαᵢ must be 0, but it is 0.01"),
            (early.alpha, early.b, "go on until it is below 0.02"),
            (np.zeros(40), 0.0, "the KKT gap is 2"),
            (result.alpha, result.b + 0.5, "violates the conditions at the free"),
        ]
        for alpha, b, message in cases:
            verdict = check_bitmap_machine(alpha, b)
            assert not verdict.passed
            assert message in repr(verdict)
