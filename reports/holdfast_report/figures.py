"""Every figure of the report as files of its own: SVG, and PNG by matplotlib's renderer."""
import ctypes
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from . import charts, files, page, png, spacetime, svg
from .trouble import Trouble
from .words import slug

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def write_all(data, directory):
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Trouble(f"cannot make the directory {directory}: {problem.strerror}; "
                      "choose a place that can be written to") from None
    tasks = [(str(directory / name[:200]), drawing) for name, drawing in _charts(data)]
    tasks += [(str(directory / f"story-{page.anchor_of(cell)}"[:200]), cell) for cell in data.cells
              if cell.verdicts is not None and cell.history_path is not None]
    png.warm_up()
    with ProcessPoolExecutor(_processors(), get_context("fork"), _start_worker, (os.getpid(),)) as pool:
        try:
            for _ in pool.map(_write, tasks, chunksize=4):
                pass
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _charts(data):
    yield "matrix", charts.matrix_drawing(data)
    for lock in data.locks:
        for number, envelope in enumerate(lock.envelopes, start=1):
            names = f"{slug(envelope.x['name'])}--{slug(envelope.y['name'])}"
            yield f"envelope-{slug(lock.id)}--{names}-{number}", charts.envelope_drawing(envelope)
        for drawing, name in zip(page.bench_drawings(lock) if lock.bench else [], ("throughput", "latency")):
            yield f"{name}-{slug(lock.id)}", drawing
    for drawing, name in zip(page.comparison_drawings(data), ("one-client", "most-clients")):
        yield f"throughput-{name}", drawing


def _write(task):
    path, what = task
    drawing = what if isinstance(what, charts.Drawing) else _story(what)
    files.write_whole(path + ".svg", svg.standalone(drawing))
    files.write_whole(path + ".png", png.png_bytes(drawing))


def _story(cell):
    drawing, _, cause = page.story_drawing(cell)
    return spacetime.with_caption(drawing, cell.letter, f"{cell.lock}, {cell.family}", cause)


def _processors():
    return min(len(os.sched_getaffinity(0)), 8)


def _start_worker(parent):
    """A worker finishes the file it is at when a person interrupts, and goes when its parent is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_worker)
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGTERM)
    if os.getppid() != parent:
        _end_worker()


def _end_worker(*_):
    """At once: the pool would take an exception for the result of a figure, and wait for the next one for ever."""
    files.remove_unfinished()
    os._exit(143)
