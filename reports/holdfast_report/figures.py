"""Every figure of the report as files of its own: SVG, and PNG by matplotlib."""
import os
from concurrent.futures import ProcessPoolExecutor

from . import charts, files, page, png, spacetime, svg
from .trouble import Trouble
from .words import slug

# Of safe runs there is only the SVG: their PNGs would take a minute and show nothing that went wrong.
_SVG_ONLY = {"S"}


def write_all(data, directory):
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Trouble(f"cannot make the directory {directory}: {problem.strerror}") from None
    jobs = [("matrix", charts.matrix_drawing(data), True)]
    for cell in data.cells:
        if cell.verdicts is not None and cell.history_path is not None:
            drawing, _, cause = page.story_drawing(cell)
            title = f"{cell.lock}, {cell.family}"
            jobs.append((f"story-{page.anchor_of(cell)}", spacetime.with_caption(drawing, cell.letter, title, cause),
                         cell.letter not in _SVG_ONLY))
    for lock in data.locks:
        for number, envelope in enumerate(lock.envelopes, start=1):
            names = f"{slug(envelope.x['name'])}--{slug(envelope.y['name'])}"
            jobs.append((f"envelope-{slug(lock.id)}--{names}-{number}", charts.envelope_drawing(envelope), True))
        for drawing, name in zip(page.bench_drawings(lock) if lock.bench else [], ("throughput", "latency")):
            jobs.append((f"{name}-{slug(lock.id)}", drawing, True))
    for drawing, name in zip(page.comparison_drawings(data), ("one-client", "most-clients")):
        jobs.append((f"throughput-{name}", drawing, True))
    tasks = [(str(directory / name[:200]), drawing, with_png) for name, drawing, with_png in jobs]
    with ProcessPoolExecutor(max_workers=min(os.cpu_count() or 1, 8)) as pool:
        for _ in pool.map(_write, tasks, chunksize=4):
            pass


def _write(task):
    path, drawing, with_png = task
    files.write_whole(path + ".svg", svg.standalone(drawing))
    if with_png:
        files.write_whole(path + ".png", png.png_bytes(drawing))
