import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import five_points, four_points, overlapping_clouds, two_clouds
from mlcore.errors import InfeasibleProblem
from mlcore.explore.scene import Scene
from mlcore.pictures.drawing.sample_data import labelled_data
from mlcore.pictures.drawing.street import street
from mlcore.pictures.margins import (
    fifth_point,
    hard_margin,
    hinge_loss,
    quadratic_bowl,
    rotating_line,
    soft_margin,
    three_classifiers,
)


class TestSoftMargin:
    def test_a_dear_slack_narrows_the_street_and_never_adds_slack(self):
        data = labelled_data(*overlapping_clouds())
        path = [street(data, C) for C in np.geomspace(0.01, 1000, 31)]
        assert (np.diff([s.norm for s in path]) >= -1e-7).all()
        assert (np.diff([s.slack.sum() for s in path]) <= 1e-6).all()

    def test_the_readout_counts_what_is_marked(self):
        picture = soft_margin()
        solution = street(labelled_data(*overlapping_clouds()), 1.0)
        text = picture.describe(C=1.0)
        inside = np.sum((solution.slack > 1e-6) & (solution.slack <= 1))
        assert f"{inside} points inside" in text
        assert f"{np.sum(solution.slack > 1)} points on the wrong side" in text
        assert f"{2 / solution.norm:.2f} wide" in text
        assert "relative gap < 1e−6, largest KKT residual < 1e−6" in text

    def test_the_stray_point_ends_on_the_right_side(self):
        X, y = five_points(label=-1)
        solution = street(labelled_data(X, y), 1000.0)
        assert np.flatnonzero(solution.slack > 1).tolist() == [0]  # (0, 1) is given up
        assert solution.slack.sum() == pytest.approx(2.8, abs=1e-6)

    def test_a_data_frame_names_the_axes_and_the_classes(self):
        X, y = two_clouds(n=12, distance=4)
        table = pd.DataFrame(X, columns=["length", "width"])
        picture = soft_margin(table, np.where(y > 0, "spam", "ham"))
        figure = Scene(picture)._figure
        assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("length", "width")
        assert [text.get_text() for text in figure.legends[0].get_texts()][:2] == ["spam", "ham"]

    @pytest.mark.parametrize(
        ("X", "y", "message"),
        [
            ([[1, 2, 3]], [1], r"X: expected shape \(n, 2\), got \(1, 3\)"),
            ([[1, 2], [3, 4]], [1, 1], "y: expected exactly two classes, got 1"),
            ([[1, 2], [3, 4]], [1], r"y: expected shape \(2,\)"),
            ([[1, np.nan], [3, 4]], [1, -1], "X: expected numbers, got NaN"),
            ([["a", "b"], ["c", "d"]], [1, -1], "X: expected numbers"),
        ],
    )
    def test_bad_data_is_named(self, X, y, message):
        with pytest.raises(ValueError, match=message):
            soft_margin(X, y)


class TestRotatingLine:
    def test_the_flat_and_the_widest_line(self):
        describe = rotating_line().describe
        assert "w = (0, 1), b = −1, ‖w‖ = 1.00000, street 2.000" in describe(angle=90.0, shift=0.0)
        assert "w = (0.5, 0.5), b = −1, ‖w‖ = 0.70711, street 2.828" in describe(angle=45.0, shift=0.0)

    def test_no_canonical_form_off_the_middle(self):
        for angle in (0.0, 45.0, 90.0):
            assert "no canonical form" in rotating_line().describe(angle=angle, shift=0.3)


class TestFifthPoint:
    def test_plus_is_separable_and_minus_is_not(self):
        describe = fifth_point().describe
        assert describe(label=1, fifth_x=-1.0, fifth_y=1.5).startswith("Separable: w = (−1, 1), b = 0, street 1.414")
        assert describe(label=-1, fifth_x=-1.0, fifth_y=1.5).startswith("No line separates")

    def test_every_state_is_proven_one_way_or_the_other(self):
        picture = fifth_point()
        texts = [picture.describe(**state) for state in picture.page_states()]
        assert all("< 1e−6" in text for text in texts)
        assert {text.split()[0] for text in texts} == {"Separable:", "No"}


class TestHardMargin:
    def test_four_points(self):
        assert "w = (−1, 1), b = 0, street 1.414 wide, 4 support vectors" in hard_margin().describe()

    def test_inseparable_data_raise_with_the_proof(self):
        with pytest.raises(InfeasibleProblem) as caught:
            hard_margin(*five_points(label=-1))
        assert caught.value.certificate.ray.sum() == pytest.approx(1)


class TestHingeLoss:
    def test_the_green_line_touches_the_curve(self):
        """No other best trade lies below the line of equal objective."""
        data = labelled_data(*overlapping_clouds())
        trades = [(s.norm**2 / 2, s.slack.sum()) for s in (street(data, C) for C in np.geomspace(0.01, 100, 25))]
        for C in (0.1, 1.0, 10.0):
            best = street(data, C).norm ** 2 / 2 + C * street(data, C).slack.sum()
            assert all(half + C * slack >= best - 1e-6 for half, slack in trades)

    def test_the_readout_names_lambda(self):
        assert "λ = 1/(2nC) = 0.0125" in hinge_loss().describe(C=1.0)


def test_the_bowl_has_one_lowest_point_the_valley_an_edge_the_saddle_a_corner():
    describe = quadratic_bowl().describe
    assert "exactly one lowest point, (0.50, 0.00), value 0.125" in describe(curvature=1.0)
    assert "every point of the green edge" in describe(curvature=0.0)
    assert "in a corner, (0.50, 1.50)" in describe(curvature=-0.5)


def test_three_programs_on_iris():
    lines = three_classifiers().describe(C=5.0).splitlines()
    assert lines[1].removeprefix("ours: ") == lines[2].removeprefix("SVC: ")
    assert lines[3] != lines[2]


def test_own_data_for_three_classifiers():
    X, y = four_points()
    assert three_classifiers(X, y, ("a", "b")).describe(C=5.0).count("0 errors") == 3
