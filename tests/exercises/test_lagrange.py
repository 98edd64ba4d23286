from fractions import Fraction

import numpy as np

from mlcore.exercises.lagrange import (
    check_broken_constraint,
    check_lagrange_function,
    check_smallest_on_the_line,
    check_squared_slack,
)


def subtracted(x, y, alpha):
    return x**2 + y**2 - alpha * (x + y - 2)


def added(x, y, alpha):
    return x**2 + y**2 + alpha * (x + y - 2)


def charge(f0, f1, h, M):
    need = max(0, M - f0)
    if f1 > 0:
        return need / f1, 0
    return 0, need / h if h else 0


def gram(X, y):
    return (y[:, None] * X) @ (y[:, None] * X).T


def ridge(X, y, C):
    return gram(X, y) + np.eye(len(y)) / C, np.inf


def plus(make):
    return lambda X, y, C: (gram(X, y) + make(len(y), C), np.inf)


FIVE = lambda f: [  # the same function in five forms  # noqa: E731
    f,
    lambda *a: np.float64(f(*a)),
    lambda *a: np.array(f(*a)),
    lambda *a: Fraction(float(f(*a))),
]
TABLE = {
    check_lagrange_function: dict(
        right=[(f,) for f in FIVE(subtracted)] + [(added,), (lambda x, y, a: x * x + y * y + 3 * a * (2 - x - y),)],
        wrong=[
            (7, "lagrangian: expected a function of x, y and alpha, got 7"),
            (lambda x, y: x + y, "cannot be called with x, y and alpha: TypeError"),
            (lambda x, y, a: x / 0, "with ZeroDivisionError"),
            (lambda x, y, a: x**2 + y**2 - a * (x + y), "must be f = 4 whatever alpha is"),
            (lambda x, y, a: x + y - a * (x**2 + y**2 - 2), "must be f = 4"),
            (lambda x, y, a: x**2 + y**2, "must change with alpha"),
            (lambda x, y, a: x**2 + y**2 - a * (x + y - 2) ** 2, "in proportion to x + y − 2"),
            (lambda x, y, a: x**2 + y**2 - a**2 * (x + y - 2), "a straight line in alpha"),
            (lambda x, y, a: x**2 + y**2 - (a + 1) * (x + y - 2), "With alpha = 0 only f"),
            (lambda x, y, a: [x, y], "L(x, y, alpha): expected one number, got 2 numbers"),
            (lambda x, y, a: np.nan, "L(x, y, alpha) is NaN"),
            (lambda x, y, a: str(subtracted(x, y, a)), "L(x, y, alpha): expected one number"),
        ],
    ),
    check_smallest_on_the_line: dict(
        right=[
            (1, 1, 2, subtracted),
            (1, 1, -2, added),
            (1.0, np.float64(1), np.array(2), subtracted),
            (Fraction(1), 1.0, -2.0, added),
            (1, 1, Fraction(2, 3), lambda x, y, a: x * x + y * y + 3 * a * (2 - x - y)),
            (0.9999999, 1.0000001, 2, subtracted),
        ],
        wrong=[
            (1, 1, 2, lambda x, y, a: x + y + a, "First the Lagrange function"),
            (1, 1, -2, subtracted, "∂L/∂x = 4 there, not 0: the point is right, the multiplier is not"),
            (1, 1, 2, added, "the point is right, the multiplier is not"),
            (1, 1, 1.99, subtracted, "the point is right, the multiplier is not"),
            (2, 2, 2, subtracted, "not on the line: x + y = 4"),
            (0, 2, 2, subtracted, "the forces do not balance"),
            (0.9, 1.1, 2, subtracted, "the forces do not balance"),
            ("one", 1, 2, subtracted, "x: expected one number, got 'one'"),
            ([1], 1, 2, subtracted, "x: expected one number, got 1 number"),
            (1, np.nan, 2, subtracted, "y is NaN"),
            (1, 1, True, subtracted, "alpha: expected one number"),
        ],
    ),
    check_broken_constraint: dict(
        right=[
            (charge,),
            (lambda *a: list(charge(*a)),),
            (lambda *a: np.array(charge(*a)),),
            (lambda *a: np.reshape(charge(*a), (2, 1)),),
            (lambda f0, f1, h, M: (1e3 * (abs(M) + abs(f0)) * (f1 > 0) * 100, 1e6 * (M + 9) * np.sign(h) * (f1 <= 0)),),
        ],
        wrong=[
            ("both", "multipliers: expected a function of f0, f1, h and M"),
            (lambda f0, f1, h, M: (0, 0), "h = 1.5 is broken"),
            (lambda f0, f1, h, M: (1e10 * (f1 > 0), np.sign(h) * 1e10 * (f1 <= 0)), "is 1.5e+10, below M = 1.5e+11"),
            (lambda f0, f1, h, M: (1e15 * (f1 > 0), np.sign(h) * 1e15 * (f1 <= 0)), "below M = "),
            (lambda f0, f1, h, M: (-M, -M), "λ may not be negative"),
            (lambda f0, f1, h, M: (0, M / h if h else 0), "f1 = 0.01 is broken"),
            (lambda f0, f1, h, M: (0, M / h), "ZeroDivisionError"),
            (lambda f0, f1, h, M: (charge(f0, f1, h, M)[0] + (h == 0), charge(f0, f1, h, M)[1]), "but λ = 1 loses 2"),
            (lambda f0, f1, h, M: 3, "expected 2 numbers, got one number"),
            (lambda f0, f1, h, M: (np.inf, 0), "[0] is infinite"),
            (lambda f0, f1, h, M: (0, np.nan), "[1] is NaN"),
            (lambda f0, f1: 3, "cannot be called with f0, f1, h and M"),
        ],
    ),
    check_squared_slack: dict(
        right=[
            (ridge,),
            (lambda *a: list(ridge(*a)),),
            (lambda X, y, C: (ridge(X, y, C)[0].tolist(), float("inf")),),
            (lambda X, y, C: (gram(np.column_stack([X, np.ones(len(y))]), y) + np.eye(len(y)) / C, np.inf),),
            (lambda X, y, C: (ridge(X, y, C)[0] + np.triu(np.ones((len(y),) * 2), 1) - np.tri(len(y), k=-1), np.inf),),
        ],
        wrong=[
            (lambda X, y, C: (gram(X, y), C), "still an upper bound"),
            (lambda X, y, C: (ridge(X, y, C)[0], 1000), "you bound α by 1000. Is there still an upper bound?"),
            (lambda X, y, C: (ridge(X, y, C)[0], C / 10), "still an upper bound"),
            (plus(lambda n, C: C * np.eye(n)), "on it you add 0.2"),
            (plus(lambda n, C: np.eye(n) / (2 * C)), "on it you add 2.5"),
            (plus(lambda n, C: 2 * np.eye(n) / C), "on it you add 10"),
            (plus(lambda n, C: 1 / C), "off the diagonal Q must be"),
            (lambda X, y, C: (X @ X.T + np.eye(len(y)) / C, np.inf), "off the diagonal Q must be"),
            (plus(lambda n, C: 0 * np.eye(n)), "on it you add 0"),
            (plus(lambda n, C: -np.eye(n) / C), "on it you add -5"),
            (lambda X, y, C: (np.eye(3), np.inf), "Q: expected numbers in an array of shape (12, 12)"),
            (lambda X, y, C: np.eye(12), "expected 2 results, got 12"),
            (lambda X, y, C: (gram(X, y), None), "upper is still None"),
            (lambda X, y, C: (ridge(X, y, C)[0], np.nan), "upper is NaN"),
            (lambda X, y, C: (ridge(X, y, C)[0], -1.0), "upper"),
            (lambda X: X, "cannot be called with X, y and C: TypeError"),
        ],
    ),
}
