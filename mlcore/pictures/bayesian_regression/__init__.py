"""Pictures of the chapter on Bayesian linear regression."""

from mlcore.pictures.bayesian_regression._evidence import evidence_of_degrees, powers
from mlcore.pictures.bayesian_regression._lines_and_weights import one_point_one_line
from mlcore.pictures.bayesian_regression._predictive_slice import predictive_slice
from mlcore.pictures.bayesian_regression._shrinkage import shrinkage
from mlcore.pictures.bayesian_regression._weight_plane import design
from mlcore.pictures.bayesian_regression._weight_posterior import weight_posterior

__all__ = [
    "design",
    "evidence_of_degrees",
    "one_point_one_line",
    "powers",
    "predictive_slice",
    "shrinkage",
    "weight_posterior",
]
