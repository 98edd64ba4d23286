"""Sequential minimal optimisation: every variant, every step, every way to end."""

import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from mlcore.kernels import Gaussian, GramRows, Linear
from mlcore.optimize import QuadraticProgram, Status, box_constraints, solve_qp
from mlcore.svm import pair_update, simplified_smo, smo

VARIANTS = {
    "simplified": simplified_smo,
    "largest_difference": lambda K, y, C=1.0, **options: smo(K, y, C, partner="largest_difference", **options),
    "second_order": lambda K, y, C=1.0, **options: smo(K, y, C, **{"compiled": False} | options),
}
every_variant = pytest.mark.parametrize("solve", VARIANTS.values(), ids=VARIANTS)
FOUR_POINTS = np.array([[2.0, 1.0], [1.0, 2.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0, 1.0, -1.0])


def clouds(n=40, distance=1.5, seed=0, d=2):
    random = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return random.normal(size=(n, d)) + distance / 2 * y[:, None], y


def objective(alpha, K, y):
    return alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2


def optimum(K, y, C):
    n = len(y)
    G, h = box_constraints(np.zeros(n), np.full(n, C))
    result = solve_qp(QuadraticProgram(P=y[:, None] * K * y, q=-np.ones(n), G=G, h=h, A=y[None], b=np.zeros(1)))
    assert result.status is Status.OPTIMAL
    return -result.value


def assert_optimal(result, K, y, C, tolerance):
    """Check a claim of optimality with nothing but the definitions."""
    alpha = result.alpha
    assert result.status is Status.OPTIMAL
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert alpha @ y == pytest.approx(0, abs=1e-12 * len(y) * C)
    margins = y * (K @ (alpha * y) + result.b)
    rounding = 1e-14 * len(y) * C * np.abs(K).max()
    assert (margins[alpha < C] >= 1 - tolerance - rounding).all()
    assert (margins[alpha > 0] <= 1 + tolerance + rounding).all()
    assert result.objective == pytest.approx(objective(alpha, K, y), rel=1e-9)
    assert result.kkt_gap <= tolerance
    assert result.certificate.residual <= tolerance


# Known answers


@every_variant
def test_four_points(solve):
    X, y = FOUR_POINTS
    result = solve(X @ X.T, y, C=1e3, tolerance=1e-8)
    np.testing.assert_allclose((result.alpha * y) @ X, [-1, 1], atol=1e-7)
    assert result.b == pytest.approx(0, abs=1e-7)
    assert result.objective == pytest.approx(1)  # ½‖w‖²
    assert_optimal(result, X @ X.T, y, 1e3, 1e-8)


@every_variant
def test_iris(solve):
    flowers = load_iris()
    X, y = flowers.data[:100], np.where(flowers.target[:100], 1.0, -1.0)
    result = solve(X @ X.T, y, C=1.0, tolerance=1e-7)
    w = [0.04603432, -0.52172193, 1.00316396, 0.46417912]
    np.testing.assert_allclose((result.alpha * y) @ X, w, atol=1e-6)
    assert abs(result.b) == pytest.approx(1.45056012, abs=1e-5)
    assert np.count_nonzero(result.alpha) == 3


@every_variant
@pytest.mark.parametrize("C", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=str)
def test_the_quadratic_program_has_the_same_optimum(solve, C, kernel):
    X, y = clouds(30)
    K = kernel(X)
    result = solve(K, y, C, tolerance=1e-6)
    assert result.objective == pytest.approx(optimum(K, y, C), rel=1e-5)
    assert_optimal(result, K, y, C, 1e-6)


# The steps


@every_variant
@given(st.integers(0, 9999), st.sampled_from([0.1, 1.0, 50.0]), st.sampled_from([Linear(), Gaussian(0.5)]))
@settings(deadline=None, max_examples=25)
def test_every_step_keeps_the_constraints_and_never_loses(solve, seed, C, kernel):
    X, y = clouds(14, seed=seed)
    X = np.round(X, 1 if seed % 2 else 0)  # every other problem has copies of points, with either label
    K = kernel(X)
    result = solve(K, y, C, trace=True, max_iter=300)
    assert len(result.steps) == result.iterations
    alpha, value = np.zeros(len(y)), 0.0
    for step in result.steps:
        i, j = step.pair
        assert step.before == (alpha[i], alpha[j])
        alpha[[i, j]] = step.after
        assert step.clipped == alpha[j]
        assert alpha[j] == pytest.approx(np.clip(step.unclipped, step.L, step.H), rel=1e-11, abs=1e-12 * C)
        assert 0 <= step.L <= step.H <= C
        assert alpha.min() >= 0
        assert alpha.max() <= C
        assert alpha @ y == pytest.approx(0, abs=1e-12 * C)
        assert step.objective == pytest.approx(objective(alpha, K, y), abs=1e-10 * C)
        assert step.objective >= value - 1e-12 * C
        value = step.objective
    np.testing.assert_array_equal(alpha, result.alpha)
    if result.steps:
        assert result.steps[-1].kkt_gap == pytest.approx(result.kkt_gap, abs=1e-9)


@every_variant
def test_every_step_is_the_pair_update(solve):
    X, y = clouds(20)
    K = Gaussian(1.0)(X)
    alpha = np.zeros(len(y))
    for step in solve(K, y, 1.0, trace=True).steps:
        i, j = step.pair
        E = K @ (alpha * y) - y  # with b = 0
        expected = pair_update(
            alpha1=alpha[i],
            alpha2=alpha[j],
            y1=y[i],
            y2=y[j],
            E1=E[i],
            E2=E[j],
            K11=K[i, i],
            K22=K[j, j],
            K12=K[i, j],
            C=1.0,
        )
        assert step.after == pytest.approx((expected.alpha1, expected.alpha2), abs=1e-12)
        assert (step.L, step.H) == (expected.L, expected.H)
        assert step.b == pytest.approx(expected.b, abs=1e-10)
        alpha[[i, j]] = step.after


def errors_by_condition(alpha, K, y, C):
    """Return errors without b, with infinity where the condition on either side does not apply."""
    F = K @ (alpha * y) - y
    may_grow = np.where(y > 0, alpha < C, alpha > 0)
    may_shrink = np.where(y > 0, alpha > 0, alpha < C)
    return F, may_grow, may_shrink


def test_second_order_takes_the_least_error_and_the_partner_that_gains_most():
    X, y = clouds(20)
    K, C = Gaussian(1.0)(X), 1.0
    alpha = np.zeros(len(y))
    for step in VARIANTS["second_order"](K, y, C, trace=True).steps:
        i, j = step.pair
        F, may_grow, may_shrink = errors_by_condition(alpha, K, y, C)
        assert may_grow[i]
        assert may_shrink[j]
        assert F[i] == pytest.approx(F[may_grow].min(), abs=1e-12)
        partners = np.flatnonzero(may_shrink & (F - F[i] > 0))
        gains = {t: (F[t] - F[i]) ** 2 / (2 - 2 * K[i, t]) for t in partners}
        assert gains[j] == pytest.approx(max(gains.values()), rel=1e-9)
        alpha[[i, j]] = step.after


@pytest.mark.parametrize("C", [0.3, 1.0, 30.0])
def test_largest_difference_takes_the_largest_violation(C):
    X, y = clouds(20)
    K = Gaussian(1.0)(X)
    alpha, b = np.zeros(len(y)), 0.0
    for step in VARIANTS["largest_difference"](K, y, C, trace=True).steps:
        i, j = step.pair
        F, may_grow, may_shrink = errors_by_condition(alpha, K, y, C)
        E = F + b
        violation = np.maximum(np.where(may_grow, -E, 0), np.where(may_shrink, E, 0))
        partners = (may_shrink & (E - E[i] > 0)) if E[i] < 0 else (may_grow & (E[i] - E > 0))
        assert violation[i] == pytest.approx(violation.max(), abs=1e-12)
        assert partners[j]
        assert abs(E[i] - E[j]) == pytest.approx(abs(E[i] - E[partners]).max(), abs=1e-12)
        alpha[[i, j]], b = step.after, step.b


def test_better_partners_save_steps():
    X, y = clouds(100, distance=1.0)
    K = Gaussian(1.0)(X)
    simplified, largest, second = (solve(K, y, 10.0).iterations for solve in VARIANTS.values())
    assert second < largest < simplified


def test_no_trace_unless_asked_for_and_results_are_frozen():
    X, y = FOUR_POINTS
    result = smo(X @ X.T, y)
    assert result.steps == ()
    with pytest.raises(FrozenInstanceError):
        result.b = 0.0
    step = smo(X @ X.T, y, trace=True).steps[0]
    with pytest.raises(FrozenInstanceError):
        step.b = 0.0


# Difficult data


@every_variant
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("distance", [1.0, 6.0])
def test_any_C(solve, C, distance):
    X, y = clouds(16, distance=distance)
    K = Gaussian(0.5)(X)
    result = solve(K, y, C)
    assert_optimal(result, K, y, C, 1e-3)
    assert result.objective == pytest.approx(optimum(K, y, C), abs=max(result.certificate.gap, 1e-6 * C))


@every_variant
def test_copies_of_points(solve):
    X, y = clouds(10)
    X, y = np.vstack([X, X, X]), np.concatenate([y, y, y])
    K = Gaussian(1.0)(X)
    result = solve(K, y, 1.0, tolerance=1e-6)
    assert_optimal(result, K, y, 1.0, 1e-6)
    assert result.objective == pytest.approx(optimum(K, y, 1.0), rel=1e-5)


@every_variant
def test_copies_of_points_with_the_other_label(solve):
    X, y = clouds(10)
    X, y = np.vstack([X, X]), np.concatenate([y, -y])
    K = Gaussian(1.0)(X)
    result = solve(K, y, 1.0, tolerance=1e-6)
    assert_optimal(result, K, y, 1.0, 1e-6)
    assert result.objective == pytest.approx(20.0)  # f = 0 everywhere: all α = C
    np.testing.assert_allclose(result.alpha, 1.0)


@every_variant
def test_all_points_equal(solve):
    y = np.array([1.0, -1.0, -1.0, -1.0])
    result = solve(np.ones((4, 4)), y, 2.0)
    assert_optimal(result, np.ones((4, 4)), y, 2.0, 1e-3)
    assert result.objective == pytest.approx(4.0)
    assert result.b == -1  # the majority


@every_variant
def test_a_matrix_of_zeros(solve):
    result = solve(np.zeros((2, 2)), [1, -1], 3.0)
    assert result.alpha.tolist() == [3, 3]
    assert result.objective == 6


@every_variant
@pytest.mark.parametrize("few", [1, 2])
def test_unbalanced_classes(solve, few):
    X, y = clouds(40)
    y = np.where(np.arange(40) < few, 1.0, -1.0)
    K = Gaussian(1.0)(X)
    result = solve(K, y, 10.0, tolerance=1e-5)
    assert_optimal(result, K, y, 10.0, 1e-5)
    assert result.objective == pytest.approx(optimum(K, y, 10.0), rel=1e-5)


@every_variant
def test_two_points(solve):
    result = solve([[1.0, -1.0], [-1.0, 1.0]], [-1, 1], 10.0)
    assert result.alpha.tolist() == [0.5, 0.5]
    assert (result.b, result.iterations) == (0, 1)


@every_variant
def test_with_every_support_vector_at_its_bound_b_is_in_the_middle(solve):
    """Points −3, −1 | 1, 2 on a line with C = 0.05: all multipliers that are not 0 are C."""
    x, y, C = np.array([-3.0, -1.0, 1.0, 2.0]), np.array([-1.0, -1.0, 1.0, 1.0]), 0.05
    result = solve(np.outer(x, x), y, C, tolerance=1e-9)
    assert set(result.alpha) <= {0.0, C}
    w = (result.alpha * y) @ x
    admissible = [b for b in np.linspace(-3, 3, 60001) if _meets_conditions(result.alpha, y * (w * x + b), C)]
    assert max(admissible) - min(admissible) > 0.1
    assert result.b == pytest.approx((min(admissible) + max(admissible)) / 2, abs=1e-4)


def _meets_conditions(alpha, margins, C):
    return (margins[alpha < C] >= 1 - 1e-9).all() and (margins[alpha > 0] <= 1 + 1e-9).all()


@every_variant
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_a_matrix_with_negative_eigenvalues_comes_to_an_end(solve, C):
    X, y = clouds(30)
    K = np.tanh(X @ X.T - 1)
    assert np.linalg.eigvalsh(K)[0] < -1
    result = solve(K, y, C, max_iter=5000)
    assert result.alpha.min() >= 0
    assert result.alpha.max() <= C
    assert result.alpha @ y == pytest.approx(0, abs=1e-10)
    assert np.isfinite([result.b, result.objective, result.kkt_gap]).all()


@pytest.mark.parametrize("compiled", [False, True])
def test_negative_curvature_is_never_called_optimal(compiled):
    """W(α) = 2a + a² on α = (a, a): convex, so that the end a = C is best, and no condition could prove it."""
    K = np.array([[0.0, 1.0], [1.0, 0.0]])
    result = smo(K, [1, -1], 2.0, compiled=compiled)
    assert result.alpha.tolist() == [2, 2]
    assert result.objective == 8
    assert result.status is Status.NOT_CONVERGED


def test_a_gap_that_rounding_hides_is_found():
    X, y = clouds(30)
    K, C = Linear()(X + 1e3), 1e4
    result = smo(K, y, C, tolerance=1e-6, max_iter=20_000, compiled=False)
    fresh = K @ (result.alpha * y) - y
    up, low = np.where(y > 0, result.alpha < C, result.alpha > 0), np.where(y > 0, result.alpha > 0, result.alpha < C)
    rounding = 1e-15 * len(y) * C * K.max()
    assert result.kkt_gap == pytest.approx(fresh[low].max() - fresh[up].min(), abs=rounding)
    assert (result.status is Status.OPTIMAL) == (max(result.kkt_gap, result.certificate.residual) <= 1e-6)


# Ways to end, ways to start


@every_variant
def test_the_iteration_limit_is_told_and_the_gap_kept(solve):
    X, y = clouds(40)
    K = Gaussian(1.0)(X)
    result = solve(K, y, 10.0, max_iter=5)
    assert result.status is Status.ITERATION_LIMIT
    assert result.iterations == 5
    assert result.kkt_gap > 1e-3
    assert result.certificate.residual > 1e-3
    assert result.certificate.primal_value > result.certificate.dual_value == result.objective


@every_variant
def test_a_limit_that_is_just_enough_is_optimal(solve):
    X, y = clouds(20)
    K = Gaussian(1.0)(X)
    needed = solve(K, y, 1.0).iterations
    result = solve(K, y, 1.0, max_iter=needed)
    assert (result.status, result.iterations) == (Status.OPTIMAL, needed)


def test_bad_luck_with_partners_is_told():
    X, y = clouds(60)
    result = simplified_smo(Gaussian(1.0)(X), y, 100.0, tolerance=1e-9, max_passes=1)
    assert result.status is Status.NOT_CONVERGED
    assert result.kkt_gap > 1e-9


@pytest.mark.parametrize("partner", ["second_order", "largest_difference"])
@pytest.mark.parametrize(("C_before", "C"), [(1.0, 1.1), (1.1, 1.0), (5.0, 4.0), (1.0, 1.0)])
def test_a_warm_start_saves_steps_and_ends_at_the_same_optimum(partner, C_before, C):
    X, y = clouds(80)
    K = Gaussian(1.0)(X)
    start = smo(K, y, C_before, partner=partner, tolerance=1e-5).alpha
    cold = smo(K, y, C, partner=partner, tolerance=1e-5)
    warm = smo(K, y, C, partner=partner, tolerance=1e-5, alpha=start)
    assert warm.iterations < cold.iterations
    assert_optimal(warm, K, y, C, 1e-5)
    assert warm.objective == pytest.approx(cold.objective, rel=1e-5)
    if C_before == C:
        assert warm.iterations == 0
        np.testing.assert_array_equal(warm.alpha, start)


@every_variant
def test_the_same_call_gives_the_same_result(solve):
    X, y = clouds(30)
    K = Gaussian(1.0)(X)
    first, second = solve(K, y, trace=True), solve(K, y, trace=True)
    assert first.steps == second.steps
    np.testing.assert_array_equal(first.alpha, second.alpha)


def test_the_seed_decides_the_partners():
    X, y = clouds(30)
    K = Gaussian(1.0)(X)
    pairs = {
        tuple(step.pair for step in simplified_smo(K, y, random_state=seed, trace=True).steps) for seed in range(3)
    }
    assert len(pairs) == 3
    generator = np.random.default_rng(1)
    assert simplified_smo(K, y, random_state=generator).alpha.tolist() == (
        simplified_smo(K, y, random_state=1).alpha.tolist()
    )


@every_variant
def test_the_input_is_left_alone_and_may_be_read_only(solve):
    X, y = clouds(12)
    K, start = Gaussian(1.0)(X), np.zeros(12)
    copies = K.copy(), y.copy()
    for array in (K, y, start):
        array.setflags(write=False)
    options = {} if solve is simplified_smo else {"alpha": start}
    result = solve(K, y, 1.0, **options)
    assert result.iterations > 0
    np.testing.assert_array_equal(K, copies[0])
    np.testing.assert_array_equal(y, copies[1])
    assert start.tolist() == [0] * 12


@every_variant
def test_rows_computed_on_demand_give_the_same_machine(solve):
    X, y = clouds(30)
    from_matrix, from_rows = solve(Linear()(X), y), solve(GramRows(Linear(), X), y)
    np.testing.assert_allclose(from_rows.alpha, from_matrix.alpha, atol=1e-3)
    assert from_rows.objective == pytest.approx(from_matrix.objective, rel=1e-4)
    assert from_rows.status is Status.OPTIMAL


# Bad input


@every_variant
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(K=np.ones((3, 4))), "K: expected"),
        (dict(K=np.array([[1.0, 0.5], [0.0, 1.0]]), y=[1, -1]), "K: expected a symmetric matrix"),
        (dict(K=np.full((4, 4), np.nan)), "K: expected numbers, got NaN"),
        (dict(K=np.full((4, 4), np.inf)), "K: expected finite"),
        (dict(K=np.eye(3)), r"y: expected shape \(3,\), got \(4,\)"),
        (dict(y=[1, 1, 1, 1]), "y: expected labels .1 and -1, both present"),
        (dict(y=[0, 1, 1, 0]), "y: expected labels"),
        (dict(y=[1, -1, np.nan, 1]), "y: expected numbers, got NaN"),
        (dict(K=np.zeros((0, 0)), y=[]), "y: expected"),
        (dict(C=0), "C: expected a number above 0"),
        (dict(C=-1), "C: expected"),
        (dict(C=np.nan), "C: expected"),
        (dict(C=np.inf), "C: expected a finite number; for a hard margin solve the quadratic program"),
        (dict(tolerance=0), "tolerance: expected"),
        (dict(max_iter=0), "max_iter: expected"),
        (dict(max_iter=2.5), "max_iter: expected"),
        (dict(C=1e300), "C: expected a number between 1e-50 and"),
        (dict(K=np.full((4, 4), 1e300)), "K: expected numbers of at most"),
    ],
    ids=str,
)
def test_bad_input_is_named(solve, change, message):
    arguments = dict(K=np.eye(4), y=[1, 1, -1, -1], C=1.0) | change
    with pytest.raises(ValueError, match=message):
        solve(**arguments)


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (smo, dict(partner="third_order"), "partner: expected one of"),
        (smo, dict(partner=["second_order"]), "partner: expected one of"),
        (smo, dict(alpha=[0.0]), "alpha: expected shape"),
        (smo, dict(alpha=[0.0, -1.0, 0.0, 0.0]), "alpha: expected multipliers of at least 0"),
        (smo, dict(alpha=[0.0, np.nan, 0.0, 0.0]), "alpha: expected numbers, got NaN"),
        (smo, dict(compiled=True, trace=True), "compiled: expected no trace"),
        (smo, dict(compiled=True, partner="largest_difference"), "compiled: expected no trace"),
        (simplified_smo, dict(max_passes=0), "max_passes: expected"),
        (simplified_smo, dict(random_state="seed"), "random_state: expected"),
        (simplified_smo, dict(random_state=-1), "random_state: expected"),
    ],
)
def test_bad_options_are_named(function, options, message):
    with pytest.raises(ValueError, match=message):
        function(np.eye(4), [1, 1, -1, -1], **options)


# Which loop


def test_without_numba_the_readable_loop_does_all(monkeypatch):
    X, y = clouds(60)
    K = Gaussian(1.0)(X)
    expected = smo(K, y, 10.0, compiled=False)
    monkeypatch.setattr("mlcore.svm._loops.COMPILED", False)
    result = smo(K, y, 10.0)
    assert result.iterations > 20
    np.testing.assert_array_equal(result.alpha, expected.alpha)
    with pytest.raises(ValueError, match="compiled: expected Numba"):
        smo(K, y, 10.0, compiled=True)


def run(code):
    """Run Python in a process of its own, where modules can be missing or broken."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_where_numba_is_missing_the_loops_are_interpreted():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np; from mlcore.svm import solve_smo, _loops\n"
        "X = np.arange(8.0)[:, None]; y = np.array([1, 1, -1, 1, -1, -1, 1, -1.0])\n"
        "print(_loops.COMPILED, solve_smo(np.exp(-((X - X.T) ** 2)), y, 10.0).status)"
    )
    ended = run(code)
    assert (ended.stdout, ended.stderr) == ("False optimal\n", "")


def test_a_broken_numba_is_an_error_and_no_slow_loop():
    code = "import sys, types; sys.modules['numba'] = types.ModuleType('numba'); import mlcore.svm._loops"
    assert "ImportError: cannot import name 'njit'" in run(code).stderr


def test_importing_the_package_does_not_load_numba():
    code = "import sys, mlcore.svm; sys.exit('numba' in sys.modules)"
    assert run(code).returncode == 0
