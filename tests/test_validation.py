import numpy as np
import pytest

from mlcore.validation import as_array, as_nonnegative, as_positive, as_symmetric, as_whole_number


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
            (["1", "2"], r"q: expected numbers in an array of shape \(2,\), got \['1', '2'\]"),
            (np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"), "q: expected numbers in an array"),
            (np.ma.masked_equal([1.0, 2.0], 2.0), r"q: expected numbers, got a masked entry at position \(1,\)"),
            ({"a": 1}, r"q: expected numbers in an array of shape \(2,\), got \{'a': 1\}"),
        ],
    )
    def test_what_is_wrong_is_named(self, value, message):
        with pytest.raises(ValueError, match=message):
            as_array("q", value, (2,))

    @pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
    @pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">i2", "f2", "?", "O"])
    def test_the_array_is_native_and_contiguous(self, dtype, tmp_path):
        given = np.asfortranarray(np.arange(6).reshape(3, 2) % 2, dtype=dtype)
        stored = np.memmap(tmp_path / "X", "<f8", "w+", shape=(3, 2))
        stored[:] = given.astype(float)
        for value in (given, given[::-1][::-1], np.asmatrix(given.astype(float)), stored):
            taken = as_array("X", value, ("n", 2))
            assert type(taken) is np.ndarray
            assert memoryview(taken).format == "d"
            assert taken.flags.c_contiguous
            np.testing.assert_array_equal(taken, given.astype(float))

    def test_infinity_where_it_is_allowed(self):
        assert as_array("upper", [np.inf, 1], (2,), allow_infinite=True)[0] == np.inf
        with pytest.raises(ValueError, match="upper: expected numbers, got NaN"):
            as_array("upper", [np.nan, 1], (2,), allow_infinite=True)


class TestAsSymmetric:
    @pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
    def test_rounding_is_evened_out(self, size):
        matrix = size * np.array([[1, 0.5], [0.5 * (1 + 1e-12), 1]])
        symmetric = as_symmetric("P", matrix)
        assert (symmetric == symmetric.T).all()
        np.testing.assert_allclose(symmetric, matrix, rtol=1e-12)

    @pytest.mark.parametrize(
        ("matrix", "message"),
        [
            ([[1, 2], [3, 1]], r"P: expected a symmetric matrix, got 2 at \(0, 1\) and 3 at \(1, 0\)"),
            ([[1, 1e-9], [0, 1]], "P: expected a symmetric matrix"),
            ([[1, 2]], r"P: expected a square matrix, got shape \(1, 2\)"),
            ([[1, np.nan], [np.nan, 1]], "P: expected numbers, got NaN"),
        ],
    )
    def test_what_is_wrong_is_named(self, matrix, message):
        with pytest.raises(ValueError, match=message):
            as_symmetric("P", matrix)

    def test_no_rows(self):
        assert as_symmetric("P", np.zeros((0, 0))).shape == (0, 0)


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, "wide", "1", b"1", 1j, None, [1, 2], np.array([1.0])])
def test_not_positive(value):
    with pytest.raises(ValueError, match="width: expected a number above 0, got"):
        as_positive("width", value)


def test_positive_and_infinite():
    assert as_positive("C", np.inf, allow_infinite=True) == np.inf
    assert as_positive("C", np.float32(2)) == 2.0


@pytest.mark.parametrize("value", [-1, np.nan, np.inf, "x", "1", None, np.array([1.0])])
def test_negative(value):
    with pytest.raises(ValueError, match="noise: expected"):
        as_nonnegative("noise", value)


@pytest.mark.parametrize("value", [0, 1.0, True, "3", None])
def test_no_whole_number(value):
    with pytest.raises(ValueError, match="k: expected a whole number of at least 1, got"):
        as_whole_number("k", value)


def test_whole_numbers_of_numpy_count():
    assert as_whole_number("k", np.int64(3)) == 3
