#!/usr/bin/env python3
"""Turns what a program prints on a terminal into an SVG picture.

    build/holdfast run gc-pause-write --color always | reports/terminal_picture.py >story.svg

Knows the few escape sequences holdfast uses (bold, dim, colours); anything else is refused, so that a
picture never shows less than the terminal did.
"""
import re
import sys
from xml.sax.saxutils import escape

FONT_SIZE, LINE_HEIGHT, CHARACTER_WIDTH, MARGIN = 13, 18, 7.83, 16
BACKGROUND, FOREGROUND = "#11151c", "#d5dae1"
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
           "90": "#8b949e", "91": "#ffa198"}
STYLES = {"1": "font-weight:bold", "2": "opacity:.6", "4": "text-decoration:underline"}


def spans(line):
    """The pieces of a line, each with the column it starts at, its style and its text."""
    style, column = "", 0
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not piece.startswith("\x1b"):
            if piece:
                yield column, style, piece
            column += len(piece)
            continue
        for code in (piece[2:-1] or "0").split(";"):
            if code == "0":
                style = ""
            elif code in COLOURS:
                style += f"fill:{COLOURS[code]};"
            elif code in STYLES:
                style += STYLES[code] + ";"
            else:
                sys.exit(f"terminal_picture.py: the escape code {code} is not known; add it to COLOURS or STYLES")


def picture(text):
    lines = text.rstrip("\n").split("\n")
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    width, height = columns * CHARACTER_WIDTH + 2 * MARGIN, len(lines) * LINE_HEIGHT + 2 * MARGIN
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
           f'viewBox="0 0 {width:.0f} {height}" font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" '
           f'font-size="{FONT_SIZE}">')
    yield f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    for number, line in enumerate(lines):
        y = MARGIN + (number + 0.75) * LINE_HEIGHT
        for column, style, piece in spans(line):
            # Its length is stated, so that columns stand under each other in whatever font there is.
            yield (f'<text x="{MARGIN + column * CHARACTER_WIDTH:.2f}" y="{y:.1f}" fill="{FOREGROUND}" '
                   f'textLength="{len(piece) * CHARACTER_WIDTH:.2f}" xml:space="preserve" style="{style}">'
                   f"{escape(piece)}</text>")
    yield "</svg>"


if __name__ == "__main__":
    text = sys.stdin.read()
    if not text.strip():
        sys.exit("terminal_picture.py: nothing to draw on standard input; pipe a program's output into it")
    print("\n".join(picture(text)))
