"""Pictures of the chapter on duals."""

from mlcore.pictures.duals._hand_built_machine import beside_scikit_learn
from mlcore.pictures.duals._lp_duality import lp_and_dual
from mlcore.pictures.duals._margin_from_multipliers import scaled_multipliers
from mlcore.pictures.duals._multipliers import multipliers
from mlcore.pictures.duals._support_vectors import leave_one_out, marked_support_vectors
from mlcore.pictures.duals._weak_duality import plan_and_prices

__all__ = [
    "beside_scikit_learn",
    "leave_one_out",
    "lp_and_dual",
    "marked_support_vectors",
    "multipliers",
    "plan_and_prices",
    "scaled_multipliers",
]
