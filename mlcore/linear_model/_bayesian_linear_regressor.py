"""Bayesian linear regression as a scikit-learn estimator."""

from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.linear_model._bayesian_linear import posterior
from mlcore.validation import all_or_nothing, as_positive

__all__ = ["BayesianLinearRegressor"]


class BayesianLinearRegressor(RegressorMixin, BaseEstimator):
    """Linear regression y = x·w + b + noise with a Gaussian prior w ~ N(0, Σ_p) on the weights.

    The offset b has a flat prior: it is not drawn towards zero, and the data may be shifted without changing w.
    For an offset with a prior of its own take `fit_intercept=False` and a feature that is always 1.

    Parameters
    ----------
    prior_covariance : float or array_like of shape (d,) or (d, d)
        Σ_p: one variance for all weights, a variance for each, or the matrix.
    noise : float
        Variance σ_n² of the noise, above 0, in the squared unit of y.
    fit_intercept : bool
        Whether there is an offset b; without it b is 0.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of str
        If the training data came with names.
    posterior_ : mlcore.linear_model.WeightPosterior
        Of w; with an offset it is that of the centred data.
    coef_ : numpy.ndarray of shape (n_features_in_,)
        Mean of w, which is also the MAP estimate and that of ridge regression.
    covariance_ : numpy.ndarray of shape (n_features_in_, n_features_in_)
        Of w.
    intercept_ : float
        Mean of b.
    log_evidence_ : float
        Log density of y, every constant included. With an offset, whose flat prior leaves the level of y without a
        density, that of y up to its level: of n − 1 orthonormal contrasts.

    Raises
    ------
    ValueError
        On fitting: an invalid parameter or invalid data.

    Notes
    -----
    ES 10.2. The mean is that of `sklearn.linear_model.Ridge` with alpha = σ_n²/σ_p², for Σ_p = σ_p²I. Standard
    deviations include that of the offset, which `sklearn.linear_model.BayesianRidge` leaves out.

    Examples
    --------
    >>> model = BayesianLinearRegressor(prior_covariance=100.0, noise=0.01).fit([[0], [1], [2]], [1, 2, 3])
    >>> mean, std = model.predict([[1], [9]], return_std=True)
    >>> mean.round(3).tolist(), std.round(3).tolist()
    ([2.0, 10.0], [0.058, 0.569])
    """

    def __init__(self, prior_covariance=1.0, noise=1.0, fit_intercept=True):
        self.prior_covariance = prior_covariance
        self.noise = noise
        self.fit_intercept = fit_intercept

    @all_or_nothing
    def fit(self, X, y):
        """Compute the posterior of the weights.

        Parameters
        ----------
        X : array_like of shape (n, d)
        y : array_like of shape (n,)
            Targets.

        Returns
        -------
        BayesianLinearRegressor
            The regressor itself.
        """
        noise = as_positive("noise", self.noise)
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        y = y.astype(np.float64)
        self._centre_ = X.mean(axis=0) if self.fit_intercept else np.zeros(X.shape[1])
        self._level_ = float(y.mean()) if self.fit_intercept else 0.0
        self._level_variance_ = noise / len(y) if self.fit_intercept else 0.0
        self.posterior_ = posterior(X - self._centre_, y - self._level_, self.prior_covariance, noise)
        self.coef_, self.covariance_ = self.posterior_.mean, self.posterior_.covariance
        self.intercept_ = self._level_ - float(self._centre_ @ self.coef_)
        # The mean of the centred targets is exactly 0; its density N(0; 0, σ_n²) is no news and is taken out again.
        level_density = -0.5 * np.log(2 * np.pi * noise) if self.fit_intercept else 0.0
        self.log_evidence_ = self.posterior_.log_evidence - float(level_density)
        return self

    def predict(self, X, return_std=False, with_noise=False):
        """Return the mean of f(x), and how sure it is.

        Parameters
        ----------
        X : array_like of shape (m, d)
        return_std : bool
            Whether to return standard deviations too.
        with_noise : bool
            Whether these are those of a new observation; else of f(x).

        Returns
        -------
        mean : numpy.ndarray of shape (m,)
            In the unit of y.
        std : numpy.ndarray of shape (m,)
            Only with `return_std`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        weights = self.posterior_.predict(X - self._centre_)
        f = replace(weights, mean=weights.mean + self._level_, variance=weights.variance + self._level_variance_)
        if not return_std:
            return f.mean
        return f.mean, f.std_with_noise if with_noise else f.std
