from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd

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


def spoiling(P):
    answer = first(P)
    P[:] = 0
    return answer


def recipe(parents, edge):
    return *edge, parents[edge[1]]


def graph(parents):
    return BayesNet.from_tables({name: np.full((2,) * len(e), 0.5) for name, e in parents.items()}, parents)


def stays(parents, edge):
    """Name an independence that the edge does not destroy, where there is one."""
    if parents == {"A": (), "B": (), "C": ("A", "B")}:
        return *edge, ()
    before, after = (graph(p) for p in (parents, parents | {edge[1]: (*parents[edge[1]], edge[0])}))
    for x, y in combinations(parents, 2):
        if d_separated(before, x, y) and d_separated(after, x, y):
            return x, y, ()
    return recipe(parents, edge)


FAIR, RINGING = [[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [1, 0]]
EIGHT = parkinson().joint_table().values
PRINTED = np.array([0.00189, 0.00081, 0.0001, 0.00009, 0.01994, 0.17946, 0.7976, 0.71884]).reshape(2, 2, 2)
DEPENDENT = EIGHT + 0.001 * np.array([[0, 0], [1, -1]])[:, None, :] * np.array([1, -1])[None, :, None]
TABLE = {
    check_two_definitions: dict(
        right=[
            (first, second),
            (spoiling, second),
            (lambda P: np.array(first(P)), lambda P: float(second(P))),
            (lambda P: Fraction(float(first(P))), second),
            (first, lambda P: np.float64(second(P) + 1e-10)),
        ],
        wrong=[
            (0.0, second, "first: expected a function of P"),
            (careless, second, "first returned nan"),
            (first, first, "second returned"),
            (lambda P: 0.0, second, "expected 0."),
            (first, lambda P: P.shape, "second(P): expected one number, got 3 numbers"),
            (lambda P: P[5, 5, 5], second, "first stopped in line"),
            (lambda P: str(first(P)), second, "first(P): expected one number, got '"),
            (lambda P: first(P) > 0, second, "first(P): expected one number"),
            (first, lambda P: np.inf, "second(P) is infinite"),
            (lambda P: {"max": first(P)}, second, "first(P): expected one number, got {"),
            (lambda: 0, second, "first cannot be called with P: TypeError"),
        ],
    ),
    check_coins: dict(
        right=[
            (FAIR, FAIR, RINGING),
            (np.array(FAIR), pd.DataFrame(FAIR), np.array(RINGING)),
            (((0.5, 0.5), (0.5, 0.5)), FAIR, ((0.5, 0.5), (1, 0))),
            ([[Fraction(1, 2)] * 2] * 2, FAIR, RINGING),
            (FAIR, np.full((2, 2), 0.5), [np.array([0.5, 0.5]), [1.0, 0.0]]),
        ],
        wrong=[
            ([[0.25, 0.25], [0.25, 0.25]], FAIR, RINGING, "A_given_B: each row is a distribution"),
            (FAIR, [[1, 0], [0, 1]], RINGING, "B_given_A[0, 0] = 1 is off by 0.5"),
            (FAIR, FAIR, FAIR, "A_given_B_ringing[1, 0] = 0.5 is off by 0.5"),
            (FAIR, FAIR, [[0.5, 1], [0.5, 0]], "must sum to 1"),
            (FAIR, FAIR, [[1, 0], [0.5, 0.5]], "A_given_B_ringing[0, 0] = 1 is off by 0.5"),
            (FAIR, FAIR, [0.5, 0.5], "A_given_B_ringing: expected numbers in an array of shape (2, 2)"),
            (FAIR, "half", RINGING, "B_given_A: expected numbers in an array of shape (2, 2), got 'half'"),
            (FAIR, FAIR, [[0.5, 0.5], [1]], "A_given_B_ringing: expected numbers"),
            ([[0.5, 0.5], [0.5, np.nan]], FAIR, RINGING, "A_given_B[1, 1] is NaN"),
            ([[0.5, 0.5], [0.5, None]], FAIR, RINGING, "A_given_B[1, 1] is still None"),
            ([[0.51, 0.49], [0.5, 0.5]], FAIR, RINGING, "A_given_B[0, 0] = 0.51 is off by 0.01"),
        ],
    ),
    check_lost_independence: dict(
        right=[
            (recipe,),
            (lambda parents, edge: ([edge[1]], {edge[0]}, list(parents[edge[1]])),),
            (lambda parents, edge: [edge[1], edge[0], set(parents[edge[1]])],),
            (lambda parents, edge: (*map(np.str_, edge), np.array(parents[edge[1]])),),
            (lambda parents, edge: ((edge[0],), (edge[1],), frozenset(parents.pop(edge[1]))),),
        ],
        wrong=[
            (("A", "B", ()), "lost: expected a function of parents and edge"),
            (lambda parents, edge: None, "lost still returns None"),
            (lambda parents, edge: (None, None, None), "lost: x and y and given are still None"),
            (lambda parents, edge: (*edge, ()), "are not independent even before"),
            (lambda parents, edge: ("A", "C", ()), "are not independent even before"),
            (lambda parents, edge: edge, "expected 3 results, got 2"),
            (lambda parents, edge: ("A", "Z", ()), "y: expected names among A, B, C, got ('Z',)"),
            (lambda parents, edge: (*edge, edge), "must be different nodes"),
            (lambda parents, edge: ("A", (), ()), "x and y may not be empty"),
            (lambda parents, edge: (*edge, 3), "given: expected names among A, B, C, got 3"),
            (lambda parents, edge: 5, "lost should return x, y, given, got 5"),
            (lambda parents, edge: parents["Z"], "with KeyError: 'Z'"),
            (stays, "are still independent after"),
        ],
    ),
    check_triplets: dict(
        right=[
            (EIGHT,),
            (EIGHT.tolist(),),
            (EIGHT.round(5),),
            (tuple(map(tuple, EIGHT.tolist())),),
            (EIGHT.astype(np.float32),),
        ],
        wrong=[
            (PRINTED, "sum to 1.71873"),
            (EIGHT.ravel(), "P: expected numbers in an array of shape (2, 2, 2), got 8 numbers"),
            (EIGHT.transpose(1, 0, 2), "They make P(a) ="),
            (EIGHT.transpose(0, 2, 1), "They make P(b|a) = 0.7, but the table says 0.9"),
            (EIGHT[:, :, ::-1], "They make P(c|¬a) = 0.9, but the table says 0.1"),
            (np.full((2, 2, 2), 0.125), "They make P(a) = 0.5, but the prevalence is 0.003"),
            (EIGHT - [[[0.01]], [[-0.01]]], "no probability is below 0"),
            (DEPENDENT, "not independent given the disease"),
            (EIGHT.round(4), "Nearly. P"),
            (EIGHT.round(3), "Nearly. P"),
            ("eight", "P: expected numbers in an array of shape (2, 2, 2), got 'eight'"),
            (EIGHT * np.nan, "P[0, 0, 0] is NaN"),
        ],
    ),
}


class TestRandomNetworks:
    def test_a_node_is_independent_of_the_rest_given_its_parents(self):
        for seed in range(20):
            net = lettered_network(5, seed, certain=0.3 * (seed % 2))
            for name in net.names:
                rest = [n for n in net.names if n not in (name, *net.parents(name), *net.descendants(name))]
                P = joint_of_three_groups(net, rest, [name], net.parents(name))
                assert abs(P.sum() - 1) < 1e-9
                assert first(P) < 1e-12
                assert second(P) < 1e-9

    def test_groups_keep_their_order(self):
        P = joint_of_three_groups(two_coins_and_bell(), ["bell", "coin_2"], ["coin_1"], [])
        assert P[:, :, 0].tolist() == [[0.25, 0.25], [0.25, 0], [0, 0], [0, 0.25]]


def test_the_two_definitions_are_tried_on_joints_of_both_kinds():
    assert "On 38 joints both are 0, on 13 both are not" in check_two_definitions(first, second).message
