"""How readouts and labels write numbers: one recipe each, with the same text on every machine."""

import re

import numpy as np

__all__ = ["count", "decimals", "digits", "minus", "number", "probability", "small", "subscript"]


def count(number, thing):
    """Return "1 point", "2 points" and so on."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def minus(text):
    """Return `text` with typographic signs before its numbers; a hyphen within a word stays what it is.

    Examples
    --------
    >>> minus("-3 and 1e-6, x-y, non-smoker, size-2")
    '−3 and 1e−6, x-y, non-smoker, size-2'
    """
    signed = re.sub(r"(?<![\w.-])-(?=[\d.∞]|inf)", "−", text)
    return re.sub(r"(?<![\w.])(\d[\d.]*e)-(?=\d)", r"\1−", signed)


def decimals(value, places=3):
    """Return a number with so many decimals; what rounds to 0 has no sign, which would be that of rounding noise.

    Examples
    --------
    >>> decimals(-0.0001), decimals(-2.5, 1)
    ('0.000', '−2.5')
    """
    return minus(f"{round(round(float(value), 9), places) + 0.0:.{places}f}")


def digits(value, places=3):
    """Return a number with so many digits; noise below 1e-9 is 0.

    Examples
    --------
    >>> digits(-1e-12), digits(-1 / 3), digits(1234.5)
    ('0', '−0.333', '1.23e+03')
    """
    return minus(f"{value if abs(value) > 1e-9 else 0:.{places}g}")


def number(value):
    """Return a number with at most three decimals, and none where it is whole; noise below 1e-9 is 0.

    Examples
    --------
    >>> number(2.0), number(-1 / 3), number(0.00012), number(-1e-16)
    ('2', '−0.333', '1e−04', '0')
    """
    rounded = round(float(value), 3) + 0.0
    return minus(f"{value:.0e}" if rounded == 0 and abs(value) >= 1e-9 else f"{rounded:g}")


def small(value, form=".1e"):
    """Return a residual, and noise below 1e-6 as such.

    Examples
    --------
    >>> small(-3e-17), small(0.25), small(0.25, ".3g")
    ('< 1e−6', '2.5e−01', '0.25')
    """
    return minus("< 1e-6" if abs(value) < 1e-6 else f"{value:{form}}")


def probability(value):
    """Return a probability with three decimals, or with as many as a small one needs.

    Examples
    --------
    >>> [probability(value) for value in (0.25, 1, 0, 0.00012, 0.99996, None)]
    ['0.250', '1', '0', '0.00012', '> 0.9999', 'undefined']
    """
    if value is None:
        return "undefined"
    distance = min(value, 1 - value)
    if distance <= 1e-12:
        return "1" if value > 0.5 else "0"
    if distance >= 0.01:
        return f"{value:.3f}"
    if value < 1e-6:
        return "< 1e−6"
    if value > 0.9999:
        return "> 0.9999"
    places = 1 - int(np.floor(np.log10(distance)))  # two significant ones
    return f"{value:.{places}f}"


def subscript(name):
    """Return the name of a variable with its number written low.

    Examples
    --------
    >>> subscript("s12"), subscript("x1'"), subscript("x2-")
    ('s₁₂', 'x₁′', 'x₂⁻')
    """
    return name.translate(str.maketrans("0123456789'+-", "₀₁₂₃₄₅₆₇₈₉′⁺⁻"))
