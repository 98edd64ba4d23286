"""Points and pictures of two or more classes: clouds to experiment with, flowers, bitmaps and digits.

Two classes are labelled +1 and −1. Whatever is drawn at random is fixed by its seed, and shape parameters do not
change the draws: two clouds of one seed keep their form while their distance is changed.
"""

import numpy as np
from sklearn.datasets import load_digits, load_iris, make_moons

from mlcore.validation import as_nonnegative, as_whole_number

__all__ = [
    "circle_data",
    "digit_split",
    "iris_pair",
    "moons",
    "moons_in_standard_deviations",
    "overlapping_clouds",
    "shape_bitmaps",
    "sixteen_points",
    "two_clouds",
]

_DIGITS_TO_LEARN = 1000


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


def overlapping_clouds():
    """Return two overlapping clouds of twenty points each: `two_clouds` at the distance 2.2.

    Returns
    -------
    X : numpy.ndarray of shape (40, 2)
    y : numpy.ndarray of shape (40,)
    """
    return two_clouds(n=40, distance=2.2, seed=4)


def sixteen_points():
    """Return sixteen points of two overlapping clouds, with one decimal: few enough to watch single steps.

    Returns
    -------
    X : numpy.ndarray of shape (16, 2)
    y : numpy.ndarray of shape (16,)
    """
    X, y = two_clouds(n=16, distance=2.2, seed=5)
    return X.round(1), y


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


def moons_in_standard_deviations(n=100, seed=0):
    """Return the moons of HJ's example, every coordinate scaled to mean 0 and standard deviation 1.

    Parameters
    ----------
    n : int
        Number of points.
    seed : int

    Returns
    -------
    X : numpy.ndarray of shape (n, 2)
    y : numpy.ndarray of shape (n,)
        +1 and −1.

    Examples
    --------
    >>> X, y = moons_in_standard_deviations()
    >>> bool(np.allclose(X.std(axis=0), 1))
    True
    """
    X, y = moons(n=n, noise=0.15, seed=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


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


def digit_split():
    """Return the digits of scikit-learn, cut into 1000 to learn from and 797 fresh ones.

    Returns
    -------
    X, y, fresh_X, fresh_y : numpy.ndarray of shape (1000, 64), (1000,), (797, 64) and (797,)
        Pixels from 0 to 16, row by row, and digits.
    """
    digits, known, fresh = load_digits(), slice(_DIGITS_TO_LEARN), slice(_DIGITS_TO_LEARN, None)
    return tuple(part for some in (known, fresh) for part in (digits.data[some], digits.target[some]))


def _generator(seed):
    return np.random.default_rng(as_whole_number("seed", seed, least=0))


def _among(name, chosen, known, exactly=None):
    chosen = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    wrong_count = not chosen or (exactly is not None and len(chosen) != exactly)
    if wrong_count or len(set(chosen)) < len(chosen) or not set(chosen) <= set(known):
        count = "" if exactly is None else f"{exactly} "
        raise ValueError(f"{name}: expected {count}different names among {known}, got {chosen}")
    return chosen
