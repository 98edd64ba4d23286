"""Farkas rays and recession directions, against cases solved by hand."""

import numpy as np
import pytest

from mlcore.optimize import QuadraticProgram
from mlcore.optimize._equilibration import natural_units
from mlcore.optimize._farkas import prove_infeasible, prove_unbounded


def test_every_row_of_the_contradiction_is_weighted():
    """x ≥ 1, y ≥ 1, x + y ≤ 1: the three rows with equal weights add up to 0 ≤ −1."""
    problem = QuadraticProgram(np.eye(2), [0, 0], [[-1, 0], [0, -1], [1, 1], [1, -1]], [-1, -1, 1, 7])
    _, certificate = prove_infeasible(problem, natural_units(problem))
    np.testing.assert_allclose(certificate.ray, [1, 1, 1, 0], atol=1e-12)
    assert certificate.residual < 1e-12
    assert np.isnan(certificate.gap)


def test_equalities_come_last_and_have_either_sign():
    """x + y = 3 against x ≤ 1, y ≤ 1."""
    problem = QuadraticProgram(np.eye(2), [0, 0], np.eye(2), [1, 1], [[1, 1]], [3])
    _, certificate = prove_infeasible(problem, natural_units(problem))
    np.testing.assert_allclose(certificate.ray, [1, 1, -1], atol=1e-12)


def test_a_feasible_set_gives_a_point_and_no_proof():
    problem = QuadraticProgram(np.eye(2), [0, 0], [[-1, -1], [1, 0]], [-4, 1], [[1, -1]], [-2])
    point, certificate = prove_infeasible(problem, natural_units(problem))
    assert certificate is None
    assert (problem.G @ point <= problem.h + 1e-9).all()
    np.testing.assert_allclose(problem.A @ point, problem.b, atol=1e-9)


def test_no_constraints_are_feasible():
    problem = QuadraticProgram(np.eye(3), np.ones(3))
    point, certificate = prove_infeasible(problem, natural_units(problem))
    assert certificate is None
    assert point.shape == (3,)


@pytest.mark.parametrize("margin", [1e-3, 1, 1e6])
def test_the_proof_does_not_depend_on_the_size_of_the_contradiction(margin):
    problem = QuadraticProgram([[1]], [0], [[1], [-1]], [0, -margin])
    _, certificate = prove_infeasible(problem, natural_units(problem))
    np.testing.assert_allclose(certificate.ray, [1 / margin, 1 / margin])


def test_direction_stays_in_the_flat_of_the_objective_and_in_the_cone():
    """½(x − y)² − x − y falls along (1, 1) only; z ≤ 5 and x − z = 0 would stop it, x − y ≤ 1 does not."""
    P = np.array([[1, -1, 0], [-1, 1, 0], [0, 0, 0]])
    free = QuadraticProgram(P, [-1, -1, 0], [[1, -1, 0]], [1])
    certificate = prove_unbounded(free, natural_units(free), np.zeros(3))
    np.testing.assert_allclose(certificate.ray[:2], [0.5, 0.5])
    assert certificate.residual < 1e-12
    stopped = QuadraticProgram(P, [-1, -1, 0], [[0, 0, 1]], [5], [[1, 0, -1]], [0])
    assert prove_unbounded(stopped, natural_units(stopped), np.zeros(3)) is None


def test_a_definite_objective_has_no_direction():
    problem = QuadraticProgram(np.eye(2), [1, 1])
    assert prove_unbounded(problem, natural_units(problem), np.zeros(2)) is None


def test_a_ray_from_an_infeasible_point_is_no_proof():
    problem = QuadraticProgram([[0]], [1], [[1]], [0])
    units = natural_units(problem)
    assert prove_unbounded(problem, units, np.array([0.0])).residual == 0
    assert prove_unbounded(problem, units, np.array([3.0])).residual > 1
