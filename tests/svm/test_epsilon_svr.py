"""The tube problems as plain functions: optimality, certificates, proofs, extreme data, bad arguments."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.errors import NotAKernel
from mlcore.kernels import Gaussian, Linear, Polynomial, Sigmoid
from mlcore.optimize import QuadraticProgram, Status, solve_qp
from mlcore.svm import solve_svr_dual, solve_svr_primal
from mlcore.svm._epsilon_svr import LOSSES, svr_solution

KERNELS = [Linear(), Polynomial(2, 1.0), Polynomial(3, 0.5), Gaussian(0.5), Gaussian(2.0)]


@pytest.fixture(params=LOSSES)
def loss(request):
    return request.param


def curve(n=30, d=1, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, size=(n, d))
    return X, np.sin(2 * X[:, 0]) + noise * rng.normal(size=n)


def assert_optimal(solution, K, y, C, epsilon, loss, tolerance=1e-6):
    """Check every condition without the package's own certificate."""
    alpha, alpha_star, beta = solution.alpha, solution.alpha_star, solution.coefficients
    unit = np.ptp(y) / 2 or 1.0
    errors = y - (K @ beta + solution.b)
    above, below = np.maximum(0, errors - epsilon), np.maximum(0, -errors - epsilon)
    assert solution.status is Status.OPTIMAL
    assert np.array_equal(beta, alpha - alpha_star)
    assert (alpha >= 0).all()
    assert (alpha_star >= 0).all()
    assert not (alpha * alpha_star).any()
    assert abs(beta.sum()) <= tolerance * (np.abs(beta).max() or 1)
    np.testing.assert_allclose(solution.fitted, y - errors, atol=tolerance * unit)
    np.testing.assert_allclose(solution.slack, above + below, atol=tolerance * unit)
    for multipliers, signed in ((alpha, errors), (alpha_star, -errors)):
        if loss == "l1":
            free, full = (multipliers > 0) & (multipliers < C), multipliers == C
            assert (multipliers <= C).all()
            np.testing.assert_allclose(signed[free], epsilon, atol=tolerance * unit)
            assert (signed[full] >= epsilon - tolerance * unit).all()
        else:
            used = multipliers > 0
            np.testing.assert_allclose(signed[used], epsilon + multipliers[used] / C, atol=tolerance * unit)
    assert (np.abs(errors[beta == 0]) <= epsilon + tolerance * unit).all()
    assert solution.support.tolist() == np.flatnonzero(beta).tolist()
    squared_norm = beta @ K @ beta
    rounding = 1e-14 * (np.abs(beta) @ np.abs(K) @ np.abs(beta) + np.abs(beta) @ (np.abs(y) + epsilon))
    assert solution.norm**2 == pytest.approx(squared_norm, rel=1e-9, abs=rounding)
    penalty = 0 if np.isinf(C) else C * (solution.slack.sum() if loss == "l1" else (solution.slack**2).sum() / 2)
    ridge = 0 if loss == "l1" else 1 / C
    dual = y @ beta - epsilon * np.abs(beta).sum() - (squared_norm + ridge * beta @ beta) / 2
    assert solution.certificate.primal_value == pytest.approx(squared_norm / 2 + penalty, rel=1e-9, abs=rounding)
    assert solution.certificate.dual_value == pytest.approx(dual, rel=1e-9, abs=rounding)
    assert abs(solution.certificate.primal_value - dual) <= tolerance * abs(dual) + rounding


# --- the optimum ------------------------------------------------------------------------------------------------


def test_three_points_on_a_line():
    # The tube of half height ½ around (0, 0), (1, 1), (2, 2) has slope ½; ES p. 79.
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    for solution in (solve_svr_primal(X, y, np.inf, 0.5), solve_svr_dual(X @ X.T, y, np.inf, 0.5)):
        np.testing.assert_allclose(solution.fitted, [0.5, 1.0, 1.5], atol=1e-9)
        np.testing.assert_allclose(solution.alpha, [0, 0, 0.25], atol=1e-9)
        np.testing.assert_allclose(solution.alpha_star, [0.25, 0, 0], atol=1e-9)
        assert solution.b == pytest.approx(0.5)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("C", [1e-3, 0.1, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_conditions_hold_at_the_optimum(kernel, C, epsilon, loss):
    X, y = curve(n=25, d=2, seed=3)
    K = kernel(X)
    assert_optimal(solve_svr_dual(K, y, C, epsilon, loss), K, y, C, epsilon, loss)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 25),
    d=st.integers(1, 3),
    C=st.sampled_from([1e-3, 0.1, 1.0, 30.0, 1e4, np.inf]),
    epsilon=st.sampled_from([0.0, 0.1, 0.5, 3.0]),
    loss=st.sampled_from(LOSSES),
    on_a_grid=st.booleans(),
)
def test_primal_and_dual_agree_on_random_data(seed, n, d, C, epsilon, loss, on_a_grid):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    if on_a_grid:
        X, y = X.round(), y.round()  # duplicates, ties, and equal points with different targets
    primal, dual = solve_svr_primal(X, y, C, epsilon, loss), solve_svr_dual(X @ X.T, y, C, epsilon, loss)
    assert primal.status is dual.status
    if primal.status is Status.INFEASIBLE:
        assert np.isinf(C)
        for solution in (primal, dual):
            assert_no_tube(solution, X, y, epsilon)
        return
    for solution in (primal, dual):
        assert_optimal(solution, X @ X.T, y, C, epsilon, loss)
    np.testing.assert_allclose(primal.fitted, dual.fitted, atol=1e-5 * (1 + np.abs(y).max()))
    np.testing.assert_allclose(primal.w, X.T @ dual.coefficients, atol=1e-5 * (1 + np.abs(primal.w).max()))


def test_a_large_price_does_not_leave_a_gap_behind():
    # The residual is 4e-12 after the interior-point method, but the slack of the same size costs C = 1e4 times as much.
    X, y = np.array([[1.0], [-3.0]]), np.array([0.0, 1.0])
    for C in (1e4, 1e6):
        solution = solve_svr_primal(X, y, C, 0.0, "l1")
        assert solution.status is Status.OPTIMAL
        assert solution.certificate.gap <= 1e-6 * solution.certificate.dual_value


def direct_minimum(X, y, C, epsilon, loss):
    """½‖w‖² + penalty as a program in w, b and one slack for both edges, |yᵢ − f(xᵢ)| ≤ ε + sᵢ."""
    n, d = X.shape
    plane = np.column_stack([X, np.ones(n)])
    G = np.block([[-plane, -np.eye(n)], [plane, -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    h = np.concatenate([epsilon - y, epsilon + y, np.zeros(n)])
    quadratic, linear = (0.0, C) if loss == "l1" else (C, 0.0)
    P = np.diag([1.0] * d + [0.0] + [quadratic] * n)
    result = solve_qp(QuadraticProgram(P, np.concatenate([np.zeros(d + 1), np.full(n, linear)]), G, h))
    assert result.status is Status.OPTIMAL
    return plane @ result.x[: d + 1], result.value


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("C", [0.05, 1.0, 50.0])
def test_agreement_with_a_direct_convex_program(C, epsilon, loss):
    # The factor of MW: the penalty is ½ C Σ ξ², and the objectives agree in value, not only in the minimiser.
    for seed in range(5):
        X, y = curve(n=20, d=2, seed=seed)
        fitted, value = direct_minimum(X, y, C, epsilon, loss)
        for solution in (solve_svr_primal(X, y, C, epsilon, loss), solve_svr_dual(X @ X.T, y, C, epsilon, loss)):
            difference = solution.fitted - fitted
            if loss == "l1" and not ((solution.coefficients != 0) & (np.abs(solution.coefficients) < C)).any():
                difference -= difference.mean()  # an interval of offsets is optimal
            np.testing.assert_allclose(difference, 0, atol=1e-6)
            assert solution.certificate.primal_value == pytest.approx(value, rel=1e-7)


def test_without_a_tube_the_quadratic_penalty_is_ridge_regression():
    # ε = 0: ½‖w‖² + ½ C Σ (y − f)² is minimised by kernel ridge regression with λ = 1/C and a free offset.
    X, y = curve(n=25)
    K, C = Gaussian(0.7)(X), 5.0
    system = np.block([[K + np.eye(25) / C, np.ones((25, 1))], [np.ones((1, 25)), np.zeros((1, 1))]])
    expected = np.linalg.solve(system, np.append(y, 0))
    solution = solve_svr_dual(K, y, C, 0.0, "l2")
    np.testing.assert_allclose(solution.coefficients, expected[:-1], atol=1e-8)
    assert solution.b == pytest.approx(expected[-1])


def test_theta_substitution_gives_the_same_multipliers():
    # ES p. 82: θ = (α − α′, α′).
    X, y = curve(n=20, seed=5)
    K, C, epsilon, n = Gaussian(0.8)(X), 3.0, 0.2, 20
    identity, zero = np.eye(n), np.zeros((n, n))
    result = solve_qp(
        QuadraticProgram(
            P=np.block([[K, zero], [zero, zero]]),
            q=np.concatenate([epsilon - y, np.full(n, 2 * epsilon)]),
            G=np.block([[-identity, -identity], [zero, -identity], [identity, identity], [zero, identity]]),
            h=np.repeat([0.0, C], 2 * n),
            A=np.repeat([[1.0, 0.0]], n, axis=1),
            b=[0.0],
        )
    )
    theta = result.x[:n], result.x[n:]
    solution = solve_svr_dual(K, y, C, epsilon)
    np.testing.assert_allclose(solution.alpha_star, theta[1], atol=1e-6)
    np.testing.assert_allclose(solution.alpha, theta[0] + theta[1], atol=1e-6)
    assert -result.value == pytest.approx(solution.certificate.dual_value, rel=1e-8)


def test_offset_from_free_support_vectors():
    # ES-13: b = y − Σ βk − ε where 0 < α < C, and + ε where 0 < α′ < C; the printed signs are the other way round.
    X, y = curve(n=40, seed=1)
    K, C, epsilon = Gaussian(0.8)(X), 1.0, 0.2
    solution = solve_svr_dual(K, y, C, epsilon)
    through_origin = y - K @ solution.coefficients
    upper = (solution.alpha > 0) & (solution.alpha < C)
    lower = (solution.alpha_star > 0) & (solution.alpha_star < C)
    assert upper.any()
    assert lower.any()
    np.testing.assert_allclose(through_origin[upper] - epsilon, solution.b, atol=1e-8)
    np.testing.assert_allclose(through_origin[lower] + epsilon, solution.b, atol=1e-8)
    assert np.abs(through_origin[upper] + epsilon - solution.b).min() > epsilon


def test_offset_is_the_middle_when_no_support_vector_is_free():
    # C is so small that both ends are at their bound; b may be anywhere that keeps them outside and the rest inside.
    X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-5.0, 1.0, 7.0])
    for solution in (solve_svr_primal(X, y, 0.1, 2.0), solve_svr_dual(X @ X.T, y, 0.1, 2.0)):
        np.testing.assert_allclose(solution.coefficients, [-0.1, 0, 0.1])
        # slope 0.2: −5 ≤ b − 0.2 − 2, b − 2 ≤ 1 ≤ b + 2, and 7 ≥ b + 0.2 + 2
        assert solution.b == pytest.approx((max(-2.8, -1) + min(3, 4.8)) / 2)


def test_no_support_vector_is_inside_the_tube(loss):
    for seed in range(5):
        X, y = curve(n=40, seed=seed)
        solution = solve_svr_dual(Gaussian(0.6)(X), y, 2.0, 0.25, loss)
        errors = np.abs(y - solution.fitted)
        assert (errors[solution.support] >= 0.25 - 1e-8).all()
        assert 0 < len(solution.support) < 40
        assert (errors < 0.25 - 1e-8).any()


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4, np.inf])
@pytest.mark.parametrize("factor", [1.0, 1.000001, 1.5, 1e6])
def test_a_tube_higher_than_the_data_is_flat(C, factor, loss):
    X, y = curve(n=25, seed=2)
    half = np.ptp(y) / 2
    for solution in (
        solve_svr_primal(X, y, C, factor * half, loss),
        solve_svr_dual(Gaussian(0.5)(X), y, C, factor * half, loss),
    ):
        assert solution.status is Status.OPTIMAL
        assert len(solution.support) == 0
        np.testing.assert_allclose(solution.fitted, (y.max() + y.min()) / 2, rtol=1e-12)
        assert solution.norm == 0
    tilted = solve_svr_dual(Gaussian(0.5)(X), y, C, 0.99 * half, loss)
    assert len(tilted.support) >= 2


def test_losses_and_C_infinite_are_one_problem():
    X, y = curve(n=15, noise=0.05)
    K = Gaussian(0.6)(X)
    first, second = (solve_svr_dual(K, y, np.inf, 0.3, loss) for loss in LOSSES)
    assert_optimal(first, K, y, np.inf, 0.3, "l1")
    np.testing.assert_allclose(first.fitted, second.fitted, atol=1e-7)
    assert not first.slack.round(7).any()


# --- hard data --------------------------------------------------------------------------------------------------


def test_constant_targets(loss):
    X, _ = curve(n=10)
    for value in (0.0, 7.5, -1e9):
        for epsilon in (0.0, 0.1):
            solution = solve_svr_dual(Gaussian(1.0)(X), np.full(10, value), 1e4, epsilon, loss)
            assert solution.status is Status.OPTIMAL
            assert solution.b == value
            assert len(solution.support) == 0


def test_one_point(loss):
    for solution in (
        solve_svr_primal([[3.0]], [2.0], 1.0, 0.1, loss),
        solve_svr_dual([[9.0]], [2.0], 1.0, 0.1, loss),
    ):
        assert solution.status is Status.OPTIMAL
        assert solution.fitted.tolist() == [2.0]


def test_duplicates_with_different_targets(loss):
    X, y = curve(n=12)
    X, y = np.vstack([X, X, X]), np.concatenate([y, y + 1, y - 1])
    for kernel in KERNELS:
        K = kernel(X)
        assert_optimal(solve_svr_dual(K, y, 10.0, 0.1, loss), K, y, 10.0, 0.1, loss)


def test_a_doubled_point_counts_twice(loss):
    X, y = curve(n=15)
    doubled = solve_svr_dual(Gaussian(0.7)(np.vstack([X, X])), np.concatenate([y, y]), 1.0, 0.1, loss)
    single = solve_svr_dual(Gaussian(0.7)(X), y, 2.0, 0.1, loss)
    np.testing.assert_allclose(doubled.fitted[:15], single.fitted, atol=1e-7)


@pytest.mark.parametrize("unit", [1e-8, 1e8])
@pytest.mark.parametrize("level", [0.0, 1e3])
def test_the_unit_and_the_level_of_the_targets_do_not_matter(unit, level, loss):
    X, y = curve(n=20)
    K = Gaussian(0.7)(X)
    here = solve_svr_dual(K, y, 2.0, 0.1, loss)
    there = solve_svr_dual(K, unit * (y + level), 2.0 * (unit if loss == "l1" else 1), 0.1 * unit, loss)
    assert there.status is Status.OPTIMAL
    np.testing.assert_allclose(there.fitted / unit - level, here.fitted, atol=1e-7)
    assert len(there.support) == len(here.support)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_the_unit_and_the_origin_of_the_features_do_not_matter(scale, shift, loss):
    X, y = curve(n=20, d=2)
    here = solve_svr_primal(X, y, 2.0, 0.1, loss)
    # Slopes grow by 1/scale; the same trade-off needs C/scale².
    there = solve_svr_primal(scale * (X + shift), y, 2.0 / scale**2, 0.1, loss)
    assert there.status is Status.OPTIMAL
    np.testing.assert_allclose(there.fitted, here.fitted, atol=1e-6)
    np.testing.assert_allclose(there.w * scale, here.w, atol=1e-6)


def test_mirrored_targets_swap_the_edges(loss):
    X, y = curve(n=20)
    K = Gaussian(0.7)(X)
    here, there = solve_svr_dual(K, y, 2.0, 0.1, loss), solve_svr_dual(K, -y, 2.0, 0.1, loss)
    np.testing.assert_allclose(there.alpha, here.alpha_star, atol=1e-8)
    np.testing.assert_allclose(there.fitted, -here.fitted, atol=1e-8)


# --- certificates -----------------------------------------------------------------------------------------------


def assert_no_tube(solution, X, y, epsilon):
    weights = solution.certificate.ray
    assert np.abs(weights).sum() == pytest.approx(1)
    assert weights.sum() == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(weights @ X, 0, atol=1e-6 * np.abs(X).max())
    assert weights @ y > epsilon
    assert solution.certificate.residual <= 1e-6
    assert np.isnan(solution.alpha).all()
    assert np.isnan(solution.fitted).all()
    assert np.isnan(solution.b)


def test_a_hard_tube_that_is_too_low(loss):
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 0.0])
    for solution in (solve_svr_primal(X, y, np.inf, 0.4, loss), solve_svr_dual(X @ X.T, y, np.inf, 0.4, loss)):
        assert solution.status is Status.INFEASIBLE
        assert_no_tube(solution, X, y, 0.4)
        np.testing.assert_allclose(solution.certificate.ray, [-0.25, 0.5, -0.25], atol=1e-6)
    for solution in (solve_svr_primal(X, y, np.inf, 0.5, loss), solve_svr_dual(X @ X.T, y, np.inf, 0.5, loss)):
        assert solution.status is Status.OPTIMAL
        np.testing.assert_allclose(solution.fitted, 0.5, atol=1e-6)


def test_equal_points_with_different_targets_fit_in_no_low_tube():
    X, y = np.array([[0.0], [0.0], [1.0]]), np.array([0.0, 1.0, 0.3])
    for kernel in KERNELS:
        solution = solve_svr_dual(kernel(X), y, np.inf, 0.2)
        assert solution.status is Status.INFEASIBLE
        np.testing.assert_allclose(solution.certificate.ray, [-0.5, 0.5, 0], atol=1e-6)


def test_poor_multipliers_are_not_called_optimal(loss):
    X, y = curve(n=30)
    K = Gaussian(0.7)(X)
    best = solve_svr_dual(K, y, 1.0, 0.1, loss)
    assert svr_solution(best.coefficients, K, y, 1.0, 0.1, loss).status is Status.OPTIMAL
    spoilt = best.coefficients + 0.01 * np.random.default_rng(0).normal(size=30)
    for status in (Status.OPTIMAL, Status.ITERATION_LIMIT):
        solution = svr_solution(spoilt, K, y, 1.0, 0.1, loss, status)
        assert solution.status is (Status.ITERATION_LIMIT if status == "iteration_limit" else Status.NOT_CONVERGED)
        assert solution.certificate.residual > 1e-4


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0.1, 10), st.sampled_from(LOSSES))
def test_gap_bounds_the_distance_from_the_optimum(seed, C, loss):
    # Any β in the bounds with Σ β = 0, however bad, comes with a gap that covers what is missing in the objective.
    X, y = curve(n=20, seed=seed)
    K = Gaussian(0.7)(X)
    best = solve_svr_dual(K, y, C, 0.1, loss).certificate.dual_value
    beta = C * np.random.default_rng(seed).uniform(-0.5, 0.5, size=20)
    beta -= beta.mean()
    certificate = svr_solution(beta, K, y, C, 0.1, loss).certificate
    assert certificate.dual_value <= best + 1e-9 * abs(best)
    assert certificate.primal_value >= best - 1e-9 * abs(best)


# --- arguments --------------------------------------------------------------------------------------------------


def test_inputs_are_left_alone_and_results_frozen():
    X, y = curve(n=15)
    K = X @ X.T
    before = X.copy(), y.copy(), K.copy()
    solution = solve_svr_primal(X, y)
    svr_solution(solve_svr_dual(K, y).coefficients, K, y, 1.0, 0.1)
    for array, copy in zip((X, y, K), before):
        assert np.array_equal(array, copy)
    with pytest.raises(FrozenInstanceError):
        solution.b = 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: solve_svr_primal([1.0, 2.0], [1, 2]), r"^X: expected shape \(n, d\)"),
        (lambda: solve_svr_primal([[1.0], [np.nan]], [1, 2]), "^X: .*NaN"),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, 2, 3]), r"^y: expected shape \(2,\), got \(3,\)"),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, np.inf]), "^y: .*infinity"),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, 2], C=0), "^C: expected a number above 0"),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, 2], C=1e60), "^C: expected a number between 1e-50 and"),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, 2], epsilon=-0.1), "^epsilon: expected a finite number of at"),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, 2], epsilon=np.inf), "^epsilon: "),
        (lambda: solve_svr_primal([[1.0], [2.0]], [1, 2], loss="l3"), r"^loss: expected one of .*, got 'l3'"),
        (lambda: solve_svr_primal(np.empty((0, 2)), []), "^X: expected at least one sample"),
        (lambda: solve_svr_primal([[1e60], [2.0]], [1, 2]), r"^X: expected numbers of at most 1e\+50"),
        (lambda: solve_svr_dual([[1.0, 2.0]], [1, 2]), r"^K: expected shape \(n, n\)"),
        (lambda: solve_svr_dual([[1.0, 2.0], [0.0, 1.0]], [1, 2]), "^K: expected a symmetric"),
        (lambda: solve_svr_dual(np.eye(2), [1, 2], C=-1), "^C: "),
        (lambda: solve_svr_dual(np.eye(2), [1, 2], C=np.nan), "^C: "),
        (lambda: solve_svr_dual(np.eye(2), [1, 2], C=1e-60, loss="l2"), "^C: expected a number between 1e-50 and"),
        (lambda: solve_svr_dual(np.eye(2), [1, 1e60]), r"^y: expected numbers of at most 1e\+50"),
        (lambda: solve_svr_dual(np.eye(2), [1, 2], epsilon=1e60), r"^epsilon: expected numbers of at most"),
        (lambda: solve_svr_dual(np.empty((0, 0)), []), "^y: expected at least one sample"),
    ],
)
def test_bad_arguments_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_matrix_with_a_negative_eigenvalue_is_no_kernel(loss):
    # Also where 1/C on the diagonal would hide it.
    X, y = curve(n=10)
    for K, targets in ((Sigmoid(1.0, -1.0)(X), y), ([[1.0, 2.0], [2.0, 1.0]], [1.0, 2.0])):
        for C in (0.01, 100.0):
            with pytest.raises(NotAKernel, match="^K: expected a positive semidefinite matrix, .* eigenvalue -"):
                solve_svr_dual(K, targets, C, 0.1, loss)
