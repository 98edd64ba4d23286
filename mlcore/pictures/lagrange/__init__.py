"""Pictures of the chapter on Lagrange multipliers."""

from mlcore.pictures.lagrange._bump_in_space import bump_in_space
from mlcore.pictures.lagrange._duality_gap import duality_gap
from mlcore.pictures.lagrange._flipped_labels import flipped_labels
from mlcore.pictures.lagrange._force_balance import ball_and_walls
from mlcore.pictures.lagrange._saddle import saddle
from mlcore.pictures.lagrange._tangent_curves import tangent_curves

__all__ = [
    "ball_and_walls",
    "bump_in_space",
    "duality_gap",
    "flipped_labels",
    "saddle",
    "tangent_curves",
]
