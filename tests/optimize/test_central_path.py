import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.datasets import four_inequalities, random_resources
from mlcore.optimize import LinearProgram, central_path, simplex


def walls(problem):
    below, above = np.isfinite(problem.lower), np.isfinite(problem.upper)
    unit = np.eye(problem.c.size)
    return (
        np.vstack([problem.A_ub, -unit[below], unit[above]]),
        np.concatenate([problem.b_ub, -problem.lower[below], problem.upper[above]]),
    )


@given(m=st.integers(1, 6), n=st.integers(1, 5), seed=st.integers(0, 10_000), maximize=st.booleans())
@settings(deadline=None, max_examples=40)
def test_every_point_is_inside_with_feasible_prices_and_the_gap_that_is_promised(m, n, seed, maximize):
    program = random_resources(m, n, seed)
    problem = LinearProgram(program.c, program.A_ub, program.b_ub, bounds=(0, n), maximize=maximize)
    A, b = walls(problem)
    sense = 1 if maximize else -1
    best = simplex(problem).value
    points = central_path(problem, [10.0, 0.1, 1e-3])
    for point in points:
        assert (b - A @ point.x > 0).all()
        assert (point.prices > 0).all()
        assert A.T @ point.prices == pytest.approx(sense * problem.c, rel=1e-6, abs=1e-6)
        assert sense * (point.bound - point.value) == pytest.approx(len(b) * point.mu)
        assert sense * point.value <= sense * best + 1e-9 <= sense * point.bound + 1e-6
    values = [sense * point.value for point in points]
    assert values == sorted(values)  # the objective improves along the path


def test_prices_of_bounds_follow_those_of_rows():
    problem = LinearProgram([1, 1], [[1, 1]], [3], bounds=(0, 2), maximize=True)
    point = central_path(problem, [1e-4])[0]
    assert len(point.prices) == 5
    assert point.prices[0] == pytest.approx(1, abs=1e-3)


def test_on_a_flat_optimum_it_ends_in_the_middle():
    problem = LinearProgram([0, 1], bounds=(0, 1), maximize=True)
    assert central_path(problem, [1.0, 1e-6])[-1].x == pytest.approx([0.5, 1], abs=1e-5)


def test_a_neighbouring_weight_costs_a_few_newton_steps():
    points = central_path(four_inequalities(), np.geomspace(1e5, 1e-2, 29))
    assert max(point.newton_steps for point in points[1:]) <= 12


def test_units_do_not_matter():
    example = four_inequalities()
    small = LinearProgram(example.c * 1e6, example.A_ub * 1e6, example.b_ub, maximize=True)
    for point, scaled in zip(central_path(example, [100.0, 1.0]), central_path(small, [100.0, 1.0])):
        assert scaled.x * 1e6 == pytest.approx(point.x, rel=1e-6)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (LinearProgram([1, 1], A_eq=[[1, 1]], b_eq=[1]), "got equations"),
        (LinearProgram([1, 1], [[1, 1]], [-1]), "expected a bounded feasible region"),
        (LinearProgram([1, 1], [[1, 1], [-1, -1]], [1, -1]), "expected a bounded feasible region"),
        (LinearProgram([1, 1], [[1, -1]], [1], maximize=True), "expected a bounded feasible region"),
        (LinearProgram([1, 1], bounds=(None, None)), "expected a bounded feasible region"),
        (LinearProgram([1, 1], [[1, 1], [-1, -1]], [1, 1], bounds=(None, None)), "expected a bounded feasible region"),
        (LinearProgram([0, 1], [[0, 1]], [1], bounds=[(0, None), (0, None)]), "expected a bounded feasible region"),
    ],
)
def test_a_problem_without_a_path_is_refused(problem, message):
    with pytest.raises(ValueError, match=message):
        central_path(problem, [1.0])


@pytest.mark.parametrize("weights", [[0.0], [-1.0], [1.0, np.nan], [np.inf], [[1.0]], "a"])
def test_bad_weights_are_refused(weights):
    with pytest.raises(ValueError, match="weights: expected"):
        central_path(four_inequalities(), weights)
