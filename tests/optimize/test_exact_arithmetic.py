"""The simplex method against exact rational arithmetic, where rounding errors tempt it to claim what is not so."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.optimize import LinearProgram, Status, simplex
from mlcore.optimize._pivot_rules import RULES


def pivot(rows, row, column):
    rows[row] = [entry / rows[row][column] for entry in rows[row]]
    for i, other in enumerate(rows):
        if i != row and other[column]:
            rows[i] = [a - other[column] * b for a, b in zip(other, rows[row])]


def exactly(c, A, b):
    """Status and value of min c x, A x <= b, x >= 0 by Bland's rule, the numbers taken as they are printed."""
    m, n = len(b), len(c)
    c, b, A = (
        [Fraction(repr(x)) for x in c],
        [Fraction(repr(x)) for x in b],
        [[Fraction(repr(x)) for x in a] for a in A],
    )
    rows = [A[i] + [Fraction(int(i == k)) for k in range(m)] + [Fraction(-1), b[i]] for i in range(m)]
    basis = list(range(n, n + m))

    def improve(enterable):
        while True:
            column = next((j for j in range(enterable) if rows[-1][j] < 0), None)
            if column is None:
                return True
            ratios = [(rows[i][-1] / rows[i][column], basis[i], i) for i in range(m) if rows[i][column] > 0]
            if not ratios:
                return False
            row = min(ratios)[2]
            pivot(rows, row, column)
            basis[row] = column

    if min(b) < 0:  # one artificial variable for all rows
        rows.append([Fraction(0)] * (n + m) + [Fraction(1), Fraction(0)])
        worst = min(range(m), key=lambda i: b[i])
        pivot(rows, worst, n + m)
        basis[worst] = n + m
        improve(n + m + 1)
        if rows[-1][-1] < 0:
            return Status.INFEASIBLE, None
        rows.pop()
        if n + m in basis:
            row = basis.index(n + m)
            column = next(j for j in range(n + m) if rows[row][j])
            rows.append([Fraction(0)] * (n + m + 2))
            pivot(rows, row, column)
            rows.pop()
            basis[row] = column
    cost = c + [Fraction(0)] * (m + 2)
    for i in range(m):
        cost = [a - cost[basis[i]] * b for a, b in zip(cost, rows[i])] if cost[basis[i]] else cost
    rows.append(cost)
    return (Status.OPTIMAL, float(-rows[-1][-1])) if improve(n + m) else (Status.UNBOUNDED, -np.inf)


def sparse_integers(rng, shape):
    return rng.integers(-5, 6, shape) * (rng.random(shape) < 0.7)


def decimals(rng, shape):
    """Few digits, of sizes from 0.001 to 1000: what a reader types."""
    return sparse_integers(rng, shape) * 10.0 ** rng.integers(-3, 4, shape)


def wide(rng, shape):
    return sparse_integers(rng, shape) * 10.0 ** rng.integers(-4, 5, shape)


@pytest.mark.parametrize(("coefficients", "unproven"), [(sparse_integers, 0), (decimals, 0.005), (wide, 0.01)])
def test_no_claim_is_false(coefficients, unproven):
    honest, seen = 0, set()
    for seed in range(600):
        rng = np.random.default_rng(seed)
        n, m = rng.integers(2, 6, 2)
        c, A, b = coefficients(rng, n), coefficients(rng, (m, n)), coefficients(rng, m)
        problem = LinearProgram(c, A, b)
        result = simplex(problem, list(RULES)[seed % 3])
        status, value = exactly(problem.c.tolist(), problem.A_ub.tolist(), problem.b_ub.tolist())
        seen.add(status)
        if result.status is Status.NOT_CONVERGED:
            honest += 1
            continue
        assert result.status is status, seed
        if status is Status.OPTIMAL:
            assert result.value == pytest.approx(value, rel=1e-8, abs=1e-300), seed
    assert honest <= unproven * 600
    assert seen == {Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED}


def test_a_ray_of_rounding_errors_is_no_ray():
    # What x2 brings into x3 along the last edge is 2e-13, by rounding, and x3 <= 50 / 0.009.
    A = [[1, 0, 0.009], [-1, -0.04, 0], [1, -20, -0.0042], [1, -1, -100]]
    result = simplex(LinearProgram([0, 0, -1], A, [50, -1, -1, -700]))
    assert result.status is Status.OPTIMAL
    assert result.value == pytest.approx(-50 / 0.009, rel=1e-12)
