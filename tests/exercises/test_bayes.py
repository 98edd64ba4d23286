from fractions import Fraction

import numpy as np
import pandas as pd

from mlcore.exercises.bayes import (
    check_box_by_lot,
    check_likelihood_sums,
    check_predictive_value,
    check_tables,
    check_tall_density,
    check_tests_needed,
)

SUMS = [12 / 35, 31 / 35, 27 / 35]
HALF = [0.5, 0.5]
LOT = (13 / 30, [5 / 13, 6 / 13, 2 / 13])


def five_tables(counts):
    joint = counts / counts.sum()
    p_x, p_y = joint.sum(axis=1), joint.sum(axis=0)
    return joint, p_x, p_y, joint / p_x[:, None], joint / p_y


def replaced(place, make):
    def tables(counts):
        answer = list(five_tables(counts))
        answer[place] = make(counts, *answer)
        return answer

    return tables


def in_place(counts):
    counts = counts.astype(float)
    counts /= counts.sum()
    return five_tables(counts)


def predictive_value(p, s, t):
    return p * s / (p * s + (1 - p) * (1 - t))


def tall(x):
    return 10 * x**9


TABLE = {
    check_tables: dict(
        right=[
            (five_tables,),
            (in_place,),
            (lambda n: [table.tolist() for table in five_tables(n)],),
            (lambda n: [pd.DataFrame(table) if table.ndim == 2 else pd.Series(table) for table in five_tables(n)],),
            (replaced(1, lambda n, j, x, *_: x[:, None]),),
            (replaced(2, lambda n, j, x, y, *_: y[None, :]),),
        ],
        wrong=[
            (3, "tables: expected a function of counts"),
            (lambda n: None, "tables still returns None"),
            (lambda n: five_tables(n)[:3], "expected 5 results, got 3"),
            (lambda n: {"joint": n}, "tables should return p(x, y), p(x)"),
            (replaced(0, lambda n, *_: n), "p(x, y) sums to 12, not 1"),
            (replaced(0, lambda n, *_: np.full(n.shape, 1 / n.size)), "in proportion to the counts"),
            (replaced(1, lambda n, j, x, y, *_: y), "p(x): expected 2 numbers, got 3 numbers"),
            (replaced(1, lambda n, j, *_: np.full(len(j), 1 / len(j))), "p(x) must sum p(x, y)"),
            (replaced(2, lambda n, j, *_: np.full(j.shape[1], 1 / j.shape[1])), "p(y) must sum p(x, y)"),
            (replaced(3, lambda n, j, x, y, a, b: b), "p(y | x) is turned"),
            (replaced(4, lambda n, j, x, y, a, b: a), "p(x | y) is turned"),
            (replaced(4, lambda n, j, *_: j), "p(x | y) must sum to 1 over the variable before the bar"),
            (replaced(4, lambda n, j, *_: np.full(j.shape, 1 / len(j))), "product rule"),
            (replaced(3, lambda n, j, *_: j * np.nan), "p(y | x)[0, 0] is NaN"),
            (lambda n: five_tables(np.array([[1, 3, 1], [1, 2, 4]])), "expected numbers in an array of shape (3, 3)"),
        ],
    ),
    check_likelihood_sums: dict(
        right=[
            (SUMS, HALF),
            ([0.343, 0.886, 0.771], (0.5, 0.5)),
            (np.array(SUMS), pd.Series(HALF)),
            ([Fraction(12, 35), Fraction(31, 35), Fraction(27, 35)], [Fraction(1, 2)] * 2),
            (np.reshape(SUMS, (3, 1)), np.array([[0.5, 0.5]])),
            ([0.342, 0.885, 0.771], HALF),  # cut off, not rounded
        ],
        wrong=[
            ([1, 1, 1], HALF, "sums of p(x | y)"),
            ([0.77, 31 / 35, 27 / 35], HALF, "(that is the sum for dotted)"),
            ([12 / 35, 0.5, 27 / 35], HALF, "sums[1] = 0.5 is off by 0.386"),
            ([0.34, 0.89, 0.77], HALF, "Nearly. sums: right as far as it goes"),
            ([0.3, 0.9, 0.8], HALF, "Nearly. sums: right as far as it goes"),
            (SUMS, [1 / 5, 1 / 7], "sums to 0.3429"),
            (SUMS, [7 / 12, 5 / 12], "left out the prior"),
            (SUMS, [0.9, 0.1], "posterior_solid[0] = 0.9 is off by 0.4. It sums to 1, but is not in proportion"),
            ([1, 2], HALF, "sums: expected 3 numbers, got 2 numbers"),
            (SUMS, "half", "posterior_solid: expected 2 numbers"),
            ([12 / 35, np.nan, 27 / 35], HALF, "sums[1] is NaN"),
            ([12 / 35, None, 27 / 35], HALF, "sums[1] is still None"),
        ],
    ),
    check_box_by_lot: dict(
        right=[
            LOT,
            (0.433, [0.385, 0.462, 0.154]),
            (Fraction(13, 30), (Fraction(5, 13), Fraction(6, 13), Fraction(2, 13))),
            (np.float64(13 / 30), np.array(LOT[1])),
            (np.array(0.4333), pd.Series(LOT[1])),
        ],
        wrong=[
            (5 / 12, [0.2, 0.6, 0.2], "counts all twelve things"),
            (0.5, [0.2, 0.6, 0.2], "mean of p(cube | y)"),
            (0.43, LOT[1], "Nearly. p_cube"),
            (LOT[0], [0.5, 0.6, 0.2], "sums to 1.3, not 1"),
            (LOT[0], [0.2, 0.6, 0.2], "with p(y) = 1/3 now"),
            (LOT[0], [0.38, 0.46, 0.15], "Nearly. p_box"),
            ([1, 2], LOT[1], "p_cube: expected one number, got 2 numbers"),
            ("13/30", LOT[1], "p_cube: expected one number, got '13/30'"),
            (LOT[0], [np.nan] * 3, "p_box[0] is NaN"),
            (LOT[0], {5 / 13, 6 / 13, 2 / 13}, "p_box: expected 3 numbers"),
            (True, LOT[1], "p_cube: expected one number"),
        ],
    ),
    check_predictive_value: dict(
        right=[
            (predictive_value,),
            (lambda p, s, t: np.float64(predictive_value(p, s, t)),),
            (lambda p, s, t: np.array(predictive_value(p, s, t)),),
            (lambda p, s, t: 1 / (1 + (1 - p) * (1 - t) / (p * s)),),
            (lambda p, s, t: Fraction(predictive_value(p, s, t)),),
        ],
        wrong=[
            (0.154, "predictive_value: expected a function"),
            (lambda p, s, t: s, "This is the sensitivity"),
            (lambda p, s, t: p * s, "This is p(ill, positive)"),
            (lambda p, s, t: s / (s + 1 - t), "prevalence has been left out"),
            (lambda p, s, t: p * s / (p * s + (1 - p) * t), "false alarms"),
            (lambda p, s, t: p * (1 - s) / (p * (1 - s) + (1 - p) * t), "p(ill | negative)"),
            (lambda p, s, t: 0.154, "are ill and positive"),
            (lambda p, s, t: [p, s], "expected one number, got 2 numbers"),
            (lambda p, s, t: predictive_value(p, s, t) > 0.5, "expected one number, got False"),
            (lambda p, s, t: np.nan, "is NaN"),
            (lambda p, s, t: 1 / 0, "ZeroDivisionError"),
        ],
    ),
    check_tests_needed: dict(
        right=[(4,), (4.0,), (np.ceil(3.2),), (np.int64(4),), (np.array(4),), (Fraction(4),)],
        wrong=[
            (3, "p(ill) is 0.8538: not above 0.95"),
            (0, "p(ill) is 0.0010"),
            (5, "after 4 p(ill) is 0.9906 already"),
            (3.5, "count: expected a whole number"),
            (-1, "count: expected a whole number of at least 0 and of at most 100, got -1"),
            (True, "count: expected one number, got True"),
            (1000, "of at most 100"),
            ("4", "count: expected one number, got '4'"),
            ([4], "count: expected one number, got 1 number"),
            (np.nan, "count is NaN"),
            (np.inf, "count is infinite"),
        ],
    ),
    check_tall_density: dict(
        right=[
            (tall, False),
            (lambda x: 5.0 if 0.4 < x < 0.6 else 0.0, False),
            (lambda x: 4 * (x > 0.75), np.False_),
            (lambda x: 0.5 / np.sqrt(x), False),
            (lambda x: 1000.0 if 0.5 < x < 0.501 else 0.0, np.array(False)),
        ],
        wrong=[
            (tall, True, "above 3 everywhere: what would the area"),
            (tall, None, "everywhere is still None"),
            (tall, "no", "everywhere: expected True or False, got 'no'"),
            (tall, 0, "everywhere: expected True or False, got 0"),
            (4, False, "density: expected a function of x"),
            (lambda x: 4.0, False, "The area from 0 to 1 is 4"),
            (lambda x: 2 * x, False, "largest value is 2"),
            (lambda x: 16 * x - 7, False, "never negative"),
            (lambda x: [x, x], False, "expected one number, got 2 numbers"),
            (lambda x: x > 0.7, False, "expected one number, got False"),
            (lambda x: np.nan, False, "is NaN"),
            (lambda x: 1 / (x - 0.50025), False, "ZeroDivisionError"),
        ],
    ),
}


def test_the_message_names_the_value_of_the_chapter_and_other_tests_have_other_counts():
    assert "0.154" in check_predictive_value(predictive_value).message
    assert check_tests_needed(np.int64(2), prevalence=0.1).passed
