"""Rows of a Gram matrix, computed when first asked for and kept.

A support vector machine needs the rows of its support vectors and of few other points. For 4000 points that is a
fifth of the matrix, and the rest is neither computed nor stored.
"""

import numpy as np

from mlcore.kernels._algebra import Kernel
from mlcore.kernels._gram_matrix import as_gram_matrix
from mlcore.kernels._kernels import Gaussian
from mlcore.validation import as_array

__all__ = ["GramRows", "RowStore"]

FIRST_ROOM = 2**25  # numbers (256 MB) that find room at once: memory is taken only as rows fill it
FEW = 500  # so many points, or fewer, have all their rows computed at once: less work than asking one by one
LARGEST_EXPONENT = 1e3  # keeps the rounding error of ½‖x − z‖²/width² below 1e-12


class RowStore:
    """Rows of a symmetric matrix by number, each computed once.

    Parameters
    ----------
    compute : callable
        Takes an array of m row numbers and an array of shape (m, n), and writes those rows into it.
    diagonal : numpy.ndarray of shape (n,)
        Diagonal of the matrix.

    Attributes
    ----------
    diagonal : numpy.ndarray of shape (n,)
    rows : numpy.ndarray of shape (capacity, n)
        The rows known so far, in the order of their arrival.
    slot : numpy.ndarray of shape (n,)
        Row i of the matrix is ``rows[slot[i]]``; −1 if it is not known yet.
    is_positive_semidefinite : bool
        Whether that is known of the matrix, because its kernel is one by construction.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> store = RowStore(lambda numbers, rows: np.take(K, numbers, axis=0, out=rows), K.diagonal())
    >>> store[1], store.slot
    (array([1., 3.]), array([-1,  0]))
    """

    is_positive_semidefinite = False

    def __init__(self, compute, diagonal):
        n = len(diagonal)
        self._compute = compute
        self._known = 0
        self.diagonal = diagonal
        self.rows = np.empty((min(n, 1 + FIRST_ROOM // max(n, 1)), n))
        self.slot = np.full(n, -1)

    @classmethod
    def of(cls, K):
        """Return `K` itself, if it is a store, or the store of a matrix, having checked that it is symmetric."""
        return K if isinstance(K, RowStore) else cls.of_matrix(as_gram_matrix(K))

    @classmethod
    def of_matrix(cls, K):
        """Return the store of a matrix that is known as a whole; it is not copied."""
        store = cls.__new__(cls)
        store.diagonal, store.rows, store.slot = K.diagonal().copy(), K, np.arange(len(K))
        store._known = len(K)
        return store

    def __len__(self):
        return len(self.diagonal)

    def __getitem__(self, i):
        if self.slot[i] < 0:
            self.fetch(np.array([i]))
        return self.rows[self.slot[i]]

    def fetch(self, numbers):
        """Compute those of the rows that are not known yet."""
        missing = numbers[self.slot[numbers] < 0]
        if not len(missing):
            return
        known = self._known + len(missing)
        if known > len(self.rows):
            grown = np.empty((min(len(self), 2 * known), len(self)))
            grown[: self._known] = self.rows[: self._known]
            self.rows = grown
        self._compute(missing, self.rows[self._known : known])
        self.slot[missing] = np.arange(self._known, known)
        self._known = known

    def combine(self, weights):
        """Return Σ weightsᵢ Kᵢ, the matrix times a vector of shape (n,), from the rows of weight other than 0."""
        used = np.flatnonzero(weights)
        self.fetch(used)
        if 2 * len(used) > self._known:  # one product without a copy of the rows
            by_slot = np.zeros(self._known)
            by_slot[self.slot[used]] = weights[used]
            return by_slot @ self.rows[: self._known]
        total = np.zeros(len(self))
        for start in range(0, len(used), 64):
            part = used[start : start + 64]
            total += weights[part] @ self.rows[self.slot[part]]
        return total

    def __matmul__(self, vector):
        return self.combine(vector)

    def rows_of(self, numbers):
        """Return the given rows, of shape (m, n)."""
        self.fetch(numbers)
        return self.rows[self.slot[numbers]]

    def block(self, numbers):
        """Return the entries between the given rows and the same columns, as an array of shape (m, m)."""
        self.fetch(numbers)
        return self.rows[np.ix_(self.slot[numbers], numbers)]


class GramRows(RowStore):
    """Rows of the Gram matrix Kᵢⱼ = k(xᵢ, xⱼ), all of them at once for up to 500 points.

    Parameters
    ----------
    kernel : mlcore.kernels.Kernel
    X : array_like of shape (n, d)
        Samples, one a row.

    Raises
    ------
    ValueError
        A kernel that is none; samples of another shape, NaN or infinite; or, when a row is computed, values too
        large for floating point.

    Examples
    --------
    >>> from mlcore.kernels import Linear
    >>> GramRows(Linear(), [[1, 2], [3, 4]])[1]
    array([11., 25.])
    """

    def __init__(self, kernel, X):
        if not isinstance(kernel, Kernel):
            raise ValueError(f"kernel: expected a kernel of mlcore.kernels, got {kernel!r}")
        X = as_array("X", X, ("n", "d"))
        rows = _gaussian_rows(kernel, X) if isinstance(kernel, Gaussian) else None
        with np.errstate(all="ignore"):
            super().__init__(rows or _kernel_rows(kernel, X), kernel._checked(kernel._diagonal(X)))
        self.is_positive_semidefinite = kernel.is_positive_semidefinite
        if len(X) <= FEW:
            self.fetch(np.arange(len(X)))


def _kernel_rows(kernel, X):
    def compute(numbers, rows):
        with np.errstate(all="ignore"):
            rows[:] = kernel._checked(kernel._matrix(X[numbers], X))  # X was checked, once for all rows

    return compute


def _gaussian_rows(kernel, X):
    """Multiply (x, −½‖x‖², 1) by (z, 1, −½‖z‖²), which is −½‖x − z‖², by far faster than differences.

    None where the points are spread so wide that it would cost digits.
    """
    with np.errstate(all="ignore"):
        X = (X - X.mean(axis=0)) / kernel.width
        halves, ones = -np.einsum("ij,ij->i", X, X) / 2, np.ones(len(X))
    if not -halves.min(initial=0) <= LARGEST_EXPONENT:
        return None
    left, right = np.column_stack([X, halves, ones]), np.vstack([X.T, ones, halves])

    def compute(numbers, rows):
        if len(numbers) == 1:  # as most often, one after the other: a call for a product of matrices costs more
            np.dot(left[numbers[0]], right, out=rows[0])
            rows[0, numbers[0]] = 0.0
        else:
            np.matmul(left[numbers], right, out=rows)
            rows[np.arange(len(numbers)), numbers] = 0.0  # x − x, exactly
        np.exp(np.minimum(rows, 0.0, out=rows), out=rows)

    return compute
