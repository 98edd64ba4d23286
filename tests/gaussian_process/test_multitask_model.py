"""Several tasks in one Gaussian process: covariance, likelihood, gradient and predictions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from mlcore.gaussian_process import (
    MultiTaskModel,
    TaskCovariance,
    condition,
    gp_posterior,
    log_marginal_likelihood,
    multitask_log_marginal_likelihood,
    multitask_posterior,
)
from mlcore.kernels import Gaussian, QuasiPeriodic

KERNELS = [Gaussian(0.9), QuasiPeriodic(1.0, 2.0, 5.0), 0.7 * Gaussian(0.5) + 0.3 * Gaussian(4.0)]


def problem(s=3, n=14, seed=0):
    """Every task at its own times, in a random order."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(s, s))
    tasks = np.concatenate([np.arange(s), rng.integers(0, s, n - s)])
    return {
        "task_covariance": root @ root.T + 0.2 * np.eye(s),
        "noise": rng.uniform(0.05, 0.5, s),
        "times": rng.uniform(0, 6, n),
        "tasks": rng.permutation(tasks),
        "y": rng.normal(size=n),
    }


def joint_covariance(kernel, task_covariance, times, tasks):
    """Entry by entry, as the definition has it."""
    return np.array(
        [
            [task_covariance[a, b] * kernel([[t]], [[u]])[0, 0] for u, b in zip(times, tasks)]
            for t, a in zip(times, tasks)
        ]
    )


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_likelihood_and_prediction_are_those_of_the_joint_gaussian(kernel):
    given_data = problem()
    times, tasks, y, noise = (given_data[name] for name in ("times", "tasks", "y", "noise"))
    new_times, new_tasks = np.array([0.5, 3.0, 9.0, 3.0]), np.array([2, 0, 1, 1])
    joint = joint_covariance(
        kernel, given_data["task_covariance"], np.append(times, new_times), np.append(tasks, new_tasks)
    )
    n = len(y)
    joint[:n, :n] += np.diag(noise[tasks])
    found = multitask_log_marginal_likelihood(kernel, **given_data)
    assert found.value == pytest.approx(multivariate_normal(np.zeros(n), joint[:n, :n]).logpdf(y), abs=1e-9)
    assert found.value == found.fit + found.complexity + found.constant
    expected = condition(np.zeros(len(joint)), joint, np.arange(n), y)
    prediction = multitask_posterior(kernel, **given_data, new_times=new_times, new_tasks=new_tasks)
    np.testing.assert_allclose(prediction.mean, expected.mean, atol=1e-10)
    np.testing.assert_allclose(prediction.covariance, expected.covariance, atol=1e-10)
    np.testing.assert_allclose(prediction.std_with_noise**2, np.diag(expected.covariance) + noise[new_tasks])


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("s", [1, 2, 4])
def test_gradient_matches_finite_differences(kernel, s):
    given_data = problem(s, seed=s)
    data = {name: given_data[name] for name in ("times", "tasks", "y")}
    model = MultiTaskModel(kernel, given_data["task_covariance"], given_data["noise"])
    gradient = multitask_log_marginal_likelihood(kernel, model.task_covariance, model.noise, **data, gradient=True)
    assert list(gradient.gradient) == list(model.parameters)

    def value_with(name, value):
        moved = model.with_parameters({name: value})
        return multitask_log_marginal_likelihood(moved.kernel, moved.task_covariance, moved.noise, **data).value

    for name, at in model.parameters.items():
        step = 3e-4 * max(abs(at), 0.1)
        near, far = (value_with(name, at + k * step) - value_with(name, at - k * step) for k in (1, 2))
        assert gradient.gradient[name] == pytest.approx((8 * near - far) / (12 * step), rel=1e-6, abs=1e-6)


def test_sorted_by_task_at_common_times_it_is_a_kronecker_product():
    times, tasks = np.tile([0.0, 1.0, 2.5], 2), np.repeat([0, 1], 3)
    between_tasks = np.array([[2.0, -0.7], [-0.7, 1.0]])
    model = MultiTaskModel(Gaussian(0.8), between_tasks, 0.1)
    expected = np.kron(between_tasks, Gaussian(0.8)(times[:3, None]))
    np.testing.assert_allclose(model.covariance((times[:, None], tasks)), expected, atol=1e-15)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_diagonal_task_covariance_is_independent_processes(kernel):
    given_data = problem(4, 30) | {"task_covariance": np.diag([0.5, 1.0, 2.0, 4.0])}
    times, tasks, y, noise = (given_data[name] for name in ("times", "tasks", "y", "noise"))
    new_times = np.linspace(0, 8, 9)
    value = 0.0
    for task, height in enumerate([0.5, 1.0, 2.0, 4.0]):
        own = tasks == task
        alone = (height * kernel, noise[task], times[own, None], y[own])
        value += log_marginal_likelihood(*alone).value
        expected = gp_posterior(*alone, new_times[:, None])
        found = multitask_posterior(kernel, **given_data, new_times=new_times, new_tasks=task)
        np.testing.assert_allclose(found.mean, expected.mean, atol=1e-10)
        np.testing.assert_allclose(found.covariance, expected.covariance, atol=1e-10)
    assert multitask_log_marginal_likelihood(kernel, **given_data).value == pytest.approx(value, abs=1e-10)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), s=st.integers(1, 4))
def test_neither_the_order_of_observations_nor_the_numbering_of_tasks_matters(seed, s):
    given_data = problem(s, seed=seed)
    rng = np.random.default_rng(seed)
    order, number = rng.permutation(len(given_data["y"])), rng.permutation(s)  # task a becomes number[a]
    old = np.argsort(number)
    other = {
        "task_covariance": given_data["task_covariance"][np.ix_(old, old)],
        "noise": given_data["noise"][old],
        "times": given_data["times"][order],
        "tasks": number[given_data["tasks"][order]],
        "y": given_data["y"][order],
    }
    one = multitask_log_marginal_likelihood(Gaussian(0.7), **given_data)
    two = multitask_log_marginal_likelihood(Gaussian(0.7), **other)
    assert one.value == pytest.approx(two.value, rel=1e-9, abs=1e-9)
    new_times, new_tasks = rng.uniform(0, 8, 5), rng.integers(0, s, 5)
    found = multitask_posterior(Gaussian(0.7), **given_data, new_times=new_times, new_tasks=new_tasks)
    again = multitask_posterior(Gaussian(0.7), **other, new_times=new_times, new_tasks=number[new_tasks])
    np.testing.assert_allclose(found.mean, again.mean, atol=1e-8)
    np.testing.assert_allclose(found.covariance, again.covariance, atol=1e-8)


def test_a_task_without_data_is_predicted_from_the_others_as_far_as_it_goes_with_them():
    times = np.linspace(0, 5, 12)
    y = np.sin(2 * times)
    for correlation in (1.0, -0.9, 0.5, 0.0):
        between_tasks = [[1.0, correlation], [correlation, 1.0]]
        found = multitask_posterior(Gaussian(0.6), between_tasks, 1e-4, times, 0, y, times, 1)
        np.testing.assert_allclose(found.mean, correlation * y, atol=2e-3)
        np.testing.assert_allclose(found.std**2, 1 - correlation**2, atol=2e-3)


def test_perfectly_correlated_tasks_are_one_process_seen_with_different_noise():
    given_data = problem(2)
    height = np.outer([1.0, -3.0], [1.0, -3.0])
    noise = np.array([0.1, 0.9])
    tasks, y = given_data["tasks"], given_data["y"]
    found = multitask_posterior(Gaussian(0.6), height, noise, given_data["times"], tasks, y, np.linspace(0, 6, 5), 0)
    as_first, its_noise = y / np.array([1.0, -3.0])[tasks], (noise / [1.0, 9.0])[tasks]
    K = Gaussian(0.6)(given_data["times"][:, None]) + np.diag(its_noise)
    cross = Gaussian(0.6)(np.linspace(0, 6, 5)[:, None], given_data["times"][:, None])
    np.testing.assert_allclose(found.mean, cross @ np.linalg.solve(K, as_first), atol=1e-6)


def test_without_data_the_posterior_is_the_prior():
    found = multitask_posterior(Gaussian(1.0), [[4.0, 1.0], [1.0, 9.0]], [0.1, 0.2], [], [], [], [0.0, 0.0], [0, 1])
    np.testing.assert_allclose(found.covariance, [[4, 1], [1, 9]])
    np.testing.assert_allclose(found.noise, [0.1, 0.2])


def test_number_of_hyperparameters():
    for s in range(1, 6):
        model = MultiTaskModel(QuasiPeriodic(), np.eye(s), 0.1)
        assert len(model.parameters) == 3 + s * (s + 1) // 2 + s


def test_equal_times_of_one_task_without_noise_report_jitter():
    data = {"times": [0.0, 0.0], "tasks": [0, 0], "y": [1.0, 1.0]}
    found = multitask_log_marginal_likelihood(Gaussian(1.0), TaskCovariance.independent(2), 0.0, **data)
    assert found.jitter == pytest.approx(1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kernel": None}, "kernel: expected a kernel"),
        ({"noise": [0.1, 0.1, 0.1]}, r"noise: expected shape \(2,\)"),
        ({"noise": [0.1, -0.1]}, "noise: expected variances of at least 0"),
        ({"task_covariance": [[1.0, 2.0], [2.0, 1.0]]}, "positive semidefinite"),
        ({"task_covariance": np.eye(3)}, r"noise: expected shape \(3,\)"),
        ({"times": [[0.0], [1.0]]}, r"times: expected shape \(n,\)"),
        ({"times": [0.0, np.nan]}, "times: expected numbers, got NaN"),
        ({"tasks": [0, 2]}, "tasks: expected numbers from 0 below 2, got 0 to 2"),
        ({"tasks": [-1, 0]}, "tasks: expected numbers from 0 below 2, got -1 to 0"),
        ({"tasks": [0, 1, 1]}, r"tasks: expected shape \(2,\) or one number"),
        ({"tasks": [0.0, 1.0]}, "tasks: expected whole numbers"),
        ({"tasks": ["a", "b"]}, "tasks: expected whole numbers"),
        ({"y": [0.0]}, r"y: expected shape \(2,\)"),
    ],
)
def test_bad_input(change, message):
    arguments = {
        "kernel": Gaussian(1.0),
        "task_covariance": np.eye(2),
        "noise": [0.1, 0.2],
        "times": [0.0, 1.0],
        "tasks": [0, 1],
        "y": [1.0, 2.0],
    } | change
    with pytest.raises(ValueError, match=message):
        multitask_log_marginal_likelihood(**arguments)
    with pytest.raises(ValueError, match=message):
        multitask_posterior(**arguments, new_times=[0.0], new_tasks=0)


def test_names_of_parameters_are_checked():
    with pytest.raises(ValueError, match="values: expected names"):
        MultiTaskModel(Gaussian(), np.eye(2), 0.1).with_parameters({"noise": 0.1})
    with pytest.raises(ValueError, match="new_tasks: expected numbers from 0 below 1"):
        multitask_posterior(Gaussian(1.0), [[1.0]], 0.1, [0.0], [0], [1.0], [0.0], 1)
