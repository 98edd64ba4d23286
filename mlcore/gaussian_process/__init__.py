"""Gaussian processes: one task and several, their posterior, their likelihood and how it is maximised."""

from mlcore.gaussian_process._conditional import condition
from mlcore.gaussian_process._multitask_model import (
    MultiTaskModel,
    multitask_log_marginal_likelihood,
    multitask_posterior,
)
from mlcore.gaussian_process._multitask_regressor import MultiTaskGP
from mlcore.gaussian_process._process import GPPrediction
from mlcore.gaussian_process._regressor import GaussianProcessRegressor
from mlcore.gaussian_process._single_task import (
    gp_posterior,
    log_marginal_likelihood,
    posterior_samples,
    prior_samples,
)
from mlcore.gaussian_process._task_covariance import TaskCovariance

__all__ = [
    "GPPrediction",
    "GaussianProcessRegressor",
    "MultiTaskGP",
    "MultiTaskModel",
    "TaskCovariance",
    "condition",
    "gp_posterior",
    "log_marginal_likelihood",
    "multitask_log_marginal_likelihood",
    "multitask_posterior",
    "posterior_samples",
    "prior_samples",
]
