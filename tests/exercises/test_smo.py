from fractions import Fraction

import cvxopt
import numpy as np
import pandas as pd
from sklearn.svm import SVC

from mlcore.datasets import shape_bitmaps
from mlcore.exercises.smo import BITMAPS, PAIR, check_bitmap_machine, check_bounds, check_pair, check_starting_points
from mlcore.svm import pair_update, simplified_smo, smo

ZERO, OTHER = [0] * 5, [0.5, 0, 0, 0.5, 0]
X, Y = shape_bitmaps(**BITMAPS)
K = X @ X.T
EXACT = smo(K, Y, 1.0, tolerance=1e-6)
EARLY = smo(K, Y, 1.0, max_iter=3)
ROUGH = simplified_smo(K, Y, 1.0, tolerance=1e-2)
MACHINE = SVC(kernel="linear", C=1.0).fit(X, Y)


def interior():
    """Return the multipliers of CVXOPT as they come: none of them quite at a bound."""
    n, options = len(Y), {"show_progress": False}
    G, h = np.vstack([-np.eye(n), np.eye(n)]), np.append(np.zeros(n), np.ones(n))
    matrices = (np.outer(Y, Y) * K + 1e-9 * np.eye(n), -np.ones(n), G, h, Y[None, :], np.zeros(1))
    return cvxopt.solvers.qp(*map(cvxopt.matrix, matrices), options=options)["x"]


def by_sklearn():
    alpha = np.zeros(len(Y))
    alpha[MACHINE.support_] = np.abs(MACHINE.dual_coef_[0])
    return alpha


def ends(alpha1, alpha2, equal, C):
    s = alpha1 + alpha2 if equal else alpha2 - alpha1
    return (max(0, s - C), min(C, s)) if equal else (max(0, s), min(C, s + C))


UNBALANCED = EXACT.alpha + 0.01 * np.eye(40)[0] * (1 if EXACT.alpha[0] < 0.5 else -1)
TABLE = {
    check_starting_points: dict(
        right=[
            (ZERO, OTHER),
            (np.zeros(5), np.array([0, 1, 0, 0, 1])),
            ((0.0,) * 5, (0, 0, 0.2, 0.2, 0)),
            (pd.Series(ZERO), pd.Series(OTHER)),
            (np.zeros((5, 1)), [Fraction(1, 3), 0, 0, 0, Fraction(1, 3)]),
            (ZERO, [0, 0, 1e-7, 0, 1e-7]),
        ],
        wrong=[
            ([0] * 4, OTHER, "zero: expected 5 numbers, got 4 numbers"),
            ("zero", OTHER, "zero: expected 5 numbers, got 'zero'"),
            (ZERO, [np.nan, 0, 0, 0, 0], "other[0] is NaN"),
            (OTHER, OTHER, "zero: feasible, but not the start"),
            (ZERO, ZERO, "different from 0"),
            (ZERO, [0.5, 0, 0, 0, 0], "Σ yᵢαᵢ must be 0, but it is 0.5"),
            (ZERO, [1e-7, 0, 0, 0, 0], "Σ yᵢαᵢ must be 0, but it is 1e-07"),
            (ZERO, [0.5, 0, 0, -0.5, 0], "between 0 and C"),
            (ZERO, [2, 0, 0, 2, 0], "between 0 and C"),
            (ZERO, [0.2, 0.2, 0, 0.4, 0], "It can be done with fewer"),
            (ZERO, [True, False, False, True, False], "other: expected 5 numbers"),
            (ZERO, [0.5, 0, None, 0.5, 0], "other[2] is still None"),
        ],
    ),
    check_bounds: dict(
        right=[
            (ends,),
            (lambda *a: list(ends(*a)),),
            (lambda *a: np.array(ends(*a)),),
            (lambda a1, a2, equal, C: tuple(map(np.float64, ends(a1, a2, equal, C))),),
            (lambda *a: np.array(ends(*a))[:, None],),
        ],
        wrong=[
            ((0, 1), "bounds: expected a function"),
            (lambda *a: (None, None), "(L, H)[0] is still None"),
            (lambda *a: None, "bounds still returns None"),
            (lambda *a: (0, 1, 2), "(L, H): expected 2 numbers, got 3 numbers"),
            (lambda *a: "LH", "(L, H): expected 2 numbers, got 'LH'"),
            (lambda *a: dict(L=0, H=1), "(L, H): expected 2 numbers, got {"),
            (lambda a1, a2: (0, 1), "bounds cannot be called with alpha1, alpha2, equal_labels and C"),
            (lambda a1, a2, equal, C: (0, C / 0), "stopped in line"),
            (lambda a1, a2, equal, C: (0, C), "leaves the box"),
            (lambda a1, a2, equal, C: (a2, a2), "could go further"),
            (lambda *a: ends(*a)[::-1], "is above H"),
            (lambda a1, a2, equal, C: ends(a1, a2, True, C), "labels opposite"),
            (lambda a1, a2, equal, C: ends(a1, a2, False, C), "labels equal"),
            (lambda *a: (np.nan, np.nan), "(L, H)[0] is NaN"),
        ],
    ),
    check_pair: dict(
        right=[
            (1.0, 0.75),
            (1, Fraction(3, 4)),
            (np.float64(1), np.array(0.75)),
            (lambda step: (step.alpha1, step.alpha2))(pair_update(**PAIR)),
            (1 - 1e-12, 0.75 - 1e-12),
        ],
        wrong=[
            (1.875, 1.625, "outside the box"),
            (0.0, 0.75, "not on the line"),
            (1.0, 1.0, "not on the line"),
            (1.0, 0.8, "not on the line"),
            (0.5, 0.25, "still grows when α₂ gets larger"),
            (0.25, 0.0, "still grows when α₂ gets larger"),
            (0.99, 0.74, "still grows when α₂ gets larger"),
            ([1, 2], 0.75, "alpha1: expected one number, got 2 numbers"),
            ("one", 0.75, "alpha1: expected one number, got 'one'"),
            (1.0, np.nan, "alpha2 is NaN"),
            (True, 0.75, "alpha1: expected one number, got True"),
        ],
    ),
    check_bitmap_machine: dict(
        right=[
            (EXACT.alpha, EXACT.b),
            (ROUGH.alpha, ROUGH.b),
            (interior(), EXACT.b),
            (by_sklearn(), MACHINE.intercept_[0]),
            (EXACT.alpha.tolist(), np.array(EXACT.b)),
            (pd.Series(EXACT.alpha), Fraction(EXACT.b)),
        ],
        wrong=[
            (EXACT.alpha[:5], 0.0, "alpha: expected 40 numbers, got 5 numbers"),
            ("alpha", 0.0, "alpha: expected 40 numbers, got 'alpha'"),
            (EXACT.alpha, [1, 2], "b: expected one number, got 2 numbers"),
            (EXACT.alpha - 1, EXACT.b, "between 0 and C = 1"),
            (3000 * EXACT.alpha, EXACT.b, "between 0 and C = 1"),
            (UNBALANCED, EXACT.b, "Σ yᵢαᵢ must be 0, but it is"),
            (EARLY.alpha, EARLY.b, "go on until it is below 0.02"),
            (np.zeros(40), 0.0, "the KKT gap is 2"),
            (EXACT.alpha, EXACT.b + 0.5, "violates the conditions at the free"),
            (EXACT.alpha, -EXACT.b, "violates the conditions at the free"),
            (EXACT.alpha * np.nan, 0, "alpha[0] is NaN"),
        ],
    ),
}


def test_only_one_point_of_the_segment_passes():
    passed = [a for a in np.linspace(0, 0.75, 76) if check_pair(0.25 + a, a).passed]
    assert passed == [0.75]
