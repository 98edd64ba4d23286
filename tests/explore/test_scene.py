import io
import random
import re
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from matplotlib.patches import Rectangle
from PIL import Image

from mlcore.explore import FOREGROUND, Explorable, step_scrubber
from mlcore.explore.scene import Scene

STEPS = 5


def explorable(draw, frame=None, **more):
    return Explorable("A title", (step_scrubber("k", "step", STEPS),), draw, lambda k: f"step {k}", frame, **more)


def bare_frame(figure):
    figure.subplots().set(xlim=(0, 10), ylim=(0, 10))


def line(figure, k):
    figure.axes[0].plot([0, 10], [0, k])


def own_axes(figure, k):
    left, right = figure.subplots(1, 2, sharey=True)
    left.plot([0, k], label="line")
    left.legend()
    figure.colorbar(right.imshow([[0, k], [k, 1]]))
    figure.suptitle(f"step {k}")


def state(k):
    return {"k": k}


# A state looks the same whenever it is drawn

ARTISTS = {
    "line": (line, bare_frame),
    "legend": (lambda figure, k: figure.axes[0].plot([0, k], label=f"{k}")[0].axes.legend(), bare_frame),
    "bars": (lambda figure, k: figure.axes[0].bar([1, 2, 3], [k, 1, k]), bare_frame),
    "histogram": (lambda figure, k: figure.axes[0].hist([1, 2, 2, 3], bins=k + 1), bare_frame),
    "errors": (lambda figure, k: figure.axes[0].errorbar([1, 2], [k, 3], yerr=1), bare_frame),
    "labelled bars": (lambda figure, k: figure.axes[0].bar_label(figure.axes[0].bar([1, 2], [k, 1])), bare_frame),
    "labelled contour": (
        lambda figure, k: figure.axes[0].clabel(figure.axes[0].contour(np.arange(9.0).reshape(3, 3) ** (k + 1))),
        bare_frame,
    ),
    "filled contour": (lambda figure, k: figure.axes[0].contourf(np.arange(9.0).reshape(3, 3) ** k), bare_frame),
    "image": (lambda figure, k: figure.axes[0].imshow([[k, 1]], extent=(0, 5, 0, 5), aspect="auto"), bare_frame),
    "arrow": (lambda figure, k: figure.axes[0].annotate("a", (1, k), (5, 5), arrowprops={}), bare_frame),
    "inset": (lambda figure, k: figure.axes[0].inset_axes([0.5, 0.5, 0.4, 0.4]).plot([0, k]), bare_frame),
    "second scale": (lambda figure, k: figure.axes[0].twinx().plot([0, k]), bare_frame),
    "figure text": (lambda figure, k: figure.text(0.5, 0.5, f"{k}"), bare_frame),
    "figure legend": (
        lambda figure, k: figure.legend(handles=figure.axes[0].plot([0, k]), labels=[f"{k}"]),
        bare_frame,
    ),
    "surface": (
        lambda figure, k: figure.axes[0].plot_surface(*np.meshgrid([0, 1], [0, 1]), np.full((2, 2), float(k))),
        lambda figure: figure.add_subplot(projection="3d").set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 5)),
    ),
    "own axes": (own_axes, None),
    "space": (lambda figure, k: figure.add_subplot(projection="3d").plot([0, k], [0, 1], [0, 1]), None),
    "pie": (lambda figure, k: figure.subplots().pie([1, k + 1], labels=["a", "b"]), None),
}


@pytest.mark.parametrize("artist", ARTISTS)
def test_a_state_looks_the_same_whatever_was_drawn_before(artist):
    scene = Scene(explorable(*ARTISTS[artist]))
    first = scene.panels(state(1))
    between = scene.panels(state(4))
    assert scene.panels(state(1)) == first
    assert between != first
    assert scene.png(state(1)) == Scene(explorable(*ARTISTS[artist])).png(state(1))
    assert scene.panels(state(1)) == first
    assert Scene(explorable(*ARTISTS[artist])).moving(state(4)) == [moving for _, moving, _ in between]


@pytest.mark.parametrize("artist", ["line", "own axes"])
def test_the_order_of_the_states_does_not_matter(artist):
    alone = [Scene(explorable(*ARTISTS[artist])).moving(state(k)) for k in range(STEPS)]
    order = [*range(STEPS), 0, 3]
    random.Random(3).shuffle(order)
    scene = Scene(explorable(*ARTISTS[artist]))
    assert [scene.moving(state(k)) for k in order] == [alone[k] for k in order]


def test_the_readers_own_style_does_not_show():
    def draw(figure, k):
        axes = figure.subplots()
        axes.plot([0, k])
        axes.set_title("Title")

    usual = Scene(explorable(draw)).panels(state(2))
    with matplotlib.rc_context({"lines.linestyle": "--", "axes.facecolor": "black", "text.hinting": "none"}):
        matplotlib.rcParams["axes.titlesize"] = 30
        assert Scene(explorable(draw)).panels(state(2)) == usual
        assert matplotlib.rcParams["axes.titlesize"] == 30


# Nothing is left behind


@pytest.mark.parametrize("artist", ["legend", "labelled contour", "second scale", "own axes"])
def test_artists_are_taken_away_after_each_state(artist):
    draw, frame = ARTISTS[artist]
    counts, spaces = [], []

    def counting(figure, k):
        counts.append(len(figure.findobj()))
        spaces.append(len(figure.axes))
        draw(figure, k)

    scene = Scene(explorable(counting, frame))
    rounds = 200 if artist == "legend" else 6
    for number in range(rounds):
        scene.moving(state(number % STEPS))
    scene.png(state(1))
    scene.moving(state(0))
    assert len(counts) == rounds + 2
    assert len(set(counts)) == 1
    assert set(spaces) == {0 if frame is None else 1}


def test_a_figure_without_axes_is_a_picture_too():
    (((background, moving, _),)) = Scene(explorable(lambda figure, k: figure.text(0.5, 0.5, f"{k}"))).panels(state(1))
    assert "<path" in background
    assert "<path" in moving
    assert Scene(explorable(lambda figure, k: figure.text(0.5, 0.5, f"{k}"))).png(state(1))


def test_200_states_of_a_figure_without_frame_leave_nothing():
    sizes = []

    def draw(figure, k):
        sizes.append(len(figure.findobj()))
        axes = figure.add_axes((0.1, 0.1, 0.8, 0.8))
        axes.plot([0, k])
        axes.set_axis_off()

    scene = Scene(explorable(draw))
    for number in range(200):
        scene.moving(state(number % STEPS))
    assert len(set(sizes)) == 1


def test_the_fixed_part_is_drawn_once():
    calls = []

    def frame(figure):
        calls.append(figure)
        bare_frame(figure)

    scene = Scene(explorable(line, frame))
    for k in range(STEPS):
        scene.panels(state(k))
    assert len(calls) == 1


def test_a_legend_of_bars_lists_those_of_the_frame_and_those_of_the_state():
    texts = []

    def frame(figure):
        bare_frame(figure)
        figure.axes[0].bar([1, 2], [3, 4], label="fixed")

    def draw(figure, k):
        axes = figure.axes[0]
        axes.bar([5], [k + 1], label="moving")
        texts.append([text.get_text() for text in axes.legend().get_texts()])

    scene = Scene(explorable(draw, frame))
    for k in range(3):
        scene.moving(state(k))
    assert texts == [["fixed", "moving"]] * 3


def test_limits_that_the_frame_left_to_its_data_stay():
    limits = []

    def draw(figure, k):
        limits.append(figure.axes[0].get_ylim())
        figure.axes[0].plot([0, 1], [0, 100 * k])

    scene = Scene(explorable(draw, lambda figure: figure.subplots().plot([0, 1], [0, 10])))
    for k in range(4):
        scene.moving(state(k))
    assert set(limits) == {(-0.5, 10.5)}


def test_what_draw_plots_leaves_the_limits_alone():
    limits = []

    def draw(figure, k):
        limits.append((figure.axes[0].get_xlim(), figure.axes[0].get_ylim()))
        figure.axes[0].plot([-1000, 1000], [-50, k])

    scene = Scene(explorable(draw, bare_frame))
    for k in range(3):
        scene.panels(state(k))
    assert set(limits) == {((0, 10), (0, 10))}


# What draw must not do to axes of the frame

CHANGES = {
    "title": lambda axes: axes.set_title("new"),
    "title in the middle": lambda axes: axes.set_title("new", loc="center"),
    "title at the right": lambda axes: axes.set_title("new", loc="right"),
    "label": lambda axes: axes.set_xlabel("new"),
    "limits": lambda axes: axes.set_ylim(0, 5),
    "direction": lambda axes: axes.invert_xaxis(),
    "ticks": lambda axes: axes.set_xticks([1, 2]),
    "tick labels": lambda axes: axes.xaxis.set_major_formatter("{x} m"),
    "scale": lambda axes: axes.set_xscale("log"),
    "aspect": lambda axes: axes.set_aspect("equal"),
    "categories": lambda axes: axes.bar(["a", "b"], [1, 2]),
    "place": lambda axes: axes.set_position((0.5, 0.5, 0.4, 0.4)),
    "title of the figure": lambda axes: axes.figure.suptitle("new"),
    "colour bar": lambda axes: axes.figure.colorbar(axes.imshow([[0, 1]], aspect="auto"), ax=axes),
}


@pytest.mark.parametrize("change", CHANGES)
def test_draw_cannot_change_what_is_drawn_only_once(change):
    def draw(figure, k):
        line(figure, k)
        if k == 3:
            CHANGES[change](figure.axes[0])

    fresh = Scene(explorable(draw, bare_frame)).panels(state(2))
    scene = Scene(explorable(draw, bare_frame))
    for show in (scene.moving, scene.panels, scene.png):
        with pytest.raises(ValueError, match="^A title: draw changed the title, the labels, .* set them in frame"):
            show(state(3))
        assert scene.panels(state(2)) == fresh


@pytest.mark.parametrize("frame", [bare_frame, None])
def test_an_error_in_draw_leaves_nothing_behind(frame):
    def draw(figure, k):
        axes = figure.axes[0] if frame else figure.subplots()
        axes.plot([0, 10], [0, k])
        if k == 3:
            raise RuntimeError("no solution")

    fresh = Scene(explorable(draw, frame)).panels(state(2))
    scene = Scene(explorable(draw, frame))
    for show in (scene.moving, scene.panels, scene.png):
        with pytest.raises(RuntimeError, match="^no solution$"):
            show(state(3))
        assert scene.panels(state(2)) == fresh


# Above and below


def block(axes, low, high, colour, zorder):
    axes.add_patch(Rectangle((low, low), high - low, high - low, facecolor=colour, edgecolor="none", zorder=zorder))


def layered(moving_zorder):
    def frame(figure):
        bare_frame(figure)
        block(figure.axes[0], 0, 6, "#ff0000", 9)
        block(figure.axes[0], 4, 10, "#0000ff", FOREGROUND)

    return explorable(lambda figure, k: block(figure.axes[0], 2, 8, "#00ff00", moving_zorder), frame)


@pytest.mark.parametrize("moving_zorder", [-5, 1, 50])
def test_what_moves_stands_between_background_and_foreground(moving_zorder):
    ((background, moving, foreground),) = Scene(layered(moving_zorder)).panels(state(0))
    assert [re.findall("#ff0000|#00ff00|#0000ff", layer) for layer in (background, moving, foreground)] == [
        ["#ff0000"],
        ["#00ff00"],
        ["#0000ff"],
    ]


@pytest.mark.parametrize("moving_zorder", [-5, 1, 50])
def test_the_still_picture_has_the_same_order(moving_zorder):
    image = Image.open(io.BytesIO(Scene(layered(moving_zorder)).png(state(0)))).convert("RGB")
    pixels = np.asarray(image).astype(int)
    places = {}
    for name, colour in {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}.items():
        rows, columns = np.nonzero(np.abs(pixels - colour).max(axis=-1) < 30)
        places[name] = len(rows)
    # 36 − 16 squares of red, 36 − 16 of green and all 36 of blue are to be seen.
    assert places["red"] / places["blue"] == pytest.approx(20 / 36, rel=0.05)
    assert places["green"] / places["blue"] == pytest.approx(20 / 36, rel=0.05)


def test_moving_artists_keep_their_own_order():
    def draw(figure, k):
        block(figure.axes[0], 0, 1, "#00ff00", 3)
        block(figure.axes[0], 0, 1, "#ff0000", 2)
        block(figure.axes[0], 0, 1, "#0000ff", 3)

    (moving,) = Scene(explorable(draw, bare_frame)).moving(state(0))
    assert re.findall("#ff0000|#00ff00|#0000ff", moving) == ["#ff0000", "#00ff00", "#0000ff"]


def test_hidden_artists_of_the_frame_stay_hidden():
    def frame(figure):
        bare_frame(figure)
        for zorder in (1, FOREGROUND):
            block(figure.axes[0], 0, 6, "#ff0000", zorder)
            figure.axes[0].patches[-1].set_visible(False)

    assert "#ff0000" not in str(Scene(explorable(line, frame)).panels(state(1)))


# The still picture


def test_the_png_is_small_and_paletted():
    def draw(figure, k):
        rng = np.random.default_rng(k)
        axes = figure.subplots()
        axes.contourf(rng.normal(size=(30, 30)), levels=10)
        axes.scatter(rng.uniform(0, 29, 200), rng.uniform(0, 29, 200), c=rng.uniform(size=200))
        axes.set(title="Title", xlabel="x", ylabel="y")

    png = Scene(explorable(draw, size=(5.0, 4.0))).png(state(1))
    image = Image.open(io.BytesIO(png))
    assert image.mode == "P"
    assert image.size == (400, 320)
    assert len(image.getcolors()) <= 96
    assert len(png) < 25_000


def test_a_colour_that_few_pixels_have_survives_the_palette():
    def draw(figure, k):
        axes = figure.subplots()
        axes.imshow(np.hypot(np.linspace(-2, 2, 50), np.linspace(-2, 2, 50)[:, None]))
        axes.plot([25], [25], "r*", markersize=12)

    pixels = np.asarray(Image.open(io.BytesIO(Scene(explorable(draw)).png(state(1)))).convert("RGB")).astype(int)
    assert np.abs(pixels - [255, 0, 0]).max(axis=-1).min() < 20
    assert np.abs(pixels[0, 0] - 255).max() <= 2


def test_pictures_of_different_states_differ():
    scene = Scene(explorable(line, bare_frame))
    assert all(one != other for one, other in pairwise(scene.png(state(k)) for k in range(STEPS)))
    assert all(one != other for one, other in pairwise(scene.moving(state(k)) for k in range(STEPS)))
