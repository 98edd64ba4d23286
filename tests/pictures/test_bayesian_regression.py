import pickle
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from mlcore.explore.scene import Scene
from mlcore.linear_model import posterior
from mlcore.pictures.bayesian_regression import (
    design,
    evidence_of_degrees,
    one_point_one_line,
    powers,
    predictive_slice,
    shrinkage,
    weight_posterior,
)
from mlcore.pictures.bayesian_regression._weight_plane import least_squares, observations

WITH_DATA = (weight_posterior, one_point_one_line, predictive_slice, evidence_of_degrees)
FEW = ([0, 1, 2, 3, 4.5], [1, 3, 2, 5, 4])


def corners(picture):
    """Return the start and the states with one control, or all of them, at an end."""
    ends = [(c.name, c.values[0], c.values[-1]) for c in picture.controls]
    single = [picture.start | {name: value} for name, *values in ends for value in values]
    joint = [{name: values[k] for name, *values in ends} for k in (0, 1)]
    return [picture.start, *single, *joint]


def number(text, before):
    """Return the number that follows `before` in a readout."""
    return float(text.split(before)[1].replace("−", "-").lstrip("(= ").split()[0].rstrip(",;.):"))


@pytest.mark.parametrize(
    ("factory", "data"),
    [(f, d) for f in WITH_DATA for d in ((), FEW)] + [(shrinkage, ())],
    ids=lambda v: getattr(v, "__name__", "own" if v else "ours"),
)
class TestEveryPicture:
    def test_every_corner_is_drawn_and_told(self, factory, data):
        picture = pickle.loads(pickle.dumps(factory(*data)))
        scene = Scene(picture)
        for state in corners(picture):
            text = picture.describe(**state)
            assert "nan" not in text and not re.search(r"−0\.0+(?!\d)", text)
            assert scene.png(state).startswith(b"\x89PNG")

    def test_every_control_changes_picture_and_readout(self, factory, data):
        picture = factory(*data)
        scene = Scene(picture)
        for control in picture.controls:
            first, last = (picture.start | {control.name: control.values[k]} for k in (0, -1))
            assert picture.describe(**first) != picture.describe(**last)
            assert scene.png(first) != scene.png(last)


@pytest.mark.parametrize("factory", WITH_DATA)
@pytest.mark.parametrize(
    ("t", "y", "message"),
    [
        ([0, 1], [0, 1], "at least three inputs"),
        ([0, 1, 2], [0, 1], "at least three inputs and as many targets, got 3 and 2"),
        ([1, 1, 1], [0, 1, 2], "t: expected values that differ, got 1 only"),
        ([0, 1, 2], [4, 4, 4], "y: expected values that differ, got 4 only"),
        ([0, 1, np.nan], [0, 1, 2], "t: expected numbers, got NaN"),
        (["a", "b", "c"], [0, 1, 2], "t: expected numbers"),
    ],
)
def test_bad_data_is_named(factory, t, y, message):
    with pytest.raises(ValueError, match=message):
        factory(t, y)


class TestObservations:
    def test_a_series_names_its_axis(self):
        data = observations(pd.Series([1.0, 2, 3], name="size"), pd.Series([5.0, 7, 9], name="weight"))
        assert data.names == ("size, standardised", "weight, standardised")
        assert np.mean(data.x) == pytest.approx(0) and np.std(data.y) == pytest.approx(1)
        assert observations([1, 2, 3], [1, 2, 4], names=("a", "b")).names[1] == "b, standardised"

    def test_the_order_of_arrival_is_kept(self):
        assert np.argsort(observations([3, 1, 2], [1, 2, 4]).x).tolist() == [1, 2, 0]


class TestWeightPosterior:
    def test_the_page_shows_every_arrival(self):
        picture = weight_posterior()
        assert [c.name for c in picture.controls] == ["count", "width", "noise"]
        assert len(picture.controls[0].page_values) == 11
        assert len(weight_posterior(np.arange(100), np.arange(100) ** 2).controls[0].page_values) == 11

    def test_the_gradient_vanishes_in_every_state(self):
        picture = weight_posterior()
        assert all(picture.describe(**state).endswith("relative: < 1e−6.") for state in picture.page_states())

    def test_the_readout_is_the_posterior(self):
        picture, data = weight_posterior(), observations()
        for count, width, noise in ((10, 1.0, 1.0), (3, 4.0, 0.25), (1, 1.0, 4.0)):
            text = picture.describe(count=count, width=width, noise=noise)
            found = posterior(design(data.x[:count]), data.y[:count], width**2, noise**2)
            assert number(text, "MAP w = (") == pytest.approx(found.mean[0], abs=0.0051)
            assert number(text, "Log evidence ") == pytest.approx(found.log_evidence, abs=0.0051)

    def test_each_observation_narrows_both_bands(self):
        picture = weight_posterior()
        told = [picture.describe(**picture.start | {"count": k}) for k in range(11)]
        widths = [number(text.split("f = ")[1], "± ") for text in told]
        assert (np.diff(widths) < 0).all()
        with_noise = [number(text.split("without noise")[1], "± ") for text in told]
        assert (np.diff(with_noise) < 0).all() and min(with_noise) > 2

    def test_only_the_ratio_of_noise_and_prior_moves_the_maximum(self):
        picture = weight_posterior()
        told = {picture.describe(count=10, width=s, noise=s).split("MAP w")[1].split(", st")[0] for s in (0.25, 1, 4)}
        assert len(told) == 1

    def test_the_likelihood_of_none_one_and_equal_inputs(self):
        picture = weight_posterior()
        assert "No likelihood yet" in picture.describe(**picture.start | {"count": 0})
        assert "ridge" in picture.describe(**picture.start | {"count": 1})
        twice = weight_posterior([1, 1, 2, 3], [0, 1, 2, 2], start=2)
        assert "ridge" in twice.describe(**twice.start)
        assert Scene(twice).png(twice.start)


class TestOnePointOneLine:
    def test_the_star_is_never_above_the_maximum(self):
        picture = one_point_one_line()
        for state in picture.page_states():
            text = picture.describe(**state)
            star, top = (number(part, "sum ") for part in text.split("MAP:")[:2])
            assert star <= top
            assert number(text, "errors: star ") >= number(text, "least squares ") - 0.005

    def test_the_density_is_that_of_the_gaussian(self):
        picture, data = one_point_one_line(), observations()
        found = posterior(design(data.x), data.y, 1.0, 1.0)
        density = multivariate_normal(found.mean, found.covariance)
        told = number(picture.describe(w1=-0.6, w2=0.8), "at the star is ")
        assert told == pytest.approx(density.pdf([-0.6, 0.8]) / density.pdf(found.mean), abs=6e-4)

    @pytest.mark.parametrize("wrong", [{"width": 0}, {"noise": -1}])
    def test_a_bad_width_or_noise_is_named(self, wrong):
        for factory in (one_point_one_line, predictive_slice):
            with pytest.raises(ValueError, match=f"{next(iter(wrong))}: expected a number above 0"):
                factory(**wrong)


class TestPredictiveSlice:
    def test_the_drawn_lines_agree_with_the_formula(self):
        picture = predictive_slice()
        for state in picture.page_states():
            text = picture.describe(**state)
            drawn, formula = number(text, "standard deviation "), number(text, "by the formula ")
            assert drawn == pytest.approx(formula, rel=0.1)
            assert 93 <= number(text, "posterior ") <= 97

    def test_the_band_opens_away_from_the_observations(self):
        picture = predictive_slice()
        widths = {at: number(picture.describe(count=10, at=at), "± ") for at in (-4.0, 5.0, 14.0)}
        assert widths[5.0] < min(widths[-4.0], widths[14.0]) / 2


class TestShrinkage:
    def test_the_limits(self):
        picture = shrinkage()
        narrow, wide = (picture.describe(**picture.start | {"width": width}) for width in (0.01, 100.0))
        assert abs(number(narrow, "MAP w = (")) < 0.02
        assert number(wide, "MAP w = (") == pytest.approx(least_squares(observations())[0], abs=0.002)
        assert "as steep as least squares" in wide and "determine 2.00" in wide

    def test_a_prior_on_the_offset_makes_lifted_data_steeper(self):
        picture = shrinkage()
        assert "flatter" in picture.describe(width=1.0, lift=0.0, flat=False)
        assert "steeper" in picture.describe(width=1.0, lift=5.0, flat=False)
        for width in picture.controls[0].values:
            assert "steeper" not in picture.describe(width=width, lift=5.0, flat=True)

    def test_the_slope_alone_does_not_feel_the_lift(self):
        picture = shrinkage()
        slopes = {picture.describe(width=0.1, lift=x, flat=True).split("MAP")[1].split(", ")[1] for x in (0.0, 5.0)}
        assert len(slopes) == 1


class TestEvidence:
    def test_the_wave_asks_for_the_third_degree(self):
        picture = evidence_of_degrees()
        text = picture.describe(degree=3, width=3.0, noise=0.2)
        assert "The best degree is 3" in text
        assert number(text, "probability ") > 0.7
        terms = [number(text, name) for name in ("fit ", "complexity ", "constant ")]
        assert sum(terms) == pytest.approx(number(text, "log evidence "), abs=0.02)

    def test_the_probabilities_add_up(self):
        picture = evidence_of_degrees()
        told = [picture.describe(degree=k, width=3.0, noise=0.2).split("probability ")[1] for k in range(9)]
        assert sum(float(t.rstrip(".")) for t in told if t[0].isdigit()) == pytest.approx(1, abs=0.01)

    def test_the_error_falls_with_the_degree_and_the_evidence_does_not(self):
        picture = evidence_of_degrees()
        told = [picture.describe(degree=k, width=30.0, noise=0.1) for k in range(9)]
        errors = [number(text, "square error ") for text in told]
        assert (np.diff(errors) <= 0.001).all()
        assert np.argmax([number(text, "log evidence ") for text in told]) == 3

    def test_powers(self):
        assert powers([2, 3], 2).tolist() == [[1, 2, 4], [1, 3, 9]]
