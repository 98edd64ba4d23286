import numpy as np
import pytest

from mlcore.datasets import INTERVALS, RATES, SCENARIOS, breathing_signals, scenario
from mlcore.datasets._breathing import CORRELATIONS
from mlcore.pictures.multitask._learned_breathing import learn

SEEDS = range(10)


@pytest.fixture(params=[0, 1, 2, 41], scope="module")
def signals(request):
    return breathing_signals(request.param)


class TestSignals:
    def test_correlations_are_those_of_the_book(self, signals):
        assert np.corrcoef(signals.truth)[0] == pytest.approx(CORRELATIONS, abs=1e-12)
        assert signals.correlations[0] == pytest.approx(CORRELATIONS, abs=0.02)  # the noise takes a little

    def test_intervals_and_rates(self, signals):
        for (low, high), rate, recorded in zip(INTERVALS, RATES, signals.training):
            at = signals.times[recorded]
            assert low < at[0] and at[-1] < high
            assert np.diff(at) == pytest.approx(1 / rate)
            assert at[0] - low <= 1 / rate + 1e-9 and high - at[-1] <= 1 / rate + 1e-9
        assert signals.training.sum(axis=1).tolist() == [51, 51, 38, 31]
        assert not (signals.training[0] & signals.training[2]).any()

    def test_test_range_starts_after_20_s_and_ends_with_70_s(self, signals):
        at = signals.times[signals.test]
        assert 20 < at[0] <= 20 + 1 / 2.6 + 1e-9
        assert at[-1] == pytest.approx(70)
        assert len(at) == 130

    def test_a_breath_takes_about_four_seconds(self, signals):
        first = signals.truth[0] - signals.truth[0].mean()
        spectrum = np.abs(np.fft.rfft(first)) ** 2
        frequencies = np.fft.rfftfreq(len(first), 1 / 2.6)
        assert (spectrum[(frequencies > 0.15) & (frequencies < 0.4)].sum()) > 0.75 * spectrum.sum()

    def test_noise_is_small(self, signals):
        noise = (signals.measured - signals.truth).std(axis=1) / signals.truth.std(axis=1)
        assert noise == pytest.approx(np.full(4, 0.05), rel=0.25)

    def test_a_seed_fixes_everything(self):
        one, same, other = breathing_signals(3), breathing_signals(3), breathing_signals(4)
        assert (one.measured == same.measured).all()
        assert not np.allclose(one.measured, other.measured)

    def test_values_that_every_machine_must_give(self):
        assert breathing_signals(2).measured[0, :3] == pytest.approx([7.5126, 7.5057, 5.4833], abs=1e-4)

    @pytest.mark.parametrize("seed", [-1, 0.5, None, "2"])
    def test_a_bad_seed_is_named(self, seed):
        with pytest.raises(ValueError, match="random_state: expected a whole number of at least 0"):
            breathing_signals(seed)


class TestScenario:
    @pytest.mark.parametrize(("name", "count"), [("S1", 51), ("S2", 102), ("S3", 140), ("S4", 171)])
    def test_it_holds_what_its_sensors_recorded(self, signals, name, count):
        known = scenario(signals, name)
        assert len(known.times) == len(known.tasks) == len(known.y) == count
        assert np.unique(known.tasks).tolist() == list(SCENARIOS[name])
        for task, mean in enumerate(known.means):
            values = known.y[known.tasks == task]
            assert abs(values.mean()) < 1e-12
            assert values + mean == pytest.approx(signals.measured[task, signals.training[task]])

    def test_the_question_is_marker_1_as_measured(self, signals):
        known = scenario(signals, "S3")
        assert (known.test_y == signals.measured[0, signals.test]).all()
        assert known.rmse(known.test_y) == 0
        assert known.rmse(known.test_y + 2) == pytest.approx(2)

    @pytest.mark.parametrize("name", ["S5", "s1", 1, ""])
    def test_an_unknown_name_is_named(self, signals, name):
        with pytest.raises(ValueError, match="name: expected one of S1, S2, S3, S4"):
            scenario(signals, name)


@pytest.fixture(scope="module", params=SEEDS)
def all_scenarios(request):
    """A recording, and what is learned in each scenario: the slowest part of the tests."""
    signals = breathing_signals(request.param)
    learned = {}
    for name in SCENARIOS:
        known = scenario(signals, name)
        process = learn(known)
        learned[name] = process, known.rmse(process.predict(known.test_times, 0) + known.means[0])
    return signals, learned


class TestLearning:
    def test_error_falls_from_s1_to_s4_and_markers_1_and_2_are_known(self, all_scenarios):
        signals, learned = all_scenarios
        errors = [error for _, error in learned.values()]
        assert (np.diff(errors) < -0.002).all(), errors
        assert errors[-1] < 0.9 * errors[0]
        apart = learned["S4"][0].task_correlation_ - signals.correlations
        assert abs(apart[0, 1]) < 0.15
        assert abs(apart[0, 3]) < 0.2
        assert all(result.success for process, _ in learned.values() for result in process.optimizer_results_)
