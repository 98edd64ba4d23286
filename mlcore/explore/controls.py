"""What a reader can move: sliders, choices, toggles and step scrubbers.

A control is a name with a finite list of values, so that every state can be drawn beforehand for the page.
In a kernel a slider may be finer than in the page: `values` are all positions, `page_values` those that the
page offers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from keyword import iskeyword

import numpy as np

from mlcore.validation import as_whole_number

__all__ = ["Control", "choice", "linear_slider", "log_slider", "position", "step_scrubber", "toggle"]


@dataclass(frozen=True)
class Control:
    """One thing to move.

    Attributes
    ----------
    name : str
        Keyword under which `draw` and `describe` receive the value.
    label : str
        What the reader sees beside the control.
    kind : str
        "slider", "choice", "toggle" or "steps".
    values : tuple
        Every value in a kernel, in the order of the slider.
    page_values : tuple
        The values in the page, a part of `values`.
    start : object
        The first value shown; in both lists.
    text : callable
        Turns a value into what the reader sees and hears.
    """

    name: str
    label: str
    kind: str
    values: tuple
    page_values: tuple
    start: object
    text: Callable

    def __post_init__(self):
        # `figure` is the first argument of every `draw`.
        if not self.name.isidentifier() or iskeyword(self.name) or self.name == "figure":
            raise ValueError(f"name: expected a Python identifier other than 'figure', got {self.name!r}")
        try:
            different = len(set(self.values))
        except TypeError as error:
            raise ValueError(f"{self.name}: expected hashable values, got {self.values!r}") from error
        if not 2 <= different == len(self.values):
            raise ValueError(f"{self.name}: expected at least two values, all different, got {self.values!r}")
        if len(self.page_values) < 2:
            raise ValueError(f"{self.name}: expected at least two values in the page, got {self.page_values!r}")
        missing = [value for value in (*self.page_values, self.start) if value not in self.values]
        if missing:
            raise ValueError(f"{self.name}: expected page values and start among the values, got {missing[0]!r}")
        if self.start not in self.page_values:
            raise ValueError(f"{self.name}: expected start among the page values, got {self.start!r}")


def linear_slider(name, label, low, high, *, start, steps, page_every=1, text=None):
    """Return a slider with `steps` evenly spaced values from `low` to `high`.

    Parameters
    ----------
    name, label : str
        Keyword in `draw`, and what the reader sees.
    low, high : float
        Ends of the slider.
    start : float
        First value, from `low` to `high`; the nearest position is taken.
    steps : int
        Number of positions in a kernel.
    page_every : int
        The page offers every so many-th position, counted from `start` in both directions.
    text : callable, optional
        Value to text; by default three significant digits.

    Returns
    -------
    Control

    Examples
    --------
    >>> linear_slider("x", "position", -1, 1, start=0, steps=5).values
    (-1.0, -0.5, 0.0, 0.5, 1.0)
    """
    if not (np.isfinite([low, high]).all() and low < high):
        raise ValueError(f"{name}: expected finite low < high, got low {low!r} and high {high!r}")
    _check_start(name, start, low, high)
    values = np.linspace(low, high, as_whole_number("steps", steps, least=2))
    return _slider(name, label, values, start, page_every, text)


def log_slider(name, label, low, high, *, start, steps, page_every=1, text=None):
    """Return a slider with `steps` values whose logarithms are evenly spaced.

    The arguments are those of `linear_slider`; `low` must be above 0. Values are rounded to three
    significant digits, so that the reader sees the value that is used.

    Examples
    --------
    >>> log_slider("C", "penalty C", 0.1, 10, start=1, steps=5).values
    (0.1, 0.316, 1.0, 3.16, 10.0)
    """
    if not 0 < low < high < np.inf:
        raise ValueError(f"{name}: expected 0 < low < high, got low {low!r} and high {high!r}")
    _check_start(name, start, low, high)
    values = np.geomspace(low, high, as_whole_number("steps", steps, least=2))
    return _slider(name, label, [float(f"{value:.3g}") for value in values], start, page_every, text)


def _slider(name, label, values, start, page_every, text):
    # Rounding to 12 digits removes the noise of linspace: 0.30000000000000004 is 0.3.
    values = tuple(float(f"{value:.12g}") + 0.0 for value in values)
    nearest = int(np.argmin(np.abs(np.array(values) - start)))
    page_values = values[nearest % as_whole_number("page_every", page_every) :: page_every]
    return Control(name, label, "slider", values, page_values, values[nearest], text or _three_digits)


def choice(name, label, options, *, start=None):
    """Return a list to choose from.

    Parameters
    ----------
    name, label : str
        Keyword in `draw`, and what the reader sees.
    options : dict or iterable of str
        Text of every option and the (hashable) value it stands for; a plain text stands for itself.
    start : object, optional
        First value; the first option by default.

    Returns
    -------
    Control
    """
    options = dict(options) if isinstance(options, dict) else {option: option for option in options}
    texts = {value: text for text, value in options.items()}
    values = tuple(options.values())
    return Control(name, label, "choice", values, values, values[0] if start is None else start, texts.__getitem__)


def toggle(name, label, *, start=False):
    """Return a switch; its values are False and True."""
    return Control(name, label, "toggle", (False, True), (False, True), bool(start), _on_off)


def step_scrubber(name, label, count, *, start=0, page_every=1):
    """Return a slider over the recorded steps 0, …, `count` − 1 of an algorithm, with a play button.

    The page offers every `page_every`-th step, and always the last one.
    """
    values = tuple(range(as_whole_number("count", count, least=2)))
    _check_start(name, start, 0, values[-1])
    page_values = tuple(sorted({*values[:: as_whole_number("page_every", page_every)], values[-1], start}))
    return Control(name, label, "steps", values, page_values, start, str)


def position(name, label, x_range, y_range, *, start, steps, page_every=1):
    """Return two sliders, ``<name>_x`` and ``<name>_y``, that move a point in the plane.

    Parameters
    ----------
    name, label : str
        Stem of the two keywords, and what the reader sees.
    x_range, y_range : tuple of float
        Ends of either slider.
    start : tuple of float
        First position.
    steps : int or (int, int)
        Positions of either slider in a kernel.
    page_every : int
        As in `linear_slider`.

    Returns
    -------
    tuple of two Control
    """
    counts = steps if isinstance(steps, tuple) else (steps, steps)
    return tuple(
        linear_slider(f"{name}_{axis}", f"{label}: {axis}", *ends, start=at, steps=count, page_every=page_every)
        for axis, ends, at, count in zip("xy", (x_range, y_range), start, counts)
    )


def _check_start(name, start, low, high):
    if not low <= start <= high:
        raise ValueError(f"{name}: expected a start from {low:g} to {high:g}, got {start!r}")


def _three_digits(value):
    # Above a thousand three digits would turn to powers of ten.
    return (f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}").replace("-", "−")


def _on_off(value):
    return "on" if value else "off"
