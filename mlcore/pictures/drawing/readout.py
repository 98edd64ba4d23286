"""How readouts and labels write numbers and names."""

__all__ = ["count", "subscript"]


def count(number, thing):
    """Return "1 point", "2 points" and so on."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def subscript(name):
    """Return the name of a variable with its number written low.

    Examples
    --------
    >>> subscript("s12"), subscript("x1'"), subscript("x2-")
    ('s₁₂', 'x₁′', 'x₂⁻')
    """
    return name.translate(str.maketrans("0123456789'+-", "₀₁₂₃₄₅₆₇₈₉′⁺⁻"))
