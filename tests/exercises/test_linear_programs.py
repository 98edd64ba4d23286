from fractions import Fraction

import numpy as np
import pandas as pd

from mlcore.exercises.linear_programs import check_graphical_solution, check_hull_corners, check_separate
from mlcore.optimize import extreme_points, separating_plane


def spoiling(X):
    corners = extreme_points(X)
    X[:] = 0
    return corners


def mask(X):
    return np.isin(np.arange(len(X)), extreme_points(X))


def separate(X, y):
    result = separating_plane(X, y)
    return ((result.w, result.b), None) if result.separable else (None, result.weights)


def scaled_plane(X, y):
    plane, weights = separate(X, y)
    return ((7 * plane[0], 7 * plane[1]), None) if weights is None else (None, weights)


WEIGHTS = [1.25, 0.25, 0]
TABLE = {
    check_graphical_solution: dict(
        right=[
            (3, 12, WEIGHTS),
            (np.float64(3), 12.0, np.array(WEIGHTS)),
            (Fraction(3), 12, (Fraction(5, 4), Fraction(1, 4), 0)),
            (np.array(3), 12, pd.Series(WEIGHTS)),
            (3, 12, np.array(WEIGHTS)[:, None]),
            (3.0000000001, 12, [1.2500001, 0.2499999, 0]),
        ],
        wrong=[
            (0, 0, [0, 0, 1], "with x ≥ 0 and y ≥ 0 active you can still walk uphill"),
            (1, 1, [0, 0, 1], "lies inside: walk along (3, 2)"),
            (6, 6, [0, 0, 1], "value 30, but with 2x + y ≤ 18 and 3x + y ≤ 24 active"),
            (0, 14, [0, 0, 1], "value 28, but with 2x + 3y ≤ 42 and x ≥ 0 active"),
            (30 / 7, 78 / 7, [0, 0, 1], "breaks 2x + y ≤ 18 by 1.71"),
            (-1, 0, [0, 0, 1], "breaks x ≥ 0"),
            (3, 12, [-1, 1, 1], "no weight may be negative"),
            (3, 12, [1, 0, 0], "sum to 2x + 1y ≤ 18, which says too little"),
            (3, 12, [0, 1.5, 0], "sum to 3x + 4.5y ≤ 63, a true bound, but one that leaves room"),
            (3, 12, [1.2, 0.3, 0], "Nearly. weights: right as far as it goes"),
            (3, 12, [1, 1], "weights: expected 3 numbers, got 2 numbers"),
            ("three", 12, WEIGHTS, "x: expected one number, got 'three'"),
            ([3, 3], 12, WEIGHTS, "x: expected one number, got 2 numbers"),
            (np.nan, 12, WEIGHTS, "x is NaN"),
            (3, 12, [1.25, None, 0], "Not yet. weights[1] is still None"),
        ],
    ),
    check_hull_corners: dict(
        right=[
            (extreme_points,),
            (lambda X: list(extreme_points(X))[::-1],),
            (mask,),
            (lambda X: np.where(mask(X)),),
            (lambda X: set(extreme_points(X).tolist()),),
            (lambda X: pd.Index(extreme_points(X)),),
            (lambda X: np.argwhere(mask(X)),),
            (spoiling,),
        ],
        wrong=[
            (lambda X: None, "hull_corners still returns None"),
            (lambda X: range(len(X)), "is listed, but it is a mixture of the other points"),
            (lambda X: [], "is missing: no mixture"),
            (lambda X: ~mask(X), "Row 0 of nine points on a grid is missing"),
            (lambda X: np.arange(len(X)) + 1, "expected positions from 0 to 8"),
            (lambda X: [-1, *extreme_points(X)], "expected positions from 0 to 8, such as [0, 2], or a mask, got "),
            (lambda X: X, "expected positions"),
            (lambda X: X[extreme_points(X)], "expected positions"),
            (lambda X: "all", "expected positions from 0 to 8, such as [0, 2], or a mask, got 'all'"),
            (lambda X: [0.5], "expected positions"),
            (lambda X: [True, False], "expected a mask of length 9, got one of length 2"),
            (lambda X: 1 / 0, "with ZeroDivisionError: division by zero"),
            (lambda: None, "TypeError"),
            # Forgets that weights sum to 1: the cone instead of the hull.
            (lambda X: np.flatnonzero(np.abs(X).sum(axis=1) > 1), "is listed, but"),
            (lambda X: extreme_points(X[:, :2]), "in space is"),  # knows two dimensions only
        ],
    ),
    check_separate: dict(
        right=[
            (separate,),
            (scaled_plane,),
            (lambda X, y: list(separate(X, y)),),
            (
                lambda X, y: (
                    (None, list(r[1])) if (r := separate(X, y))[0] is None else ([list(r[0][0]), r[0][1]], None)
                ),
            ),
            (lambda X, y: (None, r[1][:, None]) if (r := separate(X, y))[0] is None else r,),
        ],
        wrong=[
            (lambda X, y: None, "separate still returns None"),
            (lambda X, y: (None, None), "Not yet. separate on two columns"),
            (lambda X, y: (([1, 0], -4.5), np.ones(8) / 4), "both at once cannot be right"),
            (lambda X, y: (([1, 0], 0), None), "is on the wrong side of the plane"),
            (lambda X, y: (([1, 0], -4), None), "the plane goes through point 0"),
            (lambda X, y: (([0, 0], 0), None), "goes through point 0"),
            (lambda X, y: (([1, 0, 0], -4.5), None), "w: expected 2 numbers, got 3 numbers"),
            (lambda X, y: (7, None), "the plane should return w, b, got 7"),
            (lambda X, y: (None, np.ones(8) / 4), "a proof needs the same point"),
            (lambda X, y: (None, np.ones(len(y))), "those of each class must sum to 1, got 4 (+) and 4 (−)"),
            (lambda X, y: (None, -np.ones(len(y))), "none may be negative"),
            (lambda X, y: (None, [1, 2]), "weights: expected 8 numbers, got 2 numbers"),
            (lambda X, y: (None, np.full(len(y), np.nan)), "weights[0] is NaN"),
            (lambda X, y: 1 / 0, "with ZeroDivisionError"),
            (lambda X, y: (([1, 0], -4.5), None), "two columns, reflected in the origin: point"),
            # Never doubts that there is a plane.
            (lambda X, y: ((X[y > 0].mean(0) - X[y < 0].mean(0), 0.0), None), "wrong side"),
        ],
    ),
}


def test_the_pairs_of_clouds_are_of_both_kinds():
    assert check_separate(separate).message == "3 pairs of clouds separated, and 4 proven inseparable."
