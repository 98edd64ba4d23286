"""One step on the right active set solves a quadratic program; on a wrong one it shows a negative multiplier."""

import numpy as np
import pytest
from scipy import sparse

from mlcore.optimize import QuadraticProgram
from mlcore.optimize._active_set import active_set_step


def last(steps):
    return list(steps)[-1]


def test_right_active_set_gives_the_solution_from_anywhere():
    """½‖x‖² − x₁ − x₂ with x₁ + x₂ ≤ 1, x₁ ≤ 0.25: at (0.25, 0.75) both hold."""
    problem = QuadraticProgram(np.eye(2), [-1, -1], [[1, 1], [1, 0], [0, -1]], [1, 0.25, 0])
    x, z, y = last(active_set_step(problem, np.array([True, True, False]), np.array([5.0, -3]), np.ones(3), np.ones(0)))
    np.testing.assert_allclose(x, [0.25, 0.75])
    np.testing.assert_allclose(z, [0.25, 0.5, 0], atol=1e-12)
    assert y.shape == (0,)


def test_wrong_active_set_shows_a_negative_multiplier_first():
    problem = QuadraticProgram(np.eye(1), [1], [[1]], [2])
    steps = list(active_set_step(problem, np.array([True]), np.zeros(1), np.zeros(1), np.zeros(0)))
    assert steps[0][0] == 2 and steps[0][1] == -3
    assert steps[-1][1] >= 0


def test_an_upper_and_a_lower_bound_share_the_force():
    """x = 1 from both sides: only the side that pushes has a multiplier, duplicates get it once."""
    problem = QuadraticProgram(np.eye(1), [-3], [[1], [-1], [1]], [1, -1, 1])
    x, z, _ = last(active_set_step(problem, np.ones(3, dtype=bool), np.zeros(1), np.zeros(3), np.zeros(0)))
    assert x == 1
    np.testing.assert_allclose(z.sum(), 2)
    assert (z >= 0).all() and z[1] == 0


def test_dependent_constraints_keep_the_share_they_had():
    problem = QuadraticProgram(np.eye(2), [-1, -1], [[1, 1], [1, 1]], [1, 1])
    steps = active_set_step(problem, np.ones(2, dtype=bool), np.zeros(2), np.array([0.4, 0.1]), np.zeros(0))
    x, z, _ = next(steps)
    np.testing.assert_allclose(x, [0.5, 0.5])
    np.testing.assert_allclose(z, [0.4, 0.1])


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_large_system_by_elimination(kind):
    rng = np.random.default_rng(0)
    n, m = 120, 40
    B = rng.normal(size=(n, n))
    P, q, G, h = B @ B.T + np.eye(n), rng.normal(size=n), rng.normal(size=(m, n)), rng.normal(size=m)
    problem = QuadraticProgram(P, q, kind(G), h)
    x, z, _ = next(active_set_step(problem, np.ones(m, dtype=bool), np.zeros(n), np.zeros(m), np.zeros(0)))
    np.testing.assert_allclose(G @ x, h, atol=1e-9)
    np.testing.assert_allclose(P @ x + q + G.T @ z, 0, atol=1e-7)


def test_data_that_are_not_finite_give_no_step(capfd):
    """LAPACK would print a complaint."""
    problem = QuadraticProgram(np.eye(1), [1])
    start = np.array([np.nan])
    assert list(active_set_step(problem, np.zeros(0, dtype=bool), start, np.zeros(0), np.zeros(0))) == []
    captured = capfd.readouterr()
    assert captured.out == captured.err == ""
