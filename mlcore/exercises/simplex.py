"""Checks of the exercises of chapter 6. They test what makes an answer right, not one stored answer."""

from dataclasses import replace
from itertools import permutations

import numpy as np

from mlcore.datasets import beale, four_inequalities, three_resources
from mlcore.exercises._answers import array, function, number, parts, truth, up_to_scale
from mlcore.exercises._verdict import check, refuse
from mlcore.optimize import LinearProgram, SimplexStep, invariants, simplex

__all__ = [
    "check_cycling",
    "check_invariants",
    "check_prices",
    "check_slips",
    "three_slips",
]

_INVARIANTS = (
    "one basic variable in each equation",
    "no basic variable in the objective",
    "no negative right-hand side",
)


@check
def check_invariants(holds):
    """Check the reader's test of the three invariants of ES A.1 on recorded steps and on spoilt copies of them.

    Parameters
    ----------
    holds : callable
        Takes a `SimplexStep` and returns three truth values: each equation contains exactly one basic variable,
        the objective contains none, no right-hand side is negative.

    Returns
    -------
    Verdict
    """
    ask = function("holds", holds, "a step")
    count = 0
    for problem, position, step in _recorded_steps():
        for what, spoilt, expected in [("recorded", step, (True, True, True)), *_spoilt(step)]:
            told = parts("holds", ask(spoilt), _INVARIANTS)
            answer = tuple(truth(f"holds, {name}", value) for name, value in zip(_INVARIANTS, told))
            if answer != expected:
                refuse(_difference(problem, position, what, answer, expected))
            count += 1
    return f"{count} tableaux judged as they should be: a quarter of them recorded, the others spoilt in one place."


def _recorded_steps():
    problems = {
        "the example of ES p. 144": four_inequalities(),
        "a problem with phase 1": LinearProgram.from_rows(
            [1, -1], [[1, 1], [1, 2], [2, 1]], ["<=", ">=", "="], [9, 8, 7], maximize=True
        ),
        "Beale's problem": beale(),
    }
    for name, problem in problems.items():
        for position, step in enumerate(simplex(problem, trace=True).steps):
            yield name, position, step


def _spoilt(step):
    """Return copies of a step in each of which one invariant is broken."""
    basic = step.column_names.index(step.basis[0])
    last = len(step.basis) - 1
    spoilt = []
    for place, value in (((last, basic), 2.0), ((-1, basic), 1.0), ((last, -1), -1.0)):
        tableau = step.tableau.copy()
        tableau[place] = value
        copy = replace(step, tableau=tableau)
        spoilt.append((f"spoilt at row {place[0]}, column {place[1]}", copy, tuple(invariants(copy))))
    return spoilt


def _difference(problem, position, what, answer, expected):
    first = next(i for i in range(3) if answer[i] != expected[i])
    said, is_so = ("broken", "holds") if expected[first] else ("kept", "is broken")
    hint = ""
    if what == "recorded":
        hint = " Forgive rounding errors: compare with 1e-9, not with 0."
    return (
        f"Step {position} of {problem} ({what}): your function says that invariant {first + 1} "
        f"({_INVARIANTS[first]}) is {said}, but it {is_so}.{hint}"
    )


def three_slips():
    """Return three hand calculations of the first pivot of ES p. 145, x₂ for s₂, each with a slip of another kind.

    Returns
    -------
    tuple of SimplexStep
        a, b and c.
    """
    start, done = simplex(four_inequalities(), trace=True).steps[:2]
    ratio = start.tableau.copy()
    ratio[[0, 1, 3, 4]] -= np.outer(ratio[[0, 1, 3, 4], 1], ratio[2])  # x2 enters in the third row
    ratio[-1, -1] *= -1
    objective, equation = done.tableau.copy(), done.tableau.copy()
    objective[-1] = start.tableau[-1]
    equation[3] = start.tableau[3]
    return (
        _by_hand(done, objective, done.basis),
        _by_hand(done, ratio, ("s1", "s2", "x2", "s4")),
        _by_hand(done, equation, done.basis),
    )


def _by_hand(step, tableau, basis):
    nothing = np.full(len(basis), np.nan)
    return SimplexStep(2, tableau, step.column_names, basis, None, None, nothing, step.vertex, step.objective)


@check
def check_slips(slip_a, slip_b, slip_c):
    """Check which invariant each of the three hand calculations of `three_slips` breaks.

    Parameters
    ----------
    slip_a, slip_b, slip_c : int
        1, 2 or 3.

    Returns
    -------
    Verdict
    """
    for name, answer, step in zip("abc", (slip_a, slip_b, slip_c), three_slips()):
        answer = number(f"slip_{name}", answer, whole=True, least=1, most=3)
        if invariants(step)[answer - 1]:
            refuse(f"In calculation {name} invariant {answer} holds ({_INVARIANTS[answer - 1]}).")
    return "Substitution forgotten in the objective, a row that was not the first to stop, an equation forgotten."


@check
def check_cycling(c, A, b):
    """Check that Dantzig's rule cycles on the reader's own linear program, by running it.

    Parameters
    ----------
    c : array_like of shape (n,)
    A : array_like of shape (m, n)
    b : array_like of shape (m,)
        Maximise ``c @ x`` subject to ``A @ x <= b``, ``x >= 0``.

    Returns
    -------
    Verdict
    """
    c = array("c", c, ("n",))
    A = array("A", A, ("m", len(c)))
    b = array("b", b, (len(A),))
    if not A.size or max(A.shape) > 50:
        refuse(f"A: expected 1 to 50 rows and variables, got shape {A.shape}.")
    if any(_same(c, A, b, beale(rounder)) for rounder in (False, True)):
        refuse("That is Beale's own example, if perhaps in other units or another order: change its shape.")
    problem = LinearProgram(c, A, b, maximize=True)
    result = simplex(problem)
    if result.cycled:
        bland = simplex(problem, "bland")
        return (
            f"A basis came back after {result.bland_from} pivots, so Dantzig's rule alone would never end. "
            f"Bland's rule ends after {bland.iterations}: {bland.status}."
        )
    if (problem.b_ub < 0).any():
        refuse("b: keep all right-hand sides at least 0, so that the method starts at the origin.")
    if (problem.b_ub > 0).all():
        refuse("No right-hand side is 0, so the start is not degenerate and the first pivot moves for good.")
    return refuse(f"Dantzig's rule ended after {result.iterations} pivots, {result.status}: no basis came back.")


def _same(c, A, b, known):
    """Return whether a program is the known one up to positive factors of its rows and orders of rows and columns."""
    if A.shape != known.A_ub.shape:
        return False
    holds = [up_to_scale(-known.c[None]), up_to_scale(np.column_stack([known.A_ub, known.b_ub]))]
    for order in map(list, permutations(range(len(c)))):
        given = [up_to_scale(c[None, order]), up_to_scale(np.column_stack([A[:, order], b]))]
        if all(np.allclose(*pair) for pair in zip(given, holds)):
            return True
    return False


@check
def check_prices(y):
    """Check a dual solution of `three_resources` by feasibility and strong duality.

    Parameters
    ----------
    y : array_like of shape (3,)
        A price for a unit of each resource.

    Returns
    -------
    Verdict
    """
    problem = three_resources()
    y = array("y", y, problem.b_ub.shape)
    if y.min() < 0:
        refuse(f"y: no price may be negative, got {y.min():g}. The last row shows the prices with a minus sign.")
    short = problem.c - y @ problem.A_ub  # judged for prices with three decimals
    if short.max() > 4e-3:
        j = int(short.argmax())
        refuse(
            f"What a unit of x{j + 1} uses costs {problem.c[j] - short[j]:g} at these prices, less than the "
            f"{problem.c[j]:g} it earns: the prices are too low to be a bound."
        )
    bound, best = float(problem.b_ub @ y), simplex(problem).value
    if bound > best + 24e-3:
        refuse(f"These prices bound the value by {bound:g}, which is true but not the best bound: {best:g} exists.")
    return f"Feasible prices that bound every plan by {bound:g}, and the last vertex earns exactly that."
