"""Small histories and data directories for the tests, written as holdfast writes them."""
import json
from pathlib import Path

WALL = 1_767_225_600_000_000_000
HOSTILE = "``</script><script>alert('x')</script><img src=x onerror=alert(1)>\"'&\u202e\x01"


def event(time_ms, kind, process="c1", **more):
    time = int(time_ms * 1_000_000)
    offset = more.pop("clock_off_ms", 0) * 1_000_000
    base = {"time": time, "type": kind, "process": process, "wall": WALL + time + offset, "monotonic": time}
    if kind in ("invoke", "ok", "fail", "info"):
        base["thread"] = 1
    return {**base, **more}


def pause_events(text="pauses for 15 s", polls=60):
    """c1 holds the lock and pauses; c2 asks again and again, and gets it when the lease is over."""
    events = [
        event(0, "invoke", operation="acquire", session=1),
        event(0, "invoke", "c2", operation="acquire", session=2),
        event(0.5, "applied", server="redis", thread=1, text="SET lock c1 NX PX 10000 → OK"),
        event(1, "ok", operation="acquire", session=1),
        event(1, "fault-begin", text=text),
    ]
    events += [event(1.4 + 100 * number, "applied", "c2", server="redis", thread=1,
                     text="SET lock c2 NX PX 10000 → (nil)") for number in range(polls)]
    events += [
        event(10_002, "applied", "c2", server="redis", thread=1, text="SET lock c2 NX PX 10000 → OK"),
        event(10_003, "ok", "c2", operation="acquire", session=2),
        event(10_004, "ok", "c2", operation="read", session=2, value=0, version=0),
        event(10_300, "invoke", "c2", operation="write", session=2, value=1, version=0),
        event(10_301, "stored", "c2", operation="write", server="storage", session=2, value=1, version=0, found_version=0),
        event(10_302, "ok", "c2", operation="write", session=2, value=1, version=0),
        event(10_302, "invoke", "c2", operation="release", session=2),
        event(10_303, "applied", "c2", server="redis", thread=1, text="DEL lock → 1"),
        event(10_304, "ok", "c2", operation="release", session=2),
        event(15_001, "fault-end", text="gc-pause"),
        event(15_002, "invoke", operation="write", session=1, value=1, version=0),
        event(15_003, "stored", operation="write", server="storage", session=1, value=1, version=0, found_version=1),
        event(15_004, "ok", operation="write", session=1, value=1, version=0),
        event(15_004, "invoke", operation="release", session=1),
        event(15_005, "fail", operation="release", session=1, text="the key does not hold my value"),
    ]
    return events


def verdicts(events, letter="V", **more):
    grants = [number for number, item in enumerate(events)
              if item["type"] == "ok" and item.get("operation") == "acquire"]
    return {
        "scenario": "family-pause", "lock": "sample", "seed": 1, "place": "1@c1:4", "letter": letter,
        "sentence": "violated: two holders, and the resource is not protected", "end": "finished",
        "verdicts": [
            {"property": "mutual exclusion", "judgement": "violated" if letter == "V" else "holds",
             "sentence": "c1 believed to hold the lock when c2 got it", "witness": grants[:2]},
            {"property": "progress", "judgement": "holds", "sentence": "granted at once", "witness": []}],
        "service": [{"about": "service", "sentence": "not linearizable"}],
        "replay": "holdfast run family-pause", **more}


def write_history(path, events, whole=True):
    lines = [{"format": "holdfast-history", "version": 1, "scenario": "family-pause", "lock": "sample", "seed": 1}]
    lines += events
    if whole:
        lines.append({"type": "end", "end": "finished", "time": events[-1]["time"] + 50_000_000, "letter": "V",
                      "fingerprint": "0" * 16})
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_json(path, value):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(value), encoding="utf-8")


def write_data(directory, locks=("sample", "other"), families=("none", "pause"), summary="a lock for tests",
               everything=True):
    """A data directory: under "none" every lock is safe, under "pause" violated."""
    directory = Path(directory)
    cells = []
    for lock in locks:
        for family in families:
            letter = "S" if family == "none" else "V"
            cells.append({"lock": lock, "family": family, "letter": letter, "runs": 20, "runs_by_letter": {letter: 20},
                          "expected": letter, "longest_wait_ns": 0, "worst": f"holdfast run family-{family} --lock {lock}",
                          "broken_claims": ["fairness"] if letter == "S" else [], "loss": "never" if letter == "V" else "none",
                          "scope": {"shapes": [{"shape": "two-threads", "runs": 1234, "seeds": 1, "placements": 56,
                                                "left_out": 7, "steps_beyond": 0}],
                                    "not_tried": ["more than one fault in a run"]}})
            if "/" not in lock:
                events = pause_events()
                path = directory / "stories" / f"{lock}--{family}.json"
                write_json(path, verdicts(events, letter))
                write_history(path.with_name(f"{lock}--{family}.jsonl"), events)
    write_json(directory / "matrix.json", {
        "format": "holdfast-matrix", "version": 1, "seed": 1, "runs": 40 * len(locks),
        "families": [{"name": family, "title": family} for family in families], "cells": cells})
    if not everything:
        return
    write_json(directory / "locks.json", [
        {"id": lock, "kind": "mutex", "summary": summary, "source": "001", "lease_ms": 10_000, "redis_servers": 1,
         "features": {"re-entrant": True, "token": False}} for lock in locks])
    write_json(directory / "certificates.json", {locks[0]: "Holds while no pause is longer than its lease."})
    write_json(directory / "envelopes" / "sample--pause--ttl.json", {
        "lock": locks[0], "x": {"name": "pause", "unit": "ms", "values": [1000, 2000, 3000]},
        "y": {"name": "ttl", "unit": "ms", "values": [1500, 2500]}, "letters": [["S", "V", "V"], ["S", "S", "V"]],
        "border": [{"y": 1500, "safe": 1499, "broken": 1500}], "certificate": "Safe below the time to live."})
    write_json(directory / "bench_locks.json", {
        "server": "redis-server 7.0.15", "milliseconds": 300,
        "locks": [{"lock": locks[0], "cells": [
            {"clients": clients, "contended": contended, "cycles_per_second": 9000 / clients, "jain": 1,
             "commands_per_cycle": 2, "acquire_us": {"p50": 30, "p95": 50, "p99": 90 * clients, "max": 100}}
            for clients in (1, 4, 16) for contended in (False, True)]}]})
    write_json(directory / "campaign.json", {"runs": 1000, "never_reached": ["a queue"], "targets": [
        {"lock": locks[0], "strategy": "swarm", "runs": 1000, "clients": 3, "faults": 2, "has_every_run": True,
         "runs_by_letter": {"V": 3, "S": 997}, "findings": [
             {"letter": "V", "clients": 2, "faults": 1, "steps": 7, "least": "a pause of 9.7 s",
              "command": "holdfast run findings/a.json"}]}]})
