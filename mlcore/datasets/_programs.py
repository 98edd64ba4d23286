"""Programs with a history: those on which a method shows what it can do and where it fails."""

from typing import NamedTuple

import numpy as np

from mlcore.optimize import LinearProgram, QuadraticProgram
from mlcore.validation import as_whole_number

__all__ = [
    "OneVariableProblem",
    "ball_program",
    "beale",
    "four_inequalities",
    "klee_minty",
    "one_variable_problems",
    "random_resources",
    "three_resources",
]


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


def three_resources():
    """Return the linear program of three products that share three resources.

    Returns
    -------
    mlcore.optimize.LinearProgram
    """
    return LinearProgram([5, 4, 3], [[2, 1, 1], [1, 2, 1], [1, 0, 2]], [10, 8, 6], maximize=True)


def ball_program(a, b):
    """Return the program of a ball in the bowl ½x₁² + x₂² behind the walls x₁ ≥ a and ½x₁ + x₂ ≥ b.

    Returns
    -------
    mlcore.optimize.QuadraticProgram
    """
    return QuadraticProgram(P=np.diag([1.0, 2.0]), q=np.zeros(2), G=[[-1.0, 0.0], [-0.5, -1.0]], h=[-a, -b])


class OneVariableProblem(NamedTuple):
    """Minimise a polynomial in one variable for x ≥ bound.

    Attributes
    ----------
    objective : numpy.ndarray
        Coefficients, highest power first.
    bound : float
    text : str
        The problem in words.
    """

    objective: np.ndarray
    bound: float
    text: str

    def lagrangian(self, x, multiplier):
        """Return L(x, λ) = f₀(x) + λ (bound − x), elementwise."""
        return np.polyval(self.objective, x) + multiplier * (self.bound - x)

    def lowest(self, multiplier):
        """Return the dual value inf L(·, λ) and the points where L is that low."""
        points = self._stationary(multiplier)
        values = self.lagrangian(points, multiplier)
        return float(values.min()), points[values < values.min() + 1e-9]

    def best(self):
        """Return the primal value and the minimiser."""
        points = np.append(self._stationary(0.0), self.bound)
        points = points[points >= self.bound]
        values = np.polyval(self.objective, points)
        return float(values.min()), float(points[values.argmin()])

    def _stationary(self, multiplier):
        slope = np.polyder(self.objective)
        slope[-1] -= multiplier
        roots = np.roots(slope)
        return roots[np.abs(roots.imag) < 1e-9].real


def one_variable_problems():
    """Return a convex problem in one variable, whose gap is 0, and one with two valleys, whose gap remains.

    Returns
    -------
    dict of str to OneVariableProblem
        "convex" and "two valleys".
    """
    return {
        "convex": OneVariableProblem(np.array([1.0, 0.0, 0.0]), 1.0, "minimise x² for x ≥ 1"),
        "two valleys": OneVariableProblem(
            np.array([4.0, 0.0, -8.0, 2.0, 6.0]), 0.2, "minimise 4(x² − 1)² + 2x + 2 for x ≥ 0.2"
        ),
    }
