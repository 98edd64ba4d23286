from fractions import Fraction

import numpy as np

from mlcore.exercises.multitask import check_hyperparameter_count, check_separate_kernels, check_third_correlation
from mlcore.kernels import Constant, Gaussian, Sigmoid


def count(s, p):
    return s * (s + 1) // 2 + s + p


def kernels(L, kernel):
    return [L[a, a] ** 2 * kernel for a in range(len(L))]


def ends(r12, r23):
    room = np.sqrt((1 - r12**2) * (1 - r23**2))
    return r12 * r23 - room, r12 * r23 + room


TABLE = {
    check_hyperparameter_count: dict(
        right=[
            (count,),
            (lambda s, p: p + s + sum(range(s + 1)) + 0.0,),
            (lambda s, p: np.int64(count(s, p)),),
            (lambda s, p: np.array(count(s, p)),),
            (lambda s, p: Fraction(s * (s + 1), 2) + s + p,),
        ],
        wrong=[
            (17, "count: expected a function of s and p"),
            (lambda s: s, "cannot be called with s and p: TypeError"),
            (lambda s, p: None, "count still returns None"),
            (lambda s, p: "many", "count(5, 2): expected one number, got 'many'"),
            (lambda s, p: [s, p], "expected one number, got 2 numbers"),
            (lambda s, p: 1 / 0, "ZeroDivisionError"),
            (lambda s, p: s * (s + 1) // 2 + p, "noise of its own"),
            (lambda s, p: s * (s + 1) // 2 + p + 1, "every sensor has its own"),
            (lambda s, p: s * s + s + p, "not all s² entries"),
            (lambda s, p: s * (s - 1) // 2 + s + p, "the diagonal of L, the heights of the tasks, counts too"),
            (lambda s, p: s * (s + 1) // 2 + s + s * p, "share one temporal kernel"),
            (lambda s, p: s * (s + 1) // 2 + s, "The temporal kernel has parameters"),
            (lambda s, p: s * (s + 1) // 2, "That is L alone"),
            (lambda s, p: 22 if s == 5 else 6, "With s = 5 and p = 1 you count 22"),
            (lambda s, p: 100, "Add what L, the kernel and the noises contribute"),
        ],
    ),
    check_separate_kernels: dict(
        right=[
            (kernels,),
            (lambda L, k: tuple(kernels(L, k)),),
            (lambda L, k: [k * h for h in np.diag(L @ L.T)],),
            (lambda L, k: [Constant(h) * k for h in np.diag(L) ** 2],),
            (lambda L, k: [0.5 * h * k + 0.5 * h * k for h in np.diag(L) ** 2],),
        ],
        wrong=[
            (3, "kernels: expected a function of L and kernel"),
            (lambda L: [], "cannot be called with L and kernel: TypeError"),
            (lambda L, k: None, "kernels still returns None"),
            (lambda L, k: [k], "expected 2 results, got 1"),
            (lambda L, k: [1.0, 2.0], "kernel 1: expected a kernel such as"),
            (lambda L, k: k, "kernels should return kernel 1, kernel 2, got"),
            (lambda L, k: dict(enumerate(kernels(L, k))), "kernels should return kernel 1, kernel 2, got {"),
            (lambda L, k: [Gaussian] * len(L), "kernel 1: expected a kernel"),
            (lambda L, k: [k] * len(L), "Which variance does K_c = L Lᵀ give it?"),
            (lambda L, k: [L[a, a] * k for a in range(len(L))], "Which variance does K_c = L Lᵀ give it?"),
            (lambda L, k: [L[a, a] ** 2 * Gaussian(0.3) for a in range(len(L))], "Is the kernel the same?"),
            (lambda L, k: [50.0 * Sigmoid(1.0, -1.0)] * len(L), "kernel 1: "),
        ],
    ),
    check_third_correlation: dict(
        right=[
            (ends,),
            (lambda a, b: list(ends(a, b)),),
            (lambda a, b: np.cos(np.arccos(a) + np.arccos(b) * np.array([1, -1])),),
            (lambda a, b: np.array(ends(a, b))[:, None],),
            (lambda a, b: tuple(map(float, ends(a, b))),),
        ],
        wrong=[
            ((-1, 1), "interval: expected a function of r12 and r23"),
            (lambda a, b: None, "interval still returns None"),
            (lambda a, b: a * b, "interval(-0.96, 0.9): expected 2 numbers, got one number"),
            (lambda a, b: (np.nan, 1), "interval(-0.96, 0.9)[0] is NaN"),
            (lambda a, b: {"low": -1, "high": 1}, "expected 2 numbers, got {"),
            (lambda a, b: ends(a, b)[::-1], "the lower end first"),
            (lambda a, b: (-1, 1), "has a negative eigenvalue"),
            (lambda a, b: (a * b - 0.01, a * b + 0.01), "there is room beyond"),
            (lambda a, b: (ends(a, b)[0], 1), "has a negative eigenvalue"),
            (lambda a, b: np.round(ends(a, b), 2), "the matrix"),
            (lambda a, b: (0.0, 0.0), "the lower end first"),
            (lambda a, b: a / 0, "ZeroDivisionError"),
        ],
    ),
}
