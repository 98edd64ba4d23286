"""A Matplotlib renderer that writes compact SVG.

Matplotlib's own SVG backend labels glyphs, markers and clips with ids that are global to a page and writes
six decimals of every coordinate. Pictures in this book are shown many to a page and a hundred states to a
picture, so this renderer writes no ids at all (clipping is done by nested ``<svg>`` elements, glyphs are
plain paths) and whole numbers: one unit is a tenth of a point.
"""

import base64
import io
from functools import lru_cache

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex
from matplotlib.path import Path
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Affine2D, Bbox
from PIL import Image

__all__ = ["UNITS_PER_POINT", "SVGRenderer"]

UNITS_PER_POINT = 10

_FAR = 1e6
_PIXELS_PER_POINT = 2

_LETTERS = {
    int(code): letter
    for code, letter in zip((Path.MOVETO, Path.LINETO, Path.CURVE3, Path.CURVE4, Path.CLOSEPOLY), "MLQCZ")
}


class _RememberedTexts(TextToPath):
    """Outlines of texts, worked out once: the states of a picture share most of theirs."""

    get_text_path = lru_cache(maxsize=1024)(TextToPath.get_text_path)


_TEXTS = _RememberedTexts()


class SVGRenderer(RendererBase):
    """Collects what artists draw as SVG text.

    Parameters
    ----------
    width, height : float
        Size of the figure in points.
    """

    def __init__(self, width, height):
        super().__init__()
        self._text2path = _TEXTS
        self.width, self.height = width, height
        # Display coordinates count points from the bottom, SVG tenths of points from the top.
        self._to_units = Affine2D().scale(1, -1).translate(0, height).scale(UNITS_PER_POINT)
        self._elements = []
        self._clip = self._clip_rectangle = None
        self._style = None

    def text(self):
        """Return the SVG text of everything drawn since the last call, and start anew."""
        self._leave_style()
        self._leave_clip()
        text = "".join(self._elements)
        self._elements = []
        return text

    # What Matplotlib asks of a renderer

    def get_canvas_width_height(self):
        """Return the size of the figure in points."""
        return self.width, self.height

    def points_to_pixels(self, points):
        """Return `points` as they are: a display unit is a point."""
        return points

    def option_scale_image(self):
        """Let the page scale images: fewer bytes, and cells of a matrix stay crisp."""
        return True

    def get_image_magnification(self):
        """Return how many pixels a point gets in images that Matplotlib itself resamples."""
        return _PIXELS_PER_POINT

    def option_image_nocomposite(self):
        """Keep images apart: put together they would be resampled."""
        return True

    def draw_path(self, gc, path, transform, rgbFace=None):  # noqa: N803 (Matplotlib's own name)
        """Add one path with the line and fill of `gc` and `rgbFace`."""
        if gc.get_hatch():
            raise ValueError("hatch: expected none, since pictures in the page have colours and marks only")
        style = self._style_of(gc, rgbFace)
        if not style:
            return
        bounds = None if rgbFace is not None else (-50, -50, self.width + 50, self.height + 50)
        data = self._path_data(path, transform, bounds, simplify=rgbFace is None)
        if data:
            self._enter_clip(gc)
            self._enter_style(style)
            self._elements.append(f'<path d="{data}"/>')

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):  # noqa: N803
        """Add one mark at every vertex of `path`, moved there from the origin: its outline is worked out once."""
        style = self._style_of(gc, rgbFace)
        if not style:
            return
        ends = [vertices[-2:] for vertices, _ in path.iter_segments(trans, simplify=False)]
        places = self._to_units.transform(np.reshape(ends, (-1, 2)))
        places = places[np.all(np.abs(places) < _FAR, axis=1)]  # NaN is not below it
        if not len(places):
            return
        # Marks are drawn around the upper left corner, where display coordinates have no units to lose.
        corner = Affine2D().translate(0, self.height)
        data = self._path_data(marker_path, marker_trans + corner, bounds=None, simplify=False)
        self._enter_clip(gc)
        self._enter_style(style)
        for x, y in np.rint(places).astype(int).tolist():
            self._elements.append(f'<path transform="translate({x} {y})" d="{data}"/>')

    def draw_image(self, gc, x, y, im, transform=None):
        """Add an image, stored as a PNG inside the SVG; rows of `im` run upwards from `y`."""
        rows, columns = im.shape[:2]
        if transform is None:
            corner, extent = (x, y), (columns / _PIXELS_PER_POINT, rows / _PIXELS_PER_POINT)
        else:
            (width, _), (_, height) = transform.get_matrix()[:2, :2]
            corner, extent = (x + transform.get_matrix()[0, 2], y + transform.get_matrix()[1, 2]), (width, height)
        (left, bottom), (right, top) = self._to_units.transform([corner, np.add(corner, extent)])
        # The first row of a PNG is its upper one; a negative extent (an inverted axis) turns the image round.
        turned = im[:: -1 if top < bottom else 1, :: -1 if right < left else 1]
        buffer = io.BytesIO()
        _paletted(turned).save(buffer, "png", optimize=True)
        # An image that is not resampled has its opacity here, any other in its pixels.
        opacity = "" if transform is None or gc.get_alpha() == 1 else f' opacity="{gc.get_alpha():.3g}"'
        self._enter_clip(gc)
        self._leave_style()
        self._elements.append(
            f'<image x="{min(left, right):.0f}" y="{min(top, bottom):.0f}" width="{abs(right - left):.0f}" '
            f'height="{abs(bottom - top):.0f}" preserveAspectRatio="none"{opacity} '
            f'style="image-rendering:pixelated" '
            f'href="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"/>'
        )

    # Geometry

    def _path_data(self, path, transform, bounds, simplify):
        simplify = simplify and path.should_simplify
        path = path.cleaned(
            transform=transform,
            remove_nans=True,
            clip=bounds,
            simplify=simplify and path.should_simplify,
            curves=True,
        )
        vertices = self._to_units.transform(path.vertices)
        if np.abs(vertices).max(initial=0) > _FAR:
            # Cut off what is filled far outside the figure: browsers count coordinates in single precision.
            box = Bbox.from_extents(-self.width, -self.height, 2 * self.width, 2 * self.height)
            polygons = [Path(polygon) for polygon in path.to_polygons()]
            path = Path.make_compound_path(*polygons).clip_to_bbox(box)
            if not len(path.vertices):
                return ""
            vertices = self._to_units.transform(path.vertices)
        codes, points = path.codes, np.rint(vertices).astype(int)
        shown = codes != Path.STOP
        # A repeated point says nothing, except as the end of a line that is a dot.
        same = (codes[1:] == Path.LINETO) & (codes[:-1] != Path.MOVETO) & (points[1:] == points[:-1]).all(axis=1)
        shown[1:] &= ~same
        codes, points = codes[shown], points[shown]
        if not len(codes):
            return ""
        alone = (codes == Path.MOVETO) | (codes == Path.CLOSEPOLY)
        ends = np.flatnonzero((codes[1:] != codes[:-1]) | alone[1:]) + 1  # of runs that share a letter
        bounds, numbers = [0, *ends.tolist(), len(codes)], list(map(str, points.ravel().tolist()))
        letters = [_LETTERS[code] for code in codes[bounds[:-1]].tolist()]
        return "".join(
            letter if letter == "Z" else letter + " ".join(numbers[2 * start : 2 * end])
            for letter, start, end in zip(letters, bounds, bounds[1:])
        )

    # Clips and styles: neighbours that share one share one element

    def _enter_clip(self, gc):
        rectangle = gc.get_clip_rectangle()
        path, path_transform = gc.get_clip_path()
        if path is None and rectangle is not None and rectangle is self._clip_rectangle:
            return  # another mark of the same artist, and the place of a rectangle takes long to work out
        box = rectangle
        if path is not None:
            outline = path.get_extents(path_transform)
            # Boxes that do not meet leave nothing to be seen.
            box = outline if box is None else Bbox.intersection(box, outline) or Bbox.from_bounds(0, 0, 0, 0)
        clip = None
        if box is not None:
            left, top = self._to_units.transform((box.x0, box.y1))
            clip = f"{left:.0f} {top:.0f} {box.width * UNITS_PER_POINT:.0f} {box.height * UNITS_PER_POINT:.0f}"
        if clip != self._clip:
            self._leave_style()
            self._leave_clip()
            if clip is not None:
                x, y, width, height = clip.split()
                self._elements.append(f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{clip}">')
        self._clip = clip
        self._clip_rectangle = rectangle if path is None else None

    def _leave_clip(self):
        if self._clip is not None:
            self._elements.append("</svg>")
        self._clip = self._clip_rectangle = None

    def _enter_style(self, style):
        if style != self._style:
            self._leave_style()
            self._elements.append(f"<g {style}>")
            self._style = style

    def _leave_style(self):
        if self._style is not None:
            self._elements.append("</g>")
        self._style = None

    @staticmethod
    def _style_of(gc, face):
        """Return the attributes for line and fill, or nothing when neither can be seen."""
        forced = gc.get_alpha() if gc.get_forced_alpha() else None
        outline = gc.get_linewidth() > 0 and gc.get_rgb()[3] > 0
        if face is not None and len(face) == 4 and face[3] == 0:
            face = None
        if face is None and not outline:
            return ""
        if face is None:
            style = ['fill="none"']
        else:
            style = [f'fill="{to_hex(face)}"']
            opacity = forced if forced is not None else (face[3] if len(face) == 4 else 1.0)
            if opacity < 1:
                style.append(f'fill-opacity="{opacity:.3g}"')
        if outline:
            style.append(f'stroke="{to_hex(gc.get_rgb())}"')
            style.append(f'stroke-width="{gc.get_linewidth() * UNITS_PER_POINT:.3g}"')
            opacity = forced if forced is not None else gc.get_rgb()[3]
            if opacity < 1:
                style.append(f'stroke-opacity="{opacity:.3g}"')
            offset, dashes = gc.get_dashes()
            if dashes is not None:
                lengths = " ".join(f"{length * UNITS_PER_POINT:.3g}" for length in dashes)
                style.append(f'stroke-dasharray="{lengths}"')
                if offset:
                    style.append(f'stroke-dashoffset="{offset * UNITS_PER_POINT:.3g}"')
            if gc.get_capstyle() != "butt":
                cap = {"projecting": "square"}.get(gc.get_capstyle(), gc.get_capstyle())
                style.append(f'stroke-linecap="{cap}"')
            if gc.get_joinstyle() != "miter":
                style.append(f'stroke-linejoin="{gc.get_joinstyle()}"')
        return " ".join(style)


def _paletted(pixels):
    """Return an image of at most 256 colours: those of `pixels` (rows × columns × 4) if they are no more."""
    colours, places = np.unique(np.ascontiguousarray(pixels).view(np.uint32), return_inverse=True)
    if len(colours) > 256:
        return Image.fromarray(np.ascontiguousarray(pixels)).quantize(256, method=Image.Quantize.FASTOCTREE)
    image = Image.fromarray(places.reshape(pixels.shape[:2]).astype(np.uint8))
    image.putpalette(colours.tobytes(), "RGBA")
    return image
