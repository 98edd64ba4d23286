"""Predictions of Gaussian processes, and functions drawn from them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.gaussian_process import condition, gp_posterior, posterior_samples, prior_samples
from mlcore.kernels import Constant, Gaussian, Linear, Periodic, Polynomial, QuasiPeriodic, Sigmoid

KERNELS = [
    Gaussian(0.7),
    Periodic(1.2, 2.5),
    4.0 * QuasiPeriodic(0.9, 2.0, 3.0),
    Linear() + 0.5,
    0.5 * Polynomial(3, 0.4) + Gaussian(0.3),
]


def data(n=10, d=1, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-2, 2, size=(n, d)), rng.normal(size=n), rng.uniform(-3, 3, size=(6, d))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("noise", [0.01, 1.0])
@pytest.mark.parametrize("d", [1, 2])
def test_posterior_is_the_conditional_of_the_joint_gaussian(kernel, noise, d):
    X, y, X_new = data(d=d)
    n = len(X)
    joint = kernel(np.vstack([X, X_new]))
    joint[:n, :n] += noise * np.eye(n)
    expected = condition(np.zeros(len(joint)), joint, np.arange(n), y)
    found = gp_posterior(kernel, noise, X, y, X_new)
    np.testing.assert_allclose(found.mean, expected.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.covariance, expected.covariance, rtol=1e-9, atol=1e-9)
    assert np.array_equal(found.std, np.sqrt(np.diag(found.covariance)))
    np.testing.assert_allclose(found.std_with_noise**2, found.std**2 + noise, rtol=1e-13)
    assert (found.noise, found.jitter) == (noise, 0)


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(0, 40),
    width=st.floats(1e-2, 1e3),
    size=st.floats(1e-6, 1e6),
    noise=st.sampled_from([0.0, 1e-12, 1e-6, 1e-2]),
)
def test_data_never_add_variance_and_variance_is_never_negative(seed, n, width, size, noise):
    X, y, X_new = data(n, seed=seed)
    kernel = size * Gaussian(width)
    found = gp_posterior(kernel, noise * size, X, y, np.vstack([X_new, X]))
    variance = np.diag(found.covariance)
    assert (variance >= 0).all()
    assert (variance <= size * (1 + 1e-8)).all()


def test_without_data_the_posterior_is_the_prior():
    X_new = data()[2]
    found = gp_posterior(2.0 * Gaussian(0.5), 0.1, np.zeros((0, 1)), [], X_new)
    assert np.array_equal(found.mean, np.zeros(6))
    assert np.array_equal(found.covariance, (2.0 * Gaussian(0.5))(X_new))


def test_without_noise_the_mean_goes_through_every_point():
    X, y, _ = data()
    found = gp_posterior(Gaussian(0.3), 0.0, X, y, X)
    np.testing.assert_allclose(found.mean, y, atol=1e-7)
    assert found.std.max() < 1e-6
    assert found.jitter == 0


def test_repeated_inputs_count_as_their_mean_with_less_noise():
    X, y, X_new = data(5)
    thrice, scatter = np.repeat(X, 3, axis=0), np.tile([-1.0, 0.0, 1.0], 5)
    found = gp_posterior(Gaussian(0.7), 0.6, thrice, np.repeat(y, 3) + scatter, X_new)
    expected = gp_posterior(Gaussian(0.7), 0.2, X, y, X_new)
    np.testing.assert_allclose(found.mean, expected.mean, atol=1e-12)
    np.testing.assert_allclose(found.covariance, expected.covariance, atol=1e-12)


def test_repeated_inputs_without_noise_are_no_trouble_and_the_jitter_is_reported():
    X, y, X_new = data(6)
    found = gp_posterior(Gaussian(0.3), 0.0, np.repeat(X, 2, axis=0), np.repeat(y, 2), X_new)
    expected = gp_posterior(Gaussian(0.3), 0.0, X, y, X_new)
    assert found.jitter == pytest.approx(1e-12)
    np.testing.assert_allclose(found.mean, expected.mean, atol=1e-6)
    np.testing.assert_allclose(found.std, expected.std, atol=1e-5)


def test_far_from_the_data_the_prior_comes_back_unless_the_kernel_repeats():
    X, y, _ = data()
    far = gp_posterior(4.0 * Gaussian(0.7), 0.1, X, y, [[100.0]])
    assert far.mean[0] == pytest.approx(0, abs=1e-12)
    assert far.std[0] == pytest.approx(2)
    near, later = gp_posterior(Periodic(1.0, 2.0), 0.1, X, y, [[0.3], [200.3]]).mean
    assert later == pytest.approx(near, abs=1e-10)


def test_what_is_no_kernel_raises_instead_of_predicting_a_negative_variance():
    X, y, X_new = data()
    with pytest.raises(ValueError, match="eigenvalue|fell from"):
        gp_posterior(Sigmoid(1.0, -1.0), 0.5, X, y, X_new)


def test_prior_samples_have_the_mean_and_covariance_of_the_process():
    X = np.linspace(0, 2, 4)[:, None]
    kernel = 2.0 * Gaussian(0.8)
    samples = prior_samples(kernel, X, 40_000, random_state=0)
    assert samples.shape == (40_000, 4)
    np.testing.assert_allclose(samples.mean(axis=0), 0, atol=0.04)
    np.testing.assert_allclose(np.cov(samples.T), kernel(X), atol=0.06)


def test_posterior_samples_have_the_mean_and_covariance_of_the_posterior():
    X, y, X_new = data()
    samples = posterior_samples(Gaussian(0.8), 0.1, X, y, X_new, 40_000, random_state=0)
    expected = gp_posterior(Gaussian(0.8), 0.1, X, y, X_new)
    np.testing.assert_allclose(samples.mean(axis=0), expected.mean, atol=0.03)
    np.testing.assert_allclose(np.cov(samples.T), expected.covariance, atol=0.03)


def test_samples_are_smooth_on_a_fine_grid_and_move_continuously_with_the_width():
    X = np.linspace(0, 1, 300)[:, None]
    one = prior_samples(Gaussian(0.5), X, 3, random_state=7)
    assert np.abs(np.diff(one)).max() < 0.05
    assert np.abs(prior_samples(Gaussian(0.501), X, 3, random_state=7) - one).max() < 0.05
    assert np.array_equal(prior_samples(Gaussian(0.5), X, 3, random_state=7), one)


def test_samples_of_a_process_that_is_known_or_zero():
    X, y, _ = data(5)
    known = posterior_samples(Gaussian(0.3), 0.0, X, y, X, 3, random_state=0)
    np.testing.assert_allclose(known, np.tile(y, (3, 1)), atol=1e-4)
    assert np.array_equal(prior_samples(Constant(0.0), X, 2, random_state=0), np.zeros((2, 5)))
    assert prior_samples(Gaussian(1.0), np.zeros((0, 1)), 2).shape == (2, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kernel": "rbf"}, "kernel: expected a kernel"),
        ({"noise": -1.0}, "noise"),
        ({"y": [0.0]}, r"y: expected shape \(2,\)"),
        ({"X_new": [[0.0, 1.0]]}, r"X_new: expected shape \(m, 1\)"),
    ],
)
def test_bad_input(change, message):
    arguments = {"kernel": Gaussian(1.0), "noise": 0.1, "X": [[0.0], [1.0]], "y": [0, 1], "X_new": [[0.5]]} | change
    with pytest.raises(ValueError, match=message):
        gp_posterior(**arguments)
    with pytest.raises(ValueError, match=message):
        posterior_samples(**arguments)


def test_bad_sampling_arguments():
    with pytest.raises(ValueError, match="kernel: expected a kernel"):
        prior_samples(None, [[0.0]])
    with pytest.raises(ValueError, match="count"):
        prior_samples(Gaussian(1.0), [[0.0]], 0)
    with pytest.raises(ValueError, match="random_state"):
        prior_samples(Gaussian(1.0), [[0.0]], random_state="one")
