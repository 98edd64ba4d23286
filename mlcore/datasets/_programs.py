"""Linear programs with a history: those on which the simplex method shows what it can do and where it fails."""

import numpy as np

from mlcore.optimize import LinearProgram
from mlcore.validation import as_whole_number

__all__ = ["beale", "four_inequalities", "klee_minty", "random_resources"]


def four_inequalities(last=180.0):
    """Return the example of ES p. 144: maximise 150 x₁ + 450 x₂ under four inequalities.

    Parameters
    ----------
    last : float
        Right-hand side of the fourth, x₁ + 2x₂ ≤ `last`; at 140 its line passes through the vertex (0, 70).

    Returns
    -------
    LinearProgram
        Its optimum is 37500 at (40, 70).
    """
    return LinearProgram([150, 450], [[1, 0], [0, 1], [1, 1], [1, 2]], [120, 70, 140, last], maximize=True)


def beale(rounder=False):
    """Return the linear program on which Dantzig's rule comes back to its first basis (E. M. L. Beale, 1955).

    Parameters
    ----------
    rounder : bool
        Whether to return the usual variant with rounder numbers.

    Returns
    -------
    LinearProgram
        A minimisation with the optimum −1/20, or −5/4 for the variant.
    """
    if rounder:
        return LinearProgram([-0.75, 20, -0.5, 6], [[0.25, -8, -1, 9], [0.5, -12, -0.5, 3], [0, 0, 1, 0]], [0, 0, 1])
    rows = [[0.25, -60, -0.04, 9], [0.5, -90, -0.02, 3], [0, 0, 1, 0]]
    return LinearProgram([-0.75, 150, -0.02, 6], rows, [0, 0, 1])


def klee_minty(n=3):
    """Return the bent cube whose 2ⁿ vertices Dantzig's rule visits one by one (V. Klee and G. J. Minty, 1972).

    Maximise ``sum_j 10^(n-j) x_j`` subject to ``2 sum_(j<i) 10^(i-j) x_j + x_i <= 100^(i-1)`` and ``x >= 0``.

    Parameters
    ----------
    n : int
        Number of variables and of rows.

    Returns
    -------
    LinearProgram
        Its optimum is ``100^(n-1)``, at ``x_n`` alone.

    Examples
    --------
    >>> klee_minty(3).A_ub.tolist()
    [[1.0, 0.0, 0.0], [20.0, 1.0, 0.0], [200.0, 20.0, 1.0]]
    """
    index = np.arange(as_whole_number("n", n))
    below = np.subtract.outer(index, index)
    A = np.where(below > 0, 2 * 10.0 ** np.maximum(below, 0), np.eye(n))
    return LinearProgram(10.0 ** index[::-1], A, 100.0**index, maximize=True)


def random_resources(m, n, seed=0):
    """Return a random linear program that starts at the origin: n products share m resources.

    Parameters
    ----------
    m, n : int
        Numbers of constraints and of variables.
    seed : int

    Returns
    -------
    LinearProgram
        Maximise ``c @ x`` subject to ``A @ x <= b, x >= 0``: c from ½ to 1, A from 0 to 1, b from n/2 to n.
    """
    m, n = as_whole_number("m", m), as_whole_number("n", n)
    rng = np.random.default_rng(as_whole_number("seed", seed, least=0))
    return LinearProgram(rng.uniform(0.5, 1, n), rng.uniform(0, 1, (m, n)), rng.uniform(0.5, 1, m) * n, maximize=True)
