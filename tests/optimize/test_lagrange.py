"""Equality-constrained quadratic programs in closed form: minimisers, proofs, dependent rows, units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.optimize import QuadraticProgram, Status, kkt_residuals, solve_equality_qp, solve_qp


def random_program(seed, n, p, rank_P, rank_A):
    """A program with a minimum: q lies in the range of P and Aᵀ, b in the range of A."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, rank_P))
    A = rng.normal(size=(p, rank_A)) @ rng.normal(size=(rank_A, n))
    P = root @ root.T
    return P, P @ rng.normal(size=n) + A.T @ rng.normal(size=p), A, A @ rng.normal(size=n)


class TestMinimum:
    def test_the_exercise_of_page_52(self):
        result = solve_equality_qp(2 * np.eye(2), [0, 0], [[1, 1]], [2])
        assert result.status is Status.OPTIMAL
        assert result.x == pytest.approx([1, 1])
        assert result.value == pytest.approx(2)
        assert -result.equality_multipliers == pytest.approx([2])
        assert result.certificate.gap == pytest.approx(0, abs=1e-12)

    def test_the_multiplier_is_the_derivative_of_the_value(self):
        P, q, A, b = random_program(3, 5, 2, 5, 2)
        result, step = solve_equality_qp(P, q, A, b), 1e-5
        for k in range(2):
            shift = step * np.eye(2)[k]
            slope = (solve_equality_qp(P, q, A, b + shift).value - solve_equality_qp(P, q, A, b - shift).value) / 2
            assert -result.equality_multipliers[k] == pytest.approx(slope / step, rel=1e-5)

    def test_no_equations(self):
        result = solve_equality_qp([[2, 0], [0, 4]], [-2, -4])
        assert result.status is Status.OPTIMAL
        assert result.x == pytest.approx([1, 1])
        assert result.equality_multipliers.shape == result.inequality_multipliers.shape == (0,)

    def test_equations_that_leave_no_choice(self):
        result = solve_equality_qp([[1, 0], [0, 1]], [1, 1], [[1, 1], [1, -1]], [3, 1])
        assert result.status is Status.OPTIMAL
        assert result.x == pytest.approx([2, 1])

    def test_nothing_to_minimise(self):
        result = solve_equality_qp(np.zeros((2, 2)), [0, 0], [[1, 1]], [2])
        assert (result.status, result.value) == (Status.OPTIMAL, 0)
        assert result.x.sum() == pytest.approx(2)

    def test_zero_and_repeated_rows(self):
        A, b = [[1, 1], [0, 0], [1, 1], [2, 2]], [2, 0, 2, 4]
        result = solve_equality_qp(2 * np.eye(2), [0, 0], A, b)
        assert result.status is Status.OPTIMAL
        assert result.x == pytest.approx([1, 1])
        assert np.transpose(A) @ result.equality_multipliers == pytest.approx([-2, -2])

    @given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 7), st.data())
    @settings(deadline=None, max_examples=60)
    def test_random_programs_of_any_rank(self, seed, n, p, data):
        rank_P, rank_A = data.draw(st.integers(0, n)), data.draw(st.integers(0, min(n, p)))
        P, q, A, b = random_program(seed, n, p, rank_P, rank_A)
        result = solve_equality_qp(P, q, A, b)
        assert result.status is Status.OPTIMAL
        problem = QuadraticProgram(P, q, A=A, b=b)
        residuals = kkt_residuals(problem, result.x, equality_multipliers=result.equality_multipliers)
        assert residuals.largest <= 1e-9
        assert result.value == pytest.approx(solve_qp(problem).value, rel=1e-6, abs=1e-6)

    @given(st.integers(0, 10_000))
    @settings(deadline=None, max_examples=30)
    def test_units_do_not_matter(self, seed):
        rng = np.random.default_rng(seed)
        P, q, A, b = random_program(seed, 4, 2, 4, 2)
        d, f = 10.0 ** rng.integers(-6, 7, size=4), 10.0 ** rng.integers(-6, 7, size=2)
        plain = solve_equality_qp(P, q, A, b)
        scaled = solve_equality_qp(d[:, None] * P * d, d * q, f[:, None] * A * d, f * b)
        assert scaled.status is Status.OPTIMAL
        assert d * scaled.x == pytest.approx(plain.x, rel=1e-5, abs=1e-6 * np.abs(plain.x).max())

    def test_input_is_not_changed(self):
        P, q, A, b = (np.array(part, dtype=float) for part in ([[2, 0], [0, 2]], [1, 1], [[1, 1]], [2]))
        copies = [part.copy() for part in (P, q, A, b)]
        solve_equality_qp(P, q, A, b)
        assert all((part == copy).all() for part, copy in zip((P, q, A, b), copies))


class TestNoMinimum:
    @pytest.mark.parametrize(
        ("A", "b"),
        [
            ([[1, 1], [1, 1]], [2, 3]),
            ([[0, 0]], [1]),
            ([[1, 0], [0, 1], [1, 1]], [1, 1, 3]),
            ([[1e-8, 0], [1, 0]], [1, 1]),
        ],
    )
    def test_contradicting_equations(self, A, b):
        result = solve_equality_qp(np.eye(2), [0, 0], A, b)
        assert (result.status, result.value) == (Status.INFEASIBLE, np.inf)
        y = result.certificate.ray
        assert np.transpose(A) @ y == pytest.approx([0, 0], abs=1e-9)
        assert np.dot(b, y) == pytest.approx(-1)
        assert np.isnan(result.x).all() and np.isnan(result.equality_multipliers).all()

    @pytest.mark.parametrize(
        ("P", "q", "A", "b"),
        [
            (np.zeros((2, 2)), [1, 0], None, None),
            (np.diag([1, 0]), [0, -1], None, None),
            (np.diag([1, 0]), [0, 1], [[1, 0]], [3]),
            ([[1, -1], [-1, 1]], [1, 1], [[0, 0]], [0]),
        ],
    )
    def test_an_objective_that_falls_for_ever(self, P, q, A, b):
        result = solve_equality_qp(P, q, A, b)
        assert (result.status, result.value) == (Status.UNBOUNDED, -np.inf)
        ray = result.certificate.ray
        assert np.asarray(P) @ ray == pytest.approx([0, 0], abs=1e-9)
        assert np.dot(q, ray) == pytest.approx(-1)
        if A is not None:
            assert np.asarray(A) @ ray == pytest.approx(np.zeros(len(A)), abs=1e-9)
            assert np.asarray(A) @ result.x == pytest.approx(b)

    @given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 5))
    @settings(deadline=None, max_examples=40)
    def test_the_same_verdict_as_the_general_solver(self, seed, n, p):
        rng = np.random.default_rng(seed)
        rank = rng.integers(0, n + 1)
        root, A = rng.integers(-2, 3, size=(n, rank)), rng.integers(-1, 2, size=(p, n))
        P, q, b = root @ root.T, rng.integers(-2, 3, size=n), rng.integers(-2, 3, size=p)
        ours, general = solve_equality_qp(P, q, A, b), solve_qp(QuadraticProgram(P, q, A=A, b=b))
        assert ours.status is general.status
        assert ours.value == pytest.approx(general.value, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1, 0], [0, -1]], [0, 0]), "P: expected a positive semidefinite matrix"),
        (([[1, 2], [0, 1]], [0, 0]), "P: expected a symmetric matrix"),
        ((np.eye(2), [0, 0, 0]), r"P: expected shape \(3, 3\)"),
        ((np.eye(2), [0, 0], [[1, 1, 1]], [1]), r"A: expected shape \(m, 2\)"),
        ((np.eye(2), [0, 0], [[1, 1]], None), "b: expected an array to go with A, got None"),
        ((np.eye(2), [0, np.nan]), "q: expected numbers, got NaN"),
        ((np.eye(2), [0, 0], [[1, np.inf]], [1]), "A: expected finite numbers"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve_equality_qp(*arguments)
