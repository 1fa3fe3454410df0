"""The other figures as drawings: the matrix, an envelope, and what the locks cost."""
import math

from .drawing import Box, Dot, Drawing, Line, Text
from .palette import LETTER_ROLES
from .words import clipped, counted, fitted, text_width

ROW = 22


def matrix_drawing(data):
    """Letters and how many runs stand behind each, as the page has them in a table."""
    names = max([text_width(lock.id, 12, True) for lock in data.locks])
    left, column, head = min(names, 300) + 20, 62, 50
    width, height = left + column * len(data.families) + 8, head + ROW * len(data.locks) + 12
    drawing = Drawing(width, height, "The matrix of locks and faults",
                      f"{counted(len(data.locks), 'lock')}, families of faults: {len(data.families)}, "
                      f"{counted(data.runs, 'run')}. A letter for each pair, and the number of runs behind it.")
    for number, family in enumerate(data.families):
        words = clipped(family.title or family.name, 30).split(" ", 1)
        for line, word in enumerate(words):
            drawing.add(Text(left + column * (number + 0.5), 20 + 14 * line, fitted(word, column - 4, 10), "tt", "middle"))
    for row, lock in enumerate(data.locks):
        y = head + ROW * row
        drawing.add(Text(left - 8, y + 15, fitted(lock.id, left - 14, 12, True), "h", "end"))
        for number, family in enumerate(data.families):
            cell = lock.cells.get(family.name)
            letter = cell.letter if cell else "–"
            x = left + column * number
            drawing.add(Box(x + 1, y + 1, column - 2, ROW - 2, LETTER_ROLES[letter], 3))
            if letter == "–":
                drawing.add(Text(x + column / 2, y + 15, letter, "n", "middle"))
                continue
            drawing.add(Text(x + 14, y + 15, letter, "tl", "middle"))
            drawing.add(Text(x + column - 6, y + 15, f"{cell.runs:,}", "tr", "end"))
    return drawing


def envelope_drawing(envelope):
    """A heat map: which letter at which value of x and y, and the border between safe and broken."""
    xs, ys = envelope.x["values"], envelope.y["values"]
    cell_width = min(max(560 / len(xs), 12), 48)
    cell_height = min(max(320 / len(ys), 12), 26)
    left, top = 74, 30
    borders = [text_width(label, 10) for point in envelope.border for _, label, _ in _edges(point, envelope.x)]
    width, height = left + cell_width * len(xs) + max(borders, default=0) + 16, top + cell_height * len(ys) + 46
    x_title, y_title = _axis_title(envelope.x), _axis_title(envelope.y)
    width = max(width, left + text_width(x_title, 11) + 16, text_width(y_title, 11) + 16)
    drawing = Drawing(width, height, f"Envelope of {clipped(envelope.lock, 80)}: {x_title} against {y_title}",
                      envelope.certificate or "Which letter the lock gets at each pair of values.")
    drawing.add(Text(8, 18, y_title, "t"))
    for row, y_value in enumerate(ys):  # the least at the bottom, as on any axis
        y = top + cell_height * (len(ys) - 1 - row)
        for column, letter in enumerate(envelope.letters[row]):
            x = left + cell_width * column
            title = (f"{envelope.x['name']} {_value(xs[column], envelope.x)}, "
                     f"{envelope.y['name']} {_value(y_value, envelope.y)}: {letter}")
            drawing.add(Box(x, y, cell_width - 1, cell_height - 1, LETTER_ROLES[letter], title=title, data="envelope"))
            if letter == "–":
                drawing.add(Text(x + cell_width / 2, y + cell_height / 2 + 4, letter, "n", "middle"))
            else:
                drawing.add(Text(x + cell_width / 2, y + cell_height / 2 + 4, letter, "tl", "middle"))
        if row % _every(len(ys), cell_height, 14) == 0:
            drawing.add(Text(left - 6, y + cell_height / 2 + 4, f"{y_value:g}", "tt", "end"))
    labels = [f"{value:g}" for value in xs]
    step = _every(len(xs), cell_width, max(text_width(label, 10) for label in labels) + 6)
    floor = top + cell_height * len(ys)
    for column in range(0, len(xs), step):
        drawing.add(Text(left + cell_width * (column + 0.5), floor + 14, labels[column], "tt", "middle"))
    drawing.add(Text(left, floor + 34, x_title, "t"))
    _draw_border(drawing, envelope, left, top, cell_width, cell_height)
    return drawing


def _axis_title(axis):
    return clipped(f"{axis['name']} ({axis['unit']})" if axis["unit"] else axis["name"], 60)


def _value(value, axis):
    return f"{value:g} {axis['unit']}".strip()


def _every(count, size, needed):
    """Of so many ticks of that size, every how many-th has room for its label."""
    return max(1, math.ceil(needed / size)) if count else 1


def _edges(point, axis):
    """Where a row goes from one holder to two, and from a safe resource to a broken one: (value, label, words)."""
    edges = []
    if point["holds"] is not None and point["holds"] != point["safe"]:
        edges.append((point["holds"], f"{point['holds']:g} |", f"one holder up to {_value(point['holds'], axis)}"))
    if point["safe"] is not None and point["broken"] is not None:
        edges.append((point["safe"], f"{point['safe']:g} | {point['broken']:g}",
                      f"safe up to {_value(point['safe'], axis)}, broken from {_value(point['broken'], axis)}"))
    return edges


def _draw_border(drawing, envelope, left, top, cell_width, cell_height):
    """Edges between the letters of a row; the exact values of the last one stand beside it."""
    xs, ys = envelope.x["values"], envelope.y["values"]
    rows = {value: row for row, value in enumerate(ys)}
    for point in envelope.border:
        row = rows.get(point["y"])
        edges = _edges(point, envelope.x) if row is not None else []
        for last, _, words in edges:
            x = left + cell_width * sum(1 for value in xs if value <= last) - 0.5
            y = top + cell_height * (len(ys) - 1 - row)
            drawing.add(Line([(x, y - 1), (x, y + cell_height)], "br", title=words, data="border"))
        if edges:
            drawing.add(Text(left + cell_width * len(xs) + 6, y + cell_height / 2 + 4, edges[-1][1], "tt",
                             title=edges[-1][2]))


def _nice_logs(low, high):
    return [power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def line_chart(title, description, y_title, series):
    """Lines over the number of clients, both axes logarithmic. `series`: [(name, [(clients, value)])], three at most."""
    left, top, plot_width, plot_height = 46, 34, 226, 160
    drawing = Drawing(left + plot_width + 84, top + plot_height + 40, title, description)
    series = [(name, sorted((x, y) for x, y in points if x and y and y > 0)) for name, points in series]
    series = [(name, points) for name, points in series if points]
    drawing.add(Text(8, 18, y_title, "t"))
    if not series:
        drawing.add(Text(left, top + 40, "nothing was measured", "n"))
        return drawing
    xs = sorted({x for _, points in series for x, _ in points})
    values = [y for _, points in series for _, y in points]
    powers = _nice_logs(min(values), max(values))
    if len(powers) < 2:
        powers = [powers[0] - 1, powers[0]]
    low, high = powers[0], powers[-1]

    def place(x, y):
        across = (math.log(x) - math.log(xs[0])) / max(math.log(xs[-1]) - math.log(xs[0]), 1e-9) if len(xs) > 1 else 0.5
        return left + plot_width * across, top + plot_height * (1 - (math.log10(y) - low) / (high - low))

    for power in powers:
        y = place(xs[0], 10.0 ** power)[1]
        drawing.add(Line([(left, y), (left + plot_width, y)], "gr"))
        drawing.add(Text(left - 6, y + 4, _short(10.0 ** power), "tt", "end"))
    floor = -math.inf
    for x in xs:
        at = place(x, values[0])[0]
        if at - floor > 22:
            drawing.add(Text(at, top + plot_height + 16, str(x), "tt", "middle"))
            floor = at
    drawing.add(Text(left + plot_width / 2, top + plot_height + 34, "clients", "tt", "middle"))
    _draw_series(drawing, series, place, left + plot_width + 8)
    return drawing


def _draw_series(drawing, series, place, name_x):
    ends = sorted((place(*points[-1])[1], number) for number, (_, points) in enumerate(series))
    floor = -math.inf
    name_y = {}
    for y, number in ends:  # names beside the ends of their lines, moved apart where they would collide
        floor = max(y + 4, floor + 14)
        name_y[number] = floor
    for number, (name, points) in enumerate(series):
        placed = [place(x, y) for x, y in points]
        if len(placed) > 1:
            drawing.add(Line(placed, f"s{number + 1}", title=name))
        for x, y in placed:
            drawing.add(Dot(x, y, 3, f"p{number + 1}"))
        drawing.add(Text(name_x, name_y[number], name, f"q{number + 1}"))


def bar_chart(title, description, rows, unit):
    """One bar a row on a logarithmic scale: [(name, value, label)]. Lengths can be read off, names need no legend."""
    names = min(max([text_width(name, 11) for name, _, _ in rows], default=40), 260)
    left, plot_width = names + 16, 220
    drawing = Drawing(left + plot_width + 110, 26 + 18 * len(rows) + 8, title, description)
    values = [value for _, value, _ in rows if value and value > 0]
    low = math.floor(math.log10(min(values))) if values else 0
    high = max(math.ceil(math.log10(max(values))), low + 1) if values else 1
    lengths = [max(plot_width * (math.log10(value) - low) / (high - low), 2) if value and value > 0 else None
               for _, value, _ in rows]
    for power in range(low, high + 1):
        x = left + plot_width * (power - low) / (high - low)
        drawing.add(Line([(x, 22), (x, 26)], "gr"))
        for row, ((_, _, label), length) in enumerate(zip(rows, lengths)):
            if length is None or not left + length < x < left + length + 10 + text_width(label, 10):
                drawing.add(Line([(x, 26 + 18 * row), (x, 44 + 18 * row)], "gr"))
        drawing.add(Text(x, 15, _short(10.0 ** power) + (f" {unit}" if power == high else ""), "tt", "middle"))
    for row, ((name, _, label), length) in enumerate(zip(rows, lengths)):
        y = 26 + 18 * row
        drawing.add(Text(left - 8, y + 13, fitted(name, left - 12, 11), "t", "end"))
        if length is not None:
            drawing.add(Box(left, y + 3, length, 12, "p1", 2, f"{name}: {label}"))
            drawing.add(Text(left + length + 5, y + 13, label, "tt"))
    return drawing


def _short(value):
    for scale, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= scale:
            return f"{value / scale:g}{suffix}"
    return f"{value:g}"
