"""Lays a story out as a space–time diagram: time runs down, each client, server and storage has a column.

Heights are given in the order of events, so nothing can collide: a label stands below the one before it in its
lane, and an event below those that happened earlier. What a server carries out has a row of its own in all lanes that
its message crosses, so that there is a way for the arrows on which no label stands. The step between two events grows
with the logarithm of the time between them; a second or more is broken off and written into the gap.
"""
import math
from bisect import bisect_right
from dataclasses import replace

from .arrows import SWAY, answer_way, request_way
from .drawing import Box, Dot, Drawing, Line, Text
from .palette import LETTER_ROLES
from .words import duration, fitted, printable, text_width, wrapped

GUTTER = 58            # for times, on the left
HEAD = 34
LINE_HEIGHT = 14
LANE_LEAST, LANE_MOST = 72, 150
SERVER_MOST = 110      # besides the name of a client, which stands before what it asked for
LINE_AT = 13           # of a lane's line, from its left edge
TRACK_AT = 24          # of messages on their way, beside the line
TEXT_AT = 29           # of its labels
LABEL_ABOVE = 7        # the room of a label, above the height of its event
LABEL_BELOW = LINE_HEIGHT - LABEL_ABOVE
BORDER = 3             # between the edge of a fault's band and a label
SIZE = 11
BREAK_LEAST_NS = 1_000_000_000
BREAK_HEIGHT = 34
LINES_MOST = 4

_ROLE_OF_TONE = {"plain": "t", "quiet": "tq", "good": "tg", "bad": "tb", "fault": "tf", "clock": "tc"}
_BOLD_TONES = {"good", "bad", "fault", "clock"}


class SpaceTime:
    """Where everything is. Kept apart from drawing() so that tests can look at it."""

    def __init__(self, story):
        self.story = story
        self.lane_x, self.lane_widths = self._place_lanes()
        self._message_at = {message.carried_out: message for message in story.messages}
        self._struck_at = {}  # position → lanes in which a fault's band begins or ends
        for band in story.bands:
            for position in (band.begin, band.end):
                self._struck_at.setdefault(position, set()).add(band.lane)
        self.lines = [wrapped(mark.text, self.lane_widths[mark.lane] - TEXT_AT - 5, SIZE, self._lines_most(mark),
                              mark.tone in _BOLD_TONES) for mark in story.marks]
        self.mark_y, self.breaks = self._place_marks()
        self._knots = self._knot_heights()
        self._label_at = {}
        for mark, lines, y in zip(story.marks, self.lines, self.mark_y):
            self._label_at.setdefault((mark.lane, mark.position), (mark, lines, y))
        self.label_boxes = self._boxes_of_labels()
        last = max([y + LINE_HEIGHT * len(lines) for y, lines in zip(self.mark_y, self.lines)], default=HEAD)
        rest = story.end_time - (story.marks[-1].time if story.marks else 0)
        self.bottom = last + 10
        if rest >= BREAK_LEAST_NS:
            self.breaks.append((last + BREAK_HEIGHT / 2 - 6, rest))
            self.bottom = last + BREAK_HEIGHT - 4
        self.width = self.lane_x[-1] + self.lane_widths[-1] + 4 if self.lane_x else GUTTER + 100
        self.height = self.bottom + 30

    def _lines_most(self, mark):
        return 1 if mark.tone == "quiet" and mark.dot else LINES_MOST

    def _place_lanes(self):
        widths = []
        longest_name = max([text_width(lane.name, SIZE) for lane in self.story.lanes if lane.kind == "client"], default=0)
        for index, lane in enumerate(self.story.lanes):
            needed = [text_width(lane.name, 12, True) + 10]
            for mark in self.story.marks:
                if mark.lane == index:
                    needed.append(TEXT_AT + 6 + text_width(mark.text, SIZE, mark.tone in _BOLD_TONES))
            most = SERVER_MOST + max(longest_name, 50) if lane.kind == "server" else LANE_MOST
            widths.append(min(max(max(needed), LANE_LEAST), most))
        places, x = [], GUTTER
        for width in widths:
            places.append(x)
            x += width
        return places, widths

    def _place_marks(self):
        heights, breaks = [], []
        floors = [HEAD] * len(self.lane_x)  # how far down each lane is taken
        y, time = HEAD + 16, None
        for mark, lines in zip(self.story.marks, self.lines):
            gap = 0 if time is None else mark.time - time
            if gap >= BREAK_LEAST_NS:
                y = max([y, *floors]) + BREAK_HEIGHT
                breaks.append((y - BREAK_HEIGHT / 2 - 2, gap))
            elif gap > 0:
                y += 5 + 4 * math.log10(1 + gap / 1e5)
            struck = self._struck_at.get(mark.position, ()) if mark.tone == "fault" else ()
            y = max([y, floors[mark.lane] + LABEL_ABOVE] + [floors[lane] + LABEL_ABOVE + BORDER for lane in struck])
            message = self._message_at.get(mark.position) if mark.dot else None
            crossed = range(message.client, message.server) if message else ()
            y = max([y] + [floors[lane] + SWAY + 1 for lane in crossed])
            heights.append(y)
            below = y + LINE_HEIGHT * len(lines) - LABEL_ABOVE
            floors[mark.lane] = below
            for lane in struck:
                floors[lane] = below + BORDER
            for lane in crossed:
                floors[lane] = y + SWAY + (7 if message.is_lost else 2)
            time = mark.time
        return heights, breaks

    def _boxes_of_labels(self):
        """(left, top, right, bottom) of each line of each label."""
        boxes = []
        for mark, lines, y in zip(self.story.marks, self.lines, self.mark_y):
            left = self.lane_x[mark.lane] + TEXT_AT
            for number, line in enumerate(lines):
                top = y - LABEL_ABOVE + number * LINE_HEIGHT
                boxes.append((left, top, left + text_width(line, SIZE, mark.tone in _BOLD_TONES), top + LINE_HEIGHT))
        return boxes

    def _knot_heights(self):
        """Of each position that has a mark, the height of its first one; in order."""
        knots = {}
        for mark, y in zip(self.story.marks, self.mark_y):
            knots.setdefault(mark.position, y)
        return sorted(knots.items())

    def y_of(self, position):
        """The height of any event, drawn or not; none is the end of the run."""
        if position is None:
            return self.bottom
        if not self._knots:
            return HEAD + 16
        index = bisect_right(self._knots, (position, math.inf))
        if index == 0:
            return self._knots[0][1]
        before, y_before = self._knots[index - 1]
        if before == position or index == len(self._knots):
            return y_before
        after, y_after = self._knots[index]
        times = self.story.times
        span = times[after] - times[before]
        share = (times[position] - times[before]) / span if span else (position - before) / (after - before)
        return y_before + share * (y_after - y_before)

    def label_end(self, lane, position):
        """Where the label of an event in that lane ends on the right, and its height; none if it has none."""
        if (lane, position) not in self._label_at:
            return None
        mark, lines, y = self._label_at[lane, position]
        return self.lane_x[lane] + TEXT_AT + 3 + text_width(lines[0], SIZE, mark.tone in _BOLD_TONES), y

    def carried_out_y(self, message):
        return self._label_at[message.server, message.carried_out][2]

    def track_x(self, lane):
        return self.lane_x[lane] + TRACK_AT

    def clear_pieces(self, y, left, right):
        """Of a line across the picture, what lies on no label."""
        pieces, x = [], left
        for box_left, top, box_right, bottom in sorted(self.label_boxes):
            if top < y < bottom:
                pieces.append((x, box_left - 3))
                x = max(x, box_right + 3)
        return [(start, end) for start, end in pieces + [(x, right)] if end > start]

    def line_x(self, lane):
        return self.lane_x[lane] + LINE_AT

    def hold_box(self, hold):
        x = self.line_x(hold.lane) - 4 + 4 * hold.depth
        top = self.y_of(hold.begin)
        return Box(x, top, 8 - 2 * hold.depth, max(self.y_of(hold.end) - top, 4), "hs" if hold.shared else "hb", 2)

    def band_box(self, band):
        """From above the label of its begin to above that of its end, so that its edges cross neither."""
        above = LABEL_ABOVE + BORDER - 1
        top = self.y_of(band.begin) - above
        mark, lines, y = self._label_at.get((band.lane, band.begin), (None, [""], self.y_of(band.begin)))
        bottom = max(self.y_of(band.end) - above, y - LABEL_ABOVE + LINE_HEIGHT * len(lines) + BORDER - 1)
        x = self.lane_x[band.lane]
        for left, label_top, _, label_bottom in self.label_boxes:
            if x < left < x + self.lane_widths[band.lane]:  # where it begins or ends without a label of its own
                top = label_top if label_top < top < label_bottom else top
                bottom = label_bottom if label_top < bottom < label_bottom else bottom
        return Box(x + 1, top, self.lane_widths[band.lane] - 3, min(bottom, self.bottom) - top, "fb", 3)


def draw(story, title, description):
    place = SpaceTime(story)
    drawing = Drawing(place.width, place.height, title, description)
    _draw_lanes(drawing, place)
    _draw_overlap(drawing, place)
    _draw_bands(drawing, place)
    _draw_lane_lines(drawing, place)
    _draw_messages(drawing, place)
    _draw_holds(drawing, place)
    _draw_breaks(drawing, place)
    _draw_labels(drawing, place)
    _draw_times(drawing, place)
    return drawing


def _draw_lanes(drawing, place):
    for index, (lane, x, width) in enumerate(zip(place.story.lanes, place.lane_x, place.lane_widths)):
        if index % 2 == 0:
            drawing.add(Box(x, 4, width, place.bottom + 22, "st", 4))
        name = fitted(lane.name, width - 8, 12, True)
        drawing.add(Text(x + 6, HEAD - 12, name, "h", title=f"{lane.kind} {lane.name}", data=f"head {index}"))
        drawing.add(Text(x + 6, place.bottom + 19, name, "h"))


def _draw_lane_lines(drawing, place):
    for index, lane in enumerate(place.story.lanes):
        x = place.line_x(index)
        cuts = [HEAD - 4]
        pieces = []
        clock_y = place.y_of(lane.clock_off_from) if lane.clock_off_from is not None else None
        for died, back in lane.dead:
            pieces.append((cuts[-1], place.y_of(died), "ln"))
            pieces.append((place.y_of(died), place.y_of(back), "ld"))
            cuts.append(place.y_of(back))
        pieces.append((cuts[-1], place.bottom, "ln"))
        for top, bottom, role in pieces:
            if bottom <= top:
                continue
            if role == "ln" and clock_y is not None and clock_y < bottom:
                if clock_y > top:
                    drawing.add(Line([(x, top), (x, clock_y)], role))
                drawing.add(Line([(x, max(top, clock_y)), (x, bottom)], "lc", title="its clock is off", data="clock"))
            else:
                drawing.add(Line([(x, top), (x, bottom)], role, data=f"lane {index}"))


def _draw_bands(drawing, place):
    for band in place.story.bands:
        box = place.band_box(band)
        box.title, box.data = band.text, f"fault {band.lane}"
        drawing.add(box)


def _draw_overlap(drawing, place):
    overlap = place.story.overlap
    if overlap is None:
        return
    top, bottom = place.y_of(overlap.begin), place.y_of(overlap.end)
    bottom = max(bottom, top + 6)
    words = f"both hold the lock for {duration(overlap.nanoseconds)}"
    left = GUTTER - 4
    drawing.add(Box(left, top, place.width - left - 2, bottom - top, "ov", 0, words, "overlap"))
    for y in (top, bottom):
        for start, end in place.clear_pieces(y, left, place.width - 2):
            drawing.add(Line([(start, y), (end, y)], "oe"))


def _draw_messages(drawing, place):
    for message in place.story.messages:
        y = place.carried_out_y(message)
        drawing.add(Line(request_way(place, message), "m", True, data="message"))
        if not message.is_lost:
            drawing.add(Line(answer_way(place, message), "m", True, data="answer"))
            continue
        client_x, server_x = place.line_x(message.client) + 5, place.line_x(message.server) - 4
        x, below = client_x + (server_x - client_x) * 0.82, y + SWAY
        drawing.add(Line([(server_x, y), (x, below)], "m"))
        drawing.add(Line([(x - 4, below - 4), (x + 4, below + 4)], "mx", title="no answer arrives", data="lost"))
        drawing.add(Line([(x - 4, below + 4), (x + 4, below - 4)], "mx"))


def _draw_holds(drawing, place):
    overlap = place.story.overlap
    for hold in (overlap.first, overlap.second) if overlap else ():
        top, bottom = place.y_of(overlap.begin), place.y_of(overlap.end)
        drawing.add(Box(place.line_x(hold.lane) - 7, top, 14, max(bottom - top, 6), "ox", 2))
    for wait in place.story.waits:
        x = place.line_x(wait.lane) - 3.5
        top, bottom = place.y_of(wait.begin), place.y_of(wait.end)
        if bottom - top > 2:
            drawing.add(Line([(x, top), (x, bottom)], "wt", data=f"wait {wait.lane}"))
    for hold in place.story.holds:
        box = place.hold_box(hold)
        name = place.story.lanes[hold.lane].name
        box.title = (f"{name} holds the lock{' (shared)' if hold.shared else ''} for "
                     f"{duration(hold.end_time - hold.begin_time)}")
        box.data = f"hold {hold.lane}"
        drawing.add(box)


def _draw_breaks(drawing, place):
    for y, gap in place.breaks:
        points, x, up = [], GUTTER - 4, True
        while x <= place.width - 4:
            points.append((x, y + (-2.5 if up else 2.5)))
            x, up = x + 8, not up
        drawing.add(Line(points, "bk", data="break"))
        drawing.add(Text(GUTTER - 8, y + 4, f"+{duration(gap)}", "tq", "end", title=f"{duration(gap)} pass"))


def _draw_labels(drawing, place):
    for mark, lines, y in zip(place.story.marks, place.lines, place.mark_y):
        x = place.line_x(mark.lane)
        if mark.dot:
            drawing.add(Dot(x, y, 3, "db" if mark.tone == "bad" else "d"))
        whole = mark.text + (f" ({mark.detail})" if mark.detail else "")
        shown = " ".join(lines)
        for number, line in enumerate(lines):
            title = (mark.detail if mark.dot and mark.detail else whole) if number == 0 and (
                shown != whole) else ""
            drawing.add(Text(place.lane_x[mark.lane] + TEXT_AT, y + 4 + number * LINE_HEIGHT, line,
                             _ROLE_OF_TONE[mark.tone], title=title, data=f"label {mark.lane}"))


def _draw_times(drawing, place):
    """On the left, wherever there is room for one."""
    floor, shown = HEAD - 4, ""
    blocked = [y for y, _ in place.breaks]
    for mark, y in zip(place.story.marks, place.mark_y):
        near_break = any(abs(y - other) < 13 for other in blocked)
        words = _time_text(mark.time)
        if y - floor >= 13 and not near_break and words != shown:
            drawing.add(Text(GUTTER - 8, y + 4, words, "tt", "end"))
            floor, shown = y, words
    drawing.add(Text(GUTTER - 8, place.bottom + 19, _time_text(place.story.end_time), "tt", "end"))


def _time_text(nanoseconds):
    """As exact as the gutter has room for."""
    seconds = nanoseconds / 1e9
    if seconds < 0.1:
        return f"{nanoseconds / 1e6:.4g} ms"
    return f"{seconds:.3f} s" if seconds < 100 else f"{seconds:.1f} s" if seconds < 100_000 else f"{seconds:.3g} s"


def with_caption(drawing, letter, title, cause):
    """For a picture that stands alone: the letter and the title above, the sentence of cause below."""
    width = max(drawing.width, 420)
    lines = wrapped(cause, width - 24, 12, 12)
    above = 36
    result = Drawing(width, above + drawing.height + 18 * len(lines) + 16, drawing.title, drawing.description)
    result.add(Box(8, 8, 22, 22, LETTER_ROLES[letter], 4))
    result.add(Text(19, 23.5, letter, "n" if letter == "–" else "tl", "middle"))
    result.add(Text(38, 24, fitted(printable(title), width - 48, 12, True), "h"))
    for shape in drawing.shapes:
        result.add(_moved(shape, above))
    for number, line in enumerate(lines):
        result.add(Text(12, above + drawing.height + 16 + 18 * number, line, "c"))
    return result


def _moved(shape, down):
    if isinstance(shape, Line):
        return replace(shape, points=[(x, y + down) for x, y in shape.points])
    return replace(shape, y=shape.y + down)
