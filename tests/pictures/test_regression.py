import numpy as np
import pandas as pd
import pytest

from mlcore.datasets import noisy_line, size_and_weight
from mlcore.explore.scene import Scene
from mlcore.kernels import Gaussian, Linear
from mlcore.optimize import Status
from mlcore.pictures.drawing.sample_data import Samples, samples
from mlcore.pictures.regression import (
    curve_and_tube,
    line_and_tube,
    smallest_epsilon,
    springs,
    support_vectors_by_epsilon,
    two_penalties,
)
from mlcore.pictures.regression._fitted_tube import fit_tube
from mlcore.pictures.regression._tube import wave

FACTORIES = (curve_and_tube, line_and_tube, two_penalties, support_vectors_by_epsilon, springs)
FEW = ([0, 1, 2, 3, 4.5], [1, 3, 2, 5, 4])


def corners(picture):
    """Return the start and the states with one control, or all of them, at an end."""
    ends = [(c.name, c.values[0], c.values[-1]) for c in picture.controls]
    single = [picture.start | {name: value} for name, *values in ends for value in values]
    joint = [{name: values[k] for name, *values in ends} for k in (0, 1)]
    return [picture.start, *single, *joint]


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize("data", [(), FEW])
class TestEveryPicture:
    def test_every_corner_is_drawn_and_proven(self, factory, data):
        picture = factory(*data)
        scene = Scene(picture)
        for state in corners(picture):
            assert "< 1e−6" in picture.describe(**state)
            assert scene.png(state).startswith(b"\x89PNG")

    def test_every_control_changes_picture_and_readout(self, factory, data):
        picture = factory(*data)
        scene = Scene(picture)
        for control in picture.controls:
            first, last = (picture.start | {control.name: control.values[k]} for k in (0, -1))
            assert picture.describe(**first) != picture.describe(**last)
            assert scene.png(first) != scene.png(last)


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([0, 1], [0, 1], "at least three inputs"),
        ([0, 1, 2], [0, 1], "at least three inputs and as many targets, got 3 and 2"),
        ([1, 1, 1], [0, 1, 2], "x: expected values that differ, got 1 only"),
        ([0, 1, 2], [4, 4, 4], "y: expected values that differ, got 4 only"),
        ([0, 1, np.nan], [0, 1, 2], "x: expected numbers, got NaN"),
        ([[0, 1], [2, 3], [4, 5]], [0, 1, 2], r"x: expected shape \(n,\)"),
        (["a", "b", "c"], [0, 1, 2], "x: expected numbers"),
    ],
)
def test_bad_data_is_named(factory, x, y, message):
    with pytest.raises(ValueError, match=message):
        factory(x, y)


def test_samples_are_sorted_and_a_series_or_a_column_is_read():
    table = pd.DataFrame({"size": [3.0, 1.0, 2.0], "weight": [30.0, 10.0, 20.0]})
    expected = Samples((1.0, 2.0, 3.0), (10.0, 20.0, 30.0))
    assert (
        samples(table["size"], table["weight"], ("x", "y"))
        == samples(table[["size"]].to_numpy(), table["weight"], ("x", "y"))
        == expected
    )


class TestFittedTube:
    @pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.3, 0.6])
    @pytest.mark.parametrize("loss", ["l1", "l2"])
    def test_no_support_vector_strictly_inside(self, epsilon, loss):
        fit = fit_tube(wave(0.3), Gaussian(1.0), 1.0, epsilon, loss)
        error = np.abs(np.array(fit.data.y) - fit.curve(fit.data.x))
        assert (error[fit.solution.support] >= epsilon - 1e-6).all()
        assert (fit.on_edge & fit.outside).sum() == 0
        assert (fit.on_edge | fit.outside).sum() == len(fit.solution.support)

    def test_flat_without_support_vector_above_half_the_range(self):
        data = wave(0.3)
        fit = fit_tube(data, Gaussian(1.0), 10.0, 1.001 * data.half_range)
        assert len(fit.solution.support) == 0
        assert np.ptp(fit.curve(np.linspace(-5, 15, 50))) == 0
        assert len(fit_tube(data, Gaussian(1.0), 10.0, 0.98 * data.half_range).solution.support) >= 2

    def test_far_off_inputs_give_the_same_line(self):
        data = samples(*size_and_weight())
        moved = Samples(tuple(1e6 + x for x in data.x), data.y, data.names)
        near, far = (fit_tube(d, Linear(), 1.0, 0.3) for d in (data, moved))
        assert far.slope == pytest.approx(near.slope, abs=1e-6)
        assert far.curve(moved.x) == pytest.approx(near.curve(data.x), abs=1e-6)


class TestCurve:
    def test_the_numbers_of_the_text(self):
        picture = curve_and_tube()
        texts = {e: picture.describe(**picture.start | {"epsilon": e}) for e in (0.0, 0.3, 0.6)}
        assert [t.split(" support vectors")[0].split()[-1] for t in texts.values()] == ["30", "11", "7"]
        narrow = picture.describe(epsilon=0.0, C=100.0, width=0.25, noise=0.3)
        assert "0 outside (circled): 30 support vectors" in narrow

    def test_the_page_shows_the_noise_too(self):
        picture = curve_and_tube()
        assert [c.name for c in picture.controls] == ["epsilon", "C", "width", "noise"]
        assert len(picture.page_states()) == 120
        assert [c.name for c in curve_and_tube(*FEW).controls] == ["epsilon", "C", "width"]


class TestLine:
    def test_the_least_epsilon_is_where_the_line_appears(self):
        data = samples(*size_and_weight())
        least, weights = smallest_epsilon(data.x, data.y)
        x, y = np.array(data.x), np.array(data.y)
        assert np.count_nonzero(weights) <= 3
        assert [weights.sum(), weights @ x, np.abs(weights).sum(), weights @ y] == pytest.approx([0, 0, 1, least])
        for share, status in ((0.98, Status.INFEASIBLE), (1.001, Status.OPTIMAL)):
            assert fit_tube(data, Linear(), np.inf, share * least).solution.status is status

    @pytest.mark.parametrize("seed", range(5))
    def test_it_agrees_with_every_triple(self, seed):
        X, y = noisy_line(n=8, noise=1.0, seed=seed)
        data = samples(X, y)
        gaps = []
        for i in range(8):
            for k in range(i + 2, 8):
                for j in range(i + 1, k):
                    share = (data.x[j] - data.x[i]) / (data.x[k] - data.x[i])
                    gaps.append(abs((1 - share) * data.y[i] + share * data.y[k] - data.y[j]) / 2)
        assert smallest_epsilon(data.x, data.y)[0] == pytest.approx(max(gaps))

    def test_the_readout_of_both_kinds(self):
        picture = line_and_tube()
        assert "no line is within ε of every sample. Proof: 3 samples" in picture.describe(epsilon=0.0, C=np.inf)
        assert picture.describe(epsilon=2.7, C=np.inf).startswith("ε = 2.7, no slack: slope 0.000. 10 samples inside")

    def test_no_line_means_no_tube_is_drawn(self):
        scene = Scene(line_and_tube())
        assert scene.png({"epsilon": 0.0, "C": np.inf}) != scene.png({"epsilon": 0.0, "C": 2.25})


class TestPenalties:
    def test_the_linear_pull_ends_at_C_and_the_quadratic_one_grows(self):
        picture = two_penalties()
        lifts = [v for v in picture.controls[0].values if v > 1]
        linear, quadratic = zip(*(picture.describe(lift=v, C=0.3).splitlines()[1:] for v in lifts))
        assert {line.split("slope ")[1][:5] for line in linear} == {"0.818"}
        assert all(line.startswith("linear: β = 0.300") for line in linear)
        pulls = [float(line.split("β = ")[1].split(",")[0]) for line in quadratic]
        assert (np.diff(pulls) > 0).all() and pulls[-1] > 1


class TestSprings:
    def test_forces_and_moments_balance_in_every_state(self):
        picture = springs()
        for state in picture.page_states():
            text = picture.describe(**state)
            assert text.split("Σα = ")[1][:5] == text.split("Σα′ = ")[1][:5]
            assert text.split("Σβx = ")[1][:5] == text.split("line, ")[1][:5]


class TestSparseness:
    def test_the_readout_tells_on_which_side_of_half_the_range(self):
        picture = support_vectors_by_epsilon()
        values = picture.controls[0].values
        assert "below half the range" in picture.describe(epsilon=values[0])
        last = picture.describe(epsilon=values[-1])
        assert "above half the range" in last and "0 support vectors" in last

    def test_a_bad_penalty_is_named(self):
        with pytest.raises(ValueError, match="C: expected"):
            support_vectors_by_epsilon(C=0)
