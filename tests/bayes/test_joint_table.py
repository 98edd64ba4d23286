from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mlcore.bayes import bayes_rule, joint_table, three_boxes
from mlcore.errors import ZeroProbabilityEvidence

COUNTS = arrays(int, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(1, 50))


def fractions(*values):
    return pytest.approx([float(Fraction(value)) for value in values], abs=1e-15)


class TestThreeBoxes:
    table = joint_table(*three_boxes())

    def test_the_numbers_of_the_book(self):
        assert three_boxes()[0].sum() == 12
        assert self.table.probabilities[0] == fractions("1/12", "1/4", "1/12")
        assert self.table.probabilities[1] == fractions("1/12", "1/6", "1/3")
        assert self.table.row_marginal == fractions("5/12", "7/12")
        assert self.table.column_marginal == fractions("1/6", "5/12", "5/12")
        assert self.table.given_row("cube") == fractions("1/5", "3/5", "1/5")
        assert self.table.given_row("ball") == fractions("1/7", "2/7", "4/7")
        assert self.table.given_column("dotted") == fractions("1/5", "4/5")

    def test_likelihoods_sum_to_anything(self):
        likelihood = np.array([self.table.given_row(name) for name in self.table.rows])
        assert likelihood.sum(axis=0) == fractions("12/35", "31/35", "27/35")


@settings(deadline=None, max_examples=50)
@given(COUNTS)
def test_sum_rule_product_rule_and_bayes_rule(counts):
    table = joint_table(counts)
    assert table.probabilities.sum() == pytest.approx(1)
    assert table.row_marginal.sum() == pytest.approx(1) == table.column_marginal.sum()
    for column, name in enumerate(table.columns):
        conditional = table.given_column(name)
        assert conditional * table.column_marginal[column] == pytest.approx(table.probabilities[:, column])
        likelihood = np.array([table.given_row(row)[column] for row in table.rows])
        turned = bayes_rule(table.row_marginal / table.row_marginal.sum(), likelihood)
        assert turned.probabilities == pytest.approx(conditional)
        assert turned.evidence == pytest.approx(table.column_marginal[column])


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(1e-6, 1), min_size=2, max_size=5), st.integers(0, 5))
def test_one_by_one_is_all_at_once(likelihood, seed):
    prior = np.random.default_rng(seed).dirichlet(np.ones(len(likelihood)))
    belief = prior
    for _ in range(3):
        belief = bayes_rule(belief / belief.sum(), likelihood).probabilities
    assert belief == pytest.approx(bayes_rule(prior, np.power(likelihood, 3)).probabilities)


def test_input_is_neither_changed_nor_kept():
    counts = np.array([[1.0, 2.0], [3.0, 4.0]])
    table = joint_table(counts)
    counts[:] = 0
    assert table.probabilities.sum() == 1


def test_names_come_from_a_data_frame_or_are_made():
    frame = pd.crosstab(pd.Series(["a", "b", "a"], name="x"), pd.Series([True, False, True], name="y"))
    assert (joint_table(frame).rows, joint_table(frame).columns) == (("a", "b"), ("False", "True"))
    assert joint_table([[1, 2]]).columns == ("y₁", "y₂")


def test_tiny_likelihoods_do_not_vanish():
    assert bayes_rule([0.5, 0.5], [1e-310, 3e-310]).probabilities == pytest.approx([0.25, 0.75], abs=1e-10)


@pytest.mark.parametrize(
    ("counts", "names", "message"),
    [
        ([[1, -1]], {}, "counts: expected none below 0, got -1"),
        ([[0, 0]], {}, "counts: expected a finite sum above 0, got 0"),
        ([1, 2], {}, r"counts: expected shape \(r, c\)"),
        ([[1, np.nan]], {}, "counts: expected numbers, got NaN"),
        (np.zeros((0, 2)), {}, "counts: expected a finite sum above 0"),
        ([[1, 2]], {"columns": ("a",)}, "columns: expected 2 different names"),
        ([[1, 2]], {"columns": ("a", "a")}, "columns: expected 2 different names"),
    ],
)
def test_bad_counts_are_named(counts, names, message):
    with pytest.raises(ValueError, match=message):
        joint_table(counts, **names)


def test_unknown_and_impossible_conditions():
    table = joint_table([[1, 0], [2, 0]], ("a", "b"), ("c", "d"))
    with pytest.raises(ValueError, match="column: expected one of c, d, got 'a'"):
        table.given_column("a")
    with pytest.raises(ZeroProbabilityEvidence, match="d: expected a condition of probability above 0"):
        table.given_column("d")


@pytest.mark.parametrize(
    ("prior", "likelihood", "message"),
    [
        ([0.5, 0.6], [1, 1], "prior: expected probabilities with the sum 1"),
        ([-0.5, 1.5], [1, 1], "prior: expected probabilities with the sum 1"),
        ([], [], "prior: expected probabilities with the sum 1"),
        ([0.5, 0.5], [1, 1, 1], r"likelihood: expected shape \(2,\)"),
        ([0.5, 0.5], [1, -1], "likelihood: expected none below 0"),
        ([0.5, 0.5], [1, np.inf], "likelihood: expected finite numbers"),
    ],
)
def test_bad_beliefs_are_named(prior, likelihood, message):
    with pytest.raises(ValueError, match=message):
        bayes_rule(prior, likelihood)


def test_what_cannot_have_been_seen_has_no_posterior():
    with pytest.raises(ZeroProbabilityEvidence, match="got 0 everywhere"):
        bayes_rule([0.0, 1.0], [0.7, 0.0])
