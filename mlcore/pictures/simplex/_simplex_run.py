"""Runs of the simplex method, recorded for a picture, and the readout of one step."""

from typing import NamedTuple

import numpy as np

from mlcore.optimize import LinearProgram, SimplexResult, Status, invariants, simplex
from mlcore.pictures.drawing.readout import minus, number, subscript
from mlcore.pictures.simplex._simplex_plane import tight_names
from mlcore.pictures.simplex._simplex_tableau import TableauLayout, entry, tableau_layout, tell_step

__all__ = ["RULES", "SimplexRun", "describe_step", "longest", "recorded_run", "runs_by_rule", "with_one_layout"]

RULES = {
    "Dantzig: largest coefficient": "dantzig",
    "Bland: first that improves": "bland",
    "largest increase": "largest_increase",
}


class SimplexRun(NamedTuple):
    """A problem, the recorded run of the simplex method on it, and the layout of its tableaux."""

    problem: LinearProgram
    result: SimplexResult
    layout: TableauLayout

    def index(self, step):
        """Return `step`, or the last one of a run that is shorter."""
        return min(step, len(self.result.steps) - 1)

    def pivots(self, index):
        """Return how many pivots led to a step; the first tableau of phase 2 is the last one of phase 1."""
        return sum(step.leaving is not None for step in self.result.steps[:index])


def recorded_run(problem, rule="dantzig"):
    """Return the run of the simplex method on one problem by one rule."""
    result = simplex(problem, rule, trace=True)
    return SimplexRun(problem, result, tableau_layout(result.steps))


def runs_by_rule(problem):
    """Return the run on one problem by each rule.

    Parameters
    ----------
    problem : mlcore.optimize.LinearProgram

    Returns
    -------
    dict of str to SimplexRun
        All with the same layout.
    """
    return with_one_layout({rule: recorded_run(problem, rule) for rule in RULES.values()})


def with_one_layout(runs):
    """Return runs on problems of the same form so that their tableaux have their columns in the same places."""
    layout = tableau_layout([step for run in runs.values() for step in run.result.steps])
    return {name: run._replace(layout=layout) for name, run in runs.items()}


def longest(runs):
    """Return the largest number of recorded steps of several runs.

    Raises
    ------
    ValueError
        When no run takes a step.
    """
    count = max(len(run.result.steps) for run in runs)
    if count < 2:
        raise ValueError("problem: expected one that takes a pivot, got one that is solved where it starts")
    return count


def describe_step(run, index):
    """Return the readout of one step: where it is, what comes next, whether the invariants hold, and the proof.

    Parameters
    ----------
    run : SimplexRun
    index : int
        Of the step.

    Returns
    -------
    str
    """
    result = run.result
    step = result.steps[index]
    tight = ", ".join(f"{subscript(name)} = 0" for name in tight_names(step))
    if step.phase == 2 and len(run.problem.b_eq):
        tight += " and the equations hold"
    where = f"{_count(run.pivots(index), 'pivot')} made: {_point(step.vertex)}, where {tight}; "
    if step.phase == 1:
        where += f"phase 1, the artificial variables sum to {entry(0.0 - step.tableau[-1, -1])}."
    else:
        where += f"value {entry(step.objective)}."
    holding = sum(invariants(step))
    where += " All three invariants hold." if holding == 3 else f" Only {holding} of the invariants hold."
    lines = [where, tell_step(step, run.problem.maximize)]
    if index == len(result.steps) - 1:
        lines.append(_ending(run, step))
    return minus("\n".join(lines))


def _ending(run, step):
    result = run.result
    proof = f"Certificate: {result.certificate}."
    if result.status is Status.OPTIMAL:
        prices = dict(zip(step.column_names[:-1], step.tableau[-1]))
        sense = 1 if run.problem.maximize else -1
        costs = [
            f"{entry(sense * price)} for {subscript(name)}" for name, price in prices.items() if name not in step.basis
        ]
        return f"Optimal after {_count(result.iterations, 'pivot')}. Reduced costs: {', '.join(costs)}. {proof}"
    if result.status is Status.INFEASIBLE:
        return f"Infeasible: {_contradiction(run.problem, result.certificate.ray)}. {proof}"
    if result.status is Status.UNBOUNDED:
        return f"Unbounded along the direction {_point(result.certificate.ray)}. {proof}"
    return f"Stopped: {result.status}."


def _contradiction(problem, ray):
    """Return in words how the weighted constraints sum to 0 ≤ a negative number."""
    rows = len(problem.b_ub) + len(problem.b_eq)
    bounds = np.concatenate([-np.nan_to_num(problem.lower, neginf=0), np.nan_to_num(problem.upper, posinf=0)])
    total = ray @ np.concatenate([problem.b_ub, problem.b_eq, bounds])
    weights = ", ".join(entry(weight) for weight in ray[:rows])
    return f"written with ≤ and weighted {weights}, the rows sum to 0 ≤ {entry(total)}"


def _count(number, thing):
    return f"{number} {thing}" + ("" if number == 1 else "s")


def _point(x):
    return "(" + ", ".join(number(value) for value in x) + ")"
