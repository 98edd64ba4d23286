"""Explorables: pictures with controls, and the three ways to show them."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

from mlcore.explore.mode import current_mode
from mlcore.validation import as_array, as_positive, as_whole_number

__all__ = ["LARGEST_NUMBER_OF_PAGE_STATES", "Explorable", "Picture"]

LARGEST_NUMBER_OF_PAGE_STATES = 120


@dataclass(frozen=True)
class Explorable:
    """A picture that answers to controls: live in a kernel, precomputed in the page, still in a notebook file.

    A state is a value for each control. `draw` and `describe` are pure functions of it: they give the same
    picture and text whenever they are called, in any order and in any process. `draw` finds its axes through the
    figure it is given: one explorable is drawn into several figures.

    Attributes
    ----------
    title : str
        Caption of the picture.
    controls : tuple of Control
        What the reader can move. Two sliders of a `position` may be given as the tuple they come in.
    draw : callable
        ``draw(figure, **state)`` adds to the figure what depends on the state.
    describe : callable
        ``describe(**state)`` returns the readout: what is to be seen, in words and numbers.
    frame : callable, optional
        ``frame(figure)`` makes the axes and draws, once, what depends on no control. It makes a state several
        times faster to draw. Artists with a zorder of at least 10 stay above what `draw` adds.
    size : tuple of float
        Width and height in inches; 4.6 inches and no more for each panel keep the text readable on a phone.
    panels : int
        Number of columns of equal width; on a phone they stand below each other. With more than one,
        `frame` and `draw` find that many subfigures in ``figure.subfigs`` and draw into those.

    Raises
    ------
    ValueError
        When two controls share a name, when the page would have more than 120 states, or for a size that is none.
    """

    title: str
    controls: tuple
    draw: Callable
    describe: Callable
    frame: Callable | None = None
    size: tuple = (4.6, 4.0)
    panels: int = 1

    def __post_init__(self):
        controls = []
        for control in self.controls:
            controls.extend(control if isinstance(control, tuple) else (control,))
        object.__setattr__(self, "controls", tuple(controls))
        as_whole_number("panels", self.panels)
        for length in as_array("size", self.size, (2,)):
            as_positive("size", length)
        names = [control.name for control in controls]
        if len(set(names)) < len(names):
            raise ValueError(f"controls: expected different names, got {names}")
        states = prod(len(control.page_values) for control in controls)
        if states > LARGEST_NUMBER_OF_PAGE_STATES:
            raise ValueError(
                f"{self.title}: expected at most {LARGEST_NUMBER_OF_PAGE_STATES} states in the page, "
                f"got {states}; "
                "let a slider offer fewer of its positions there (page_every)"
            )

    @property
    def start(self):
        """The first state shown, as a dict."""
        return {control.name: control.start for control in self.controls}

    def page_states(self):
        """Return every state that the page offers; the last control changes fastest."""
        names = [control.name for control in self.controls]
        return [dict(zip(names, values)) for values in product(*(c.page_values for c in self.controls))]

    def _repr_mimebundle_(self, include=None, exclude=None):
        # Each way of showing is imported when it is used: a page build needs no widgets, a kernel no joblib.
        mode = current_mode()
        bundle = {"text/plain": f"{self.title}\n{self.describe(**self.start)}"}
        if mode == "live":
            from mlcore.explore.live import live_widget

            return {**live_widget(self)._repr_mimebundle_(), **bundle}
        if mode == "static":
            from mlcore.explore.page import page_html

            return {"text/html": page_html(self), **bundle}
        from mlcore.explore.scene import Scene

        return {"image/png": Scene(self).png(self.start), **bundle}


def Picture(title, draw, describe, *, frame=None, size=(4.6, 4.0), panels=1):  # noqa: N802 (reads as a kind of Explorable)
    """Return an explorable with no control: ``draw(figure)`` and ``describe()`` take no state."""
    return Explorable(title, (), draw, describe, frame, size, panels)
