"""Nearest neighbours: classification, regression, and the k-d tree that finds them."""

from mlcore.neighbors._kd_tree import Cell, SearchResult, SearchStep, build_cells, search_cells
from mlcore.neighbors._neighbors import KNeighborsClassifier, KNeighborsRegressor, k_nearest

__all__ = [
    "Cell",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "SearchResult",
    "SearchStep",
    "build_cells",
    "k_nearest",
    "search_cells",
]
