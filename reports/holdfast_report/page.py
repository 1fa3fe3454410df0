"""The page: everything in one file, without anything from the network, below a limit of size."""
import pkgutil
from dataclasses import dataclass, field

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from . import charts, narrative, palette, spacetime, svg
from .data import LETTERS, WORST_FIRST
from .history import read_history
from .story import make_story
from .trouble import Trouble
from .words import clipped, counted, printable, slug

SIZE_MOST = 9_500_000        # bytes; the promise is 10 MB
PICTURE_MOST = 150_000       # of one picture
WIDE_FROM = 780              # pixels: beside a wider picture there is no room for text
TEXT_MOST = 4_000            # characters of what is told about a lock
CAMPAIGN_MOST = 500          # rows


@dataclass
class ToldStory:
    """What the page says of a cell of the matrix."""
    cell: object
    family: object
    anchor: str
    cause: str
    picture: Markup | None = None
    is_wide: bool = False
    no_picture: str = ""
    verdicts: list = field(default_factory=list)
    left_out: int = 0


def render(data):
    stories = {lock.id: _tell_lock(data, lock) for lock in data.locks}
    page = _fill_template(data, stories)
    if len(page.encode("utf-8", "replace")) > SIZE_MOST:
        _drop_pictures(stories, len(page.encode("utf-8", "replace")) - SIZE_MOST)
        page = _fill_template(data, stories)
    size = len(page.encode("utf-8", "replace"))
    if size > 10_000_000:
        raise Trouble(f"the page would have {size:,} bytes, even without pictures; "
                      "report fewer locks, with holdfast matrix --lock PATTERN")
    return page


def story_drawing(cell):
    """The diagram of a cell's story and the story itself; the trouble of reading it is the caller's."""
    story = make_story(read_history(cell.history_path), cell.verdicts)
    cause = narrative.cause(cell.verdicts, story.faults)
    title = f"Space–time diagram: {cell.lock} under {cell.family}"
    return spacetime.draw(story, title, cause), story, cause


def anchor_of(cell):
    return f"{slug(cell.lock)}--{slug(cell.family)}"


def _tell_lock(data, lock):
    told = []
    for family in data.families:
        cell = lock.cells.get(family.name)
        if cell is None or cell.letter == "–":
            continue
        told.append(_tell(cell, family))
    return told


def _tell(cell, family):
    anchor = anchor_of(cell)
    if cell.verdicts is None:
        return ToldStory(cell, family, anchor, LETTERS[cell.letter].capitalize() + ".",
                         no_picture="Its story is not among the data of this report.")
    told = ToldStory(cell, family, anchor, narrative.cause(cell.verdicts), verdicts=narrative.verdict_lines(cell.verdicts))
    if cell.history_path is None:
        told.no_picture = "There is no picture: its history is not among the data of this report."
        return told
    drawing, story, told.cause = story_drawing(cell)
    told.left_out = story.left_out
    picture = svg.inline(drawing, f"p-{anchor}")
    if len(picture) > PICTURE_MOST:
        told.no_picture = "The picture is left out: it would be too large for a page."
    else:
        told.picture = Markup(picture)
        told.is_wide = drawing.width > WIDE_FROM
    return told


def _drop_pictures(stories, surplus):
    """Until the page is small enough: those of safe runs first, those of violations last."""
    told = [story for lock_stories in stories.values() for story in lock_stories if story.picture is not None]
    told.sort(key=lambda story: WORST_FIRST.index(story.cell.letter))
    while surplus > 0 and told:
        story = told.pop()
        surplus -= len(story.picture.encode("utf-8"))
        story.picture = None
        story.no_picture = ("The picture is left out to keep this page below 10 MB; holdfast report --figures DIR "
                            "draws it.")


def _fill_template(data, stories):
    environment = Environment(autoescape=True, loader=FunctionLoader(_template), undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(slug=slug, clipped=clipped, printable=printable)
    cells = data.cells
    tally = {letter: sum(1 for cell in cells if cell.letter == letter) for letter in WORST_FIRST}
    return printable_page(environment.get_template("page.html").render(
        data=data, stories=stories, letters=LETTERS, tally=tally, counted=counted, narrative=narrative,
        roles=palette.LETTER_ROLES,
        style=Markup(_style()), script=Markup(_template("page.js")), anchor_of=anchor_of, text_most=TEXT_MOST,
        envelopes=_envelopes(data), bench=_bench(data), benched=[lock for lock in data.locks if lock.bench],
        campaign=data.campaign, campaign_most=CAMPAIGN_MOST,
        unexpected=[cell for cell in cells if cell.is_unexpected]))


def printable_page(page):
    """Lone surrogates cannot be written; everything else was made printable where it was escaped."""
    return page.encode("utf-8", "replace").decode("utf-8")


def _template(name):
    content = pkgutil.get_data(__package__, f"templates/{name}")
    return content.decode("utf-8")


def _style():
    return (f":root{{{palette.variables(0)}}}@media(prefers-color-scheme:dark){{:root{{{palette.variables(1)}}}}}"
            f"@media print{{:root{{{palette.variables(0)}}}}}" + palette.role_rules(".fig ") + _template("page.css"))


def _envelopes(data):
    return {lock.id: [Markup(svg.inline(charts.envelope_drawing(envelope), f"e-{slug(lock.id)}-{number}"))
                      for number, envelope in enumerate(lock.envelopes)] for lock in data.locks}


def _bench(data):
    """Of each lock that was measured, its two charts; and the chart that compares them."""
    result = {lock.id: [Markup(svg.inline(drawing, f"b-{slug(lock.id)}-{number}"))
                        for number, drawing in enumerate(bench_drawings(lock))] for lock in data.locks if lock.bench}
    comparison = comparison_drawings(data)
    return {"locks": result, "comparison": [Markup(svg.inline(drawing, f"b--{number}"))
                                            for number, drawing in enumerate(comparison)]}


def bench_drawings(lock):
    cells = lock.bench["cells"]
    if not cells:
        return []
    own = [(cell["clients"], cell["cycles_per_second"]) for cell in cells if not cell["contended"]]
    one = [(cell["clients"], cell["cycles_per_second"]) for cell in cells if cell["contended"]]
    name = clipped(lock.id, 80)
    throughput = charts.line_chart(f"Throughput of {name}", "Acquire and release a second, by the number of clients.",
                                   "cycles a second", [("a key each", own), ("one key", one)])
    latency = charts.line_chart(
        f"Latency of {name}", "How long an acquire takes when all clients want one key.", "acquire on one key, µs",
        [(percentile, [(cell["clients"], cell[percentile]) for cell in cells if cell["contended"]])
         for percentile in ("p50", "p95", "p99")])
    return [throughput, latency]


def comparison_drawings(data):
    drawings = []
    for contended, title in ((False, "One client, a key of its own: cycles a second"),
                             (True, "Most clients on one key: cycles a second")):
        rows = []
        for lock in data.locks:
            cells = [cell for cell in (lock.bench or {}).get("cells", []) if cell["contended"] == contended]
            if cells:
                pick = min if not contended else max
                cell = pick(cells, key=lambda cell: cell["clients"])
                value = cell["cycles_per_second"] or 0
                rows.append((lock.id, value, f"{value:,.0f}" + (f" ({cell['clients']} clients)" if contended else "")))
        if rows:
            rows.sort(key=lambda row: -row[1])
            drawings.append(charts.bar_chart(title, title, rows, ""))
    return drawings
