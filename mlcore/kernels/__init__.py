"""Kernels as functions to add and multiply, feature maps of some, and what holds for their Gram matrices."""

from mlcore.kernels._algebra import Constant, Kernel, Product, Sum
from mlcore.kernels._feature_maps import all_subsets_features, polynomial_features
from mlcore.kernels._gram_matrix import as_gram_matrix, center_gram, check_positive_semidefinite
from mlcore.kernels._gram_rows import GramRows, RowStore
from mlcore.kernels._kernels import AllSubsets, Gaussian, Linear, Periodic, Polynomial, QuasiPeriodic, Sigmoid

__all__ = [
    "AllSubsets",
    "Constant",
    "Gaussian",
    "GramRows",
    "Kernel",
    "Linear",
    "Periodic",
    "Polynomial",
    "Product",
    "QuasiPeriodic",
    "RowStore",
    "Sigmoid",
    "Sum",
    "as_gram_matrix",
    "all_subsets_features",
    "center_gram",
    "check_positive_semidefinite",
    "polynomial_features",
]
