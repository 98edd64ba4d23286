"""Time of sequential minimal optimisation against scikit-learn's SVC (LIBSVM), as a table of ratios.

    python benchmarks/smo.py

Both sides stop at the same tolerance and must reach the same objective. "K given": both start from the Gram
matrix. "from X": both start from the samples, so that kernel values are computed within the time. Both run on one
thread, in turns; processor time is taken, which other work on the machine disturbs least, and the ratio is the median
of those of the turns. The compiled loop is loaded before the first turn. The program ends with an error when a ratio is
above its bound.
"""

import sys
from itertools import product
from time import process_time

import numpy as np
from sklearn.datasets import load_digits, make_moons
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from mlcore.kernels import Gaussian, GramRows
from mlcore.optimize import Status
from mlcore.svm import smo

TOLERANCE = 1e-3
SAME_OBJECTIVE = 1e-4
SIZES = (100, 500, 2000, 4000)
BOUNDS = {1.0: 1.0, 100.0: 1.5}  # largest ratio, by C
SECONDS = 2.0  # time spent on each line, at least
TURNS = 5


def moons(n):
    X, labels = make_moons(n, noise=0.3, random_state=0)
    return X, np.where(labels == 1, 1.0, -1.0)


def digits(n):
    """Even against odd; from 1798 samples on with noisy copies."""
    random = np.random.default_rng(0)
    data = load_digits()
    X, y = data.data / 16, np.where(data.target % 2 == 0, 1.0, -1.0)
    copies = -(-n // len(X))
    X = np.vstack([X] + [X + random.normal(0, 0.1, X.shape) for _ in range(copies - 1)])
    chosen = random.permutation(len(X))[:n]
    return X[chosen], np.tile(y, copies)[chosen]


def in_turns(*functions):
    """Times of the functions, called one after the other again and again, one row a turn, and their first results."""
    results, times = [function() for function in functions], []
    start = process_time()
    while len(times) < TURNS or process_time() - start < SECONDS:
        times.append([])
        for function in functions:
            began = process_time()
            function()
            times[-1].append(process_time() - began)
    return np.array(times), results


def objective(machine, K):
    coefficients = np.zeros(len(K))
    coefficients[machine.support_] = machine.dual_coef_[0]
    return np.abs(coefficients).sum() - coefficients @ K @ coefficients / 2


def compare(X, y, width, C, from_X):
    """Time both sides, and check that they found the same optimum."""
    kernel = Gaussian(width)
    K = kernel(X)
    gamma = 1 / (2 * width**2)
    machine = SVC(C=C, kernel="rbf" if from_X else "precomputed", gamma=gamma, tol=TOLERANCE)
    times, (result, _) = in_turns(
        lambda: smo(GramRows(kernel, X) if from_X else K, y, C, tolerance=TOLERANCE),
        lambda: machine.fit(X if from_X else K, y),
    )
    if result.status is not Status.OPTIMAL or abs(result.objective / objective(machine, K) - 1) > SAME_OBJECTIVE:
        raise RuntimeError(f"not the same optimum: {result}")
    ratio = float(np.median(times[:, 0] / times[:, 1]))
    return *times.min(axis=0), ratio, result.iterations, int(machine.n_iter_[0])


def main():
    """Print the table; return the number of ratios above the bound."""
    missed = 0
    print("data       n     C  start     ours ms   SVC ms  ratio  bound  to spare   steps    SVC")
    for name, data, width in (("moons", moons, 0.7), ("digits", digits, 3.0)):
        for n, (C, bound), from_X in product(SIZES, BOUNDS.items(), (False, True)):
            ours, theirs, ratio, steps, their_steps = compare(*data(n), width, C, from_X)
            missed += ratio > bound
            print(
                f"{name:7}{n:5}{C:6g}  {'from X' if from_X else 'K given':8}{ours * 1e3:9.2f}{theirs * 1e3:9.2f}"
                f"{ratio:7.2f}{bound:7.2f}{1 - ratio / bound:10.0%}{steps:8}{their_steps:7}"
                f"{'  missed' if ratio > bound else ''}",
                flush=True,
            )
    print("every bound met" if not missed else f"{missed} bounds missed")
    return missed


if __name__ == "__main__":
    with threadpool_limits(1):
        sys.exit(bool(main()))
