"""One figure whose fixed part is drawn once and whose moving part is drawn anew for every state."""

import io
from pathlib import Path

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from mlcore.explore.svg import UNITS_PER_POINT, SVGRenderer

__all__ = ["FOREGROUND", "Scene"]

FOREGROUND = 10
"""Fixed artists with a zorder of at least this are drawn above everything that moves."""

_STYLE = matplotlib.rc_params_from_file(Path(__file__).with_name("book.mplstyle"), use_default_template=False)
_POINTS_PER_INCH = 72


class Scene:
    """The figure of an explorable, ready to be drawn in any state.

    `frame` fills the figure once. For each state `draw` adds artists; they are drawn between the fixed
    background and the fixed foreground (zorder of at least `FOREGROUND`) and taken away again. Without a
    `frame` the figure is empty and everything moves.

    Parameters
    ----------
    explorable : Explorable
        Whose `frame` and `draw` are called.
    """

    def __init__(self, explorable):
        self._explorable = explorable
        width, height = explorable.size
        with matplotlib.rc_context(_STYLE):
            self._figure = Figure(figsize=explorable.size, dpi=_POINTS_PER_INCH, layout="constrained")
            FigureCanvasAgg(self._figure)
            if explorable.frame is not None:
                explorable.frame(self._figure)
                self._figure.draw_without_rendering()
                self._figure.set_layout_engine("none")
        for axes in self._figure.axes:
            axes.set_autoscale_on(False)
        self._renderer = SVGRenderer(width * _POINTS_PER_INCH, height * _POINTS_PER_INCH)
        self._fixed = self._artists()
        self._decorations = self._read_decorations()
        self._layers = None

    def panels(self, state):
        """Return, per panel, the SVG text of the background, of what `state` draws, and of the foreground."""
        if self._layers is None:
            self._layers = [(self._background(panel), self._foreground(panel)) for panel in self._panel_range()]
        return [
            (background, moving, foreground)
            for (background, foreground), moving in zip(self._layers, self.moving(state))
        ]

    def moving(self, state):
        """Return the SVG text of what `state` draws, one text per panel."""
        with matplotlib.rc_context(_STYLE):
            new = self._draw(state)
            try:
                texts = [self._svg(new, panel) for panel in self._panel_range()]
            finally:
                self._remove(new)
        return texts

    def view_boxes(self):
        """Return the ``viewBox`` of every panel: the figure is cut into columns of equal width."""
        width = self._renderer.width * UNITS_PER_POINT / self._explorable.panels
        height = self._renderer.height * UNITS_PER_POINT
        return [f"{panel * width:.0f} 0 {width:.0f} {height:.0f}" for panel in self._panel_range()]

    def png(self, state, dots_per_inch=80, colours=48):
        """Return `state` as a small paletted PNG (bytes)."""
        with matplotlib.rc_context(_STYLE):
            new = self._draw(state)
            try:
                buffer = io.BytesIO()
                self._figure.savefig(buffer, format="png", dpi=dots_per_inch)
            finally:
                self._remove(new)
        image = Image.open(buffer).convert("RGB").quantize(colours, dither=Image.Dither.NONE)
        small = io.BytesIO()
        image.save(small, "png", optimize=True)
        return small.getvalue()

    def _draw(self, state):
        self._explorable.draw(self._figure, **state)
        new = [artist for artist in self._artists() if artist not in self._fixed]
        if self._explorable.frame is not None and self._read_decorations() != self._decorations:
            self._remove(new)
            raise ValueError(
                f"{self._explorable.title}: draw changed the title, the labels or the limits of axes that frame "
                "made; they are drawn only once, so set them in frame or leave frame out"
            )
        return new

    def _remove(self, artists):
        for artist in reversed(_outermost(artists)):
            artist.remove()
        for axes in self._figure.axes:
            axes.containers.clear()

    def _artists(self):
        # A list, not a set: the order of adding decides between artists of equal zorder.
        axes = self._figure.axes
        own = [artist for each in axes for artist in each.get_children()]
        return dict.fromkeys([*(a for a in self._figure.get_children() if a not in axes), *axes, *own])

    def _read_decorations(self):
        return [
            (a.get_xlim(), a.get_ylim(), a.get_title(), a.get_xlabel(), a.get_ylabel())
            for a in self._figure.axes
            if a in self._fixed
        ]

    def _panel_range(self):
        return range(self._explorable.panels)

    def _panel_of(self, artist):
        """Return the column in which an artist stands: that of its axes, or the first."""
        axes = getattr(artist, "axes", None)
        if axes is None:
            return 0
        centre = (axes.get_position().x0 + axes.get_position().x1) / 2
        return min(int(centre * self._explorable.panels), self._explorable.panels - 1)

    @staticmethod
    def _is_foreground(artist):
        return artist.get_zorder() >= FOREGROUND and artist.axes is not artist

    def _svg(self, artists, panel):
        mine = [artist for artist in _outermost(artists) if self._panel_of(artist) == panel]
        if any(artist.axes is artist for artist in mine):
            self._figure.draw_without_rendering()
        for artist in sorted(mine, key=lambda artist: artist.get_zorder()):
            artist.draw(self._renderer)
        return self._renderer.text()

    def _foreground(self, panel):
        return self._svg([artist for artist in self._fixed if self._is_foreground(artist)], panel)

    def _background(self, panel):
        hidden = [
            a
            for a in self._fixed
            if a.get_visible()
            and ((a.get_zorder() >= FOREGROUND and a.axes is not a) or self._panel_of(a) != panel)
        ]
        for artist in hidden:
            artist.set_visible(False)
        try:
            self._figure.draw(self._renderer)
        finally:
            for artist in hidden:
                artist.set_visible(True)
        return self._renderer.text()


def _outermost(artists):
    """Leave out what stands inside axes that are in the list themselves: those axes draw and remove it."""
    owners = set(artists)
    return [artist for artist in artists if artist.axes is artist or artist.axes not in owners]
