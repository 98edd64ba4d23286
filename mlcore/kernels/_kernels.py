"""Kernels ⟨φ(x), φ(z)⟩ by name; `Kernel` tells what all of them can do, and how ``+`` and ``*`` combine them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.spatial.distance import cdist

from mlcore.kernels._algebra import Kernel, Product
from mlcore.validation import as_array, as_nonnegative, as_positive, as_whole_number

__all__ = ["AllSubsets", "Gaussian", "Linear", "Periodic", "Polynomial", "QuasiPeriodic", "Sigmoid"]

LEAST_EXPONENT = -5e5  # exp(−5e5) is 0; the bound keeps 0 · ∞ out of the gradients


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = xᵀz: the data as they are (ES p. 38).

    Examples
    --------
    >>> Linear()([[1, 2]], [[3, 4]])
    array([[11.]])
    """

    is_positive_semidefinite: ClassVar[bool] = True

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

    is_positive_semidefinite: ClassVar[bool] = True

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

    is_positive_semidefinite: ClassVar[bool] = True

    width: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "width", as_positive("width", self.width))

    def _matrix(self, X, Z):
        exponents = self._exponents(X, Z)
        return np.exp(exponents, out=exponents)

    def _diagonal(self, X):
        return np.ones(len(X))

    def _gradients(self, X, Z):
        return self._matrix_and_gradients(X, Z)[1]

    def _matrix_and_gradients(self, X, Z):
        exponents = self._exponents(X, Z)
        values = np.exp(exponents)
        exponents *= values
        exponents /= self.width
        exponents *= -2
        return values, {"width": exponents}

    def _exponents(self, X, Z):
        # −‖x − z‖² / (2 width²), in place: new large matrices cost more than the sums.
        # The sign of a difference does not matter, and for a single feature cdist is slower by far.
        if X.shape[1] == 1:
            exponents = np.subtract.outer(X[:, 0], Z[:, 0])
            exponents /= self.width
        else:  # counted in a power of 2, which costs no digit: the squares of 1e200 and 1e-200 would be lost
            largest = max(np.abs(X).max(initial=0), np.abs(Z).max(initial=0))
            unit = 2.0 ** np.round(np.log2(max(self.width, 1e-150 * largest)))
            exponents = cdist(X / unit, Z / unit)
            exponents /= max(self.width / unit, np.finfo(float).tiny)
        exponents *= exponents
        exponents *= -0.5
        return np.maximum(exponents, LEAST_EXPONENT, out=exponents)


@dataclass(frozen=True)
class Periodic(Kernel):
    """k(x, z) = exp(−2 Σⱼ sin²(π(xⱼ − zⱼ)/period) / width²): similarity that returns with every period (ES p. 113).

    It is `Gaussian` after every feature was wound around a unit circle, (cos 2πxⱼ/period, sin 2πxⱼ/period), which
    shows that it is a kernel. The sine of the distance ‖x − z‖ instead of the sum over the features, as some texts
    have it, is none in two or more dimensions.

    Parameters
    ----------
    width : float
        Length, in radii of that circle, of the chord at which the value has fallen to exp(−½) = 0.61.
    period : float
        In the unit of the features.

    Raises
    ------
    ValueError
        A width or period that is not a finite number above 0.

    Examples
    --------
    >>> Periodic(width=2, period=7)([[0]], [[0], [3.5], [7], [700]]).round(3)
    array([[1.   , 0.607, 1.   , 1.   ]])
    """

    is_positive_semidefinite: ClassVar[bool] = True

    width: float = 1.0
    period: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "width", as_positive("width", self.width))
        object.__setattr__(self, "period", as_positive("period", self.period))

    def _matrix(self, X, Z):
        exponents = self._exponents(X, Z)
        return np.exp(exponents, out=exponents)

    def _diagonal(self, X):
        return np.ones(len(X))

    def _gradients(self, X, Z):
        return self._matrix_and_gradients(X, Z)[1]

    def _matrix_and_gradients(self, X, Z):
        exponents = self._exponents(X, Z)
        values = np.exp(exponents)
        by_period = np.zeros_like(values)
        for x, z in zip(X.T, Z.T):
            turning = self._sines(x, z)
            turning *= self._cosines(x, z)
            turning *= np.subtract.outer(x, z)
            by_period += turning
        by_period *= values
        for divisor in (self.width, self.width, self.period, self.period):  # the square of a small number may be 0
            by_period /= divisor
        by_period *= 4 * np.pi
        exponents *= values
        exponents /= self.width
        exponents *= -2
        return values, {"width": exponents, "period": by_period}

    def _exponents(self, X, Z):
        exponents = np.zeros((len(X), len(Z)))
        for x, z in zip(X.T, Z.T):
            squares = self._sines(x, z)
            squares *= squares
            exponents += squares
        for divisor in (self.width, self.width, -0.5):
            exponents /= divisor
        return np.maximum(exponents, LEAST_EXPONENT, out=exponents)

    # Sine and cosine of π(x − z)/period by the sums of angles: n + m of them are computed instead of n · m.

    def _sines(self, x, z):
        (sin_x, cos_x), (sin_z, cos_z) = self._on_circle(x), self._on_circle(z)
        sines = np.outer(sin_x, cos_z)
        sines -= np.outer(cos_x, sin_z)
        return sines

    def _cosines(self, x, z):
        (sin_x, cos_x), (sin_z, cos_z) = self._on_circle(x), self._on_circle(z)
        cosines = np.outer(cos_x, cos_z)
        cosines += np.outer(sin_x, sin_z)
        return cosines

    def _on_circle(self, x):
        # Less whole periods, which fmod takes off without rounding; that may turn both signs, which cancels.
        angle = np.pi * (np.fmod(x, self.period) / self.period)
        return np.sin(angle), np.cos(angle)


@dataclass(frozen=True)
class QuasiPeriodic(Kernel):
    """k(x, z) = exp(−2 Σⱼ sin²(π(xⱼ − zⱼ)/period) / width²) · exp(−‖x − z‖² / (2 decay²)) (ES p. 113).

    A pattern that repeats, and slowly forgets itself: the product of `Periodic` and `Gaussian`.

    Parameters
    ----------
    width : float
        As for `Periodic`.
    period : float
        In the unit of the features.
    decay : float
        Width of the Gaussian: distance at which a repetition counts exp(−½) = 0.61.

    Raises
    ------
    ValueError
        A parameter that is not a finite number above 0.

    Examples
    --------
    >>> QuasiPeriodic(width=2, period=7, decay=14)([[0]], [[0], [3.5], [7], [14]]).round(3)
    array([[1.   , 0.588, 0.882, 0.607]])
    """

    is_positive_semidefinite: ClassVar[bool] = True

    width: float = 1.0
    period: float = 1.0
    decay: float = 1.0

    def __post_init__(self):
        for name in ("width", "period", "decay"):
            object.__setattr__(self, name, as_positive(name, getattr(self, name)))

    def _matrix(self, X, Z):
        return self._factors()._matrix(X, Z)

    def _diagonal(self, X):
        return np.ones(len(X))

    def _gradients(self, X, Z):
        return self._matrix_and_gradients(X, Z)[1]

    def _matrix_and_gradients(self, X, Z):
        values, gradients = self._factors()._matrix_and_gradients(X, Z)
        return values, dict(zip(self.parameters, gradients.values()))

    def _factors(self):
        return Product(Periodic(self.width, self.period), Gaussian(self.decay))


@dataclass(frozen=True)
class AllSubsets(Kernel):
    """k(x, z) = ∏ⱼ (1 + xⱼzⱼ): a feature for every subset of the features, their product (MW app. B.2).

    Examples
    --------
    >>> AllSubsets()([[1, 2]], [[3, 4]])
    array([[36.]])
    """

    is_positive_semidefinite: ClassVar[bool] = True

    def _matrix(self, X, Z):
        values = np.ones((len(X), len(Z)))
        for x, z in zip(X.T, Z.T):
            values *= 1 + np.outer(x, z)
        return values

    def _diagonal(self, X):
        return np.prod(1 + X**2, axis=1)


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """k(x, z) = tanh(slope · xᵀz + offset): not a kernel, though often called one (HJ).

    Its Gram matrices can have negative eigenvalues, so no feature map lies behind it. Solvers that need a kernel look
    at the matrix and raise `mlcore.errors.NotAKernel`.

    Parameters
    ----------
    slope : float
        Above 0.
    offset : float
        Of either sign.

    Raises
    ------
    ValueError
        A slope that is not a finite number above 0, or an offset that is not finite.

    Examples
    --------
    >>> K = Sigmoid(slope=1, offset=-1)([[0], [1]])
    >>> np.linalg.eigvalsh(K).round(2)
    array([-1.23,  0.47])
    """

    slope: float = 1.0
    offset: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "slope", as_positive("slope", self.slope))
        object.__setattr__(self, "offset", float(as_array("offset", self.offset, ())))

    def _matrix(self, X, Z):
        return np.tanh(self.slope * (X @ Z.T) + self.offset)

    def _diagonal(self, X):
        return np.tanh(self.slope * np.einsum("ij,ij->i", X, X) + self.offset)

    def _gradients(self, X, Z):
        products = X @ Z.T
        steepness = 1 - np.tanh(self.slope * products + self.offset) ** 2
        return {"slope": steepness * products, "offset": steepness}
