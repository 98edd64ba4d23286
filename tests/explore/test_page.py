import base64
import json
import re
import zlib
from html import escape
from html.parser import HTMLParser

import joblib
import pytest
from joblib.parallel import ThreadingBackend

from mlcore.explore import Explorable, Picture, choice, page, step_scrubber, toggle
from mlcore.explore.cache import CACHE_VARIABLE
from mlcore.explore.page import PROGRESS_VARIABLE, page_html, render_states
from mlcore.explore.scene import Scene

VOID = {"input", "br", "img", "meta", "link", "hr"}


class Document(HTMLParser):
    """Elements with their attributes and texts; every start tag must have its end."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.elements = [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "text": "", **dict(attributes)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.elements.append({"tag": tag, "text": "", **dict(attributes)})

    def handle_endtag(self, tag):
        assert self.open.pop()["tag"] == tag

    def handle_data(self, data):
        if self.open:
            self.open[-1]["text"] += data

    def of(self, tag=None, **attributes):
        return [
            element
            for element in self.elements
            if tag in (None, element["tag"]) and attributes.items() <= element.items()
        ]

    def classed(self, name):
        (element,) = [element for element in self.elements if element.get("class") == name]
        return element


def payload(html):
    """Return what the script of a figure unpacks."""
    packed = Document(html).classed("explorable-states")["text"]
    return json.loads(zlib.decompress(base64.b64decode(packed, validate=True), -zlib.MAX_WBITS))


def step(k):
    return f"step {k}"


# The payload


def test_every_state_has_its_picture_and_its_text(make_explorable):
    explorable = make_explorable()
    data = payload(page_html(explorable))
    states = explorable.page_states()
    scene = Scene(explorable)
    assert len(data["index"]) == len(states) == 3 * 2 * 2 * 4
    for state, (picture, text) in zip(states, data["index"]):
        assert data["pictures"][picture] == scene.moving(state)
        assert data["texts"][text] == explorable.describe(**state)
    assert sorted({picture for picture, _ in data["index"]}) == list(range(len(data["pictures"])))
    assert sorted({text for _, text in data["index"]}) == list(range(len(data["texts"])))


def test_controls_say_what_the_reader_sees(make_explorable):
    data = payload(page_html(make_explorable()))
    assert data["title"] == "A line"
    assert data["controls"] == [
        {"label": "height", "kind": "slider", "texts": ["0", "2", "4"], "start": 1},
        {"label": "style", "kind": "choice", "texts": ["solid", "dashed"], "start": 0},
        {"label": "wide line", "kind": "toggle", "texts": ["off", "on"], "start": 0},
        {"label": "step", "kind": "steps", "texts": ["0", "1", "2", "3"], "start": 0},
    ]


def test_the_start_in_the_markup_is_the_start_in_the_payload(make_explorable):
    explorable = make_explorable()
    html = page_html(explorable)
    data, document = payload(html), Document(html)
    state = 0
    for control in data["controls"]:
        state = state * len(control["texts"]) + control["start"]
    picture, text = data["index"][state]
    assert (
        document.classed("explorable-readout")["text"] == data["texts"][text] == explorable.describe(**explorable.start)
    )
    assert document.classed("explorable-picture")["aria-label"] == f"A line. {data['texts'][text]}"
    assert f"<g>{data['pictures'][picture][0]}</g>" in html


def test_equal_pictures_and_texts_are_stored_once(make_explorable):
    def draw(figure, height, **others):
        figure.axes[0].plot([0, 4], [height, height])

    def describe(wide, **others):
        return "wide" if wide else "narrow"

    data = payload(page_html(make_explorable(draw=draw, describe=describe)))
    assert len(data["pictures"]) == 3
    assert data["texts"] == ["narrow", "wide"]
    assert len(data["index"]) == 48


def test_the_payload_has_a_picture_for_every_panel():
    def draw(figure, k):
        for column in figure.subfigs:
            column.subplots().plot([0, k])

    html = page_html(Explorable("t", (step_scrubber("k", "k", 3),), draw, step, size=(8.0, 3.0), panels=2))
    assert [len(picture) for picture in payload(html)["pictures"]] == [2, 2, 2]
    boxes = [element["viewbox"] for element in Document(html).of("svg", **{"aria-hidden": "true"})]
    assert boxes == ["0 0 2880 2160", "2880 0 2880 2160"]


# The markup


def test_the_figure_is_self_contained(make_explorable):
    html = page_html(make_explorable())
    document = Document(html)
    assert html.startswith('<figure class="explorable">')
    assert html.endswith("</figure>")
    names = {name for element in document.elements for name in element}
    assert not names & {"id", "for", "src", "srcset", "action", "xlink:href", "xmlns", "onload", "onclick"}
    assert not re.search(r"\sid=|url\(|@import|https?:|//[a-z]|fetch\(|getElementById", html.replace("<!--", ""))
    assert all(
        element["href"].startswith("data:image/png;base64,") for element in document.elements if "href" in element
    )
    numbers = re.findall(r' d="([^"]*)"', html)
    assert numbers
    assert all(re.fullmatch("[-MLQCZ 0-9]*", path) for path in numbers)


def test_images_travel_inside_the_figure():
    def draw(figure, on):
        figure.subplots().imshow([[0, 1], [1, int(on)]])

    html = page_html(Explorable("t", (toggle("on", "on"),), draw, lambda on: f"{on}"))
    (image,) = Document(html).of("image")
    assert image["href"].startswith("data:image/png;base64,")
    assert all("data:image/png;base64," in picture for (picture,) in payload(html)["pictures"])


def test_a_picture_needs_no_script():
    html = page_html(Picture("A title", lambda figure: figure.text(0.5, 0.5, "x"), lambda: "What is to be seen."))
    document = Document(html)
    assert not document.of("script")
    assert "explorable-controls" not in [element.get("class") for element in document.elements]
    assert document.classed("explorable-readout")["text"] == "What is to be seen."
    assert document.classed("explorable-picture")["aria-label"] == "A title. What is to be seen."


NASTY = "a < b & c > d \"quoted\" 'single' </script><script>alert(1)</script></figure><!-- &lt; − ½"


def test_whatever_text_is_shown_as_it_is():
    explorable = Explorable(
        NASTY,
        (choice("kind", NASTY, {NASTY: NASTY, "other": 1}),),
        lambda figure, kind: None,
        lambda kind: f"{NASTY}\n{kind}",
    )
    html = page_html(explorable)
    document = Document(html)
    assert document.classed("explorable-caption")["text"] == NASTY
    assert document.classed("explorable-readout")["text"] == f"{NASTY}\n{NASTY}"
    assert document.classed("explorable-picture")["aria-label"] == f"{NASTY}. {NASTY}\n{NASTY}"
    assert len(document.of("script")) == html.count("<script") == html.count("</script>") == 2
    assert html.count(escape(NASTY)) == 6  # once in the caption, twice in the readout, and all three to be heard
    data = payload(html)
    assert data["title"] == NASTY
    assert data["controls"][0]["label"] == NASTY
    assert data["controls"][0]["texts"] == [NASTY, "other"]
    assert data["texts"] == [f"{NASTY}\n{NASTY}", f"{NASTY}\n1"]


# Drawing the states


class Workers(ThreadingBackend):
    """A backend of the caller's with three workers, which take turns: Matplotlib is used by one thread at a time."""

    def configure(self, **options):
        workers = super().configure(**options)
        self._n_jobs = 1
        return workers

    def effective_n_jobs(self, n_jobs):
        return 3


@pytest.fixture
def scenes(monkeypatch):
    """Return the explorables for which scenes are made, in that order."""
    made = []

    def make(explorable):
        made.append(explorable)
        return Scene(explorable)

    monkeypatch.setattr(page, "Scene", make)
    return made


def test_a_figure_makes_its_scene_once(make_explorable, scenes):
    page_html(make_explorable())
    assert len(scenes) == 1


def test_processes_draw_what_one_process_draws(make_explorable):
    explorable = make_explorable()
    states = explorable.page_states()
    alone = render_states(explorable, states)
    with joblib.parallel_config("loky", n_jobs=2):
        assert render_states(explorable, states) == alone
        shared = page_html(explorable)
    assert shared == page_html(explorable)


def test_the_workers_of_the_caller_draw_neighbours_each_in_one_scene(make_explorable, scenes):
    explorable = make_explorable()
    states = explorable.page_states()
    alone = render_states(explorable, states)
    scenes.clear()
    joblib.register_parallel_backend("of the caller", Workers)
    with joblib.parallel_config("of the caller", n_jobs=-1):
        assert render_states(explorable, states, Scene(explorable)) == alone
    assert len(scenes) == 3


def test_the_result_follows_the_order_of_the_states(make_explorable):
    explorable = make_explorable()
    states = explorable.page_states()
    assert render_states(explorable, states[::-1]) == render_states(explorable, states)[::-1]


def test_no_states_need_no_drawing(make_explorable):
    assert render_states(make_explorable(), []) == []


CALLS = []


def counted_draw(figure, k):
    CALLS.append(k)
    figure.text(0.5, 0.5, f"{k}")


@pytest.fixture
def counted(monkeypatch, tmp_path):
    CALLS.clear()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "states"))
    return Explorable("title", (step_scrubber("k", "k", 5),), counted_draw, step)


def test_a_second_build_draws_nothing_anew(counted):
    first = page_html(counted)
    assert sorted(CALLS) == [0, 1, 2, 3, 4]
    CALLS.clear()
    assert page_html(counted) == first
    assert CALLS == []


def test_only_what_is_missing_or_damaged_is_drawn_anew(counted, tmp_path):
    states = counted.page_states()
    render_states(counted, states[:2])
    CALLS.clear()
    drawn = render_states(counted, states)
    assert sorted(CALLS) == [2, 3, 4]
    files = sorted((tmp_path / "states").rglob("*.json"))
    assert len(files) == 5
    files[0].write_text("[")
    CALLS.clear()
    again = render_states(counted, states)
    assert len(CALLS) == 1
    assert [(list(moving), text) for moving, text in again] == [(list(moving), text) for moving, text in drawn]


def test_without_a_cache_every_build_draws(monkeypatch, counted):
    monkeypatch.delenv(CACHE_VARIABLE)
    states = counted.page_states()
    render_states(counted, states)
    render_states(counted, states)
    assert sorted(CALLS) == sorted([0, 1, 2, 3, 4] * 2)


def test_an_error_in_a_state_stops_the_build(make_explorable):
    def describe(height, **others):
        return f"{1 / (height - 4)}"

    with pytest.raises(ZeroDivisionError):
        page_html(make_explorable(describe=describe))


def test_progress_goes_to_the_named_file_and_nowhere_else(monkeypatch, capfd, tmp_path, make_explorable):
    page_html(make_explorable())
    assert capfd.readouterr() == ("", "")
    log = tmp_path / "progress"
    monkeypatch.setenv(PROGRESS_VARIABLE, str(log))
    page_html(make_explorable())
    lines = log.read_text().splitlines()
    assert lines[-1].split() == ["A", "line:", "48", "of", "48", "states"]
    assert capfd.readouterr() == ("", "")
