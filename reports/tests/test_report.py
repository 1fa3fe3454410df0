"""The whole report: complete, escaped, tolerant of what is missing, strict with what is broken, the same every time."""
import contextlib
import html.parser
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
import xml.dom.minidom
from pathlib import Path

from PIL import Image

from holdfast_report import narrative, page
from holdfast_report.data import load
from holdfast_report.main import picture_main, report_main

from .samples import HOSTILE, event, pause_events, verdicts, write_data, write_history, write_json


class Outline(html.parser.HTMLParser):
    """Ids, links and elements of a page; scripts as text."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.elements, self.attributes = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        for name, value in attrs:
            self.attributes.append(name)
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                self.links.append(value)


def processes_of_session(session):
    """Those that run: one that ended may wait for whoever adopted it to notice."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, its_session = path.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append(int(path.parent.name))
    return found


def end_session(session):
    for process in processes_of_session(session):
        os.kill(process, signal.SIGKILL)


class ReportTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.data = self.place / "data"
        self.output = self.place / "report.html"

    def report(self, *more, expected=0):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = report_main([str(self.data), "-o", str(self.output), *more])
        self.assertEqual(code, expected, said.getvalue())
        return said.getvalue()

    def expect_trouble(self, *words):
        said = self.report(expected=2)
        for word in words:
            self.assertIn(word, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertTrue(said.startswith("holdfast: "))
        self.assertFalse(self.output.exists())
        self.assertEqual([path.name for path in self.place.iterdir()], ["data"], "nothing half-made is left")

    def test_every_cell_leads_to_its_story_and_every_id_is_its_own(self):
        write_data(self.data)
        self.report()
        outline = Outline(self.output.read_text())
        self.assertEqual(len(outline.ids), len(set(outline.ids)))
        for link in outline.links:
            self.assertTrue(link == "data:," or link[0] == "#", link)
            if link[0] == "#":
                self.assertIn(link[1:], outline.ids)
        for anchor in ("sample--none", "sample--pause", "other--none", "other--pause"):
            self.assertIn(anchor, outline.ids)

    def test_everything_that_was_given_is_in_the_page(self):
        write_data(self.data)
        self.report()
        text = self.output.read_text()
        for words in ("Holds while no pause", "Safe below the time to live", "Throughput of sample", "Latency of sample",
                      "1,000 runs beyond the matrix", "all there are with 3 clients and 2 faults", "a queue", "re-entrant", "c1 believed to hold", "prefers-color-scheme",
                      "@media print", "20 runs: 20 V"):
            self.assertIn(words, text)
        self.assertNotIn("Not in this report", text)

    def test_a_story_says_what_its_letter_rests_on_and_what_was_not_tried(self):
        write_data(self.data)
        self.report()
        page = self.output.read_text()
        for text in ("two-threads", "1,234", "more than one fault in a run", "Claimed and not kept: fairness",
                     "Who lost the lock was told of it: never"):
            self.assertIn(text, page)

    def test_what_is_missing_is_said_in_one_sentence_each(self):
        write_data(self.data, everything=False)
        self.report()
        text = self.output.read_text()
        self.assertIn("Not in this report", text)
        for words in ("The features of the locks are left out", "The certificates are left out", "The envelopes are left out",
                      "Throughput and latency are left out", "Exploration is left out"):
            self.assertIn(words, text)

    def test_a_matrix_alone_is_enough(self):
        write_data(self.data, everything=False)
        for path in (self.data / "stories").iterdir():
            path.unlink()
        self.report()
        self.assertIn("The stories are left out", self.output.read_text())

    def test_names_and_texts_with_markup_are_only_text(self):
        lock = "evil<b>'\"&amp;" + HOSTILE.replace("/", "")
        write_data(self.data, locks=(lock, "../up"), summary=HOSTILE)
        events = pause_events(text=HOSTILE)
        for item in events:
            if item["type"] == "applied":
                item["text"] = f"SET {HOSTILE} → {HOSTILE}"
        path = self.data / "stories" / f"{lock}--pause.json"
        write_json(path, verdicts(events, sentence=HOSTILE, confirmed=True, confirmation=HOSTILE,
                                  shrunk={"clients": 2, "faults": 1, "steps": 7, "least": HOSTILE, "command": HOSTILE}))
        write_history(path.with_name(f"{lock}--pause.jsonl"), events)
        campaign = {"runs": 1, "never_reached": [HOSTILE], "targets": [
            {"lock": HOSTILE, "strategy": HOSTILE, "runs": 1, "findings": [
                {"letter": "V", "clients": 1, "faults": 1, "steps": 1, "least": HOSTILE, "command": HOSTILE}]}]}
        write_json(self.data / "campaign.json", campaign)
        self.report("--markdown", str(self.place / "summary.md"), "--figures", str(self.place / "figures"))
        text = self.output.read_text()
        outline = Outline(text)
        self.assertEqual(outline.elements.count("script"), 1)
        self.assertNotIn("img", outline.elements)
        self.assertNotIn("onerror", outline.attributes)
        self.assertNotIn("\u202e", text)
        self.assertNotIn("\x01", text)
        self.assertEqual(len(outline.ids), len(set(outline.ids)))
        summary = (self.place / "summary.md").read_text()
        outside_code = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", summary)
        self.assertEqual(re.findall(r"(?<!\\)<(?!/?details>|/?summary>).*", outside_code), [])
        for figure in (self.place / "figures").glob("*.svg"):
            xml.dom.minidom.parse(str(figure))
        self.assertEqual(sorted(path.name for path in self.place.iterdir()),
                         ["data", "figures", "report.html", "summary.md"])

    def test_the_same_data_gives_the_same_bytes(self):
        write_data(self.data)
        results = []
        for turn in ("a", "b"):
            figures = self.place / turn
            self.report("--figures", str(figures), "--markdown", str(self.place / "summary.md"))
            results.append([self.output.read_bytes(), (self.place / "summary.md").read_bytes(),
                            {path.name: path.read_bytes() for path in sorted(figures.iterdir())}])
        self.assertEqual(results[0], results[1])

    def test_figures_come_as_svg_and_png(self):
        write_data(self.data)
        figures = self.place / "figures"
        self.report("--figures", str(figures))
        names = {path.stem for path in figures.iterdir()}
        for name in ("matrix", "story-sample--pause", "story-sample--none", "story-other--none",
                     "envelope-sample--pause--ttl-1", "throughput-sample", "latency-sample", "throughput-one-client"):
            self.assertIn(name, names)
        self.assertEqual(sorted(path.name for path in figures.iterdir()),
                         sorted(f"{name}.{kind}" for name in names for kind in ("png", "svg")))
        for name in names:
            root = xml.dom.minidom.parse(str(figures / f"{name}.svg")).documentElement
            with Image.open(figures / f"{name}.png") as image:
                image.load()  # every byte of it, with its checksums
                self.assertEqual(image.info["Title"], root.getElementsByTagName("title")[0].firstChild.data)
                for side, dots in zip(("width", "height"), image.size):
                    self.assertAlmostEqual(dots, 2 * float(root.getAttribute(side)), delta=2)
                self.assertGreater(len(set(image.resize((200, 200)).getdata())), 5, f"{name} is empty")

    def test_interrupting_the_figures_leaves_no_worker_and_nothing_half_written(self):
        write_data(self.data, locks=[f"lock-{number}" for number in range(40)])
        figures = self.place / "figures"
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(signal=number):
                said = self.place / "said"
                with said.open("wb") as file:
                    program = subprocess.Popen(
                        [sys.executable, "-B", Path(__file__).parent.parent / "report.py", str(self.data), "-o",
                         str(self.output), "--figures", str(figures)], start_new_session=True, stdout=file, stderr=file)
                self.addCleanup(end_session, program.pid)
                self.wait_until(lambda: any(figures.glob("*.png")))
                # A terminal sends SIGINT to all of them; the others are for one process.
                (os.killpg if number == signal.SIGINT else os.kill)(program.pid, number)
                self.assertEqual((program.wait(timeout=60), said.read_text()), (code, ""))
                self.wait_until(lambda: not processes_of_session(program.pid))
                self.assertEqual([path.name for path in figures.iterdir() if path.suffix not in (".svg", ".png")], [])
                self.assertLess(len(list(figures.iterdir())), 2 * 80, "it was interrupted after its end")
                self.assertFalse(self.output.exists())
                shutil.rmtree(figures)

    def wait_until(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_the_summary_for_a_pull_request_says_what_is_unexpected(self):
        write_data(self.data)
        matrix = json.loads((self.data / "matrix.json").read_text())
        matrix["cells"][1]["expected"] = "S"
        write_json(self.data / "matrix.json", matrix)
        self.report("--markdown", str(self.place / "summary.md"))
        summary = (self.place / "summary.md").read_text()
        self.assertIn("**1 letter not as expected:**", summary)
        self.assertIn("| sample | S 20 | **V** 20 |", summary)
        self.assertLess(len(summary), 65_536)
        self.assertIn("V, not S", self.output.read_text())

    def set_letters(self, letters):
        """{(lock, family): letter}"""
        matrix = json.loads((self.data / "matrix.json").read_text())
        for cell in matrix["cells"]:
            cell["letter"] = letters.get((cell["lock"], cell["family"]), cell["letter"])
        write_json(self.data / "matrix.json", matrix)

    def test_the_headline_counts_each_lock_once_by_its_worst_letter(self):
        write_data(self.data, locks=("violated", "fenced", "stuck", "safe"))
        self.set_letters({("violated", "none"): "F", ("fenced", "pause"): "F", ("stuck", "none"): "D",
                          ("stuck", "pause"): "L", ("safe", "pause"): "S"})
        self.assertEqual(
            narrative.headline(load(self.data)),
            "1 of 4 locks let two clients in at once, or lost what they protect, under some fault. 1 lock let two in "
            "under some fault, but with a token by which storage refuses the stale one. 1 lock never let two in, but "
            "got stuck or failed. 1 lock held everywhere: safe.")

    def test_beside_a_shrunk_story_stands_its_own_command(self):
        write_data(self.data)
        story = self.data / "stories" / "sample--pause.json"
        shrunk = {"clients": 2, "steps": 7, "least": "no fault at all", "command": "holdfast run scenarios/small.json"}
        write_json(story, {**json.loads(story.read_text()), "shrunk": shrunk})
        self.report("--markdown", str(self.place / "summary.md"))
        summary = (self.place / "summary.md").read_text()
        self.assertRegex(summary, r"\*\*V\*\* `sample`, pause: .* — `holdfast run scenarios/small.json`\n")
        self.assertRegex(summary, r"\*\*V\*\* `other`, pause: .* — `holdfast run family-pause --lock other`\n")
        self.assertNotIn("--lock sample`", summary)
        self.assertEqual(summary.count(narrative.WHERE_TO_RUN), 1)
        text = self.output.read_text()
        self.assertEqual(text.count(narrative.WHERE_TO_RUN), 1)
        again, found = '<span class="quiet">Again:</span> <code>', '<span class="quiet">Found as:</span> <code>'
        told = text[text.index('id="sample--pause"'):].split("</article>")[0]
        self.assertIn("7 steps. The least that breaks it: no fault at all.</p>", told)
        self.assertIn(again + "holdfast run scenarios/small.json<", told)
        self.assertIn(found + "holdfast run family-pause --lock sample<", told)
        told = text[text.index('id="other--pause"'):].split("</article>")[0]
        self.assertIn(again + "holdfast run family-pause --lock other<", told)
        self.assertNotIn("Found as", told)

    def test_a_large_run_stays_below_ten_megabytes_by_leaving_out_pictures_of_safe_runs_first(self):
        write_data(self.data, locks=[f"lock-{number}" for number in range(30)])
        loaded = load(self.data)
        whole = len(page.render(loaded).encode())
        limit = page.SIZE_MOST
        self.addCleanup(setattr, page, "SIZE_MOST", limit)
        page.SIZE_MOST = whole * 3 // 4
        small = page.render(loaded)
        self.assertLessEqual(len(small.encode()), whole * 3 // 4 + 20_000)
        self.assertIn("left out to keep this page below 10 MB; holdfast report --figures DIR draws it.", small)
        worst = small.index('id="lock-3--pause"')
        self.assertIn("<svg", small[worst:worst + 1500], "a violation keeps its picture")

    def test_broken_files_are_one_sentence_and_no_output(self):
        for name, content, words in [
            ("matrix.json", "{", "matrix.json is not JSON"),
            ("matrix.json", "[]", "must be an object, not a list"),
            ("matrix.json", '{"format":"x"}', "is not a holdfast-matrix of version 1"),
            ("matrix.json", '{"format":"holdfast-matrix","version":1,"families":[],"cells":[]}', "nothing to report"),
            ("matrix.json", '{"format":"holdfast-matrix","version":1,"cells":[]}', 'has no "families"'),
            ("matrix.json", "[" * 100_000, "matrix.json is not JSON"),
            ("matrix.json", '{"runs": NaN}', "NaN is no JSON"),
            ("matrix.json", b"\xff\xfe\x00{", "matrix.json is not JSON"),
            ("locks.json", "{}", "must be a list"),
            ("locks.json", '[{"kind":"mutex"}]', 'has no "id"'),
            ("locks.json", '[{"id":7}]', '"id" cannot be a number'),
            ("certificates.json", '{"sample":[]}', '"sample" cannot be a list'),
            ("bench_locks.json", '{"locks":[{"lock":"sample","cells":[{"clients":"two"}]}]}', '"clients" cannot be a text'),
            ("bench_locks.json", '{"locks":[{"lock":"sample","cells":[{"clients":-1}]}]}', '"clients" must be a number from 0'),
            ("campaign.json", '{"targets":7}', '"targets" cannot be a number'),
            ("campaign.json", '{"never_reached":[7]}', '"never_reached" must be a list of texts'),
            ("campaign.json", '{"targets":[{"lock":"a","strategy":"b","runs":1,"runs_by_letter":{"Q":1}}]}', "the letters are"),
            ("envelopes/a.json", '{"lock":"sample","x":{"name":"a","values":[1]},"y":{"name":"b","values":[1]},"letters":[["Q"]]}',
             "letters must be a list"),
            ("envelopes/a.json", '{"lock":"sample","x":{"name":"a","values":[1]},"y":{"name":"b","values":[1]},"letters":[[["V"]]]}',
             "letters must be a list"),
            ("envelopes/a.json", '{"lock":"sample","x":{"name":"a","values":["1"]}}', "values must be a list of numbers"),
            ("stories/sample--pause.json", '{"letter":"Q"}', '"letter" must be one of'),
            ("stories/sample--pause.json", '{"letter":"V","verdicts":[{"property":"p","judgement":"j","witness":["a"]}]}', "witness"),
            ("stories/sample--pause.jsonl", "{}", "the type of an event cannot be"),
            ("stories/sample--pause.jsonl", "", "has no events"),
            ("stories/sample--pause.jsonl", '{"type":"ok","time":-1,"process":"c1","operation":"acquire"}', '"time" must be'),
            ("stories/sample--pause.jsonl", '{"type":"applied","time":1,"process":"c1"}', '"server"'),
            ("stories/sample--pause.jsonl", '{"type":"died","time":5,"process":"c1"}\n{"type":"died","time":1,"process":"c1"}',
             "time goes back"),
            ("stories/sample--pause.jsonl", '{"format":"holdfast-history","version":2}', "version 1"),
        ]:
            with self.subTest(name=name, words=words):
                with tempfile.TemporaryDirectory() as directory:
                    self.place = Path(directory)
                    self.data, self.output = self.place / "data", self.place / "report.html"
                    write_data(self.data)
                    (self.data / name).write_bytes(content if isinstance(content, bytes) else content.encode())
                    self.expect_trouble(words)

    def test_a_directory_or_file_that_is_not_there_is_one_sentence(self):
        self.assertIn("no directory", self.report(expected=2))
        self.data.mkdir()
        self.expect_trouble("cannot read", "matrix.json")

    def test_a_place_that_cannot_be_written_is_one_sentence_and_keeps_what_was_there(self):
        write_data(self.data)
        self.output = self.place / "none" / "report.html"
        self.assertIn("cannot write", self.report(expected=2))

    def test_a_bad_option_is_one_sentence(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(report_main(["--nonsense"]), 2)
        self.assertEqual(said.getvalue().count("\n"), 1)


class PictureTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.events = pause_events()
        write_history(self.place / "h.jsonl", self.events)
        write_json(self.place / "v.json", verdicts(self.events))

    def picture(self, output, expected=0):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = picture_main([str(self.place / "h.jsonl"), str(self.place / "v.json"), str(self.place / output)])
        self.assertEqual(code, expected, said.getvalue())
        return said.getvalue()

    def test_svg_has_a_title_a_description_and_the_cause(self):
        self.picture("out.svg")
        document = xml.dom.minidom.parse(str(self.place / "out.svg"))
        self.assertEqual(document.documentElement.getAttribute("role"), "img")
        text = (self.place / "out.svg").read_text()
        for words in ("<title>family-pause, sample, seed 1</title>", "<desc>At 0.001 s c1 pauses for 15 s."):
            self.assertIn(words, text)

    def test_png_is_the_same_every_time(self):
        self.picture("a.png")
        self.picture("b.png")
        self.assertEqual((self.place / "a.png").read_bytes(), (self.place / "b.png").read_bytes())

    def test_a_history_that_was_cut_off_is_drawn_as_far_as_it_goes(self):
        write_history(self.place / "h.jsonl", self.events[:6], whole=False)
        self.picture("out.svg")

    def test_a_sentence_stays_one_line_whatever_it_quotes(self):
        verdict = verdicts(self.events)
        verdict["letter"] = "\n\r\x1b[31m"
        write_json(self.place / "v.json", verdict)
        said = self.picture("out.svg", expected=2)
        self.assertEqual((said.count("\n"), "\r" in said, "\x1b" in said), (1, False, False), said)

    def test_other_endings_are_refused(self):
        self.assertIn("must end in .svg or .png", self.picture("out.jpg", expected=2))

    def test_a_dollar_sign_is_no_formula(self):
        self.events[4]["text"] = "costs $5$ and {more}"
        write_history(self.place / "h.jsonl", self.events)
        self.picture("out.png")

    def test_letters_that_the_font_lacks_are_drawn_without_a_word(self):
        self.events[4]["text"] = "stops for \u4e00\u6b21, \U0001f512"
        write_history(self.place / "h.jsonl", self.events)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(self.picture("out.png"), "")

    def test_threads_of_one_process_have_a_lane_each(self):
        events = [event(0, "invoke", operation="acquire", session=1), event(0, "ok", operation="acquire", session=1),
                  event(1, "invoke", operation="acquire", session=2, thread=2),
                  event(1, "ok", operation="acquire", session=2, thread=2)]
        write_history(self.place / "h.jsonl", events)
        write_json(self.place / "v.json", verdicts(events))
        self.picture("out.svg")
        text = (self.place / "out.svg").read_text()
        self.assertIn("c1:2", text)
        self.assertIn("data-is=\"overlap\"", text)


if __name__ == "__main__":
    unittest.main()
