import numpy as np
import pytest

from mlcore.datasets import survey, true_wave, wave_with_gap
from mlcore.explore.scene import Scene
from mlcore.kernels import Gaussian
from mlcore.pictures.drawing.sample_data import Samples, samples
from mlcore.pictures.gaussian_processes import (
    arriving_points,
    covariance_extrapolation,
    covariance_functions,
    gaussian_slice,
    likelihood_over_width,
    mountain_profile,
    regression,
    two_explanations,
    two_points_of_a_curve,
)
from mlcore.pictures.gaussian_processes._covariance_extrapolation import changing_wave, train, true_changing_wave
from mlcore.pictures.gaussian_processes._fitted_process import fit_process, plain_log_axis, split_likelihood
from mlcore.pictures.gaussian_processes._gaussian_slice import normal_density
from mlcore.pictures.gaussian_processes._mountain_profile import learn_profile

MINUTES = [0, 2, 4, 7, 10, 15, 20, 30, 45, 60]
WARMTH = [36.4, 28.9, 23.4, 16.4, 10.4, 3.4, -3.1, -11.6, -19.6, -24.6]
PICTURES = {
    "slice": gaussian_slice,
    "slice of one's own": lambda: gaussian_slice([1.0, -2.0], [[4.0, 1.0], [1.0, 0.5]]),
    "two points": two_points_of_a_curve,
    "regression": regression,
    "regression of one's own": lambda: regression(MINUTES, WARMTH, ("minutes", "degrees")),
    "arriving": arriving_points,
    "arriving of one's own": lambda: arriving_points(MINUTES, WARMTH),
    "likelihood": likelihood_over_width,
    "likelihood of one's own": lambda: likelihood_over_width(MINUTES, WARMTH),
    "explanations": two_explanations,
    "explanations of one's own": lambda: two_explanations(MINUTES, WARMTH),
    "functions": covariance_functions,
    "extrapolation": covariance_extrapolation,
    "mountains": mountain_profile,
}


@pytest.fixture(params=PICTURES, scope="module")
def picture(request):
    return PICTURES[request.param]()


@pytest.fixture(scope="module")
def scene(picture):
    return Scene(picture)


def number(text, after, before=None):
    """Return the number in a readout between two pieces of text."""
    rest = text.split(after, 1)[1].strip()
    return float((rest.split(before)[0] if before else rest.split()[0]).strip(" ,;:.()").replace("−", "-"))


class TestEveryPicture:
    def test_every_corner_is_drawn_and_described(self, picture, scene):
        ends = [(c.name, c.values[0], c.values[-1]) for c in picture.controls]
        single = [picture.start | {name: value} for name, *values in ends for value in values]
        joint = [{name: values[k] for name, *values in ends} for k in (0, 1)]
        for state in [picture.start, *single, *joint]:
            drawing = "".join(scene.moving(state))
            assert drawing and "nan" not in drawing
            assert "nan" not in picture.describe(**state)

    def test_every_control_changes_picture_or_readout(self, picture, scene):
        for control in picture.controls:
            first, last = (picture.start | {control.name: control.values[k]} for k in (0, -1))
            assert scene.moving(first) != scene.moving(last)

    def test_the_page_has_the_ends_of_every_slider(self, picture):
        for control in picture.controls:
            assert {control.values[0], control.values[-1]} <= set(control.page_values), control.name


class TestSlice:
    def test_the_three_conditionals_of_the_book(self):
        describe = gaussian_slice().describe
        cases = {(0.0, 0.0): "N(0, 1)", (0.0, 0.5): "N(−0.75, 0.75)", (-1.0, -0.8): "N(0.2, 0.36)"}
        for (mean, correlation), after in cases.items():
            text = describe(mean=mean, correlation=correlation, value=-1.5)
            assert text.split("y₁ ~ ")[2].startswith(after)
        assert set(cases) <= {(s["mean"], s["correlation"]) for s in gaussian_slice().page_states()}

    def test_the_variance_does_not_depend_on_the_value(self):
        texts = [gaussian_slice().describe(mean=0.0, correlation=0.8, value=v) for v in (-2.0, 0.0, 2.0)]
        assert all(", 0.36), by the mean" in text for text in texts)

    def test_own_numbers(self):
        picture = PICTURES["slice of one's own"]()
        low = picture.controls[0].values[0]
        assert low == pytest.approx(-2 - 2 * np.sqrt(0.5))
        assert f"N({1 + 2 * (low + 2):.4g}, 2)".replace("-", "−") in picture.describe(value=low)

    @pytest.mark.parametrize(
        ("mean", "covariance", "message"),
        [
            ([0, 0], None, "expected both or neither"),
            ([0, 0, 0], np.eye(2), r"mean: expected shape \(2,\)"),
            ([0, 0], [[1, 0.5], [0.2, 1]], "covariance: expected a symmetric"),
            ([0, 0], [[1, 2], [2, 1]], "positive definite"),
        ],
    )
    def test_bad_numbers_are_named(self, mean, covariance, message):
        with pytest.raises(ValueError, match=message):
            gaussian_slice(mean, covariance)

    def test_a_density_integrates_to_one(self):
        x = np.linspace(-20, 20, 4001)
        assert np.trapezoid(normal_density(x, 1.0, 2.5), x) == pytest.approx(1)


class TestTwoPoints:
    def test_the_slice_is_the_band(self):
        for distance, value, width in ((0.5, 1.5, 1.0), (2.0, -0.5, 2.0)):
            text = two_points_of_a_curve().describe(distance=distance, value=value, width=width)
            told = fit_process(Samples((0.0,), (value,)), Gaussian(width), 0.0, 0.0, distance, points=2).prediction
            mean, variance = (float(part) for part in text.split("N(")[1].split(")")[0].replace("−", "-").split(","))
            assert mean == pytest.approx(told.mean[1], abs=0.006)
            assert variance == pytest.approx(told.covariance[1, 1], abs=0.0006)


class TestRegression:
    def test_the_bars_are_the_terms_and_the_sum_is_right(self):
        picture = regression()
        for state in picture.page_states()[::13]:
            text = picture.describe(**state)
            total = number(text, "NLML", "=")
            terms = number(text, "data fit", "+"), number(text, "complexity", "+"), number(text, "constant", ";")
            assert total == pytest.approx(sum(terms), abs=0.02)
            assert total >= number(text, "the lowest there is:") - 0.01

    def test_the_numbers_of_the_text(self):
        picture = regression()
        texts = {w: picture.describe(**picture.start | {"width": w}) for w in (0.25, 1.0, 4.0)}
        assert [round(number(t, "NLML", "="), 1) for t in texts.values()] == [20.2, 12.8, 20.8]
        assert "± 1.69 (2 standard deviations of the curve)" in texts[1.0]
        assert "the lowest there is: 11.54" in texts[1.0]
        quiet = picture.describe(**picture.start | {"noise": 0.1})
        assert number(quiet, "data fit", "+") == pytest.approx(24.4, abs=0.01)

    def test_a_wide_kernel_is_sure_and_wrong_in_the_gap(self):
        fit = fit_process(samples(*wave_with_gap()), Gaussian(4.0), 0.1, 6.75, 6.76, points=2)
        assert 2 * fit.prediction.std[0] < 0.4
        assert abs(fit.prediction.mean[0] - true_wave(6.75)) > 6 * fit.prediction.std[0]

    @pytest.mark.parametrize("factory", [regression, likelihood_over_width, two_explanations])
    @pytest.mark.parametrize(
        ("x", "y", "message"),
        [
            ([0, 1], [0, 1], "at least three inputs"),
            ([0, 1, 2], [0, 1], "got 3 and 2"),
            ([0, 1, np.nan], [0, 1, 2], "x: expected numbers, got NaN"),
        ],
    )
    def test_bad_data_are_named(self, factory, x, y, message):
        with pytest.raises(ValueError, match=message):
            factory(x, y)

    def test_data_without_noise_are_no_trouble(self):
        assert "NLML" in regression([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]).describe(**regression().start)


class TestArriving:
    def test_more_observations_less_doubt(self):
        picture = arriving_points()
        for width in picture.controls[1].values:
            for noisy in (False, True):
                texts = [
                    picture.describe(observed=n, width=width, noisy=noisy, curves=False)
                    for n in picture.controls[0].values[1:]
                ]
                doubt = [number(text, "known to ±", "on average") for text in texts]
                assert (np.diff(doubt) <= 0).all() and doubt[-1] < doubt[0]

    def test_the_prior_and_the_exact_knots(self):
        picture = arriving_points()
        start = picture.start | {"observed": 0}
        assert "the prior, 0 ± 1.48 (2 standard deviations) everywhere" in picture.describe(**start)
        assert "known to ± 0.02 on average" in picture.describe(observed=8, width=2.0, noisy=False, curves=False)

    @pytest.mark.parametrize("n", [2, 8, 9, 17, 26, 60])
    def test_many_observations_fit_into_a_page(self, n):
        picture = arriving_points(np.arange(n), np.sin(np.arange(n)))
        assert picture.controls[0].page_values[-1] == n
        assert "observations" in picture.describe(**picture.start)

    def test_bad_data_are_named(self):
        for x, y in (([1], [2]), ([1, 2], [1, 2, 3]), ([1, 1], [0, 1])):
            with pytest.raises(ValueError, match="x, y: expected at least two inputs|x: expected values that differ"):
                arriving_points(x, y)


class TestLikelihood:
    def test_the_width_of_the_lowest_value_grows_with_the_noise(self):
        picture = likelihood_over_width()
        widths = [number(picture.describe(width=1.0, noise=s), "near width") for s in (0.1, 0.316, 1.0)]
        assert widths == [0.5, 1.1, 2.2]

    def test_complexity_falls_with_the_width(self):
        data = samples(*wave_with_gap())
        complexity = [-split_likelihood(data, Gaussian(width), 0.1).complexity for width in np.geomspace(0.1, 8, 30)]
        assert (np.diff(complexity) < 0).all()


class TestTwoExplanations:
    def test_three_ends_and_the_lowest_is_told(self):
        picture = two_explanations()
        texts = [picture.describe(**state) for state in picture.page_states()]
        ends = {number(text, "NLML", "\n") for text in texts}
        assert ends == {8.33, 8.70, 12.38}
        assert all(("No start ends lower" in text) == ("NLML 8.33" in text) for text in texts)

    def test_both_optima_have_no_slope(self):
        state = two_explanations().start
        near = two_explanations().describe(**state)
        assert "width 0.60, σₙ = 0.13: NLML 8.70" in near
        far = two_explanations().describe(**state | {"noise": 0.782, "width": 2.01})
        assert "width 1.60, σₙ = 0.23: NLML 8.33" in far


class TestCovarianceFunctions:
    def test_what_repeats_and_what_is_stationary(self):
        describe = covariance_functions().describe
        assert "k(2.5, 0) = 1.00" in describe(kernel="periodic", width=1.0, at=0.0)
        assert "k(2.5, 0) = 0.88" in describe(kernel="quasi-periodic", width=1.0, at=0.0)
        for kernel in covariance_functions().controls[0].values:
            here, there = (describe(kernel=kernel, width=1.0, at=at) for at in (0.0, 2.0))
            values = [
                [part.split(" = ")[1][:4] for part in text.split(": ", 1)[1].split("k(")[1:]] for text in (here, there)
            ]
            stationary = kernel in ("Gaussian", "periodic", "quasi-periodic")
            assert (values[0] == values[1]) == stationary, kernel
            low, high = number(here, "of f:", "at x"), number(here, "at x = 0,", "at x = 5")
            assert (low == high) == stationary


class TestExtrapolation:
    def test_forgetting_repeating_and_in_between(self):
        describe = covariance_extrapolation().describe
        spread = {
            name: [number(describe(kernel=name, until=5.0, at=at), "±", "(2 standard") for at in (5.0, 8.0, 10.0)]
            for name in ("Gaussian", "periodic", "quasi-periodic")
        }
        assert spread["Gaussian"][1:] == [1.90, 1.90]
        assert max(spread["periodic"]) < 0.16
        assert spread["quasi-periodic"] == pytest.approx([0.25, 0.91, 1.34], abs=0.011)

    def test_two_periods_show_no_change(self):
        kernel, _ = train("quasi-periodic", 3.0)
        assert kernel.right.decay == 50

    def test_the_quasi_periodic_band_holds_the_truth_and_the_periodic_does_not(self):
        share = {}
        for name in ("periodic", "quasi-periodic"):
            fit = fit_process(changing_wave(), *train(name), 5.0, 10.0, points=101)
            inside = np.abs(fit.prediction.mean - true_changing_wave(fit.grid)) <= 2 * fit.prediction.std
            share[name] = inside.mean()
        assert share["quasi-periodic"] > 0.9 and share["periodic"] < 0.6


class TestMountains:
    def test_the_profile(self):
        profile = survey()
        assert profile.x[-1] == pytest.approx(18.57, abs=0.01)
        assert survey(20).surveyed.sum() == 12

    def test_the_numbers_of_the_text(self):
        describe = mountain_profile().describe
        learned = describe(every=9, share=1.0)
        assert "Of the 222 heights between them 98% lie" in learned and "process 31 m" in learned
        assert "process 28 m" in describe(every=9, share=0.5)
        assert "76% lie" in describe(every=12, share=1.0)
        assert "process 149 m, straight lines from place to place 98 m" in describe(every=20, share=1.0)

    def test_the_learned_width_is_a_maximum(self):
        profile = survey()
        kernel, noise = learn_profile()
        heights = profile.y[profile.surveyed]
        data = Samples(tuple(profile.x[profile.surveyed].tolist()), tuple((heights - heights.mean()).tolist()))
        best = split_likelihood(data, kernel, noise).value
        for factor in (0.95, 1.05):
            moved = kernel.with_parameters({"right.width": factor * kernel.right.width})
            assert split_likelihood(data, moved, noise).value < best


def test_a_logarithmic_axis_has_plain_numbers():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    axes.set_xscale("log")
    axes.set_xlim(0.02, 5)
    plain_log_axis(axes.xaxis)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.03", "0.1", "0.3", "1", "3"]
