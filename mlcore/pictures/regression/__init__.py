"""Pictures of the chapter on support vector regression."""

from mlcore.pictures.regression._penalties import two_penalties
from mlcore.pictures.regression._sparseness import support_vectors_by_epsilon
from mlcore.pictures.regression._springs import springs
from mlcore.pictures.regression._tube import curve_and_tube, line_and_tube, smallest_epsilon

__all__ = [
    "curve_and_tube",
    "line_and_tube",
    "smallest_epsilon",
    "springs",
    "support_vectors_by_epsilon",
    "two_penalties",
]
