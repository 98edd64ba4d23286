"""Time of a fit of the support vector estimators against scikit-learn's SVC and SVR, as a table of ratios.

    python benchmarks/svm_estimators.py [points ...]

Both sides get the samples, the Gaussian kernel and the default solver. Ours must prove a relative gap and a residual
of at most 1e-6, theirs stops at tol=1e-6, and both objectives must agree. They fit in turns, on one thread; processor
time is taken, which other work on the machine disturbs least, and the ratio is the median of those of the turns. The
compiled loop is loaded before the first turn. Leave the variables OPENBLAS_* unset. The program ends with an error when
a ratio is above its bound.
"""

import sys
from time import process_time

import numpy as np
from sklearn.datasets import make_moons
from sklearn.svm import SVC, SVR
from threadpoolctl import threadpool_limits

from mlcore.kernels import Gaussian
from mlcore.optimize import Status
from mlcore.svm import SupportVectorClassifier, SupportVectorRegressor

SIZES, PRICES, BOUND = (50, 100, 200, 1000, 4000), (1.0, 100.0), 1.5
SECONDS, TURNS = 3.0, 7  # at least, for every line
TOLERANCE = 1e-6
WIDTH = 0.7
PEER = dict(gamma=1 / (2 * WIDTH**2), tol=TOLERANCE)


def moons(n):
    """Two classes that overlap."""
    X, labels = make_moons(n, noise=0.3, random_state=0)
    return X, np.where(labels == 1, 1.0, -1.0)


def noisy_wave(n):
    """Targets for 0 ≤ x ≤ 10, with an error of standard deviation 0.2."""
    x = np.linspace(0, 10, n)
    return x[:, None], np.sin(x) + np.random.default_rng(0).normal(0, 0.2, n)


def dual_value(machine, X, y):
    """The dual objective of the coefficients of SVC or SVR; for SVC the targets are the labels, without a tube."""
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    epsilon = machine.epsilon if isinstance(machine, SVR) else 0.0
    return beta @ y - epsilon * np.abs(beta).sum() - beta @ Gaussian(WIDTH)(X) @ beta / 2


def compare(ours, theirs, X, y):
    """Return the best times in milliseconds and the median ratio, having checked the answers."""
    certificate = ours.fit(X, y).certificate_
    expected = dual_value(theirs.fit(X, y), X, y)
    size = abs(certificate.dual_value)
    proven = ours.status_ is Status.OPTIMAL and max(certificate.residual, certificate.gap / size) <= TOLERANCE
    if not proven or abs(certificate.dual_value - expected) > TOLERANCE * size:
        raise RuntimeError(f"not the same optimum: {certificate}, {expected}")
    times, start = [], process_time()
    while len(times) < TURNS or process_time() - start < SECONDS:
        began = process_time()
        ours.fit(X, y)
        between = process_time()
        theirs.fit(X, y)
        times.append((between - began, process_time() - between))
    times = 1e3 * np.array(times)
    return *times.min(axis=0), float(np.median(times[:, 0] / times[:, 1]))


def main(sizes):
    """Print the table; return the number of ratios above the bound."""
    missed = 0
    print("estimator                     n     C   ours ms  theirs ms  ratio  bound  to spare")
    for n in sizes:
        for C in PRICES:
            for data, ours, theirs in (
                (moons, SupportVectorClassifier(Gaussian(WIDTH), C), SVC(C=C, **PEER)),
                (noisy_wave, SupportVectorRegressor(Gaussian(WIDTH), C), SVR(C=C, **PEER)),
            ):
                our_time, their_time, ratio = compare(ours, theirs, *data(n))
                missed += ratio > BOUND
                print(
                    f"{type(ours).__name__:25}{n:6}{C:6g}{our_time:10.2f}{their_time:11.2f}{ratio:7.2f}{BOUND:7.2f}"
                    f"{1 - ratio / BOUND:10.0%}{'  missed' if ratio > BOUND else ''}",
                    flush=True,
                )
    print("every bound met" if not missed else f"{missed} bounds missed")
    return missed


if __name__ == "__main__":
    with threadpool_limits(1):
        sys.exit(bool(main([int(size) for size in sys.argv[1:]] or SIZES)))
