"""Reading with a sentence for every trouble; writing so that nobody ever sees half a file."""
import gzip
import json
import os
import tempfile
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


def write_whole(path, content):
    """Under a temporary name beside its place, then renamed. `content` is text or bytes."""
    path = Path(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name[:80]}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp is stricter than what a user expects of a report
        os.replace(temporary, path)
    except BaseException as problem:  # also when a person interrupts
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(problem, OSError):
            raise Trouble(f"cannot write {path}: {problem.strerror}") from None
        raise
