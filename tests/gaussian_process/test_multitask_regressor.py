"""The multi-task regressor: learning, prediction of one task from others, units."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from mlcore.gaussian_process import (
    GaussianProcessRegressor,
    MultiTaskGP,
    TaskCovariance,
    multitask_log_marginal_likelihood,
    multitask_posterior,
)
from mlcore.kernels import Gaussian, QuasiPeriodic


def two_sensors(seed=0, loadings=(1.0, -2.0), noise=(0.1, 0.3)):
    """One wave seen by two sensors: the first until time 6, the second throughout and half as often."""
    rng = np.random.default_rng(seed)
    times = np.concatenate([np.linspace(0, 6, 25), np.linspace(0, 12, 25)])
    tasks = np.repeat([0, 1], 25)
    y = np.array(loadings)[tasks] * np.sin(1.3 * times) + np.array(noise)[tasks] * rng.normal(size=50)
    return times, tasks, y


def test_given_parameters_give_the_plain_functions():
    times, tasks, y = two_sensors()
    between_tasks, noise = [[1.0, -1.5], [-1.5, 4.0]], [0.01, 0.09]
    process = MultiTaskGP(Gaussian(1.0), noise, between_tasks, optimize=False).fit(times, tasks, y)
    new_times, new_tasks = np.array([1.0, 7.0, 7.0]), np.array([1, 0, 1])
    model = (Gaussian(1.0), between_tasks, noise, times, tasks, y)
    expected = multitask_posterior(*model, new_times, new_tasks)
    mean, std = process.predict(new_times, new_tasks, return_std=True)
    np.testing.assert_allclose(mean, expected.mean, atol=1e-10)
    np.testing.assert_allclose(std, expected.std, atol=1e-10)
    covariance = process.predict(new_times, new_tasks, return_cov=True)[1]
    np.testing.assert_allclose(covariance, expected.covariance, atol=1e-10)
    noisy = process.predict(new_times, new_tasks, return_std=True, with_noise=True)[1]
    np.testing.assert_allclose(noisy, expected.std_with_noise, atol=1e-10)
    assert process.log_marginal_likelihood_ == pytest.approx(multitask_log_marginal_likelihood(*model).value)
    assert process.optimizer_results_ == ()
    assert process.n_iter_ == 0
    assert process.jitter_ == 0


def test_one_sensor_is_predicted_where_only_the_other_was_seen():
    times, tasks, y = two_sensors()
    together = MultiTaskGP(Gaussian(1.0), 0.1, scale_output=True).fit(times, tasks, y)
    own = tasks == 0
    alone = GaussianProcessRegressor(1.0 * Gaussian(1.0), 0.1, scale_output=True).fit(times[own, None], y[own])
    gap = np.linspace(7.5, 12, 20)
    truth = np.sin(1.3 * gap)
    with_help = np.sqrt(np.mean((together.predict(gap, 0) - truth) ** 2))
    without = np.sqrt(np.mean((alone.predict(gap[:, None]) - truth) ** 2))
    assert with_help < 0.15
    assert without > 3 * with_help
    assert together.task_correlation_[0, 1] == pytest.approx(-1, abs=0.03)
    std = together.predict(gap, 0, return_std=True)[1]
    assert (np.abs(together.predict(gap, 0) - truth) < 4 * std).all()


def test_correlation_and_noise_are_learned_from_the_default_start():
    times, tasks, y = two_sensors(noise=(0.05, 0.4))
    process = MultiTaskGP(Gaussian(0.5), 0.1).fit(times, tasks, y)
    assert process.task_correlation_[0, 1] < -0.97
    np.testing.assert_allclose(np.sqrt(process.noise_), [0.05, 0.4], rtol=0.35)
    np.testing.assert_array_equal(process.task_covariance_, process.model_.task_covariance.matrix)
    best = process.optimizer_results_[0]
    assert best.success
    assert best.slope < 1e-2
    assert best.parameters == process.model_.parameters
    assert process.n_iter_ == best.iterations > 0
    start = multitask_log_marginal_likelihood(Gaussian(0.5), np.eye(2), 0.1, times, tasks, y).value
    assert process.log_marginal_likelihood_ == pytest.approx(best.log_marginal_likelihood)
    assert process.log_marginal_likelihood_ > start + 10


def test_number_of_hyperparameters():
    times, tasks, y = two_sensors()
    process = MultiTaskGP(QuasiPeriodic(), [0.1] * 4, optimize=False).fit(times, tasks, y)
    assert process.n_hyperparameters_ == 4 * 5 // 2 + 4 + 3
    assert process.task_covariance_.shape == (4, 4)
    std = process.predict([3.0], 3, return_std=True)[1]  # a task without data and independent of the others
    assert std[0] == pytest.approx(1)


def test_diagonal_start_with_only_noise_learned_is_single_processes():
    times, tasks, y = two_sensors()
    process = MultiTaskGP(Gaussian(1.0), 0.1, optimize=["noise[0]", "noise[1]"]).fit(times, tasks, y)
    assert np.array_equal(process.task_covariance_, np.eye(2))
    for task in (0, 1):
        own = tasks == task
        alone = GaussianProcessRegressor(Gaussian(1.0), process.noise_[task], optimize=False)
        expected = alone.fit(times[own, None], y[own]).predict(times[:, None], return_std=True)
        found = process.predict(times, task, return_std=True)
        np.testing.assert_allclose(found, expected, atol=1e-10)


@pytest.mark.parametrize("with_noise", [False, True])
def test_scaling_of_every_task_is_undone_everywhere(with_noise):
    times, tasks, y = two_sensors()
    size, shift = np.array([100.0, 1e-3])[tasks], np.array([-50.0, 7.0])[tasks]
    setting = MultiTaskGP(Gaussian(1.0), 0.1, [[1, -0.9], [-0.9, 1]], optimize=False, scale_output=True)
    one, other = clone(setting).fit(times, tasks, y), clone(setting).fit(times, tasks, shift + size * y)
    mean, covariance = one.predict(times, tasks, return_cov=True, with_noise=with_noise)
    other_mean, other_covariance = other.predict(times, tasks, return_cov=True, with_noise=with_noise)
    np.testing.assert_allclose(other_mean, shift + size * mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(other_covariance, np.outer(size, size) * covariance, rtol=1e-6)
    std = other.predict(times, tasks, return_std=True, with_noise=with_noise)[1]
    np.testing.assert_allclose(std, np.sqrt(np.diag(other_covariance)), rtol=1e-10)
    expected = one.log_marginal_likelihood_ - np.log(size).sum()
    assert other.log_marginal_likelihood_ == pytest.approx(expected)


def test_samples():
    times, tasks, y = two_sensors()
    process = MultiTaskGP(Gaussian(1.0), 0.1, [[1, -0.9], [-0.9, 1]], optimize=False).fit(times, tasks, y)
    drawn = process.sample([8.0, 8.0, 20.0], [0, 1, 1], 20_000, random_state=0)
    mean, covariance = process.predict([8.0, 8.0, 20.0], [0, 1, 1], return_cov=True)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.04)
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.04)


def test_restarts_are_deterministic_under_a_seed():
    times, tasks, y = two_sensors()
    processes = (MultiTaskGP(Gaussian(1.0), 0.1, restarts=2, random_state=seed) for seed in (0, 0, 1))
    runs = [[vars(run) for run in process.fit(times, tasks, y).optimizer_results_] for process in processes]
    assert len(runs[0]) == 3
    assert runs[0] == runs[1]
    assert runs[0][1:] != runs[2][1:]
    assert runs[0][0] == runs[2][0]
    assert runs[0][1]["start"]["task[1,0]"] != 0


def test_order_of_observations_does_not_matter_to_what_is_learned():
    times, tasks, y = two_sensors()
    order = np.random.default_rng(0).permutation(len(y))
    one = MultiTaskGP(Gaussian(1.0), 0.1).fit(times, tasks, y)
    other = MultiTaskGP(Gaussian(1.0), 0.1).fit(times[order], tasks[order], y[order])
    assert other.log_marginal_likelihood_ == pytest.approx(one.log_marginal_likelihood_, abs=1e-4)
    np.testing.assert_allclose(other.predict(times, 0), one.predict(times, 0), atol=1e-2)


def test_renumbering_the_tasks_renumbers_the_result():
    times, tasks, y = two_sensors()
    one = MultiTaskGP(Gaussian(1.0), 0.1).fit(times, tasks, y)
    other = MultiTaskGP(Gaussian(1.0), 0.1).fit(times, 1 - tasks, y)
    assert other.log_marginal_likelihood_ == pytest.approx(one.log_marginal_likelihood_, abs=1e-3)
    np.testing.assert_allclose(other.task_correlation_, one.task_correlation_[::-1, ::-1], atol=1e-3)


def test_start_may_be_given_by_its_factor():
    times, tasks, y = two_sensors()
    start = TaskCovariance([[1.0, 0.0], [-0.5, 2.0]])
    process = MultiTaskGP(Gaussian(1.0), 0.1, start, optimize=["width"]).fit(times, tasks, y)
    assert process.model_.task_covariance.parameters == start.parameters
    np.testing.assert_array_equal(process.task_covariance_, [[1, -0.5], [-0.5, 4.25]])


def test_optimiser_that_is_stopped_warns():
    times, tasks, y = two_sensors()
    with pytest.warns(ConvergenceWarning, match="not at its maximum"):
        process = MultiTaskGP(Gaussian(1.0), 0.1, max_iter=1).fit(times, tasks, y)
    assert not process.optimizer_results_[0].success


def test_fitting_twice_and_failing():
    times, tasks, y = two_sensors()
    process = MultiTaskGP(Gaussian(1.0), 0.1)
    once = process.fit(times, tasks, y).predict(times, 0)
    assert np.array_equal(process.fit(times, tasks, y).predict(times, 0), once)
    with pytest.raises(ValueError, match="noise"):
        process.set_params(noise=-1.0).fit(times, tasks, y)
    with pytest.raises(NotFittedError):
        process.predict(times, 0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "rbf"}, "kernel: expected a kernel"),
        ({"noise": [0.1]}, "tasks: expected numbers from 0 below 1, got 0 to 1"),
        ({"noise": [[0.1, 0.1]]}, "noise: expected shape"),
        ({"task_covariance": [[1.0]]}, "tasks: expected numbers from 0 below 1"),
        ({"restarts": 1.5}, "restarts"),
        ({"optimize": ["noise"]}, "optimize: expected names among"),
        ({"bounds": (1.0, 0.5)}, "bounds"),
    ],
)
def test_bad_parameters(parameters, message):
    times, tasks, y = two_sensors()
    with pytest.raises(ValueError, match=message):
        MultiTaskGP(**parameters).fit(times, tasks, y)


def test_bad_data():
    process = MultiTaskGP(optimize=False)
    with pytest.raises(ValueError, match="at least one observation"):
        process.fit([], [], [])
    with pytest.raises(ValueError, match="tasks: expected numbers from 0"):
        process.fit([0.0], [-1], [1.0])
    with pytest.raises(ValueError, match="y: expected shape"):
        process.fit([0.0], [0], [1.0, 2.0])
    process.fit([0.0, 1.0], [0, 1], [1.0, 2.0])
    with pytest.raises(ValueError, match="tasks: expected numbers from 0 below 2"):
        process.predict([0.0], 2)
    with pytest.raises(ValueError, match="at most one"):
        process.predict([0.0], 0, return_std=True, return_cov=True)


def test_a_singular_start_of_the_task_covariance_is_refused_by_its_name_or_kept():
    times, tasks, y = two_sensors()
    for optimize in (True, ["task[1,1]"], "task[1,0]"):
        with pytest.raises(ValueError, match="^task_covariance: expected a positive definite matrix.*got rank 1"):
            MultiTaskGP(Gaussian(1.0), 0.1, [[1.0, -2.0], [-2.0, 4.0]], optimize=optimize).fit(times, tasks, y)
    for optimize in (False, "width", ["noise[0]", "width"]):
        process = MultiTaskGP(Gaussian(1.0), 0.1, [[1.0, -2.0], [-2.0, 4.0]], optimize=optimize).fit(times, tasks, y)
        np.testing.assert_allclose(process.task_correlation_, [[1, -1], [-1, 1]], atol=1e-9)


@pytest.mark.parametrize("level", [0.1, -7.0, 1e300, 1e-300])
def test_a_task_whose_values_are_all_equal_is_scaled_like_any_other_constant(level):
    times, tasks = np.tile([0.0, 1.0, 2.0], 2), np.repeat([0, 1], 3)
    y = np.append([1.0, 3.0, 2.0], np.full(3, level))
    plain = np.append([1.0, 3.0, 2.0], np.zeros(3))
    one, other = (
        MultiTaskGP(Gaussian(1.0), 0.1, optimize=False, scale_output=True).fit(times, tasks, values)
        for values in (y, plain)
    )
    assert one.log_marginal_likelihood_ == pytest.approx(other.log_marginal_likelihood_)
    mean, std = one.predict([0.5, 9.0], [0, 1], return_std=True)
    np.testing.assert_allclose(std, other.predict([0.5, 9.0], [0, 1], return_std=True)[1])
    assert mean[1] == level
