"""The sentences around a figure say what its letter says, and durations in a unit that shows them."""
import unittest

from holdfast_report import narrative
from holdfast_report.words import duration, wrapped


def told(letter, resource, resource_judgement="holds", **more):
    return {"letter": letter, "sentence": "two holders; in this run nothing came of it", "verdicts": [
        {"property": "mutual exclusion", "judgement": "violated", "sentence": "both held it for 0.4 ms"},
        {"property": "resource", "judgement": resource_judgement, "sentence": resource}], **more}


class Narrative(unittest.TestCase):
    def test_the_cause_of_a_fenced_run_ends_with_the_rejected_write(self):
        words = narrative.cause(told("F", "1 write, none from a stale read; 1 stale write was rejected"))
        self.assertEqual(words, "Both held it for 0.4 ms. 1 write, none from a stale read; 1 stale write was rejected.")

    def test_the_cause_of_a_violation_ends_with_its_harm(self):
        words = narrative.cause(told("V", "an update is lost", "violated"))
        self.assertEqual(words, "Both held it for 0.4 ms. An update is lost.")

    def test_a_run_of_which_nothing_came_says_so(self):
        for letter in "VF":
            words = narrative.cause(told(letter, "2 writes, none from a stale read", shows_its_letter=False))
            self.assertEqual(words, "Both held it for 0.4 ms. Two holders; in this run nothing came of it.")

    def test_a_harm_that_is_the_cause_is_told_once(self):
        verdicts = {"letter": "V", "verdicts": [
            {"property": "resource", "judgement": "violated", "sentence": "an update is lost"}]}
        self.assertEqual(narrative.cause(verdicts), "An update is lost.")

    def test_other_letters_say_what_they_always_said(self):
        verdicts = {"letter": "L", "verdicts": [
            {"property": "progress", "judgement": "violated", "sentence": "c1 waited"},
            {"property": "resource", "judgement": "holds", "sentence": "1 stale write was rejected"}]}
        self.assertEqual(narrative.cause(verdicts), "c1 waited.")


class Words(unittest.TestCase):
    def test_a_duration_is_told_in_the_unit_that_shows_it(self):
        for nanoseconds, words in ((15 * 10**9, "15 s"), (300_000_000, "0.3 s"), (100_000_000, "0.1 s"),
                                   (99_000_000, "99 ms"), (400_000, "0.4 ms"), (100_000, "0.1 ms"), (99_000, "99 µs"),
                                   (99, "99 ns"), (0, "0 ns"), (-400_000, "-0.4 ms")):
            self.assertEqual(duration(nanoseconds), words)

    def test_a_number_and_its_unit_stay_on_one_line(self):
        self.assertEqual(wrapped("pauses for 15 s", 80, 11, 4), ["pauses for", "15 s"])


if __name__ == "__main__":
    unittest.main()
