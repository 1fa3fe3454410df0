"""The sentences around a figure: why a run has its letter, and how many runs stand behind it."""
from .data import WORST_FIRST
from .words import clipped, counted, seconds, sentence

WHERE_TO_RUN = "Commands are meant to be run in the data directory."
SENTENCE_MOST = 600  # characters: longer ones are cut, so that no run can make the page too long

# Which property explains a letter, best first.
_EXPLAINS = {
    "V": ("mutual exclusion", "ownership", "latch", "resource", "fencing tokens", "re-entrancy"),
    "F": ("mutual exclusion", "ownership"),
    "D": ("progress",),
    "L": ("progress",),
    "E": ("operation",),
}
_MARKS = {"violated": "✗", "holds": "✓", "unknown": "?"}


def violated_sentence(verdicts):
    """Of the verdict that explains the letter; empty if none does."""
    violated = {verdict["property"]: verdict.get("sentence", "") for verdict in verdicts.get("verdicts", [])
                if verdict["judgement"] == "violated"}
    for name in _EXPLAINS.get(verdicts["letter"], ()):
        if violated.get(name):
            return clipped(violated[name], SENTENCE_MOST)
    return clipped(next(iter(violated.values()), ""), SENTENCE_MOST)


def what_came_of_it(verdicts):
    """Of two holders: what was lost by them, which write a token kept out, or that nothing of the kind happened."""
    if verdicts["letter"] not in ("V", "F"):
        return ""
    told = violated_sentence(verdicts)
    by_name = {verdict["property"]: verdict for verdict in verdicts.get("verdicts", [])}
    for name in ("resource", "fencing tokens", "latch"):
        verdict = by_name.get(name, {"judgement": ""})
        words = verdict.get("sentence") or ""
        is_it = "rejected" in words if verdicts["letter"] == "F" else verdict["judgement"] == "violated"
        if is_it:
            return "" if words == told else clipped(words, SENTENCE_MOST)
    return "" if verdicts.get("shows_its_letter", True) else clipped(verdicts.get("sentence", ""), SENTENCE_MOST)


def cause(verdicts, faults=()):
    """The sentences of cause: which faults struck, and what came of it."""
    pieces = [f"At {seconds(time)} {who}{':' if what.startswith(('its ', 'the ')) else ''} {what}"
              for time, who, what in list(faults)[:3]]
    result = " ".join(sentence(clipped(piece, SENTENCE_MOST)) for piece in pieces)
    what = violated_sentence(verdicts) or verdicts.get("sentence", "")
    in_the_end = what_came_of_it(verdicts)
    return " ".join(piece for piece in (result, sentence(clipped(what, SENTENCE_MOST)), sentence(in_the_end)) if piece)


def verdict_lines(verdicts):
    """(mark, property, sentence), what is violated first, what was not checked last."""
    order = {"violated": 0, "unknown": 1, "holds": 2}
    lines = [(order.get(verdict["judgement"], 3), _MARKS.get(verdict["judgement"], "–"), clipped(verdict["property"], 60),
              clipped(verdict.get("sentence") or verdict["judgement"], SENTENCE_MOST))
             for verdict in verdicts.get("verdicts", [])]
    lines.sort(key=lambda line: line[0])
    findings = [(4, "·", clipped(finding["about"], 60), clipped(finding.get("sentence", ""), SENTENCE_MOST))
                for finding in verdicts.get("service", [])]
    return [line[1:] for line in lines + findings]


def runs_text(cell):
    """412 runs: 100 V, 12 L, 300 S"""
    counts = [f"{cell.runs_by_letter[letter]:,} {letter}" for letter in WORST_FIRST if cell.runs_by_letter.get(letter)]
    return counted(cell.runs, "run") + (f": {', '.join(counts)}" if counts else "")


def shrunk_text(verdicts):
    shrunk = verdicts.get("shrunk") or {}
    pieces = [counted(shrunk[name], name[:-1]) for name in ("clients", "faults", "steps") if shrunk.get(name)]
    text = f"The shortest story that still shows it: {', '.join(pieces)}." if pieces else ""
    if shrunk.get("least"):
        text += f" The least that breaks it: {clipped(shrunk['least'], SENTENCE_MOST).rstrip('.')}."
    return text.strip()


def confirmed_text(verdicts):
    if "confirmed" not in verdicts:
        return ""
    words = clipped(verdicts.get("confirmation") or "", SENTENCE_MOST)
    if words:
        return sentence(words)
    return "Confirmed on the real server." if verdicts["confirmed"] else "Not confirmed on the real server."


def replay(cell):
    """The command that shows what is told: the shrunk run's if there is one, else the worst run's as it was found."""
    return ((cell.verdicts or {}).get("shrunk") or {}).get("command") or cell.worst


def headline(data):
    """The answer in a few sentences. Each lock is counted once, by its worst letter."""
    of_letter = {letter: [lock for lock in data.locks if lock.letter == letter] for letter in WORST_FIRST}
    text = (f"{len(of_letter['V'])} of {counted(len(data.locks), 'lock')} let two clients in at once, or lost what "
            "they protect, under some fault.")
    if of_letter["F"]:
        text += (f" {counted(len(of_letter['F']), 'lock')} let two in under some fault, but with a token by which "
                 "storage refuses the stale one.")
    stuck = sum(len(of_letter[letter]) for letter in "DEUL")
    if stuck:
        text += f" {counted(stuck, 'lock')} never let two in, but got stuck or failed."
    clean = of_letter["S"]
    if clean:
        names = ", ".join(lock.id for lock in clean[:4]) + (" and others" if len(clean) > 4 else "")
        text += f" {counted(len(clean), 'lock')} held everywhere: {names}."
    return text
