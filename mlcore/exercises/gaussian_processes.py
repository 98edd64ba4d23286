"""Checks of the exercises of chapter 18. They test what makes an answer right, not one stored answer."""

from typing import NamedTuple

import numpy as np

from mlcore.errors import NotAKernel
from mlcore.exercises import _answers
from mlcore.exercises._answers import agree, array, function, number, parts
from mlcore.exercises._verdict import check, refuse
from mlcore.gaussian_process import GaussianProcessRegressor, gp_posterior
from mlcore.kernels import Gaussian, Linear, QuasiPeriodic

__all__ = [
    "check_best_height",
    "check_extrapolation",
    "check_interpolator",
    "check_stretched_minimum",
    "rising_wave",
    "true_rising_wave",
]


@check
def check_interpolator(interpolate):
    """Check a Gaussian process without noise, by what exact observations must do to it.

    Parameters
    ----------
    interpolate : callable
        ``interpolate(x, y, x_new)`` returns mean and variance, both of shape (m,), of a process with mean 0 and
        covariance exp(−(x − z)²/2), given n exact observations.

    Returns
    -------
    Verdict
    """
    rng = np.random.default_rng(4)
    x, y = np.array([-1.5, 0.2, 1.4, 3.0]), rng.normal(size=4)
    between = np.array([-0.6, 0.9, 2.1, 30.0])
    ask = function("interpolate", interpolate, "x, y and x_new")
    mean, variance = parts("interpolate", ask(x, y, np.append(x, between)), ("mean", "variance"))
    mean, variance = array("mean", mean, (8,)), array("variance", variance, (8,))
    if not np.allclose(mean[:4], y, atol=1e-6):
        worst = int(np.abs(mean[:4] - y).argmax())
        refuse(
            f"Observed was y = {y[worst]:.3f} at x = {x[worst]:g}, and the mean there is {mean[worst]:.3f}: exact "
            "observations must be met. Is there noise in the covariance of the observations?"
        )
    if np.abs(variance[:4]).max() > 1e-6:
        refuse(f"At an observed point nothing is left to doubt, but a variance there is {variance[:4].max():.3g}.")
    if abs(mean[7]) > 1e-6 or abs(variance[7] - 1) > 1e-6:
        refuse(
            f"At x = 30, far from everything, the prior must come back: mean 0 and variance 1, not {mean[7]:.3g} and "
            f"{variance[7]:.3g}."
        )
    holds = gp_posterior(Gaussian(1.0), 0.0, x[:, None], y, between[:, None])
    if not np.allclose(mean[4:], holds.mean, atol=1e-6):
        refuse("The mean meets the observations but is another one between them. Which K stands where?")
    if np.allclose(variance[4:], holds.std, atol=1e-6):
        refuse("Between the points these are standard deviations; the variances are asked for.")
    if not np.allclose(variance[4:], holds.std**2, atol=1e-6):
        refuse("The variance is right at the observations and far away, but not between them.")
    return "It meets every observation with variance 0, and returns to the prior far away."


@check
def check_best_height(best_height):
    """Check a formula for the height at the minimum of the NLML, by trying others beside it.

    Parameters
    ----------
    best_height : callable
        ``best_height(K, y)`` returns the height h > 0 for which y is most probable under N(0, h²K).

    Returns
    -------
    Verdict
    """
    rng = np.random.default_rng(1)
    ask = function("best_height", best_height, "K and y")
    for n in (3, 8, 15):
        factor = rng.normal(size=(n, n))
        K = factor @ factor.T + np.eye(n)
        y = rng.normal(size=n) * rng.uniform(0.5, 5)
        height = number("height", ask(K, y), above=0)
        nlml, lower, higher = (_density_cost(K, y, height * factor) for factor in (1.0, 0.999, 1.001))
        if nlml > min(lower, higher):
            refuse(_height_hint(K, y, height))
    return "A little more or a little less height makes the data less probable, on all three data sets."


def _density_cost(K, y, height):
    """Return −log N(y | 0, height² K) without its constant."""
    return 0.5 * y @ np.linalg.solve(K, y) / height**2 + len(y) * np.log(height)


def _height_hint(K, y, height):
    squared = y @ np.linalg.solve(K, y)
    known = {
        "This is h², not h.": squared / len(y),
        "The number of observations is missing: each of them adds one log h to the complexity.": np.sqrt(squared),
        "Both terms have a factor ½, in ½ log |h²K| too: with n entries it is n log h.": np.sqrt(2 * squared / len(y)),
        "K is missing: the data are measured by yᵀK⁻¹y, not by yᵀy.": np.sqrt(y @ y / len(y)),
        "K⁻¹, not K, stands between the two y.": np.sqrt(y @ K @ y / len(y)),
    }
    for hint, value in known.items():
        if np.isclose(height, value):
            return hint
    better = "smaller" if _density_cost(K, y, 0.99 * height) < _density_cost(K, y, height) else "larger"
    return f"For n = {len(y)} observations your height is {height:.3g}, and a slightly {better} one has a lower NLML."


@check
def check_stretched_minimum(width, height, noise, nlml, data, x_factor=10.0, y_factor=2.0):
    """Check where the NLML is lowest, and how low, after inputs and observations were stretched.

    Parameters
    ----------
    width, height, noise : float
        At the minimum for the stretched data; `noise` is the standard deviation.
    nlml : float
        Its value there.
    data : tuple of numpy.ndarray of shape (n, 1) and (n,)
        Inputs and observations before they were stretched.
    x_factor, y_factor : float
        By how much.

    Returns
    -------
    Verdict
    """
    width, height, noise = (
        number("width", width, above=0),
        number("height", height, above=0),
        number("noise", noise, above=0),
    )
    nlml = number("nlml", nlml)
    X, y = data
    found = GaussianProcessRegressor(1.0 * Gaussian(1.0), noise=0.09).fit(X, y)
    minimum = {
        "width": (width, found.kernel_.right.width, x_factor, "the unit of x"),
        "height": (height, np.sqrt(found.kernel_.left.value), y_factor, "the unit of y"),
        "noise": (noise, np.sqrt(found.noise_), y_factor, "the unit of y, as a standard deviation"),
    }
    for name, (value, before, factor, unit) in minimum.items():
        agree(name, value, before * factor, hint=f"It has {unit}.")
    agree(
        "nlml",
        nlml,
        len(y) * np.log(y_factor) - found.log_marginal_likelihood_,
        hint="A density has the unit 1/y, and there are n of them.",
    )
    return "The slopes vanish there: the minimum moves with the units, and its depth by n log 2."


def true_rising_wave(x):
    """Return a rising wave of period 1.5 whose shape slowly changes."""
    swelling = 1 + 0.3 * np.sin(0.7 * x)
    return 0.4 * x + swelling * np.sin(2 * np.pi * x / 1.5) + 0.3 * np.cos(4 * np.pi * x / 1.5 + 0.3 * x)


def rising_wave(seed=1):
    """Return noisy observations of `true_rising_wave` from 0 to 6, with the standard deviation 0.1.

    Returns
    -------
    X : numpy.ndarray of shape (40, 1)
    y : numpy.ndarray of shape (40,)
    """
    x = np.arange(0, 6, 0.15)
    return x[:, None], true_rising_wave(x) + 0.1 * np.random.default_rng(seed).normal(size=len(x))


@check
def check_extrapolation(kernel, largest_error=0.5, smallest_share=0.75, widest_band=0.8):
    """Check a covariance function by what it predicts for `rising_wave` from 6 to 9, where nothing was observed.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
        The noise, of variance 0.01, is added by the check.
    largest_error : float
        Root mean square error of the mean that is still good enough.
    smallest_share : float
        Part of the true curve that must lie within 2 standard deviations of the mean.
    widest_band : float
        Mean standard deviation from which on the band says nothing.

    Returns
    -------
    Verdict
    """
    kernel = _answers.kernel("kernel", kernel)
    told = _forecast(kernel)
    numbers = (
        f"error {told.error:.2f}, {told.share:.0%} of the truth within the band, mean standard deviation "
        f"{told.band:.2f}"
    )
    if told.error > largest_error:
        terms = {
            "Add a term for the trend.": 0.2 * Linear(),
            "Does a term repeat with the right period?": QuasiPeriodic(width=1.0, period=1.5, decay=4.0),
        }
        better = min(terms, key=lambda hint: _forecast(kernel + terms[hint]).error)  # which one is missing most
        refuse(f"The mean is too far off ({numbers}; error at most {largest_error:g}). {better}")
    if told.share < smallest_share:
        refuse(f"The mean is good, but the band is too sure of itself ({numbers}). Let the pattern slowly change.")
    if told.band > widest_band:
        refuse(f"The band is so wide that it says nothing ({numbers}). Are the heights too large?")
    return f"Beyond the data: {numbers}."


class _Forecast(NamedTuple):
    error: float
    share: float
    band: float


def _forecast(kernel):
    """Return how well a kernel foretells the wave; end the check if it is no covariance function."""
    future = np.arange(6, 9.01, 0.1)
    try:
        told = gp_posterior(kernel, 0.01, *rising_wave(), future[:, None])
    except (ValueError, NotAKernel) as error:
        refuse(f"{error}.")
    off = np.abs(told.mean - true_rising_wave(future))
    return _Forecast(float(np.sqrt(np.mean(off**2))), float(np.mean(off <= 2 * told.std)), float(told.std.mean()))
