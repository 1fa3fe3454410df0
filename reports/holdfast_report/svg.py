"""A drawing as SVG: inside a page, whose style sheet it uses, or as a file of its own."""
from itertools import pairwise

from . import palette
from .drawing import Box, Dot, Line, Text
from .words import escaped


def inline(drawing, identity):
    """`identity` must be its own on the page: the title and the description are found by it."""
    return _element(drawing, f' class="fig" aria-labelledby="{identity}-t {identity}-d"',
                    f'<title id="{identity}-t">{escaped(drawing.title)}</title>'
                    f'<desc id="{identity}-d">{escaped(drawing.description)}</desc>')


def standalone(drawing):
    style = (f"svg{{{palette.variables(0)}font-family:{palette.FONT}}}"
             f"@media(prefers-color-scheme:dark){{svg{{{palette.variables(1)}}}}}" + palette.role_rules())
    background = f'<rect class="pp" width="{_number(drawing.width)}" height="{_number(drawing.height)}"/>'
    return _element(drawing, ' xmlns="http://www.w3.org/2000/svg"',
                    f"<title>{escaped(drawing.title)}</title><desc>{escaped(drawing.description)}</desc>"
                    f"<style>{style}</style>{background}") + "\n"


def _element(drawing, attributes, head):
    width, height = _number(drawing.width), _number(drawing.height)
    body = "".join(_shape(shape) for shape in drawing.shapes)
    return (f'<svg{attributes} role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f"{head}{body}</svg>")


def _shape(shape):
    if isinstance(shape, Box):
        radius = f' rx="{_number(shape.radius)}"' if shape.radius else ""
        return _closed("rect", f'class="{shape.role}" x="{_number(shape.x)}" y="{_number(shape.y)}" '
                       f'width="{_number(shape.width)}" height="{_number(shape.height)}"{radius}{_data(shape)}', shape)
    if isinstance(shape, Line):
        return _closed("path", f'class="{shape.role}" d="{_path(shape)}"{_data(shape)}', shape)
    if isinstance(shape, Dot):
        return (f'<circle class="{shape.role}" cx="{_number(shape.x)}" cy="{_number(shape.y)}" '
                f'r="{_number(shape.radius)}"/>')
    assert isinstance(shape, Text)
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    title = f"<title>{escaped(shape.title)}</title>" if shape.title else ""
    return (f'<text class="{shape.role}" x="{_number(shape.x)}" y="{_number(shape.y)}"{anchor}{_data(shape)}>'
            f"{title}{escaped(shape.text)}</text>")


def _closed(name, attributes, shape):
    if shape.title:
        return f"<{name} {attributes}><title>{escaped(shape.title)}</title></{name}>"
    return f"<{name} {attributes}/>"


def _data(shape):
    return f' data-is="{escaped(shape.data)}"' if shape.data else ""


def _path(line):
    if not line.arrow:
        return _joined(line.points)
    # Piece by piece: the colour that fills the head would fill what a bent line goes around.
    return "".join(_joined(piece) for piece in pairwise(line.points)) + _joined(arrow_head(line.points)) + "z"


def _joined(points):
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def arrow_head(points, size=5.0):
    """The three corners of the head at the end of a line."""
    (x1, y1), (x2, y2) = points[-2], points[-1]
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 0.001)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    back_x, back_y = x2 - ux * size, y2 - uy * size
    half = size * 0.45
    return [(x2, y2), (back_x - uy * half, back_y + ux * half), (back_x + uy * half, back_y - ux * half)]


def _number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))
