import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

from mlcore.datasets import five_points, four_points, two_clouds, two_columns
from mlcore.errors import InfeasibleProblem
from mlcore.explore.scene import Scene
from mlcore.optimize import LinearProgram
from mlcore.pictures.duals import (
    beside_scikit_learn,
    leave_one_out,
    lp_and_dual,
    marked_support_vectors,
    multipliers,
    plan_and_prices,
    scaled_multipliers,
)
from mlcore.pictures.duals._lp_duality import bakery, solve_pair
from mlcore.pictures.duals._weak_duality import gap_in_parts

FACTORIES = [
    lp_and_dual,
    plan_and_prices,
    multipliers,
    scaled_multipliers,
    leave_one_out,
    marked_support_vectors,
    beside_scikit_learn,
]


def small_program():
    return LinearProgram([0, 1], [[1, 1], [-1, 0]], [2, -1], maximize=True)


@pytest.mark.parametrize("factory", FACTORIES)
def test_start_and_ends_of_all_controls_alone_and_combined(factory):
    picture = factory()
    scene = Scene(picture)
    names = [control.name for control in picture.controls]
    corners = itertools.product(*([c.start, c.values[0], c.values[-1]] for c in picture.controls))
    seen = {}
    for values in set(corners):
        state = dict(zip(names, values))
        seen[values] = tuple(scene.moving(state))
        assert picture.describe(**state)
    assert len(set(seen.values())) == len(seen)  # no control leaves the picture as it is


@pytest.mark.parametrize("factory", FACTORIES)
def test_every_page_state_is_certified(factory):
    picture = factory()
    if factory is plan_and_prices:
        pytest.skip("shows pairs that are not optimal")
    texts = [picture.describe(**state) for state in picture.page_states()]
    assert all("relative gap < 1e−6, largest KKT residual < 1e−6" in text for text in texts)
    assert not any("-" in text for text in texts)  # typographic minus throughout


class TestLinearProgramAndDual:
    def test_the_bakery(self):
        describe = lp_and_dual().describe
        assert describe(limit=8.0, gain=7.0).startswith(
            "Largest 4 bread + 7 cake = 26 at (3, 2); smallest 8y₁ + 9y₂ = 26 at (1, 2): gap < 1e−6."
        )
        assert "= 29 at (4.8, 1.4)" in describe(limit=11.0, gain=7.0)
        assert "flour: 2 × 0, oven: 0 × 4" in describe(limit=20.0, gain=7.0)

    def test_one_value_and_vanishing_products_everywhere(self):
        problem = bakery()
        A = tuple(map(tuple, problem.A_ub.tolist()))
        for limit, gain in itertools.product(np.linspace(1, 25, 9), np.linspace(0.5, 14, 7)):
            primal, dual = solve_pair(A, (float(limit), 9.0), (4.0, float(gain)))
            assert primal.value == pytest.approx(dual.value)
            for products in gap_in_parts(primal.x, dual.x, A, (limit, 9), (4, gain)):
                assert np.abs(products).max() < 1e-9

    def test_es_p41(self):
        picture = lp_and_dual(small_program(), ("x₁", "x₂"), ("row 1", "row 2"), limit=(0, 4), gain=(-1, 3))
        assert "Largest x₂ = 1 at (1, 1); smallest 2y₁ − y₂ = 1 at (1, 1)" in picture.describe(**picture.start)
        assert picture.describe(limit=0.0, gain=1.0).startswith("Primal: infeasible, dual: unbounded")
        assert "green edge is as good in the dual" in picture.describe(limit=1.0, gain=1.0)
        assert "green edge is as good in the primal" in picture.describe(limit=2.0, gain=-1.0)
        scene = Scene(picture)
        assert all(scene.moving(state) for state in picture.page_states())

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"problem": [[1, 2]]}, "problem: expected a LinearProgram"),
            ({"problem": LinearProgram([1], [[1], [2]], [1, 1], maximize=True)}, "expected two variables and two rows"),
            ({"problem": LinearProgram([1, 2], np.eye(2), [1, 1])}, "expected a maximisation over x >= 0"),
            (
                {"problem": LinearProgram([1, 2], np.eye(2), [1, 1], bounds=(None, None), maximize=True)},
                "expected a maximisation over x >= 0",
            ),
            (
                {"problem": LinearProgram([1, 2], [[1, 0], [2, 0]], [1, 1], maximize=True)},
                "a coefficient other than 0 in every row and column",
            ),
            ({"limit": (10, 20)}, "limit: expected ends around 8"),
            ({"gain": (1, 2)}, "gain: expected ends around 7"),
        ],
    )
    def test_what_does_not_fit_is_named(self, change, message):
        with pytest.raises(ValueError, match=message):
            lp_and_dual(**change)


class TestPlanAndPrices:
    def test_the_parts_add_up_to_the_gap(self):
        problem = bakery()
        rng = np.random.default_rng(0)
        for x, y in rng.uniform(0, 5, (50, 2, 2)):
            rows, columns = gap_in_parts(x, y, problem.A_ub, problem.b_ub, problem.c)
            assert rows.sum() + columns.sum() == pytest.approx(problem.b_ub @ y - problem.c @ x)

    def test_the_readout_knows_three_cases(self):
        describe = plan_and_prices().describe
        start = describe(bread=1.0, cake=1.0, flour=2.0, oven=2.0)
        assert start.startswith(
            "Plan worth 11, prices worth 34, gap 23 = 10 (flour) + 10 (oven) + 2 (bread) + 1 (cake)"
        )
        assert "both are optimal" in describe(bread=3.0, cake=2.0, flour=1.0, oven=2.0)
        assert "flour is short by 4; oven is short by 2" in describe(bread=5.0, cake=2.0, flour=1.0, oven=2.0)

    def test_feasible_pairs_have_no_negative_gap(self):
        picture = plan_and_prices()
        for state in picture.page_states():
            text = picture.describe(**state)
            assert ("Not a feasible pair" in text) or "gap −" not in text


class TestMultipliers:
    def test_the_three_kinds_of_the_text(self):
        linear, gaussian = multipliers().controls[1].values
        describe = multipliers().describe
        assert "21 points with α = 0, 3 with 0 < α < C on the margin, 6 with α = C" in describe(C=1.0, kernel=linear)
        assert "6 with α = C" in describe(C=1000.0, kernel=linear)
        assert "10 with 0 < α < C on the margin, 0 with α = C" in describe(C=1000.0, kernel=gaussian)

    def test_kkt_products_vanish_in_every_state(self):
        picture = multipliers()
        for state in picture.page_states():
            assert "α (y f − 1 + ξ) < 1e−6, (C − α) ξ < 1e−6" in picture.describe(**state)

    def test_own_data(self):
        X, y = two_clouds(n=12, distance=4, seed=2)
        table = pd.DataFrame(X, columns=["length", "width"])
        picture = multipliers(table, np.where(y > 0, "spam", "ham"))
        scene = Scene(picture)
        assert scene._figure.subfigs[0].axes[0].get_xlabel() == "length"
        assert all(scene.moving(state) for state in picture.page_states()[::9])

    def test_bad_data_is_named(self):
        with pytest.raises(ValueError, match=r"X: expected shape \(n, 2\)"):
            multipliers([[1, 2, 3]], [1])


class TestScaledMultipliers:
    def test_the_sum_is_the_squared_norm_and_the_gap_opens_off_one(self):
        picture = scaled_multipliers()
        for state in picture.page_states():
            text = picture.describe(**state)
            total, squared = (float(text.split(f"{name} = ")[1].split(",")[0]) for name in ("Σα", "‖w‖²"))
            assert total == squared
            assert ("too wide" in text) == (state["t"] < 1)
            assert ("gap < 1e−6" in text.split("Certificate")[0]) == (state["t"] == 1)

    def test_four_points_and_points_far_apart(self):
        assert "Σα = 2.0000, ‖w‖² = 2.0000" in scaled_multipliers(*four_points()).describe(t=1.0, apart=0.0)

    def test_overlapping_classes_raise_with_the_proof(self):
        with pytest.raises(InfeasibleProblem) as caught:
            scaled_multipliers(*five_points(label=-1))
        assert caught.value.certificate.ray.sum() == pytest.approx(1)


class TestSupportVectors:
    def test_the_street_moves_for_support_vectors_only(self):
        picture = leave_one_out()
        texts = [picture.describe(left_out=float(k)) for k in range(1, 21)]
        assert ["moves nothing" in text for text in texts] == [False] * 3 + [True] * 17
        assert all(("had α = 0:" in text) == ("moves nothing" in text) for text in texts)

    def test_all_eight_points_of_the_columns_stand_on_the_edge(self):
        assert "8 points on its edge" in marked_support_vectors(*two_columns()).describe()

    def test_a_class_of_one_point_cannot_lose_it(self):
        with pytest.raises(ValueError, match="at least two points of each class"):
            leave_one_out([[0, 0], [1, 1], [2, 2]], [1, -1, -1])

    @pytest.mark.parametrize("factory", [leave_one_out, marked_support_vectors])
    def test_overlapping_classes_raise(self, factory):
        with pytest.raises(InfeasibleProblem):
            factory(*five_points(label=-1))


class TestBesideScikitLearn:
    def test_the_counts_of_the_text(self):
        picture = beside_scikit_learn()
        linear, polynomial, gaussian = picture.controls[1].values
        counts = {"C = 100: 23 support vectors, 8": linear, "C = 100: 14 support vectors, 3": polynomial,
                  "C = 100: 13 support vectors, 3": gaussian}  # fmt: skip
        for text, kernel in counts.items():
            assert picture.describe(C=100.0, kernel=kernel).startswith(text)

    def test_svc_agrees_in_every_state(self):
        picture = beside_scikit_learn()
        assert all("differs from SVC by less than 0.01" in picture.describe(**s) for s in picture.page_states())

    def test_own_data_and_own_width(self):
        X, y = two_clouds(n=20, distance=2, seed=1)
        picture = beside_scikit_learn(X, y, width=2.0)
        count = len(SVC(C=1.0, gamma=1 / 8, tol=1e-8).fit(X, y).support_)
        assert picture.describe(**picture.start).startswith(f"C = 1: {count} support vectors")
