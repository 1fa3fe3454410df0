"""Reading with a sentence for every trouble; writing so that nobody ever sees half a file."""
import contextlib
import gzip
import json
import os
from pathlib import Path

from .trouble import Trouble


def read_bytes(path):
    try:
        content = Path(path).read_bytes()
        return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    except (OSError, EOFError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise Trouble(f"cannot read {path}: {reason}") from None


def parse_json(text, where):
    """Only what JSON allows: no NaN, no Infinity, nothing nested beyond reason."""
    def refuse(word):
        raise ValueError(f"{word} is no JSON")
    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as problem:
        reason = "it is nested too deeply" if isinstance(problem, RecursionError) else problem
        raise Trouble(f"{where} is not JSON: {reason}; write it again with holdfast") from None


def read_json(path):
    return parse_json(read_bytes(path), path)


_unfinished = set()  # temporary files


def write_whole(path, content):
    """Under a temporary name beside its place, then renamed. `content` is text or bytes."""
    path = Path(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    temporary = path.parent / f".{path.name[:80]}.{os.getpid()}.partial"
    try:
        _unfinished.add(temporary)  # before it is there: a signal may come at any time
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError as problem:
        raise Trouble(f"cannot write {path}: {problem.strerror}") from None
    finally:
        remove_unfinished()  # also when a person interrupts


def remove_unfinished():
    for temporary in list(_unfinished):
        with contextlib.suppress(OSError):  # it was renamed, or could not be made
            os.unlink(temporary)
        _unfinished.discard(temporary)
