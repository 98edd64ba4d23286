"""Standardising."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import preprocessing as peer
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.preprocessing import StandardScaler, mean_and_deviation


@parametrize_with_checks([StandardScaler()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@settings(deadline=None, max_examples=40)
@given(n=st.integers(2, 40), d=st.integers(1, 5), seed=st.integers(0, 2**32 - 1), size=st.floats(1e-6, 1e6))
def test_same_as_scikit_learn_and_back_again(n, d, seed, size):
    random = np.random.default_rng(seed)
    X, X_new = size * random.normal(size=(n, d)) + random.normal(size=d), size * random.normal(size=(4, d))
    ours, theirs = StandardScaler().fit(X), peer.StandardScaler().fit(X)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-9, atol=1e-12 * size)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-9)
    np.testing.assert_allclose(ours.transform(X_new), theirs.transform(X_new), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X_new)), X_new, rtol=1e-9, atol=1e-12 * size)
    Z = ours.transform(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(Z.std(axis=0), 1)


@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e300, 1e-300, 5e-324])
@pytest.mark.parametrize("n", [1, 2, 3, 10_000])
def test_constant_features_become_0_whatever_their_value(value, n):
    X = np.column_stack([np.full(n, value), np.arange(n)])
    scaler = StandardScaler().fit(X)
    assert scaler.constant_.tolist() == [True, n == 1]
    assert (scaler.mean_[0], scaler.scale_[0]) == (value, 1.0)
    assert not scaler.transform(X)[:, 0].any()


def test_equal_but_for_rounding_is_constant_and_a_small_deviation_is_not():
    assert StandardScaler().fit([[0.1 + 0.2], [0.3], [0.3]]).constant_.all()
    assert not StandardScaler().fit([[1.0], [1.0 + 1e-12]]).constant_.any()


@pytest.mark.parametrize("size", [1e-300, 1e-170, 1e160, 1e300])
def test_squares_do_not_leave_the_range_of_floats(size):
    mean, deviation = mean_and_deviation(size * np.array([[1.0], [2.0], [6.0]]))
    assert mean[0] == pytest.approx(3 * size)
    assert deviation[0] == pytest.approx(size * np.sqrt(14 / 3))
