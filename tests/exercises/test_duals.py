import numpy as np
import pytest

from mlcore.datasets import two_clouds
from mlcore.exercises.duals import (
    check_active,
    check_another_alpha,
    check_dual_street,
    check_prices,
    check_small_dual,
    check_support_vectors,
    check_third_constraint,
)
from mlcore.svm import solve_dual, solve_primal

SMALL = ([2, -1], [[1, -1], [1, 0]], [0, 1], [1, 1], [1, 1])


def dual_street(X, y):
    solution = solve_dual(X @ X.T, y, np.inf)
    return X.T @ solution.coefficients, solution.b, solution.alpha


def marked(X, y):
    w, b, alpha = dual_street(X, y)
    return w, b, np.flatnonzero(alpha > 1e-6 * alpha.max())


class TestDualStreet:
    def test_the_right_answer_passes(self):
        assert check_dual_street(dual_street).passed

    @pytest.mark.parametrize(
        ("street", "message"),
        [
            (None, "expected a function of X and y"),
            (lambda X, y: None, "still returns None"),
            (lambda X, y: (1, 2), "should return w, b, alpha"),
            (lambda X, y: (*dual_street(X, y)[:2], None), "one of them is None"),
            (lambda X, y: X @ 3, "stopped with ValueError"),
            (lambda X, y: ("a", 0, y), "w: expected numbers"),
            (lambda X, y: ([1, 2], [0, 1], y), r"b: expected shape ()"),
            (lambda X, y: (2 * dual_street(X, y)[0], 2 * dual_street(X, y)[1], y), "Scale w and b down"),
            (lambda X, y: (*dual_street(X, y)[:2], [1.0]), "alpha: expected shape"),
            (lambda X, y: (*dual_street(X, y)[:2], -dual_street(X, y)[2]), "needs α ≥ 0"),
            (lambda X, y: (*dual_street(X, y)[:2], (y > 0) * 1.0), "Σ αᵢyᵢ = 0"),
            (lambda X, y: (*dual_street(X, y)[:2], 2 * dual_street(X, y)[2]), "w is not Σ αᵢyᵢxᵢ"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, street, message):
        verdict = check_dual_street(street)
        assert not verdict.passed
        assert message in verdict.message

    def test_the_data_of_the_check_cannot_be_changed_by_the_answer(self):
        def careless(X, y):
            answer = dual_street(X, y)
            X[:] = 0
            return answer

        assert check_dual_street(careless).passed


class TestSupportVectors:
    def test_any_sufficient_set_on_the_edge_passes(self):
        assert check_support_vectors(marked).passed

        def all_on_the_edge(X, y):
            w, b, _ = marked(X, y)
            return w, b, np.flatnonzero(np.abs(y * (X @ w + b) - 1) < 1e-6).tolist()

        assert check_support_vectors(all_on_the_edge).passed

    @pytest.mark.parametrize(
        ("support", "message"),
        [
            (lambda s, n: s[:1], "would allow a wider street"),
            (lambda s, n: np.arange(n), "does not stand on the edge"),
            (lambda s, n: [], "expected a list of positions"),
            (lambda s, n: s == s, "expected a list of positions"),
            (lambda s, n: [0, n], "expected positions from 0"),
            (lambda s, n: None, "one of them is None"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, support, message):
        verdict = check_support_vectors(lambda X, y: (*marked(X, y)[:2], support(marked(X, y)[2], len(y))))
        assert not verdict.passed
        assert message in verdict.message

    def test_one_class_alone_is_not_enough(self):
        verdict = check_support_vectors(lambda X, y: (*marked(X, y)[:2], [i for i in marked(X, y)[2] if y[i] > 0]))
        assert "would allow a wider street" in verdict.message


class TestSmallDual:
    def test_the_right_answer_passes_in_any_order_and_scale(self):
        assert check_small_dual(*SMALL).passed
        assert check_small_dual([2, -1], [[2, 0], [1, -1]], [2, 0], [1, 1], [1, 1]).passed

    @pytest.mark.parametrize(
        ("position", "value", "message"),
        [
            (0, None, "objective is still None"),
            (0, [2, 1], "must first be written with ≤"),
            (0, [0, 1], "are the costs"),
            (0, [2, -1, 3], r"objective: expected shape (2,)"),
            (1, [[-1, 1], [-1, 0]], "rows, right_sides"),
            (1, [[1, 1], [-1, 0]], "rows, right_sides"),
            (1, [[1, -1]], "expected shape (2, 2)"),
            (2, [1, 0], "rows, right_sides"),
            (3, [0, 2], "breaks x1 >= 1"),
            (3, [2, 1], "breaks x1 + x2 <= 2"),
            (3, [2, 0], "a larger one is possible"),
            (3, "up", "x: expected numbers"),
            (4, [1, 2], "breaks the dual row of x1"),
            (4, [0, 0], "breaks the dual row of x2"),
            (4, [2, 1], "a smaller one is possible"),
            (4, [-1, 0], "at least 0"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, position, value, message):
        answer = list(SMALL)
        answer[position] = value
        verdict = check_small_dual(*answer)
        assert not verdict.passed
        assert message in verdict.message

    def test_inequalities_the_wrong_way_round(self):
        verdict = check_small_dual([2, -1], [[-1, 1], [-1, 0]], [0, -1], [1, 1], [1, 1])
        assert "point the wrong way" in verdict.message


class TestThirdConstraint:
    def test_the_three_parts(self):
        assert check_third_constraint([2, -1, 3], [[1, -1, 1], [1, 0, 0]], [0, 1]).passed
        assert check_active([1, 1], ["x1 >= 1", "x1+x2 <= 2"]).passed
        assert check_prices([1, 1, 0]).passed

    @pytest.mark.parametrize(
        ("x", "active", "message"),
        [
            (None, None, "x and active are still None"),
            ([3, -1], ["x1 <= 3"], "breaks x2 >= 0"),
            ([3.5, 0], ["x1 <= 3"], "breaks"),
            ([2, 0], ["x2 >= 0"], "a larger one is possible"),
            ([1, 1], ["x1 >= 1"], "x1 + x2 <= 2 holds with equality"),
            ([1, 1], ["x1 >= 1", "x1 + x2 <= 2", "x1 <= 3"], "x1 <= 3 has slack 2"),
            ([1, 1], "x1 > 1", "x1>1 is none"),
            ([1, 1], 3, "expected a list of constraints"),
        ],
    )
    def test_wrong_active_constraints(self, x, active, message):
        verdict = check_active(x, active)
        assert not verdict.passed
        assert message in verdict.message

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            (None, "y is still None"),
            ([1, 1], "expected shape (3,)"),
            ([1, 0, 0], "a smaller one is possible"),
            ([1, 1, 1], "a smaller one is possible"),
            ([0, 0, 0], "breaks the dual row of x2"),
        ],
    )
    def test_wrong_prices(self, y, message):
        verdict = check_prices(y)
        assert not verdict.passed
        assert message in verdict.message

    def test_the_old_dual_is_not_enough(self):
        assert "expected shape (3,)" in check_third_constraint([2, -1], [[1, -1], [1, 0]], [0, 1]).message
        assert "rows and right_sides are still None" in check_third_constraint([2, -1, 3], None, None).message


class TestAnotherAlpha:
    @pytest.mark.parametrize("alpha", [[1, 0, 1, 0], [0, 1, 0, 1]])
    def test_either_pair_passes(self, alpha):
        assert check_another_alpha(alpha).passed

    @pytest.mark.parametrize(
        ("alpha", "message"),
        [
            (None, "alpha is still None"),
            ([1, 0, 1], "expected shape (4,)"),
            ([0.5, 0.5, 0.5, 0.5], "4 entries that are not 0"),
            ([1, 0, 0, 1], "its dual value"),
            ([1, 0, 0, 0], "Not feasible"),
            ([-1, 0, -1, 0], "Not feasible"),
            ([2, 0, 2, 0], "its dual value"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, alpha, message):
        verdict = check_another_alpha(alpha)
        assert not verdict.passed
        assert message in verdict.message


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_the_data_of_the_checks_are_separable(seed):
    assert solve_primal(*two_clouds(n=24, distance=6.0, seed=seed), np.inf).status == "optimal"
