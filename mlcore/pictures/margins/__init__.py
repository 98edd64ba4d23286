"""Pictures of the chapter on margins."""

from mlcore.pictures.margins._hinge_loss import hinge_loss
from mlcore.pictures.margins._margins import fifth_point, hard_margin, rotating_line, soft_margin
from mlcore.pictures.margins._quadratic_bowl import quadratic_bowl
from mlcore.pictures.margins._three_classifiers import three_classifiers

__all__ = [
    "fifth_point",
    "hard_margin",
    "hinge_loss",
    "quadratic_bowl",
    "rotating_line",
    "soft_margin",
    "three_classifiers",
]
