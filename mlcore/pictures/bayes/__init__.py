"""Pictures of the chapter on Bayes' rule."""

from mlcore.pictures.bayes._box_from_draws import box_from_draws
from mlcore.pictures.bayes._boxes import boxes
from mlcore.pictures.bayes._coin_density import coin_density
from mlcore.pictures.bayes._diagnostic_test import diagnostic_test
from mlcore.pictures.bayes._interval_probability import interval_probability
from mlcore.pictures.bayes._probability_tree import probability_tree
from mlcore.pictures.bayes._repeated_tests import repeated_tests
from mlcore.pictures.bayes._two_densities import measured, two_densities
from mlcore.pictures.bayes._unit_square import unit_square

__all__ = [
    "box_from_draws",
    "boxes",
    "coin_density",
    "diagnostic_test",
    "interval_probability",
    "measured",
    "probability_tree",
    "repeated_tests",
    "two_densities",
    "unit_square",
]
