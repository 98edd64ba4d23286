"""Pictures of the chapter on linear programs."""

from mlcore.pictures.linear_programs._convex_hulls import hull_membership
from mlcore.pictures.linear_programs._crossings import all_crossings
from mlcore.pictures.linear_programs._linear_programs import feasible_region
from mlcore.pictures.linear_programs._point_line_duality import points_and_lines
from mlcore.pictures.linear_programs._separating_lines import flattest_line, line_or_proof

__all__ = [
    "all_crossings",
    "feasible_region",
    "flattest_line",
    "hull_membership",
    "line_or_proof",
    "points_and_lines",
]
