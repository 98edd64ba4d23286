from fractions import Fraction

import cvxopt
import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

from mlcore.datasets import two_clouds
from mlcore.exercises.duals import (
    check_active,
    check_another_alpha,
    check_dual_street,
    check_prices,
    check_small_dual,
    check_support_vectors,
    check_third_constraint,
)
from mlcore.svm import solve_dual, solve_primal


def street(X, y):
    solution = solve_dual(X @ X.T, y, np.inf)
    return X.T @ solution.coefficients, solution.b, solution.alpha


def by_sklearn(X, y):
    machine = SVC(kernel="linear", C=1e6).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[machine.support_] = np.abs(machine.dual_coef_[0])
    return machine.coef_[0], machine.intercept_[0], alpha


def careless(X, y):
    answer = street(X, y)
    X[:] = 0
    return answer


def marking(form):
    def marked(X, y):
        w, b, alpha = street(X, y)
        return w, b, form(np.flatnonzero(alpha > 1e-6 * alpha.max()), len(y))

    return marked


def with_alpha(form):
    return lambda X, y: (*street(X, y)[:2], form(street(X, y)[2], y))


def all_on_the_edge(X, y):
    w, b, _ = street(X, y)
    return w, b, np.flatnonzero(np.abs(y * (X @ w + b) - 1) < 1e-6).tolist()


def replaced(answer, place, value):
    return (*answer[:place], value, *answer[place + 1 :])


SMALL = ([2, -1], [[1, -1], [1, 0]], [0, 1], [1, 1], [1, 1])
THIRD = ([2, -1, 3], [[1, -1, 1], [1, 0, 0]], [0, 1])
ACTIVE = ["x1 + x2 <= 2", "x1 >= 1"]
TABLE = {
    check_dual_street: dict(
        right=[
            (street,),
            (careless,),
            (by_sklearn,),
            (lambda X, y: list(street(X, y)),),
            (with_alpha(lambda alpha, y: cvxopt.matrix(alpha)),),
            (with_alpha(lambda alpha, y: pd.Series(alpha)),),
        ],
        wrong=[
            (7, "expected a function of X and y"),
            (lambda X, y: None, "Your function still returns None"),
            (lambda X, y: (1, 2), "should return w, b, alpha; expected 3 results, got 2"),
            (lambda X, y: dict(w=1, b=2, alpha=3), "should return w, b, alpha, got {"),
            (with_alpha(lambda alpha, y: None), "alpha is still None"),
            (lambda X, y: X @ 3, "`(lambda X, y: X @ 3,"),
            (lambda X, y: ("a", 0, y), "w: expected 2 numbers, got 'a'"),
            (lambda X, y: ([1, 2], [0, 1], y), "b: expected one number, got 2 numbers"),
            (lambda X, y: (2 * street(X, y)[0], 2 * street(X, y)[1], y), "Scale w and b down"),
            (with_alpha(lambda alpha, y: [1.0]), "alpha: expected 4 numbers, got 1 number"),
            (with_alpha(lambda alpha, y: -alpha), "needs α ≥ 0"),
            (with_alpha(lambda alpha, y: (y > 0) * 1.0), "Σ αᵢyᵢ = 0"),
            (with_alpha(lambda alpha, y: 2 * alpha), "w is not Σ αᵢyᵢxᵢ"),
            (with_alpha(lambda alpha, y: alpha * np.nan), "alpha[0] is NaN"),
        ],
    ),
    check_support_vectors: dict(
        right=[
            (marking(lambda s, n: s),),
            (marking(lambda s, n: s.tolist()),),
            (marking(lambda s, n: set(s)),),
            (marking(lambda s, n: np.isin(np.arange(n), s)),),
            (marking(lambda s, n: np.where(np.isin(np.arange(n), s))),),
            (marking(lambda s, n: pd.Index(s)),),
            (marking(lambda s, n: s.astype(float)),),
            (all_on_the_edge,),
        ],
        wrong=[
            (marking(lambda s, n: s[:1]), "would allow a wider street"),
            (marking(lambda s, n: []), "would allow a wider street"),
            (marking(lambda s, n: np.arange(n)), "does not stand on the edge of the street: its y(w·x + b) is 1.74"),
            (marking(lambda s, n: s == s), "expected a mask of length 24, got one of length 3"),
            (marking(lambda s, n: np.ones(n, bool)), "does not stand on the edge"),
            (marking(lambda s, n: [0, n]), "expected positions from 0"),
            (marking(lambda s, n: [-1, 0]), "expected positions from 0"),
            (marking(lambda s, n: [0.5]), "expected positions from 0"),
            (marking(lambda s, n: "all"), "expected positions from 0 to 3, such as [0, 2], or a mask, got 'all'"),
            (marking(lambda s, n: None), "support is still None"),
            (lambda X, y: (*street(X, y)[:2], [i for i in all_on_the_edge(X, y)[2] if y[i] > 0]), "a wider street"),
            (lambda X, y: ([1, 1], 0, [0]), "every point needs at least 1"),
        ],
    ),
    check_another_alpha: dict(
        right=[
            ([1, 0, 1, 0],),
            ([0, 1, 0, 1],),
            (np.array([[1.0], [0], [1], [0]]),),
            ([0.9999999, 1e-9, 0.9999999, 1e-9],),
            (pd.Series([0, 1, 0, 1]),),
            ((Fraction(1), 0, Fraction(1), 0),),
        ],
        wrong=[
            ([1, 0, 1], "alpha: expected 4 numbers, got 3 numbers"),
            ([0.99, 0, 0.99, 0], "it is (-0.99, 0.99)"),
            ([1.01, 0, 1.01, 0], "it is (-1.01, 1.01)"),
            ([0.5, 0.5, 0.5, 0.5], "4 entries that are not 0"),
            ([1, 0, 0, 1], "must be (−1, 1), it is (-2, 0)"),
            ([1, 0, 0, 0], "Not feasible"),
            ([-1, 0, -1, 0], "Not feasible"),
            ([2, 0, 2, 0], "with the dual value 0 where the optimum is 1"),
            ([0, 0, 0, 0], "must be (−1, 1), it is (0, 0)"),
            ([True, False, True, False], "alpha: expected 4 numbers"),
            ([np.nan] * 4, "alpha[0] is NaN"),
        ],
    ),
    check_small_dual: dict(
        right=[
            SMALL,
            ([2, -1], [[2, 0], [1, -1]], [2, 0], [1, 1], [1, 1]),
            tuple(map(np.array, SMALL)),
            tuple(map(pd.Series, SMALL[:1])) + SMALL[1:],
            ((2.0, -1.0), ((1, -1), (1, 0)), (0, 1), (0.9999, 1.0001), (1.0, 1.0)),
        ],
        wrong=[
            (*replaced(SMALL, 0, [2, 1]), "objective[1] = 1 is off by 2. The right sides of the primal rows"),
            (*replaced(SMALL, 0, [0, 1]), "are the costs"),
            (*replaced(SMALL, 0, [2, -1, 3]), "objective: expected 2 numbers, got 3 numbers"),
            (*replaced(SMALL, 1, [[-1, 1], [-1, 0]]), "rows, right_sides"),
            (*replaced(SMALL, 1, [[1, 1], [-1, 0]]), "rows, right_sides"),
            (*replaced(SMALL, 1, [[1, -1]]), "expected numbers in an array of shape (2, 2)"),
            (*replaced(SMALL, 1, [[1, -1], [1]]), "rows: expected"),
            (*replaced(SMALL, 2, [1, 0]), "rows, right_sides"),
            ([2, -1], [[-1, 1], [-1, 0]], [0, -1], [1, 1], [1, 1], "point the wrong way"),
            (*replaced(SMALL, 3, [0, 2]), "breaks x1 >= 1 by 1"),
            (*replaced(SMALL, 3, [2, 1]), "breaks x1 + x2 <= 2"),
            (*replaced(SMALL, 3, [2, 0]), "a larger one is possible"),
            (*replaced(SMALL, 3, "up"), "x: expected 2 numbers, got 'up'"),
            (*replaced(SMALL, 4, [1, 2]), "breaks the dual row of x1"),
            (*replaced(SMALL, 4, [0, 0]), "breaks the dual row of x2"),
            (*replaced(SMALL, 4, [2, 1]), "a smaller one is possible"),
            (*replaced(SMALL, 4, [-1, 0]), "at least 0"),
        ],
    ),
    check_third_constraint: dict(
        right=[
            THIRD,
            ([2, -1, 3], [[1, 0, 0], [1, -1, 1]], [1, 0]),
            ([2, -1, 3], [[3, -3, 3], [0.5, 0, 0]], [0, 0.5]),
            tuple(map(np.array, THIRD)),
            ((2.0, -1.0, 3.0), pd.DataFrame(THIRD[1]), pd.Series(THIRD[2])),
        ],
        wrong=[
            (SMALL[0], SMALL[1], SMALL[2], "objective: expected 3 numbers, got 2 numbers"),
            ([2, 1, 3], *THIRD[1:], "must first be written with ≤"),
            ([2, -1, -3], *THIRD[1:], "objective[2] = -3 is off by 6"),
            (THIRD[0], SMALL[1], THIRD[2], "rows: expected numbers in an array of shape (2, 3)"),
            (THIRD[0], np.transpose(THIRD[1]), THIRD[2], "rows: expected numbers in an array of shape (2, 3)"),
            (THIRD[0], -np.array(THIRD[1]), [0, -1], "point the wrong way"),
            (THIRD[0], [[1, -1, 0], [1, 0, 0]], THIRD[2], "rows, right_sides"),
            (THIRD[0], [[1, -1, 1], [1, 0, 1]], THIRD[2], "rows, right_sides"),
            (THIRD[0], THIRD[1], [1, 0], "rows, right_sides"),
            (THIRD[0], THIRD[1], [0, 2], "rows, right_sides"),
            (THIRD[0], THIRD[1], 1, "right_sides: expected 2 numbers, got one number"),
        ],
    ),
    check_active: dict(
        right=[
            ([1, 1], ACTIVE),
            ([1, 1], ["x1 ≥ 1", "x2 + x1 ≤ 2"]),
            ((1.0, 1.0), {"1 <= x1", "2 >= x1+x2"}),
            (np.array([1, 1]), ("x₁ + x₂ ≤ 2", "x₁ ≥ 1")),
            ([1, 1], "x1 >= 1, x1 + x2 <= 2"),
            ([1, 1], np.array(["-x1 <= -1", "2*x_1 + 2*x_2 <= 4"])),
            ([1, 1], ["x1 - 1 >= 0", "x1 + x2 - 2 <= 0"]),
        ],
        wrong=[
            ([3, -1], ["x1 <= 3"], "breaks x2 >= 0"),
            ([3.5, 0], ["x1 <= 3"], "breaks"),
            ([2, 0], ["x2 >= 0"], "a larger one is possible"),
            ([1, 1], ["x1 >= 1"], "x1 + x2 <= 2 holds with equality"),
            ([1, 1], [], "x1 + x2 <= 2 holds with equality"),
            ([1, 1], [*ACTIVE, "x1 <= 3"], "x1 <= 3 has slack 2"),
            ([1, 1], "x1 > 1", "'x1 > 1' is none"),
            ([1, 1], ["x1 <= 1", "x1 + x2 <= 2"], "'x1 <= 1' is none"),
            ([1, 1], ["x1 >= 1 >= 0"], "is none"),
            ([1, 1], [1, 2], "1 is none"),
            ([1, 1], 3, "expected a list of constraints"),
            ([1, 1], {"x1 >= 1": 1}, "expected a list of constraints"),
        ],
    ),
    check_prices: dict(
        right=[
            ([1, 1, 0],),
            ((1.0, 1.0, 0.0),),
            (np.array([1, 1, 0]),),
            (np.array([[1.0], [1], [0]]),),
            (pd.Series([1, 1, 1e-9]),),
        ],
        wrong=[
            ([1, 1], "y: expected 3 numbers, got 2 numbers"),
            ([1, 0, 0], "a smaller one is possible"),
            ([1, 1, 1], "a smaller one is possible"),
            ([0, 0, 0], "breaks the dual row of x2 by 1"),
            ([1, 1.1, 0], "breaks the dual row of x1 by 0.1"),
            ([1, 1, -1], "prices are at least 0, got -1"),
            ([0.99, 0.99, 0], "breaks the dual row of x2 by 0.01"),
            ([1, 1, None], "y[2] is still None"),
            ([1, 1, np.inf], "y[2] is infinite"),
            ({1, 0}, "y: expected 3 numbers"),
            ("1 1 0", "y: expected 3 numbers, got '1 1 0'"),
        ],
    ),
}


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_the_data_of_the_checks_are_separable(seed):
    assert solve_primal(*two_clouds(n=24, distance=6.0, seed=seed), np.inf).status == "optimal"
