import numpy as np
import pytest

from mlcore.exercises.nearest_neighbours import (
    check_classify,
    check_lead,
    check_scaling,
    check_undecided,
    check_unit,
    check_width,
)


def told(verdict, message):
    assert not verdict.passed
    assert message in repr(verdict)
    assert repr(verdict).startswith("Not yet. ")


def nearest_label(X, y, u):
    return y[np.linalg.norm(X - u, axis=1).argmin()]


class TestClassify:
    def test_right_answers_pass(self):
        assert check_classify(nearest_label).passed
        assert check_classify(lambda X, y, u: y[((X - u) ** 2).sum(axis=1).argmin()]).passed
        assert check_classify(lambda X, y, u: min(zip(((X - u) ** 2).sum(axis=1), range(len(X)), y))[2]).passed

    @pytest.mark.parametrize(
        ("classify", "message"),
        [
            (None, "classify is still None"),
            (3, "classify: expected a function"),
            (lambda X, y, u: None, "classify says None"),
            (lambda X, y: y[0], "TypeError"),
            (lambda X, y, u: y, "ValueError"),
            (lambda X, y, u: y[99], "IndexError"),
            (lambda X, y, u: np.linalg.norm(X - u, axis=1).argmin(), "but classify says"),
            (lambda X, y, u: y[np.linalg.norm(X - u, axis=1).argmax()], "the nearest point is"),
            (lambda X, y, u: y[np.abs(X - u).sum(axis=1).argmin()], "the nearest point is"),
            (lambda X, y, u: y[np.abs(X[:, 0] - u[0]).argmin()], "the nearest point is"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, classify, message):
        told(check_classify(classify), message)


class TestUndecided:
    def test_examples_of_ties_pass(self):
        assert check_undecided([[0], [1]], [1, -1], [0.2], 2).passed
        assert check_undecided(np.eye(4), ["a", "b", "b", "a"], np.zeros(4), 4).passed
        assert check_undecided([[0], [1], [3]], ["a", "b", "c"], [0], 3, odd=True).passed
        assert check_undecided([[0], [1], [2], [3], [4]], [1, 1, 2, 2, 3], [0], 5, odd=True).passed

    @pytest.mark.parametrize(
        ("X", "y", "u", "k", "odd", "message"),
        [
            (None, None, None, None, False, "X and y and u and k are still None"),
            ([[0], [1]], [1, -1], [0], 1, False, "k = 1 is odd; this example needs an even one"),
            ([[0], [1]], [1, -1], [0], 2, True, "k = 2 is even; this example needs an odd one"),
            ([[0], [1]], [1, 1], [0], 2, False, "These 2 decide: 1 2"),
            ([[0], [1], [2]], [1, -1, 1], [0], 3, True, "These 3 decide"),
            ([[0], [1]], [1, -1], [0], 4, False, "k = 4 asks more points than the 2"),
            ([[0], [1], [-1]], [1, -1, 1], [0], 2, False, "it is not clear who votes"),
            ([[0], [1]], [1], [0], 2, False, "y: expected 2 labels"),
            ([[0], [1]], 7, [0], 2, False, "y: expected a list of labels"),
            ([0, 1], [1, -1], [0], 2, False, "X: expected shape (n, d)"),
            ([[0], [1]], [1, -1], [0, 0], 2, False, "u: expected shape (1,)"),
            ([[0], [1]], [1, -1], [0], 2.0, False, "k: expected a whole number"),
            (np.empty((0, 2)), [], [0, 0], 2, False, "X: expected at least one row"),
            ([[0], [np.nan]], [1, -1], [0], 2, False, "got NaN"),
        ],
    )
    def test_what_is_no_tie_is_told_why(self, X, y, u, k, odd, message):
        told(check_undecided(X, y, u, k, odd=odd), message)

    @pytest.mark.parametrize("seed", range(20))
    def test_two_classes_and_an_odd_k_never_pass(self, seed):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(9, 2)), rng.choice(["+", "-"], size=9)
        assert not check_undecided(X, y, rng.normal(size=2), int(rng.choice([1, 3, 5, 7, 9])), odd=True).passed


class TestLead:
    def test_right_answers_pass(self):
        assert check_lead(lambda k, plus: 2 * plus - k).passed
        assert check_lead(lambda k, plus: plus - (k - plus)).passed
        assert check_lead(lambda k, plus: np.int64(2 * plus - k)).passed

    @pytest.mark.parametrize(
        ("lead", "message"),
        [
            (None, "lead is still None"),
            (5, "lead: expected a function"),
            (lambda k, plus: None, "gives None"),
            (lambda k, plus: plus - k, "lead(1, 1) = 0"),
            (lambda k, plus: k - 2 * plus, "With 0 votes for + and 1 for −, + is ahead by -1"),
            (lambda k: k, "TypeError"),
            (lambda k, plus: [2 * plus - k], "+ is ahead by"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, lead, message):
        told(check_lead(lead), message)


class TestUnit:
    @pytest.mark.parametrize("factor", [1.41, 10, 1000])
    def test_a_unit_that_turns_the_verdict_passes(self, factor):
        assert check_unit(factor).passed

    @pytest.mark.parametrize(
        ("factor", "message"),
        [
            (None, "factor is still None"),
            (1, "metal at 1.77, wood at 3.12, wood at 3.43: still wood"),
            (0.01, "still wood"),
            (1.39, "still wood"),
            (0, "factor: expected a number above 0"),
            (-10, "factor: expected a number above 0"),
            ("mm", "factor: expected a number above 0"),
            ([1, 10], "factor: expected a number above 0"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, factor, message):
        told(check_unit(factor), message)


def standardise(X, u):
    return (X - X.mean(axis=0)) / X.std(axis=0), (u - X.mean(axis=0)) / X.std(axis=0)


def with_the_newcomer(X, u):
    return tuple(np.split(standardise(np.vstack([X, u]), u)[0], [len(X)]))


class TestScaling:
    def test_right_answers_pass(self):
        assert check_scaling(standardise).passed
        assert check_scaling(lambda X, u: (X / X.std(axis=0), u / X.std(axis=0))).passed
        assert check_scaling(lambda X, u: (X / np.ptp(X, axis=0), u / np.ptp(X, axis=0))).passed
        assert check_scaling(lambda X, u: [X / X.std(axis=0, ddof=1), u / X.std(axis=0, ddof=1)]).passed

    @pytest.mark.parametrize(
        ("scale", "message"),
        [
            (None, "scale is still None"),
            ("z", "scale: expected a function"),
            (lambda X, u: (None, None), "scale returns None"),
            (lambda X, u: X, "expected two results"),
            (lambda X, u: (X, u[None]), "scaled u: expected shape (2,)"),
            (lambda X, u: (X, u), "In other units"),
            (lambda X, u: (standardise(X, u)[0], u), "In other units"),
            (lambda X, u: (X - X.mean(axis=0), u - X.mean(axis=0)), "In other units"),
            (lambda X, u: ((X - X.mean()) / X.std(), (u - X.mean()) / X.std()), "In other units"),
            (lambda X, u: (X / X.mean(axis=0), u / X.mean(axis=0)), "In other units"),
            (lambda X, u: (0 * X, u), "nothing is left"),
            (lambda X, u: (X / u, u / u), "change when u changes"),
            (lambda X, u: 1 / 0, "ZeroDivisionError"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, scale, message):
        told(check_scaling(scale), message)

    def test_a_scale_that_looks_at_the_newcomer_is_found_out(self):
        def scale(X, u):
            scaled, asker = with_the_newcomer(X, u)
            return scaled, asker[0]

        told(check_scaling(scale), "Take mean and deviation from X alone")


class TestWidth:
    @pytest.mark.parametrize("width", [1e-6, 0.5, 1, 2.16])
    def test_a_width_that_lets_the_nearest_win_passes(self, width):
        assert check_width(width).passed

    @pytest.mark.parametrize(
        ("width", "message"),
        [
            (None, "width is still None"),
            (2.17, "only the first is for metal"),
            (50, "only the first is for metal"),
            (0, "width: expected a number above 0"),
            ("wide", "width: expected a number above 0"),
            (np.nan, "width: expected a number above 0"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, width, message):
        told(check_width(width), message)
