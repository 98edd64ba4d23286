from itertools import product

import numpy as np
import pytest

from mlcore.datasets import beale, four_inequalities, klee_minty, random_resources
from mlcore.explore.scene import Scene
from mlcore.optimize import LinearProgram, enumerate_vertices, simplex
from mlcore.pictures.drawing.polytope import View, polytope
from mlcore.pictures.simplex import (
    cycling,
    interior_point,
    klee_minty_cube,
    phase_one,
    plane_and_tableau,
    polytope_and_tableau,
    simplex_growth,
    slack_as_height,
    tie,
)
from mlcore.pictures.simplex._simplex_growth import growth_of
from mlcore.pictures.simplex._simplex_plane import feasible_plane, tight_names
from mlcore.pictures.simplex._simplex_run import describe_step, recorded_run
from mlcore.pictures.simplex._simplex_space import four_planes
from mlcore.pictures.simplex._simplex_tableau import entry, tableau_layout

FACTORIES = [
    plane_and_tableau, phase_one, tie, slack_as_height, polytope_and_tableau, klee_minty_cube, cycling, simplex_growth,
    interior_point,
]  # fmt: skip


@pytest.mark.parametrize("factory", FACTORIES)
def test_ends_of_all_controls_are_drawn_and_described(factory):
    picture = factory()
    scene = Scene(picture)
    ends = product(*({c.page_values[0], c.page_values[-1], c.start} for c in picture.controls))
    states = [dict(zip(picture.start, values)) for values in ends]
    drawn = {tuple(scene.moving(state)) for state in states}
    assert len(drawn) > len(states) / 3
    for state in states:
        text = picture.describe(**state)
        assert text
        assert "-" not in text
        assert "nan" not in text


@pytest.mark.parametrize("factory", FACTORIES)
def test_every_readout_with_a_proof_has_a_good_one(factory):
    picture = factory()
    for state in picture.page_states():
        text = picture.describe(**state)
        assert "invariants" not in text or "All three invariants hold." in text
        if "Certificate" in text:
            assert "< 1e−6" in text
            assert "e−0" not in text


class TestPlaneAndTableau:
    def test_the_numbers_of_the_book(self):
        describe = plane_and_tableau().describe
        assert "(0, 70), where x₁ = 0, s₂ = 0; value 31500" in describe(rule="dantzig", step=1)
        end = describe(rule="dantzig", step=2)
        assert "(40, 70), where s₂ = 0, s₄ = 0; value 37500" in end
        assert "Optimal after 2 pivots. Reduced costs: −150 for s₂, −150 for s₄." in end

    def test_each_rule_takes_the_way_that_the_text_tells(self):
        runs = plane_and_tableau().draw.keywords["runs"]
        ways = {rule: [tuple(step.vertex) for step in run.result.steps] for rule, run in runs.items()}
        assert ways["dantzig"] == ways["largest_increase"] == [(0, 0), (0, 70), (40, 70)]
        assert ways["bland"] == [(0, 0), (120, 0), (120, 20), (100, 40), (40, 70)]

    def test_a_shorter_run_stays_at_its_end(self):
        describe = plane_and_tableau().describe
        assert describe(rule="dantzig", step=4) == describe(rule="dantzig", step=2)

    def test_own_problem_with_bounds_and_a_minimisation(self):
        problem = LinearProgram([-1, -2], [[1, 1]], [6], bounds=[(1, None), (0, 4)])
        picture = plane_and_tableau(problem)
        Scene(picture).panels(picture.start)
        last = picture.page_states()[-1]
        assert "(2, 4)" in picture.describe(**last)
        assert "The value falls by" in picture.describe(**picture.start)

    @pytest.mark.parametrize(
        ("problem", "message"),
        [
            (LinearProgram([1, 1, 1], [[1, 1, 1]], [1], maximize=True), "expected two variables"),
            (LinearProgram([-1, -1], [[1, 1]], [1], maximize=True), "expected one that takes a pivot"),
            (LinearProgram([1, 1], [[1, 1], [0, 0]], [1, 1], maximize=True), "other than 0 in every row"),
        ],
    )
    def test_a_problem_that_cannot_be_shown_is_named(self, problem, message):
        with pytest.raises(ValueError, match=message):
            plane_and_tableau(problem)


class TestTableau:
    def test_columns_keep_their_order_and_fit_the_panel(self):
        for problem in (four_inequalities(), beale(rounder=True), klee_minty(3)):
            layout = tableau_layout(simplex(problem, trace=True).steps)
            ends = list(layout.right.values())
            assert ends == sorted(ends)
            assert ends[-1] == pytest.approx(1)
            assert layout.font_size >= 8  # readable

    def test_entries_are_exact_where_they_are_short(self):
        assert [entry(v) for v in (0.25, -1 / 3, 2 / 21, -0.0, 12345.5, 31500)] == [
            "0.25", "−1/3", "2/21", "0", "12345.5", "31500",
        ]  # fmt: skip
        assert entry(np.pi) == "3.14"
        assert entry(1234567.0) == "1.23e+06"


class TestFeasiblePlane:
    def test_nonbasic_variables_name_the_lines_through_the_vertex(self):
        problems = [
            four_inequalities(),
            LinearProgram.from_rows([1, -1], [[1, 1], [1, 2], [2, 1]], ["<=", ">=", "="], [9, 8, 7], maximize=True),
            LinearProgram([-1, -2], [[1, 1]], [6], bounds=[(1, None), (None, 4)]),
        ]
        for problem in problems:
            constraints = feasible_plane(problem).constraints
            for step in simplex(problem, trace=True).steps:
                for name in tight_names(step):
                    plane = constraints[name]
                    assert step.vertex @ plane[:2] == pytest.approx(plane.limit, abs=1e-9)

    def test_corners_are_the_vertices(self):
        corners = feasible_plane(four_inequalities()).corners
        vertices = enumerate_vertices(four_inequalities()).vertices
        assert {tuple(x.round(9)) for x in corners} == {tuple(x.round(9)) for x in vertices}


class TestPhaseOne:
    def test_the_four_ends(self):
        picture = phase_one()
        ends = {name: picture.describe(name=name, step=10) for name in picture.controls[0].values}
        assert "(9, 0), where x₂ = 0, s₁ = 0; value 9" in ends["two rows with ≥"]
        assert "(5, 2), where s₁ = 0 and the equations hold; value 17" in ends["a row with ≥, an equation"]
        assert "weighted 1, 1, 1, the rows sum to 0 ≤ −1" in ends["infeasible"]
        assert "Unbounded along the direction (0, 1)" in ends["unbounded"]

    def test_two_pivots_bring_the_walk_into_the_region(self):
        describe = phase_one().describe
        sums = ["sum to 15.", "sum to 4.5.", "sum to 0."]
        assert all(part in describe(name="two rows with ≥", step=i) for i, part in enumerate(sums))
        assert "2 pivots made: (2, 3)" in describe(name="two rows with ≥", step=3)

    def test_own_problems(self):
        problems = {"up": four_inequalities(), "down": LinearProgram.from_rows([1, 1], [[1, 2]], [">="], [2])}
        assert "value 1." in phase_one(problems).describe(name="down", step=9)


class TestTie:
    def test_one_point_two_bases_at_the_tie(self):
        describe = tie().describe
        assert "s₂ leaves (a tie)" in describe(last=140.0, step=0)
        assert "Its ratio is 0: the point stays where it is." in describe(last=140.0, step=1)
        assert "2 pivots made: (0, 70)" in describe(last=140.0, step=2)

    def test_no_tie_elsewhere(self):
        picture = tie()
        for last in picture.controls[0].values:
            points = [tuple(s.vertex) for s in simplex(four_inequalities(last), trace=True).steps]
            assert len(points) == (2 if last < 140 else 3)
            assert (len(set(points)) == len(points)) == (last != 140)


class TestSlackAsHeight:
    def test_the_kinds_of_points(self):
        describe = slack_as_height().describe
        assert "where the method starts" in describe(x1=0.0, x2=0.0)
        assert "x₂ and s₁ are 0, one variable is not. It is the best" in describe(x1=7.0, x2=0.0)
        assert "On an edge: only s₁ is 0." in describe(x1=3.0, x2=4.0)
        assert "s₁ = 7 − 5 = 2. Inside" in describe(x1=2.0, x2=3.0)
        assert "breaks the inequality" in describe(x1=6.0, x2=5.0)


class TestPolytope:
    @pytest.mark.parametrize("seed", range(6))
    def test_euler_and_every_edge_between_two_facets(self, seed):
        solid = polytope(random_resources(4, 3, seed))
        assert len(solid.corners) - len(solid.edges()) + len(solid.facets) == 2
        assert all(len(sides) == 2 for sides in solid.edges().values())

    def test_corners_of_a_facet_go_around_it(self):
        solid = polytope(four_planes())
        for name, loop in solid.facets.items():
            corners, normal = solid.corners[list(loop)], solid.normals[name]
            turns = np.cross(np.roll(corners, -1, axis=0) - corners, np.roll(corners, -2, axis=0) - corners) @ normal
            assert (turns > 0).all()

    def test_a_projection_keeps_lengths_across_and_drops_those_along_the_view(self):
        for azimuth in (-40.0, 0.0, 75.0):
            view = View(azimuth, elevation=30.0)
            a, e = np.deg2rad([azimuth, 30.0])
            towards = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
            assert view.project(towards) == pytest.approx([0, 0])
            assert np.linalg.norm(view.project([-np.sin(a), np.cos(a), 0])) == pytest.approx(1)
            assert view.sees(towards)
            assert not view.sees(-towards)

    def test_points_of_front_facets_are_seen_and_those_behind_are_not(self):
        solid, view = polytope(four_planes()), View(20.0)
        for name, loop in solid.facets.items():
            middle = solid.corners[list(loop)].mean(axis=0)
            assert solid.hides(middle, view) == (not view.sees(solid.normals[name]))
        assert not solid.hides(solid.corners.mean(axis=0), view)  # inside: drawn in full

    @pytest.mark.parametrize(
        ("problem", "message"),
        [
            (four_inequalities(), "expected three variables"),
            (LinearProgram([1, 1, 1], A_eq=[[1, 1, 1]], b_eq=[1]), "got equations or other bounds"),
            (LinearProgram([1, 1, 1], [[1, 1, 1]], [1], bounds=(0, 1)), "got equations or other bounds"),
            (LinearProgram([1, 1, 1], [[1, 1, 0]], [1]), "expected a bounded feasible region"),
            (LinearProgram([1, 1, 1], [[1, 1, 1]], [-1]), "expected a bounded feasible region"),
            (LinearProgram([1, 1, 1], [[1, 1, 1], [0, 0, 1]], [1, 0]), "got a flat one"),
        ],
    )
    def test_what_cannot_be_drawn_is_named(self, problem, message):
        with pytest.raises(ValueError, match=message):
            polytope_and_tableau(problem)

    def test_a_long_walk_gets_fewer_views_and_too_long_a_one_is_refused(self):
        generator = np.random.default_rng(0)
        directions = np.abs(generator.normal(size=(14, 3)))
        problem = LinearProgram(
            [1, 1, 1], directions / np.linalg.norm(directions, axis=1)[:, None], np.ones(14), maximize=True
        )
        assert len(polytope_and_tableau(problem).page_states()) <= 120


class TestPolytopeAndTableau:
    def test_three_rules_three_ways_one_end(self):
        describe = polytope_and_tableau().describe
        ends = {rule: describe(rule=rule, step=4, azimuth=20.0) for rule in ("dantzig", "bland", "largest_increase")}
        assert all("(1.75, 5, 3.5)" in text and "value 48.25" in text for text in ends.values())
        pivots = {rule: text.split("Optimal after ")[1].split(" ")[0] for rule, text in ends.items()}
        assert pivots == {"dantzig": "4", "bland": "4", "largest_increase": "3"}
        first = [describe(rule=rule, step=0, azimuth=20.0) for rule in ("dantzig", "largest_increase")]
        assert "7 × 3 = 21" in first[0]
        assert "6 × 6 = 36" in first[1]


class TestKleeMintyCube:
    def test_all_eight_vertices_or_few(self):
        describe = klee_minty_cube().describe
        visited = {
            (rule, fair): describe(rule=rule, fair=fair, step=7).splitlines()[-1]
            for rule in ("dantzig", "bland", "largest_increase")
            for fair in (False, True)
        }
        assert visited["dantzig", False] == "Vertices visited: 8 of 8."
        assert visited["bland", False] == visited["bland", True] == "Vertices visited: 6 of 8."
        assert visited["dantzig", True] == visited["largest_increase", False] == "Vertices visited: 2 of 8."

    def test_units_change_the_numbers_and_not_the_solid(self):
        describe = klee_minty_cube().describe
        assert "(0, 0, 10000)" in describe(rule="dantzig", fair=False, step=7)
        assert "(0, 0, 1), where" in describe(rule="dantzig", fair=True, step=7)
        assert "value 10000." in describe(rule="dantzig", fair=True, step=7)


class TestCycling:
    def test_the_ring_and_the_way_out(self):
        describe = cycling().describe
        assert describe(rule="dantzig", step=6).startswith("6 pivots made")
        assert "This basis was here before" in describe(rule="dantzig", step=6)
        assert "This basis was here before" not in describe(rule="dantzig", step=5)
        assert all("value 0." in describe(rule="dantzig", step=i) for i in range(11))
        assert "Optimal after 12 pivots" in describe(rule="dantzig", step=12)
        assert "Optimal after 6 pivots" in describe(rule="bland", step=12)
        assert "value −1.25." in describe(rule="bland", step=12)

    def test_the_two_rules_part_at_the_fifth_basis(self):
        runs = cycling().draw.keywords["runs"]
        dantzig, bland = (runs[rule].result.steps for rule in ("dantzig", "bland"))
        assert [s.basis for s in dantzig[:5]] == [s.basis for s in bland[:5]]
        assert (set(dantzig[4].basis), dantzig[4].entering, bland[4].entering) == ({"x3", "x4", "s3"}, "s1", "x1")

    def test_own_cycling_problem(self):
        picture = cycling(beale())
        Scene(picture).panels(picture.start)
        assert "value −0.05." in picture.describe(rule="bland", step=12)

    @pytest.mark.parametrize(
        ("problem", "message"),
        [(four_inequalities(), "no basis comes back"), (klee_minty(3), "no basis comes back")],
    )
    def test_a_problem_without_a_cycle_is_refused(self, problem, message):
        with pytest.raises(ValueError, match=message):
            cycling(problem)


class TestGrowth:
    def test_the_claims_of_the_text(self):
        fixed, equal = growth_of("fixed", "dantzig"), growth_of("equal", "dantzig")
        assert fixed.exponent(fixed.pivots) < 0.5
        assert 1.8 < fixed.exponent(fixed.work) < 2.3
        assert 0.9 < equal.exponent(equal.pivots) < 1.3
        assert 2.8 < equal.exponent(equal.work) < 3.3
        assert equal.pivots.mean(axis=1)[2] == pytest.approx(23.2)
        assert (growth_of("equal", "bland").pivots.mean(axis=1) > equal.pivots.mean(axis=1)).all()

    def test_cubes_double(self):
        growth = growth_of("cubes", "dantzig")
        assert (growth.pivots[:, 0] == 2**growth.constraints - 1).all()
        assert "the way through every vertex" in simplex_growth().describe(family="cubes", rule="dantzig")
        assert "the way through every vertex" not in simplex_growth().describe(family="cubes", rule="bland")

    def test_work_counts_the_entries_of_the_tableau(self):
        growth = growth_of("fixed", "dantzig")
        m = growth.constraints[0]
        assert growth.work[0] == pytest.approx(growth.pivots[0] * (m + 1) * (10 + m + 1))


class TestInteriorPoint:
    def test_both_ways_end_at_the_same_value(self):
        picture = interior_point()
        for name, x, value in zip(picture.controls[0].values, ("(40.0, 70.0)", "(61.8, 59.1)"), (37500, 27000)):
            text = picture.describe(name=name, mu=picture.controls[1].values[0])
            assert text.count(f"value {value}") == 2
            assert f"optimal at {x}" in text

    def test_the_gap_is_six_mu_and_closes(self):
        settings = interior_point().draw.keywords["settings"]
        for setting in settings.values():
            for mu, point in setting.path.items():
                assert point.bound - point.value == pytest.approx(6 * mu)
                assert point.value <= setting.value <= point.bound

    def test_it_ends_inside_the_optimal_edge(self):
        settings = interior_point().draw.keywords["settings"]
        setting = settings["maximise 150 x₁ + 300 x₂"]
        low = min(setting.path)
        for x in (setting.path[low].x, setting.interior.x):
            assert 45 < x[0] < 95  # the edge from (40, 70) to (100, 40), its ends kept off
        assert setting.vertices[-1].tolist() == [40, 70]

    def test_own_problems_and_bad_ones(self):
        box = {"a": LinearProgram([1, 2], bounds=(0, 1)), "b": LinearProgram([1, 2], bounds=(0, 1), maximize=True)}
        picture = interior_point(box)
        Scene(picture).panels(picture.start)
        assert "to (1, 1), value 3" in picture.describe(**picture.page_states()[-1])
        with pytest.raises(ValueError, match="expected a bounded feasible region"):
            interior_point({"a": LinearProgram([1, 1], [[1, 1]], [-1]), "b": four_inequalities()})


def test_the_readout_of_a_stopped_run_says_so():
    run = recorded_run(four_inequalities())
    stopped = simplex(run.problem, trace=True, max_iter=1)
    assert describe_step(run._replace(result=stopped), 1).endswith("Stopped: iteration_limit.")


class TestOwnProblems:
    """Problems of every form that fits into the picture are shown."""

    @pytest.mark.parametrize(
        "problem",
        [
            LinearProgram([1, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -4], bounds=(None, None), maximize=True),
            LinearProgram([1, 2], A_eq=[[1, 1], [2, 2]], b_eq=[4, 8], maximize=True),  # a row is dropped
            LinearProgram([1, 1], [[1, 1]], [2e6], maximize=True),
            LinearProgram([1, 1], [[1e-3, 1e-3]], [1e-6], maximize=True),
            LinearProgram([1, 1], maximize=True),  # unbounded, no rows
            LinearProgram([1, 1], [[1, 1]], [-1], maximize=True),  # infeasible
            LinearProgram([1, 1], [[1, 1], [1, 2]], [0, 0], maximize=True),  # a single point
            LinearProgram([1, -1], [[1, 1]], [3], bounds=[(None, 2), (-1, 1)], maximize=True),
        ],
    )  # fmt: skip
    def test_they_are_drawn_and_told_step_by_step(self, problem):
        problems = {"own": problem, "example": four_inequalities()}
        picture = phase_one(problems)
        scene = Scene(picture)
        for state in picture.page_states():
            assert all(scene.moving(state))
            assert "All three invariants hold." in picture.describe(**state)

    def test_two_phases_in_one_table(self):
        problem = LinearProgram.from_rows([1, 2], [[1, 1], [1, 3]], [">=", "<="], [2, 9], maximize=True)
        picture = plane_and_tableau(problem)
        assert not picture.draw.keywords["runs"]["dantzig"].layout.fixed
        scene = Scene(picture)
        for state in picture.page_states():
            scene.moving(state)

    def test_zero_rows_of_a_polytope_are_passed_over(self):
        example = four_planes()
        rows, limits = np.vstack([example.A_ub, np.zeros(3)]), np.append(example.b_ub, 0.0)
        assert list(polytope(LinearProgram(example.c, rows, limits)).facets) == list(polytope(example).facets)
