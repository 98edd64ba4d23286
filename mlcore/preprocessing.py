"""Bringing features to a common scale."""

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.validation import all_or_nothing, as_array

__all__ = ["StandardScaler", "mean_and_deviation"]

SAME = 8 * np.finfo(float).eps  # relative to the largest value of a column: so little is rounding, not deviation


class StandardScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Count every feature from its mean, in units of its standard deviation: z = (x − mean) / deviation.

    Distances, inner products and penalties then no longer depend on the units of measurement. Fit it to training
    data only: a mean that has seen the test data has seen the answer.

    Parameters
    ----------
    with_mean, with_std : bool
        Whether to subtract the mean and to divide by the deviation.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of str
        If the training data came with names.
    mean_ : numpy.ndarray of shape (d,)
        What is subtracted, in the unit of each feature.
    scale_ : numpy.ndarray of shape (d,)
        What is divided by: the standard deviation, with the divisor n, also in that unit. A constant feature has
        none: 1 stands in its place, so that it becomes 0.
    constant_ : numpy.ndarray of bool of shape (d,)
        Features with one value only, but for rounding.

    Raises
    ------
    ValueError
        Data that are no finite numbers, or another number of features than on fitting.

    Notes
    -----
    As `sklearn.preprocessing.StandardScaler`.

    Examples
    --------
    >>> scaler = StandardScaler().fit([[170, 0.1], [190, 0.1]])
    >>> scaler.transform([[180, 0.1], [200, 0.4]]).round(6).tolist(), scaler.constant_.tolist()
    ([[0.0, 0.0], [2.0, 0.3]], [False, True])
    """

    def __init__(self, with_mean=True, with_std=True):
        self.with_mean = with_mean
        self.with_std = with_std

    @all_or_nothing
    def fit(self, X, y=None):
        """Find mean and deviation of every column of X, shape (n, d); y is not looked at."""
        X = validate_data(self, X, dtype=np.float64)
        mean, deviation = mean_and_deviation(X)
        self.constant_ = deviation == 0
        self.mean_ = mean if self.with_mean else np.zeros_like(mean)
        self.scale_ = np.where(self.constant_, 1.0, deviation) if self.with_std else np.ones_like(deviation)
        return self

    def transform(self, X):
        """Return the features of X, shape (m, d), without units."""
        check_is_fitted(self)
        return (validate_data(self, X, dtype=np.float64, reset=False) - self.mean_) / self.scale_

    def inverse_transform(self, X):
        """Return what `transform` made X of, shape (m, d), in the units of the features."""
        check_is_fitted(self)
        return as_array("X", X, ("m", self.n_features_in_)) * self.scale_ + self.mean_


def mean_and_deviation(X):
    """Return mean and standard deviation (divisor n) of the columns of an array, each of shape (d,).

    Parameters
    ----------
    X : numpy.ndarray of shape (n, d)
        Finite, n at least 1.

    Returns
    -------
    mean, deviation : numpy.ndarray of shape (d,)
        The deviation is exactly 0 where all values are the same but for rounding.

    Notes
    -----
    Counting from the first row in units of a power of two changes no digit, but keeps the mean of equal numbers from
    being another number (the mean of three times 0.1 is not 0.1), and squares from leaving the range of floats.

    Examples
    --------
    >>> mean_and_deviation(np.array([[0.1, 1e300], [0.1, 3e300], [0.1, 5e300]]))[1].round(3)
    array([0.00000000e+000, 1.63299316e+300])
    """
    exponents = np.frexp(np.abs(X).max(axis=0))[1]
    scaled = np.ldexp(X, -exponents)
    differences = scaled - scaled[0]
    centre = differences.mean(axis=0)
    deviation = np.sqrt(((differences - centre) ** 2).mean(axis=0))
    deviation = np.where(deviation <= SAME, 0.0, deviation)
    return np.ldexp(scaled[0] + centre, exponents), np.ldexp(deviation, exponents)
