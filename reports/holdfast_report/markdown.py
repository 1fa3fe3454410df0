"""A summary for a pull request: the matrix as letters, what is unexpected, and what broke, in Markdown."""
import re

from . import narrative
from .data import LETTERS
from .words import clipped, counted, printable

SIZE_MOST = 60_000  # characters: a comment may have 65,536
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!@$])")


def escape(text):
    """Nothing in it is markup, a mention or a link to somewhere."""
    return _SPECIAL.sub(r"\\\1", printable(text).replace("\n", " ")).replace("://", ":\u200b//")


def _code(text):
    """Between more backticks than it has in a row itself."""
    text = printable(text).replace("\n", " ").replace("|", "¦")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"`{text}`"


def summary(data):
    lines = ["## holdfast", "", escape(narrative.headline(data)), "",
             f"{counted(data.runs, 'run')}, first seed {data.seed}. Beside a letter: how many runs stand behind it.", ""]
    unexpected = [cell for cell in data.cells if cell.is_unexpected]
    if unexpected:
        lines += [f"**{counted(len(unexpected), 'letter')} not as expected:**", ""]
        lines += [f"- {_code(clipped(cell.lock, 80))} under {escape(clipped(cell.family, 40))}: **{cell.letter}**, "
                  f"expected {escape(clipped(cell.expected, 10))}" for cell in unexpected[:40]]
        lines.append("")
    elif any(cell.expected for cell in data.cells):
        lines += ["Every letter is as expected.", ""]
    lines += _table(data)
    lines += ["", " · ".join(f"**{letter}** {escape(meaning.split(':')[0])}" for letter, meaning in LETTERS.items()), ""]
    head = "\n".join(lines)
    if len(head) > SIZE_MOST:
        return "\n".join(lines[:6] + ["The matrix is too large for a comment; the page has it.", ""])
    return head + _stories(data, SIZE_MOST - len(head))


def _table(data):
    families = [escape(clipped(family.title or family.name, 40)) for family in data.families]
    yield "| lock | " + " | ".join(families) + " |"
    yield "| --- |" + " :-: |" * len(families)
    for lock in data.locks:
        cells = []
        for family in data.families:
            cell = lock.cells.get(family.name)
            if cell is None or cell.letter == "–":
                cells.append("–")
            else:
                letter = f"**{cell.letter}**" if cell.letter == "V" or cell.is_unexpected else cell.letter
                cells.append(f"{letter} {cell.runs}")
        yield f"| {escape(clipped(lock.id, 80))} | " + " | ".join(cells) + " |"


def _stories(data, room):
    """The worst story of each lock, as long as there is room."""
    head = f"\n<details><summary>The worst story of each lock</summary>\n\n{narrative.WHERE_TO_RUN}\n\n"
    tail, more = "\n</details>\n", "- … and more in the page\n"
    text = ""
    for lock in data.locks:
        cell = lock.worst_cell
        if cell is None or cell.verdicts is None or cell.letter in ("S", "–"):
            continue
        why = narrative.violated_sentence(cell.verdicts) or LETTERS[cell.letter]
        line = f"- **{cell.letter}** {_code(clipped(lock.id, 80))}, {escape(clipped(cell.family, 40))}: {escape(why)}"
        command = narrative.replay(cell)
        line += f" — {_code(clipped(command, 300))}\n" if command else "\n"
        if len(head) + len(text) + len(line) + len(more) + len(tail) > room:
            text += more
            break
        text += line
    return head + text + tail if text else ""
