"""What a check says about an answer, and how the parts of a check say it."""

import functools
import inspect
from dataclasses import dataclass

__all__ = ["Verdict", "check", "nearly", "not_yet", "refuse"]


@dataclass(frozen=True)
class Verdict:
    """A check's answer, shown as its text at the end of a cell.

    Attributes
    ----------
    kind : str
        "Right", "Not yet" (nothing was filled in), "Nearly" (rounded to too few digits) or "Wrong".
    message : str
        Why, and where to look when it is not right.
    """

    kind: str
    message: str

    @property
    def passed(self):
        """Whether the answer is right."""
        return self.kind == "Right"

    def __repr__(self):
        return f"{self.kind}. {self.message}"


class Refusal(Exception):
    """Ends a check early with its verdict."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.verdict = Verdict(kind, message)


def refuse(message):
    """End the check: the answer is wrong, and `message` gives the first sign of it."""
    raise Refusal("Wrong", message)


def nearly(name, digits):
    """End the check: `name` is right as far as it goes, but has fewer than `digits` decimals."""
    raise Refusal("Nearly", f"{name}: right as far as it goes, but rounded too early. Give at least {digits} decimals.")


def not_yet(what):
    """End the check: `what`, such as "w is" or "w and b are", is still None."""
    raise Refusal(
        "Not yet",
        f"{what} still None: fill {'them' if what.endswith(' are') else 'it'} in above, run that cell, then this one.",
    )


def check(function):
    """Turn a function that returns why an answer is right, or ends in `refuse` and its like, into a check.

    Answers that are still None are found before the function is called. An error of the check itself is reported as
    such, so that no reader looks for it in the answer.

    Examples
    --------
    >>> @check
    ... def check_sum(a, b):
    ...     return "It is 2." if a + b == 2 else refuse(f"a + b is {a + b}.")
    >>> check_sum(1, 1), check_sum(1, 2), check_sum(1, None)
    (Right. It is 2., Wrong. a + b is 3., Not yet. b is still None: fill it in above, run that cell, then this one.)
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        missing = [name for name, value in given.arguments.items() if value is None]
        try:
            if missing:
                not_yet(f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'}")
            return Verdict("Right", function(*args, **kwargs))
        except Refusal as refusal:
            return refusal.verdict
        except Exception as error:  # whatever it is, the reader gets a sentence
            return Verdict(
                "Not yet",
                f"The check itself stopped with {type(error).__name__}: {error}. That is a fault of this book, not of "
                "your answer.",
            )

    return checked
