"""Colours and roles: the one place that says how anything looks, for the page, for SVG and for PNG.

The colours of letters are those of Okabe and Ito ("Color Universal Design", 2008), which people with any kind
of colour blindness can tell apart. A letter always stands beside its colour.
"""

# name: (light, dark)
COLOURS = {
    "paper": ("#ffffff", "#14171c"),
    "ink": ("#1b1f24", "#e3e7ec"),
    "faint": ("#5b6570", "#9aa5b1"),
    "rule": ("#d3d9e0", "#343b45"),
    "lane": ("#9aa4af", "#5c6773"),
    "panel": ("#f5f7f9", "#1b2027"),
    "hold": ("#0072b2", "#4da3dd"),
    "message": ("#7a858f", "#7f8b97"),
    "bad": ("#b83200", "#ff8a5c"),
    "bad-soft": ("#fbd9c8", "#4a2313"),
    "good": ("#00694d", "#3ecfa3"),
    "fault": ("#8a5a00", "#f0b64a"),
    "fault-soft": ("#fbeccb", "#3a2e12"),
    "clock": ("#8b2f73", "#e59bc9"),
    "line-1": ("#0072b2", "#4da3dd"),
    "line-2": ("#b83200", "#ff8a5c"),
    "line-3": ("#8a5a00", "#f0b64a"),
    "letter-V": ("#d55e00", "#d55e00"),
    "letter-F": ("#56b4e9", "#56b4e9"),
    "letter-D": ("#cc79a7", "#cc79a7"),
    "letter-E": ("#e69f00", "#e69f00"),
    "letter-U": ("#b9b9b9", "#b9b9b9"),
    "letter-L": ("#f0e442", "#f0e442"),
    "letter-S": ("#009e73", "#009e73"),
    "letter-none": ("#e3e7eb", "#2a3038"),
    "on-letter": ("#000000", "#000000"),
}

LETTER_ROLES = {"V": "lV", "F": "lF", "D": "lD", "E": "lE", "U": "lU", "L": "lL", "S": "lS", "–": "lN"}

# role: fill, stroke, width of the stroke, dashes, size of the text, bold, and whether text has a halo of paper.
ROLES = {
    "pp": dict(fill="paper"),
    "ln": dict(stroke="lane", width=1.2),                       # a lane
    "ld": dict(stroke="lane", width=1.2, dash=(2, 4)),          # of one who is dead
    "lc": dict(stroke="clock", width=1.6, dash=(6, 3)),         # of one whose clock is off
    "st": dict(fill="panel"),                                   # every other lane
    "hb": dict(fill="hold"),                                    # a hold
    "hs": dict(fill="paper", stroke="hold", width=1.6),         # a shared one
    "wt": dict(stroke="hold", width=1.2, dash=(1.5, 3)),        # waiting for it
    "ov": dict(fill="bad-soft"),                                # both hold
    "oe": dict(stroke="bad", width=1.2),
    "ox": dict(fill="bad"),
    "fb": dict(fill="fault-soft", stroke="fault", width=0.8, dash=(3, 2)),
    "m": dict(stroke="message", width=0.9, fill="message"),     # a message
    "mx": dict(stroke="bad", width=1.4),                        # the end of one that got lost
    "d": dict(fill="faint"),
    "db": dict(fill="bad"),
    "bk": dict(stroke="faint", width=1),                        # a break of the time axis
    "gr": dict(stroke="rule", width=0.8),                       # a grid
    "ax": dict(stroke="faint", width=1),
    "h": dict(fill="ink", size=12, bold=True),                  # texts from here on
    "t": dict(fill="ink", size=11, halo=True),
    "tq": dict(fill="faint", size=11, halo=True),
    "tg": dict(fill="good", size=11, bold=True, halo=True),
    "tb": dict(fill="bad", size=11, bold=True, halo=True),
    "tf": dict(fill="fault", size=11, bold=True, halo=True),
    "tc": dict(fill="clock", size=11, bold=True, halo=True),
    "tt": dict(fill="faint", size=10),                          # times and ticks
    "tl": dict(fill="on-letter", size=12, bold=True),           # a letter on its colour
    "n": dict(fill="faint", size=10),                           # a letter that applies to nothing, a note
    "tr": dict(fill="on-letter", size=10),                      # a number of runs beside a letter
    "c": dict(fill="ink", size=12),                             # a sentence
    "s1": dict(stroke="line-1", width=2),
    "s2": dict(stroke="line-2", width=2, dash=(6, 3)),
    "s3": dict(stroke="line-3", width=2, dash=(2, 2)),
    "p1": dict(fill="line-1"),
    "p2": dict(fill="line-2"),
    "p3": dict(fill="line-3"),
    "q1": dict(fill="line-1", size=11, bold=True),
    "q2": dict(fill="line-2", size=11, bold=True),
    "q3": dict(fill="line-3", size=11, bold=True),
    "br": dict(stroke="ink", width=2.4),                        # the border of an envelope
    **{role: dict(fill=f"letter-{letter if letter != '–' else 'none'}") for letter, role in LETTER_ROLES.items()},
}

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"


def variables(mode):
    return "".join(f"--{name}:{values[mode]};" for name, values in COLOURS.items())


def role_rules(prefix=""):
    """CSS for the roles; colours come from the variables of the page or picture around."""
    rules = []
    for role, look in ROLES.items():
        text = "size" in look
        parts = [f"fill:var(--{look['fill']})" if "fill" in look else "fill:none"]
        if "stroke" in look:
            parts += [f"stroke:var(--{look['stroke']})", f"stroke-width:{look['width']}"]
        if "dash" in look:
            parts.append("stroke-dasharray:" + " ".join(str(length) for length in look["dash"]))
        if text:
            parts.append(f"font-size:{look['size']}px")
        if look.get("bold"):
            parts.append("font-weight:600")
        if look.get("halo"):
            parts.append("stroke:var(--paper);stroke-width:3px;paint-order:stroke;stroke-linejoin:round")
        rules.append(f"{prefix}.{role}{{{';'.join(parts)}}}")
    return "".join(rules)


def light(name):
    return COLOURS[name][0]
