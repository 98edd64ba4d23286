"""Time of the nearest neighbours of the package against scikit-learn's, as a table of ratios.

    python benchmarks/neighbors.py

A reader's call on both sides: fit, then predict 200 new points. Distances here are rounded so that ties are ties
whatever the order of the columns, which scikit-learn does not promise and which costs time; on data without ties both
must predict the same. Both run on one thread, in turns; processor time is taken, which other work on the machine
disturbs least, and the best of several turns counts. The exit status is 1 if a bound is missed.
"""

import sys
from itertools import product
from time import process_time

import numpy as np
from sklearn import neighbors as peer
from threadpoolctl import threadpool_limits

from mlcore.neighbors import KNeighborsClassifier, KNeighborsRegressor

BOUNDS = {"classify": 1.4, "regress": 1.4}  # largest ratio
SIZES = (150, 1000, 10_000)
DIMENSIONS = (2, 10)
NEIGHBOURS = 5
NEW_POINTS = 200
SECONDS = 1.0  # time spent on each line, at least
TURNS = 5


def in_turns(*functions):
    """Best time of each function, called one after the other again and again, and what each returned last."""
    best, results = [np.inf] * len(functions), [None] * len(functions)
    start, turns = process_time(), 0
    while turns < TURNS or process_time() - start < SECONDS:
        for k, function in enumerate(functions):
            began = process_time()
            results[k] = function()
            best[k] = min(best[k], process_time() - began)
        turns += 1
    return best, results


def compare(task, n, d):
    random = np.random.default_rng(0)
    X, X_new = random.normal(size=(n, d)), random.normal(size=(NEW_POINTS, d))
    y = X[:, 0] + random.normal(size=n)
    if task == "classify":
        y = (y > 0).astype(int)
        ours, theirs = KNeighborsClassifier(k=NEIGHBOURS), peer.KNeighborsClassifier(n_neighbors=NEIGHBOURS)
    else:
        ours, theirs = KNeighborsRegressor(k=NEIGHBOURS), peer.KNeighborsRegressor(n_neighbors=NEIGHBOURS)
    times, results = in_turns(lambda: ours.fit(X, y).predict(X_new), lambda: theirs.fit(X, y).predict(X_new))
    if not np.allclose(*results, atol=1e-12):
        raise RuntimeError("not the same predictions")
    return times


def main():
    missed = 0
    print("task          n   d    ours ms  sklearn ms  ratio  bound  to spare")
    for task, n, d in product(BOUNDS, SIZES, DIMENSIONS):
        ours, theirs = compare(task, n, d)
        ratio, bound = ours / theirs, BOUNDS[task]
        missed += ratio > bound
        print(
            f"{task:9}{n:6}{d:4}{ours * 1e3:11.2f}{theirs * 1e3:12.2f}{ratio:7.2f}{bound:7.2f}{1 - ratio / bound:9.0%}"
            f"{'  missed' if ratio > bound else ''}",
            flush=True,
        )
    print("every bound kept" if not missed else f"{missed} bounds missed")
    return missed


if __name__ == "__main__":
    with threadpool_limits(1):
        sys.exit(main() > 0)
