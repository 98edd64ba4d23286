"""Checks of array arguments: errors name the argument, what was expected and what came."""

import numpy as np

__all__ = ["as_array", "as_nonnegative", "as_positive", "as_whole_number"]


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
        A float64 copy: the caller's array is never changed.

    Raises
    ------
    ValueError
        Wrong shape, NaN or infinite entries, or entries that are no real numbers.

    Examples
    --------
    >>> as_array("A", [[1, 2]], ("m", 3))
    Traceback (most recent call last):
        ...
    ValueError: A: expected shape (m, 3), got (1, 2)
    """
    expected = "(" + ", ".join(str(length) for length in shape) + ("," if len(shape) == 1 else "") + ")"
    try:
        raw = np.asarray(value)
        array = np.array(raw, dtype=None if np.iscomplexobj(raw) else float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected numbers in an array of shape {expected}, got {value!r}") from error
    if np.iscomplexobj(array):
        raise ValueError(f"{name}: expected real numbers, got complex ones")
    fits = array.ndim == len(shape) and all(
        isinstance(want, str) or want == have for want, have in zip(shape, array.shape)
    )
    if not fits:
        raise ValueError(f"{name}: expected shape {expected}, got {array.shape}")
    if np.isnan(array).any():
        raise ValueError(f"{name}: expected numbers, got NaN at position {_first(np.isnan(array))}")
    if not allow_infinite and np.isinf(array).any():
        raise ValueError(f"{name}: expected finite numbers, got infinity at position {_first(np.isinf(array))}")
    return array


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
    try:
        number = _as_float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected {expected}, got {value!r}") from error
    if not number > 0 or (np.isinf(number) and not allow_infinite):
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
    try:
        number = _as_float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected a finite number of at least 0, got {value!r}") from error
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


def _as_float(value):
    if isinstance(value, str | bytes):  # float("1") would be 1, and the next comparison fail
        raise TypeError
    return float(value)


def _first(mask):
    return tuple(int(index) for index in np.argwhere(mask)[0])
