"""Linear and quadratic programs: problems, solvers that prove what they say, and the conditions of optimality."""

from mlcore.optimize._central_path import central_path
from mlcore.optimize._certificate import Certificate, KKTResiduals, Status
from mlcore.optimize._kkt import kkt_residuals, margin_kkt_residuals
from mlcore.optimize._lagrange import solve_equality_qp
from mlcore.optimize._linear_program import DualProgram, LinearProgram, dual_program
from mlcore.optimize._quadratic_program import QPResult, QuadraticProgram, box_constraints, solve_qp
from mlcore.optimize._separation import Separation, extreme_points, in_convex_hull, separating_plane
from mlcore.optimize._simplex import SimplexResult, feasible_point, simplex
from mlcore.optimize._simplex_trace import SimplexStep, invariants
from mlcore.optimize._vertex_enumeration import enumerate_vertices

__all__ = [
    "Certificate",
    "DualProgram",
    "KKTResiduals",
    "LinearProgram",
    "QPResult",
    "QuadraticProgram",
    "Separation",
    "SimplexResult",
    "SimplexStep",
    "Status",
    "box_constraints",
    "central_path",
    "dual_program",
    "enumerate_vertices",
    "extreme_points",
    "feasible_point",
    "in_convex_hull",
    "invariants",
    "kkt_residuals",
    "margin_kkt_residuals",
    "separating_plane",
    "simplex",
    "solve_equality_qp",
    "solve_qp",
]
