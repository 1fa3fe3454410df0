"""Text for people: durations, plurals, what is printable, how wide it will be."""
import re
from html import escape as html_escape

# Not allowed in XML and HTML, or invisible and able to turn the direction of the text around them.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069"
                          "\ud800-\udfff\ufffe\uffff]")

# A number and its unit stay together.
_UNIT = re.compile(r"(\d) (s|ms|µs|us|ns|%)(?=$|[^\w])")

# Of DejaVu Sans, the widest of the fonts a browser is likely to take: in any other, text is shorter.
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]{} /-"), frozenset("mwMW@%→←↻†✗✓…—")


def printable(text):
    return _UNPRINTABLE.sub("\ufffd", str(text))


def on_one_line(text):
    """For a sentence that quotes what anybody may have written."""
    return re.sub(r"[\r\n\t\u2028\u2029]", " ", printable(text))


def escaped(text):
    return html_escape(printable(text), quote=True)


def clipped(text, length):
    text = printable(text)
    return text if len(text) <= length else text[:length - 1].rstrip() + "…"


def text_width(text, size, bold=False):
    """In pixels, rather too much than too little."""
    units = 0.0
    for character in text:
        if character in _NARROW:
            units += 0.41
        elif character in _WIDE:
            units += 1.0
        elif character.isupper() or ord(character) > 0x2000:
            units += 0.78 if ord(character) < 0x2000 else 1.05
        else:
            units += 0.64
    return units * size * (1.09 if bold else 1.0)


def fitted(text, width, size, bold=False):
    """The text, or as much of it as fits with an ellipsis."""
    if text_width(text, size, bold) <= width:
        return text
    kept = text
    while kept and text_width(kept + "…", size, bold) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrapped(text, width, size, lines_most, bold=False):
    """Lines that fit; the last one ends in an ellipsis if there is more."""
    lines, line = [], ""
    words = _UNIT.sub("\\1\u00a0\\2", " ".join(text.split())).split(" ")
    for index, word in enumerate(words):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, bold) > width:
            if len(lines) == lines_most - 1:
                line = " ".join([line] + words[index:])
                break
            lines.append(line)
            line = word
        else:
            line = longer
    lines += [fitted(line, width, size, bold)] if line else []
    return [line.replace("\u00a0", " ") for line in lines]


def seconds(nanoseconds, digits=3):
    return f"{nanoseconds / 1e9:.{digits}f} s"


def duration(nanoseconds):
    """Short, for labels, in the units of holdfast's own sentences: 15 s, 0.3 s, 12 ms, 0.2 ms."""
    size = abs(nanoseconds)
    for unit, scale in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if size * 10 >= scale:
            return f"{nanoseconds / scale:.3g} {unit}" if size < 1000 * scale else f"{nanoseconds / scale:.0f} {unit}"
    return f"{nanoseconds} ns"


def counted(number, word):
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def sentence(text):
    """With a capital (unless it begins with a name such as c1) and a full stop."""
    text = printable(text).strip()
    if not text:
        return text
    first = text.split()[0].rstrip(":,;")
    if first.isalpha():
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…" else text + "."


def slug(text):
    """A name that can stand in an address or a file name, different for different texts."""
    return re.sub(r"[^A-Za-z0-9.-]", lambda found: f"_{ord(found.group()):x}_", str(text)) or "_"
