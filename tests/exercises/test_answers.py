"""Whatever goes into a reader of answers, a right form comes out or a sentence; NaN never gets through."""

from decimal import Decimal
from fractions import Fraction

import cvxopt
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mlcore.exercises._answers import (
    agree,
    array,
    function,
    indices,
    inequality,
    labels,
    node_names,
    number,
    parts,
    same_label,
    shown,
    truth,
    up_to_scale,
    vanishes,
)
from mlcore.exercises._verdict import Refusal, Verdict, check, nearly, refuse

FINITE = st.floats(-1e6, 1e6, allow_subnormal=False)
LEAF = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.text(max_size=4),
    st.binary(max_size=3), st.decimals(), st.fractions(), st.datetimes(), st.just(object()), st.just(np.array(1)),
    st.just(float),
    arrays(st.sampled_from([float, int, bool, complex, "U2", object]), st.sampled_from([(), (0,), (1,), (3,), (2, 2)])),
)  # fmt: skip
ANYTHING = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.tuples(inner, inner), st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=8,
)
READERS = {
    "number": lambda value: number("x", value),
    "whole": lambda value: number("x", value, whole=True, least=0, most=9),
    "vector": lambda value: array("x", value, (3,)),
    "matrix": lambda value: array("x", value, (2, 2)),
    "list": lambda value: array("x", value, ("n",)),
    "indices": lambda value: indices("x", value, 5),
    "truth": lambda value: truth("x", value),
    "labels": lambda value: labels("x", value, 3),
    "names": lambda value: node_names("x", value, ("A", "B")),
    "function": lambda value: function("x", value, "a and b")(1.0, np.ones(2)),
    "parts": lambda value: parts("x", value, ("a", "b")),
}
FORMS = [
    list, tuple, np.array, pd.Series, cvxopt.matrix, lambda v: np.reshape(v, (-1, 1)),
    lambda v: [np.float64(x) for x in v],
    lambda v: [Fraction(x) for x in v], lambda v: [Decimal(x) for x in v], lambda v: np.array(v, dtype=object),
]  # fmt: skip


def refused(read, kind="Wrong"):
    with pytest.raises(Refusal) as caught:
        read()
    verdict = caught.value.verdict
    assert verdict.kind == kind, verdict
    return verdict.message


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=ANYTHING)
def test_anything_is_read_or_refused_in_a_sentence(name, value):
    @check
    def check_it(answer):
        return f"Read {READERS[name](answer)!r:.50}"

    verdict = check_it(value)
    assert isinstance(verdict, Verdict)
    assert "fault of this book" not in repr(verdict)
    assert verdict.kind in ("Right", "Wrong", "Not yet")
    assert len(verdict.message) > 5


@pytest.mark.parametrize("name", ["number", "vector", "matrix", "list"])
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=ANYTHING)
def test_what_is_read_as_numbers_is_finite_and_of_the_asked_shape(name, value):
    try:
        read = READERS[name](value)
    except Refusal:
        return
    assert np.isfinite(read).all()
    assert np.ndim(read) == {"number": 0, "vector": 1, "matrix": 2, "list": 1}[name]


@given(vector=st.lists(FINITE, min_size=3, max_size=3), form=st.sampled_from(FORMS))
def test_a_vector_is_accepted_in_every_form(vector, form):
    assert array("x", form(vector), (3,)).tolist() == vector


@given(
    vector=st.lists(FINITE, min_size=3, max_size=3),
    place=st.integers(0, 2),
    bad=st.sampled_from([np.nan, np.inf, 1e60]),
)
def test_one_bad_entry_is_named(vector, place, bad):
    vector[place] = bad
    assert f"x[{place}] is" in refused(lambda: array("x", vector, (3,)))


@given(chosen=st.sets(st.integers(0, 9)))
def test_a_set_of_rows_is_accepted_in_every_form(chosen):
    rows = sorted(chosen)
    mask = np.isin(np.arange(10), rows)
    forms = [rows, tuple(rows), chosen, frozenset(chosen), np.array(rows, dtype=int), np.array(rows, dtype=float), mask]
    forms += [mask.tolist(), np.where(mask), np.flatnonzero(mask)[::-1], np.argwhere(mask), pd.Index(rows, dtype=int)]
    forms += [pd.Series(mask), rows + rows]
    for form in forms:
        if isinstance(form, tuple) and len(form) == 1 and not isinstance(form[0], np.ndarray):
            continue  # (3,) is read as it stands
        assert indices("x", form, 10).tolist() == rows
    assert indices("x", tuple(rows), 10).tolist() == rows


@pytest.mark.parametrize(
    "value", [[-1], [10], [0.5], ["0"], [np.nan], [True, 0], np.eye(10, dtype=int), 3, "0", {0: 1}, [[0], [1, 2]]]
)
def test_what_is_no_set_of_rows_is_refused(value):
    assert refused(lambda: indices("x", value, 10)).startswith("x: expected")


def test_only_true_and_false_are_truth_values():
    assert truth("x", True) is truth("x", np.True_) is truth("x", np.array(True)) is True
    assert truth("x", np.False_) is False
    for value in (1, 0, 1.0, "no", "True", [], [True], np.array([True]), np.array([True, False]), object()):
        assert "expected True or False" in refused(lambda value=value: truth("x", value))


@pytest.mark.parametrize(
    ("value", "read"), [(4, 4), (4.0, 4), (np.ceil(3.2), 4), (np.int8(4), 4), (Fraction(8, 2), 4), (np.array(4), 4)]
)
def test_whole_numbers(value, read):
    found = number("x", value, whole=True)
    assert found == read and type(found) is int


@pytest.mark.parametrize("value", [4.5, "4", True, [4], 4j, np.nan, np.inf, 10**400, object()])
def test_what_is_no_whole_number_is_refused(value):
    refused(lambda: number("x", value, whole=True))


@given(expected=st.lists(st.floats(-9, 9), min_size=1, max_size=4), digits=st.integers(2, 5), data=st.data())
def test_digits_asked_for_are_enough_and_an_error_beyond_them_is_not(expected, digits, data):
    expected = np.array(expected)
    agree("x", expected.round(digits), expected, digits)
    agree("x", np.trunc(expected * 10**digits) / 10**digits, expected, digits)
    wrong = expected.copy()
    wrong[data.draw(st.integers(0, len(expected) - 1))] += 2 * 10.0**-digits + 1e-7
    with pytest.raises(Refusal):
        agree("x", wrong, expected, digits)


def test_too_few_digits_are_nearly_right():
    for rounded in ([0.67, 0.33], [0.7, 0.3]):
        assert "Give at least 3 decimals" in refused(lambda r=rounded: agree("x", r, [2 / 3, 1 / 3]), "Nearly")
    assert refused(lambda: agree("x", [0.67, 0.34], [2 / 3, 1 / 3])) == "x[1] = 0.34 is off by 0.00667."
    assert refused(lambda: agree("x", 1, 2 / 3)) == "x = 1 is off by 0.333."  # no digit of 2/3 is left
    assert "at least 2 decimals" in refused(lambda: agree("x", 33.3, 100 / 3), "Nearly")
    assert vanishes("x", np.array([0.333, 0.667]), 0.0004, 1.0)
    assert not vanishes("x", np.array([0.3, 0.9]), 0.2, 1.0)
    assert "x: right as far" in refused(lambda: vanishes("x", np.array([0.33, 0.67]), 0.004, 1.0), "Nearly")


@pytest.mark.parametrize(
    "text",
    ["x1 + x2 <= 2", "x2+x1<=2", "2 >= x1 + x2", "x₁ + x₂ ≤ 2", "3x1 + 3*x2 ≤ 6", "x_1 - 2 <= -x_2", "−x1 − x2 ≥ −2"],
)
def test_spellings_of_one_inequality(text):
    assert inequality(text, ("x1", "x2")) == (1, 1, 2)


@given(text=st.text(alphabet="x12+-<>=≤≥ .*y", max_size=12))
def test_any_text_is_an_inequality_or_none(text):
    found = inequality(text, ("x1", "x2"))
    assert found is None or (len(found) == 3 and max(map(abs, found[:2])) == 1)


def test_labels_that_are_equal_are_one():
    assert len(np.unique(labels("y", [1, 1.0], 2))) == 1
    assert labels("y", ["a", "b"], 2).tolist() == ["a", "b"]
    for value in ([1, "1"], [True, False], [np.nan, 1], "ab", [["a"], ["b"]], [None, "a"], {"a": 1, "b": 2}):
        with pytest.raises(Refusal):
            labels("y", value, 2)
    assert same_label(np.array([1.0]), 1.0) and same_label(np.str_("wood"), "wood")
    assert not any(same_label(value, 1.0) for value in (True, "1.0", [1, 1], None, np.nan, {}))


def test_an_error_of_the_reader_is_shown_with_its_line():
    def broken(x):
        y = x + 1
        return y / 0

    text = refused(lambda: function("broken", broken, "x")(2.0))
    line = broken.__code__.co_firstlineno + 2
    assert text.startswith(f"broken stopped in line {line}, `return y / 0`, with ZeroDivisionError: float division")
    assert text.endswith(". It was called with 2.")
    assert "cannot be called with x and y: TypeError" in refused(lambda: function("broken", broken, "x and y")(1, 2))
    assert "returns None" in refused(lambda: function("f", lambda x: None, "x")(1), "Not yet")


def test_a_function_cannot_spoil_the_data_of_the_check():
    X, graph = np.ones(3), {"A": ()}
    function("f", lambda X, graph: (X.fill(0), graph.clear()), "X and graph")(X, graph)
    assert X.tolist() == [1, 1, 1] and graph == {"A": ()}


def test_rows_that_differ_by_a_positive_factor_are_equal():
    rows = np.array([[1.0, -2, 0], [0, 3, 6]])
    assert np.array_equal(up_to_scale(rows[::-1] * [[7.0], [0.1]]), up_to_scale(rows))
    assert not np.array_equal(up_to_scale(-rows), up_to_scale(rows))


def test_a_fault_of_a_check_is_not_blamed_on_the_reader():
    @check
    def check_nothing(answer):
        return 1 / 0

    assert "ZeroDivisionError: division by zero. That is a fault of this book" in repr(check_nothing(1))


def test_verdicts_begin_with_their_kind():
    @check
    def check_it(answer):
        return "Fine." if answer == 1 else nearly("answer", 3) if answer == 2 else refuse("It is 3.")

    assert [repr(check_it(value)).split(".")[0] for value in (1, 2, 3, None)] == ["Right", "Nearly", "Wrong", "Not yet"]
    assert repr(check_it(None)) == "Not yet. answer is still None: fill it in above, run that cell, then this one."


def test_shown_is_short_and_never_fails():
    class Mute:
        def __repr__(self):
            raise RuntimeError

    for value in (Mute(), [Mute()], 10**5000, "x" * 500, np.zeros(10**6), list(range(10**5))):
        assert len(shown(value)) <= 80
