"""How a solver ended, and the numbers that prove it.

Every solver of `mlcore` returns a `Status` and a `Certificate`. The status "optimal" is set only after
the certificate was computed from the original data and found small enough: whoever doubts a solution can
recompute the certificate and needs no trust in the solver.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Status(StrEnum):
    """How a solver ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    ITERATION_LIMIT = "iteration_limit"
    NOT_CONVERGED = "not_converged"


@dataclass(frozen=True)
class KKTResiduals:
    """The largest violation of each Karush-Kuhn-Tucker condition, scaled by the size of its own terms.

    Every certificate of an optimum carries them; `mlcore.optimize` computes them for a point of the reader's own.

    Attributes
    ----------
    stationarity : float
        The gradient of the Lagrangian is 0: the forces balance.
    primal : float
        The point satisfies the constraints.
    dual : float
        Multipliers of inequalities are not negative.
    complementary : float
        A constraint that is not active has multiplier 0.
    """

    stationarity: float
    primal: float
    dual: float
    complementary: float

    @property
    def largest(self):
        """The largest of the four; NaN if one of them is."""
        return float(np.max(list(vars(self).values())))

    def __str__(self):
        return ", ".join(f"{name} {_small(value)}" for name, value in vars(self).items())


@dataclass(frozen=True, eq=False)
class Certificate:
    """The proof that goes with a status.

    Attributes
    ----------
    primal_value, dual_value : float
        Objectives of the primal and of the dual point (NaN where there is none).
    gap : float
        ``|primal_value - dual_value|``: weak duality makes it an upper bound of the error in the objective.
    residual : float
        Largest violation among the Karush-Kuhn-Tucker conditions, each scaled by the size of its own terms,
        or, with a `ray`, the scaled violation of the conditions that make the ray a proof.
    ray : numpy.ndarray or None
        Infeasible: Farkas weights of the constraints, inequalities first. Unbounded: recession direction.
    conditions : KKTResiduals or None
        The violations of an optimum by their names.
    proof : bool
        Whether the solver's status rests on it. Without proof the numbers tell how far the solver came.
    """

    primal_value: float
    dual_value: float
    gap: float
    residual: float
    ray: np.ndarray | None = None
    conditions: KKTResiduals | None = None
    proof: bool = True

    @classmethod
    def of_optimum(cls, primal_value, dual_value, conditions):
        """Return the certificate of two values and the violations of the optimality conditions by their names.

        Examples
        --------
        >>> print(Certificate.of_optimum(2.0, 2.0, KKTResiduals(0.0, 0.0, 0.0, 1e-3)))
        primal 2, dual 2, relative gap < 1e-6, largest KKT residual 1.0e-03
        """
        gap = abs(primal_value - dual_value)
        return cls(primal_value, dual_value, gap, conditions.largest, conditions=conditions)

    def __str__(self):
        if self.ray is not None:
            return f"proof by a ray, violated by {_small(self.residual)}"
        relative_gap = self.gap / max(1.0, abs(self.primal_value), abs(self.dual_value))
        return (
            f"{'' if self.proof else 'no proof: '}primal {self.primal_value:.6g}, dual {self.dual_value:.6g}, "
            f"relative gap {_small(relative_gap)}, largest KKT residual {_small(self.residual)}"
        )


def _small(value):
    """Print noise below 1e-6 as such, so that the text is the same on every machine."""
    return "< 1e-6" if abs(value) < 1e-6 else f"{value:.1e}"
