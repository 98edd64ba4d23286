"""The HTML that the live widget and the page share: panels of layered SVG and the readout."""

from html import escape
from pathlib import Path

__all__ = ["STYLE_SHEET", "picture_html", "readout_html"]

STYLE_SHEET = Path(__file__).with_name("explorable.css").read_text(encoding="utf-8")


def picture_html(panels, view_boxes, alt):
    """Return the panels of one state as inline SVG.

    Parameters
    ----------
    panels : list of (str, str, str)
        SVG text of background, moving part and foreground of every panel.
    view_boxes : list of str
        Of every panel.
    alt : str
        What a reader who does not see the picture hears.

    Returns
    -------
    str
    """
    drawings = "".join(
        f'<svg viewBox="{box}" aria-hidden="true" focusable="false">'
        f"<g>{background}</g><g>{moving}</g><g>{foreground}</g></svg>"
        for (background, moving, foreground), box in zip(panels, view_boxes)
    )
    return f'<div class="explorable-picture" role="img" aria-label="{escape(alt)}">{drawings}</div>'


def readout_html(text):
    """Return the readout of a state as a paragraph in which line breaks are kept."""
    return f'<p class="explorable-readout">{escape(text)}</p>'
