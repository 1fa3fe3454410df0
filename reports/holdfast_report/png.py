"""A drawing as PNG, by matplotlib's renderer: the same shapes at the same places as in the SVG.

The renderer is called directly. A matplotlib figure with axes and an artist for each shape draws the same in five times
the time, and a report has hundreds of pictures.
"""
import struct
import warnings
import zlib
from functools import lru_cache

import numpy
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextToPath, text_to_path
from matplotlib.transforms import Affine2D

from . import palette
from .drawing import Box, Dot, Line
from .svg import arrow_head
from .words import printable

SCALE = 2           # dots per pixel: sharp on paper and on a dense screen
SIDE_MOST = 16_000  # dots; Agg draws up to 32,767
HALO = 3            # pixels, around text, half of it under the letters
DOTS_PER_INCH = 72  # so that the renderer's points are dots


def warm_up():
    """Finds and opens the fonts, which takes a while: before workers start, so that not each of them does."""
    for bold in (False, True):
        _letters("holdfast", bold)


def png_bytes(drawing):
    width, height = max(drawing.width, 1), max(drawing.height, 1)
    scale = min(SCALE, SIDE_MOST / max(width, height))
    renderer = RendererAgg(max(int(width * scale), 1), max(int(height * scale), 1), DOTS_PER_INCH)
    canvas = _Canvas(renderer, scale)
    canvas.fill(Path.unit_rectangle(), Affine2D().scale(width, height), "paper")
    for shape in drawing.shapes:
        canvas.draw(shape)
    return _encoded(numpy.asarray(renderer.buffer_rgba()), printable(drawing.title)[:200])


class _Canvas:
    def __init__(self, renderer, scale):
        self.renderer = renderer
        self.scale = scale
        # Down is positive in a drawing, up in the renderer.
        self.to_dots = Affine2D().scale(scale, -scale).translate(0, renderer.height)

    def fill(self, path, place, colour):
        self._draw(path, place, fill=_rgb(colour))

    def draw(self, shape):
        look = palette.ROLES[shape.role]
        if isinstance(shape, Box):
            self._draw(_box(shape), Affine2D(), **_brush(look))
        elif isinstance(shape, Line):
            self._draw(Path(shape.points), Affine2D(), **{**_brush(look), "fill": None})
            if shape.arrow:
                self.fill(Path(arrow_head(shape.points)), Affine2D(), look["stroke"])
        elif isinstance(shape, Dot):
            place = Affine2D().scale(shape.radius).translate(shape.x, shape.y)
            self.fill(Path.unit_circle(), place, look["fill"])
        else:
            self._write(shape, look)

    def _write(self, shape, look):
        path, length = _letters(printable(shape.text), bool(look.get("bold")))
        size = look["size"] / TextToPath.FONT_SCALE
        start = {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
        place = Affine2D().scale(size, -size).translate(shape.x - start * length * size, shape.y)
        if look.get("halo"):
            self._draw(path, place, stroke=_rgb("paper"), width=HALO)
        self.fill(path, place, look["fill"])

    def _draw(self, path, place, fill=None, stroke=None, width=0, dash=None):
        context = GraphicsContextBase()
        context.set_linewidth(width * self.scale if stroke else 0)
        if stroke:
            context.set_foreground(stroke, isRGBA=True)
            context.set_joinstyle("round")
        if dash:
            context.set_dashes(0, [length * self.scale for length in dash])
        self.renderer.draw_path(context, path, place + self.to_dots, fill)


def _brush(look):
    return {"fill": _rgb(look["fill"]) if "fill" in look else None,
            "stroke": _rgb(look["stroke"]) if "stroke" in look else None,
            "width": look.get("width", 0), "dash": look.get("dash")}


@lru_cache(maxsize=None)
def _rgb(name):
    return (*to_rgb(palette.light(name)), 1.0)


def _box(box):
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    turn = box.radius if min(box.width, box.height) > 2 * box.radius else 0
    if not turn:
        return Path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], closed=True)
    points = [(left + turn, top), (right - turn, top), (right, top), (right, top + turn),
              (right, bottom - turn), (right, bottom), (right - turn, bottom), (left + turn, bottom),
              (left, bottom), (left, bottom - turn), (left, top + turn), (left, top), (left + turn, top), (0, 0)]
    side = [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path(points, [Path.MOVETO, *(side * 4), Path.CLOSEPOLY])


@lru_cache(maxsize=4096)
def _letters(text, bold):
    """The outline of a text and its length, at the size that outlines are made in. Stories repeat their words."""
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that the font lacks is drawn as a box
        points, codes = text_to_path.get_text_path(font, text)
        length, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    path = Path(points, codes) if len(points) else Path(numpy.empty((0, 2)))
    return path, length * TextToPath.FONT_SCALE / font.get_size_in_points()


def _encoded(pixels, title):
    """Rows as they are: PNG's filters help photographs, and make these flat colours larger."""
    height, width, _ = pixels.shape
    rows = numpy.zeros((height, 1 + 3 * width), numpy.uint8)  # each begins with the number of its filter: none
    for colour in range(3):  # one after the other: faster than leaving out the fourth of each pixel
        rows[:, 1 + colour::3] = pixels[:, :, colour]
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits each of red, green and blue
    words = b"Title\0\0\0\0\0" + title.encode("utf-8")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in [
        (b"IHDR", head), (b"iTXt", words), (b"IDAT", zlib.compress(rows, 3)), (b"IEND", b"")])


def _chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
