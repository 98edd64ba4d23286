"""Every certificate of an optimum tells each optimality condition by its name."""

import numpy as np
import pytest

from mlcore.kernels import Gaussian
from mlcore.optimize import (
    Certificate,
    KKTResiduals,
    LinearProgram,
    QuadraticProgram,
    Status,
    margin_kkt_residuals,
    simplex,
    solve_qp,
)
from mlcore.optimize._linear_certificates import DualSolution, optimality
from mlcore.svm import (
    margin_solution,
    simplified_smo,
    smo,
    solve_dual,
    solve_primal,
    solve_smo,
    solve_svr_dual,
    solve_svr_primal,
    solve_svr_smo,
)
from mlcore.svm._epsilon_svr import svr_solution

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(24, 2))
Y = np.where(X[:, 0] + 0.8 * RANDOM.normal(size=24) > 0, 1.0, -1.0)
K = Gaussian(1.0)(X)
TARGET = np.sin(X[:, 0])
PROGRAM = LinearProgram([3.0, 2.0], [[1.0, 1.0], [1.0, 3.0]], [4.0, 6.0], maximize=True)

SOLVED = {
    "quadratic program": lambda: solve_qp(QuadraticProgram(P=[[2, 0], [0, 2]], q=[-2, -5], G=[[1, 1]], h=[1])),
    "simplex": lambda: simplex(PROGRAM),
    "primal margin": lambda: solve_primal(X, Y, 1.0),
    "dual margin": lambda: solve_dual(K, Y, 1.0),
    "hard margin": lambda: solve_primal(X, np.sign(X[:, 1]), np.inf),
    "pair updates": lambda: smo(K, Y, 1.0),
    "simplified pair updates": lambda: simplified_smo(K, Y, 1.0, random_state=0),
    "refined pair updates": lambda: solve_smo(K, Y, 1.0),
    "primal tube": lambda: solve_svr_primal(X, TARGET, 1.0, 0.1),
    "dual tube": lambda: solve_svr_dual(K, TARGET, 1.0, 0.1, "l2"),
    "tube by pair updates": lambda: solve_svr_smo(K, TARGET, 1.0, 0.1),
}


@pytest.mark.parametrize("name", SOLVED)
def test_an_optimum_has_all_four_conditions_and_their_largest_as_residual(name):
    certificate = SOLVED[name]().certificate
    conditions = certificate.conditions
    values = (conditions.stationarity, conditions.primal, conditions.dual, conditions.complementary)
    assert all(0 <= value < 2e-3 for value in values)
    assert certificate.residual == max(values) == conditions.largest
    assert certificate.gap == abs(certificate.primal_value - certificate.dual_value)


def test_a_proof_by_a_ray_has_none():
    result = simplex(LinearProgram([1.0], [[1.0], [-1.0]], [1.0, -2.0]))
    assert result.status is Status.INFEASIBLE
    assert result.certificate.conditions is None


def named(conditions):
    """Return the names of the conditions that are violated."""
    return {name for name in ("stationarity", "primal", "dual", "complementary") if getattr(conditions, name) > 1e-6}


def test_what_is_wrong_with_a_machine_is_named():
    alpha = solve_dual(K, Y, 1.0).alpha
    assert named(margin_solution(alpha, K, Y, 1.0).certificate.conditions) == set()
    unbalanced = alpha.copy()
    unbalanced[0] += 0.3 if alpha[0] < 0.5 else -0.3
    found = margin_solution(unbalanced, K, Y, 1.0)
    assert named(found.certificate.conditions) == {"stationarity", "complementary"}


def test_the_solver_and_the_definition_agree_about_stationarity():
    alpha = np.linspace(0, 1, len(Y))
    found = margin_solution(alpha, K, Y, 1.0)
    defined = margin_kkt_residuals(K, Y, 1.0, found.alpha, found.b)
    assert found.certificate.conditions.stationarity == pytest.approx(defined.stationarity)
    assert found.certificate.conditions.dual == defined.dual == 0


def test_a_hard_margin_that_is_not_kept_violates_the_primal_condition():
    line = np.array([[1.0], [-1.0]])
    conditions = margin_solution(np.array([0.25, 0.25]), line @ line.T, np.array([1.0, -1.0]), np.inf)
    assert conditions.certificate.conditions.primal == pytest.approx(0.5)


def test_a_tube_whose_coefficients_do_not_cancel_is_not_stationary():
    found = svr_solution(np.array([1.0, 0.5]), np.eye(2), np.array([0.0, 1.0]), C=2.0, epsilon=0.1)
    assert found.certificate.conditions.stationarity == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("x", "prices", "broken"),
    [
        ([4.0, 0.0], [3.0, 0.0], set()),
        ([5.0, 0.0], [3.0, 0.0], {"primal", "complementary"}),
        ([3.0, 1.0], [3.0, 0.0], {"complementary"}),
    ],
)
def test_what_is_wrong_with_a_linear_program_is_named(x, prices, broken):
    prices = np.array(prices)
    bounds = PROGRAM.c - PROGRAM.A_ub.T @ prices
    dual = DualSolution(prices, np.zeros(0), bounds, np.zeros(2))
    assert named(optimality(PROGRAM, np.array(x), dual).conditions) == broken


def test_a_price_of_the_wrong_sign_is_named():
    dual = DualSolution(np.array([-3.0, 0.0]), np.zeros(0), PROGRAM.c - PROGRAM.A_ub.T @ [-3.0, 0.0], np.zeros(2))
    assert "dual" in named(optimality(PROGRAM, np.array([4.0, 0.0]), dual).conditions)


def test_gap_and_residual_follow_from_values_and_conditions():
    certificate = Certificate.of_optimum(3.0, 2.5, KKTResiduals(0.1, 0.0, 0.2, 0.0))
    assert (certificate.gap, certificate.residual, certificate.ray) == (0.5, 0.2, None)
