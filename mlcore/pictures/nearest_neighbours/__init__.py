"""Pictures of the chapter on nearest neighbours."""

from mlcore.pictures.nearest_neighbours._choice_of_k import choice_of_k
from mlcore.pictures.nearest_neighbours._digit_neighbours import digit_neighbours
from mlcore.pictures.nearest_neighbours._distance_balls import distance_balls
from mlcore.pictures.nearest_neighbours._growing_k import growing_k
from mlcore.pictures.nearest_neighbours._nearest_neighbours import five_distances, known_objects, nearest_neighbours
from mlcore.pictures.nearest_neighbours._neighbour_regression import neighbour_regression
from mlcore.pictures.nearest_neighbours._noise_features import noise_features
from mlcore.pictures.nearest_neighbours._tree_search import query_cost, tree_search
from mlcore.pictures.nearest_neighbours._units_of_measure import units_of_measure
from mlcore.pictures.nearest_neighbours._weighted_votes import weighted_votes

__all__ = [
    "choice_of_k",
    "digit_neighbours",
    "distance_balls",
    "five_distances",
    "growing_k",
    "known_objects",
    "nearest_neighbours",
    "neighbour_regression",
    "noise_features",
    "query_cost",
    "tree_search",
    "units_of_measure",
    "weighted_votes",
]
