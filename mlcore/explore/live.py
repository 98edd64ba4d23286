"""The live form: ipywidgets controls beside one picture whose moving part is replaced in place."""

import traceback
from html import escape

import ipywidgets

from mlcore.explore.markup import STYLE_SHEET, picture_html, readout_html
from mlcore.explore.scene import Scene

__all__ = ["live_widget"]


def live_widget(explorable):
    """Return a widget that draws `explorable` anew whenever a control moves.

    Background and foreground are sent once and stay; what moves and the readout travel in one message, so they
    never disagree. An error in `draw` or `describe` is shown under the last good picture together with the state
    that caused it.

    Parameters
    ----------
    explorable : Explorable

    Returns
    -------
    ipywidgets.VBox
    """
    card = _Card(explorable)
    state = {control.name: control.start for control in explorable.controls}

    def follow(name, widget):
        def moved(change):
            state[name] = change.new
            card.show(state)

        widget.observe(moved, "value")

    rows = []
    for control in explorable.controls:
        widget = _input(control)
        follow(control.name, widget)
        if control.kind == "steps":
            widget = _with_play_button(control, widget)
            follow(control.name, widget.children[0])  # in the browser a move of the slider reaches the button first
        rows.append(widget)
    card.show(state)
    return ipywidgets.VBox([*rows, card.widget])


class _Card:
    """The layers of a picture, one above the other, of which `show` replaces the moving one."""

    def __init__(self, explorable):
        self._explorable = explorable
        self._scene = Scene(explorable)
        self._boxes = self._scene.view_boxes()
        self._shown = None
        self._good = ""
        self._moving = ipywidgets.HTML()
        background, foreground = zip(*self._scene.fixed())
        layers = [ipywidgets.HTML(f"<style>{STYLE_SHEET}</style>{self._layer(background)}"), self._moving]
        if any(foreground):
            layers.append(ipywidgets.HTML(self._layer(foreground)))
        self.widget = ipywidgets.GridBox(layers)
        self.widget.add_class("explorable").add_class("explorable-live")

    def show(self, state):
        if state == self._shown:
            return  # the slider and the play button of a scrubber both tell of a move
        self._shown = dict(state)
        title, error = self._explorable.title, ""
        try:
            text = self._explorable.describe(**state)
            self._good = self._layer(self._scene.moving(state), f"{title}. {text}") + readout_html(text)
        except Exception:
            error = f'<pre class="explorable-error" role="alert">{escape(_report(state))}</pre>'
        self._moving.value = f'{self._good}{error}<p class="explorable-caption">{escape(title)}</p>'

    def _layer(self, drawings, alt=None):
        return picture_html([(drawing,) for drawing in drawings], self._boxes, alt)


def _report(state):
    values = ", ".join(f"{name} = {value!r}" for name, value in state.items())
    return f"No picture for {values or 'this state'}:\n{traceback.format_exc(limit=-3)}"


def _input(control):
    options = [(control.text(value), value) for value in control.values]
    style = {"description_width": "initial"}
    wide = ipywidgets.Layout(width="100%", max_width="34rem")
    if control.kind == "toggle":
        return ipywidgets.Checkbox(value=control.start, description=control.label, indent=False)
    if control.kind == "choice":
        return ipywidgets.Dropdown(
            options=options, value=control.start, description=control.label, style=style, layout=wide
        )
    if control.kind == "steps":
        return ipywidgets.IntSlider(
            value=control.start, max=control.values[-1], description=control.label, style=style, layout=wide
        )
    return ipywidgets.SelectionSlider(
        options=options, value=control.start, description=control.label, style=style, layout=wide
    )


def _with_play_button(control, slider):
    # The link hands the button's value to the slider as soon as both are shown.
    play = ipywidgets.Play(value=control.start, max=control.values[-1], interval=600, tooltip=f"play {control.label}")
    link = ipywidgets.jslink((play, "value"), (slider, "value"))
    row = ipywidgets.HBox([play, slider])
    row.link = link  # the link lives as long as the row
    return row
