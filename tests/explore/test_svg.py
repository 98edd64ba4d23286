import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle
from PIL import Image

from mlcore.explore.svg import SVGRenderer

SIDE = 100  # the axes fill a figure of 100 by 100 points, and a data unit is a point


def drawn(draw, box=(0, 0, 1, 1), limits=(0, SIDE)):
    """Return the SVG text of what `draw(axes)` adds to bare axes."""
    figure = Figure(figsize=(SIDE / 72, SIDE / 72), dpi=72)
    axes = figure.add_axes(box)
    axes.set(xlim=limits, ylim=limits)
    axes.set_axis_off()
    figure.patch.set_visible(False)
    draw(axes)
    renderer = SVGRenderer(SIDE, SIDE)
    figure.draw(renderer)
    return renderer.text()


def tree(svg):
    return ElementTree.fromstring(f"<svg>{svg}</svg>")


def paths(svg):
    return [element.get("d") for element in tree(svg).iter("path")]


def style(svg, number=0):
    return next(element for element in list(tree(svg).iter("g"))[number:]).attrib


def decoded_image(element):
    """Return the pixels of an ``<image>`` and where the pixel at (row, column) stands, in data units."""
    data = element.get("href").removeprefix("data:image/png;base64,")
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"))
    left, top, width, height = (float(element.get(name)) / 10 for name in ("x", "y", "width", "height"))
    rows, columns = pixels.shape[:2]
    x = left + (np.arange(columns) + 0.5) * width / columns
    y = SIDE - (top + (np.arange(rows) + 0.5) * height / rows)
    return pixels, x, y


# Paths


def test_one_unit_is_a_tenth_of_a_point_counted_from_the_top():
    assert paths(drawn(lambda axes: axes.plot([0, 50, 100], [0, 20.06, 100], clip_on=False))) == [
        "M0 1000L500 799 1000 0"
    ]


def test_neighbours_share_their_style_and_clip():
    svg = drawn(lambda axes: axes.plot([[0, 0], [50, 50]], [[0, 10], [60, 70]], color="red"))
    assert paths(svg) == ["M0 1000L500 400", "M0 900L500 300"]
    assert svg.count("<g ") == 1
    assert svg.count("<svg ") == 1


def test_curves_stay_curves():
    (circle,) = paths(drawn(lambda axes: axes.add_patch(Circle((50, 50), 20))))
    assert circle.startswith("M500 700C")
    assert circle.endswith("Z")
    assert len(re.findall(r"-?\d+ -?\d+", circle)) == 1 + 3 * 8


def test_a_line_from_a_point_to_itself_is_a_dot():
    svg = drawn(lambda axes: axes.plot([30, 30], [40, 40], linewidth=5, solid_capstyle="round"))
    assert paths(svg) == ["M300 600L300 600"]
    assert style(svg)["stroke-linecap"] == "round"


def test_repeated_points_are_said_once():
    assert paths(drawn(lambda axes: axes.plot([0, 10, 10, 10, 20], [0, 10, 10, 10, 0]))) == ["M0 1000L100 900 200 1000"]


def test_what_cannot_be_seen_is_left_out():
    assert drawn(lambda axes: axes.plot([0, 1], [0, 1], linewidth=0)) == ""
    assert drawn(lambda axes: axes.plot([0, 1], [0, 1], linestyle="none")) == ""
    assert drawn(lambda axes: axes.add_patch(Circle((5, 5), 1, fill=False, edgecolor="none"))) == ""


def test_line_styles():
    line = dict(color=(1, 0, 0, 0.5), linewidth=2, linestyle=(1, (3, 1)), dash_capstyle="round", dash_joinstyle="bevel")
    assert style(drawn(lambda axes: axes.plot([0, 1], [0, 1], **line))) == {
        "fill": "none",
        "stroke": "#ff0000",
        "stroke-width": "20",
        "stroke-opacity": "0.5",
        "stroke-dasharray": "60 20",  # Matplotlib counts dashes in line widths
        "stroke-dashoffset": "20",
        "stroke-linecap": "round",
        "stroke-linejoin": "bevel",
    }


def test_fill_and_outline_have_their_own_opacity():
    patch = dict(facecolor=(0, 1, 0, 0.25), edgecolor=(0, 0, 1, 0.75), linewidth=1)
    assert style(drawn(lambda axes: axes.add_patch(Rectangle((1, 1), 5, 5, **patch)))) == {
        "fill": "#00ff00",
        "fill-opacity": "0.25",
        "stroke": "#0000ff",
        "stroke-width": "10",
        "stroke-opacity": "0.75",
    }
    both = style(drawn(lambda axes: axes.add_patch(Rectangle((1, 1), 5, 5, alpha=0.5, facecolor="red", edgecolor="k"))))
    assert (both["fill-opacity"], both["stroke-opacity"]) == ("0.5", "0.5")


def test_every_marker_stands_at_its_point():
    svg = drawn(lambda axes: axes.plot([20, 80], [30, 60], "s", markersize=4, markeredgewidth=0))
    corners = [re.findall(r"-?\d+ -?\d+", path)[:4] for path in paths(svg)]
    assert corners == 2 * [["-20 20", "20 20", "20 -20", "-20 -20"]]
    assert re.findall(r'transform="translate\((-?\d+ -?\d+)\)"', svg) == ["200 700", "800 400"]


def test_a_mark_without_line_and_fill_is_left_out():
    look = dict(markerfacecolor="none", markeredgecolor="none")
    assert "<path" not in drawn(lambda axes: axes.plot([20, 80], [30, 60], "s", **look))


def test_hatching_is_refused_rather_than_lost():
    with pytest.raises(ValueError, match="^hatch: expected none"):
        drawn(lambda axes: axes.add_patch(Circle((5, 5), 1, hatch="//")))


# Text


@pytest.mark.parametrize("text", ["Margin", "$\\frac{1}{2}\\|w\\|^2$", "<b>&\"'"])
def test_text_is_drawn_as_paths(text):
    svg = drawn(lambda axes: axes.text(50, 50, text, fontsize=12, color="#123456"))
    (path,) = set(paths(svg)) if text == "Margin" else [" ".join(paths(svg))]
    numbers = np.array(re.findall(r"(-?\d+) (-?\d+)", path), dtype=float) / 10
    assert "<text" not in svg
    assert "&" not in svg
    assert style(svg) == {"fill": "#123456"}
    # It begins at x = 50 and stands, about a letter high, on y = 50.
    assert 50 <= numbers[:, 0].min() < 53
    assert 8 < np.ptp(SIDE - numbers[:, 1]) < 30


# Clips


def test_what_axes_clip_is_clipped_to_their_box():
    svg = drawn(lambda axes: axes.add_patch(Circle((50, 50), 90)), box=(0.1, 0.2, 0.5, 0.6))
    clips = [element.attrib for element in tree(svg).findall("svg")]
    assert clips == [{"x": "100", "y": "200", "width": "500", "height": "600", "viewBox": "100 200 500 600"}]
    assert tree(svg).find("svg//path") is not None


def test_what_is_not_clipped_stands_outside_the_clip():
    def draw(axes):
        axes.plot([0, 10], [0, 10])
        axes.plot([0, 10], [0, 20], clip_on=False)
        axes.plot([0, 10], [0, 30])

    parsed = tree(drawn(draw))
    assert [child.tag for child in parsed] == ["svg", "g", "svg"]
    assert len(parsed.findall("svg//path")) == 2


def test_a_clip_path_never_widens_the_axes_box():
    def draw(axes):
        (line,) = axes.plot([0, 100], [0, 100])
        line.set_clip_path(Circle((50, 20), 30, transform=axes.transData))
        line.set_clip_box(axes.bbox)

    (clip,) = tree(drawn(draw)).findall("svg")
    assert clip.get("viewBox") == "200 500 600 500"


def test_clips_that_do_not_meet_hide_everything():
    def draw(axes):
        (line,) = axes.plot([0, 100], [0, 100])
        line.set_clip_path(Circle((500, 500), 30, transform=axes.transData))
        line.set_clip_box(axes.bbox)

    (clip,) = tree(drawn(draw)).findall("svg")
    assert (clip.get("width"), clip.get("height")) == ("0", "0")


# Images


@pytest.mark.parametrize("interpolation", ["none", "nearest"])
@pytest.mark.parametrize("origin", ["upper", "lower"])
@pytest.mark.parametrize(("left", "right"), [(20, 80), (80, 20)])
@pytest.mark.parametrize(("bottom", "top"), [(10, 50), (50, 10)])
def test_every_cell_of_an_image_stands_where_matplotlib_puts_it(interpolation, origin, left, right, bottom, top):
    values = np.arange(6).reshape(2, 3) * 40 + 20
    colours = np.stack([values, values[::-1], np.full_like(values, 90), np.full_like(values, 255)], axis=-1)
    image = colours.astype(np.uint8)

    def draw(axes):
        axes.imshow(image, extent=(left, right, bottom, top), origin=origin, interpolation=interpolation, aspect="auto")

    (element,) = tree(drawn(draw)).iter("image")
    pixels, x, y = decoded_image(element)
    upright = image[::-1] if origin == "upper" else image  # the first row is at `bottom`
    for row, height in zip(pixels, y):
        for pixel, across in zip(row, x):
            up, along = (height - bottom) / (top - bottom) * 2, (across - left) / (right - left) * 3
            if min(abs(up - 1), abs(along - 1), abs(along - 2)) < 0.1:
                continue  # a pixel on the border of two cells may take either
            if not (0 < up < 2 and 0 < along < 3):
                continue
            wanted = upright[int(up), int(along)]
            assert np.abs(pixel.astype(int) - wanted).max() <= 4
    assert (min(x), max(x)) == pytest.approx((20, 80), abs=10.01)
    assert (min(y), max(y)) == pytest.approx((10, 50), abs=10.01)


def test_an_image_keeps_its_cells_and_stays_crisp():
    (element,) = tree(drawn(lambda axes: axes.imshow(np.eye(7), extent=(0, 70, 0, 70), interpolation="none"))).iter(
        "image"
    )
    pixels, _, _ = decoded_image(element)
    assert pixels.shape == (7, 7, 4)
    assert element.get("style") == "image-rendering:pixelated"
    assert [element.get(name) for name in ("x", "y", "width", "height")] == ["0", "300", "700", "700"]


def test_a_colour_map_survives_the_palette():
    values = np.linspace(0, 1, 256)[None]

    def draw(axes):
        axes.imshow(values, extent=(0, 100, 0, 100), aspect="auto", interpolation="none", cmap="viridis")

    (element,) = tree(drawn(draw)).iter("image")
    wanted = np.round(colormaps["viridis"](values[0])[:, :3] * 255)
    assert np.abs(decoded_image(element)[0][0, :, :3] - wanted).max() <= 1


def test_a_photograph_gets_the_nearest_colours():
    pixels = np.random.default_rng(0).integers(0, 256, (40, 40, 3)).astype(np.uint8)
    (element,) = tree(drawn(lambda axes: axes.imshow(pixels, extent=(0, 100, 0, 100), interpolation="none"))).iter(
        "image"
    )
    assert np.abs(decoded_image(element)[0][..., :3].astype(int) - pixels).mean() < 20


def test_missing_cells_are_transparent():
    (element,) = tree(
        drawn(lambda axes: axes.imshow([[0, np.nan], [np.nan, 1]], extent=(0, 100, 0, 100), interpolation="none"))
    ).iter("image")
    assert (decoded_image(element)[0][..., 3] == [[255, 0], [0, 255]]).all()


@pytest.mark.parametrize("interpolation", ["none", "nearest"])
def test_the_opacity_of_an_image_is_kept(interpolation):
    def draw(axes):
        axes.imshow([[0, 1]], extent=(0, 100, 0, 100), alpha=0.4, interpolation=interpolation)

    (element,) = tree(drawn(draw)).iter("image")
    opacity = decoded_image(element)[0][..., 3] / 255 * float(element.get("opacity", 1))
    assert opacity == pytest.approx(np.full_like(opacity, 0.4), abs=0.01)


def test_images_are_not_melted_into_one():
    def draw(axes):
        for left in (0, 50):
            axes.imshow(np.eye(2), extent=(left, left + 40, 0, 40), interpolation="none")
        axes.set(xlim=(0, SIDE), ylim=(0, SIDE))

    images = list(tree(drawn(draw)).iter("image"))
    assert [image.get("x") for image in images] == ["0", "500"]
    assert all(decoded_image(image)[0].shape == (2, 2, 4) for image in images)


# Numbers that are none, and numbers that are too large


def missing(kind):
    nan, values = np.nan, np.array([10.0, np.nan, 30.0, np.inf, 50.0])
    return {
        "line": lambda axes: axes.plot(values, [10, 20, 30, 40, 50]),
        "gap": lambda axes: axes.plot([10, 20, 30, 40, 50], values),
        "markers": lambda axes: axes.plot(values, values, "o"),
        "scatter": lambda axes: axes.scatter(values, [10, 20, 30, 40, 50]),
        "band": lambda axes: axes.fill_between([10, 20, 30, 40, 50], 0, np.where(np.isfinite(values), values, nan)),
        "bars": lambda axes: axes.bar([10, 20, 30], [20, nan, 40], width=5),
        "polygon": lambda axes: axes.add_patch(Polygon([[10, 10], [nan, 20], [30, 30], [30, 10]])),
        "contour": lambda axes: axes.contourf([[0, nan, 1], [0, 1, 2], [3, 4, 5]]),
    }[kind]


@pytest.mark.parametrize("kind", ["line", "gap", "markers", "scatter", "band", "bars", "polygon", "contour"])
def test_missing_and_infinite_values_leave_gaps(kind):
    svg = drawn(missing(kind))
    assert paths(svg)
    assert not re.search("nan|inf", svg, re.IGNORECASE)
    assert all(re.fullmatch(r"([MLQC ]-?\d+ -?\d+( -?\d+ -?\d+)*|Z)*", path) for path in paths(svg))


def test_a_gap_in_a_line_is_not_bridged():
    assert paths(drawn(lambda axes: axes.plot([0, 10, 20, 30, 40], [0, 0, np.nan, 0, 0]))) == [
        "M0 1000L100 1000M300 1000L400 1000"
    ]


@pytest.mark.parametrize("far", [1e5, 1e7, 1e12])
def test_a_half_plane_whose_corners_are_far_away_keeps_its_border(far):
    # Right of the line x = 50 + (y − 50) / 2.
    slope = np.array([0.5, 1.0]) * far
    corners = [[50, 50] - slope, [50, 50] + slope, [50 + far, 50 + far], [50 + far, 50 - far]]
    (path,) = paths(drawn(lambda axes: axes.add_patch(Polygon(corners, linewidth=0))))
    points = np.array(re.findall(r"(-?\d+) (-?\d+)", path), dtype=float) / 10
    points[:, 1] = SIDE - points[:, 1]
    assert np.abs(points).max() <= 3 * SIDE
    border = [point for point in points if abs(point[0] - 50 - (point[1] - 50) / 2) < 0.2]
    assert np.ptp([point[1] for point in border]) > SIDE  # the border crosses the whole picture


def test_lines_and_markers_far_outside_stay_out():
    assert drawn(lambda axes: axes.scatter([1e12, 1e300], [1e12, 5])).count("<path") == 0
    assert drawn(lambda axes: axes.plot([1e12, 1e300, 5], [1e12, 5, np.nan], "o")).count("<path") == 0
    (line,) = paths(drawn(lambda axes: axes.plot([0, 100], [-1e12, 1e12])))
    points = np.array(re.findall(r"(-?\d+) (-?\d+)", line), dtype=float) / 10
    assert np.abs(points[:, 0] - 50).max() < 0.2
    assert np.abs(points).max() < 2 * SIDE


# The whole


def test_the_text_starts_anew_each_time():
    renderer = SVGRenderer(SIDE, SIDE)
    figure = Figure(figsize=(1, 1), dpi=72)
    figure.draw(renderer)
    first = renderer.text()
    assert first
    assert renderer.text() == ""
    figure.draw(renderer)
    assert renderer.text() == first


def test_no_ids_and_nothing_to_fetch():
    def draw(axes):
        axes.set_axis_on()
        axes.set(title="Title $x^2$", xlabel="x")
        axes.plot([0, 50], [0, 50], "o-", label="line")
        axes.imshow(np.eye(2), extent=(0, 10, 0, 10))
        axes.legend()
        axes.annotate("here", (20, 20), (60, 60), arrowprops={"arrowstyle": "->"})

    svg = drawn(draw)
    assert not re.search(r"\sid=|url\(|xlink|xmlns|https?:|<use|<defs|<style", svg)
    assert {element.tag for element in tree(svg).iter()} <= {"svg", "g", "path", "image"}


def test_colours_of_a_collection_follow_its_values():
    svg = drawn(
        lambda axes: axes.scatter([10, 50, 90], [10, 50, 90], c=["#ff0000", "#00ff00", "#0000ff"], linewidths=0)
    )
    fills = [group.get("fill") for group in tree(svg).iter("g")]
    assert fills == [to_hex(colour) for colour in ("red", "lime", "blue")]
