"""Where a picture is being shown."""

import os

__all__ = ["MODE_VARIABLE", "current_mode"]

MODE_VARIABLE = "MLCORE_EXPLORE"
"""Environment variable that names the mode; the build of the book and the tests set it."""

_MODES = ("live", "static", "preview")


def current_mode():
    """Return "live" (a kernel, the default), "static" (the page) or "preview" (stored in a notebook file).

    Raises
    ------
    ValueError
        When the environment variable names no mode.
    """
    mode = os.environ.get(MODE_VARIABLE, "live")
    if mode not in _MODES:
        raise ValueError(f"{MODE_VARIABLE}: expected one of {', '.join(_MODES)}, got {mode!r}")
    return mode
