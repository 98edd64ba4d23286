"""The data of the book: the point sets of the sources, clouds to experiment with, and flowers.

Classes are labelled +1 and −1. Whatever is drawn at random is fixed by its seed, and shape parameters do not
change the draws: two clouds of one seed keep their form while their distance is changed.
"""

import numpy as np
from sklearn.datasets import load_iris, make_moons

from mlcore.datasets._point_sets import (
    five_points,
    four_corners,
    four_points,
    metal_and_wood,
    mislabelled_points,
    nine_on_a_line,
    two_columns,
    two_points,
    two_points_3d,
)
from mlcore.validation import as_array, as_nonnegative, as_whole_number

__all__ = [
    "circle_data",
    "five_points",
    "four_corners",
    "four_points",
    "iris_pair",
    "metal_and_wood",
    "mislabelled_points",
    "moons",
    "nine_on_a_line",
    "noisy_line",
    "noisy_wave",
    "shape_bitmaps",
    "two_clouds",
    "two_columns",
    "two_points",
    "two_points_3d",
]


def circle_data(n=200, seed=0):
    """Return points of the square [−1.5, 1.5]², positive inside the unit circle (ES p. 53–54, Fig. 26, 27).

    Parameters
    ----------
    n : int
        Number of points.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 2)
    y : numpy.ndarray of shape (n,)

    Raises
    ------
    ValueError
        A number or seed that is not whole, or too small.

    Examples
    --------
    >>> X, y = circle_data(n=50)
    >>> bool(((X**2).sum(axis=1) < 1).sum() == (y > 0).sum())
    True
    """
    X = _generator(seed).uniform(-1.5, 1.5, size=(as_whole_number("n", n), 2))
    return X, np.where((X**2).sum(axis=1) < 1, 1.0, -1.0)


def two_clouds(n=60, distance=3.0, seed=0):
    """Return two round Gaussian clouds of standard deviation 1 that overlap the more, the closer they are.

    Parameters
    ----------
    n : int
        Number of points, at least 2; the first half, rounded up, is the positive cloud.
    distance : float
        Between the centres, in standard deviations. The centres lie on the diagonal, on either side of 0.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 2)
    y : numpy.ndarray of shape (n,)

    Raises
    ------
    ValueError
        A number or seed that is not whole, or too small; a negative distance.

    Examples
    --------
    >>> near, y = two_clouds(distance=1.0)
    >>> far, _ = two_clouds(distance=1.0 + np.sqrt(2))
    >>> (far - near)[[0, -1]].round(3).tolist()
    [[0.5, 0.5], [-0.5, -0.5]]
    """
    n = as_whole_number("n", n, least=2)
    y = np.where(np.arange(n) < (n + 1) // 2, 1.0, -1.0)
    centre = as_nonnegative("distance", distance) / 2 * np.array([1, 1]) / np.sqrt(2)
    return _generator(seed).normal(size=(n, 2)) + y[:, None] * centre, y


def moons(n=100, noise=0.15, seed=0):
    """Return two interlocked half circles, the lower one positive (HJ, example with moons).

    Parameters
    ----------
    n : int
        Number of points, at least 2.
    noise : float
        Standard deviation of the displacement of each coordinate; the radius of the circles is 1.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 2)
    y : numpy.ndarray of shape (n,)

    Raises
    ------
    ValueError
        A number or seed that is not whole, or too small; negative noise.

    Examples
    --------
    >>> X, y = moons(n=10, noise=0.0)
    >>> bool(X[y > 0, 1].max() <= 0.5 and X[y < 0, 1].min() >= 0)
    True
    """
    n = as_whole_number("n", n, least=2)
    noise = as_nonnegative("noise", noise)
    X, y = make_moons(n, noise=noise, random_state=as_whole_number("seed", seed, least=0))
    return X, np.where(y == 1, 1.0, -1.0)


def iris_pair(names=("setosa", "versicolor"), features=None):
    """Return two species of Fisher's iris flowers, fifty flowers each (HJ, first example).

    Parameters
    ----------
    names : pair of str
        Two of "setosa", "versicolor" and "virginica": the first is labelled −1, the second +1.
    features : sequence of str, optional
        Some of "sepal length", "sepal width", "petal length" and "petal width", in the wanted order. All four
        if left out.

    Returns
    -------
    X : numpy.ndarray of shape (100, len(features))
        Measurements in cm, the flowers of the first species first.
    y : numpy.ndarray of shape (100,)
    feature_names : tuple of str

    Raises
    ------
    ValueError
        Unknown or repeated names.

    Examples
    --------
    >>> X, y, feature_names = iris_pair(features=("petal length", "petal width"))
    >>> X[0].tolist(), y[0].item(), feature_names
    ([1.4, 0.2], -1.0, ('petal length', 'petal width'))
    """
    iris = load_iris()
    species = [str(name) for name in iris.target_names]
    measured = [name.removesuffix(" (cm)") for name in iris.feature_names]
    first, second = _among("names", names, species, exactly=2)
    features = _among("features", measured if features is None else features, measured)
    rows = [np.flatnonzero(iris.target == species.index(name)) for name in (first, second)]
    X = iris.data[np.concatenate(rows)][:, [measured.index(name) for name in features]]
    return X, np.repeat([-1.0, 1.0], [len(part) for part in rows]), features


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


def shape_bitmaps(n=40, noise=0.1, seed=0):
    """Return bitmaps of 16 × 16 pixels that show a rectangle or a circle under pixel noise (ES p. 77).

    Parameters
    ----------
    n : int
        Number of bitmaps, at least 2: rectangles and circles in turn, rectangles first.
    noise : float
        Probability, from 0 to 1, that a pixel is flipped.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 256)
        Pixels row by row, 0 or 1; ``X[0].reshape(16, 16)`` is the first picture.
    y : numpy.ndarray of shape (n,)
        +1 for a rectangle, −1 for a circle.

    Raises
    ------
    ValueError
        A number or seed that is not whole, or too small; noise outside [0, 1].

    Examples
    --------
    >>> X, y = shape_bitmaps(n=2, noise=0.0)
    >>> X.sum(axis=1).tolist()
    [40.0, 32.0]
    """
    n = as_whole_number("n", n, least=2)
    if not 0 <= as_nonnegative("noise", noise) <= 1:
        raise ValueError(f"noise: expected a probability from 0 to 1, got {noise!r}")
    across, down = np.meshgrid(np.arange(16) - 7.5, np.arange(16) - 7.5)
    rectangle = np.maximum(np.abs(across) - 5.5, np.abs(down) - 4.5) == 0
    circle = np.abs(np.hypot(across, down) - 5.5) < 0.5
    outlines = np.stack([rectangle, circle]).reshape(2, 256)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    flipped = _generator(seed).random(size=(n, 256)) < noise
    return (outlines[(y < 0).astype(int)] != flipped).astype(float), y


def _generator(seed):
    return np.random.default_rng(as_whole_number("seed", seed, least=0))


def _among(name, chosen, known, exactly=None):
    chosen = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    wrong_count = not chosen or (exactly is not None and len(chosen) != exactly)
    if wrong_count or len(set(chosen)) < len(chosen) or not set(chosen) <= set(known):
        count = "" if exactly is None else f"{exactly} "
        raise ValueError(f"{name}: expected {count}different names among {known}, got {chosen}")
    return chosen
