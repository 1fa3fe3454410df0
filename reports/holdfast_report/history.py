"""Reads a history: JSON Lines, as harness/history/README.md describes them."""
from dataclasses import dataclass

from .files import parse_json, read_bytes
from .trouble import Trouble

_TYPES = frozenset({"invoke", "ok", "fail", "info", "applied", "stored", "rejected", "fault-begin", "fault-end", "died",
                    "restarted", "lost-hold"})


@dataclass
class History:
    header: dict
    events: list      # dicts; the position of an event is what a witness names
    end: dict | None  # none: the file is not whole

    @property
    def end_time(self):
        last = self.events[-1]["time"] if self.events else 0
        return max(last, self.end["time"]) if self.end else last


def read_history(path):
    header, events, end = {}, [], None
    time = 0
    for number, line in enumerate(read_bytes(path).decode("utf-8", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"line {number} of {path}"
        value = parse_json(line, where)
        if not isinstance(value, dict):
            raise Trouble(f"{where} must be an object; \"holdfast run --history\" writes such files")
        if "format" in value:
            header = value
            if value["format"] != "holdfast-history" or value.get("version") != 1:
                raise Trouble(f"{where} is not the start of a holdfast-history of version 1")
            continue
        if value.get("type") == "end":
            end = {"time": _time(value, where), "end": str(value.get("end", ""))}
            continue
        if value.get("type") not in _TYPES:
            raise Trouble(f"{where}: the type of an event cannot be {str(value.get('type'))[:40]!r}")
        time = _checked(value, where, time)
        events.append(value)
    if not events and end is None:
        raise Trouble(f"{path} has no events, so there is nothing to draw")
    return History(header, events, end)


def _checked(event, where, time_before):
    time = event["time"] = _time(event, where)
    if time < time_before:
        raise Trouble(f"{where}: time goes back from {time_before} to {time} ns")
    if "process" not in event:
        raise Trouble(f"{where} has no \"process\"")
    event["process"] = str(event["process"])
    if event["type"] in ("applied", "stored", "rejected") and not isinstance(event.get("server"), str):
        raise Trouble(f"{where} does not say which \"server\" did it")
    if event["type"] in ("invoke", "ok", "fail", "info") and not isinstance(event.get("operation"), str):
        raise Trouble(f"{where} has no \"operation\"")
    for name in ("wall", "thread", "session", "token", "version", "found_version"):
        if event.get(name) is not None and type(event[name]) is not int:
            raise Trouble(f"{where}: \"{name}\" must be a whole number")
    if not isinstance(event.get("text", ""), str):
        raise Trouble(f"{where}: \"text\" must be a text")
    return time


def _time(value, where):
    time = value.get("time")
    if type(time) is not int or not 0 <= time < 2**63:
        raise Trouble(f"{where}: \"time\" must be a number of nanoseconds from 0 to 2^63")
    return time
