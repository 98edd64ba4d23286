"""Checks of the exercises of chapter 18. They test what makes an answer right, not one stored answer."""

import numpy as np

from mlcore.errors import NotAKernel
from mlcore.exercises._verdict import right, unanswered, wrong
from mlcore.gaussian_process import gp_posterior, log_marginal_likelihood
from mlcore.kernels import Gaussian, Kernel
from mlcore.validation import as_array

__all__ = [
    "check_best_height",
    "check_extrapolation",
    "check_interpolator",
    "check_stretched_minimum",
    "rising_wave",
    "true_rising_wave",
]


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
    missing = unanswered(interpolate=interpolate)
    if missing is not None:
        return missing
    rng = np.random.default_rng(4)
    x, y = np.array([-1.5, 0.2, 1.4, 3.0]), rng.normal(size=4)
    between = np.array([-0.6, 0.9, 2.1, 30.0])
    try:
        mean, variance = interpolate(x.copy(), y.copy(), np.append(x, between))
        mean, variance = as_array("mean", mean, (8,)), as_array("variance", variance, (8,))
    except Exception as error:
        return wrong(f"{type(error).__name__}: {error}. Return two arrays with one entry for each x_new.")
    if not np.allclose(mean[:4], y, atol=1e-6):
        worst = int(np.abs(mean[:4] - y).argmax())
        return wrong(
            f"Observed was y = {y[worst]:.3f} at x = {x[worst]:g}, and the mean there is {mean[worst]:.3f}: exact "
            "observations must be met. Is there noise in the covariance of the observations?"
        )
    if np.abs(variance[:4]).max() > 1e-6:
        return wrong(
            f"At an observed point nothing is left to doubt, but a variance there is {variance[:4].max():.3g}."
        )
    if abs(mean[7]) > 1e-6 or abs(variance[7] - 1) > 1e-6:
        return wrong(
            f"At x = 30, far from everything, the prior must come back: mean 0 and variance 1, not {mean[7]:.3g} and "
            f"{variance[7]:.3g}."
        )
    holds = gp_posterior(Gaussian(1.0), 0.0, x[:, None], y, between[:, None])
    if not np.allclose(mean[4:], holds.mean, atol=1e-6):
        return wrong("The mean meets the observations but is another one between them. Which K stands where?")
    if np.allclose(variance[4:], holds.std, atol=1e-6):
        return wrong("Between the points these are standard deviations; the variances are asked for.")
    if not np.allclose(variance[4:], holds.std**2, atol=1e-6):
        return wrong("The variance is right at the observations and far away, but not between them.")
    return right("It meets every observation with variance 0, and returns to the prior far away.")


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
    missing = unanswered(best_height=best_height)
    if missing is not None:
        return missing
    rng = np.random.default_rng(1)
    for n in (3, 8, 15):
        factor = rng.normal(size=(n, n))
        K = factor @ factor.T + np.eye(n)
        y = rng.normal(size=n) * rng.uniform(0.5, 5)
        try:
            height = float(as_array("height", best_height(K.copy(), y.copy()), ()))
        except Exception as error:
            return wrong(f"{type(error).__name__}: {error}. Return one number.")
        if height <= 0:
            return wrong(f"A height is above 0, got {height:.3g}.")
        nlml, lower, higher = (_density_cost(K, y, height * factor) for factor in (1.0, 0.999, 1.001))
        if nlml > min(lower, higher):
            return wrong(_height_hint(K, y, height))
    return right("A little more or a little less height makes the data less probable, on all three data sets.")


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
    missing = unanswered(width=width, height=height, noise=noise, nlml=nlml)
    if missing is not None:
        return missing
    try:
        values = {"width": width, "height": height, "noise": noise, "nlml": nlml}
        width, height, noise, nlml = (float(as_array(name, value, ())) for name, value in values.items())
    except ValueError as error:
        return wrong(f"{error}.")
    if min(width, height, noise) <= 0:
        return wrong(f"Width, height and noise are above 0, got {width:g}, {height:g} and {noise:g}.")
    X, y = x_factor * data[0], y_factor * data[1]
    try:
        here = log_marginal_likelihood(height**2 * Gaussian(width), noise**2, X, y, gradient=True)
    except ValueError as error:
        return wrong(f"{error}.")
    slopes = {
        "width": here.gradient["right.width"] * width,
        "height": here.gradient["left.value"] * height**2 * 2,
        "noise": here.gradient["noise"] * noise**2 * 2,
    }
    steep = [name for name, slope in slopes.items() if abs(slope) > 0.05]
    if steep:
        listed = ", ".join(f"{slopes[name]:+.2f}".replace("-", "−") + f" for the {name}" for name in steep)
        return wrong(
            f"This is no minimum: the log marginal likelihood still changes, by {listed} (a slope over the logarithm "
            "of each). Which unit does each of the three have?"
        )
    if abs(nlml + here.value) > 0.02:
        return wrong(
            f"Width, height and noise are those of the minimum, but the NLML there is not {nlml:.2f}. A density has "
            "the unit 1/y, and there are n of them."
        )
    return right("The slopes vanish there: the minimum moves with the units, and its depth by n log 2.")


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
    missing = unanswered(kernel=kernel)
    if missing is not None:
        return missing
    if not isinstance(kernel, Kernel):
        return wrong(f"kernel: expected a kernel such as 2.0 * Gaussian(1.0) + Linear(), got {type(kernel).__name__}.")
    X, y = rising_wave()
    future = np.arange(6, 9.01, 0.1)
    try:
        told = gp_posterior(kernel, 0.01, X, y, future[:, None])
    except (ValueError, NotAKernel) as error:
        return wrong(f"{error}.")
    truth = true_rising_wave(future)
    error = float(np.sqrt(np.mean((told.mean - truth) ** 2)))
    share = float(np.mean(np.abs(told.mean - truth) <= 2 * told.std))
    numbers = (
        f"error {error:.2f}, {share:.0%} of the truth within the band, mean standard deviation {told.std.mean():.2f}"
    )
    if error > largest_error:
        late = np.mean(told.mean[future > 8])
        if late < 0.5 * np.mean(truth[future > 8]):
            return wrong(f"The mean falls back while the truth rises ({numbers}). Add a term for the trend.")
        return wrong(
            f"The mean is too far off ({numbers}; error at most {largest_error:g}). Does a term repeat with the right "
            "period?"
        )
    if share < smallest_share:
        return wrong(
            f"The mean is good, but the band is too sure of itself ({numbers}). Let the pattern slowly change."
        )
    if told.std.mean() > widest_band:
        return wrong(f"The band is so wide that it says nothing ({numbers}). Are the heights too large?")
    return right(f"Beyond the data: {numbers}.")
