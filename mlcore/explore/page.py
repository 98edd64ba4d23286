"""The static form: a figure that answers to its controls with no kernel and no network."""

import base64
import gc
import json
import os
import zlib
from html import escape
from pathlib import Path

import joblib

from mlcore.explore.cache import state_keys, state_store
from mlcore.explore.markup import STYLE_SHEET, picture_html, readout_html
from mlcore.explore.scene import Scene

__all__ = ["PROGRESS_VARIABLE", "page_html", "render_states"]

PROGRESS_VARIABLE = "MLCORE_EXPLORE_PROGRESS"
"""Environment variable that names a file to which progress is appended; what a kernel prints is page content."""

_SCRIPT = Path(__file__).with_name("explorable.js").read_text(encoding="utf-8")


def page_html(explorable):
    """Return `explorable` as one self-contained ``<figure>``.

    The first state stands in the markup; script, style and the other states travel inside the figure, the
    states as one deflated text, since neighbours share most of their paths. Nothing has an id and nothing is
    fetched, so any number of figures fit on a page, wherever it is opened from.

    Parameters
    ----------
    explorable : Explorable

    Returns
    -------
    str
    """
    scene = Scene(explorable)
    states = explorable.page_states()
    rendered = render_states(explorable, states, scene)
    moving, text = rendered[states.index(explorable.start)]
    panels = [(behind, middle, front) for (behind, front), middle in zip(scene.fixed(), moving)]
    inside = picture_html(panels, scene.view_boxes(), f"{explorable.title}. {text}") + readout_html(text)
    if explorable.controls:
        inside = (
            f'<div class="explorable-controls"></div>{inside}'
            f'<script type="text/plain" class="explorable-states">{_packed(_payload(explorable, rendered))}</script>'
            f"<script>{_SCRIPT}</script>"
        )
    return (
        f'<figure class="explorable"><style>{STYLE_SHEET}</style>'
        f'<figcaption class="explorable-caption">{escape(explorable.title)}</figcaption>{inside}</figure>'
    )


def render_states(explorable, states, scene=None):
    """Return the moving SVG texts and the readout of every state, kept for the next build.

    They are drawn in this process, or by the workers of a joblib backend that the caller has made the current one
    (``with joblib.parallel_config("dask"):``, say): each worker gets neighbouring states and makes one scene.

    Parameters
    ----------
    explorable : Explorable
    states : list of dict
    scene : Scene, optional
        That of `explorable`, where the caller has one.

    Returns
    -------
    list of (list of str, str)
        In the order of `states`.
    """
    store = state_store()
    keys = state_keys(explorable, states)
    known = {key: store.get(key) for key in keys}
    missing = [(key, state) for key, state in zip(keys, states) if known[key] is None]
    if missing:
        workers = joblib.effective_n_jobs(None)
        size = -(-len(missing) // workers)
        chunks = [missing[first : first + size] for first in range(0, len(missing), size)]
        draw = joblib.delayed(_draw)
        ours = scene if workers == 1 else None  # a figure does not travel
        drawn = joblib.Parallel(return_as="generator")(draw(explorable, [s for _, s in c], ours) for c in chunks)
        finished = 0
        for chunk, results in zip(chunks, drawn):
            for (key, _), result in zip(chunk, results):
                known[key] = result
                store.put(key, result)
            finished += len(chunk)
            _report(f"  {explorable.title}: {finished} of {len(missing)} states")
    return [known[key] for key in keys]


def _report(line):
    path = os.environ.get(PROGRESS_VARIABLE)
    if path:
        with open(path, "a", encoding="utf-8") as progress:
            print(line, file=progress)


def _draw(explorable, states, scene):
    scene = scene or Scene(explorable)
    gc.freeze()  # a figure is full of cycles: without this each search for them goes through all libraries, too
    try:
        return [(scene.moving(state), explorable.describe(**state)) for state in states]
    finally:
        gc.unfreeze()


def _payload(explorable, rendered):
    """Return what the script needs: controls, different pictures and texts, and which state shows which."""
    pictures, texts = {}, {}
    index = [
        [pictures.setdefault(tuple(moving), len(pictures)), texts.setdefault(text, len(texts))]
        for moving, text in rendered
    ]
    return {
        "title": explorable.title,
        "controls": [
            {
                "label": control.label,
                "kind": control.kind,
                "texts": [control.text(value) for value in control.page_values],
                "start": control.page_values.index(control.start),
            }
            for control in explorable.controls
        ],
        "index": index,
        "pictures": list(pictures),
        "texts": list(texts),
    }


def _packed(payload):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(deflate.compress(text) + deflate.flush()).decode()
