import numpy as np
import pytest

from mlcore.datasets import SCENARIOS, breathing_signals, scenario
from mlcore.explore.scene import Scene
from mlcore.gaussian_process import multitask_posterior
from mlcore.kernels import Gaussian
from mlcore.pictures.multitask import _joint_covariance as covariance
from mlcore.pictures.multitask import _two_tasks as pair
from mlcore.pictures.multitask import (
    allowed_interval,
    four_sensors,
    joint_covariance,
    task_correlations,
    third_correlation,
    two_tasks,
)
from mlcore.pictures.multitask._four_sensors import window_errors
from mlcore.pictures.multitask._learned_breathing import LEARNED, OWN_SHARE, learn, learned
from mlcore.pictures.multitask._task_correlations import common_training_correlations

FACTORIES = (four_sensors, two_tasks, task_correlations, third_correlation, joint_covariance)


def corners(picture):
    """Return the start and the states with one control, or all of them, at an end."""
    ends = [(c.name, c.values[0], c.values[-1]) for c in picture.controls]
    single = [picture.start | {name: value} for name, *values in ends for value in values]
    joint = [{name: values[k] for name, *values in ends} for k in (0, 1)]
    return [picture.start, *single, *joint]


@pytest.mark.parametrize("factory", FACTORIES)
class TestEveryPicture:
    def test_every_corner_is_drawn_and_described(self, factory):
        picture = factory()
        scene = Scene(picture)
        for state in corners(picture):
            assert len(picture.describe(**state)) > 40
            assert scene.png(state).startswith(b"\x89PNG")

    def test_every_readout_is_its_own(self, factory):
        picture = factory()
        texts = [picture.describe(**state) for state in picture.page_states()]
        assert len(set(texts)) >= len(texts) // 2
        assert not any("nan" in text for text in texts)


class TestLearned:
    def test_stored_parameters_are_the_optimum(self):
        for name in LEARNED:
            process, stored = learn(scenario(breathing_signals(), name)), learned(name)
            assert stored.log_marginal_likelihood_ == pytest.approx(process.log_marginal_likelihood_, abs=1e-3)
            assert stored.task_correlation_ == pytest.approx(process.task_correlation_, abs=2e-3)
            test_times = scenario(breathing_signals(), name).test_times
            assert stored.predict(test_times, 0) == pytest.approx(process.predict(test_times, 0), abs=5e-3)

    def test_no_direction_leads_uphill(self):
        for name in LEARNED:
            known, process = scenario(breathing_signals(), name), learned(name)
            scale = np.array([known.y[known.tasks == a].std() for a in range(len(known.means))])
            model = process.model_
            places = known.times[:, None], known.tasks
            slopes = model.density(places, known.y / scale[known.tasks], gradient=True).gradient
            for parameter, value in model.parameters.items():
                below = parameter.startswith("task") and parameter[5] != parameter[7]
                slope = slopes[parameter] * (1 if below else value)
                at_floor = not below and parameter.startswith("task") and value == pytest.approx(OWN_SHARE[0])
                assert slope < 0.01, (name, parameter)
                assert at_floor or slope > -0.01, (name, parameter)


class TestFourSensors:
    def test_the_numbers_of_the_text(self):
        picture = four_sensors()
        texts = [picture.describe(name=name, together=True) for name in SCENARIOS]
        errors = [float(text.split("(20, 70] s: ")[1].split(" mm")[0]) for text in texts]
        assert errors == [2.07, 1.82, 1.38, 1.14]
        assert [int(text.split(" hyperparameters")[0].split()[-1]) for text in texts] == [5, 8, 12, 17]
        assert "95 % of the test values" in texts[3]
        windows = [text.split("mm; ")[1].split(" s.")[0] for text in texts]
        assert windows[0] == "1.7 in (20, 30], 2.8 in (30, 40], 2.1 in (40, 60], 1.4 in (60, 70]"
        assert windows[1].startswith("0.6 in (20, 30], 2.4 in (30, 40]")
        assert windows[2].startswith("0.6 in (20, 30], 0.7 in (30, 40], 1.8 in (40, 60]")
        assert "1.5 in (40, 60]" in windows[3]

    def test_separate_processes_learn_nothing_from_the_others(self):
        picture = four_sensors()
        scene = Scene(picture)
        right = {scene.moving({"name": name, "together": False})[1] for name in SCENARIOS}
        assert len(right) == 1
        for name in SCENARIOS:
            assert "2.07 mm" in picture.describe(name=name, together=False)
        assert len({scene.moving({"name": name, "together": True})[1] for name in SCENARIOS}) == 4

    def test_windows_cover_the_test_range(self):
        known = scenario(breathing_signals(), "S1")
        predicted = known.test_y + np.where(known.test_times > 40, 3.0, 1.0)
        assert window_errors(known, predicted) == pytest.approx((1, 1, 3, 3))

    def test_another_recording_is_learned(self):
        picture = four_sensors(breathing_signals(1))
        errors = [
            float(picture.describe(name=name, together=True).split("(20, 70] s: ")[1].split(" mm")[0])
            for name in SCENARIOS
        ]
        assert errors == sorted(errors, reverse=True) and errors[0] != 2.07

    @pytest.mark.parametrize("factory", [four_sensors, task_correlations])
    @pytest.mark.parametrize("signals", [[1, 2, 3], "S1", 2])
    def test_signals_of_another_kind_are_named(self, factory, signals):
        with pytest.raises(ValueError, match="signals: expected BreathingSignals"):
            factory(signals)


class TestTwoTasks:
    def test_without_the_second_task_the_correlation_is_free(self):
        picture = two_tasks()
        correlations = picture.controls[0].values
        likelihoods = {
            picture.describe(correlation=r, seen=0).split("likelihood ")[1].split(",")[0] for r in correlations
        }
        assert len(likelihoods) == 1

    def test_the_sign_turns_the_mean_and_not_the_band(self):
        for r in (0.3, 0.8, 0.95):
            plus, minus = (pair._fit(sign * r, 0) for sign in (1, -1))
            assert plus.mean[1] == pytest.approx(-minus.mean[1], abs=1e-9)
            assert plus.std[1] == pytest.approx(minus.std[1], abs=1e-9)

    def test_bands_without_measurements_are_those_of_the_formula(self):
        fit = pair._fit(0.8, 0)
        assert fit.std[1] ** 2 == pytest.approx(1 - 0.8**2 * (1 - fit.std[0] ** 2), abs=1e-9)
        assert fit.mean[1] == pytest.approx(0.8 * fit.mean[0], abs=1e-9)

    def test_independent_tasks_leave_task_2_to_itself(self):
        fit = pair._fit(0.0, 3)
        times, tasks, y = pair.both_tasks(3)
        alone = multitask_posterior(
            pair.KERNEL, [[1.0]], pair.NOISE, times[tasks == 1], tasks[tasks == 1] - 1, y[tasks == 1], pair._GRID, 0
        )
        assert fit.mean[1] == pytest.approx(alone.mean, abs=1e-9)
        assert np.abs(fit.mean[1][pair._GRID > 7.5]).max() < 0.1

    def test_the_best_correlations_of_the_text(self):
        assert [pair.best_correlation(seen) for seen in (3, 8)] == [0.7, 0.75]
        assert set(pair.CORRELATIONS) == set(two_tasks().controls[0].values)


class TestTaskCorrelations:
    def test_the_numbers_of_the_text(self):
        picture = task_correlations()
        assert "At most 0.08 from Pearson" in picture.describe(shown="S4")
        assert "marker 2 and belt −0.80" in picture.describe(shown="S4")
        common = picture.describe(shown="common")
        assert "marker 2 and belt −0.23" in common and "One pair is unknown" in common

    def test_pairs_that_never_meet_are_unknown(self):
        signals = breathing_signals()
        matrix = common_training_correlations(signals)
        assert np.isnan(matrix[0, 2]) and np.isnan(matrix[2, 0]) and np.isnan(matrix).sum() == 2
        assert np.diag(matrix) == pytest.approx(np.ones(4))
        assert (signals.training[1] & signals.training[3]).sum() == 10


class TestThirdCorrelation:
    @pytest.mark.parametrize("r12", [-1, -0.96, -0.2, 0, 0.5, 1])
    @pytest.mark.parametrize("r23", [-0.7, 0, 0.9])
    def test_the_ends_are_where_an_eigenvalue_is_zero(self, r12, r23):
        for end, outward in zip(allowed_interval(r12, r23), (-0.01, 0.01)):
            lowest = [np.linalg.eigvalsh([[1, r12, r], [r12, 1, r23], [r, r23, 1]])[0] for r in (end, end + outward)]
            assert abs(lowest[0]) < 1e-7 and lowest[1] < 0

    def test_the_text_of_every_sign(self):
        picture = third_correlation()
        assert "between −1.00 and −0.62, and it must be negative" in picture.describe(**picture.start)
        assert "it must be positive" in picture.describe(r12=-0.9, r23=-0.9)
        assert "between −0.52 and 0.34, and its sign is open" in picture.describe(r12=-0.1, r23=0.9)

    @pytest.mark.parametrize(("r12", "r23", "name"), [(1.1, 0, "r12"), (0, -2, "r23"), (np.nan, 0, "r12")])
    def test_what_is_no_correlation_is_named(self, r12, r23, name):
        with pytest.raises(ValueError, match=f"{name}: expected"):
            allowed_interval(r12, r23)


class TestJointCovariance:
    def test_common_times_give_a_kronecker_product_in_either_order(self):
        K_t = covariance.KERNEL(np.arange(16.0)[:, None] * 0.75)
        for together, K_c in ((True, covariance.CORRELATIONS), (False, np.eye(3))):
            by_task = covariance._matrix(together, "the same for all", "task")[0]
            by_time = covariance._matrix(together, "the same for all", "time")[0]
            assert by_task == pytest.approx(np.kron(K_c, K_t), abs=1e-12)
            assert by_time == pytest.approx(np.kron(K_t, K_c), abs=1e-12)

    def test_own_times_give_products_entry_by_entry(self):
        K, tasks, at = covariance._matrix(True, "each task its own", "time")
        expected = covariance.CORRELATIONS[np.ix_(tasks, tasks)] * covariance.KERNEL(at[:, None])
        assert pytest.approx(expected, abs=1e-12) == K
        assert len(K) == 48

    def test_readout_of_cost_and_structure(self):
        picture = joint_covariance()
        whole = picture.describe(together=True, times="the same for all", order="task")
        assert "36 864 steps, 9.0 times" in whole and "K = K_c ⊗ K_t" in whole
        assert "No Kronecker product" in picture.describe(together=True, times="each task its own", order="task")


def test_a_diagonal_task_matrix_is_four_single_processes():
    known = scenario(breathing_signals(), "S4")
    heights, noise, grid = np.array([1.2, 0.8, 1.5, 1.0]), np.array([0.01, 0.02, 0.03, 0.05]), np.linspace(0, 70, 36)
    for a in range(4):
        joint = multitask_posterior(
            Gaussian(1.0), np.diag(heights**2), noise, known.times, known.tasks, known.y, grid, a
        )
        chosen = known.tasks == a
        alone = multitask_posterior(
            heights[a] ** 2 * Gaussian(1.0), [[1.0]], noise[a], known.times[chosen], 0, known.y[chosen], grid, 0
        )
        assert joint.mean == pytest.approx(alone.mean, abs=1e-9)
        assert joint.std == pytest.approx(alone.std, abs=1e-9)
