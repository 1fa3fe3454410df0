"""Reading with a sentence for every trouble; writing so that nobody ever sees half a file, and no device is replaced.

The rules of writing are those of harness/files/output_file.h, where their reasons stand.
"""
import contextlib
import errno
import gzip
import io
import json
import os
import secrets
import stat
import time
import zlib
from pathlib import Path

from .trouble import Trouble


_most_unpacked_bytes = 500_000_000  # a few kilobytes can unpack to more than a machine has


def is_file(path):
    """Whether there is a plain file; a name that no file can have is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def read_bytes(path):
    """Only of a plain file: a pipe that nobody writes to, or a device without an end, would be waited for for ever."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Trouble(f"cannot read {path}: it is no plain file")
        content = Path(path).read_bytes()
        return _unpacked(content, path) if content[:2] == b"\x1f\x8b" else content
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise Trouble(f"cannot read {path}: {reason}") from None


def _unpacked(content, path):
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        data = file.read(_most_unpacked_bytes + 1)
    if len(data) > _most_unpacked_bytes:
        raise Trouble(f"cannot read {path}: it unpacks to more than {_most_unpacked_bytes // 1_000_000} MB; "
                      "unpack it yourself if that is meant")
    return data


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


_unfinished = set()  # temporary files that have a name


def write_whole(path, content):
    """`content` is text or bytes. A device or a pipe is written to as it stands, a plain file is replaced as a whole."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        own = _own_descriptor(path)
        before = _status(path)
        if own is not None:
            with os.fdopen(os.dup(own), "wb") as file:
                file.write(data)
        elif before is not None and stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif before is not None and not stat.S_ISREG(before.st_mode):
            with os.fdopen(_open_special(path), "wb") as file:
                file.write(data)
        else:
            _replace(Path(os.path.realpath(path)), data, before)
    except OSError as problem:
        raise Trouble(f"cannot write {path}: {problem.strerror}") from None
    finally:
        remove_unfinished()  # also when a person interrupts


def _status(path):
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _own_descriptor(path):
    """The number behind /dev/stdout, /dev/fd/3 and the like; None for everything else."""
    own = os.path.realpath("/proc/self/fd")
    path = str(path)
    for _ in range(40):
        above, name = os.path.split(path)
        if os.path.realpath(above) == own and name.isdigit():
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(above, os.readlink(path))
    return None


def _open_special(path):
    """A pipe to which no reader comes is given up after ten seconds."""
    for _ in range(1000):
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
            os.set_blocking(descriptor, True)
            return descriptor
        if not stat.S_ISFIFO(os.stat(path).st_mode):
            break
        time.sleep(0.01)
    return os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)


def _replace(path, data, before):
    if before is not None and not os.access(path, os.W_OK, effective_ids=True):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    try:
        _put_in_place(path, data, before)
    except OSError as problem:
        # Another is mounted on it, or its directory is not ours to write to.
        if before is None or problem.errno not in (errno.EBUSY, errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW), "wb") as file:
            file.write(data)


def _put_in_place(path, data, before):
    temporary = path.parent / f".holdfast-{secrets.token_hex(8)}.partial"
    _unfinished.add(temporary)  # before it is there: a signal may come at any time
    descriptor, has_name = _open_unfinished(path.parent, temporary)
    with os.fdopen(descriptor, "wb") as file:
        if before is not None:
            with contextlib.suppress(OSError):
                os.fchown(descriptor, before.st_uid, before.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)
        file.write(data)
        file.flush()
        if not has_name and before is None:
            with contextlib.suppress(FileExistsError):  # somebody was faster: then it is replaced
                _give_name(descriptor, path)
                return
        if not has_name:
            _give_name(descriptor, temporary)
    os.replace(temporary, path)


def _open_unfinished(directory, temporary):
    """Without a name where the file system can do that: then nothing stays even after SIGKILL."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_TMPFILE | os.O_WRONLY, 0o666)
        if os.path.exists(f"/proc/self/fd/{descriptor}"):
            return descriptor, False
        os.close(descriptor)
    return os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666), True


def _give_name(descriptor, path):
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # Only with a directory's descriptor does Python follow the link to the file itself.
        os.link(f"/proc/self/fd/{descriptor}", path.name, dst_dir_fd=directory, follow_symlinks=True)
    finally:
        os.close(directory)


def remove_unfinished():
    for temporary in list(_unfinished):
        with contextlib.suppress(OSError):  # it was renamed, or could not be made
            os.unlink(temporary)
        _unfinished.discard(temporary)
