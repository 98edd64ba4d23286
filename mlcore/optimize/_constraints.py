"""The rows of linear and quadratic programs: checked at the door, dense when they are needed so, independent."""

import numpy as np
from scipy import sparse
from scipy.linalg import qr

from mlcore.validation import as_array

_DEPENDENT = 1e-10  # diagonal entries of R below this fraction of the largest belong to dependent rows


def as_constraints(left, right, n, sparse_from=np.inf):
    """Check a matrix of constraints and its right-hand side, either both given or both None.

    Parameters
    ----------
    left, right : tuple of str and array_like
        Name and value of the matrix (which may be sparse) and of the right-hand side.
    n : int
        Number of variables.
    sparse_from : float
        A sparse matrix with fewer entries, zeros included, is made dense.

    Returns
    -------
    matrix : numpy.ndarray or scipy.sparse.csr_array, shape (m, n)
    constants : numpy.ndarray, shape (m,)
    """
    (name, matrix), (bound_name, bound) = left, right
    if (matrix is None) != (bound is None):
        missing, given = (name, bound_name) if matrix is None else (bound_name, name)
        raise ValueError(f"{missing}: expected an array to go with {given}, got None")
    if matrix is None:
        return np.zeros((0, n)), np.zeros(0)
    if sparse.issparse(matrix) and matrix.ndim == 2 and matrix.shape[1] == n:
        matrix = sparse.csr_array(matrix, copy=True)
        matrix.data = as_array(f"{name}, stored entries", matrix.data, ("k",))
        matrix = matrix if matrix.shape[0] * n >= sparse_from else matrix.toarray()
    else:
        matrix = as_array(name, dense(matrix), ("m", n))
    return matrix, as_array(bound_name, bound, matrix.shape[:1])


def dense(array):
    """Return a sparse array as a dense one, any other as it is."""
    return array.toarray() if sparse.issparse(array) else array


def independent_rows(matrix):
    """Return the indices of a largest set of linearly independent rows, by QR with column pivoting."""
    if not matrix.shape[0]:
        return np.zeros(0, dtype=int)
    triangle, order = qr(dense(matrix).T, mode="r", pivoting=True)
    sizes = np.abs(np.diag(triangle))
    return np.sort(order[: np.count_nonzero(sizes > _DEPENDENT * sizes.max(initial=0.0))])
