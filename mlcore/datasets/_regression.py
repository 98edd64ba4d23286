"""Samples of one feature with a real target: lines and waves under noise, each from its numbers or a seed."""

import numpy as np

from mlcore.validation import as_array, as_nonnegative, as_whole_number

__all__ = [
    "noisy_line",
    "noisy_wave",
    "size_and_weight",
    "ten_observations",
    "ten_points",
    "true_wave",
    "wave_with_gap",
]


def noisy_line(n=20, slope=0.8, noise=0.3, seed=0):
    """Return points near the line y = 1 + slope · x for x from 0 to 5 (as in ES p. 79–80, Fig. 33, 34).

    Parameters
    ----------
    n : int
        Number of points, at evenly spaced x.
    slope : float
    noise : float
        Standard deviation of the Gaussian noise in y.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 1)
    y : numpy.ndarray of shape (n,)
        Real targets, not labels.

    Raises
    ------
    ValueError
        A number or seed that is not whole, or too small; a slope that is not finite; negative noise.

    Examples
    --------
    >>> X, y = noisy_line(n=3, slope=2, noise=0)
    >>> y.tolist()
    [1.0, 6.0, 11.0]
    """
    slope = as_array("slope", slope, ())
    x = np.linspace(0.0, 5.0, as_whole_number("n", n))
    return x[:, None], 1 + slope * x + as_nonnegative("noise", noise) * _generator(seed).normal(size=len(x))


def size_and_weight():
    """Return ten samples of size and weight with a line in mind (after ES p. 79–80, Fig. 33, 34).

    Returns
    -------
    X : numpy.ndarray of shape (10, 1)
        Size.
    y : numpy.ndarray of shape (10,)
        Weight, with one decimal.
    """
    X, y = noisy_line(n=10, slope=0.8, noise=0.6, seed=19)
    return X, y.round(1)


def ten_observations():
    """Return ten observations of the line −1 + 0.8t with noise of standard deviation 1 (like ES Fig. 48).

    Returns
    -------
    t, y : numpy.ndarray of shape (10,)
        In the order in which they arrive.
    """
    t = [3.2, 2.9, 7.2, 0.9, 8.8, 1.5, 6.7, 4.6, 9.5, 5.4]
    y = [-0.4, 2.4, 4.4, -1.2, 5.4, -0.5, 4.7, 2.6, 8.1, 1.5]
    return np.array(t), np.array(y)


def noisy_wave(n=40, noise=0.2, seed=0):
    """Return points near the curve y = sin x for x from 0 to 2π: a regression no line can do (ES p. 82).

    Parameters
    ----------
    n : int
        Number of points, at evenly spaced x.
    noise : float
        Standard deviation of the Gaussian noise in y.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 1)
    y : numpy.ndarray of shape (n,)
        Real targets, not labels.

    Raises
    ------
    ValueError
        A number or seed that is not whole, or too small; negative noise.

    Examples
    --------
    >>> X, y = noisy_wave(n=5, noise=0)
    >>> y.round(6).tolist()
    [0.0, 1.0, 0.0, -1.0, -0.0]
    """
    x = np.linspace(0.0, 2 * np.pi, as_whole_number("n", n))
    return x[:, None], np.sin(x) + as_nonnegative("noise", noise) * _generator(seed).normal(size=len(x))


def true_wave(x):
    """Return the curve sin x + ½ sin 2x behind `wave_with_gap`."""
    return np.sin(x) + np.sin(2 * x) / 2


def wave_with_gap(n=18, noise=0.3, seed=3):
    """Return noisy observations of `true_wave` from 0 to 10 with none between 5.5 and 8.

    Parameters
    ----------
    n : int
        Number of observations.
    noise : float
        Their standard deviation.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 1)
    y : numpy.ndarray of shape (n,)
    """
    n, rng = as_whole_number("n", n), _generator(seed)
    x = np.linspace(0.3, 7.4, n) + rng.uniform(-0.15, 0.15, n)
    x = np.where(x > 5.5, x + 2.5, x)
    y = true_wave(x) + as_nonnegative("noise", noise) * rng.normal(size=n)
    return x[:, None].round(2), y.round(2)


def ten_points():
    """Return ten noisy observations of sin 0.9x that have two explanations.

    Returns
    -------
    X : numpy.ndarray of shape (10, 1)
    y : numpy.ndarray of shape (10,)
    """
    rng = _generator(31)
    x = np.sort(rng.uniform(0, 10, 10)).round(2)
    return x[:, None], (np.sin(0.9 * x) + 0.25 * rng.normal(size=10)).round(2)


def _generator(seed):
    return np.random.default_rng(as_whole_number("seed", seed, least=0))
