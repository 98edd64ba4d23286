"""The pictures of chapter 5."""

import re
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.datasets import five_points, metal_and_wood, six_points
from mlcore.explore.scene import Scene
from mlcore.optimize import LinearProgram, separating_plane, simplex
from mlcore.pictures.drawing.half_planes import HalfPlane, cut, half_planes, row, row_sum, written
from mlcore.pictures.linear_programs import _convex_hulls as convex_hulls
from mlcore.pictures.linear_programs import _separating_lines as separating_lines
from mlcore.pictures.linear_programs import (
    all_crossings,
    feasible_region,
    flattest_line,
    hull_membership,
    line_or_proof,
    points_and_lines,
)
from mlcore.pictures.linear_programs._convex_hulls import hull_corners, mixture
from mlcore.pictures.linear_programs._crossings import twelve_half_planes
from mlcore.pictures.linear_programs._linear_programs import three_half_planes

P24 = LinearProgram([3, 2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24], maximize=True)
QUADRILATERAL = LinearProgram([1, 0], [[-1, 2], [1, 1], [1, -1], [-1, -2]], [6, 6, 2, 4], maximize=True)
SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
numbers = st.floats(-2, 2, allow_nan=False).map(lambda value: round(value, 3))


def seen(picture):
    """Return the axes of a picture as its frame leaves them."""
    return Scene(picture)._figure.axes[0]


class TestHalfPlanes:
    @given(st.tuples(numbers, numbers, numbers), st.tuples(numbers, numbers))
    @settings(deadline=None, max_examples=200)
    def test_a_point_of_the_square_is_cut_off_exactly_when_it_breaks_the_half_plane(self, plane, point):
        plane, point = HalfPlane(*plane), np.clip(point, -0.99, 0.99)
        excess = np.dot(plane[:2], point) - plane.limit
        if abs(excess) < 1e-6:
            return
        rest = cut(SQUARE, plane)
        # Counterclockwise polygons have their points on the left of every edge.
        ways, edges = point - rest, np.roll(rest, -1, axis=0) - rest
        inside = len(rest) > 2 and bool((edges[:, 0] * ways[:, 1] - edges[:, 1] * ways[:, 0] >= -1e-9).all())
        assert inside == (excess < 0)

    @pytest.mark.parametrize(
        ("plane", "as_row", "by_hand"),
        [
            (HalfPlane(1, 1, 10), "x + y ≤ 10", "x + y ≤ 10"),
            (HalfPlane(-1, 0, -5), "−x ≤ −5", "x ≥ 5"),
            (HalfPlane(-1, -2, 4), "−x − 2y ≤ 4", "x + 2y ≥ −4"),
            (HalfPlane(-1, 2.5, 0), "−x + 2.5y ≤ 0", "−x + 2.5y ≤ 0"),
        ],
    )
    def test_rows_are_written_by_hand(self, plane, as_row, by_hand):
        assert (row(plane, ("x", "y")), written(plane, ("x", "y"))) == (as_row, by_hand)

    def test_noise_is_not_written(self):
        assert row_sum((1 + 1e-13, -1e-13), ("x", "y")) == "x"

    def test_rows_come_before_bounds(self):
        rows, bounds = half_planes(LinearProgram([1, 1], [[1, 2]], [3], bounds=[(0, 4), (None, 5)]))
        assert rows == (HalfPlane(1, 2, 3),)
        assert bounds == (HalfPlane(-1, 0, 0), HalfPlane(1, 0, 4), HalfPlane(0, 1, 5))


class TestFeasibleRegion:
    def test_system_1_is_feasible_and_its_best_point_proven(self):
        text = feasible_region().describe(turn=0.0, right_side=4.0, keep=True)
        assert text.startswith("Maximise x₁: the optimum is (6, 4), value 6. Active: x₁ + x₂ ≤ 10, x₂ ≥ 4.")
        assert "1 × (x₁ + x₂ ≤ 10) + 1 × (−x₂ ≤ −4) adds up to x₁ ≤ 6." in text
        assert "relative gap < 1e−6, largest KKT residual < 1e−6" in text

    def test_system_2_is_infeasible_with_its_farkas_weights(self):
        text = feasible_region().describe(turn=0.0, right_side=6.0, keep=True)
        assert "Proof: 1 × (x₁ + x₂ ≤ 10) + 1 × (−x₁ ≤ −5) + 1 × (−x₂ ≤ −6) adds up to 0 ≤ −1" in text

    def test_the_last_feasible_point(self):
        picture = feasible_region()
        assert "the optimum is (5, 5)" in picture.describe(turn=0.0, right_side=5.0, keep=True)
        assert "Nothing is feasible" in picture.describe(turn=0.0, right_side=5.5, keep=True)

    def test_without_its_third_side_the_triangle_is_unbounded(self):
        text = feasible_region().describe(turn=0.0, right_side=4.0, keep=False)
        assert "there is no best point. Start at (5, 4) and walk along (1, 0)" in text

    def test_every_state_is_proven(self):
        picture = feasible_region()
        for state in picture.page_states():
            assert "< 1e−6" in picture.describe(**state).splitlines()[-1]

    def test_the_whole_circle_in_corners(self):
        """A corner is optimal, and the best of all corners, for every direction of c."""
        picture = feasible_region(QUADRILATERAL)
        corners = np.array([[0, 0], [2, 0], [4, 2], [2, 4], [0, 3]])
        for turn in picture.controls[0].values:
            text = picture.describe(turn=turn)
            point = [float(v.replace("−", "-")) for v in re.search(r"optimum is \((.+?), (.+?)\)", text).groups()]
            c = np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
            assert any(np.allclose(point, corner) for corner in corners)
            assert c @ point == pytest.approx((corners @ c).max(), abs=1e-6)

    def test_an_edge_at_right_angles_to_c_is_optimal(self):
        picture = feasible_region(QUADRILATERAL, right_side=(1, -3, 9), optional="bounds")
        edge = "Every point of the green edge is as good."
        assert edge in picture.describe(turn=-180.0, right_side=6.0, keep=True)
        assert edge in picture.describe(turn=-90.0, right_side=6.0, keep=True)
        assert edge in picture.describe(turn=45.0, right_side=6.0, keep=True)
        assert edge not in picture.describe(turn=0.0, right_side=6.0, keep=True)

    def test_bounds_that_are_not_active_do_not_matter(self):
        picture = feasible_region(QUADRILATERAL, right_side=(1, -3, 9), optional="bounds")
        for keep in (True, False):
            assert "the optimum is (4, 2), value 4" in picture.describe(turn=0.0, right_side=6.0, keep=keep)
        assert "the optimum is (0, −2), value 2" in picture.describe(turn=-90.0, right_side=6.0, keep=False)
        assert "Nothing is feasible" in picture.describe(turn=0.0, right_side=-3.0, keep=True)
        assert "the optimum is" in picture.describe(turn=0.0, right_side=-3.0, keep=False)

    def test_the_exercise_of_p_24(self):
        text = feasible_region(P24).describe(turn=0.0)
        assert "Maximise 3x₁ + 2x₂: the optimum is (3, 12), value 33." in text
        assert "1.25 × (2x₁ + x₂ ≤ 18) + 0.25 × (2x₁ + 3x₂ ≤ 42) adds up to 3x₁ + 2x₂ ≤ 33" in text

    def test_a_minimum_is_bounded_from_below(self):
        problem = LinearProgram([4, 3], [[-2, -1], [-1, -3]], [-8, -9])
        text = feasible_region(problem).describe(turn=0.0)
        assert "Minimise 4x₁ + 3x₂: the optimum is (3, 2), value 18." in text
        assert "adds up to 4x₁ + 3x₂ ≥ 18" in text
        assert "primal 18, dual 18" in text

    def test_prices_of_the_bakery_fall(self):
        bakery = LinearProgram([4, 3], [[2, 1], [1, 3]], [8, 9], maximize=True)
        picture = feasible_region(bakery, right_side=(0, 0, 24), names=("bread", "cake"))
        slider = picture.controls[1]
        assert (slider.start, slider.page_values) == (8.0, (2.0, 8.0, 14.0, 20.0))
        texts = {flour: picture.describe(turn=0.0, right_side=flour) for flour in slider.page_values}
        prices = {2.0: "3 × (2 bread", 8.0: "1.8 × (2 bread", 14.0: "1.8 × (2 bread", 20.0: "better: 4 × (bread + 3"}
        assert all(price in texts[flour] for flour, price in prices.items())
        assert (seen(picture).get_xlabel(), seen(picture).get_ylabel()) == ("bread", "cake")

    @pytest.mark.parametrize("factor", [1e-6, 1e6])
    def test_units_do_not_matter(self, factor):
        """The region in other units: the same optimum, the same edge, all of it seen."""
        problem = LinearProgram([1, 0], QUADRILATERAL.A_ub, factor * QUADRILATERAL.b_ub, maximize=True)
        picture = feasible_region(problem)
        edge = "Every point of the green edge"
        assert edge in picture.describe(turn=-180.0) and edge not in picture.describe(turn=0.0)
        low, high = seen(picture).get_xlim()
        assert low < 0 < 4 * factor < high < 20 * factor

    def test_very_different_scales_are_both_seen(self):
        picture = feasible_region(LinearProgram([3, 200], [[1, 100], [1, 0]], [800, 100], maximize=True))
        axes = seen(picture)
        assert axes.get_aspect() == "auto"
        assert "the optimum is (100, 7), value 1700" in picture.describe(turn=0.0)
        low, high = axes.get_ylim()
        assert low < 0 < 8 < high < 20

    @pytest.mark.parametrize("turn", [-180.0, -95.0, 0.0, 40.0, 175.0])
    @pytest.mark.parametrize("problem", [P24, QUADRILATERAL, three_half_planes(6)])
    def test_own_problems_are_drawn(self, problem, turn):
        picture = feasible_region(problem, optional=0)
        scene = Scene(picture)
        for keep in (True, False):
            assert "nan" not in "".join(scene.moving({"turn": turn, "keep": keep}))

    @pytest.mark.parametrize(
        ("problem", "changes", "message"),
        [
            (LinearProgram([1, 2, 3]), {}, "problem: expected two variables"),
            (LinearProgram([1, 2], A_eq=[[1, 1]], b_eq=[1]), {}, "problem: expected inequalities only"),
            (LinearProgram([1, 2], [[0, 0]], [1]), {}, "problem: expected a coefficient other than 0"),
            (LinearProgram([0, 0], [[1, 1]], [1]), {}, "problem: expected an objective"),
            ([[1, 1]], {}, "problem: expected a LinearProgram"),
            (P24, {"right_side": (3, 0, 1)}, "right_side: expected one of the rows 0 to 2"),
            (P24, {"right_side": (0, 20, 30)}, "right_side: expected ends around 18"),
            (P24, {"optional": 7}, "optional: expected one of the rows 0 to 2"),
            (three_half_planes(), {"optional": "bounds"}, "optional: expected a problem with bounds"),
        ],
    )
    def test_what_cannot_be_drawn_is_named(self, problem, changes, message):
        with pytest.raises(ValueError, match=message):
            feasible_region(problem, **changes)


class TestPointsAndLines:
    def test_inside_the_cell_every_sample_is_on_its_side(self):
        X, y = six_points()
        picture = points_and_lines()
        for state in picture.page_states():
            m, n = state["point_x"], state["point_y"]
            clearance = y * (X[:, 1] - (m * X[:, 0] - n))
            wrong = [f"P{i + 1}" for i in np.flatnonzero(clearance < -1e-9)]
            text = picture.describe(**state)
            assert ("separates" in text) == (not wrong)
            assert not wrong or f"{', '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} on its wrong side" in text

    def test_at_a_corner_of_the_cell_the_line_goes_through_two_samples(self):
        text = points_and_lines().describe(point_x=0.5, point_y=-1.5)
        assert "the line y = 0.5x + 1.5" in text
        assert "the line goes through P1 and P2" in text

    def test_across_an_edge_one_sample_changes_sides(self):
        text = points_and_lines().describe(point_x=1.0, point_y=0.5)
        assert "P4 is on its wrong side" in text

    def test_the_dual_point_lies_where_all_page_states_are_seen(self):
        picture = points_and_lines()
        dual = Scene(picture)._figure.axes[1]
        for control, (low, high) in zip(picture.controls, (dual.get_xlim(), dual.get_ylim())):
            assert low < control.values[0] < control.values[-1] < high

    def test_inseparable_data_have_no_cell(self):
        picture = points_and_lines(*five_points(label=-1))
        assert "There is no cell" in picture.describe(**picture.start)

    def test_the_class_on_top_is_found(self):
        X, y = metal_and_wood()[:2]
        for classes in (("metal", "wood"), ("a metal", "b wood")):
            picture = points_and_lines(X, np.where(y > 0, *classes))
            assert f"{classes[0]} above, {classes[1]} below" in picture.describe(**picture.start)

    def test_points_in_one_column_are_refused(self):
        with pytest.raises(ValueError, match="X: expected points that differ in both coordinates"):
            points_and_lines([[1, 2], [1, 3]], [1, -1])


class TestFlattestLine:
    def test_the_line_of_p_23(self):
        text = flattest_line().describe(shift=0.0, gap=1.0)
        assert text.startswith("Linear program: m = 3, c = −11. Active constraints: those of (4, 1) and (5, 4)")
        assert "primal 3, dual 3, relative gap < 1e−6" in text

    def test_it_never_keeps_a_distance_and_the_street_always_does(self):
        picture = flattest_line()
        for state in picture.page_states():
            text = picture.describe(**state)
            assert "distance to the nearest point 0." in text
            street = float(re.search(r"the nearest point is ([\d.]+) away", text)[1])
            # While the columns overlap in height, the street is upright and fills the gap.
            across = np.hypot(state["gap"], max(abs(state["shift"]) - 3, 0)) / 2
            assert street == pytest.approx(across, abs=1e-3)


class TestLineOrProof:
    def test_every_state_is_decided_and_each_proof_takes_at_most_four_points(self):
        picture = line_or_proof()
        separable = []
        for state in picture.page_states():
            text = picture.describe(**state)
            separable.append(text.startswith("Separable"))
            assert separable[-1] or (text.startswith("No line separates") and text.count(" × ") <= 4)
            assert "< 1e−6" in text
        apart = [state["distance"] for state, is_apart in zip(picture.page_states(), separable) if is_apart]
        assert separable == sorted(separable)  # once apart, the clouds stay apart
        assert min(apart) == 3.5

    def test_a_wider_gap_can_get_a_closer_line(self):
        """What the chapter says about the distances 4.75 and 5."""
        picture = line_or_proof()
        lengths = []
        for distance in (4.75, 5.0):
            w = re.search(r"w = \((.+?), (.+?)\)", picture.describe(distance=distance)).groups()
            lengths.append(np.hypot(*map(float, w)))
        assert lengths[1] > 2 * lengths[0]

    def test_two_right_lines_decide_the_unknown_object_differently(self):
        X, y, unknown = metal_and_wood()
        first, second = separating_plane(X, y), separating_plane(X, -y)
        assert first.separable and second.separable
        assert np.sign(first.w @ unknown + first.b) == np.sign(second.w @ unknown + second.b)  # of opposite classes

    def test_own_table_and_unknown_point(self):
        X, y, unknown = metal_and_wood()
        table = pd.DataFrame(X, columns=["size", "weight"])
        picture = line_or_proof(table, np.where(y > 0, "metal", "wood"), unknown)
        assert re.search(r"At the unknown point w·x \+ b = .*: (metal|wood)\.", picture.describe(distance=0.0))
        assert picture.describe(distance=-1.0).startswith("No line separates")
        assert seen(picture).get_xlabel() == "size"

    def test_nothing_is_said_where_rounding_errors_decide(self, monkeypatch):
        def undecided(*_):
            raise ArithmeticError

        monkeypatch.setattr(separating_lines, "separating_plane", undecided)
        monkeypatch.setattr(convex_hulls, "in_convex_hull", undecided)
        touching = line_or_proof([[0.0, 0.125], [1.0, 1.125]], [1, -1])
        assert "too close to each other" in touching.describe(distance=0.0)
        border = hull_membership([[0.0, 0.125], [1.0, 0.125], [0.0, 1.125]])
        assert "cannot tell" in border.describe(point_x=0.5, point_y=0.125)
        for picture in (touching, border):
            assert Scene(picture).moving(picture.start)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([[1, 2], [3, 4]], [1, 1]), "y: expected exactly two classes"),
            (([[1, 2, 3], [3, 4, 5]], [1, -1]), r"X: expected shape \(n, 2\)"),
            (([[1, 2], [3, 4]], [1, -1], [1]), r"unknown: expected shape \(2,\)"),
        ],
    )
    def test_bad_data_is_named(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            line_or_proof(*arguments)


class TestHullMembership:
    def test_inside_on_an_edge_on_a_corner_and_outside(self):
        describe = hull_membership().describe
        assert describe(point_x=0.0, point_y=0.0).count(" × ") == 3
        assert "= 0.5 × (1, 1.5) + 0.5 × (2, 0)." in describe(point_x=1.5, point_y=0.75)
        assert "= 1 × (2, 0)." in describe(point_x=2.0, point_y=0.0)
        assert "is 1 at the point and at most −1 in the cloud" in describe(point_x=3.0, point_y=0.0)

    def test_the_weights_give_the_point(self):
        picture = hull_membership()
        inside = 0
        for state in picture.page_states():
            text = picture.describe(**state)
            if text.startswith("Inside"):
                inside += 1
                terms = re.findall(r"([\d.]+) × \((.+?), (.+?)\)", text.replace("−", "-"))
                weights, points = np.array([t[0] for t in terms], float), np.array([t[1:] for t in terms], float)
                assert weights.sum() == pytest.approx(1, abs=2e-3)
                assert weights @ points == pytest.approx([state["point_x"], state["point_y"]], abs=5e-3)
        assert 20 < inside < len(picture.page_states())

    @pytest.mark.parametrize("X", [[[1, 2]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [1e6, 1]], [[1, 2], [1, 2]]])
    def test_clouds_without_an_inside_are_drawn(self, X):
        picture = hull_membership(X)
        for state in (picture.start, *picture.page_states()[:2]):
            assert "nan" not in "".join(Scene(picture).moving(state))
            assert picture.describe(**state).startswith(("Inside", "Outside"))

    def test_a_data_frame_names_the_axes(self):
        axes = seen(hull_membership(pd.DataFrame([[0, 0], [1, 0], [0, 1]], columns=["a", "b"])))
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("a", "b")

    @pytest.mark.parametrize(
        ("X", "message"),
        [
            (np.zeros((0, 2)), "X: expected at least one point"),
            ([[1, 2, 3]], "X: expected shape"),
            ([[1, np.nan]], "NaN"),
        ],
    )
    def test_bad_data_is_named(self, X, message):
        with pytest.raises(ValueError, match=message):
            hull_membership(X)

    def test_corners_go_around(self):
        corners = hull_corners(np.array([[0.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0], [1.0, 1.0]]))
        edges = np.roll(corners, -1, axis=0) - corners
        assert len(corners) == 4
        assert np.linalg.norm(edges, axis=1) == pytest.approx([2, 2, 2, 2])

    def test_only_points_with_a_weight_are_written(self):
        assert mixture(np.array([0.0, 1.0]), [[1, 2], [3, 4]]) == "1 × (3, 4)"


class TestAllCrossings:
    def test_the_counts_are_those_of_the_binomial_coefficient(self):
        picture = all_crossings()
        for m in range(2, 13):
            assert f"C({m}, 2) = {comb(m, 2)} pair" in picture.describe(m=float(m))
        assert "9 vertices" in picture.describe(m=12.0)
        assert "6 vertices" in picture.describe(m=6.0)

    def test_a_constraint_adds_at_most_one_vertex(self):
        picture = all_crossings()
        vertices = [int(re.search(r"(\d+) vert", picture.describe(m=float(m)))[1]) for m in range(2, 13)]
        assert vertices[:2] == [1, 3]  # an angle, then a triangle
        assert max(np.diff(vertices[1:])) == 1

    def test_the_vertices_are_the_crossings_that_obey_every_row(self):
        problem = twelve_half_planes()
        A, b = problem.A_ub, problem.b_ub
        crossings = [np.linalg.solve(A[list(pair)], b[list(pair)]) for pair in combinations(range(12), 2)]
        assert sum(bool((A @ x <= b + 1e-9).all()) for x in crossings) == 9

    def test_the_best_vertex_is_the_optimum(self):
        text = all_crossings(P24).describe(m=5.0)
        assert "C(5, 2) = 10 pairs to try" in text and "5 vertices" in text
        assert simplex(P24).x.tolist() == [3.0, 12.0]

    def test_parallel_lines_are_counted(self):
        box = LinearProgram([1, 1], bounds=[(0, 1), (0, 1)])
        assert "C(4, 2) = 6 pairs to try (2 parallel)" in all_crossings(box).describe(m=4.0)

    def test_too_few_constraints(self):
        with pytest.raises(ValueError, match="problem: expected at least three constraints, got 2"):
            all_crossings(LinearProgram([1, 1]))
