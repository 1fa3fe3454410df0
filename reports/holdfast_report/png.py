"""A drawing as PNG, by matplotlib: the same shapes at the same places as in the SVG."""
import io

import matplotlib

matplotlib.use("Agg")
from matplotlib import patheffects  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon, Rectangle  # noqa: E402
from matplotlib.path import Path  # noqa: E402

from . import palette  # noqa: E402
from .drawing import Box, Dot, Line, Text  # noqa: E402
from .svg import arrow_head  # noqa: E402
from .words import printable  # noqa: E402

PIXELS_PER_INCH = 100
SCALE = 2           # dots per pixel: sharp on paper and on a dense screen
SIDE_MOST = 16_000  # dots; Agg draws up to 32,767
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def png_bytes(drawing):
    width, height = max(drawing.width, 1), max(drawing.height, 1)
    scale = min(SCALE, SIDE_MOST / max(width, height))
    figure = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH * scale,
                    facecolor=palette.light("paper"))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    for order, shape in enumerate(drawing.shapes):
        for artist in _artists(shape):
            artist.set_zorder(order)
            axes.add_artist(artist)  # add_patch would work out, for each one anew, how far all of them reach
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", pil_kwargs={"compress_level": 4},
                   metadata={"Software": None, "Title": printable(drawing.title)[:200]})
    return buffer.getvalue()


def _artists(shape):
    look = palette.ROLES[shape.role]
    fill = palette.light(look["fill"]) if "fill" in look else "none"
    stroke = palette.light(look["stroke"]) if "stroke" in look else "none"
    points_width = look.get("width", 0) * 72 / PIXELS_PER_INCH
    dashes = (0, tuple(length / look["width"] for length in look["dash"])) if "dash" in look else "-"
    line = dict(edgecolor=stroke, linewidth=points_width, linestyle=dashes)
    if isinstance(shape, Box):
        if shape.radius and min(shape.width, shape.height) > 2 * shape.radius:
            style = f"round,pad=0,rounding_size={shape.radius}"
            yield FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=style, facecolor=fill, **line)
        else:
            yield Rectangle((shape.x, shape.y), shape.width, shape.height, facecolor=fill, **line)
    elif isinstance(shape, Line):
        yield PathPatch(Path(shape.points), facecolor="none", **line)
        if shape.arrow:
            yield Polygon(arrow_head(shape.points), facecolor=stroke, edgecolor="none")
    elif isinstance(shape, Dot):
        yield Circle((shape.x, shape.y), shape.radius, facecolor=fill, edgecolor="none")
    else:
        yield _text(shape, look, fill)


def _text(shape, look, fill):
    from matplotlib.text import Text as Words
    # A dollar sign would begin a formula.
    words = Words(shape.x, shape.y, printable(shape.text), color=fill, fontsize=look["size"] * 72 / PIXELS_PER_INCH,
                  fontweight="bold" if look.get("bold") else "normal", family="DejaVu Sans", verticalalignment="baseline",
                  horizontalalignment=_ANCHORS[shape.anchor], parse_math=False)
    if look.get("halo"):
        words.set_path_effects([patheffects.withStroke(linewidth=2, foreground=palette.light("paper"))])
    return words
