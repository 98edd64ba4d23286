"""Pictures of the chapter on Gaussian processes."""

from mlcore.pictures.gaussian_processes._arriving_points import arriving_points
from mlcore.pictures.gaussian_processes._covariance_extrapolation import covariance_extrapolation
from mlcore.pictures.gaussian_processes._covariance_functions import covariance_functions
from mlcore.pictures.gaussian_processes._gaussian_process import regression
from mlcore.pictures.gaussian_processes._gaussian_slice import gaussian_slice
from mlcore.pictures.gaussian_processes._likelihood_over_width import likelihood_over_width
from mlcore.pictures.gaussian_processes._mountain_profile import mountain_profile
from mlcore.pictures.gaussian_processes._two_explanations import two_explanations
from mlcore.pictures.gaussian_processes._two_points_of_a_curve import two_points_of_a_curve

__all__ = [
    "arriving_points",
    "covariance_extrapolation",
    "covariance_functions",
    "gaussian_slice",
    "likelihood_over_width",
    "mountain_profile",
    "regression",
    "two_explanations",
    "two_points_of_a_curve",
]
