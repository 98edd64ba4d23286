"""The marginal likelihood of a Gaussian process: its terms and its gradient."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from mlcore.errors import NotAKernel
from mlcore.gaussian_process import gp_posterior, log_marginal_likelihood
from mlcore.kernels import Constant, Gaussian, Linear, Periodic, Polynomial, QuasiPeriodic, Sigmoid

KERNELS = [
    Gaussian(0.7),
    Periodic(1.2, 2.5),
    QuasiPeriodic(0.9, 2.0, 3.0),
    Linear() + 0.5,
    Polynomial(3, 0.4),
    2.0**2 * Gaussian(1.5),
    1.5 * Periodic(0.8, 1.7) * Gaussian(4.0),
    0.8 * Gaussian(0.5) + 0.3 * Linear() + Constant(0.2),
    (Gaussian(2.0) + 0.5) * (Polynomial(2, 1.0) + Periodic(1.0, 3.0)),
    0.5 * QuasiPeriodic(1.1, 2.2, 4.0) * Gaussian(3.0) + 0.1 * Polynomial(1, 0.3),
]


def data(n=12, d=1, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 5, size=(n, d)), rng.normal(size=n)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("d", [1, 3])
def test_value_is_the_log_density_of_y_and_the_sum_of_its_terms(kernel, d):
    X, y = data(d=d)
    K = kernel(X) + 0.3 * np.eye(len(y))
    found = log_marginal_likelihood(kernel, 0.3, X, y)
    assert found.value == pytest.approx(multivariate_normal(np.zeros(len(y)), K).logpdf(y), abs=1e-9)
    assert found.value == found.fit + found.complexity + found.constant
    assert found.fit == pytest.approx(-y @ np.linalg.solve(K, y) / 2)
    assert found.complexity == pytest.approx(-np.linalg.slogdet(K)[1] / 2)
    assert found.constant == -len(y) / 2 * math.log(2 * math.pi)
    assert found.gradient is None
    assert found.jitter == 0


def finite_difference(function, at, step):
    """Of eighth order: a step that is large against rounding is small enough."""
    weights = (672 / 840, -168 / 840, 32 / 840, -3 / 840)
    return sum(w * (function(at + k * step) - function(at - k * step)) for k, w in enumerate(weights, start=1)) / step


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("noise", [0.05, 1.0])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_gradient_matches_finite_differences(kernel, noise, d):
    X, y = data(d=d, seed=d)
    parameters = kernel.parameters | {"noise": noise}
    gradient = log_marginal_likelihood(kernel, noise, X, y, gradient=True).gradient
    assert list(gradient) == list(parameters)

    def value_with(name, value):
        moved = parameters | {name: value}
        return log_marginal_likelihood(
            kernel.with_parameters({key: moved[key] for key in kernel.parameters}), moved["noise"], X, y
        ).value

    for name, value in parameters.items():
        slope = finite_difference(partial(value_with, name), value, 1.5e-3 * value)
        assert gradient[name] == pytest.approx(slope, rel=1e-6, abs=1e-6)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), width=st.floats(0.1, 10), noise=st.floats(0.01, 10))
def test_probability_of_parts_multiplies_to_that_of_the_whole(seed, width, noise):
    """p(y) = p(y₁) p(y₂ | y₁), the second from the prediction: likelihood and posterior are one model."""
    X, y = data(8, seed=seed)
    kernel = Gaussian(width)
    first = log_marginal_likelihood(kernel, noise, X[:5], y[:5]).value
    then = gp_posterior(kernel, noise, X[:5], y[:5], X[5:])
    second = multivariate_normal(then.mean, then.covariance + noise * np.eye(3)).logpdf(y[5:])
    assert first + second == pytest.approx(log_marginal_likelihood(kernel, noise, X, y).value, abs=1e-7)


def test_noise_is_in_the_determinant():
    # ES p. 112 prints log|K(x, x)|, which is −∞ for repeated inputs
    X, y = np.zeros((3, 1)), np.array([1.0, 0.0, -1.0])
    found = log_marginal_likelihood(Gaussian(1.0), 0.5, X, y)
    assert found.complexity == pytest.approx(-math.log(0.5 * 0.5 * 3.5) / 2)


def test_wider_kernels_are_simpler():
    X, y = data()
    terms = [log_marginal_likelihood(Gaussian(width), 0.1, X, y) for width in (0.1, 0.3, 1.0, 3.0, 10.0)]
    assert all(a.complexity < b.complexity for a, b in zip(terms, terms[1:]))
    assert all(a.fit > b.fit for a, b in zip(terms, terms[1:]))


def test_repeated_inputs_without_noise_report_jitter():
    X, y = np.repeat(data(4)[0], 2, axis=0), np.repeat(data(4)[1], 2)
    found = log_marginal_likelihood(Gaussian(0.5), 0.0, X, y, gradient=True)
    assert found.jitter == pytest.approx(1e-12)
    assert np.isfinite([found.value, *found.gradient.values()]).all()


def test_no_data():
    found = log_marginal_likelihood(Gaussian(0.5), 0.1, np.zeros((0, 2)), [], gradient=True)
    assert found.value == 0
    assert found.gradient == {"width": 0, "noise": 0}


def test_arguments_are_not_changed():
    X, y = data()
    before = X.copy(), y.copy()
    log_marginal_likelihood(2.0 * Gaussian(0.5), 0.1, X, y, gradient=True)
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])


def test_what_is_no_kernel_raises():
    X = np.array([[0.0], [1.0]])
    with pytest.raises(NotAKernel, match="eigenvalue"):
        log_marginal_likelihood(Sigmoid(1.0, -1.0), 0.0, X, [0.0, 1.0])
    with pytest.raises(ValueError, match="kernel: expected a kernel"):
        log_marginal_likelihood("rbf", 0.1, X, [0.0, 1.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"noise": -0.1}, "noise: expected a finite number of at least 0"),
        ({"noise": np.nan}, "noise"),
        ({"X": [0.0, 1.0]}, r"X: expected shape \(n, d\)"),
        ({"X": [[0.0], [np.inf]]}, "X: expected finite numbers"),
        ({"y": [0.0]}, r"y: expected shape \(2,\), got \(1,\)"),
        ({"y": [[0.0], [1.0]]}, r"y: expected shape \(2,\), got \(2, 1\)"),
    ],
)
def test_bad_input(change, message):
    arguments = {"kernel": Gaussian(1.0), "noise": 0.1, "X": [[0.0], [1.0]], "y": [0.0, 1.0]} | change
    with pytest.raises(ValueError, match=message):
        log_marginal_likelihood(**arguments)
