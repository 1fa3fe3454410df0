"""The data directory of a report: what must be there, what may be, and which of it is wrong.

Everything that comes out of here has the types the rest relies on. Text may still hold anything: it is
escaped where it is written.
"""
from dataclasses import dataclass, field
from pathlib import Path

from .files import is_file, read_json
from .trouble import Trouble

LETTERS = {
    "V": "violated: two holders, and nothing protects the resource",
    "F": "fenced: two holders, but the token lets storage reject the stale one",
    "D": "stuck for ever: nobody holds the lock and nobody will ever get it",
    "E": "an operation of the lock is always an error",
    "U": "undecided: stopped before it was known whether the lock comes free, or what it was about never happened",
    "L": "stuck for a while: nobody holds the lock, yet nobody gets it until it expires",
    "S": "safe: one holder at a time, and the lock comes free again at once",
    "–": "not applicable",
}
WORST_FIRST = list(LETTERS)
LONGEST_NAME = 100


@dataclass
class Cell:
    lock: str
    family: str
    letter: str
    runs: int
    runs_by_letter: dict
    expected: str | None
    worst: str | None
    longest_wait_ns: int
    verdicts: dict | None = None      # stories/LOCK--FAMILY.json
    history_path: Path | None = None  # stories/LOCK--FAMILY.jsonl
    shapes: list = field(default_factory=list)     # what was tried: {"shape", "runs", "seeds", "placements", "left_out"}
    not_tried: list = field(default_factory=list)  # sentences without an end
    broken_claims: list = field(default_factory=list)
    loss: str = ""                                 # what a holder that lost the lock was told

    @property
    def is_unexpected(self):
        return self.expected is not None and self.expected != self.letter


@dataclass
class Lock:
    id: str
    kind: str = ""
    summary: str = ""
    source: str = ""
    lease_ms: int = 0
    servers: dict = field(default_factory=dict)    # {"redis": 5}
    features: dict = field(default_factory=dict)   # {"re-entrant": True}
    certificate: str = ""
    cells: dict = field(default_factory=dict)      # family → Cell
    envelopes: list = field(default_factory=list)
    bench: dict | None = None

    @property
    def letter(self):
        """The worst of its row."""
        letters = [cell.letter for cell in self.cells.values()]
        return min(letters, key=WORST_FIRST.index) if letters else "–"

    @property
    def worst_cell(self):
        """The one to tell first: of the worst letter, where the story is there and the fault is simplest."""
        worst = [cell for cell in self.cells.values() if cell.letter == self.letter]
        with_story = [cell for cell in worst if cell.verdicts is not None]
        return (with_story or worst or [None])[0]


@dataclass
class Family:
    name: str
    title: str


@dataclass
class Envelope:
    lock: str
    x: dict                 # {"name", "unit", "values"}
    y: dict
    letters: list           # a row for each value of y
    border: list
    certificate: str


@dataclass
class ReportData:
    seed: int
    runs: int
    families: list
    locks: list
    bench_server: str = ""
    bench_milliseconds: float | None = None
    campaign: dict | None = None
    left_out: list = field(default_factory=list)   # sentences

    @property
    def cells(self):
        return [cell for lock in self.locks for cell in lock.cells.values()]


class Field:
    """Takes values out of an object by type; one that is wrong is named by file and place."""

    def __init__(self, value, where):
        self.where = where
        if not isinstance(value, dict):
            raise Trouble(f"{where} must be an object, not {kind_of(value)}; write it again with holdfast")
        self.value = value

    def get(self, name, types, default=None):
        found = self.value.get(name)
        if found is None:
            if default is None:
                raise Trouble(f'{self.where} has no "{name}"; write it again with holdfast')
            return default
        is_flag = isinstance(found, bool) and types is not bool
        if is_flag or not isinstance(found, types):
            raise Trouble(f'{self.where}: "{name}" cannot be {kind_of(found)}; write it again with holdfast')
        return found

    def text(self, name, default=None):
        return self.get(name, str, default)

    def name(self, name):
        """Of a lock or a family: files and places of the page are called by it."""
        text = self.text(name)
        if len(text.encode("utf-8", "replace")) > LONGEST_NAME:
            raise Trouble(f'{self.where}: "{name}" is longer than {LONGEST_NAME} bytes, which no name of holdfast is')
        return text

    def whole(self, name, default=None):
        number = self.get(name, int, default)
        if not 0 <= number < 2**63:
            raise Trouble(f'{self.where}: "{name}" must be a number from 0 to 2^63, not {number}')
        return number

    def letter(self, name):
        letter = self.text(name)
        if letter not in LETTERS:
            raise Trouble(f'{self.where}: "{name}" must be one of {" ".join(LETTERS)}, not "{letter[:20]}"')
        return letter

    def items(self, name, default=None):
        return [Field(item, f"{self.where}, {name}[{index}]")
                for index, item in enumerate(self.get(name, list, default))]


def kind_of(value):
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number",
             float: "a number", type(None): "null"}
    return names[type(value)]


def load(directory):
    directory = Path(directory)
    try:
        is_there = directory.is_dir()
    except OSError:  # a name that is too long
        is_there = False
    if not is_there:
        raise Trouble(f"{directory} is no directory with the data of a report; holdfast report --help says what is")
    matrix = Field(read_json(directory / "matrix.json"), directory / "matrix.json")
    if matrix.value.get("format") != "holdfast-matrix" or matrix.value.get("version") != 1:
        raise Trouble(f"{matrix.where} is not a holdfast-matrix of version 1; "
                      "holdfast matrix --json writes one")
    families = [Family(item.name("name"), item.text("title", "")) for item in matrix.items("families")]
    data = ReportData(matrix.whole("seed", 0), matrix.whole("runs", 0), families, [])
    _add_locks(data, directory, matrix)
    _add_stories(data, directory)
    _add_certificates(data, directory)
    _add_envelopes(data, directory)
    _add_bench(data, directory)
    _add_campaign(data, directory)
    return data


def _add_locks(data, directory, matrix):
    catalog = {}
    if _is_there(data, directory / "locks.json", "The features of the locks are",
                 "holdfast list locks --json"):
        value = read_json(directory / "locks.json")
        if not isinstance(value, list):
            raise Trouble(f"{directory / 'locks.json'} must be a list; holdfast list locks --json prints one")
        for index, item in enumerate(value):
            lock = _lock_from(Field(item, f"{directory / 'locks.json'}, [{index}]"))
            catalog[lock.id] = lock
    known_families = {family.name for family in data.families}
    locks = {}
    for item in matrix.items("cells"):
        counts = Field(item.get("runs_by_letter", dict, {}), f"{item.where}, runs_by_letter")
        cell = Cell(item.name("lock"), item.name("family"), item.letter("letter"), item.whole("runs"),
                    {letter: counts.whole(letter) for letter in counts.value}, item.text("expected", "") or None,
                    item.text("worst", "") or None, item.whole("longest_wait_ns", 0))
        _add_scope(cell, item)
        if cell.family not in known_families:
            raise Trouble(f'{item.where}: the family "{cell.family[:60]}" is not among the families of the file')
        lock = locks.setdefault(cell.lock, catalog.get(cell.lock) or Lock(cell.lock))
        lock.cells[cell.family] = cell
    data.locks = list(locks.values())
    if not data.locks or not data.families:
        raise Trouble(f"{matrix.where} has no cells, so there is nothing to report; holdfast matrix --json writes some")


def _add_scope(cell, item):
    """What the letter rests on; an older matrix does not say."""
    scope = Field(item.get("scope", dict, {}), f"{item.where}, scope")
    for shape in scope.items("shapes", []):
        row = {"shape": shape.text("shape")}
        row.update({name: shape.whole(name, 0) for name in ("runs", "seeds", "placements", "left_out")})
        cell.shapes.append(row)
    cell.not_tried = _texts(scope, "not_tried")
    cell.broken_claims = _texts(item, "broken_claims")
    cell.loss = item.text("loss", "")


def _texts(item, name):
    texts = item.get(name, list, [])
    if not all(isinstance(text, str) for text in texts):
        raise Trouble(f'{item.where}: "{name}" must be a list of texts; write it again with holdfast')
    return texts


def _lock_from(item):
    features = {name: bool(value) for name, value in item.get("features", dict, {}).items()}
    servers = {name[:-len("_servers")]: item.whole(name) for name in item.value
               if name.endswith("_servers") and item.value[name]}
    return Lock(item.name("id"), item.text("kind", ""), item.text("summary", ""), item.text("source", ""),
                item.whole("lease_ms", 0), servers, features)


def _add_stories(data, directory):
    stories = directory / "stories"
    missing = 0
    for cell in data.cells:
        name = f"{cell.lock}--{cell.family}"
        path = stories / f"{name}.json"
        if "/" in name or not is_file(path):
            missing += cell.worst is not None
            continue
        cell.verdicts = checked_verdicts(path)
        history = stories / f"{name}.jsonl"
        cell.history_path = history if is_file(history) else None
    if missing == len([cell for cell in data.cells if cell.worst]):
        data.left_out.append("The stories are left out: there is no directory stories with LOCK--FAMILY.json and .jsonl.")
    elif missing:
        data.left_out.append(f"{missing} stories are left out: stories has no file for them.")


def checked_verdicts(path):
    """What holdfast run --json printed into that file."""
    story = Field(read_json(path), path)
    story.letter("letter")
    for verdict in story.items("verdicts", []):
        verdict.text("property"), verdict.text("judgement"), verdict.text("sentence", "")
        if not all(type(number) is int for number in verdict.get("witness", list, [])):
            raise Trouble(f"{verdict.where}: the witness must be a list of event numbers")
    for finding in story.items("service", []):
        finding.text("about"), finding.text("sentence", "")
    for name_of_text in ("sentence", "replay", "confirmation", "end", "place", "fingerprint"):
        story.text(name_of_text, "")
    story.get("shows_its_letter", bool, True)
    shrunk = story.get("shrunk", dict, {})
    if shrunk:
        least = Field(shrunk, f"{path}, shrunk")
        least.text("least", ""), least.text("command", "")
        for number in ("clients", "faults", "steps"):
            least.whole(number, 0)
    return story.value


def _add_certificates(data, directory):
    if not _is_there(data, directory / "certificates.json", "The certificates are"):
        return
    certificates = Field(read_json(directory / "certificates.json"), directory / "certificates.json")
    for lock in data.locks:
        lock.certificate = certificates.text(lock.id, "")


def _add_envelopes(data, directory):
    paths = sorted((directory / "envelopes").glob("*.json"))
    by_id = {lock.id: lock for lock in data.locks}
    for path in paths:
        item = Field(read_json(path), path)
        axes = []
        for name in ("x", "y"):
            axis = Field(item.get(name, dict), f"{path}, {name}")
            values = axis.get("values", list)
            if not values or not all(type(value) in (int, float) for value in values):
                raise Trouble(f"{axis.where}: the values must be a list of numbers, at least one")
            axes.append({"name": axis.text("name"), "unit": axis.text("unit", ""), "values": values})
        rows = item.get("letters", list)
        is_whole = len(rows) == len(axes[1]["values"]) and all(
            isinstance(row, list) and len(row) == len(axes[0]["values"])
            and all(isinstance(cell, str) and cell in LETTERS for cell in row)
            for row in rows)
        if not is_whole:
            raise Trouble(f"{path}: letters must be a list of one row per value of y, each with a letter per value of x")
        border = []
        for point in item.items("border", []):
            border.append({name: point.get(name, (int, float), 0) if point.value.get(name) is not None else None
                           for name in ("y", "holds", "safe", "broken")})
        envelope = Envelope(item.name("lock"), axes[0], axes[1], rows, border, item.text("certificate", ""))
        if envelope.lock in by_id:
            by_id[envelope.lock].envelopes.append(envelope)
        else:
            data.left_out.append(f'The envelope of "{envelope.lock}" is left out: the matrix has no such lock.')
    if not paths:
        data.left_out.append("The envelopes are left out: there is no directory envelopes with LOCK--X--Y.json.")


def _add_bench(data, directory):
    if not _is_there(data, directory / "bench_locks.json", "Throughput and latency are",
                     "holdfast bench locks --json"):
        return
    bench = Field(read_json(directory / "bench_locks.json"), directory / "bench_locks.json")
    data.bench_server = bench.text("server", "")
    data.bench_milliseconds = bench.get("milliseconds", (int, float), 0) or None
    by_id = {lock.id: lock for lock in data.locks}
    for item in bench.items("locks", []):
        cells = [_bench_cell(cell) for cell in item.items("cells", [])]
        lock = by_id.get(item.text("lock"))
        if lock is not None:
            lock.bench = {"cells": cells, "not_measured": item.text("not_measured", ""),
                          "no_ratio": item.text("no_ratio", "")}


def _bench_cell(cell):
    number = (int, float)
    latency = Field(cell.get("acquire_us", dict, {}), f"{cell.where}, acquire_us")
    result = {"clients": cell.whole("clients"), "contended": cell.get("contended", bool, False)}
    for name in ("cycles_per_second", "commands_per_cycle", "jain", "ratio", "server_cpu_us_per_cycle"):
        result[name] = cell.get(name, number, 0) if cell.value.get(name) is not None else None
    for name in ("p50", "p95", "p99", "max"):
        result[name] = latency.get(name, number, 0) if latency.value.get(name) is not None else None
    return result


def _add_campaign(data, directory):
    if not _is_there(data, directory / "campaign.json", "Exploration is", "holdfast explore --out DIR"):
        return
    campaign = Field(read_json(directory / "campaign.json"), directory / "campaign.json")
    never = campaign.get("never_reached", list, [])
    if not all(isinstance(mark, str) for mark in never):
        raise Trouble(f'{campaign.where}: "never_reached" must be a list of texts; write it again with holdfast')
    data.campaign = {"runs": campaign.whole("runs", 0), "never_reached": never,
                     "targets": [_campaign_target(item) for item in campaign.items("targets", [])]}


def _campaign_target(item):
    letters = Field(item.get("runs_by_letter", dict, {}), f"{item.where}, runs_by_letter")
    if any(letter not in LETTERS for letter in letters.value):
        raise Trouble(f"{letters.where}: the letters are {' '.join(LETTERS)}; write it again with holdfast")
    findings = [{"letter": finding.letter("letter"), "clients": finding.whole("clients"),
                 "faults": finding.whole("faults"), "steps": finding.whole("steps"),
                 "least": finding.text("least", ""), "command": finding.text("command", "")}
                for finding in item.items("findings", [])]
    return {"lock": item.name("lock"), "strategy": item.text("strategy"), "runs": item.whole("runs"),
            "clients": item.whole("clients", 0), "faults": item.whole("faults", 0),
            "has_every_run": item.get("has_every_run", bool, False),
            "runs_by_letter": {letter: letters.whole(letter) for letter in WORST_FIRST if letter in letters.value},
            "findings": findings}


def _is_there(data, path, what, command=""):
    if is_file(path):
        return True
    written = f" ({command} writes one)" if command else ""
    data.left_out.append(f"{what} left out: there is no {path.name}{written}.")
    return False
