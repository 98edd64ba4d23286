"""Quadratic programs: published optima, optimality conditions, proofs that there is none, and bad input."""

import numpy as np
import pytest
from cvxopt import solvers
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from mlcore.optimize import (
    LinearProgram,
    QuadraticProgram,
    Status,
    box_constraints,
    dual_program,
    separating_plane,
    simplex,
    solve_equality_qp,
    solve_qp,
)

# The linear program inside Hjorth-Jensen's example: 3x + 4y over a polygon.
HJ_G = [[-1, 0], [0, -1], [-1, -3], [2, 5], [3, 4]]
HJ_H = [0, 0, -15, 100, 80]


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def assert_optimal(problem, result, tolerance=1e-9):
    """The KKT conditions, written out anew: each violation against the size of the terms that it sums."""
    assert result.status == "optimal"
    x, z, y = result.x, result.inequality_multipliers, result.equality_multipliers
    P, q, G, h, A, b = (dense(part) for part in (problem.P, problem.q, problem.G, problem.h, problem.A, problem.b))
    assert (z >= 0).all()
    terms = np.array([P @ x, q, G.T @ z, A.T @ y])
    assert np.abs(terms.sum(axis=0)).max() <= tolerance * max(1, np.abs(terms).max())
    rows = 1 + np.abs(h) + np.abs(G) @ np.abs(x)
    assert ((G @ x - h) <= tolerance * rows).all()
    assert (np.abs(A @ x - b) <= tolerance * (1 + np.abs(b) + np.abs(A) @ np.abs(x))).all()
    value = x @ P @ x / 2 + q @ x
    dual = -x @ P @ x / 2 - h @ z - b @ y
    assert np.abs(z * (h - G @ x)).max(initial=0) <= tolerance * max(1, abs(value))
    assert result.value == pytest.approx(value, rel=1e-12, abs=1e-12)
    certificate = result.certificate
    assert certificate.primal_value == result.value
    assert certificate.dual_value == pytest.approx(dual, rel=1e-12, abs=1e-9)
    assert certificate.gap <= tolerance * max(1, abs(value))
    assert certificate.residual <= tolerance
    assert certificate.ray is None


def assert_infeasible(problem, result, tolerance=1e-9):
    """The Farkas ray weights the constraints to 0 ≤ −1."""
    assert result.status == "infeasible"
    G, A = dense(problem.G), dense(problem.A)
    z, y = np.split(result.certificate.ray, [len(problem.h)])
    assert (z >= 0).all()
    size = np.abs(G.T) @ z + np.abs(A.T) @ np.abs(y)
    assert (np.abs(G.T @ z + A.T @ y) <= tolerance * np.maximum(size, 1)).all()
    assert problem.h @ z + problem.b @ y == pytest.approx(-1)
    assert result.certificate.residual <= 1e-6
    assert result.value == np.inf
    assert np.isnan(result.x).all() and np.isnan(result.inequality_multipliers).all()


def assert_unbounded(problem, result, tolerance=1e-8):
    """From a feasible point the objective falls at rate 1 along the ray for ever."""
    assert result.status == "unbounded"
    G, A = dense(problem.G), dense(problem.A)
    x, ray = result.x, result.certificate.ray
    size = max(1, np.abs(ray).max())
    assert np.abs(problem.P @ ray).max() <= tolerance * size * max(1, np.abs(problem.P).max())
    assert (G @ ray <= tolerance * (1 + np.abs(G) @ np.abs(ray))).all()
    assert (np.abs(A @ ray) <= tolerance * (1 + np.abs(A) @ np.abs(ray))).all()
    assert problem.q @ ray == pytest.approx(-1)
    assert (G @ x - problem.h <= tolerance * (1 + np.abs(problem.h) + np.abs(G) @ np.abs(x))).all()
    assert (np.abs(A @ x - problem.b) <= tolerance * (1 + np.abs(problem.b) + np.abs(A) @ np.abs(x))).all()
    assert result.certificate.residual <= 1e-6
    assert result.value == -np.inf


def random_parts(seed):
    rng = np.random.default_rng(seed)
    B, start = rng.normal(size=(4, 4)), rng.normal(size=4)
    G, A = rng.normal(size=(12, 4)), rng.normal(size=(1, 4))
    return B @ B.T, 3 * rng.normal(size=4), G, G @ start + rng.exponential(size=12), A, A @ start


def soft_margin(X, labels, C):
    """Primal and dual program of the soft margin."""
    m, d = X.shape
    P = np.diag(np.concatenate([np.ones(d), np.zeros(m + 1)]))
    q = np.concatenate([np.zeros(d + 1), np.full(m, C)])
    signed = labels[:, None] * np.c_[X, np.ones(m)]
    G = np.block([[-signed, -np.eye(m)], [np.zeros((m, d + 1)), -np.eye(m)]])
    primal = QuadraticProgram(P, q, G, np.concatenate([-np.ones(m), np.zeros(m)]))
    gram = np.outer(labels, labels) * (X @ X.T)
    dual = QuadraticProgram(gram, -np.ones(m), *box_constraints(np.zeros(m), np.full(m, C)), [labels], [0])
    return primal, dual


def labelled_points(m, scales):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(m, len(scales)))
    return X * scales, np.where(X[:, 1] + 0.3 * rng.normal(size=m) > 0, 1.0, -1.0)


# Published problems


@pytest.mark.parametrize(("q", "value"), [([3, 4], 20), ([5, 3], 15)])
def test_hjorth_jensen(q, value):
    problem = QuadraticProgram([[1, 0], [0, 0]], q, HJ_G, HJ_H)
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [0, 5], atol=1e-12)
    assert result.value == pytest.approx(value, rel=1e-12)


def hs21():
    """0.01 x₁² + x₂² − 100 with 10x₁ − x₂ ≥ 10."""
    box, bounds = box_constraints([2, -50], [50, 50])
    G, h = np.vstack([box.toarray(), [-10, 1]]), np.append(bounds, -10)
    return QuadraticProgram(np.diag([0.02, 2]), [0, 0], G, h), -100


def hs35():
    """9 − 8x₁ − 6x₂ − 4x₃ + 2x₁² + 2x₂² + x₃² + 2x₁x₂ + 2x₁x₃ with x₁ + x₂ + 2x₃ ≤ 3."""
    P = [[4, 2, 2], [2, 4, 0], [2, 0, 2]]
    return QuadraticProgram(P, [-8, -6, -4], np.vstack([-np.eye(3), [1, 1, 2]]), [0, 0, 0, 3]), 9


def hs118():
    """Five months of three products: costs almost linear, steps from month to month limited, sums demanded."""
    P = np.diag(np.tile([0.0002, 0.0002, 0.0003], 5))
    q = np.tile([2.3, 1.7, 2.2], 5)
    lower, upper = np.zeros(15), np.tile([90.0, 120.0, 60.0], 5)
    lower[:3], upper[:3] = [8, 43, 3], [21, 57, 16]
    box, bounds = box_constraints(lower, upper)
    step = np.eye(15)[3:] - np.eye(15)[:-3]  # −7 ≤ xᵢ₊₃ − xᵢ ≤ 6 (7 for the second product)
    month = np.kron(np.eye(5), np.ones(3))
    G = np.vstack([box.toarray(), step, -step, -month])
    h = np.concatenate([bounds, np.tile([6, 7, 6], 4), np.full(12, 7), [-60, -50, -70, -85, -100]])
    return QuadraticProgram(P, q, G, h), 0


def qptest():
    """1.5x₁ − 2x₂ + 4x₁² + 2x₁x₂ + 5x₂² with 2x₁ + x₂ ≥ 2, −x₁ + 2x₂ ≤ 6; the optimum omits the file's constant 4."""
    G, h = [[-2, -1], [-1, 2], [-1, 0], [1, 0], [0, -1]], [-2, 6, 0, 20, 0]
    return QuadraticProgram([[8, 2], [2, 10]], [1.5, -2], G, h), 0


def zecevic2():
    """2x₂² − 2x₁ − 3x₂ with x₁ + x₂ ≤ 2, x₁ + 4x₂ ≤ 4."""
    box, bounds = box_constraints([0, 0], [10, 10])
    G, h = np.vstack([box.toarray(), [1, 1], [1, 4]]), np.append(bounds, [2, 4])
    return QuadraticProgram(np.diag([0, 4]), [-2, -3], G, h), 0


@pytest.mark.parametrize(
    ("build", "optimum"),
    [(hs21, -99.96), (hs35, 1 / 9), (hs118, 664.82045), (qptest, 4.371875), (zecevic2, -4.125)],
)
def test_maros_meszaros(build, optimum):
    problem, constant = build()
    result = solve_qp(problem)
    assert_optimal(problem, result)
    assert result.value + constant == pytest.approx(optimum, abs=1e-8)


def test_semidefinite_has_several_minimisers():
    """ES-1: with Q = diag(1, 0) and c = 0 every (0, t) is optimal, so uniqueness needs a definite Q."""
    problem = QuadraticProgram(np.diag([1, 0]), [0, 0], *box_constraints([-1, -1], [1, 1]))
    result = solve_qp(problem)
    assert_optimal(problem, result)
    assert result.value == pytest.approx(0, abs=1e-12)
    for other in ([0, -1], [0, 1]):
        assert problem.objective(np.array(other)) == 0


def test_separable_points_and_the_fifth_that_is_not():
    """Chapter 7: +(0,1), +(1,2), −(1,0), −(2,1) have w = (−1, 1), b = 0; −(−1, 1.5) spoils it."""
    points, labels = np.array([[0, 1], [1, 2], [1, 0], [2, 1]]), np.array([1, 1, -1, -1])
    P = np.diag([1, 1, 0])
    problem = QuadraticProgram(P, np.zeros(3), -labels[:, None] * np.c_[points, np.ones(4)], -np.ones(4))
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [-1, 1, 0], atol=1e-9)
    points, labels = np.vstack([points, [-1, 1.5]]), np.append(labels, -1)
    problem = QuadraticProgram(P, np.zeros(3), -labels[:, None] * np.c_[points, np.ones(5)], -np.ones(5))
    assert_infeasible(problem, solve_qp(problem))


# Every kind of constraint set


def test_without_constraints():
    problem = QuadraticProgram([[2, 1], [1, 2]], [1, 1])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [-1 / 3, -1 / 3], rtol=1e-12)
    assert result.iterations == 0
    assert result.inequality_multipliers.shape == result.equality_multipliers.shape == (0,)


def test_without_constraints_and_singular_takes_the_shortest_minimiser():
    problem = QuadraticProgram([[1, -1], [-1, 1]], [-1, 1])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [0.5, -0.5], rtol=1e-12)


def test_without_constraints_unbounded_off_the_range_of_P():
    problem = QuadraticProgram([[1, -1], [-1, 1]], [-1, -1])
    result = solve_qp(problem)
    assert_unbounded(problem, result)
    np.testing.assert_allclose(result.certificate.ray, [0.5, 0.5])


def test_equality_has_the_multiplier_of_the_force_balance():
    """Chapter 9: x² + y² on x + y = 2 has its minimum at (1, 1), held by a force 2."""
    problem = QuadraticProgram(2 * np.eye(2), [0, 0], A=[[1, 1]], b=[2])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [1, 1])
    np.testing.assert_allclose(result.equality_multipliers, [-2])  # Px + q + Aᵀy = 0


def test_empty_constraint_matrices_equal_none():
    empty = np.zeros((0, 2)), np.zeros(0)
    with_empty = solve_qp(QuadraticProgram(np.eye(2), [1, 2], *empty, *empty))
    without = solve_qp(QuadraticProgram(np.eye(2), [1, 2]))
    np.testing.assert_array_equal(with_empty.x, without.x)


def test_linear_program():
    problem = QuadraticProgram(np.zeros((2, 2)), [-3, -1], [[1, 1], [1, -1], [-1, 0], [0, -1]], [4, 2, 0, 0])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [3, 1])
    np.testing.assert_allclose(result.inequality_multipliers, [2, 1, 0, 0], atol=1e-12)


def test_linear_program_with_a_variable_that_does_not_matter():
    """CVXOPT alone: ValueError, Rank([P; A; G]) < n."""
    problem = QuadraticProgram(np.zeros((2, 2)), [1, 0], [[-1, 0]], [1])
    assert_optimal(problem, solve_qp(problem))


@pytest.mark.parametrize(
    ("A", "b"),
    [
        ([[1, 1], [1, 1]], [1, 1]),
        ([[1, 1], [3, 3], [-1e6, -1e6]], [1, 3, -1e6]),
        ([[1, 1], [0, 0]], [1, 0]),
        ([[1, 0], [0, 1], [1, 1]], [0.25, 0.75, 1]),
    ],
)
@pytest.mark.parametrize("inequalities", [(None, None), ([[1, 0]], [0.25])])
def test_dependent_equalities(A, b, inequalities):
    """CVXOPT alone: ValueError, Rank(A) < p."""
    problem = QuadraticProgram(np.diag([1, 3]), [0, 0], *inequalities, A, b)
    result = solve_qp(problem)
    assert_optimal(problem, result)
    assert result.x.sum() == pytest.approx(1)


def test_contradicting_equalities():
    problem = QuadraticProgram(np.eye(2), [0, 0], A=[[1, 1], [2, 2]], b=[1, 3])
    assert_infeasible(problem, solve_qp(problem))


@pytest.mark.parametrize(("bound", "status"), [(0, "optimal"), (1, "optimal"), (-1, "infeasible")])
def test_zero_rows(bound, status):
    for constraints in (([[0, 0]], [bound]), ([[0, 0], [-1, 0]], [bound, 0])):
        problem = QuadraticProgram(np.eye(2), [1, 1], *constraints)
        result = solve_qp(problem)
        (assert_optimal if status == "optimal" else assert_infeasible)(problem, result)


def test_inequalities_that_leave_no_interior():
    problem = QuadraticProgram(np.eye(2), [0, 1], [[1, 1], [-1, -1], [1, 0], [1, 0]], [2, -2, 0.5, 0.5])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [0.5, 1.5])


@pytest.mark.parametrize("infinity", [1e6, 1e9, 1e12, 1e14, 1e16, 1e20, 1e30])
@pytest.mark.parametrize("seed", range(3))
def test_huge_bounds_stand_for_none(infinity, seed):
    P, q, G, h, A, b = random_parts(seed)
    plain = solve_qp(QuadraticProgram(P, q, G, h, A, b))
    box, bounds = box_constraints(np.full(4, -infinity), np.full(4, infinity))
    problem = QuadraticProgram(P, q, np.vstack([G, box.toarray()]), np.append(h, bounds), A, b)
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, plain.x, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("C", [1e6, 1e8, 1e9])
def test_huge_bounds_may_hold(C):
    """Points that no plane separates: α grows with C, however large, and the value with it."""
    _, dual = soft_margin(*labelled_points(40, [1, 1]), C)
    result = solve_qp(dual)
    assert result.status == "optimal"
    assert result.certificate.residual <= 1e-6
    assert result.certificate.gap <= 1e-6 * abs(result.value)
    _, tenth = soft_margin(*labelled_points(40, [1, 1]), C / 10)
    assert result.value == pytest.approx(10 * solve_qp(tenth).value, rel=1e-3)
    assert result.x.max() == pytest.approx(C)


def test_infeasible_by_little_is_told_from_feasible_by_little():
    apart = QuadraticProgram([[1]], [1], [[1], [-1]], [1, -1 - 1e-4])
    assert_infeasible(apart, solve_qp(apart))
    touching = QuadraticProgram([[1]], [1], [[1], [-1]], [1, -1])
    assert_optimal(touching, solve_qp(touching))


def test_infeasible_is_told_before_unbounded():
    problem = QuadraticProgram(np.zeros((2, 2)), [1, 0], [[0, 1], [0, -1]], [0, -1])
    assert_infeasible(problem, solve_qp(problem))


def test_hardly_curved_is_not_unbounded():
    problem = QuadraticProgram(1e-8 * np.eye(2), [1, 0], [[0, 1]], [5])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [-1e8, 0], rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize(
    ("P", "G", "start"),
    [
        ([[4, 4, 4], [4, 5, 6], [4, 6, 8]], [[0, 1, 1], [1, 1, 1]], 0),
        ([[10, 9, 12, 3], [9, 9, 9, 0], [12, 9, 18, 9], [3, 0, 9, 9]], [[1, 0, 3, 1], [1, 1, 1, 1]], 0),
        ([[5, 4, 6], [4, 4, 4], [6, 4, 8]], [[0, 1, 1], [1, 1, 1]], -1),
    ],
)
def test_minimisers_that_reach_to_infinity(P, G, start):
    """An interior-point method left alone walks along them until the digits of the value are gone."""
    P, G = np.array(P), np.array(G)
    start = np.full(len(P), start)
    problem = QuadraticProgram(P, -P @ start, G, G @ start)
    result = solve_qp(problem)
    assert_optimal(problem, result, tolerance=1e-8)
    assert result.value == pytest.approx(problem.objective(start), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_a_slope_of_rounding_errors_is_not_unbounded(seed):
    """q lies in the cone of the rows only up to 1e-16, and CVXOPT alone sees a singular matrix."""
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(2, 4))
    problem = QuadraticProgram(np.zeros((4, 4)), -G.T @ rng.exponential(size=2), G, rng.normal(size=2))
    assert_optimal(problem, solve_qp(problem))


def test_curved_and_straight_parts_of_very_different_size():
    problem = QuadraticProgram(np.diag([1, 0]), [0, -1], [[0, 1]], [1e8])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [0, 1e8], atol=1e-6)


def test_degenerate_vertex():
    """Three constraints meet in a plane: their multipliers have a choice, and all must be ≥ 0."""
    problem = QuadraticProgram(np.eye(2), [-1, 0], [[-3, 1], [2, 1], [1, 0]], [0, 0, 0])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(result.x, [0, 0], atol=1e-12)


def test_infeasible_with_a_minimiser_far_away():
    """Constraints of size 1, while the objective alone would put x at −1e7."""
    problem = QuadraticProgram([[1e-7]], [1], [[1], [-1]], [0.5, -0.75])
    assert_infeasible(problem, solve_qp(problem))


# Scale

SCALES = 10.0 ** np.linspace(-6, 6, 4)


@pytest.mark.parametrize("seed", range(5))
def test_badly_scaled_features_change_nothing(seed):
    P, q, G, h, A, b = random_parts(seed)
    plain = solve_qp(QuadraticProgram(P, q, G, h, A, b))
    rows = 10.0 ** np.random.default_rng(seed).uniform(-6, 6, len(h))
    scaled = QuadraticProgram(
        P * np.outer(SCALES, SCALES), q * SCALES, rows[:, None] * G * SCALES, rows * h, 1e4 * A * SCALES, 1e4 * b
    )
    result = solve_qp(scaled)
    assert result.status == "optimal"
    assert result.certificate.residual < 1e-9
    assert result.value == pytest.approx(plain.value, rel=1e-9)
    np.testing.assert_allclose(result.x * SCALES, plain.x, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
def test_soft_margin_with_badly_scaled_features(C):
    primal, _ = soft_margin(*labelled_points(40, [1e-6, 1, 1e6]), C)
    result = solve_qp(primal)
    assert result.status == "optimal"
    assert result.certificate.residual <= 1e-6
    assert result.certificate.gap <= 1e-6 * result.value
    primal, dual = soft_margin(*labelled_points(40, [1e-2, 1, 1e2]), C)  # the dual sees the squares of the features
    from_above, from_below = solve_qp(primal), solve_qp(dual)
    assert from_above.status == from_below.status == "optimal"
    assert -from_below.value == pytest.approx(from_above.value, rel=1e-7)


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_units_of_objective_and_constraints_do_not_matter(size):
    """Multiplying the objective and the right-hand sides moves the solution along."""
    P, q, G, h, A, b = random_parts(0)
    plain = solve_qp(QuadraticProgram(P, q, G, h, A, b))
    scaled = solve_qp(QuadraticProgram(P, size * q, G, size * h, A, size * b))
    assert scaled.status == "optimal"
    np.testing.assert_allclose(scaled.x / size, plain.x, rtol=1e-8, atol=1e-10)


# Random families

ints = st.integers(-3, 3)


@st.composite
def parts(draw):
    n, m, p, k = draw(st.integers(1, 5)), draw(st.integers(0, 7)), draw(st.integers(0, 2)), draw(st.integers(0, 5))
    shapes = {"B": (k, n), "q": n, "G": (m, n), "A": (p, n), "start": n}
    data = {name: draw(arrays(int, shape, elements=ints)) for name, shape in shapes.items()}
    slack = draw(arrays(int, m, elements=st.integers(0, 2)))
    return data["B"].T @ data["B"], data["q"], data["G"], data["A"], data["start"], slack


@settings(deadline=None, max_examples=80)
@given(parts())
def test_strictly_convex_and_feasible_is_optimal(data):
    P, q, G, A, start, slack = data
    problem = QuadraticProgram(P + np.eye(len(q)), q, G, G @ start + slack, A, A @ start)
    result = solve_qp(problem)
    assert_optimal(problem, result)
    assert result.value <= problem.objective(start) + 1e-9 * (1 + abs(result.value))


@settings(deadline=None, max_examples=60)
@given(parts(), st.data())
def test_semidefinite_with_a_dual_feasible_point_is_optimal(data, draw):
    P, _, G, A, start, slack = data
    z = draw.draw(arrays(int, len(G), elements=st.integers(0, 2)))
    y = draw.draw(arrays(int, len(A), elements=ints))
    problem = QuadraticProgram(P, -P @ start - G.T @ z - A.T @ y, G, G @ start + slack, A, A @ start)
    result = solve_qp(problem)
    assert_optimal(problem, result, tolerance=1e-8)  # the set of minimisers may reach to infinity
    # Complementary where the slack is 0: then `start` itself is a minimiser.
    if not (z * slack).any():
        assert result.value == pytest.approx(problem.objective(start), rel=1e-8, abs=1e-8)


@settings(deadline=None, max_examples=60)
@given(parts(), st.data())
def test_a_row_that_contradicts_the_others_is_found(data, draw):
    P, q, G, A, start, slack = data
    z = draw.draw(arrays(int, len(G), elements=st.integers(0, 2)))
    y = draw.draw(arrays(int, len(A), elements=ints))
    h, b, excess = G @ start + slack, A @ start, draw.draw(st.sampled_from([1e-3, 1, 10]))
    row = -(z @ G + y @ A)
    problem = QuadraticProgram(P, q, np.vstack([G, row]), np.append(h, -(z @ h + y @ b) - excess), A, b)
    assert_infeasible(problem, solve_qp(problem))


@settings(deadline=None, max_examples=60)
@given(parts(), st.data())
def test_a_falling_direction_is_found(data, draw):
    P, q, G, A, start, slack = data
    ray = draw.draw(arrays(int, len(q), elements=ints))
    assume(ray.any())
    across = ray @ ray * np.eye(len(q), dtype=int) - np.outer(ray, ray)
    G = np.where(G @ ray > 0, -1, 1)[:, None] * G
    A, P = A @ across, across @ P @ across
    q = q if q @ ray < 0 else q - (q @ ray + 1) * ray
    problem = QuadraticProgram(P, q, G, G @ start + slack, A, A @ start)
    assert_unbounded(problem, solve_qp(problem))


# What a caller may rely on


def test_integers_are_cast_and_inputs_kept():
    arguments = [np.array(part) for part in ([[2, 0], [0, 2]], [-4, 0], HJ_G, HJ_H, [[1, -1]], [0])]
    copies = [part.copy() for part in arguments]
    problem = QuadraticProgram(*arguments)
    assert all(part.dtype == float for part in (problem.P, problem.q, problem.G, problem.h, problem.A, problem.b))
    assert_optimal(problem, solve_qp(problem))
    for part, copy in zip(arguments, copies):
        np.testing.assert_array_equal(part, copy)
    before = [part.copy() for part in (problem.P, problem.q, problem.G, problem.h, problem.A, problem.b)]
    solve_qp(problem)
    for part, copy in zip((problem.P, problem.q, problem.G, problem.h, problem.A, problem.b), before):
        np.testing.assert_array_equal(part, copy)


def all_ends():
    yield QuadraticProgram(np.diag([1, 0]), [3, 4], HJ_G, HJ_H)
    yield QuadraticProgram(np.eye(2), [0, 0], [[1, 0], [-1, 0]], [0, -1])
    yield QuadraticProgram(np.zeros((2, 2)), [1, 0], [[1, 0]], [0])
    yield QuadraticProgram(np.eye(1), [1], [[1], [-1]], [1e20, -1])
    yield QuadraticProgram(np.ones((2, 2)), [1, 0])


def test_nothing_is_printed_and_the_options_of_cvxopt_are_kept(capfd):
    before = dict(solvers.options)
    for problem in all_ends():
        solve_qp(problem)
        solve_qp(problem, max_iter=1)
    captured = capfd.readouterr()
    assert captured.out == captured.err == ""
    assert solvers.options == before


def test_options_that_a_user_set_do_not_reach_in(monkeypatch):
    expected = solve_qp(QuadraticProgram(np.diag([1, 0]), [3, 4], HJ_G, HJ_H))
    monkeypatch.setitem(solvers.options, "maxiters", 1)
    result = solve_qp(QuadraticProgram(np.diag([1, 0]), [3, 4], HJ_G, HJ_H))
    np.testing.assert_array_equal(result.x, expected.x)


def test_no_negative_zeros():
    """A readout that says −0.00 on one machine and 0.00 on another would not do."""
    for problem in all_ends():
        result = solve_qp(problem)
        ray = [] if result.certificate.ray is None else [result.certificate.ray]
        for part in (result.x, result.inequality_multipliers, result.equality_multipliers, *ray):
            assert not np.signbit(part[part == 0]).any()


def test_same_input_same_result():
    for problem in all_ends():
        first, second = solve_qp(problem), solve_qp(problem)
        np.testing.assert_array_equal(first.x, second.x)
        np.testing.assert_array_equal(first.inequality_multipliers, second.inequality_multipliers)
        assert first.status is second.status and first.iterations == second.iterations


@pytest.mark.parametrize(
    "error", [ValueError("domain error"), ArithmeticError("5"), ValueError("Rank(A) < p or Rank([P; A; G]) < n")]
)
def test_exceptions_of_cvxopt_become_a_status(monkeypatch, error):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(solvers, "qp", fail)
    problem, _ = hs118()
    result = solve_qp(problem)
    assert result.status is Status.NOT_CONVERGED
    assert result.certificate.residual > 1e-6
    infeasible = QuadraticProgram(np.eye(2), [0, 0], [[1, 0], [-1, 0]], [0, -1])
    assert_infeasible(infeasible, solve_qp(infeasible))
    unbounded = QuadraticProgram(np.zeros((2, 2)), [1, 0], [[1, 0]], [0])
    assert_unbounded(unbounded, solve_qp(unbounded))


def test_a_false_optimum_of_cvxopt_is_not_believed(monkeypatch):
    honest = solvers.qp

    def boast(*arguments, **options):
        solution = honest(*arguments, **options)
        return solution | {"x": 1.5 * solution["x"], "z": 0 * solution["z"] + 1e-3, "status": "optimal"}

    monkeypatch.setattr(solvers, "qp", boast)
    problem, _ = hs118()
    result = solve_qp(problem)
    assert result.status is not Status.OPTIMAL
    assert result.certificate.residual > 1e-6


@pytest.mark.parametrize("value", [1e-9, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("seed", range(6))
def test_optimal_means_a_small_gap_whatever_the_units(seed, value):
    """A cost a million times smaller than another, with its variable a million times larger: it counts."""
    rng = np.random.default_rng(seed)
    small, large = 10.0 ** rng.integers(-7, -4), 10.0 ** rng.integers(2, 4)
    limit, least = 10.0 ** rng.integers(3, 5), 10.0 ** rng.integers(-4, -2)
    row = 10.0 ** rng.integers(3, 7)
    problem = QuadraticProgram(
        np.zeros((2, 2)),
        value * np.array([-small, large]),
        [[row, 0], [0, -1], [-1, 0], [0, -1]],
        [row * limit, -least, 0, 0],
    )
    result = solve_qp(problem)
    assert result.status == "optimal"
    assert result.value == pytest.approx(value * (large * least - small * limit), rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_a_status_is_what_its_certificate_says(seed):
    """Programs so badly scaled that some are not solved: then the certificate says so."""
    rng = np.random.default_rng(seed)
    n, m = 6, 8
    B, G = (rng.normal(size=(k, n)) * 10.0 ** rng.integers(-6, 7, (k, n)) for k in (2, m))
    problem = QuadraticProgram(B.T @ B, rng.normal(size=n) * 10.0 ** rng.integers(-6, 7, n), G, rng.exponential(size=m))
    result = solve_qp(problem)
    if result.status == "optimal":
        certificate = result.certificate
        assert certificate.residual <= 1e-6
        assert certificate.gap <= 1e-6 * max(1, abs(certificate.primal_value), abs(certificate.dual_value))
    elif result.status in ("not_converged", "iteration_limit"):
        assert str(result.certificate).startswith("no proof: ")


def test_work_is_bounded(monkeypatch):
    """However hard the program, all runs together make at most twice `max_iter` iterations."""
    problem = QuadraticProgram(np.eye(3), [1, 2, 3], -np.eye(3), np.zeros(3))
    monkeypatch.setattr(
        "mlcore.optimize._quadratic_program.interior_point",
        lambda program, x, max_iter: (x + 1, 0 * program.h, 0 * program.b, max_iter),
    )
    monkeypatch.setattr("mlcore.optimize._quadratic_program.active_set_step", lambda *arguments: iter(()))
    result = solve_qp(problem, max_iter=30)
    assert result.status == "iteration_limit"
    assert result.iterations == 60


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("change", [
    lambda M: M.astype(">f8"), lambda M: np.frombuffer(M.tobytes(), "<f8").reshape(M.shape), np.asmatrix,
    np.asfortranarray, lambda M: np.repeat(M, 2, axis=1)[:, ::2], lambda M: M.astype(np.float16), np.ma.masked_array,
])  # fmt: skip
def test_arrays_of_any_layout_solve_the_same(change):
    P, A = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([[1.0, 1.0]])
    expected = solve_equality_qp(P, [1, 1], A, [1])
    np.testing.assert_allclose(solve_equality_qp(change(P), [1, 1], change(A), [1]).x, expected.x, atol=1e-12)
    problem = QuadraticProgram(change(P), [1, 1], change(-np.eye(2)), np.zeros(2), change(A), [1])
    np.testing.assert_allclose(solve_qp(problem).x, expected.x, atol=1e-9)
    assert simplex(LinearProgram([1, 2], change(-np.eye(2)), [0, 0], change(A), [1])).value == pytest.approx(1)


def test_results_are_compared_without_an_error():
    problem = LinearProgram([1, 2], [[-1, -1]], [-1])
    program = QuadraticProgram(np.eye(2), [1, 1], -np.eye(2), [0, 0])
    first = (
        simplex(problem, trace=True),
        solve_qp(program),
        dual_program(problem),
        separating_plane([[0], [1]], [1, -1]),
    )
    again = (
        simplex(problem, trace=True),
        solve_qp(program),
        dual_program(problem),
        separating_plane([[0], [1]], [1, -1]),
    )
    for one, other in zip(first, again):
        assert one == one
        assert one != other  # what holds arrays is compared by identity


def test_iteration_limit():
    problem, _ = hs118()
    result = solve_qp(problem, max_iter=2)
    assert result.status is Status.ITERATION_LIMIT
    assert result.x.shape == (15,) and np.isfinite(result.x).all()


def test_few_iterations_suffice():
    """A slider asks for a solution at every move."""
    _, dual = soft_margin(*labelled_points(50, [1, 1]), 1)
    result = solve_qp(dual)
    assert_optimal(dual, result)
    assert result.iterations <= 20


def test_bounds_are_met_exactly():
    """An α at its bound is 0 or C, not 1e-9 beside it: who counts support vectors needs no threshold."""
    X, labels = labelled_points(50, [1, 1])
    gram = np.outer(labels, labels) * np.exp(-((X[:, None] - X) ** 2).sum(axis=-1) / 2)
    problem = QuadraticProgram(gram, -np.ones(50), *box_constraints(np.zeros(50), np.ones(50)), [labels], [0])
    result = solve_qp(problem)
    assert_optimal(problem, result)
    near = np.minimum(np.abs(result.x), np.abs(result.x - 1)) < 1e-6
    assert 25 < near.sum() < 50
    assert np.isin(result.x[near], [0, 1]).all()


# The sparse box


def test_box_constraints():
    G, h = box_constraints([0, -np.inf, -2], [1, 5, np.inf])
    assert sparse.issparse(G)
    np.testing.assert_array_equal(G.toarray(), [[-1, 0, 0], [0, 0, -1], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(h, [0, 2, 1, 5])
    assert box_constraints([-np.inf], [np.inf])[0].shape == (0, 1)


@settings(deadline=None, max_examples=50)
@given(arrays(float, 4, elements=st.floats(-2, 2)), arrays(float, 4, elements=st.floats(-1, 1)))
def test_box_holds_what_lies_between_the_bounds(x, lower):
    G, h = box_constraints(lower, lower + 0.5)
    inside = bool(((lower <= x) & (x <= lower + 0.5)).all())
    assert bool((G @ x <= h).all()) == inside


@pytest.mark.parametrize("shape", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix, sparse.dia_matrix])
def test_sparse_equals_dense(shape):
    P, q, G, h, A, b = random_parts(2)
    plain = solve_qp(QuadraticProgram(P, q, G, h, A, b))
    result = solve_qp(QuadraticProgram(shape(P), q, shape(G), h, shape(A), b))
    np.testing.assert_array_equal(result.x, plain.x)


def test_large_sparse_box_stays_sparse_and_agrees_with_the_dense_one():
    rng = np.random.default_rng(0)
    n = 120
    B = rng.normal(size=(n, n))
    P, q = B @ B.T, rng.normal(size=n) * 20
    G, h = box_constraints(-np.ones(n), np.ones(n))
    problem = QuadraticProgram(P, q, G, h, np.ones((1, n)), [1])
    assert sparse.issparse(problem.G)
    result = solve_qp(problem)
    assert_optimal(problem, result)
    np.testing.assert_allclose(
        result.x, solve_qp(QuadraticProgram(P, q, G.toarray(), h, np.ones((1, n)), [1])).x, atol=1e-9
    )


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1, 2], [2, 1]], [0, 0]), r"P: .*semidefinite.* eigenvalue -1$"),
        (([[1, 2], [0, 1]], [0, 0]), r"P: expected a symmetric matrix, got 2 at \(0, 1\) and 0 at \(1, 0\)"),
        (([[-1e-3]], [0]), r"eigenvalue -0.001"),
        ((np.diag([1e12, -1]), [0, 0]), r"eigenvalue -1$"),
        (([[0, 1], [1, 0]], [0, 0]), r"eigenvalue -1$"),
        (([[1, 0]], [0, 0]), r"P: expected shape \(2, 2\), got \(1, 2\)"),
        ((np.eye(2), [0, 0, 0]), r"P: expected shape \(3, 3\), got \(2, 2\)"),
        ((np.eye(2), [[0, 0]]), r"q: expected shape \(n,\), got \(1, 2\)"),
        (([[]], []), r"q: expected at least one variable"),
        ((np.eye(2), [0, 0], [[1, 0, 0]], [1]), r"G: expected shape \(m, 2\), got \(1, 3\)"),
        ((np.eye(2), [0, 0], sparse.eye_array(3), [1, 1, 1]), r"G: expected shape \(m, 2\), got \(3, 3\)"),
        ((np.eye(2), [0, 0], [[1, 0]], [1, 2]), r"h: expected shape \(1,\), got \(2,\)"),
        ((np.eye(2), [0, 0], [[1, 0]], [[1]]), r"h: expected shape \(1,\), got \(1, 1\)"),
        ((np.eye(2), [0, 0], [[1, 0]]), r"h: .*G, got None"),
        ((np.eye(2), [0, 0], None, [1]), r"G: .*h, got None"),
        ((np.eye(2), [0, 0], None, None, [[1]], [1]), r"A: expected shape \(m, 2\), got \(1, 1\)"),
        ((np.eye(2), [0, 0], None, None, [[1, 0]], [1, 1]), r"b: expected shape \(1,\), got \(2,\)"),
        ((np.eye(2), [0, np.nan]), r"q: .*NaN at position \(1,\)"),
        (([[1, np.inf], [np.inf, 1]], [0, 0]), r"P: .*infinity"),
        ((np.eye(2), [0, 0], [[1, np.nan]], [1]), r"G: .*NaN"),
        ((np.eye(2), [0, 0], sparse.csr_array([[1, np.nan]]), [1]), r"G.*NaN"),
        ((np.eye(2), [0, 0], sparse.csr_array([[1, 1j]]), [1]), r"G.*real"),
        ((np.eye(2), [0, 0], [[1, 0]], [np.inf]), r"h: .*infinity"),
        ((np.eye(2), [0, 0], [[1, 0]], [1e200]), r"h: .*1e\+100.*1e\+200"),
        (([["a"]], [0]), r"P: expected numbers"),
        (([[1j]], [0]), r"P: expected real numbers"),
    ],
)
def test_bad_program(arguments, message):
    with pytest.raises(ValueError, match=message):
        QuadraticProgram(*arguments)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (([0, 2], [1, 1]), r"lower: .*got 2 > 1 at position 1"),
        (([0, 0], [1]), r"upper: expected shape \(2,\), got \(1,\)"),
        (([np.nan], [1]), r"lower: .*NaN"),
    ],
)
def test_bad_box(bounds, message):
    with pytest.raises(ValueError, match=message):
        box_constraints(*bounds)


@pytest.mark.parametrize("options", [{"tolerance": 0}, {"tolerance": np.nan}, {"max_iter": 0}, {"max_iter": 2.5}])
def test_bad_options(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        solve_qp(QuadraticProgram([[1]], [1]), **options)


def test_rounding_in_P_is_forgiven():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1e-3, 1, 1e3]
    gram = X @ X.T
    assert np.linalg.eigvalsh(gram)[0] < 0
    problem = QuadraticProgram(gram, -np.ones(60), *box_constraints(np.zeros(60), np.ones(60)))
    assert solve_qp(problem).status == "optimal"
    noisy = QuadraticProgram(np.eye(2) + [[0, 1e-13], [0, 0]], [0, 0])
    np.testing.assert_array_equal(noisy.P, noisy.P.T)


def test_entries_that_would_overflow_are_named_and_not_called_asymmetric():
    with pytest.raises(ValueError, match="^P: expected entries of at most 1e\\+100 in size, got 1e\\+308"):
        QuadraticProgram(P=[[1e308, 1e308], [1e308, 1e308]], q=[0, 0])
