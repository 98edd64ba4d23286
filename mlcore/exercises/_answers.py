"""The one reader of answers: what counts as a number, a vector, a set of rows, a truth value, a label, a function.

Each reader returns the answer in one form, or ends the check with a sentence that names what was expected and what
came. Nothing that is NaN, infinite or merely truthy gets through.
"""

import re
import reprlib
import traceback
import warnings
from decimal import Decimal
from numbers import Real

import numpy as np

from mlcore.exercises._verdict import Refusal, nearly, not_yet, refuse
from mlcore.kernels import Kernel

__all__ = [
    "agree",
    "array",
    "function",
    "indices",
    "inequality",
    "kernel",
    "labels",
    "node_names",
    "number",
    "parts",
    "same_label",
    "shown",
    "truth",
    "up_to_scale",
    "vanishes",
]

_LARGEST = 1e50  # beyond it squares of squares overflow
_LONGEST = 1000  # of a list whose length is free
_DIGITS = 3


def shown(value):
    """Return a short text for any object, even one that cannot be printed."""
    try:
        text = reprlib.repr(value)
    except Exception:
        text = f"an object of type {type(value).__name__}"
    return " ".join(text.split())[:80]


def array(name, value, shape, *, infinite=False):
    """Read numbers in an array of this shape; a string in it names a free length. Columns count as vectors.

    Returns
    -------
    numpy.ndarray of float
        A copy.
    """
    if value is None:
        not_yet(f"{name} is")
    raw = _raw(value)
    if raw is None or raw.dtype.kind not in "iufO" or not all(map(_is_number_or_none, raw.ravel()[:_LONGEST])):
        refuse(f"{name}: expected {_form(shape)}, got {shown(value)}.")
    if len(shape) == 1 and raw.ndim == 2 and 1 in raw.shape:
        raw = raw.ravel()  # a column, as CVXOPT and reshape(-1, 1) give it
    fits = raw.ndim == len(shape) and all(isinstance(n, str) or n == m for n, m in zip(shape, raw.shape))
    if not fits:
        refuse(f"{name}: expected {_form(shape)}, got {_form(raw.shape)}.")
    if max(raw.shape, default=0) > _LONGEST:
        refuse(f"{name}: expected at most {_LONGEST} entries, got {max(raw.shape)}.")
    for place, entry in np.ndenumerate(raw if raw.dtype.kind == "O" else ()):
        if entry is None:
            not_yet(f"{name}{_index(place)} is")
    try:
        numbers = np.array(raw, dtype=float)
    except (OverflowError, TypeError, ValueError):
        refuse(f"{name}: expected {_form(shape)}, got {shown(value)}.")
    for bad, what in (
        (np.isnan(numbers), "NaN, which is no number"),
        (np.isinf(numbers) & (not infinite), "infinite"),
        (np.isfinite(numbers) & (np.abs(numbers) > _LARGEST), "too large to compute with"),
    ):
        if bad.any():
            refuse(f"{name}{_index(np.argwhere(bad)[0])} is {what}.")
    return numbers


def number(name, value, *, whole=False, least=None, most=None, above=None, infinite=False):
    """Read one number, or a whole one (4.0 counts), within limits."""
    found = float(array(name, value, (), infinite=infinite))
    words = {"of at least": least, "of at most": most, "above": above}
    limits = " and ".join(f"{word} {limit:g}" for word, limit in words.items() if limit is not None)
    outside = (least is not None and found < least) or (most is not None and found > most)
    if outside or (above is not None and found <= above) or (whole and found % 1):
        refuse(f"{name}: expected a {'whole ' * whole}number{' ' * bool(limits)}{limits}, got {shown(value)}.")
    return int(found) if whole else found


def indices(name, value, n):
    """Read a set of positions among n: numbers in any container, a mask, or the tuple that ``np.where`` returns."""
    if value is None:
        not_yet(f"{name} is")
    wanted = f"{name}: expected positions from 0 to {n - 1}, such as [0, 2], or a mask"
    if isinstance(value, tuple) and len(value) == 1 and np.ndim(_raw(value[0])) == 1:
        value = value[0]
    raw = _raw(sorted(value) if _sortable(value) else value)
    if raw is not None and raw.ndim == 2 and raw.shape[1] == 1:
        raw = raw.ravel()  # np.argwhere
    if raw is None or raw.ndim != 1 or raw.dtype.kind not in "biuf":
        refuse(f"{wanted}, got {shown(value)}.")
    if raw.dtype.kind == "b":
        if len(raw) != n:
            refuse(f"{name}: expected a mask of length {n}, got one of length {len(raw)}.")
        return np.flatnonzero(raw)
    bad = ~np.isin(raw, np.arange(n))
    if bad.any() or any(isinstance(entry, bool | np.bool_) for entry in _entries(value)):
        refuse(f"{wanted}, got {shown(raw[bad][0] if bad.any() else value)}.")
    return np.unique(raw.astype(int))


def truth(name, value):
    """Read True or False; nothing else is one, neither 1 nor "yes" nor an array with several entries."""
    if value is None:
        not_yet(f"{name} is")
    if isinstance(value, np.ndarray) and value.shape == () and value.dtype == bool:
        value = value.item()
    if not isinstance(value, bool | np.bool_):
        refuse(f"{name}: expected True or False, got {shown(value)}.")
    return bool(value)


def labels(name, value, n):
    """Read n labels, all of them text or all of them numbers; 1 and 1.0 are the same."""
    raw = None if isinstance(value, str) else _raw(value)
    if raw is None or raw.ndim != 1 or raw.dtype.kind not in "iufUO":
        refuse(f"{name}: expected a list of {n} labels, got {shown(value)}.")
    if len(raw) != n:
        refuse(f"{name}: expected {n} labels, got {len(raw)}.")
    kinds = {
        str if isinstance(entry, str) else Real if _is_number_or_none(entry) else None for entry in _entries(value)
    }
    if len(kinds) > 1 or None in kinds:
        refuse(f"{name}: expected labels that are all text or all numbers, got {shown(value)}.")
    return np.array(array(name, value, (n,)) if kinds == {Real} else raw)


def same_label(value, label):
    """Return whether an answer is this label; an array with one entry stands for the entry."""
    raw = _raw(value)
    if raw is None or raw.size != 1:
        return False
    value = raw.ravel()[0]
    if isinstance(label, str):
        return isinstance(value, str) and value == label
    return value is not None and _is_number_or_none(value) and bool(value == label)


def node_names(name, value, known):
    """Read names out of `known`: one as text, or any number in a list, tuple or set."""
    if value is None:
        not_yet(f"{name} is")
    if isinstance(value, str):
        value = (value,)
    if not isinstance(value, list | tuple | set | frozenset | np.ndarray) or not all(
        isinstance(one, str) and one in known for one in _entries(value)
    ):
        refuse(f"{name}: expected names among {', '.join(known)}, got {shown(value)}.")
    return tuple(str(one) for one in value)


def inequality(text, variables):
    """Return a linear inequality as (a₁, …, aₙ, b) of a·x ≤ b, scaled to largest |a| = 1, or None if it is none.

    ≥ and >=, x₁ and x1, sides and terms in any order are the same.

    Examples
    --------
    >>> inequality("x2 + x1 <= 2", ("x1", "x2")) == inequality("2 ≥ x₁ + x₂", ("x1", "x2")) == (1, 1, 2)
    True
    """
    spelled = str(text).translate(str.maketrans("₁₂₃−", "123-", " *·_")).replace("≤", "<=").replace("≥", ">=")
    sides = re.split("(<=|>=)", spelled)
    if len(sides) != 3:
        return None
    total = np.zeros(len(variables) + 1)
    for side, sign in ((sides[0], 1), (sides[2], -1)):
        terms = re.findall(r"[+-]?[^+-]+", side)
        if not terms or "".join(terms) != side:
            return None
        for term in terms:
            found = re.fullmatch(rf"([+-]?)(\d*\.?\d*)({'|'.join(variables)})?", term)
            if not found or not (found[2].strip(".") or found[3]):
                return None
            value = float(f"{found[1]}{found[2] or 1}") * sign
            total[variables.index(found[3]) if found[3] else -1] += value
    total[-1] *= -1  # numbers go to the right
    size = np.abs(total[:-1]).max() * (1 if sides[1] == "<=" else -1)
    return tuple((total / size + 0.0).tolist()) if size else None


def kernel(name, value):
    """Read a kernel of this package."""
    if not isinstance(value, Kernel):
        refuse(f"{name}: expected a kernel such as 2.0 * Gaussian(1.0) + Linear(), got {shown(value)}.")
    return value


def function(name, value, arguments):
    """Read a function of the reader's; it gets copies of arrays, and its errors are told as its own, with the line.

    A fitted estimator stands for its ``predict`` on a column of inputs.

    Parameters
    ----------
    name : str
    value : callable
    arguments : str
        As in "X, y and u".

    Returns
    -------
    callable
    """
    if value is None:
        not_yet(f"{name} is")
    predict = getattr(value, "predict", None) if not isinstance(value, type) else None
    if callable(predict):

        def call(x):
            return predict(np.reshape(x, (-1, 1)))
    elif callable(value):
        call = value
    else:
        refuse(f"{name}: expected a function of {arguments}, got {shown(value)}.")

    def asked(*given):
        try:
            answer = call(*(g.copy() if isinstance(g, np.ndarray | dict) else g for g in given))
        except Exception as error:  # whatever the reader's function raises is an answer to report
            refuse(_own_error(name, arguments, given, error))
        if answer is None:
            raise Refusal("Not yet", f"{name} still returns None: fill it in above, run that cell, then this one.")
        return answer

    return asked


def parts(name, answer, names, *, some=False):
    """Take apart what a function returned: as many results as `names` has, none of them None unless `some` may be."""
    wanted = ", ".join(names)
    if not isinstance(answer, tuple | list) and not (isinstance(answer, np.ndarray) and answer.ndim):
        refuse(f"{name} should return {wanted}, got {shown(answer)}.")
    if len(answer) != len(names):
        refuse(f"{name} should return {wanted}; expected {len(names)} results, got {len(answer)}.")
    missing = [part for part, value in zip(names, answer) if value is None]
    if missing and not (some and len(missing) < len(names)):
        not_yet(f"{name}: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'}")
    return tuple(answer)


def agree(name, given, expected, digits=_DIGITS, hint=""):
    """End the check unless the numbers are the expected ones to so many decimals; above 10, to as many digits.

    One unit of the last decimal is forgiven. What was rounded before that is nearly right.
    """
    given, expected = np.asarray(given, dtype=float), np.asarray(expected, dtype=float)
    off = np.abs(given - expected)
    digits -= max(0, int(np.floor(np.log10(max(1.0, np.abs(expected).max())))))
    if off.max() <= 10.0**-digits:
        return
    k = _decimals(given)
    if k < digits and off.max() < 0.1 * np.abs(expected).max() and np.abs(given - expected.round(k)).max() < 1e-9:
        nearly(name, digits)
    worst = np.unravel_index(off.argmax(), off.shape)
    refuse(f"{name}{_index(worst)} = {given[worst]:.6g} is off by {off[worst]:.3g}.{' ' * bool(hint)}{hint}")


def vanishes(name, given, residual, gain, digits=_DIGITS):
    """Return whether a residual is 0 but for the rounding of `given` to so many decimals.

    `gain` is the largest factor by which an error of one entry can come out of the residual. If only fewer
    decimals explain the residual, the check ends with "nearly".
    """
    size = float(np.abs(residual).max())
    if size <= gain * 10.0**-digits:
        return True
    k = _decimals(given)
    if 1 <= k < digits and size <= gain * 0.5 * 10.0**-k:
        nearly(name, digits)
    return False


def up_to_scale(rows):
    """Return rows divided by their largest absolute entry, in sorted order: rows that differ by a factor get equal."""
    size = np.abs(rows).max(axis=1, keepdims=True)
    scaled = np.divide(rows, size, where=size > 0, out=np.zeros_like(rows)).round(9) + 0.0
    return scaled[np.lexsort(scaled.T[::-1])]


def _decimals(values):
    """Return how many decimals the numbers are written with, 12 at most."""
    return next((k for k in range(12) if np.allclose(values, np.round(values, k), rtol=1e-14, atol=1e-13)), 12)


def _raw(value):
    """Return any object as an array, or None if it cannot be one or is far too large for an answer."""
    try:
        if _is_too_long(value):  # or nested without end
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(value)
    except Exception:
        return None


def _is_too_long(value, depth=3):
    if isinstance(value, np.ndarray):
        return value.size > 100 * _LONGEST
    if not isinstance(value, list | tuple | range):
        return False
    return depth < 0 or len(value) > 100 * _LONGEST or any(_is_too_long(entry, depth - 1) for entry in value)


def _is_number_or_none(entry):
    return entry is None or (isinstance(entry, Real | Decimal | np.number) and not isinstance(entry, bool | np.bool_))


def _entries(value):
    try:
        return list(value) if len(value) <= 100 * _LONGEST else [None]
    except Exception:
        return [None]


def _sortable(value):
    return isinstance(value, set | frozenset | range) and len(value) <= _LONGEST and all(map(_is_number_or_none, value))


def _form(shape):
    if not shape:
        return "one number"
    if len(shape) == 1:
        return "a list of numbers" if isinstance(shape[0], str) else f"{shape[0]} number{'s' * (shape[0] != 1)}"
    return f"numbers in an array of shape ({', '.join(map(str, shape))})"


def _index(place):
    return f"[{', '.join(str(int(i)) for i in place)}]" if len(place) else ""


def _own_error(name, arguments, given, error):
    """Tell an error of the reader's function, with the last of its own lines that took part."""
    what = f"{type(error).__name__}: {error}".rstrip(".")
    if type(error).__name__ == "NotFittedError":
        return f"{name}: the estimator is not fitted. Call its fit first."
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    if not frames:
        return f"{name} cannot be called with {arguments}: {what}."
    own = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    values = ", ".join(f"{g:.4g}" if isinstance(g, float) else shown(g) for g in given)
    return f"{name} stopped in line {own.lineno}, `{own.line}`, with {what}. It was called with {values}."[:600]
