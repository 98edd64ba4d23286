"""The quadratic program solver against SLSQP and HiGHS on random problems."""

import highspy
import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog, minimize

from mlcore.optimize import QuadraticProgram, box_constraints, solve_qp


def random_problem(seed, n=6, m=10, p=2, rank=None):
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(n, rank or n))
    start = rng.normal(size=n)
    G, A = rng.normal(size=(m, n)), rng.normal(size=(p, n))
    h = G @ start + np.where(rng.random(m) < 0.3, 0, rng.exponential(size=m))
    box, bounds = box_constraints(start - 2, start + 2)
    return QuadraticProgram(
        B @ B.T, 3 * rng.normal(size=n), np.vstack([G, box.toarray()]), np.append(h, bounds), A, A @ start
    ), start


def highs(problem):
    """Status and value of HiGHS's own quadratic program solver."""
    model = highspy.HighsModel()
    program, infinity = model.lp_, highspy.kHighsInf
    rows = sparse.csc_array(np.vstack([problem.G, problem.A]))
    program.num_col_, program.num_row_ = rows.shape[1], rows.shape[0]
    program.col_cost_ = problem.q
    program.col_lower_, program.col_upper_ = np.full(len(problem.q), -infinity), np.full(len(problem.q), infinity)
    program.row_lower_ = np.concatenate([np.full(len(problem.h), -infinity), problem.b])
    program.row_upper_ = np.concatenate([problem.h, problem.b])
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_, matrix.index_, matrix.value_ = rows.indptr, rows.indices, rows.data
    lower = sparse.csc_array(np.tril(problem.P))
    hessian = model.hessian_
    hessian.dim_, hessian.format_ = len(problem.q), highspy.HessianFormat.kTriangular
    hessian.start_, hessian.index_, hessian.value_ = lower.indptr, lower.indices, lower.data
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("time_limit", 10.0)
    solver.passModel(model)
    solver.run()
    return solver.modelStatusToString(solver.getModelStatus()), solver.getInfo().objective_function_value


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rank", [None, 3])
def test_value_agrees_with_highs(seed, rank):
    problem, _ = random_problem(seed, rank=rank)
    status, value = highs(problem)
    assert status == "Optimal"
    result = solve_qp(problem)
    assert result.status == "optimal"
    assert result.value == pytest.approx(value, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_point_agrees_with_slsqp(seed):
    problem, start = random_problem(seed)
    constraints = [
        {"type": "ineq", "fun": lambda x: problem.h - problem.G @ x, "jac": lambda x: -problem.G},
        {"type": "eq", "fun": lambda x: problem.A @ x - problem.b, "jac": lambda x: problem.A},
    ]
    peer = minimize(
        problem.objective,
        start,
        jac=lambda x: problem.P @ x + problem.q,
        method="SLSQP",
        constraints=constraints,
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert peer.success
    result = solve_qp(problem)
    assert result.value == pytest.approx(peer.fun, rel=1e-7, abs=1e-7)
    assert result.value <= peer.fun + 1e-8 * (1 + abs(peer.fun))
    np.testing.assert_allclose(result.x, peer.x, atol=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_linear_program_agrees_with_linprog(seed):
    problem, _ = random_problem(seed)
    problem = QuadraticProgram(np.zeros_like(problem.P), problem.q, problem.G, problem.h, problem.A, problem.b)
    peer = linprog(problem.q, problem.G, problem.h, problem.A, problem.b, bounds=(None, None))
    assert peer.status == 0
    result = solve_qp(problem)
    assert result.status == "optimal"
    assert result.value == pytest.approx(peer.fun, rel=1e-9)
    # linprog's marginals are the derivatives of the value by the right-hand side, our multipliers their negatives.
    np.testing.assert_allclose(result.inequality_multipliers, -peer.ineqlin.marginals, atol=1e-7)
    np.testing.assert_allclose(result.equality_multipliers, -peer.eqlin.marginals, atol=1e-7)


def test_feasibility_agrees_with_highs_on_small_integers():
    """Integer data are degenerate: ties, parallel rows, empty and unbounded sets."""
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(60):
        n, m = rng.integers(1, 4), rng.integers(2, 8)
        G, h = rng.integers(-2, 3, size=(m, n)), rng.integers(-2, 4, size=m)
        problem = QuadraticProgram(np.eye(n), rng.integers(-3, 4, size=n), G, h)
        status, value = highs(problem)
        result = solve_qp(problem)
        assert result.status == status.lower()
        if status == "Optimal":
            assert result.value == pytest.approx(value, rel=1e-6, abs=1e-6)
        seen.add(status)
    assert seen == {"Optimal", "Infeasible"}
