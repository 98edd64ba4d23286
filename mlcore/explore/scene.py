"""One figure whose fixed part is drawn once and whose moving part is drawn anew for every state."""

import io
from contextlib import contextmanager
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from mlcore.explore.svg import UNITS_PER_POINT, SVGRenderer

__all__ = ["FOREGROUND", "Scene"]

FOREGROUND = 10
"""Fixed artists with a zorder of at least this are drawn above everything that moves."""

_STYLE = {
    # Every setting, so that the reader's own (a dark style, say) do not show; a context cannot restore the backend.
    name: value
    for name, value in matplotlib.rc_params_from_file(Path(__file__).with_name("book.mplstyle")).items()
    if name != "backend"
}
_POINTS_PER_INCH = 72


@contextmanager
def _book_style():
    """Give the settings of the book for a while, ten times as fast as `matplotlib.rc_context`.

    That copies all settings and checks each again; those of the book were checked when they were read.
    """
    settings = matplotlib.rcParams
    before = {name: dict.__getitem__(settings, name) for name in _STYLE}
    different = {name: value for name, value in _STYLE.items() if before[name] != value}
    dict.update(settings, different)
    try:
        yield
    finally:
        dict.update(settings, {name: before[name] for name in different})


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
        self._renderer = SVGRenderer(width * _POINTS_PER_INCH, height * _POINTS_PER_INCH)
        self._layers = None
        with _book_style():
            self._build()

    def panels(self, state):
        """Return, per panel, the SVG text of the background, of what `state` draws, and of the foreground."""
        return [
            (background, moving, foreground)
            for (background, foreground), moving in zip(self.fixed(), self.moving(state))
        ]

    def fixed(self):
        """Return the SVG text of background and foreground, one pair per panel; they are drawn once."""
        if self._layers is None:
            with _book_style():
                self._layers = [(self._background(panel), self._foreground(panel)) for panel in self._panel_range()]
        return self._layers

    def moving(self, state):
        """Return the SVG text of what `state` draws, one text per panel."""
        with self._drawn(state) as new:
            return [self._svg(new, panel) for panel in self._panel_range()]

    def view_boxes(self):
        """Return the ``viewBox`` of every panel: subfigures stand in columns of equal width."""
        width = self._renderer.width * UNITS_PER_POINT / self._explorable.panels
        height = self._renderer.height * UNITS_PER_POINT
        return [f"{panel * width:.0f} 0 {width:.0f} {height:.0f}" for panel in self._panel_range()]

    def png(self, state, dots_per_inch=80, colours=96):
        """Return `state` as a small paletted PNG (bytes)."""
        buffer = io.BytesIO()
        with self._drawn(state) as new:
            # Between background and foreground, as in the SVG.
            for rank, artist in enumerate(sorted(new, key=lambda artist: artist.get_zorder())):
                artist.set_zorder(FOREGROUND - 1 / (2 + rank))
            self._figure.savefig(buffer, format="png", dpi=dots_per_inch)
        # An octree, unlike the median cut, keeps a colour that only a few pixels have.
        image = Image.open(buffer).convert("RGB")
        image = image.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        small = io.BytesIO()
        image.save(small, "png", optimize=True)
        return small.getvalue()

    def _build(self):
        """Make the figure with its fixed part."""
        explorable = self._explorable
        self._figure = Figure(figsize=explorable.size, dpi=_POINTS_PER_INCH, layout="constrained")
        FigureCanvasAgg(self._figure)
        if explorable.panels > 1:
            self._figure.subfigures(1, explorable.panels)
        if explorable.frame is not None:
            explorable.frame(self._figure)
            self._lay_out()
        self._framed_axes = self._figure.findobj(Axes)
        for axes in self._framed_axes:
            axes.set_autoscale_on(False)
        self._fixed_containers = [(axes, len(axes.containers)) for axes in self._framed_axes]
        self._fixed = dict.fromkeys(self._artists())
        self._decorations = self._read_decorations()

    def _lay_out(self):
        if any(axes.get_subplotspec() for axes in self._figure.axes):  # else all stand where they were put by hand
            self._figure.draw_without_rendering()
        self._figure.set_layout_engine("none")

    @contextmanager
    def _drawn(self, state):
        """Add what `state` draws to the figure, give the new artists, and take them away again."""
        with _book_style():
            try:
                for axes in self._framed_axes:
                    axes.set_prop_cycle(None)  # colours start anew, whatever was drawn before
                self._explorable.draw(self._figure, **state)
                if self._explorable.frame is not None and self._read_decorations() != self._decorations:
                    raise ValueError(
                        f"{self._explorable.title}: draw changed the title, the labels, the ticks, the limits or "
                        "the place of axes that frame made; they are drawn only once, so set them in frame or "
                        "leave frame out"
                    )
                if self._explorable.frame is None:
                    self._lay_out()
                new = [artist for artist in self._artists() if artist not in self._fixed]
                yield new
                self._remove(new)
            except BaseException:
                self._build()  # what stopped half-way may have left anything behind
                raise

    def _remove(self, artists):
        if self._explorable.frame is None:
            self._build()
            return
        for artist in artists:
            if artist.get_figure() is not None:  # else it went with one before it
                artist.remove()
        for axes, count in self._fixed_containers:
            del axes.containers[count:]

    def _artists(self):
        # What stands in axes that draw made belongs to those axes.
        parents = [self._figure, *self._figure.subfigs, *self._framed_axes]
        return [artist for parent in parents for artist in parent.get_children()]

    def _read_decorations(self):
        return [figure.get_suptitle() for figure in (self._figure, *self._figure.subfigs)] + [
            (
                *(axes.get_title(place) for place in ("left", "center", "right")),
                axes.get_aspect(),
                axes.get_position(original=True).bounds,
                *(
                    (axis.get_label_text(), axis.get_scale(), *axis.get_view_interval())
                    + (axis.get_major_locator(), axis.get_major_formatter())
                    for axis in (axes.xaxis, axes.yaxis)
                ),
            )
            for axes in self._framed_axes
        ]

    def _panel_range(self):
        return range(self._explorable.panels)

    def _panel_of(self, artist):
        """Return the number of the subfigure in which an artist stands; without subfigures it is 0."""
        subfigures = self._figure.subfigs
        owner = artist if artist in subfigures else artist.get_figure()
        if owner in subfigures:
            return subfigures.index(owner)
        if self._explorable.panels > 1 and artist is not self._figure.patch:
            raise ValueError(
                f"{self._explorable.title}: expected everything in one of the {self._explorable.panels} subfigures, "
                f"figure.subfigs, got {artist} in the figure itself, which is cut between them"
            )
        return 0

    @staticmethod
    def _is_foreground(artist):
        return artist.get_zorder() >= FOREGROUND and artist.axes is not artist

    def _svg(self, artists, panel):
        mine = [artist for artist in artists if self._panel_of(artist) == panel]
        for artist in sorted(mine, key=lambda artist: artist.get_zorder()):
            if hasattr(artist, "do_3d_projection"):  # else left to axes that are drawn as a whole
                artist.do_3d_projection()
            artist.draw(self._renderer)
        return self._renderer.text()

    def _foreground(self, panel):
        return self._svg([artist for artist in self._fixed if self._is_foreground(artist)], panel)

    def _background(self, panel):
        hidden = [
            artist
            for artist in self._fixed
            if artist.get_visible() and (self._is_foreground(artist) or self._panel_of(artist) != panel)
        ]
        for artist in hidden:
            artist.set_visible(False)
        try:
            self._figure.draw(self._renderer)
        finally:
            for artist in hidden:
                artist.set_visible(True)
        return self._renderer.text()
