"""Pictures of several columns, which stand below each other on a phone."""

import re

import numpy as np
import pytest

from mlcore.explore import Explorable, step_scrubber
from mlcore.explore.scene import Scene


def explorable(draw, frame=None):
    controls = (step_scrubber("k", "step", 5),)
    return Explorable("A title", controls, draw, lambda k: f"step {k}", frame, size=(8.0, 3.0), panels=2)


def numbers(svg):
    """Return every point of every path, in the units of the viewBox."""
    found = []
    for moved, data in re.findall(r'<path (?:transform="translate\((.*?)\)" )?d="(.*?)"/>', svg):
        points = np.array(re.findall(r"(-?\d+) (-?\d+)", data), dtype=float)
        found.append(points + (np.array(moved.split(), dtype=float) if moved else 0))
    return np.concatenate(found)


def two_columns(figure):
    for column, colour in zip(figure.subfigs, ("red", "blue")):
        axes = column.subplots()
        axes.set(xlim=(0, 10), ylim=(0, 1e6), xlabel="a rather long label of the axis", ylabel="value", title=colour)
        axes.plot([0, 10], [0, 1e6], color=colour, clip_on=False)
        column.legend(handles=axes.lines, labels=["fixed"], loc="outside lower center")


def draw_columns(figure, k):
    left, right = (column.axes[0] for column in figure.subfigs)
    left.plot([0, 10], [k, 0], color="#00ff00")
    if k:
        right.scatter([5], [k * 1e5], color="#00ffff")
        figure.subfigs[1].text(0.5, 0.5, "here", color="#ffff00")


def test_every_artist_goes_to_the_panel_of_its_column():
    scene = Scene(explorable(draw_columns, two_columns))
    (left_back, left, _), (right_back, right, _) = scene.panels(dict(k=2))
    assert ("#ff0000" in left_back, "#0000ff" in left_back) == (True, False)
    assert ("#ff0000" in right_back, "#0000ff" in right_back) == (False, True)
    assert re.findall("#00ff00|#00ffff|#ffff00", left) == ["#00ff00"]
    assert set(re.findall("#00ff00|#00ffff|#ffff00", right)) == {"#00ffff", "#ffff00"}
    assert scene.moving(dict(k=0))[1] == ""


def test_view_boxes_cut_the_figure_into_columns_that_hold_all_they_show():
    scene = Scene(explorable(draw_columns, two_columns))
    boxes = scene.view_boxes()
    assert boxes == ["0 0 2880 2160", "2880 0 2880 2160"]
    for layers, box in zip(scene.panels(dict(k=2)), boxes):
        x, y, width, height = map(float, box.split())
        points = np.concatenate([numbers(layer) for layer in layers if layer])
        # The first panel holds the white ground of the whole figure, which the column cuts.
        points = points[~np.isin(points, (0, 5760)).any(axis=1)]
        assert len(points) > 100
        assert x < points[:, 0].min() < points[:, 0].max() < x + width
        assert y < points[:, 1].min() < points[:, 1].max() < y + height


def test_panels_without_frame():
    def draw(figure, k):
        for column, colour in zip(figure.subfigs, ("#ff0000", "#0000ff")):
            column.subplots().plot([0, k], color=colour)

    ((_, left, _), (_, right, _)) = Scene(explorable(draw)).panels(dict(k=2))
    assert re.findall("#ff0000|#0000ff", left) == ["#ff0000"]
    assert re.findall("#ff0000|#0000ff", right) == ["#0000ff"]


@pytest.mark.parametrize("where", ["frame", "draw"])
def test_what_would_be_cut_between_two_panels_is_refused(where):
    def frame(figure):
        two_columns(figure)
        if where == "frame":
            figure.text(0.5, 0.5, "in the middle")

    def draw(figure, k):
        if where == "draw":
            figure.text(0.5, 0.5, "in the middle")

    with pytest.raises(ValueError, match="^A title: expected everything in one of the 2 subfigures, figure.subfigs"):
        Scene(explorable(draw, frame)).panels(dict(k=1))


def test_draw_cannot_change_the_title_of_a_column():
    with pytest.raises(ValueError, match="^A title: draw changed the title"):
        Scene(explorable(lambda figure, k: figure.subfigs[0].suptitle("new"), two_columns)).moving(dict(k=1))
