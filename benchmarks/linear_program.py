"""The simplex method against HiGHS (through SciPy), and how its cost grows with the problem (ES A.4).

Both are timed from the same arrays to the answer, in turns of a few calls each. `python benchmarks/linear_program.py`
prints the ratio of the medians beside its bound and ends with an error when a bound is missed.
"""

import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.optimize import linprog

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "peers"))
from netlib_programs import netlib

from mlcore.optimize import LinearProgram, simplex

TEXTBOOK_BOUND, NETLIB_BOUND = 0.5, 1.0
BLOCKS, CALLS = 15, 10
CLAIMED_EXPONENT_OF_ROWS, CLAIMED_EXPONENT_OF_VARIABLES = 3, 1


def textbook_problems():
    """Problems with at most 10 rows and 10 columns, as arguments of `linprog`."""
    yield "ES p. 144", ([-150, -450], [[1, 0], [0, 1], [1, 1], [1, 2]], [120, 70, 140, 180])
    yield "ES p. 24", ([-3, -2], [[2, 1], [2, 3], [3, 1]], [18, 42, 24])
    line = [[4, 1]] * 4 + [[-5, -1]] * 4
    yield "ES p. 23", ([1, 0], line, [1, 2, 3, 4, -1, -2, -3, -4], None, None, (None, None))
    yield "Klee-Minty n = 3", ([-100, -10, -1], [[1, 0, 0], [20, 1, 0], [200, 20, 1]], [1, 100, 10_000])
    beale = [[0.25, -60, -0.04, 9], [0.5, -90, -0.02, 3], [0, 0, 1, 0]]
    yield "Beale", ([-0.75, 150, -0.02, 6], beale, [0, 0, 1])
    yield "infeasible (2)", ([0, 0], [[1, 1], [-1, 0], [0, -1]], [10, -5, -6])
    rng = np.random.default_rng(0)
    for size in (5, 10):
        A, b, c = rng.integers(1, 9, (size, size)), rng.integers(20, 60, size), -rng.integers(1, 9, size)
        yield f"dense {size} x {size}", (c, A, b)
    A, x = rng.normal(size=(10, 10)), rng.random(10)
    yield "equations 5 + 5 x 10", (rng.random(10), A[:5], A[:5] @ x + rng.random(5), A[5:], A[5:] @ x)


def compare(arguments):
    """Return the median times a call in microseconds, ours and theirs, the result, and HiGHS's result."""
    arrays = [part if part is None or isinstance(part, tuple) else np.asarray(part, float) for part in arguments]
    solvers = (lambda: simplex(LinearProgram(*arrays)), lambda: linprog(*arrays, method="highs"))
    times = ([], [])
    for _ in range(BLOCKS):
        for solve, measured in zip(solvers, times):
            start = perf_counter()
            for _ in range(CALLS):
                solve()
            measured.append((perf_counter() - start) / CALLS)
    return *(np.median(measured) * 1e6 for measured in times), *(solve() for solve in solvers)


def print_ratios(title, problems, bound):
    """Print a line for every problem; return the names of those that miss the bound."""
    print(f"\n{title}: at most {bound:g} times HiGHS\n")
    print(f"{'problem':<22}{'pivots':>7}{'simplex µs':>12}{'HiGHS µs':>10}{'ratio':>7}{'bound':>7}")
    missed = []
    for name, arguments in problems:
        ours, theirs, result, peer = compare(arguments)
        agree = peer.fun is None or abs(peer.fun - result.value) <= 1e-8 * (1 + abs(peer.fun))
        verdict = "" if ours <= bound * theirs and agree else "   missed" if agree else "   WRONG"
        print(f"{name:<22}{result.iterations:>7}{ours:>12.0f}{theirs:>10.0f}{ours / theirs:>7.2f}{bound:>7g}{verdict}")
        if verdict:
            missed.append(name)
    return missed


def growth(rows, variables, instances=5):
    """Return the mean pivots and milliseconds on random problems with right-hand sides above 0 (LP0)."""
    pivots, milliseconds = [], []
    for seed in range(instances):
        rng = np.random.default_rng(seed)
        problem = LinearProgram(
            rng.random(variables), rng.random((rows, variables)), 1 + rng.random(rows), maximize=True
        )
        times = []
        for _ in range(3):
            start = perf_counter()
            result = simplex(problem)
            times.append(perf_counter() - start)
        milliseconds.append(min(times) * 1e3)
        pivots.append(result.iterations)
    return np.mean(pivots), np.mean(milliseconds)


def print_growth(title, sizes, measure, claim):
    """Print pivots and time for growing sizes, and the exponents of the power laws through them."""
    print(f"\n{title}\n\n{'size':>6}{'pivots':>9}{'ms':>9}{'ms per pivot':>14}")
    measured = np.array([measure(size) for size in sizes])
    for size, (pivots, milliseconds) in zip(sizes, measured):
        print(f"{size:>6}{pivots:>9.1f}{milliseconds:>9.2f}{milliseconds / pivots:>14.3f}")
    half = len(sizes) // 2
    exponents = np.polyfit(np.log(sizes[half:]), np.log(measured[half:]), 1)[0]
    print(f"\nupper half of the sizes: pivots ~ size^{exponents[0]:.1f}, time ~ size^{exponents[1]:.1f}")
    print(f"ES A.4 claims time ~ size^{claim}")


def main():
    """Print all tables; return the number of bounds that were missed."""
    missed = print_ratios("Textbook problems", textbook_problems(), TEXTBOOK_BOUND)
    problems = [(name.upper(), netlib(name)) for name in ("afiro", "adlittle")]
    missed += print_ratios("NETLIB", problems, NETLIB_BOUND)
    sizes = (10, 20, 40, 80, 160, 320)
    print_growth(
        "Growth with the number of inequalities, 30 variables", sizes, lambda m: growth(m, 30), CLAIMED_EXPONENT_OF_ROWS
    )
    print_growth(
        "Growth with the number of variables, 30 inequalities",
        sizes,
        lambda n: growth(30, n),
        CLAIMED_EXPONENT_OF_VARIABLES,
    )
    print_growth("Growth with both", sizes, lambda n: growth(n, n), CLAIMED_EXPONENT_OF_ROWS)
    print(f"\n{'missed: ' + ', '.join(missed) if missed else 'all bounds met'}")
    return len(missed)


if __name__ == "__main__":
    sys.exit(main() > 0)
