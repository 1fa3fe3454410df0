"""The command lines of report.py and picture.py. Trouble is one sentence on standard error and exit code 2."""
import argparse
import sys
from pathlib import Path

from . import data, files, markdown, narrative, page, spacetime, svg
from .history import read_history
from .story import make_story
from .trouble import Trouble
from .words import on_one_line


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Trouble(f"{message}; {self.prog} --help shows how")


def report_main(arguments):
    return _told(_report, arguments)


def picture_main(arguments):
    return _told(_picture, arguments)


def _told(action, arguments):
    try:
        action(arguments)
        return 0
    except Trouble as trouble:
        print(f"holdfast: {on_one_line(trouble)}", file=sys.stderr)
        return 2
    except OSError as problem:  # one that nobody thought of, but still no reason for a traceback
        print(f"holdfast: the report cannot be made: {on_one_line(problem)}", file=sys.stderr)
        return 2
    except (RecursionError, MemoryError) as problem:
        print(f"holdfast: the data of the report is beyond what can be read ({type(problem).__name__})", file=sys.stderr)
        return 2


def _report(arguments):
    parser = _Parser(prog="holdfast report", description="Makes the report of a data directory.")
    parser.add_argument("directory", metavar="DIR", help="with matrix.json, locks.json, stories and so on")
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="the page (report.html)")
    parser.add_argument("--figures", metavar="DIR", help="also write every figure here, as SVG and PNG")
    parser.add_argument("--markdown", metavar="FILE", help="also write a summary for a pull request")
    options = parser.parse_args(arguments)
    loaded = data.load(options.directory)
    content = page.render(loaded)
    # Everything that can fail has not failed: now write.
    if options.figures:
        from . import figures  # matplotlib takes a second to load
        figures.write_all(loaded, Path(options.figures))
    if options.markdown:
        files.write_whole(options.markdown, markdown.summary(loaded))
    files.write_whole(options.output, content)


def _picture(arguments):
    parser = _Parser(prog="holdfast run --picture", description="Draws one run as a space–time diagram.")
    parser.add_argument("history", metavar="HISTORY.jsonl")
    parser.add_argument("verdicts", metavar="VERDICTS.json")
    parser.add_argument("picture", metavar="OUT.svg|OUT.png")
    options = parser.parse_args(arguments)
    kind = Path(options.picture).suffix.lower()
    if kind not in (".svg", ".png"):
        raise Trouble(f"{options.picture} must end in .svg or .png, to say what kind of picture it will be")
    verdicts = data.checked_verdicts(options.verdicts)
    story = make_story(read_history(options.history), verdicts)
    cause = narrative.cause(verdicts, story.faults)
    title = f"{verdicts.get('scenario', 'run')}, {verdicts.get('lock', 'lock')}, seed {verdicts.get('seed', '?')}"
    drawing = spacetime.with_caption(spacetime.draw(story, title, cause), verdicts["letter"], title, cause)
    if kind == ".svg":
        files.write_whole(options.picture, svg.standalone(drawing))
    else:
        from . import png
        files.write_whole(options.picture, png.png_bytes(drawing))
