"""Conditioning of Gaussian vectors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from mlcore.errors import NotAKernel
from mlcore.gaussian_process import condition
from mlcore.gaussian_process._conditional import clipped_variance


def joint(n, seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    return rng.normal(size=n), root @ root.T + 0.1 * np.eye(n), rng


@pytest.mark.parametrize(
    ("mean", "covariance", "conditional"),
    [
        ([0, 0], [[1, 0], [0, 1]], (0, 1)),
        ([0, 0], [[1, 0.5], [0.5, 1]], (-0.75, 0.75)),
        ([-1, 0], [[1, -0.8], [-0.8, 1]], (0.2, 0.36)),
    ],
)
def test_the_three_conditionals_of_es_page_110(mean, covariance, conditional):
    found = condition(mean, covariance, observed=[1], values=[-1.5])
    assert (found.mean[0], found.covariance[0, 0]) == pytest.approx(conditional, abs=1e-15)
    assert found.jitter == 0


@settings(deadline=None, max_examples=40)
@given(n=st.integers(2, 7), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_joint_density_is_marginal_times_conditional(n, seed, data):
    mean, covariance, rng = joint(n, seed)
    observed = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n - 1, unique=True))
    others = [i for i in range(n) if i not in observed]
    point = mean + rng.normal(size=n)
    found = condition(mean, covariance, observed, point[observed])
    marginal = multivariate_normal(mean[observed], covariance[np.ix_(observed, observed)])
    conditional = multivariate_normal(found.mean, found.covariance)
    whole = multivariate_normal(mean, covariance).logpdf(point)
    assert marginal.logpdf(point[observed]) + conditional.logpdf(point[others]) == pytest.approx(whole, abs=1e-7)
    assert np.array_equal(found.covariance, found.covariance.T)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_one_after_the_other_is_the_same_as_all_at_once(seed):
    mean, covariance, rng = joint(5, seed)
    values = rng.normal(size=2)
    at_once = condition(mean, covariance, [1, 3], values)
    first = condition(mean, covariance, [1], values[:1])
    then = condition(first.mean, first.covariance, [2], values[1:])  # 3 is now the third of the others
    np.testing.assert_allclose(then.mean, at_once.mean, atol=1e-9)
    np.testing.assert_allclose(then.covariance, at_once.covariance, atol=1e-9)


def test_order_of_the_observed_does_not_matter_and_negative_positions_count_from_the_end():
    mean, covariance, _ = joint(4, 0)
    one = condition(mean, covariance, [0, 3], [1.0, 2.0])
    for observed, values in (([3, 0], [2.0, 1.0]), ([-1, 0], [2.0, 1.0])):
        other = condition(mean, covariance, observed, values)
        np.testing.assert_allclose(other.mean, one.mean, atol=1e-12)
        np.testing.assert_allclose(other.covariance, one.covariance, atol=1e-12)


def test_nothing_or_everything_observed():
    mean, covariance, _ = joint(3, 0)
    nothing = condition(mean, covariance, [], [])
    assert np.array_equal(nothing.mean, mean)
    assert np.array_equal(nothing.covariance, covariance)
    assert condition(mean, covariance, [0, 1, 2], [1, 2, 3]).mean.shape == (0,)


def test_a_copy_is_known_exactly():
    found = condition([0, 0], [[1, 1], [1, 1]], [1], [2.0])
    assert found.mean[0] == pytest.approx(2)
    assert found.covariance[0, 0] == 0


def test_repeated_observations_report_jitter():
    covariance = [[1.0, 0.5, 0.5], [0.5, 1.0, 1.0], [0.5, 1.0, 1.0]]
    found = condition([0, 0, 0], covariance, [1, 2], [1.0, 1.0])
    assert found.jitter == pytest.approx(1e-12)
    assert found.mean[0] == pytest.approx(0.5)
    assert found.covariance[0, 0] == pytest.approx(0.75)


def test_variance_is_clipped_at_rounding_level_only():
    np.testing.assert_array_equal(clipped_variance(np.ones(2), np.array([-1e-12, 0.5])), [0, 0.5])
    with pytest.raises(ValueError, match="position 1 fell from 4 to -0.001"):
        clipped_variance(np.array([1.0, 4.0]), np.array([0.5, -1e-3]))


def test_no_covariance_matrix_raises():
    with pytest.raises(ValueError, match="fell from 1 to -3"):
        condition([0, 0], [[1, 2], [2, 1]], [1], [0.0])
    with pytest.raises(NotAKernel):
        condition([0, 0, 0], [[1, 0, 0], [0, 1, 2], [0, 2, 1]], [1, 2], [0.0, 0.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"observed": [2], "values": [0]}, "observed: expected positions below 2"),
        ({"observed": [-3], "values": [0]}, "observed: expected positions below 2"),
        ({"observed": [0, -2], "values": [0, 0]}, "observed: expected each position once"),
        ({"observed": [0.5], "values": [0]}, "observed: expected positions, whole numbers"),
        ({"observed": 1, "values": [0]}, "observed: expected positions, whole numbers"),
        ({"observed": [True, False], "values": [0, 0]}, "observed: expected positions, whole numbers"),
        ({"values": [0, 0]}, r"values: expected shape \(1,\)"),
        ({"values": [np.nan]}, "values: expected numbers, got NaN"),
        ({"mean": [0, 0, 0]}, r"covariance: expected shape \(3, 3\)"),
        ({"covariance": [[1, 0.5], [0.4, 1]]}, "covariance: expected a symmetric matrix"),
    ],
)
def test_bad_input(change, message):
    arguments = {"mean": [0, 0], "covariance": [[1, 0.5], [0.5, 1]], "observed": [1], "values": [0.0]} | change
    with pytest.raises(ValueError, match=message):
        condition(**arguments)
