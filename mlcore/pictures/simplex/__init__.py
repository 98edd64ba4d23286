"""Pictures of the chapter on the simplex method."""

from mlcore.pictures.simplex._cycling import cycling
from mlcore.pictures.simplex._interior_point import interior_point
from mlcore.pictures.simplex._simplex import phase_one, plane_and_tableau, tie
from mlcore.pictures.simplex._simplex_growth import simplex_growth
from mlcore.pictures.simplex._simplex_space import klee_minty_cube, polytope_and_tableau
from mlcore.pictures.simplex._slack_variable import slack_as_height

__all__ = [
    "cycling",
    "interior_point",
    "klee_minty_cube",
    "phase_one",
    "plane_and_tableau",
    "polytope_and_tableau",
    "simplex_growth",
    "slack_as_height",
    "tie",
]
