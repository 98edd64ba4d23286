"""Linear models: Bayesian linear regression."""

from mlcore.linear_model._bayesian_linear import LinearPrediction, WeightPosterior, log_likelihood, log_prior, posterior
from mlcore.linear_model._bayesian_linear_regressor import BayesianLinearRegressor

__all__ = [
    "BayesianLinearRegressor",
    "LinearPrediction",
    "WeightPosterior",
    "log_likelihood",
    "log_prior",
    "posterior",
]
