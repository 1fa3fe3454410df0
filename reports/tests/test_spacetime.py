"""The layout of a space–time diagram: nothing collides, everything stands in its lane, time runs down."""
import random
import tempfile
import unittest
from itertools import pairwise
from pathlib import Path

from holdfast_report import spacetime
from holdfast_report.drawing import Box, Line, Text
from holdfast_report.history import read_history
from holdfast_report.story import ROWS_MOST, make_story
from holdfast_report.words import text_width

from .samples import event, pause_events, verdicts, write_history


def story_of(events, letter="V"):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "history.jsonl"
        write_history(path, events)
        return make_story(read_history(path), verdicts(events, letter))


def random_events(seed):
    """A history that makes little sense but has everything in it."""
    dice = random.Random(seed)
    events, time = [], 0.0
    texts = ["SET lock v NX → OK", "EVAL a long script that goes on → [29999, -1]", "GET → (nil)"]
    for number in range(dice.randrange(1, 400)):
        time += dice.choice([0, 0, 0.1, 1, 40, 900, 5000])
        who = f"c{dice.randrange(1, 5)}"
        kind = dice.choice(["invoke", "ok", "info", "fail", "applied", "applied", "stored", "rejected", "fault-begin",
                            "fault-end", "died", "restarted", "lost-hold"])
        more = {"text": dice.choice(texts)}
        if kind in ("invoke", "ok", "info", "fail"):
            more |= {"operation": dice.choice(["acquire", "release", "read", "write", "await"]), "thread": dice.randrange(1, 3)}
        if kind in ("applied", "stored", "rejected"):
            more |= {"server": dice.choice(["redis-1", "redis-2"]) if kind == "applied" else "storage", "operation": "write",
                     "value": 1, "version": 1, "found_version": dice.randrange(1, 3)}
        events.append(event(time, kind, who, session=dice.randrange(1, 20), clock_off_ms=dice.choice([0, 0, 0, 20]), **more))
    return events


def outline(shape):
    if isinstance(shape, Line):
        return shape.points
    if isinstance(shape, Box) and shape.role == "fb":
        right, bottom = shape.x + shape.width, shape.y + shape.height
        return [(shape.x, shape.y), (right, shape.y), (right, bottom), (shape.x, bottom), (shape.x, shape.y)]
    return []


def meets(one, other, box):
    """Whether a straight line between two points enters a box: Liang and Barsky's way to cut it off at the edges."""
    begin, end = 0.0, 1.0
    for start, stop, low, high in ((one[0], other[0], box[0], box[2]), (one[1], other[1], box[1], box[3])):
        step = stop - start
        if step == 0:
            if not low < start < high:
                return False
            continue
        near, far = sorted([(low - start) / step, (high - start) / step])
        begin, end = max(begin, near), min(end, far)
    return begin < end


class SpaceTimeLayout(unittest.TestCase):
    def check(self, story):
        place = spacetime.SpaceTime(story)
        last_in_lane, last = {}, 0
        for mark, lines, y in zip(story.marks, place.lines, place.mark_y):
            self.assertGreaterEqual(y, last, "time must run down")
            last = y
            self.assertGreaterEqual(y, last_in_lane.get(mark.lane, 0), "labels of a lane must not overlap")
            last_in_lane[mark.lane] = y + spacetime.LINE_HEIGHT * len(lines)
            for line in lines:
                right = place.lane_x[mark.lane] + spacetime.TEXT_AT + text_width(line, spacetime.SIZE)
                self.assertLessEqual(right, place.lane_x[mark.lane] + place.lane_widths[mark.lane], line)
        drawing = spacetime.draw(story, "title", "description")
        for shape in drawing.shapes:
            if isinstance(shape, Box):
                self.assertGreaterEqual(shape.height, 0)
                self.assertLessEqual(shape.x + shape.width, drawing.width + 0.01)
                self.assertLessEqual(shape.y + shape.height, drawing.height + 0.01)
            if isinstance(shape, Box) and shape.data.split(" ")[0] in ("hold", "fault"):
                lane = int(shape.data.split(" ")[1])
                self.assertGreaterEqual(shape.x, place.lane_x[lane])
                self.assertLessEqual(shape.x + shape.width, place.lane_x[lane] + place.lane_widths[lane])
        self.check_that_no_line_crosses_a_label(drawing)
        return drawing

    def check_that_no_line_crosses_a_label(self, drawing):
        """Of a label, from the tops of its letters to their feet."""
        labels = [(shape.x, shape.y - 8, shape.x + text_width(shape.text, spacetime.SIZE), shape.y + 2, shape.text)
                  for shape in drawing.shapes if isinstance(shape, Text) and shape.data.startswith("label")]
        for shape in drawing.shapes:
            for one, other in pairwise(outline(shape)):
                top, bottom = min(one[1], other[1]), max(one[1], other[1])
                for label in labels:
                    if label[1] < bottom and label[3] > top:
                        self.assertFalse(meets(one, other, label), f"{shape.data or shape.role} crosses {label[4]}")

    def test_labels_never_collide_and_stay_in_their_lanes_whatever_the_history(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                self.check(story_of(random_events(seed)))

    def test_a_pause_shows_its_band_both_holds_and_where_they_overlap(self):
        drawing = self.check(story_of(pause_events()))
        found = [shape.data.split(" ")[0] for shape in drawing.shapes if getattr(shape, "data", "")]
        self.assertEqual(found.count("hold"), 2)
        self.assertEqual(found.count("overlap"), 1)
        self.assertEqual(found.count("fault"), 1)
        self.assertGreaterEqual(found.count("break"), 2)
        self.assertGreaterEqual(found.count("message"), 5)

    def test_an_overlap_is_marked_only_where_the_verdict_says_so(self):
        self.assertIsNone(story_of(pause_events(), "S").overlap)
        overlap = story_of(pause_events()).overlap
        self.assertEqual(overlap.nanoseconds, 299_000_000)

    def test_long_idle_time_is_broken_off_so_that_milliseconds_stay_readable(self):
        story = story_of(pause_events())
        place = spacetime.SpaceTime(story)
        self.assertLess(place.height, 900)
        grant, release = [position for position, item in enumerate(pause_events()) if item["type"] == "applied"][-2:]
        self.assertGreater(place.y_of(release) - place.y_of(grant), 20)

    def test_the_same_attempt_is_told_once_with_a_count(self):
        story = story_of(pause_events(polls=60))
        self.assertEqual([mark.text for mark in story.marks if "tries" in mark.text], ["… 59 tries"])

    def test_a_clock_that_is_off_is_shown(self):
        events = pause_events()
        events += [event(16_000, "info", "c2", operation="acquire", session=9, clock_off_ms=20_000)]
        story = story_of(events)
        self.assertIn("its clock: +20 s", [mark.text for mark in story.marks])
        self.assertIn("clock", [getattr(shape, "data", "") for shape in self.check(story).shapes])

    def test_a_reply_that_never_arrives_ends_in_a_cross(self):
        events = [event(0, "invoke", operation="acquire", session=1),
                  event(1, "applied", server="redis", thread=1, text="SET → OK"),
                  event(1000, "info", operation="acquire", session=1, text="timed out")]
        drawing = self.check(story_of(events, "L"))
        self.assertIn("lost", [getattr(shape, "data", "") for shape in drawing.shapes])
        events[-1]["text"] = "ERR unknown command"  # an error is an answer
        self.assertNotIn("lost", [getattr(shape, "data", "") for shape in self.check(story_of(events, "L")).shapes])

    def test_a_history_of_thousands_of_events_gives_a_picture_of_bounded_size(self):
        events = []
        for number in range(3000):
            events += [event(number * 10, "invoke", operation="acquire", session=number),
                       event(number * 10 + 1, "ok", operation="acquire", session=number),
                       event(number * 10 + 2, "invoke", operation="release", session=number),
                       event(number * 10 + 3, "ok", operation="release", session=number)]
        story = story_of(events, "S")
        self.assertLessEqual(len(story.marks), ROWS_MOST)
        self.assertGreater(story.left_out, 1000)
        self.assertLess(len(self.check(story).shapes), 1000)

    def test_what_strikes_a_process_strikes_all_of_its_threads_and_what_strikes_a_thread_only_that(self):
        begins = [event(0, "invoke", operation="acquire", session=1),
                  event(0, "invoke", operation="acquire", session=2, thread=2),
                  event(0, "invoke", "c2", operation="acquire", session=3)]
        paused = story_of(begins + [event(5, "fault-begin", text="pauses for 9 ms"), event(14, "fault-end", text="gc-pause")])
        self.assertEqual([(band.lane, band.begin, band.end) for band in paused.bands], [(0, 3, 4), (1, 3, 4)])
        self.check(paused)
        killed = story_of(begins + [event(5, "fault-begin", text="thread 2 dies"), event(5, "died", thread=2)])
        self.assertEqual([band.lane for band in killed.bands], [1])
        self.assertEqual([bool(lane.dead) for lane in killed.lanes], [False, True, False])
        self.assertEqual([wait.end for wait in killed.waits], [None, 4, None])
        crashed = story_of(begins + [event(5, "fault-begin", text="crashes"), event(5, "died"), event(9, "restarted")])
        self.assertEqual([lane.dead for lane in crashed.lanes], [[(4, 5)], [(4, 5)], []])

    def test_what_repeats_is_a_try_only_of_who_wants_the_lock(self):
        events = [event(0, "invoke", operation="acquire", session=1), event(1, "ok", operation="acquire", session=1)]
        events += [event(10 * number, "applied", server="redis", thread=1, text="PEXPIRE lock 9 → 1") for number in range(1, 5)]
        self.assertEqual([mark.text for mark in story_of(events).marks if "…" in mark.text], ["… 3 more like it"])

    def test_arrows_go_around_the_labels_of_others(self):
        """c1's message crosses c2's column just where c2 says something."""
        events = [event(0, "invoke", operation="acquire", session=1),
                  event(0, "invoke", "c2", operation="acquire", session=2),
                  event(0.1, "applied", server="redis", thread=1, text="SET → OK"),
                  event(0.2, "ok", "c2", operation="read", session=2, value=0, version=0),
                  event(0.3, "ok", operation="acquire", session=1)]
        drawing = self.check(story_of(events, "S"))
        ways = {shape.data: shape.points for shape in drawing.shapes if isinstance(shape, Line) and shape.arrow}
        self.assertEqual(len(ways["message"]), 4, "it goes down beside its line first")
        self.assertEqual(ways["message"][-1], ways["answer"][0])
        self.assertEqual(len(ways["answer"]), 4)

    def test_a_hold_ends_when_its_process_dies(self):
        events = [event(0, "invoke", operation="acquire", session=1), event(1, "ok", operation="acquire", session=1),
                  event(5, "died"), event(9, "invoke", "c2", operation="acquire", session=2)]
        hold, = story_of(events, "L").holds
        self.assertEqual(hold.end_time, 5_000_000)

    def test_a_caption_moves_everything_down_and_adds_the_cause(self):
        drawing = spacetime.draw(story_of(pause_events()), "title", "description")
        whole = spacetime.with_caption(drawing, "V", "a title", "a sentence of cause")
        self.assertIn("a sentence of cause", [shape.text for shape in whole.shapes if isinstance(shape, Text)])
        self.assertGreater(whole.height, drawing.height)


if __name__ == "__main__":
    unittest.main()
