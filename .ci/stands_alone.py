#!/usr/bin/env python3
"""Proves that every source file stands alone: that it includes what it uses, and hides no name (-Wshadow).

.ci/stands_alone.py BUILD: the files are those of BUILD/compile_commands.json, and all headers that they include.

Each is looked at by the compiler by itself, without making anything of it. Most of that time would go into headers of
other people's, again and again, so those are read once, in a few common sets. A set is put in front of a file only if
the file includes all of it anyway: it then sees nothing that it would not see without. A header is looked at through
the .cpp that includes it first, with a set out of that header's own includes; a header that no file includes first
is looked at by itself.

What was proved is remembered in BUILD/stands_alone, by the text of the file and of all that it includes, so that the
next time only what changed is looked at.

Exit code 1 and the compiler's words, on standard error, if one does not stand alone.
"""
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
# What a header costs, in tenths of a second: only the order counts.
COSTS = {
    "<nlohmann/json.hpp>": 12, "<boost/asio/ip/tcp.hpp>": 14, "<boost/asio/io_context.hpp>": 7, "<gtest/gtest.h>": 8,
    "<gmock/gmock.h>": 3, "<rapidcheck.h>": 9, "<fmt/format.h>": 4, "<filesystem>": 4, "<chrono>": 3, "<memory>": 3,
    "<functional>": 2, "<string>": 2, "<fstream>": 2, "<algorithm>": 1, "<vector>": 1, "<map>": 1, "<optional>": 1,
    "<variant>": 1, "<span>": 1,
}
COMPILER = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=False).stdout
SETS_MAX = 14
SET_COST = 10  # of making one


class Tree:
    """Who includes what."""

    def __init__(self, root):
        self.root = root
        self.direct = {}
        self.closures = {}

    def includes(self, path):
        if path not in self.direct:
            found = INCLUDE.findall(path.read_text())
            self.direct[path] = [f"<{name}>" if sign == "<" else self.find(path, name) for sign, name in found]
        return self.direct[path]

    def find(self, path, name):
        beside = path.parent / name
        return (beside if beside.exists() else self.root / name).resolve()

    def closure(self, path):
        """All that is included below it: names of headers of others, paths of ours."""
        if path not in self.closures:
            seen, waiting = set(), [path]
            while waiting:
                for each in self.includes(waiting.pop()):
                    if each not in seen:
                        seen.add(each)
                        if not isinstance(each, str) and each.exists():
                            waiting.append(each)
            self.closures[path] = seen
        return self.closures[path]

    def digest(self, path, words):
        """Of all that the proof for this file rests on; headers of others count by their size and time."""
        said = hashlib.sha256(repr((COMPILER, words)).encode())
        for each in sorted(self.closure(path) | {path}, key=str):
            if isinstance(each, str):
                other = pathlib.Path("/usr/include") / each[1:-1]
                said.update(repr((each, other.exists() and other.stat()[6:9:2])).encode())
            elif each.exists():
                said.update(repr(str(each)).encode() + each.read_bytes())
        return said.hexdigest()

    def costly(self, path):
        return frozenset(each for each in self.closure(path) if each in COSTS)


def cost(headers):
    return sum(COSTS[each] for each in headers)


def choose_sets(wanted):
    """A few sets of headers that serve these files best; each file can use those that it includes all of."""
    counts = collections.Counter(wanted)
    common = [each for each, _ in counts.most_common(40)]
    candidates = {one & other for one in common for other in common}
    chosen, served = [], dict.fromkeys(counts, 0)
    while len(chosen) < SETS_MAX:
        def gain(candidate):
            weight = cost(candidate)
            saved = sum(counts[want] * max(0, weight - served[want]) for want in counts if candidate <= want)
            return saved - weight - SET_COST
        best = max(sorted(candidates, key=sorted), key=gain)
        if gain(best) <= 0:
            break
        chosen.append(best)
        served.update((want, max(served[want], cost(best))) for want in counts if best <= want)
    return chosen


def compiler_words(command):
    words = shlex.split(command)
    words = words[1:] if words[0].endswith("ccache") else words
    for option, count in (("-o", 2), ("-c", 1)):
        at = words.index(option)
        del words[at:at + count]
    return words[:-1]  # the file is the last


def known_proofs(file):
    return set(file.read_text().split()) if file.exists() else set()


def main(build):
    commands = json.loads((build / "compile_commands.json").read_text())
    words_of = {pathlib.Path(entry["file"]).resolve(): compiler_words(entry["command"]) for entry in commands}
    root = pathlib.Path(__file__).resolve().parent.parent
    tree = Tree(root)

    # What to look at, and whose includes say which set may stand before it.
    headers = {each for path in words_of for each in tree.closure(path) if not isinstance(each, str)}
    headers = {each for each in headers if each.suffix == ".h" and each.exists() and root in each.parents}
    jobs, proved = {}, set()
    for path in sorted(words_of):
        first = next(iter(tree.includes(path)), None)
        proves = first if first in headers and first not in proved and path.stem == first.stem else None
        proved |= {proves} - {None}
        jobs[path] = tree.costly(proves or path) if path.suffix == ".cpp" else frozenset()
    plain = next(words for path, words in words_of.items() if path.suffix == ".cpp")
    of_c_words = next((words for path, words in words_of.items() if path.suffix == ".c"), plain)
    of_c = {each for path in words_of if path.suffix == ".c" for each in tree.closure(path)}
    for path in sorted(headers - proved):
        jobs[path] = frozenset() if path in of_c else tree.costly(path)

    memory = build / "stands_alone"
    digests = {path: tree.digest(path, words_of.get(path, plain)) for path in jobs}
    known = known_proofs(memory)
    total = len(jobs)
    jobs = {path: headers for path, headers in jobs.items() if digests[path] not in known}
    sets = choose_sets(list(jobs.values())) if jobs else []

    with tempfile.TemporaryDirectory(dir=build) as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def make(number):
            header = pathlib.Path(folder) / f"set{number}.h"
            header.write_text("".join(f"#include {each}\n" for each in sorted(sets[number])))
            subprocess.run([*plain, "-x", "c++-header", header, "-o", f"{header}.gch"], cwd=build, check=True)
            return header

        files = list(pool.map(make, range(len(sets))))

        def look(path):
            fitting = [number for number, each in enumerate(sets) if each <= jobs[path]]
            before = ["-include", files[max(fitting, key=lambda each: cost(sets[each]))]] if fitting else []
            words = words_of.get(path, plain)
            is_header = path.suffix == ".h"  # which nobody compiles: a line that includes it stands for it
            what = ["-x", "c" if path in of_c else "c++", "-"] if is_header else [path]
            words = of_c_words if path in of_c else words
            said = subprocess.run([*words, *before, "-Winvalid-pch", "-fsyntax-only", *what], cwd=build,
                                  input=f'#include "{path}"\n' if is_header else "", capture_output=True, text=True,
                                  check=False)
            if said.returncode == 0:
                return True
            print(f"{path.relative_to(root)} does not stand alone:\n{said.stderr}", file=sys.stderr, flush=True)
            return False

        heavy_first = sorted(jobs, key=lambda path: -cost(jobs[path]))
        bad = {path for path, is_good in zip(heavy_first, pool.map(look, heavy_first)) if not is_good}
    memory.write_text("".join(f"{digest}\n" for path, digest in digests.items() if path not in bad))
    print(f"{total - len(bad)} of {total} files stand alone, {len(jobs)} of them looked at now.")
    return 1 if bad or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
