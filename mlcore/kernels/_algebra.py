"""The algebra of kernels: what every kernel can do, and how sums, products and constants make new ones.

A kernel is an inner product ⟨φ(x), φ(z)⟩ in a feature space that never has to be built. Each is a frozen
dataclass, so it can be compared, hashed, printed and read back. Calling it gives the matrix of values between
the rows of two arrays.

A new kernel states its formula in `_matrix`, its values k(x, x) in `_diagonal`, and the derivatives with respect
to its float fields in `_gradients`; the three may rely on finite float arrays of matching shapes, and must return
arrays that the caller may overwrite.
"""

from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import ClassVar

import numpy as np

from mlcore.validation import as_array, as_nonnegative

__all__ = ["Constant", "Kernel", "Product", "Sum"]


class Kernel:
    """Base of all kernels: shape checks, the algebra of kernels and the access to parameters.

    Attributes
    ----------
    is_positive_semidefinite : bool
        Whether every Gram matrix of this kernel is known to be positive semidefinite, as Mercer's theorem demands
        (ES p. 58). Of a kernel that does not say so, solvers look at the matrix.
    """

    is_positive_semidefinite: ClassVar[bool] = False
    __array_ufunc__ = None  # lets NumPy numbers on the left of + and * hand over to this class

    def __call__(self, X, Z=None):
        """Return the kernel matrix between the rows of `X` and the rows of `Z`.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Samples, one a row.
        Z : array_like of shape (m, d), optional
            Left out, it is `X` itself, and the result, the Gram matrix of `X`, is exactly symmetric.

        Returns
        -------
        numpy.ndarray of shape (n, m)
            Entry (i, j) is k(x_i, z_j).

        Raises
        ------
        ValueError
            Wrong shapes, NaN or infinite entries, or values too large for floating point.

        Examples
        --------
        >>> from mlcore.kernels import Linear
        >>> (Linear() + 1.0)([[1, 2], [3, 4]])
        array([[ 6., 12.],
               [12., 26.]])
        """
        X, Z = _as_samples(X, Z)
        with np.errstate(all="ignore"):
            return self._checked(self._matrix(X, Z))

    def diag(self, X):
        """Return k(x, x) for every row of `X`, without the rest of the Gram matrix.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Samples, one a row.

        Returns
        -------
        numpy.ndarray of shape (n,)

        Raises
        ------
        ValueError
            As for the call.

        Examples
        --------
        >>> from mlcore.kernels import Polynomial
        >>> Polynomial(degree=2, offset=1).diag([[1, 2], [0, 0]])
        array([36.,  1.])
        """
        X, _ = _as_samples(X, None)
        with np.errstate(all="ignore"):
            return self._checked(self._diagonal(X))

    def gradients(self, X, Z=None):
        """Return the derivative of the kernel matrix with respect to every parameter.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Samples, one a row.
        Z : array_like of shape (m, d), optional
            Left out, it is `X` itself.

        Returns
        -------
        dict of str to numpy.ndarray of shape (n, m)
            Under the names of `parameters`, in the same order.

        Raises
        ------
        ValueError
            As for the call.

        Examples
        --------
        >>> from mlcore.kernels import Linear
        >>> {name: matrix.tolist() for name, matrix in (3.0 * Linear()).gradients([[2.0]]).items()}
        {'left.value': [[4.0]]}
        """
        X, Z = _as_samples(X, Z)
        with np.errstate(all="ignore"):
            return {name: self._checked(matrix) for name, matrix in self._gradients(X, Z).items()}

    @property
    def parameters(self):
        """Values of the continuous parameters by name (dict of str to float).

        Whole-number settings, such as a degree, are left out: nothing can be differentiated with respect to them.
        """
        return {field.name: getattr(self, field.name) for field in fields(self) if field.type is float}

    def with_parameters(self, values):
        """Return the same kernel with other parameter values.

        Parameters
        ----------
        values : mapping of str to float
            New values under the names of `parameters`; names left out keep their values.

        Raises
        ------
        ValueError
            A name this kernel does not have, or a value it does not allow.

        Examples
        --------
        >>> from mlcore.kernels import Gaussian
        >>> (Gaussian(1.0) + Constant(2.0)).with_parameters({"left.width": 0.5})
        Sum(left=Gaussian(width=0.5), right=Constant(value=2.0))
        """
        unknown = sorted(set(values) - set(self.parameters))
        if unknown:
            raise ValueError(f"values: expected names among {sorted(self.parameters)}, got {unknown}")
        return self._replaced(values)

    def __add__(self, other):
        return _combined(Sum, self, other)

    def __radd__(self, other):
        return _combined(Sum, other, self)

    def __mul__(self, other):
        return _combined(Product, self, other)

    def __rmul__(self, other):
        return _combined(Product, other, self)

    def _matrix(self, X, Z):
        raise NotImplementedError

    def _diagonal(self, X):
        raise NotImplementedError

    def _gradients(self, X, Z):
        return {}

    def _matrix_and_gradients(self, X, Z):
        """Return both at once, as arrays of their own: work is shared, and the caller may overwrite them."""
        return self._matrix(X, Z), self._gradients(X, Z)

    def _replaced(self, values):
        return replace(self, **values)

    def _checked(self, values):
        if not np.isfinite(values).all():
            raise ValueError(f"X: the values of {self} are too large for floating point; scale the features")
        return values


@dataclass(frozen=True)
class Constant(Kernel):
    """k(x, z) = value: a common offset in a sum, a change of scale in a product.

    Parameters
    ----------
    value : float
        At least 0.

    Raises
    ------
    ValueError
        A negative or infinite value.

    Examples
    --------
    >>> from mlcore.kernels import Linear
    >>> 4 * Linear()
    Product(left=Constant(value=4.0), right=Linear())
    """

    is_positive_semidefinite: ClassVar[bool] = True

    value: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "value", as_nonnegative("value", self.value))

    def _matrix(self, X, Z):
        return np.full((len(X), len(Z)), self.value)

    def _diagonal(self, X):
        return np.full(len(X), self.value)

    def _gradients(self, X, Z):
        return {"value": np.ones((len(X), len(Z)))}


@dataclass(frozen=True)
class _Pair(Kernel):
    """Two kernels at work together; their parameters are told apart by ``left.`` and ``right.``."""

    left: Kernel
    right: Kernel

    def __post_init__(self):
        for side in ("left", "right"):
            if not isinstance(getattr(self, side), Kernel):
                raise ValueError(f"{side}: expected a kernel, got {getattr(self, side)!r}")

    @property
    def is_positive_semidefinite(self):
        return self.left.is_positive_semidefinite and self.right.is_positive_semidefinite

    @property
    def parameters(self):
        return _by_side(self.left.parameters, self.right.parameters)

    def _replaced(self, values):
        return type(self)(*(kernel._replaced(_of_side(side, values)) for side, kernel in vars(self).items()))


@dataclass(frozen=True)
class Sum(_Pair):
    """k(x, z) = left(x, z) + right(x, z): the feature vectors of both, one after the other.

    Parameters
    ----------
    left, right : Kernel

    Raises
    ------
    ValueError
        An operand that is no kernel.

    Examples
    --------
    >>> from mlcore.kernels import Linear
    >>> Sum(Linear(), Constant(1.0)) == Linear() + 1
    True
    """

    def _matrix(self, X, Z):
        values = self.left._matrix(X, Z)
        values += self.right._matrix(X, Z)
        return values

    def _diagonal(self, X):
        return self.left._diagonal(X) + self.right._diagonal(X)

    def _gradients(self, X, Z):
        return _by_side(self.left._gradients(X, Z), self.right._gradients(X, Z))

    def _matrix_and_gradients(self, X, Z):
        left, by_left = self.left._matrix_and_gradients(X, Z)
        right, by_right = self.right._matrix_and_gradients(X, Z)
        left += right
        return left, _by_side(by_left, by_right)


@dataclass(frozen=True)
class Product(_Pair):
    """k(x, z) = left(x, z) · right(x, z): all products of a feature of one with a feature of the other.

    Parameters
    ----------
    left, right : Kernel

    Raises
    ------
    ValueError
        An operand that is no kernel.

    Examples
    --------
    >>> from mlcore.kernels import Gaussian
    >>> Product(Constant(2.0), Gaussian(1.0)).parameters
    {'left.value': 2.0, 'right.width': 1.0}
    """

    def _matrix(self, X, Z):
        values = self.right._matrix(X, Z)
        values *= self.left.value if isinstance(self.left, Constant) else self.left._matrix(X, Z)
        return values

    def _diagonal(self, X):
        return self.left._diagonal(X) * self.right._diagonal(X)

    def _gradients(self, X, Z):
        return self._matrix_and_gradients(X, Z)[1]

    def _matrix_and_gradients(self, X, Z):
        values, by_right = self.right._matrix_and_gradients(X, Z)
        if isinstance(self.left, Constant):  # by far the most common product, and a number spares two matrices
            left, by_left = self.left.value, {"value": values.copy()}
        else:
            left, by_left = self.left._matrix_and_gradients(X, Z)
            for matrix in by_left.values():
                matrix *= values
        for matrix in by_right.values():
            matrix *= left
        values *= left
        return values, _by_side(by_left, by_right)


def _combined(operation, left, right):
    operands = [Constant(side) if isinstance(side, Real) else side for side in (left, right)]
    return operation(*operands) if all(isinstance(side, Kernel) for side in operands) else NotImplemented


def _by_side(left, right):
    return {f"left.{name}": value for name, value in left.items()} | {
        f"right.{name}": value for name, value in right.items()
    }


def _of_side(side, values):
    prefix = f"{side}."
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _as_samples(X, Z):
    X = as_array("X", X, ("n", "d"))
    return X, X if Z is None else as_array("Z", Z, ("m", X.shape[1]))
