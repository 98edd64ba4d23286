from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import four_points, two_clouds
from mlcore.exercises._verdict import Refusal
from mlcore.exercises.margins import check_five_points, check_plane_in_space, check_widest_street, widest_street
from mlcore.svm import solve_primal

PROOF = [5 / 7, 2 / 7, 0, 3 / 7, 4 / 7]
CORNER = [1, 0, *np.linalg.solve([[1, 2, -1], [0, 1, 1.5], [1, 1, 1]], [0, 1, 1])]
TABLE = {
    check_widest_street: dict(
        right=[
            ([-1, 1], 0),
            (np.array([-1.00001, 0.99999]), 1e-6),
            ((-1.0, 1.0), np.float64(0)),
            (pd.Series([-1, 1]), Fraction(0)),
            (np.array([[-1], [1]]), np.array(0)),
            ([-0.9995, 1.0004], 0.0003),
        ],
        wrong=[
            ([-1, 1], None, "b is still None"),
            ([-1, None], 0, "w[1] is still None"),
            ([1, -1], 0, "every point needs at least 1"),
            ([-2, 2], 0, "the smallest y(w·x + b) is 2, not 1. Scale w and b down"),
            ([-0.99, 0.99], 0, "has y(w·x + b) = 0.99, but every point needs at least 1"),
            ([-1.002, 1.002], 0, "the smallest y(w·x + b) is 1.002, not 1"),
            ([-1, 1], 0.3, "every point needs at least 1"),
            ([-1, 1, 0], 0, "w: expected 2 numbers, got 3 numbers"),
            ("up", 0, "w: expected 2 numbers, got 'up'"),
            (["-1", "1"], 0, "w: expected 2 numbers"),
            ([-1, 1], [0, 1], "b: expected one number, got 2 numbers"),
            ([np.nan, 1], 0, "w[0] is NaN"),
            ([[-1], [1, 2]], 0, "w: expected 2 numbers"),
        ],
    ),
    check_five_points: dict(
        right=[
            (True, False, PROOF),
            (True, False, CORNER),
            (np.True_, np.False_, np.array(PROOF)),
            (True, False, np.array(PROOF).round(3)),
            (True, np.array(False), pd.Series(CORNER)),
            (True, False, (Fraction(5, 7), Fraction(2, 7), 0, Fraction(3, 7), Fraction(4, 7))),
        ],
        wrong=[
            (False, False, PROOF, "Labelled +"),
            (True, True, PROOF, "Labelled −"),
            ("no", False, PROOF, "separable_plus: expected True or False, got 'no'"),
            (True, "no", PROOF, "separable_minus: expected True or False, got 'no'"),
            (1, 0, PROOF, "separable_plus: expected True or False, got 1"),
            (np.array([True, False]), False, PROOF, "separable_plus: expected True or False"),
            (True, False, [1, 0, 1, 0, 0], "a proof needs the same point"),
            (True, False, [1, 1, 0, 0.5, 0.5], "must sum to 1, got 2 (+) and 1 (−)"),
            (True, False, [2, -1, 1, 0, 0], "none may be negative"),
            (True, False, [1, 0], "weights: expected 5 numbers, got 2 numbers"),
            (True, False, [0.7, 0.3, 0, 0.4, 0.6], "Nearly. weights: right as far as it goes"),
            (True, False, np.array(PROOF) * np.nan, "weights[0] is NaN"),
        ],
    ),
    check_plane_in_space: dict(
        right=[
            (np.full(3, 2 / 3), -1),
            (np.full(3, -2 / 3), 1),
            ([0.667, 0.667, 0.667], -1.0),
            ((Fraction(2, 3),) * 3, -1),
            (pd.Series([0.66667] * 3), np.float64(-1)),
        ],
        wrong=[
            ([0.67] * 3, -1, "Nearly. w and b: right as far as it goes, but rounded too early"),
            ([0.7] * 3, -1, "Nearly."),
            ([0.68] * 3, -1, "can be turned or shifted"),
            ([1, 1, 1], -1, "can be turned or shifted"),
            ([2, 0, 0], -1, "can be turned or shifted"),
            ([2 / 3] * 3, 1, "has y(w·x + b) = -1, but every point"),
            ([0.5] * 3, -1, "every point needs at least 1"),
            ([2, 2, 2], -3, "the smallest y(w·x + b) is 3, not 1"),
            ([2 / 3, 2 / 3], -1, "w: expected 3 numbers, got 2 numbers"),
            ([0, 0, 0], 0, "every point needs at least 1"),
            ([2 / 3, 2 / 3, 2 / 3], "-1", "b: expected one number, got '-1'"),
        ],
    ),
}


class TestWidestStreet:
    def test_a_separating_line_that_is_not_the_widest(self):
        X, y = np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([1.0, -1.0])
        assert widest_street([0, 1], 0, X, y)[0].tolist() == [0, 1]
        with pytest.raises(Refusal, match="can be turned or shifted"):
            widest_street([0.7, 1.0], 0, X, y)

    @pytest.mark.parametrize("seed", range(5))
    def test_it_agrees_with_the_solver_on_random_data(self, seed):
        X, y = two_clouds(n=20, distance=8, seed=seed)
        solution = solve_primal(X, y, np.inf)
        widest_street(solution.w, solution.b, X, y)
        turned = solution.w + 0.2 * np.array([-solution.w[1], solution.w[0]])
        margins = y * (X @ turned)
        low, high = margins[y > 0].min(), margins[y < 0].min()
        scale = 2 / (low + high)  # canonical form of the turned line
        with pytest.raises(Refusal, match="can be turned or shifted"):
            widest_street(scale * turned, 1 - scale * low, X, y)


def test_four_points_are_those_of_the_exercise():
    assert four_points()[0].tolist() == [[0, 1], [1, 2], [1, 0], [2, 1]]
