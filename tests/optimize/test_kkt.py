"""Optimality conditions by name: each can be broken alone, and none depends on the units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlcore.datasets import iris_pair, mislabelled_points, two_clouds
from mlcore.optimize import (
    KKTResiduals,
    LinearProgram,
    QuadraticProgram,
    kkt_residuals,
    margin_kkt_residuals,
    simplex,
    solve_qp,
)
from mlcore.optimize._kkt import optimality
from mlcore.svm import solve_dual, solve_primal

NAMES = ("stationarity", "primal", "dual", "complementary")


def violated(residuals, threshold=1e-6):
    return [name for name in NAMES if getattr(residuals, name) > threshold]


class TestQuadraticProgram:
    """Minimise x₁² + x₂² for x₁ ≥ 1, x₂ ≤ 5 and x₁ + x₂ = 4: the minimiser is (2, 2), with y = −4 and z = 0."""

    problem = QuadraticProgram(P=2 * np.eye(2), q=[0, 0], G=[[-1, 0], [0, 1]], h=[-1, 5], A=[[1, 1]], b=[4])

    @pytest.mark.parametrize(
        ("x", "z", "y", "names"),
        [
            ([2, 2], [0, 0], [-4], []),
            ([1, 3], [0, 0], [-4], ["stationarity"]),
            ([2, 2], [0, 0], [-3], ["stationarity"]),
            ([1, 1], [0, 0], [-2], ["primal"]),
            ([2, 2], [0, 1], [-4], ["stationarity", "complementary"]),
            ([2, 2], [-1, 0], [-4], ["stationarity", "dual", "complementary"]),
        ],
    )
    def test_each_violation_has_its_name(self, x, z, y, names):
        residuals = kkt_residuals(self.problem, x, z, y)
        assert violated(residuals) == names
        assert residuals.largest == max(getattr(residuals, name) for name in NAMES)

    def test_a_wall_that_pulls_breaks_the_dual_condition_alone(self):
        falling = QuadraticProgram(P=[[2.0]], q=[0], G=[[1.0]], h=[3.0])  # minimise x² for x ≤ 3, at x = 3
        assert violated(kkt_residuals(falling, [3.0], [-6.0])) == ["dual"]

    def test_a_force_at_a_distance_breaks_the_complementary_condition_alone(self):
        inside = QuadraticProgram(P=[[2.0]], q=[0], G=[[-1.0]], h=[1.0])  # minimise x² for x ≥ −1, at x = 2
        assert violated(kkt_residuals(inside, [2.0], [4.0])) == ["complementary"]

    def test_the_solution_of_the_solver_has_none(self):
        result = solve_qp(self.problem)
        residuals = kkt_residuals(self.problem, result.x, result.inequality_multipliers, result.equality_multipliers)
        assert violated(residuals, 1e-9) == []
        assert residuals.largest == result.certificate.residual

    @given(st.integers(0, 10_000))
    @settings(deadline=None, max_examples=25)
    def test_units_do_not_matter(self, seed):
        rng = np.random.default_rng(seed)
        n, m = 4, 6
        root = rng.normal(size=(n, n))
        P, q, G, h = root @ root.T, rng.normal(size=n), rng.normal(size=(m, n)), rng.uniform(0.5, 2, size=m)
        x, z = rng.normal(size=n), rng.uniform(size=m)
        d, e, c = 10.0 ** rng.integers(-5, 6, size=n), 10.0 ** rng.integers(-5, 6, size=m), 10.0 ** rng.integers(-5, 6)
        plain = kkt_residuals(QuadraticProgram(P, q, G, h), x, z)
        changed = QuadraticProgram(c * d[:, None] * P * d, c * d * q, e[:, None] * G * d, e * h)
        scaled = kkt_residuals(changed, x / d, c * z / e)
        # Up to the factors by which equilibrated units may differ.
        for name in NAMES:
            assert getattr(scaled, name) == pytest.approx(getattr(plain, name), rel=30, abs=1e-12)
            assert getattr(plain, name) == pytest.approx(getattr(scaled, name), rel=30, abs=1e-12)

    def test_a_large_sparse_program_stays_sparse(self):
        n = 400
        G = sparse.eye_array(n, format="csr")
        problem = QuadraticProgram(P=np.eye(n), q=-np.ones(n), G=G, h=np.full(n, 0.5))
        assert violated(kkt_residuals(problem, np.full(n, 0.5), np.full(n, 0.5))) == []
        assert violated(kkt_residuals(problem, np.ones(n), np.zeros(n))) == ["primal"]

    @pytest.mark.parametrize(
        ("x", "z", "y", "message"),
        [
            ([1], [0, 0], [0], r"x: expected shape \(2,\), got \(1,\)"),
            ([1, 1], [0], [0], r"inequality_multipliers: expected shape \(2,\), got \(1,\)"),
            ([1, 1], [0, 0], [], r"equality_multipliers: expected shape \(1,\), got \(0,\)"),
            ([1, np.nan], [0, 0], [0], "x: expected numbers, got NaN"),
            ([1, np.inf], [0, 0], [0], "x: expected finite numbers"),
        ],
    )
    def test_bad_input_is_named(self, x, z, y, message):
        with pytest.raises(ValueError, match=message):
            kkt_residuals(self.problem, x, z, y)

    def test_something_that_is_no_program(self):
        with pytest.raises(ValueError, match="problem: expected a QuadraticProgram or a LinearProgram, got {}"):
            kkt_residuals({}, [0], [0])

    def test_numbers_that_overflow_give_no_small_residual(self):
        assert not kkt_residuals(self.problem, [1e200, 1e200], [0, 0], [0]).largest < 1e-6

    def test_the_certificate_of_a_point_that_ran_away(self):
        for x in ([np.nan, 1.0], [np.inf, 1.0], [1e200, 1.0]):
            certificate, error = optimality(self.problem, np.array(x), np.zeros(2), np.zeros(1))
            assert error == np.inf
            assert not certificate.residual <= 1e-6

    def test_values_of_the_certificate(self):
        certificate, error = optimality(self.problem, np.array([2.0, 2.0]), np.zeros(2), np.array([-4.0]))
        assert (certificate.primal_value, certificate.dual_value, certificate.gap) == (8, 8, 0)
        assert error < 1e-12
        certificate, error = optimality(self.problem, np.array([2.0, 2.0]), np.zeros(2), np.array([-3.0]))
        assert (certificate.dual_value, certificate.gap) == (4, 4)
        assert error == pytest.approx(0.5, rel=0.01)

    def test_the_text_names_all_four(self):
        text = str(KKTResiduals(0.5, 1e-9, 0.0, 2e-3))
        assert text == "stationarity 5.0e-01, primal < 1e-6, dual < 1e-6, complementary 2.0e-03"
        assert np.isnan(KKTResiduals(np.nan, 0.0, 0.0, 0.0).largest)


class TestLinearProgram:
    """The multipliers of a linear program are the shadow prices, with the signs of a minimisation."""

    @pytest.mark.parametrize("maximize", [True, False])
    def test_the_solution_of_the_simplex_method_has_none(self, maximize):
        sign = 1 if maximize else -1
        problem = LinearProgram(
            [sign * 3, sign * 2, -sign], [[2, 1, 1], [2, 3, 0], [3, 1, 0]], [18, 42, 24], [[0, 1, 1]], [13],
            bounds=[(0, None), (0, 11), (None, None)], maximize=maximize,
        )  # fmt: skip
        result = simplex(problem)
        dual = result.dual
        z = np.concatenate([sign * dual.ub, -sign * dual.lower[:2], sign * dual.upper[1:2]])
        residuals = kkt_residuals(problem, result.x, z, sign * dual.eq)
        assert violated(residuals, 1e-9) == []
        assert violated(kkt_residuals(problem, result.x, -z, sign * dual.eq)) == ["stationarity", "dual"]

    def test_wrong_number_of_multipliers(self):
        with pytest.raises(ValueError, match=r"inequality_multipliers: expected shape \(3,\)"):
            kkt_residuals(LinearProgram([1, 1], [[1, 1]], [2]), [0, 0], [0])


class TestMarginProblem:
    @pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
    @pytest.mark.parametrize("changed", [0, 1, 2])
    def test_a_fitted_machine_has_none(self, C, changed):
        X, y = mislabelled_points(changed)
        for solution in (solve_primal(X, y, C), solve_dual(X @ X.T, y, C)):
            assert violated(margin_kkt_residuals(X @ X.T, y, C, solution.alpha, solution.b)) == []

    def test_a_hard_margin(self):
        X, y, _ = iris_pair()
        solution = solve_primal(X, y, np.inf)
        K = X @ X.T
        assert violated(margin_kkt_residuals(K, y, np.inf, solution.alpha, solution.b)) == []
        assert "primal" in violated(margin_kkt_residuals(K, y, np.inf, 0.5 * solution.alpha, solution.b))

    def test_each_violation_has_its_name(self):
        X, y = two_clouds(n=20, distance=1, seed=1)
        solution, K = solve_primal(X, y, 1.0), X @ X.T
        assert "stationarity" in violated(margin_kkt_residuals(K, y, 1.0, 0.5 * (y > 0), solution.b))
        assert "dual" in violated(margin_kkt_residuals(K, y, 0.5, solution.alpha, solution.b))
        assert violated(margin_kkt_residuals(K, y, 1.0, solution.alpha, solution.b + 0.1)) == ["complementary"]
        assert violated(margin_kkt_residuals(K, y, 1.0, np.zeros(20), 0.0)) == ["complementary"]

    def test_the_same_judgement_as_the_full_program(self):
        """The conditions of the program in (w, b, ξ), with multipliers α and μ = C − α."""
        X, y = mislabelled_points(2)
        n, C = len(y), 2.0
        rows = np.column_stack([y[:, None] * X, y, np.eye(n)])
        G = -np.vstack([rows, np.column_stack([np.zeros((n, 3)), np.eye(n)])])
        h = np.concatenate([-np.ones(n), np.zeros(n)])
        problem = QuadraticProgram(np.diag([1.0, 1.0] + [0.0] * (n + 1)), np.append(np.zeros(3), np.full(n, C)), G, h)
        s = solve_primal(X, y, C)
        x = np.concatenate([s.w, [s.b], s.slack])
        assert violated(kkt_residuals(problem, x, np.concatenate([s.alpha, C - s.alpha]))) == []

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"K": np.eye(3)}, r"y: expected shape \(3,\)"),
            ({"y": [0, 1]}, "y: expected labels"),
            ({"C": 0}, "C: expected a number above 0"),
            ({"alpha": [1]}, r"alpha: expected shape \(2,\)"),
            ({"b": [1, 2]}, r"b: expected shape \(\)"),
        ],
    )
    def test_bad_input_is_named(self, change, message):
        good = {"K": np.eye(2), "y": [1, -1], "C": 1.0, "alpha": [1, 1], "b": 0}
        with pytest.raises(ValueError, match=message):
            margin_kkt_residuals(**(good | change))
