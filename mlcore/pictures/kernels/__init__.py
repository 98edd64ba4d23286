"""Pictures of the chapter on kernels."""

from mlcore.pictures.kernels._eigen_features import eigen_features
from mlcore.pictures.kernels._gram_spectrum import gram_spectrum
from mlcore.pictures.kernels._kernel_machines import gaussian_machine, polynomial_machine
from mlcore.pictures.kernels._landmarks import landmarks
from mlcore.pictures.kernels._lifted_circle import lifted_circle
from mlcore.pictures.kernels._reproducing_property import reproducing_property

__all__ = [
    "eigen_features",
    "gaussian_machine",
    "gram_spectrum",
    "landmarks",
    "lifted_circle",
    "polynomial_machine",
    "reproducing_property",
]
