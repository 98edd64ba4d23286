"""The simplex method against HiGHS (through SciPy) on random problems, and published optima of NETLIB."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from mlcore.optimize import LinearProgram, Status, feasible_point, simplex
from mlcore.optimize._linear_certificates import TOLERANCE, infeasibility
from mlcore.optimize._pivot_rules import RULES

NETLIB = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "netlib"
ENDS = {0: Status.OPTIMAL, 2: Status.INFEASIBLE, 3: Status.UNBOUNDED}


def highs(problem, **options):
    sign = -1 if problem.maximize else 1
    rows = (problem.A_ub, problem.b_ub, problem.A_eq, problem.b_eq)
    return linprog(sign * problem.c, *rows, problem.bounds, method="highs", options=options)


def integers(rng, shape, size=3, density=0.7):
    return rng.integers(-size, size + 1, shape) * (rng.random(shape) < density)


def small_integers(rng):
    n, m, k = rng.integers(1, 7), rng.integers(0, 9), rng.integers(0, 3)
    return (
        integers(rng, n),
        integers(rng, (m, n)),
        rng.integers(-3, 8, m),
        integers(rng, (k, n)),
        rng.integers(-3, 4, k),
    )


def degenerate(rng):
    n, m = rng.integers(2, 7), rng.integers(3, 10)
    A, corner = integers(rng, (m, n)), rng.integers(0, 3, n)
    return integers(rng, n), A, A @ corner + (rng.random(m) < 0.2), None, None  # most rows meet in one corner


def right_hand_side_zero(rng):
    n, m, k = rng.integers(2, 7), rng.integers(1, 8), rng.integers(0, 3)
    return integers(rng, n), integers(rng, (m, n)), np.zeros(m), integers(rng, (k, n)), np.zeros(k)


def redundant(rng):
    c, A, b, E, e = equations(rng)
    mix = rng.integers(-2, 3, (2, len(E)))
    A, b = np.vstack([A, A[:1], np.zeros_like(A[:1])]), np.concatenate([b, b[:1], [0]])
    return c, A, b, np.vstack([E, mix @ E]), np.concatenate([e, mix @ e])


def equations(rng):
    n, k = rng.integers(3, 9), rng.integers(1, 6)
    E, A, inside = integers(rng, (k, n)), integers(rng, (2, n)), rng.integers(0, 3, n)
    return integers(rng, n), A, A @ inside + rng.integers(0, 3, 2), E, E @ inside


def contradictory(rng):
    c, A, b, E, e = equations(rng)
    weights = rng.integers(1, 3, len(E))
    row = weights @ E + rng.integers(0, 2, E.shape[1])  # >= the sum of the equations wherever x >= 0 …
    return c, np.vstack([A, row]), np.append(b, weights @ e - 1), E, e  # … and yet demanded to be smaller


def real_numbers(rng):
    n, m, k = rng.integers(2, 9), rng.integers(2, 12), rng.integers(0, 3)
    A, E, inside = rng.normal(size=(m, n)), rng.normal(size=(k, n)), rng.random(n)
    return rng.normal(size=n), A, A @ inside + rng.random(m), E, E @ inside


def transport(rng):
    sources, sinks = rng.integers(2, 6, 2)
    supply = rng.integers(1, 9, sources)
    demand = rng.multinomial(supply.sum(), np.full(sinks, 1 / sinks))
    rows = [np.kron(np.eye(sources), np.ones(sinks)), np.kron(np.ones(sources), np.eye(sinks))]
    return rng.integers(0, 9, sources * sinks), None, None, np.vstack(rows), np.concatenate([supply, demand])


def assignment(rng):
    s = rng.integers(2, 7)
    rows = [np.kron(np.eye(s), np.ones(s)), np.kron(np.ones(s), np.eye(s))]
    return rng.integers(0, 9, s * s), None, None, np.vstack(rows), np.ones(2 * s)


def larger(rng):
    n, m, k = 40, 30, 8
    A, E, inside = (rng.normal(size=shape) * (rng.random(shape) < 0.3) for shape in ((m, n), (k, n), n))
    return rng.normal(size=n) + 1, A, A @ inside + rng.random(m), E, E @ inside


def bounds_of(rng, n):
    """Bounds of one kind for all variables, or of any kind for each."""
    kinds = [(0, np.inf), (-np.inf, np.inf), (0, 4), (-2, 3), (-np.inf, 2), (1, 1)]
    if rng.random() < 0.6:
        return [kinds[rng.integers(3) if rng.random() < 0.7 else 0]] * n
    return [kinds[i] for i in rng.integers(len(kinds), size=n)]


FAMILIES = {
    small_integers: 500,
    degenerate: 300,
    right_hand_side_zero: 200,
    redundant: 300,
    equations: 300,
    contradictory: 200,
    real_numbers: 300,
    transport: 100,
    assignment: 60,
    larger: 40,
}
assert sum(FAMILIES.values()) >= 2000


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_random_problems(family):
    seen = set()
    for seed in range(FAMILIES[family]):
        rng = np.random.default_rng(seed)
        c, A, b, E, e = family(rng)
        keeps_its_sign = family in (contradictory, transport, assignment)
        bounds = (0, None) if keeps_its_sign else bounds_of(rng, len(c))
        problem = LinearProgram(c, A, b, E, e, bounds, maximize=bool(seed % 2))
        rule = list(RULES)[seed % 3]
        result, peer = simplex(problem, rule), highs(problem)
        if ENDS.get(peer.status) is not result.status:
            # HiGHS's presolve calls some unbounded problems infeasible (or says "one of the two"); without it,
            # it does not.
            peer = highs(problem, presolve=False)
        assert ENDS[peer.status] is result.status, (seed, result.certificate, peer.message)
        assert result.certificate.residual <= TOLERANCE
        if result.status is Status.OPTIMAL:
            value = -peer.fun if problem.maximize else peer.fun
            assert result.value == pytest.approx(value, rel=1e-8, abs=1e-8), seed
        seen.add(result.status)
    expected = {contradictory: {Status.INFEASIBLE}, transport: {Status.OPTIMAL}, assignment: {Status.OPTIMAL}}
    assert seen >= expected.get(family, {Status.OPTIMAL})


def test_all_ends_occur():
    ends = [simplex(LinearProgram(*small_integers(np.random.default_rng(seed)))).status for seed in range(100)]
    assert min(ends.count(end) for end in ENDS.values()) >= 10


def staircase(rng, periods=8, width=20, decades=2):
    """What one period leaves is used in the next; units differ by many decades, and most rows are degenerate."""
    n, rows = periods * width, int(width * 0.6)
    x = rng.exponential(1, n) * (rng.random(n) < 0.6) * 10 ** rng.uniform(0, decades, n).round()
    A = np.zeros((periods, rows, n))
    for t in range(periods):
        for since, density in ((t, 0.4), (t - 1, 0.3)):
            if since >= 0:
                block = rng.normal(size=(rows, width)) * (rng.random((rows, width)) < density)
                A[t][:, since * width : (since + 1) * width] = block * 10 ** rng.uniform(-decades, decades, block.shape)
    E, A = A[:, : rows // 2].reshape(-1, n), A[:, rows // 2 :].reshape(-1, n)
    slack = rng.exponential(1, len(A)) * (rng.random(len(A)) < 0.3)
    prices = rng.normal(size=len(E)) @ E - (rng.exponential(1, len(A)) * (slack == 0)) @ A
    return prices + rng.exponential(1, n) * (x == 0) * (rng.random(n) < 0.8), A, A @ x + slack, E, E @ x


@pytest.mark.parametrize("seed", range(10))
def test_rounding_errors_of_many_pivots_are_repaired(seed):
    problem = LinearProgram(*staircase(np.random.default_rng(seed)))
    result, peer = simplex(problem), highs(problem)
    assert result.status is Status.OPTIMAL
    assert result.value == pytest.approx(peer.fun, rel=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_a_run_that_is_stopped_claims_nothing(seed):
    problem, ends = LinearProgram(*staircase(np.random.default_rng(seed), 4, 10)), set()
    for max_iter in range(5, 60, 6):
        result = simplex(problem, max_iter=max_iter)
        ends.add(result.status)
        if result.status is Status.ITERATION_LIMIT and result.certificate is not None:
            assert str(result.certificate).startswith("no proof: ")
        if result.x is not None:
            assert (result.x >= 0).all()
            size = np.abs(problem.rows) @ result.x + np.abs(problem.constants) + 1e-3
            excess = problem.rows @ result.x - problem.constants
            excess[: len(problem.b_ub)] = np.maximum(excess[: len(problem.b_ub)], 0)
            assert (np.abs(excess) <= 1e-7 * size).all()
    assert Status.ITERATION_LIMIT in ends


@pytest.mark.parametrize("maximize", [False, True])
def test_shadow_prices_where_they_are_unique(maximize):
    compared = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        c, A, b, E, e = real_numbers(rng)
        problem = LinearProgram(c, A, b, E, e, [(-1, 2), (0, None)] * (len(c) // 2) + [(0, 3)] * (len(c) % 2), maximize)
        result, peer = simplex(problem), highs(problem)
        if result.status is not Status.OPTIMAL:
            continue
        sign = -1 if maximize else 1
        np.testing.assert_allclose(result.x, peer.x, atol=1e-7)
        np.testing.assert_allclose(result.dual.ub, sign * peer.ineqlin.marginals, atol=1e-7)
        np.testing.assert_allclose(result.dual.eq, sign * peer.eqlin.marginals, atol=1e-7)
        np.testing.assert_allclose(result.dual.lower, sign * peer.lower.marginals, atol=1e-7)
        np.testing.assert_allclose(result.dual.upper, sign * peer.upper.marginals, atol=1e-7)
        compared += 1
    assert compared >= 30


def test_units_do_not_matter():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        c, A, b, E, e = small_integers(rng)
        column, row, equation = (10.0 ** rng.integers(-4, 5, size) for size in (len(c), len(b), len(e)))
        bounds = np.array(bounds_of(rng, len(c)))
        plain = LinearProgram(c, A, b, E, e, bounds)
        scaled = LinearProgram(
            c * column,
            A * row[:, None] * column,
            b * row,
            E * equation[:, None] * column,
            e * equation,
            bounds / column[:, None],
        )
        peer, result = highs(plain), simplex(scaled)
        if ENDS.get(peer.status) is not result.status:
            peer = highs(plain, presolve=False)
        assert ENDS[peer.status] is result.status, seed
        if result.status is Status.OPTIMAL:
            assert result.value == pytest.approx(peer.fun, rel=1e-7, abs=1e-7), seed


# NETLIB


def netlib(name):
    path = NETLIB / f"{name}.mps"
    if not path.exists():
        pytest.skip(f"the NETLIB files are not there: {path}")
    highspy = pytest.importorskip("highspy")
    reader = highspy.Highs()
    reader.setOptionValue("output_flag", False)
    assert reader.readModel(str(path)) == highspy.HighsStatus.kOk
    model = reader.getLp()
    matrix = np.zeros((model.num_row_, model.num_col_))
    starts = model.a_matrix_.start_
    for j in range(model.num_col_):
        entries = slice(starts[j], starts[j + 1])
        matrix[model.a_matrix_.index_[entries], j] = model.a_matrix_.value_[entries]
    low, high = np.array(model.row_lower_), np.array(model.row_upper_)
    equal, below, above = low == high, np.isfinite(high) & (low != high), np.isfinite(low) & (low != high)
    return LinearProgram(
        model.col_cost_,
        np.vstack([matrix[below], -matrix[above]]),
        np.concatenate([high[below], -low[above]]),
        matrix[equal],
        high[equal],
        np.column_stack([model.col_lower_, model.col_upper_]),
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("name", "shape", "optimum"), [("afiro", (27, 32), -464.75314286), ("adlittle", (56, 97), 225494.96316)]
)
def test_netlib_optima(name, shape, optimum, rule):
    problem = netlib(name)
    assert (len(problem.b_ub) + len(problem.b_eq), problem.c.size) == shape
    result = simplex(problem, rule)
    assert result.status is Status.OPTIMAL
    assert result.value == pytest.approx(optimum, rel=1e-8)
    assert result.value == pytest.approx(highs(problem).fun, rel=1e-12)
    assert result.certificate.residual <= TOLERANCE


def test_galenet_is_infeasible():
    problem = netlib("galenet")
    for result in (simplex(problem), feasible_point(problem)):
        assert result.status is Status.INFEASIBLE
        ray = result.certificate.ray
        assert infeasibility(problem, ray).residual <= TOLERANCE
        # The check written out: the weighted constraints read 0 <= negative.
        ub, eq, lower, upper = np.split(ray, np.cumsum([len(problem.b_ub), len(problem.b_eq), 8]))
        assert min(ub.min(), lower.min(), upper.min()) >= 0
        np.testing.assert_allclose(ub @ problem.A_ub + eq @ problem.A_eq - lower + upper, 0, atol=1e-12)
        assert ub @ problem.b_ub + eq @ problem.b_eq - lower @ problem.lower + upper @ problem.upper < -0.1
