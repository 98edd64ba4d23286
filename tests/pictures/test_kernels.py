import re

import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import circle_data, moons_in_standard_deviations, nine_on_a_line
from mlcore.errors import NotAKernel
from mlcore.explore.scene import Scene
from mlcore.kernels import Gaussian, Polynomial, Sigmoid
from mlcore.pictures.kernels import (
    eigen_features,
    gaussian_machine,
    gram_spectrum,
    landmarks,
    lifted_circle,
    polynomial_machine,
    reproducing_property,
)
from mlcore.pictures.kernels._eigen_features import eigen_feature_map
from mlcore.pictures.kernels._lifted_circle import lift
from mlcore.pictures.kernels._width_slider import gamma, width_slider

PICTURES = [
    lifted_circle,
    gaussian_machine,
    polynomial_machine,
    landmarks,
    gram_spectrum,
    eigen_features,
    reproducing_property,
]


def width_of(gamma):
    return float(1 / np.sqrt(2 * gamma))


@pytest.mark.parametrize("make", PICTURES, ids=lambda make: make.__name__)
class TestEveryPicture:
    def test_start_and_ends_can_be_drawn(self, make):
        picture = make()
        scene = Scene(picture)
        ends = [{control.name: control.values[end] for control in picture.controls} for end in (0, -1)]
        for state in (picture.start, *ends):
            panels = scene.moving(state)
            assert all(panels), state
            assert "nan" not in re.sub('base64,[^"]*', "", "".join(panels))
            assert "nan" not in picture.describe(**state)

    def test_every_control_changes_picture_and_text(self, make):
        picture = make()
        scene = Scene(picture)
        for control in picture.controls:
            low, high = (picture.start | {control.name: control.values[end]} for end in (0, -1))
            assert scene.moving(low) != scene.moving(high), control.name
            assert picture.describe(**low) != picture.describe(**high), control.name

    def test_the_page_has_few_states_and_the_texts_differ(self, make):
        picture = make()
        states = picture.page_states()
        assert len(states) <= 120
        assert len({picture.describe(**state) for state in states}) == len(states)


class TestLiftedCircle:
    def test_the_lift_ends_at_the_feature_map(self):
        X = np.random.default_rng(0).normal(size=(20, 2))
        F = lift(X)
        np.testing.assert_allclose(F @ F.T, (X @ X.T) ** 2)
        np.testing.assert_array_equal(lift(X, 0), np.column_stack([X, np.zeros(20)]))

    def test_the_first_separating_plane_appears_at_the_top(self):
        picture = lifted_circle()
        texts = {lift: picture.describe(height=lift, azimuth=0.0) for lift in picture.controls[0].values}
        assert [height for height, text in texts.items() if "a plane separates" in text] == [1.0]
        assert "the same answer, with 35 points of 120 wrong" in texts[0.0]
        assert "leaves 9 points of 120" in texts[0.8]
        assert all("relative gap < 1e−6, largest KKT residual < 1e−6" in text for text in texts.values())

    def test_the_plane_is_the_unit_circle(self):
        text = lifted_circle().describe(height=1.0, azimuth=0.0)
        w1, w2, w3, b = (float(text.replace("−", "-").split(", - ")[1].split()[place]) for place in (0, 3, 6, 9))
        assert w1 / b == pytest.approx(1, abs=0.1)
        assert w2 / b == pytest.approx(1, abs=0.1)
        assert abs(w3 / b) < 0.1

    def test_own_data_with_names(self):
        X, y = circle_data(n=30, seed=1)
        table = pd.DataFrame(X, columns=["east", "north"])
        picture = lifted_circle(table, np.where(y > 0, "in", "out"))
        axes = Scene(picture)._figure.axes[0]
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("east", "north")


class TestMachines:
    def test_the_four_corners_of_the_panel(self):
        describe = gaussian_machine().describe
        counts = {(0.1, 0.001): 100, (5, 0.001): 100, (0.1, 1000.0): 15, (5, 1000.0): 44}
        for (g, C), count in counts.items():
            text = describe(width=width_of(g), C=C)
            assert f"(γ = {g:g}), C = {C:g}: {count} support vectors of 100" in text
            assert ("0 points on the wrong side" in text) == (C == 1000 or g == 5)

    def test_the_panel_is_on_the_page(self):
        width, penalty = gaussian_machine().controls
        assert {0.1, 5.0} <= {round(gamma(value), 9) for value in width.page_values}
        assert {0.001, 1000.0} <= set(penalty.page_values)

    def test_degree_three_is_the_first_without_errors(self):
        describe = polynomial_machine().describe
        errors = [" 0 points on the wrong side" not in describe(degree=d, C=1.0) for d in range(1, 11)]
        assert errors == [True, True] + [False] * 8
        assert "12 points on the wrong side" in describe(degree=1, C=1.0)
        assert "11 points on the wrong side" in describe(degree=2, C=1.0)

    def test_every_state_is_proven(self):
        for picture in (gaussian_machine(), polynomial_machine()):
            assert all("\nCertificate: " in picture.describe(**state) for state in picture.page_states())

    def test_the_moons_are_scaled(self):
        X, y = moons_in_standard_deviations(n=30, seed=3)
        np.testing.assert_allclose([X.mean(axis=0), X.std(axis=0)], [[0, 0], [1, 1]], atol=1e-12)
        assert y.sum() == 0

    @pytest.mark.parametrize("make", [gaussian_machine, polynomial_machine, lifted_circle])
    @pytest.mark.parametrize(
        ("X", "y", "message"),
        [
            ([[1, 2, 3]], [1], r"X: expected shape \(n, 2\)"),
            ([[1, 2], [3, 4]], [1, 1], "y: expected exactly two classes"),
            ([[1, np.nan], [3, 4]], [1, -1], "X: expected numbers, got NaN"),
        ],
    )
    def test_bad_data_is_named(self, make, X, y, message):
        with pytest.raises(ValueError, match=message):
            make(X, y)

    def test_a_negative_offset_is_refused(self):
        with pytest.raises(ValueError, match="offset"):
            polynomial_machine(offset=-1)


class TestLandmarks:
    def test_the_values_of_the_source(self):
        picture = landmarks()
        assert picture.start["x"] == -1
        text = picture.describe(**picture.start)
        assert "(γ = 0.3): x = −1 has similarity 0.74082 to −2 and 0.30119 to 1" in text

    def test_a_line_is_found_at_every_width(self):
        picture = landmarks()
        assert all("separates the classes" in picture.describe(**state) for state in picture.page_states())

    def test_the_nine_points_get_their_classes(self):
        picture, (X, y) = landmarks(), nine_on_a_line()
        for x, label in zip(X[:, 0], y):
            assert f"class {'+' if label > 0 else '−'}." in picture.describe(width=width_of(0.3), x=float(x))

    def test_own_points_that_stay_inseparable(self):
        picture = landmarks([0, 1, 2, 3], ["a", "b", "a", "b"], marks=(-5, 9))
        state = picture.start | {"width": picture.controls[0].values[-1]}
        assert "no separating line was found" in picture.describe(**state)
        assert all(Scene(picture).moving(state))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"X": [[1, 2]], "y": [1]}, "X: expected shape"),
            ({"X": [1, 2], "y": [1, 1]}, "y: expected exactly two classes"),
            ({"marks": [1, 2, 3]}, "marks: expected shape"),
        ],
    )
    def test_bad_input_is_named(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            landmarks(**arguments)


class TestGramSpectrum:
    def test_only_the_sigmoid_is_refuted(self):
        picture = gram_spectrum()
        for state in picture.page_states():
            text = picture.describe(**state)
            assert ("it is no kernel" in text) == (state["kernel"] == "sigmoid")
            assert (", 0 negative" in text) == (state["kernel"] != "sigmoid")

    @pytest.mark.parametrize(("kernel", "rank"), [("linear", 2), ("polynomial", 10), ("Gaussian", 24)])
    def test_rank_is_the_number_of_features(self, kernel, rank):
        assert f": {rank} eigenvalues above 0" in gram_spectrum().describe(kernel=kernel, p=1.0)

    def test_own_points(self):
        assert "on 3 points: 1 eigenvalues above 0, 2 zero" in gram_spectrum([[1], [2], [3]]).describe(
            kernel="linear", p=1.0
        )
        with pytest.raises(ValueError, match="at least two points"):
            gram_spectrum([[1, 2]])


class TestEigenFeatures:
    @pytest.mark.parametrize("kernel", [Gaussian(0.7), Polynomial(3, 1.0)])
    def test_inner_products_are_the_kernel(self, kernel):
        K = kernel(np.random.default_rng(1).normal(size=(12, 2)))
        F = eigen_feature_map(K)
        np.testing.assert_allclose(F @ F.T, K, atol=1e-9 * np.abs(K).max())
        lengths = np.linalg.norm(F, axis=0)
        assert (np.diff(lengths) <= 1e-9).all()

    def test_a_sigmoid_has_none(self):
        with pytest.raises(NotAKernel):
            eigen_feature_map(Sigmoid(1.0, -1.0)(np.random.default_rng(1).normal(size=(12, 2))))

    def test_more_features_never_do_worse_in_share_and_all_are_exact(self):
        describe = eigen_features().describe
        shares = [float(describe(kept=k, width=width_of(2)).split("with ")[1].split()[0]) for k in range(1, 10)]
        assert (np.diff(shares) > 0).all()
        assert shares[-1] == 1
        assert "k: < 1e−6" in describe(kept=9, width=width_of(2))
        assert "k: 0.002436" in describe(kept=3, width=width_of(0.02))
        assert "k: 0.739392" in describe(kept=3, width=width_of(2))

    def test_own_points(self):
        assert "1 feature of 2" in eigen_features([3, 1, 1]).describe(kept=1, width=1.0)
        with pytest.raises(ValueError, match="two different points, got 1"):
            eigen_features([1, 1])


class TestReproducingProperty:
    def test_the_value_is_the_inner_product_and_within_the_bound(self):
        picture = reproducing_property()
        for state in picture.page_states():
            text = picture.describe(**state).replace("−", "-")
            value = float(text.split("f(x) = ")[1].split(",")[0])
            product = float(text.split(". ‖")[0].split(" = ")[-1])
            bound = float(text.rstrip(".").split(" = ")[-1])
            assert value == product
            assert abs(value) <= bound

    def test_the_gaussian_forgets_and_the_periodic_kernel_does_not(self):
        describe = reproducing_property().describe
        assert "f(x) = 0.044, and ⟨f, k(·, x)⟩ = (0.044) + (0.000) + (0.000) + (0.000)" in describe("Gaussian", -4.0)
        far, near = (describe("periodic", x).split("f(x) =")[1] for x in (-4.0, 0.0))
        assert far == near

    def test_own_function(self):
        assert "(2.000) = 2.000" in reproducing_property([1.0], [2.0]).describe("Gaussian", 1.0)
        with pytest.raises(ValueError, match="weights: expected shape"):
            reproducing_property([1.0], [2.0, 3.0])
        with pytest.raises(ValueError, match="at least one point"):
            reproducing_property([], [])


class TestWidthSlider:
    def test_the_start_must_be_a_position(self):
        with pytest.raises(ValueError, match="start: expected one of the gammas"):
            width_slider([0.1, 1], start=0.5)
        with pytest.raises(ValueError, match="gammas"):
            width_slider([-1, 1], start=1)
