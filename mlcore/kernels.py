"""Kernels ⟨φ(x), φ(z)⟩ by name; `Kernel` tells what all of them can do, and how ``+`` and ``*`` combine them."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from mlcore.kernel_algebra import Constant, Kernel, Product, Sum
from mlcore.validation import as_nonnegative, as_positive, as_whole_number

__all__ = ["Constant", "Gaussian", "Kernel", "Linear", "Polynomial", "Product", "Sum"]


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = xᵀz: the data as they are (ES p. 38).

    Examples
    --------
    >>> Linear()([[1, 2]], [[3, 4]])
    array([[11.]])
    """

    def _matrix(self, X, Z):
        return X @ Z.T

    def _diagonal(self, X):
        return np.einsum("ij,ij->i", X, X)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (xᵀz + offset)^degree: all monomials of the features up to the degree (ES p. 56).

    Parameters
    ----------
    degree : int
        At least 1.
    offset : float
        At least 0: below 0 a Gram matrix can have negative eigenvalues.

    Raises
    ------
    ValueError
        A degree below 1 or not whole, a negative or infinite offset.

    Examples
    --------
    >>> Polynomial(degree=2, offset=1)([[1, 2]], [[3, 4]])
    array([[144.]])
    """

    degree: int = 2
    offset: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "degree", as_whole_number("degree", self.degree))
        object.__setattr__(self, "offset", as_nonnegative("offset", self.offset))

    def _matrix(self, X, Z):
        return (X @ Z.T + self.offset) ** self.degree

    def _diagonal(self, X):
        return (np.einsum("ij,ij->i", X, X) + self.offset) ** self.degree

    def _gradients(self, X, Z):
        return {"offset": self.degree * (X @ Z.T + self.offset) ** (self.degree - 1)}


@dataclass(frozen=True)
class Gaussian(Kernel):
    """k(x, z) = exp(−‖x − z‖² / (2 width²)): similarity that fades with distance (ES p. 59).

    Other texts write γ = 1/(2 width²). Distances are summed from differences, not expanded into inner
    products, so that far-off data keep their digits and the diagonal of a Gram matrix is exactly 1.

    Parameters
    ----------
    width : float
        Distance, in the unit of the features, at which the value has fallen to exp(−½) = 0.61.

    Raises
    ------
    ValueError
        A width that is not a finite number above 0.

    Examples
    --------
    >>> Gaussian(width=2)([[0, 0]], [[0, 0], [2, 0], [0, 4]]).round(3)
    array([[1.   , 0.607, 0.135]])
    """

    width: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "width", as_positive("width", self.width))

    def _matrix(self, X, Z):
        return np.exp(-(self._distances(X, Z) ** 2) / 2)

    def _diagonal(self, X):
        return np.ones(len(X))

    def _gradients(self, X, Z):
        squared = self._distances(X, Z) ** 2
        return {"width": np.exp(-squared / 2) * squared / self.width}

    def _distances(self, X, Z):
        # In widths. exp(−r²/2) is 0 long before r = 1000; the cap keeps 0 · ∞ out of the gradient.
        return np.minimum(cdist(X, Z) / self.width, 1e3)
