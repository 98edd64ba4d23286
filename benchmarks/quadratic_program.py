"""`solve_qp` against CVXOPT called as its manual shows, on the dual problem of the support vector machine.

    python benchmarks/quadratic_program.py

Both sides get the same dense P, the same accuracy settings and as many threads as the libraries take by themselves;
leave the variables OPENBLAS_* unset, for they change both times and their ratio.
CVXOPT gets the box 0 ≤ α ≤ C as a dense matrix G. Ours includes all checks of the input, the scaling, the polishing
and the certificate. They run in turns and the best time of each counts. The program ends with an error when a ratio
is above its bound.
"""

import sys
from time import perf_counter

import numpy as np
from cvxopt import matrix, solvers
from sklearn.datasets import make_moons

from mlcore.kernels import Gaussian, Linear
from mlcore.optimize import QuadraticProgram, Status, box_constraints, solve_qp
from mlcore.optimize._interior_point import SETTINGS

SIZE, BOUND = 500, 0.25
TURNS, SECONDS = 10, 4.0  # at least, for every problem
SAME_OBJECTIVE = 1e-6
PROBLEMS = [(Gaussian(0.7), 1.0), (Gaussian(0.7), 100.0), (Gaussian(3.0), 1.0), (Linear(), 1.0)]


def dual_program(kernel, C, n):
    """P, the upper bounds and the labels of a dual problem with n points."""
    X, labels = make_moons(n, noise=0.3, random_state=0)
    y = np.where(labels == 1, 1.0, -1.0)
    return y[:, None] * kernel(X) * y, np.full(n, C), y


def ours(P, upper, y):
    G, h = box_constraints(np.zeros(len(y)), upper)
    return solve_qp(QuadraticProgram(P=P, q=-np.ones(len(y)), G=G, h=h, A=y[None, :], b=np.zeros(1)))


def theirs(P, upper, y):
    n = len(y)
    G, h = np.vstack([-np.eye(n), np.eye(n)]), np.concatenate([np.zeros(n), upper])
    parts = (matrix(part) for part in (P, -np.ones(n), G, h, y[None, :], np.zeros(1)))
    return solvers.qp(*parts, options=SETTINGS)


def compare(kernel, C, n):
    """Return the best times in milliseconds and the numbers of iterations of both, having checked the answers."""
    program = dual_program(kernel, C, n)
    best, results = [np.inf, np.inf], [None, None]
    start, turns = perf_counter(), 0
    while turns < TURNS or perf_counter() - start < SECONDS:
        for k, solve in enumerate((ours, theirs)):
            began = perf_counter()
            results[k] = solve(*program)
            best[k] = min(best[k], perf_counter() - began)
        turns += 1
    result, peer = results
    if result.status is not Status.OPTIMAL or abs(result.value / peer["primal objective"] - 1) > SAME_OBJECTIVE:
        raise RuntimeError(f"{kernel}, C = {C:g}: not the same optimum: {result.certificate}, {peer['status']}")
    return *(time * 1e3 for time in best), result.iterations, peer["iterations"]


def main():
    """Print the table; return the number of ratios above the bound."""
    missed = 0
    print("kernel                    C   ours ms  CVXOPT ms  ratio  bound  iterations")
    for kernel, C in PROBLEMS:
        our_time, their_time, *iterations = compare(kernel, C, SIZE)
        ratio = our_time / their_time
        missed += ratio > BOUND
        print(
            f"{kernel!s:21}{C:6g}{our_time:10.1f}{their_time:11.1f}{ratio:7.2f}{BOUND:7.2f}"
            f"{iterations[0]:6} and {iterations[1]}{'  missed' if ratio > BOUND else ''}",
            flush=True,
        )
    print("every bound met" if not missed else f"{missed} bounds missed")
    return missed


if __name__ == "__main__":
    sys.exit(main() > 0)
