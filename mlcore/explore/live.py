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
    scene = Scene(explorable)
    inputs = {control.name: _input(control) for control in explorable.controls}
    boxes = scene.view_boxes()
    background, foreground = zip(*scene.fixed())
    moving = ipywidgets.HTML()
    values = {name: widget.value for name, widget in inputs.items()}
    shown = {"state": None, "picture": ""}

    def show():
        if values == shown["state"]:
            return  # the slider and the play button of a scrubber both tell of a move
        shown["state"] = dict(values)
        error = ""
        try:
            text = explorable.describe(**values)
            shown["picture"] = _layer(scene.moving(values), boxes, f"{explorable.title}. {text}") + readout_html(text)
        except Exception:
            error = f'<pre class="explorable-error" role="alert">{escape(_report(values))}</pre>'
        moving.value = f'{shown["picture"]}{error}<p class="explorable-caption">{escape(explorable.title)}</p>'

    def follow(name, widget):
        def moved(change):
            values[name] = change.new
            show()

        widget.observe(moved, "value")

    show()
    rows = []
    for control in explorable.controls:
        widget = inputs[control.name]
        follow(control.name, widget)
        if control.kind == "steps":
            widget = _with_play_button(control, widget)
            follow(control.name, widget.children[0])  # in the browser a move of the slider reaches the button first
        rows.append(widget)
    layers = [ipywidgets.HTML(f"<style>{STYLE_SHEET}</style>{_layer(background, boxes)}"), moving]
    if any(foreground):
        layers.append(ipywidgets.HTML(_layer(foreground, boxes)))
    card = ipywidgets.GridBox(layers)
    card.add_class("explorable").add_class("explorable-live")
    return ipywidgets.VBox([*rows, card])


def _layer(drawings, boxes, alt=None):
    return picture_html([(drawing,) for drawing in drawings], boxes, alt)


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
