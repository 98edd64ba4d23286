"""The engine: one description of a picture, shown live in a kernel, in the page, or as a still."""

from mlcore.explore.controls import Control, choice, linear_slider, log_slider, position, step_scrubber, toggle
from mlcore.explore.explorable import Explorable, Picture
from mlcore.explore.scene import FOREGROUND

__all__ = [
    "FOREGROUND",
    "Control",
    "Explorable",
    "Picture",
    "choice",
    "linear_slider",
    "log_slider",
    "position",
    "step_scrubber",
    "toggle",
]
