"""Checks of array arguments: errors name the argument, what was expected and what came."""

import numpy as np

__all__ = ["as_array", "as_nonnegative", "as_positive", "as_symmetric", "as_whole_number"]

SYMMETRIC = 1e-10  # entries (i, j) and (j, i) may differ by this fraction of the largest


def as_array(name, value, shape, *, allow_infinite=False):
    """Return `value` as a new float array of the given shape, or say what is wrong with it.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : array_like
        Numbers; booleans and integers are cast.
    shape : tuple of int or str
        Expected length of every axis. A string names a length that is free, such as ``"n"``.
    allow_infinite : bool
        Whether plus and minus infinity may occur. NaN never may.

    Returns
    -------
    numpy.ndarray
        A contiguous float64 copy in the machine's byte order: the caller's array is never changed.

    Raises
    ------
    ValueError
        Wrong shape, NaN, infinite or masked entries, or entries that are no real numbers (text and dates included).

    Examples
    --------
    >>> as_array("A", [[1, 2]], ("m", 3))
    Traceback (most recent call last):
        ...
    ValueError: A: expected shape (m, 3), got (1, 2)
    """
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "biufcO":
            raise TypeError
        array = np.empty(
            raw.shape, complex if np.iscomplexobj(raw) else float
        )  # a plain cast would keep the byte order
        array[...] = raw
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected numbers in an array of shape {_written(shape)}, got {value!r}") from error
    if array.dtype == complex:
        raise ValueError(f"{name}: expected real numbers, got complex ones")
    if array.ndim != len(shape) or any(
        have != want for have, want in zip(array.shape, shape) if not isinstance(want, str)
    ):
        raise ValueError(f"{name}: expected shape {_written(shape)}, got {array.shape}")
    if np.ma.is_masked(value):
        raise ValueError(
            f"{name}: expected numbers, got a masked entry at position {_first(np.ma.getmaskarray(value))}"
        )
    if not np.isfinite(array).all():
        if np.isnan(array).any():
            raise ValueError(f"{name}: expected numbers, got NaN at position {_first(np.isnan(array))}")
        if not allow_infinite:
            raise ValueError(f"{name}: expected finite numbers, got infinity at position {_first(np.isinf(array))}")
    return array


def as_symmetric(name, value, n="n"):
    """Return `value` as a new symmetric float matrix, or say what is wrong with it.

    Parameters
    ----------
    name : str
    value : array_like, shape (n, n)
        Entries (i, j) and (j, i) may differ by rounding: 1e-10 of the largest entry. Their mean is returned.
    n : int or str
        Expected number of rows; a string leaves it free.

    Returns
    -------
    numpy.ndarray, shape (n, n)

    Raises
    ------
    ValueError
        As for `as_array`, or a matrix that is not square or not symmetric.

    Examples
    --------
    >>> as_symmetric("P", [[1, 2], [3, 1]])
    Traceback (most recent call last):
        ...
    ValueError: P: expected a symmetric matrix, got 2 at (0, 1) and 3 at (1, 0)
    """
    matrix = as_array(name, value, (n, n))
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: expected a square matrix, got shape {matrix.shape}")
    if (matrix == matrix.T).all():
        return matrix
    symmetric = matrix / 2 + matrix.T / 2
    difference = np.abs(matrix - symmetric)
    if difference.max() > 0.5 * SYMMETRIC * np.abs(symmetric).max():
        i, j = np.unravel_index(difference.argmax(), matrix.shape)
        entries = f"{matrix[i, j]:g} at ({i}, {j}) and {matrix[j, i]:g} at ({j}, {i})"
        raise ValueError(f"{name}: expected a symmetric matrix, got {entries}")
    return symmetric


def as_positive(name, value, *, allow_infinite=False):
    """Return `value` as a float above zero, or say what is wrong with it.

    Raises
    ------
    ValueError
        Not a number, not above zero, or infinite where that is not allowed.

    Examples
    --------
    >>> as_positive("width", -1)
    Traceback (most recent call last):
        ...
    ValueError: width: expected a number above 0, got -1
    """
    expected = "a number above 0" + (" (infinity allowed)" if allow_infinite else "")
    number = _number(value)
    if not number > 0 or (number == np.inf and not allow_infinite):
        raise ValueError(f"{name}: expected {expected}, got {value!r}")
    return number


def as_nonnegative(name, value):
    """Return `value` as a finite float of at least zero, or say what is wrong with it.

    Raises
    ------
    ValueError
        Not a number, below zero, or infinite.

    Examples
    --------
    >>> as_nonnegative("offset", -1)
    Traceback (most recent call last):
        ...
    ValueError: offset: expected a finite number of at least 0, got -1
    """
    number = _number(value)
    if not 0 <= number < np.inf:
        raise ValueError(f"{name}: expected a finite number of at least 0, got {value!r}")
    return number


def as_whole_number(name, value, *, least=1):
    """Return `value` as an int of at least `least`, or say what is wrong with it.

    Raises
    ------
    ValueError
        Not a whole number, or below `least`.
    """
    number = value if isinstance(value, int | np.integer) and not isinstance(value, bool) else None
    if number is None or number < least:
        raise ValueError(f"{name}: expected a whole number of at least {least}, got {value!r}")
    return int(number)


def _number(value):
    """Return a real number as a float, anything else (text and arrays included) as NaN."""
    try:
        return float(value) if np.ndim(value) == 0 and not isinstance(value, str | bytes) else np.nan
    except (TypeError, ValueError):
        return np.nan


def _written(shape):
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def _first(mask):
    return tuple(int(index) for index in np.argwhere(mask)[0])
