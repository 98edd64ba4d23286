"""The covariance between tasks by its Cholesky factor."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.errors import NotAKernel
from mlcore.gaussian_process import TaskCovariance


def random_tasks(s, seed):
    rng = np.random.default_rng(seed)
    lower = np.tril(rng.normal(size=(s, s)), -1) + np.diag(rng.uniform(0.2, 2, s))
    return TaskCovariance(lower)


@settings(deadline=None, max_examples=30)
@given(s=st.integers(1, 6), seed=st.integers(0, 2**32 - 1))
def test_every_factor_is_a_covariance_matrix_and_back(s, seed):
    tasks = random_tasks(s, seed)
    assert np.linalg.eigvalsh(tasks.matrix)[0] > 0
    assert np.array_equal(tasks.matrix, tasks.matrix.T)
    np.testing.assert_allclose(TaskCovariance.from_matrix(tasks.matrix).matrix, tasks.matrix, atol=1e-10)
    assert len(tasks.parameters) == s * (s + 1) // 2
    assert len(tasks.off_diagonal) == s * (s - 1) // 2
    assert len(tasks) == s
    same = TaskCovariance.independent(s).with_parameters(tasks.parameters)
    assert np.array_equal(same.lower, tasks.lower)
    correlation, std = tasks.correlation, np.sqrt(np.diag(tasks.matrix))
    np.testing.assert_allclose(correlation * np.outer(std, std), tasks.matrix, atol=1e-12)
    assert np.array_equal(np.diag(correlation), np.ones(s))
    assert (np.abs(correlation) <= 1).all()


@settings(deadline=None, max_examples=20)
@given(s=st.integers(1, 4), seed=st.integers(0, 2**32 - 1))
def test_gradient_matches_finite_differences(s, seed):
    tasks = random_tasks(s, seed)
    weights = np.random.default_rng(seed).normal(size=(s, s))
    weights += weights.T
    gradient = tasks.gradient(weights)  # of Σ weights · K_c
    assert list(gradient) == list(tasks.parameters)
    for name, value in tasks.parameters.items():
        above, below = ((weights * tasks.with_parameters({name: value + step}).matrix).sum() for step in (1e-5, -1e-5))
        assert gradient[name] == pytest.approx((above - below) / 2e-5, abs=1e-6)


def test_names_count_rows_and_columns_of_the_factor():
    tasks = TaskCovariance([[1, 0, 0], [2, 3, 0], [4, 5, 6]])
    assert tasks.parameters == {
        "task[0,0]": 1, "task[1,0]": 2, "task[1,1]": 3, "task[2,0]": 4, "task[2,1]": 5, "task[2,2]": 6,
    }  # fmt: skip
    assert tasks.off_diagonal == ("task[1,0]", "task[2,0]", "task[2,1]")


def test_perfectly_correlated_tasks_are_allowed():
    tasks = TaskCovariance.from_matrix([[1.0, -2.0], [-2.0, 4.0]])
    assert tasks.correlation[0, 1] == pytest.approx(-1)


def test_it_cannot_be_changed():
    lower = np.eye(2)
    tasks = TaskCovariance(lower)
    lower[0, 0] = 7
    assert tasks.lower[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        tasks.lower[0, 0] = 7


@pytest.mark.parametrize(
    ("lower", "message"),
    [
        ([[1.0, 0.5], [0.0, 1.0]], "lower: expected zeros above the diagonal"),
        ([[1.0, 0.0], [0.5, 0.0]], "lower: expected zeros above the diagonal and numbers above 0 on it"),
        ([[1.0, 0.0]], "lower: expected a square matrix"),
        (np.zeros((0, 0)), "lower: expected a square matrix"),
        ([[np.nan]], "lower: expected numbers, got NaN"),
    ],
)
def test_bad_factor(lower, message):
    with pytest.raises(ValueError, match=message):
        TaskCovariance(lower)


def test_bad_calls():
    with pytest.raises(NotAKernel):
        TaskCovariance.from_matrix([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="values: expected names"):
        TaskCovariance.independent(2).with_parameters({"task[0,1]": 1.0})
    with pytest.raises(ValueError, match="count"):
        TaskCovariance.independent(0)
