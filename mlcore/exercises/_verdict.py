"""What a check says about an answer."""

from dataclasses import dataclass

__all__ = ["Verdict", "right", "unanswered", "wrong"]


@dataclass(frozen=True)
class Verdict:
    """A check's answer, shown as its text at the end of a cell.

    Attributes
    ----------
    passed : bool
    message : str
        Why, and where to look when it is not right.
    """

    passed: bool
    message: str

    def __repr__(self):
        return ("Right. " if self.passed else "Not yet. ") + self.message


def right(message):
    """Return the verdict of a right answer."""
    return Verdict(True, message)


def wrong(message):
    """Return the verdict of an answer that is not right; `message` says which property fails."""
    return Verdict(False, message)


def unanswered(**values):
    """Return a verdict that names the values that are still None, or None when all are given.

    Examples
    --------
    >>> unanswered(w=None, b=1)
    Not yet. w is still None: fill it in above, run that cell, then this one.
    """
    missing = [name for name, value in values.items() if value is None]
    if not missing:
        return None
    names, verb, them = (
        " and ".join(missing),
        "is" if len(missing) == 1 else "are",
        "it" if len(missing) == 1 else "them",
    )
    return wrong(f"{names} {verb} still None: fill {them} in above, run that cell, then this one.")
