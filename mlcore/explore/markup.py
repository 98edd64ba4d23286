"""The HTML that the live widget and the page share: panels of layered SVG and the readout."""

from html import escape
from pathlib import Path

__all__ = ["STYLE_SHEET", "picture_html", "readout_html"]

STYLE_SHEET = Path(__file__).with_name("explorable.css").read_text(encoding="utf-8")


def picture_html(panels, view_boxes, alt=None):
    """Return the panels of one state as inline SVG.

    Parameters
    ----------
    panels : list of tuple of str
        For every panel the SVG text of its layers, the lowest first.
    view_boxes : list of str
        Of every panel.
    alt : str, optional
        What a reader who does not see the picture hears; nothing is heard of a picture without it.

    Returns
    -------
    str
    """
    drawings = "".join(
        f'<svg viewBox="{box}" aria-hidden="true" focusable="false">'
        + "".join(f"<g>{layer}</g>" for layer in layers)
        + "</svg>"
        for layers, box in zip(panels, view_boxes)
    )
    heard = "" if alt is None else f' role="img" aria-label="{escape(alt)}"'
    return f'<div class="explorable-picture"{heard}>{drawings}</div>'


def readout_html(text):
    """Return the readout of a state as a paragraph in which line breaks are kept."""
    return f'<p class="explorable-readout">{escape(text)}</p>'
