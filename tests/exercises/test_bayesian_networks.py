from itertools import combinations

import numpy as np
import pytest

from mlcore.bayes import BayesNet, d_separated
from mlcore.datasets import lettered_network, parkinson, two_coins_and_bell
from mlcore.exercises.bayesian_networks import (
    check_coins,
    check_lost_independence,
    check_triplets,
    check_two_definitions,
    joint_of_three_groups,
)


def tables(P):
    return [T / T.sum() for T in np.moveaxis(P, 2, 0) if T.sum() > 0]


def first(P):
    return max(abs(T - np.outer(T.sum(axis=1), T.sum(axis=0))).max() for T in tables(P))


def second(P):
    return max(abs(row / row.sum() - T.sum(axis=0)).max() for T in tables(P) for row in T if row.sum() > 0)


def careless(P):
    given = P / P.sum(axis=(0, 1))
    return abs(given - given.sum(axis=1, keepdims=True) * given.sum(axis=0, keepdims=True)).max()


class TestRandomNetworks:
    def test_a_node_is_independent_of_the_rest_given_its_parents(self):
        for seed in range(20):
            net = lettered_network(5, seed, certain=0.3 * (seed % 2))
            for name in net.names:
                rest = [n for n in net.names if n not in (name, *net.parents(name), *net.descendants(name))]
                P = joint_of_three_groups(net, rest, [name], net.parents(name))
                assert P.sum() == pytest.approx(1)
                assert first(P) < 1e-12
                assert second(P) < 1e-9

    def test_groups_keep_their_order(self):
        P = joint_of_three_groups(two_coins_and_bell(), ["bell", "coin_2"], ["coin_1"], [])
        assert P[:, :, 0].tolist() == [[0.25, 0.25], [0.25, 0], [0, 0], [0, 0.25]]


class TestTwoDefinitions:
    def test_right_functions_pass(self):
        verdict = check_two_definitions(first, second)
        assert verdict.passed
        assert "on 13 both are not" in verdict.message
        assert check_two_definitions(lambda P: np.array(first(P)), lambda P: str(second(P))).passed

    @pytest.mark.parametrize(
        ("one", "two", "message"),
        [
            (None, second, "first is still None"),
            (None, None, "first and second are still None"),
            (0.0, second, "first: expected a function"),
            (careless, second, "first returned nan"),
            (first, first, "second returned"),
            (lambda P: 0.0, second, "expected 0."),
            (first, lambda P: P.shape, "second raised TypeError"),
            (lambda P: P[5, 5, 5], second, "first raised IndexError"),
        ],
    )
    def test_wrong_ones_are_told_why(self, one, two, message):
        verdict = check_two_definitions(one, two)
        assert not verdict.passed
        assert message in repr(verdict)

    def test_the_readers_function_may_spoil_its_argument(self):
        def spoiling(P):
            answer = first(P)
            P[:] = 0
            return answer

        assert check_two_definitions(spoiling, second).passed


class TestCoins:
    fair, ringing = [[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [1, 0]]

    def test_right_tables_pass(self):
        assert check_coins(self.fair, np.array(self.fair), self.ringing).passed

    @pytest.mark.parametrize(
        ("a", "b", "c", "message"),
        [
            (None, None, ringing, "A_given_B and B_given_A are still None"),
            ([[0.25, 0.25], [0.25, 0.25]], fair, ringing, "A_given_B: each row is a distribution"),
            (fair, [[1, 0], [0, 1]], ringing, "B_given_A[0][0] = 1 does not fit"),
            (fair, fair, fair, "A_given_B_ringing[1][0] = 0.5 does not fit"),
            (fair, fair, [[0.5, 1], [0.5, 0]], "must sum to 1"),
            (fair, fair, [0.5, 0.5], "A_given_B_ringing: expected shape (2, 2)"),
            (fair, "half", ringing, "B_given_A: expected numbers"),
        ],
    )
    def test_wrong_ones_are_told_why(self, a, b, c, message):
        verdict = check_coins(a, b, c)
        assert not verdict.passed
        assert message in repr(verdict)


class TestLostIndependence:
    def test_the_recipe_of_the_definition_passes(self):
        assert check_lost_independence(lambda parents, edge: (*edge, parents[edge[1]])).passed
        assert check_lost_independence(lambda parents, edge: ([edge[1]], {edge[0]}, list(parents[edge[1]]))).passed

    @pytest.mark.parametrize(
        ("lost", "message"),
        [
            (None, "lost is still None"),
            (("A", "B", ()), "lost: expected a function"),
            (lambda parents, edge: None, "lost returns None"),
            (lambda parents, edge: (None, None, None), "lost returns None"),
            (lambda parents, edge: (*edge, ()), "are not independent even before"),
            (lambda parents, edge: ("A", "C", ()), "are not independent even before"),
            (lambda parents, edge: edge, "ValueError"),
            (lambda parents, edge: ("A", "Z", ()), "ValueError"),
            (lambda parents, edge: (*edge, edge), "ValueError"),
            (lambda parents, edge: 5, "TypeError"),
        ],
    )
    def test_a_wrong_one_is_told_why(self, lost, message):
        verdict = check_lost_independence(lost)
        assert not verdict.passed
        assert message in repr(verdict)

    def test_an_independence_that_stays_is_refused(self):
        def stays(parents, edge):
            if parents == {"A": (), "B": (), "C": ("A", "B")}:
                return *edge, ()
            before, after = (graph(p) for p in (parents, parents | {edge[1]: (*parents[edge[1]], edge[0])}))
            for x, y in combinations(parents, 2):
                if d_separated(before, x, y) and d_separated(after, x, y):
                    return x, y, ()
            return *edge, parents[edge[1]]

        def graph(parents):
            return BayesNet.from_tables({n: np.full((2,) * len(e), 0.5) for n, e in parents.items()}, parents)

        assert "are still independent after" in check_lost_independence(stays).message


class TestTriplets:
    table = parkinson().joint_table().values

    def test_the_product_passes(self):
        assert check_triplets(self.table).passed
        assert check_triplets(self.table.tolist()).passed

    def test_the_numbers_of_the_book_do_not(self):
        printed = np.array([0.00189, 0.00081, 0.0001, 0.00009, 0.01994, 0.17946, 0.7976, 0.71884]).reshape(2, 2, 2)
        assert "sum to 1.71873" in check_triplets(printed).message

    @pytest.mark.parametrize(
        ("P", "message"),
        [
            (None, "P is still None"),
            (table.ravel(), "P: expected shape (2, 2, 2), got (8,)"),
            (table.transpose(1, 0, 2), "They make P(a) ="),
            (table.transpose(0, 2, 1), "They make P(b|a) = 0.7, but the table says 0.9"),
            (table[:, :, ::-1], "They make P(c|¬a) = 0.9, but the table says 0.1"),
            (np.full((2, 2, 2), 0.125), "They make P(a) = 0.5, but the prevalence is 0.003"),
            (table - [[[0.01]], [[-0.01]]], "no probability is below 0"),
            ("eight", "P: expected numbers"),
        ],
    )
    def test_a_wrong_one_is_told_why(self, P, message):
        verdict = check_triplets(P)
        assert not verdict.passed
        assert message in repr(verdict)

    def test_dependent_symptoms_are_refused(self):
        change = 0.001 * np.array([[0, 0], [1, -1]])[:, None, :] * np.array([1, -1])[None, :, None]
        assert "not independent given the disease" in check_triplets(self.table + change).message
