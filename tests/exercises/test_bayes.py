import numpy as np
import pytest

from mlcore.exercises.bayes import (
    check_box_by_lot,
    check_likelihood_sums,
    check_predictive_value,
    check_tables,
    check_tall_density,
    check_tests_needed,
)

LIKELIHOOD_SUMS = [12 / 35, 31 / 35, 27 / 35]


def five_tables(counts):
    joint = counts / counts.sum()
    p_x, p_y = joint.sum(axis=1), joint.sum(axis=0)
    return joint, p_x, p_y, joint / p_x[:, None], joint / p_y


def replaced(place, make):
    def tables(counts):
        answer = list(five_tables(counts))
        answer[place] = make(counts, *answer)
        return answer

    return tables


def predictive_value(p, s, t):
    return p * s / (p * s + (1 - p) * (1 - t))


def refuse(verdict, message):
    assert not verdict.passed
    assert message in verdict.message


class TestTables:
    def test_the_right_tables_pass(self):
        assert check_tables(five_tables).passed
        assert check_tables(lambda n: [table.tolist() for table in five_tables(n)]).passed

    @pytest.mark.parametrize(
        ("tables", "message"),
        [
            (None, "tables is still None"),
            (3, "TypeError"),
            (lambda n: None, "TypeError"),
            (lambda n: five_tables(n)[:3], "Expected five tables"),
            (replaced(0, lambda n, *_: n), "p(x, y) sums to 12, not 1"),
            (replaced(0, lambda n, *_: np.full(n.shape, 1 / n.size)), "in proportion to the counts"),
            (replaced(1, lambda n, j, x, y, *_: y), "p(x): expected shape (2,)"),
            (replaced(1, lambda n, j, *_: np.full(len(j), 1 / len(j))), "p(x) must sum p(x, y)"),
            (replaced(2, lambda n, j, *_: np.full(j.shape[1], 1 / j.shape[1])), "p(y) must sum p(x, y)"),
            (replaced(3, lambda n, j, x, y, a, b: b), "p(y | x) is turned"),
            (replaced(4, lambda n, j, x, y, a, b: a), "p(x | y) is turned"),
            (replaced(4, lambda n, j, *_: j), "p(x | y) must sum to 1 over the variable before the bar"),
            (replaced(4, lambda n, j, *_: np.full(j.shape, 1 / len(j))), "product rule"),
            (replaced(3, lambda n, j, *_: j * np.nan), "got NaN"),
            (lambda n: five_tables(np.array([[1, 3, 1], [1, 2, 4]])), "expected shape (3, 3)"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, tables, message):
        refuse(check_tables(tables), message)


class TestLikelihoodSums:
    def test_the_right_sums_pass(self):
        assert check_likelihood_sums(LIKELIHOOD_SUMS, [0.5, 0.5]).passed
        assert check_likelihood_sums([0.343, 0.886, 0.771], (0.5, 0.5)).passed

    @pytest.mark.parametrize(
        ("sums", "posterior", "message"),
        [
            (None, None, "sums and posterior_solid are still None"),
            ([1, 1, 1], [0.5, 0.5], "sums of p(x | y)"),
            ([0.77, 31 / 35, 27 / 35], [0.5, 0.5], "(that is the sum for dotted)"),
            ([12 / 35, 0.5, 27 / 35], [0.5, 0.5], "for the dashed box"),
            (LIKELIHOOD_SUMS, [1 / 5, 1 / 7], "sums to 0.3429"),
            (LIKELIHOOD_SUMS, [7 / 12, 5 / 12], "left out the prior"),
            (LIKELIHOOD_SUMS, [0.9, 0.1], "not in proportion"),
            ([1, 2], [0.5, 0.5], "sums: expected shape (3,)"),
            (LIKELIHOOD_SUMS, "half", "posterior_solid: expected numbers"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, sums, posterior, message):
        refuse(check_likelihood_sums(sums, posterior), message)


class TestBoxByLot:
    def test_the_right_answer_passes(self):
        assert check_box_by_lot(13 / 30, [5 / 13, 6 / 13, 2 / 13]).passed

    @pytest.mark.parametrize(
        ("p_cube", "p_box", "message"),
        [
            (None, [1, 0, 0], "p_cube is still None"),
            (5 / 12, [0.2, 0.6, 0.2], "counts all twelve things"),
            (0.5, [0.2, 0.6, 0.2], "mean of p(cube | y)"),
            (13 / 30, [0.5, 0.6, 0.2], "sums to 1.3, not 1"),
            (13 / 30, [0.2, 0.6, 0.2], "with p(y) = 1/3 now"),
            ([1, 2], [0.2, 0.6, 0.2], "p_cube: expected shape ()"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, p_cube, p_box, message):
        refuse(check_box_by_lot(p_cube, p_box), message)


class TestPredictiveValue:
    def test_the_right_function_passes(self):
        verdict = check_predictive_value(predictive_value)
        assert verdict.passed and "0.154" in verdict.message

    @pytest.mark.parametrize(
        ("function", "message"),
        [
            (None, "predictive_value is still None"),
            (0.154, "TypeError"),
            (lambda p, s, t: s, "This is the sensitivity"),
            (lambda p, s, t: p * s, "This is p(ill, positive)"),
            (lambda p, s, t: s / (s + 1 - t), "prevalence has been left out"),
            (lambda p, s, t: p * s / (p * s + (1 - p) * t), "false alarms"),
            (lambda p, s, t: p * (1 - s) / (p * (1 - s) + (1 - p) * t), "p(ill | negative)"),
            (lambda p, s, t: 0.154, "are ill and positive"),
            (lambda p, s, t: [p, s], "expected shape ()"),
            (lambda p, s, t: 1 / 0, "ZeroDivisionError"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, function, message):
        refuse(check_predictive_value(function), message)


class TestTestsNeeded:
    def test_the_right_number_passes(self):
        assert check_tests_needed(4).passed
        assert check_tests_needed(np.int64(2), prevalence=0.1).passed

    @pytest.mark.parametrize(
        ("count", "message"),
        [
            (None, "count is still None"),
            (3, "p(ill) is 0.8538: not above 0.95"),
            (0, "p(ill) is 0.0010"),
            (5, "after 4 p(ill) is 0.9906 already"),
            (4.0, "expected a whole number"),
            (True, "expected a whole number"),
            (1000, "from 0 to 100"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, count, message):
        refuse(check_tests_needed(count), message)


class TestTallDensity:
    @pytest.mark.parametrize(
        "density",
        [
            lambda x: 10 * x**9,
            lambda x: 5.0 if 0.4 < x < 0.6 else 0.0,
            lambda x: 4 * (x > 0.75),
            lambda x: 0.5 / np.sqrt(x),
            lambda x: 1000.0 if 0.5 < x < 0.501 else 0.0,
        ],
    )
    def test_any_tall_density_passes(self, density):
        assert check_tall_density(density).passed

    @pytest.mark.parametrize(
        ("density", "message"),
        [
            (None, "density is still None"),
            (4, "TypeError"),
            (lambda x: 4.0, "The area from 0 to 1 is 4"),
            (lambda x: 2 * x, "largest value is 2"),
            (lambda x: 16 * x - 7, "never negative"),
            (lambda x: [x, x], "expected shape ()"),
            (lambda x: np.nan, "got NaN"),
            (lambda x: None, "ValueError"),
        ],
    )
    def test_a_wrong_answer_is_told_why(self, density, message):
        refuse(check_tall_density(density), message)
