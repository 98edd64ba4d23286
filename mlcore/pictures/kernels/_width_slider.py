"""A slider for the width of a Gaussian kernel whose positions are round numbers of γ = 1/(2 width²)."""

import numpy as np

from mlcore.explore import Control
from mlcore.validation import as_array, as_positive

__all__ = ["gamma", "width_slider"]


def width_slider(gammas, start, page_every=1):
    """Return a slider ``width`` with a position for every γ, from narrow to wide.

    Parameters
    ----------
    gammas : sequence of float
        Values of γ above 0, in inverse squares of the unit of the features.
    start : float
        The γ shown first; one of them.
    page_every : int
        The page offers every so many-th position, counted from `start` in both directions.

    Returns
    -------
    Control

    Raises
    ------
    ValueError
        A γ that is not above 0, or a start that is not among them.

    Examples
    --------
    >>> slider = width_slider([0.1, 0.5, 5], start=0.5)
    >>> [slider.text(width) for width in slider.values]
    ['0.316 (γ = 5)', '1 (γ = 0.5)', '2.24 (γ = 0.1)']
    """
    values = sorted((as_positive("gammas", value) for value in as_array("gammas", gammas, ("n",))), reverse=True)
    if start not in values:
        raise ValueError(f"start: expected one of the gammas, got {start!r}")
    widths = tuple(float(1 / np.sqrt(2 * value)) for value in values)
    first = values.index(start)
    return Control(
        "width", "width", "slider", widths, widths[first % page_every :: page_every], widths[first], _width_text
    )


def gamma(width):
    """Return γ = 1/(2 width²)."""
    return 1 / (2 * width**2)


def _width_text(width):
    return f"{width:.3g} (γ = {gamma(width):.3g})"
