import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import ball_program, mislabelled_points, two_clouds
from mlcore.explore.scene import Scene
from mlcore.optimize import kkt_residuals, solve_qp
from mlcore.pictures.lagrange import (
    ball_and_walls,
    bump_in_space,
    duality_gap,
    flipped_labels,
    saddle,
    tangent_curves,
)
from mlcore.pictures.lagrange._duality_gap import PROBLEMS
from mlcore.pictures.lagrange._saddle import SURFACES
from mlcore.pictures.lagrange._tangent_curves import bump, bump_gradient, touching_point


def texts(picture):
    return {tuple(state.values()): picture.describe(**state) for state in picture.page_states()}


@pytest.mark.parametrize(
    "factory", [tangent_curves, bump_in_space, ball_and_walls, duality_gap, saddle, flipped_labels]
)
def test_neighbouring_states_look_different(factory):
    picture = factory()
    scene = Scene(picture)
    states = picture.page_states()[:6]
    drawings = ["".join(scene.moving(state)) for state in states]
    assert len(set(drawings)) >= 4


class TestTangentCurves:
    def test_the_gradients_are_parallel_where_the_curves_touch(self):
        for c in (-2.0, -0.5, 0.0, 1.0, 2.0):
            point, alpha = touching_point(c)
            assert point @ [1, 2] == pytest.approx(c)
            assert bump_gradient(*point) == pytest.approx(alpha * np.array([1, 2]), abs=1e-12)

    def test_the_gradient_by_finite_differences(self):
        step = 1e-6
        slope = [(bump(0.3 + step, 0.7) - bump(0.3 - step, 0.7)), (bump(0.3, 0.7 + step) - bump(0.3, 0.7 - step))]
        assert bump_gradient(0.3, 0.7) == pytest.approx(np.array(slope) / (2 * step), rel=1e-6)

    def test_only_the_touching_point_is_an_extremum(self):
        for (c, step), text in texts(tangent_curves()).items():
            assert ("no extremum" in text) == (step != 0), (c, step)
            assert ("The curves touch" in text) == (step == 0 and c != 0), (c, step)
        assert "multiplier α = −0.327" in tangent_curves().describe(c=1.0, step=0.0)
        assert "α = 0. It hinders nobody" in tangent_curves().describe(c=0.0, step=0.0)


class TestBumpInSpace:
    def test_the_readout_gives_height_and_slope(self):
        describe = bump_in_space().describe
        assert "(0.20, 0.40) and is 0.819 high" in describe(c=1.0)
        assert describe(c=1.0).endswith("at the rate −0.327.")
        assert describe(c=0.0).endswith("at the rate 0.000.")
        assert describe(c=2.0).endswith("at the rate −0.359.")


class TestBallAndWalls:
    def test_what_the_chapter_says_of_the_two_walls(self):
        for a in np.linspace(-1.5, 1.5, 11):
            z = solve_qp(ball_program(a, -0.9)).inequality_multipliers
            assert z[0] == pytest.approx(max(a, 0), abs=1e-6)
        for b in np.linspace(-1.2, 1.2, 17):
            z = solve_qp(ball_program(0.6, b)).inequality_multipliers
            assert (z[1] > 1e-6) == (b > 0.3 + 1e-9)
            assert (z[0] > 1e-6) == (b < 0.9 - 1e-9)

    def test_no_wall_pushes_from_afar_or_pulls(self):
        picture = ball_and_walls()
        for (a, b), text in texts(picture).items():
            result = solve_qp(ball_program(a, b))
            assert kkt_residuals(ball_program(a, b), result.x, result.inequality_multipliers).largest < 1e-6
            assert "stationarity < 1e−6, primal < 1e−6, dual < 1e−6, complementary < 1e−6" in text
            assert text.count("pushes with") == int((result.inequality_multipliers > 1e-6).sum())

    def test_every_kind_of_state_is_told(self):
        describe = ball_and_walls().describe
        assert "the left wall has 0.90 to spare" in describe(a=-0.9, b=-0.9)
        assert "the left wall is just touched" in describe(a=0.0, b=-0.9)
        assert "the left wall is touched and pushes with multiplier 0.60" in describe(a=0.6, b=-0.9)
        assert describe(a=0.6, b=0.6).count("pushes with") == 2


class TestDualityGap:
    def test_values_of_both_problems(self):
        assert PROBLEMS["convex"].best() == pytest.approx((1, 1))
        assert PROBLEMS["convex"].lowest(2.0)[0] == pytest.approx(1)
        primal, minimiser = PROBLEMS["two valleys"].best()
        grid = np.linspace(0.2, 2, 100_001)
        assert primal == pytest.approx(PROBLEMS["two valleys"].lagrangian(grid, 0).min(), abs=1e-6)
        assert minimiser > 0.2
        value, places = PROBLEMS["two valleys"].lowest(2.0)
        assert value == pytest.approx(2.4)
        assert sorted(places) == pytest.approx([-1, 1])

    @pytest.mark.parametrize("name", PROBLEMS)
    def test_the_dual_is_concave_and_a_lower_bound(self, name):
        problem = PROBLEMS[name]
        values = np.array([problem.lowest(m)[0] for m in np.linspace(0, 4, 81)])
        assert (np.diff(values, 2) <= 1e-9).all()
        assert (values <= problem.best()[0] + 1e-9).all()
        grid = np.linspace(-3, 3, 60_001)
        assert values[37] == pytest.approx(problem.lagrangian(grid, np.linspace(0, 4, 81)[37]).min(), abs=1e-6)

    def test_the_readout(self):
        describe = duality_gap().describe
        assert "no gap remains" in describe(problem="convex", multiplier=2.0)
        text = describe(problem="two valleys", multiplier=2.0)
        assert "x = −1.00 and 1.00" in text and "a gap of 1.533 remains" in text


class TestSaddle:
    def test_values_of_both_orders(self):
        x, m = np.meshgrid(np.linspace(0, 2, 401), np.linspace(0, 4, 401), indexing="ij")
        for name, inf_sup, sup_inf in (("lagrangian", 1.0, 1.0), ("valley", 1.25, 0.5)):
            values = SURFACES[name](x, m)
            assert values.max(axis=1).min() == pytest.approx(inf_sup, abs=1e-3)
            assert values.min(axis=0).max() == pytest.approx(sup_inf, abs=1e-3)
            assert f"inf sup = {inf_sup:.3f}, sup inf = {sup_inf:.3f}" in saddle().describe(surface=name, cut=0.25)

    def test_moving_second_never_hurts(self):
        x, m = np.meshgrid(np.linspace(0, 2, 41), np.linspace(0, 4, 41), indexing="ij")
        for surface in SURFACES.values():
            assert surface(x, m).max(axis=1).min() >= surface(x, m).min(axis=0).max() - 1e-12

    def test_the_readout(self):
        assert saddle().describe(surface="lagrangian", cut=0.5).endswith("equal: a saddle point.")
        assert saddle().describe(surface="valley", cut=0.5).endswith("a gap of 0.750.")


class TestFlippedLabels:
    def test_the_hard_margin_fails_when_a_label_is_flipped(self):
        describe = flipped_labels().describe
        assert "street is 2.00 wide. α = 0: 9 points; 0 < α < C: 3" in describe(changed=0, C=np.inf)
        for changed in (1, 2):
            assert "no line separates" in describe(changed=changed, C=np.inf)

    def test_what_the_chapter_says_of_the_soft_margin(self):
        text = flipped_labels().describe(changed=2, C=3.2)
        assert "α = 0: 6 points; 0 < α < C: 3, on the edge of the street; α = C: 3" in text
        assert "of which 1 inside the street (circled) and 2 on the wrong side (crossed)" in text

    def test_every_machine_meets_all_conditions(self):
        for (_, C), text in texts(flipped_labels()).items():
            if "no line" not in text:
                assert "stationarity < 1e−6, primal < 1e−6, dual < 1e−6, complementary < 1e−6" in text, C

    def test_own_data(self):
        X, y = two_clouds(n=20, distance=6, seed=0)
        table = pd.DataFrame(X, columns=["length", "width"])
        picture = flipped_labels(table, np.where(y > 0, "spam", "ham"), flips=(0,))
        figure = Scene(picture)._figure
        assert figure.subfigs[0].axes[0].get_xlabel() == "length"
        assert "1 label flipped" in picture.describe(changed=1, C=1.0)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"flips": ()}, "flips: expected one to five different rows of X"),
            ({"flips": (0, 0)}, "flips: expected one to five different rows of X"),
            ({"flips": (12,)}, "flips: expected one to five different rows of X"),
            ({"flips": (0.5,)}, "flips: expected a whole number"),
            (
                {"X": [[0, 0], [1, 1], [2, 2]], "y": [1, -1, -1], "flips": (0,)},
                "flips: expected both classes to remain",
            ),
            ({"X": [[0, 0, 0]], "y": [1]}, r"X: expected shape \(n, 2\)"),
        ],
    )
    def test_bad_data_is_named(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            flipped_labels(**arguments)

    def test_the_default_is_the_data_set_of_the_book(self):
        X, y = mislabelled_points(changed=2)
        ours = flipped_labels(X, y, flips=(9, 8))  # flipping back gives the separable set
        assert "street is 2.00 wide" in ours.describe(changed=2, C=np.inf)
