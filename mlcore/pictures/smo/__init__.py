"""Pictures of the chapter on sequential minimal optimisation."""

from mlcore.pictures.smo._bitmaps import noisy_bitmaps
from mlcore.pictures.smo._pair_box import one_pair
from mlcore.pictures.smo._smo_run import smo_run
from mlcore.pictures.smo._smo_variants import smo_variants

__all__ = [
    "noisy_bitmaps",
    "one_pair",
    "smo_run",
    "smo_variants",
]
