import numpy as np
import pytest

from mlcore.validation import as_array, as_nonnegative, as_positive, as_whole_number


class TestAsArray:
    def test_a_copy_is_returned(self):
        given = np.zeros((2, 3))
        taken = as_array("X", given, ("n", 3))
        taken[0, 0] = 1
        assert given[0, 0] == 0

    @pytest.mark.parametrize("value", [[1, 2], [True, False], np.array([1, 2], dtype=np.int8), [np.float32(1), 2]])
    def test_numbers_are_cast(self, value):
        assert as_array("q", value, (2,)).dtype == np.float64

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ([1, 2, 3], r"q: expected shape \(2,\), got \(3,\)"),
            ([[1, 2]], r"q: expected shape \(2,\), got \(1, 2\)"),
            (5, r"q: expected shape \(2,\), got \(\)"),
            ([1, np.nan], r"q: expected numbers, got NaN at position \(1,\)"),
            ([-np.inf, 1], r"q: expected finite numbers, got infinity at position \(0,\)"),
            ([1j, 2], "q: expected real numbers, got complex ones"),
            (["a", "b"], r"q: expected numbers in an array of shape \(2,\), got \['a', 'b'\]"),
            ([[1, 2], [3]], r"q: expected numbers in an array of shape \(2,\), got \[\[1, 2\], \[3\]\]"),
            (None, r"q: expected .*\(2,\)"),
            ({"a": 1}, r"q: expected numbers in an array of shape \(2,\), got \{'a': 1\}"),
        ],
    )
    def test_what_is_wrong_is_named(self, value, message):
        with pytest.raises(ValueError, match=message):
            as_array("q", value, (2,))

    def test_infinity_where_it_is_allowed(self):
        assert as_array("upper", [np.inf, 1], (2,), allow_infinite=True)[0] == np.inf
        with pytest.raises(ValueError, match="upper: expected numbers, got NaN"):
            as_array("upper", [np.nan, 1], (2,), allow_infinite=True)


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, "wide", None, [1, 2]])
def test_not_positive(value):
    with pytest.raises(ValueError, match="width: expected a number above 0, got"):
        as_positive("width", value)


def test_positive_and_infinite():
    assert as_positive("C", np.inf, allow_infinite=True) == np.inf
    assert as_positive("C", np.float32(2)) == 2.0


@pytest.mark.parametrize("value", [-1, np.nan, np.inf, "x"])
def test_negative(value):
    with pytest.raises(ValueError, match="noise: expected"):
        as_nonnegative("noise", value)


@pytest.mark.parametrize("value", [0, 1.0, True, "3", None])
def test_no_whole_number(value):
    with pytest.raises(ValueError, match="k: expected a whole number of at least 1, got"):
        as_whole_number("k", value)


def test_whole_numbers_of_numpy_count():
    assert as_whole_number("k", np.int64(3)) == 3
