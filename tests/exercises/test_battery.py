"""Every check of every chapter: right answers in several forms, wrong ones with what is said of them, hostile ones.

The tables stand in the test files of the chapters; a check without an entry fails here.
"""

import importlib
import pkgutil
import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import mlcore.exercises
from mlcore.exercises._verdict import Verdict
from mlcore.kernels import Kernel

HERE = Path(__file__)
TABLE = {
    check: cases
    for path in sorted(HERE.parent.glob("test_*.py"))
    if path != HERE
    for check, cases in runpy.run_path(str(path)).get("TABLE", {}).items()
}
RIGHT = [(check, args) for check, cases in TABLE.items() for args in cases["right"]]
WRONG = [(check, args, message) for check, cases in TABLE.items() for *args, message in cases["wrong"]]


class Spiteful:
    """Raises at whatever is done to it."""

    def _fail(self, *args, **kwargs):
        raise RuntimeError("spite")

    __array__ = __bool__ = __eq__ = __float__ = __len__ = __iter__ = __repr__ = __index__ = __hash__ = _fail


ITSELF = [1.0]
ITSELF.append(ITSELF)
HOSTILE = [
    float("nan"), float("inf"), -float("inf"), 1e300, -(10**400), 1j, np.datetime64("2020-01-01"), Fraction(10**90, 7),
    "", "no", "yes", "1", b"1", True, np.False_, (), [], {}, set(), {"w": 1},
    {1, 2, 3, 99}, [[1, 2], [3]], [None], [None] * 5,
    [np.nan] * 5, np.full(40, np.nan), np.full((2, 2), np.inf), ["a", 1], np.array("text"), np.array(None), np.zeros(0),
    np.zeros((2, 0, 3)), np.broadcast_to(0.0, (10**9,)), range(10**9), np.zeros(7, dtype=[("a", float)]), object(), int,
    Spiteful(), [Spiteful()], (Spiteful(), None), {1: Spiteful()}, ITSELF,
    iter([1, 2]), LinearRegression(),
]  # fmt: skip


def raising(*args):
    raise LookupError("the reader's own")


def call(check, args):
    verdict = check(*args, **TABLE[check].get("context", {}))
    assert isinstance(verdict, Verdict)
    assert "fault of this book" not in verdict.message, verdict
    assert verdict.message.endswith((".", "?", "!", ":")), verdict
    return verdict


def checks():
    for module in pkgutil.iter_modules(mlcore.exercises.__path__, "mlcore.exercises."):
        found = importlib.import_module(module.name)
        yield from (getattr(found, name) for name in getattr(found, "__all__", ()) if name.startswith("check_"))


def test_every_check_has_its_five_right_forms_and_ten_wrong_answers():
    poor = {c.__module__ + "." + c.__name__ for c in checks() if c not in TABLE}
    poor |= {c.__name__ for c, cases in TABLE.items() if len(cases["right"]) < 5 or len(cases["wrong"]) < 10}
    assert not poor


@pytest.mark.parametrize(("check", "args"), RIGHT, ids=[check.__name__ for check, _ in RIGHT])
def test_right_answers_pass_in_any_form(check, args):
    verdict = call(check, args)
    assert verdict.passed, verdict


@pytest.mark.parametrize(("check", "args", "message"), WRONG, ids=[check.__name__ for check, *_ in WRONG])
def test_wrong_answers_are_told_why(check, args, message):
    verdict = call(check, args)
    assert not verdict.passed
    assert message in repr(verdict)


@pytest.mark.parametrize("check", TABLE, ids=lambda check: f"{check.__module__.split('.')[-1]}.{check.__name__}")
def test_hostile_answers_are_refused_in_a_sentence(check):
    right = TABLE[check]["right"][0]
    for place, part in enumerate(right):
        hostile = list(HOSTILE)
        if callable(part):
            hostile += [lambda *args, value=value: value for value in HOSTILE]
            hostile += [lambda *args, value=value: (value,) * 2 for value in HOSTILE]
            hostile += [lambda *args, value=value: (value,) * 3 for value in HOSTILE]
            hostile += [raising, lambda: 1, lambda *, only: 1, print, type]
        for value in hostile:
            if isinstance(part, bool) and isinstance(value, bool | np.bool_):
                continue  # the one answer that hostile values may happen to give
            verdict = call(check, [*right[:place], value, *right[place + 1 :]])
            assert not verdict.passed, (place, type(value))
            assert verdict.kind in ("Not yet", "Wrong"), verdict


@pytest.mark.parametrize("check", TABLE, ids=lambda check: f"{check.__module__.split('.')[-1]}.{check.__name__}")
def test_what_is_still_none_is_named(check):
    right = TABLE[check]["right"][0]
    assert call(check, [None] * len(right)).kind == "Not yet"
    for place, part in enumerate(right):
        verdict = call(check, [*right[:place], None, *right[place + 1 :]])
        assert verdict.kind == "Not yet" and "still None: fill it in" in verdict.message
        if callable(part) and not isinstance(part, Kernel):
            empty = call(check, [*right[:place], lambda *args: None, *right[place + 1 :]])
            assert empty.kind in ("Not yet", "Wrong") and "returns None" in empty.message
            told = call(check, [*right[:place], raising, *right[place + 1 :]])
            assert "in line" in told.message and "LookupError: the reader's own" in told.message
