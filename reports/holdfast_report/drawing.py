"""A picture before it is SVG or PNG: shapes with a role each. What a role looks like stands in palette.py.

Coordinates are pixels, down is positive.
"""
from dataclasses import dataclass, field


@dataclass
class Box:
    x: float
    y: float
    width: float
    height: float
    role: str
    radius: float = 0
    title: str = ""
    data: str = ""       # for the browser test: what it is


@dataclass
class Line:
    points: list         # (x, y)
    role: str
    arrow: bool = False
    title: str = ""
    data: str = ""


@dataclass
class Dot:
    x: float
    y: float
    radius: float
    role: str


@dataclass
class Text:
    x: float
    y: float             # of the base line
    text: str
    role: str
    anchor: str = "start"
    title: str = ""
    data: str = ""


@dataclass
class Drawing:
    width: float
    height: float
    title: str
    description: str
    shapes: list = field(default_factory=list)

    def add(self, shape):
        self.shapes.append(shape)
        return shape
