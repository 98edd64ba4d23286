"""Covariance between tasks, in free form: any positive definite matrix, by its Cholesky factor."""

from dataclasses import dataclass

import numpy as np

from mlcore.gaussian_process._cholesky import safe_cholesky
from mlcore.validation import as_array, as_whole_number

__all__ = ["TaskCovariance"]


@dataclass(frozen=True, eq=False)
class TaskCovariance:
    """K_c = L Lᵀ: whatever the s(s+1)/2 entries of L are, K_c is a covariance matrix.

    Row and column a of L and K_c belong to task a, counted from 0. The diagonal of L is above 0, which makes L unique;
    an optimiser works with its logarithms.

    Parameters
    ----------
    lower : array_like of shape (s, s)
        L, with positive diagonal and zeros above it.

    Raises
    ------
    ValueError
        A matrix that is not square, finite and lower triangular with positive diagonal.

    Notes
    -----
    ES p. 116, where the index of the third entry is misprinted.

    Examples
    --------
    >>> tasks = TaskCovariance([[2.0, 0.0], [1.5, 2.0]])
    >>> tasks.matrix
    array([[4.  , 3.  ],
           [3.  , 6.25]])
    >>> tasks.correlation
    array([[1. , 0.6],
           [0.6, 1. ]])
    >>> tasks.parameters
    {'task[0,0]': 2.0, 'task[1,0]': 1.5, 'task[1,1]': 2.0}
    """

    lower: np.ndarray

    def __post_init__(self):
        lower = as_array("lower", self.lower, ("s", "s"))
        if len(lower) != len(lower.T) or not len(lower):
            raise ValueError(f"lower: expected a square matrix, got shape {lower.shape}")
        if np.triu(lower, 1).any() or not (lower.diagonal() > 0).all():
            raise ValueError("lower: expected zeros above the diagonal and numbers above 0 on it")
        lower.flags.writeable = False
        object.__setattr__(self, "lower", lower)

    @classmethod
    def independent(cls, count):
        """Return K_c = I for `count` tasks."""
        return cls(np.eye(as_whole_number("count", count)))

    @classmethod
    def from_matrix(cls, matrix):
        """Return the one with this K_c, of shape (s, s), symmetric and positive definite but for rounding."""
        return cls(safe_cholesky(matrix).lower)

    def __len__(self):
        """Return s, the number of tasks."""
        return len(self.lower)

    @property
    def matrix(self):
        """K_c, of shape (s, s)."""
        return self.lower @ self.lower.T

    @property
    def correlation(self):
        """Correlation matrix of the tasks, of shape (s, s), with ones on the diagonal."""
        rows = self.lower / np.sqrt(np.einsum("ij,ij->i", self.lower, self.lower))[:, None]
        correlation = np.clip(rows @ rows.T, -1, 1)
        np.fill_diagonal(correlation, 1)
        return correlation

    @property
    def parameters(self):
        """Entries of L by name, row by row (dict of str to float of length s(s+1)/2)."""
        return self.by_name(self.lower)

    def with_parameters(self, values):
        """Return the same covariance with other entries of L.

        Parameters
        ----------
        values : mapping of str to float
            New entries under the names of `parameters`; names left out keep their values.

        Raises
        ------
        ValueError
            A name that does not exist, or an entry of the diagonal that is not above 0.
        """
        unknown = sorted(set(values) - set(self.parameters))
        if unknown:
            raise ValueError(f"values: expected names among {sorted(self.parameters)}, got {unknown}")
        lower = np.zeros_like(self.lower)
        lower[np.tril_indices(len(self))] = list((self.parameters | dict(values)).values())
        return TaskCovariance(lower)

    def gradient(self, slope):
        """Return derivatives with respect to the entries of L by name.

        Parameters
        ----------
        slope : numpy.ndarray of shape (s, s)
            Derivatives with respect to the entries of K_c, symmetric.

        Returns
        -------
        dict of str to float
        """
        return self.by_name(2 * slope @ self.lower)

    def by_name(self, matrix):
        """Return the lower triangle of a matrix (s, s) under the names of `parameters`."""
        return {f"task[{i},{j}]": float(matrix[i, j]) for i, j in zip(*np.tril_indices(len(self)))}

    @property
    def off_diagonal(self):
        """Names of the parameters that may have any sign."""
        return tuple(f"task[{i},{j}]" for i, j in zip(*np.tril_indices(len(self), -1)))
