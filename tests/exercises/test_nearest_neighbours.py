from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mlcore.exercises.nearest_neighbours import (
    check_classify,
    check_lead,
    check_scaling,
    check_undecided,
    check_unit,
    check_width,
)


def nearest_label(X, y, u):
    return y[np.linalg.norm(X - u, axis=1).argmin()]


def standardise(X, u):
    return (X - X.mean(axis=0)) / X.std(axis=0), (u - X.mean(axis=0)) / X.std(axis=0)


def with_the_newcomer(X, u):
    points, asker = np.split(standardise(np.vstack([X, u]), u)[0], [len(X)])
    return points, asker[0]


def spoiling(X, u):
    answer = standardise(X, u)
    X[:] = 0
    return answer


TIE = ([[0], [1]], [1, -1], [0.2], 2)
NUMBER = "factor: expected one number"
TABLE = {
    check_classify: dict(
        right=[
            (nearest_label,),
            (lambda X, y, u: y[((X - u) ** 2).sum(axis=1).argmin()],),
            (lambda X, y, u: min(zip(((X - u) ** 2).sum(axis=1), range(len(X)), y))[2],),
            (lambda X, y, u: np.array(nearest_label(X, y, u)),),
            (lambda X, y, u: [nearest_label(X, y, u)],),
            (lambda X, y, u: str(nearest_label(X, y, u)) if y.dtype.kind == "U" else int(nearest_label(X, y, u)),),
        ],
        wrong=[
            (None, "classify is still None"),
            (3, "classify: expected a function of X, y and u, got 3"),
            (lambda X, y, u: None, "Not yet. classify still returns None"),
            (lambda X, y: y[0], "cannot be called with X, y and u: TypeError"),
            (lambda X, y, u: y, "but classify says array("),
            (lambda X, y, u: y[99], "with IndexError"),
            (lambda X, y, u: {"label": y[0]}, "but classify says {'label'"),
            (lambda X, y, u: str(nearest_label(X, y, u)), "has the label 1.0, but classify says '1.0'"),
            (lambda X, y, u: nearest_label(X, y, u) == 1, "but classify says"),
            (lambda X, y, u: np.linalg.norm(X - u, axis=1).argmin(), "but classify says"),
            (lambda X, y, u: y[np.linalg.norm(X - u, axis=1).argmax()], "the nearest point is"),
            (lambda X, y, u: y[np.abs(X - u).sum(axis=1).argmin()], "the nearest point is"),
            (lambda X, y, u: y[np.abs(X[:, 0] - u[0]).argmin()], "the nearest point is"),
        ],
    ),
    check_undecided: dict(
        right=[
            TIE,
            (np.eye(4), ["a", "b", "b", "a"], np.zeros(4), 4),
            (pd.DataFrame({"x": [0, 1]}), pd.Series(["metal", "wood"]), (0.2,), np.int64(2)),
            ([[0], [1]], np.array([1.0, -1.0]), [[0.2]], 2.0),
            (((0, 0), (1, 1), (9, 9)), ("+", "-", "-"), [0.1, 0], 2),
        ],
        wrong=[
            (*TIE[:3], 1, "k = 1 is odd; this example needs an even one"),
            (TIE[0], [1, 1], TIE[2], 2, "These 2 decide: 1.0 2"),
            (TIE[0], [1, 1.0], TIE[2], 2, "These 2 decide: 1.0 2"),
            (TIE[0], [1, "1"], TIE[2], 2, "all text or all numbers"),
            (TIE[0], [1, np.nan], TIE[2], 2, "y[1] is NaN"),
            (*TIE[:3], 4, "k = 4 asks more points than the 2"),
            ([[0], [1], [-1]], [1, -1, 1], [0], 2, "it is not clear who votes"),
            (TIE[0], [1], TIE[2], 2, "y: expected 2 labels, got 1"),
            (TIE[0], 7, TIE[2], 2, "y: expected a list of 2 labels"),
            ([0, 1], [1, -1], [0], 2, "X: expected numbers in an array of shape (n, d), got 2 numbers"),
            (*TIE[:2], [0, 0], 2, "u: expected 1 number, got 2 numbers"),
            (*TIE[:3], 2.5, "k: expected a whole number"),
            (*TIE[:3], 0, "k: expected a whole number of at least 1"),
            (np.empty((0, 2)), [], [0, 0], 2, "asks more points than the 0"),
            ([[0], [np.nan]], *TIE[1:], "X[1, 0] is NaN"),
            ([[0], [1, 2]], *TIE[1:], "X: expected"),
        ],
    ),
    check_lead: dict(
        right=[
            (lambda k, plus: 2 * plus - k,),
            (lambda k, plus: plus - (k - plus),),
            (lambda k, plus: np.int64(2 * plus - k),),
            (lambda k, plus: float(2 * plus - k),),
            (lambda k, plus: Fraction(2 * plus - k),),
        ],
        wrong=[
            (5, "lead: expected a function"),
            (lambda k, plus: None, "lead still returns None"),
            (lambda k, plus: plus - k, "lead(1, 1) = 0"),
            (lambda k, plus: k - 2 * plus, "With 0 votes for + and 1 for −, + is ahead by -1"),
            (lambda k: k, "cannot be called with k and plus: TypeError"),
            (lambda k, plus: [2 * plus - k], "lead(1, 0): expected one number, got 1 number"),
            (lambda k, plus: str(2 * plus - k), "expected one number, got '-1'"),
            (lambda k, plus: 2 * plus > k, "expected one number, got False"),
            (lambda k, plus: 2 * plus - k if k < 20 else np.nan, "is NaN"),
            (lambda k, plus: 2 * plus - k + 0.1, "lead(1, 0) = -0.9"),
            (lambda k, plus: abs(2 * plus - k), "lead(1, 0) = 1"),
        ],
    ),
    check_unit: dict(
        right=[(10,), (1.41,), (1000.0,), (np.float64(2),), (Fraction(3, 2),), (np.array(10),)],
        wrong=[
            (1, "metal at 1.77, wood at 3.12, wood at 3.43: still wood"),
            (0.01, "still wood"),
            (1.39, "still wood"),
            (0, "factor: expected a number above 0, got 0"),
            (-10, "factor: expected a number above 0"),
            ("mm", f"{NUMBER}, got 'mm'"),
            ("10", f"{NUMBER}, got '10'"),
            ([1, 10], f"{NUMBER}, got 2 numbers"),
            (True, NUMBER),
            (np.nan, "factor is NaN"),
            (10 + 0j, NUMBER),
        ],
    ),
    check_scaling: dict(
        right=[
            (standardise,),
            (spoiling,),
            (lambda X, u: (X / X.std(axis=0), u / X.std(axis=0)),),
            (lambda X, u: (X / np.ptp(X, axis=0), u / np.ptp(X, axis=0)),),
            (lambda X, u: [X / X.std(axis=0, ddof=1), u / X.std(axis=0, ddof=1)],),
            (lambda X, u: ((X - X.min(axis=0)) / np.ptp(X, axis=0), (u - X.min(axis=0)) / np.ptp(X, axis=0)),),
        ],
        wrong=[
            ("z", "scale: expected a function"),
            (lambda X, u: (None, None), "scale: the scaled X and the scaled u are still None"),
            (lambda X, u: X, "expected 2 results, got 5"),
            (lambda X, u: {"X": X, "u": u}, "scale should return the scaled X, the scaled u, got {"),
            (lambda X, u: (X, u[0]), "the scaled u: expected 2 numbers, got one number"),
            (lambda X, u: (X, u), "In other units"),
            (lambda X, u: (standardise(X, u)[0], u), "the same object must land in the same place"),
            (lambda X, u: (standardise(X, u)[0], 0 * u), "the scaled u is (0, -0)"),
            (lambda X, u: (standardise(X, u)[0], standardise(X, u)[1] + 1), "must land in the same place"),
            (lambda X, u: ((X - X.min(0)) / np.ptp(X, axis=0), standardise(X, u)[1]), "must land in the same place"),
            (lambda X, u: (X - X.mean(axis=0), u - X.mean(axis=0)), "In other units"),
            (lambda X, u: ((X - X.mean()) / X.std(), (u - X.mean()) / X.std()), "In other units"),
            (lambda X, u: (X / X.mean(axis=0), u / X.mean(axis=0)), "In other units"),
            (lambda X, u: (0 * X, u), "nothing is left"),
            (lambda X, u: (X / u, u / u), "change when u changes"),
            (with_the_newcomer, "Take mean and deviation from X alone"),
            (lambda X, u: 1 / 0, "ZeroDivisionError"),
            (lambda X, u: (X * np.nan, u), "the scaled X[0, 0] is NaN"),
        ],
    ),
    check_width: dict(
        right=[(1,), (1e-6,), (0.5,), (2.16,), (np.float32(1),), (Fraction(1, 3),)],
        wrong=[
            (2.17, "only the first is for metal"),
            (50, "only the first is for metal"),
            (1e30, "only the first is for metal"),
            (0, "width: expected a number above 0"),
            (-1, "width: expected a number above 0"),
            ("wide", "width: expected one number, got 'wide'"),
            ([1], "width: expected one number, got 1 number"),
            ([1, [2]], "width: expected one number"),
            (False, "width: expected one number"),
            (np.nan, "width is NaN"),
            (np.inf, "width is infinite"),
        ],
    ),
}


class TestOddTies:
    @pytest.mark.parametrize(
        "example",
        [
            ([[0], [1], [3]], ["a", "b", "c"], [0], 3),
            ([[0], [1], [2], [3], [4]], [1, 1, 2, 2, 3], [0], 5),
        ],
    )
    def test_three_classes_can_tie(self, example):
        assert check_undecided(*example, odd=True).passed

    def test_what_is_no_such_tie_is_told_why(self):
        assert "k = 2 is even; this example needs an odd one" in check_undecided(*TIE, odd=True).message
        assert "These 3 decide" in check_undecided([[0], [1], [2]], [1, -1, 1], [0], 3, odd=True).message

    @pytest.mark.parametrize("seed", range(20))
    def test_two_classes_and_an_odd_k_never_pass(self, seed):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(9, 2)), rng.choice(["+", "-"], size=9)
        assert not check_undecided(X, y, rng.normal(size=2), int(rng.choice([1, 3, 5, 7, 9])), odd=True).passed
