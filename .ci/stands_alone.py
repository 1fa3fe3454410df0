#!/usr/bin/env python3
"""Proves that every source file stands alone: that it includes what it uses, and hides no name (-Wshadow).

.ci/stands_alone.py BUILD: the files are those of BUILD/compile_commands.json, and all headers that they include.

Each is looked at by the compiler by itself, without making anything of it. Most of that time would go into the same
headers again and again, other people's and ours, so those are read once, in some common sets. A set is put in front of
a file only if the file includes all of it anyway: it then sees nothing that it would not see without. The compiler is
clang, as for the sanitizers: its sets bring along what was made of their templates, GCC's do not. A header is looked
at through the .cpp that includes it first, with a set out of that header's own includes; a header that no file
includes first is looked at by itself.

What was proved is remembered in BUILD/stands_alone, by the text of the file and of all that it includes, so that the
next time only what changed is looked at.

Exit code 1 and the compiler's words, on standard error, if one does not stand alone.
"""
import collections
import concurrent.futures
import hashlib
import heapq
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
# What a header costs to read, in hundredths of a second.
COSTS = {
    "<CLI/CLI.hpp>": 93, "<nlohmann/json.hpp>": 80, "<boost/asio/ip/tcp.hpp>": 80, "<boost/asio/steady_timer.hpp>": 72,
    "<boost/asio/posix/stream_descriptor.hpp>": 50, "<boost/asio/io_context.hpp>": 48,
    "<boost/asio/read_until.hpp>": 40, "<boost/asio/write.hpp>": 37, "<gtest/gtest.h>": 59, "<gmock/gmock.h>": 16,
    "<rapidcheck.h>": 60, "<rapidcheck/gtest.h>": 62, "<fmt/format.h>": 31, "<fmt/core.h>": 17, "<filesystem>": 30,
    "<nlohmann/json_fwd.hpp>": 25, "<thread>": 24, "<chrono>": 21, "<memory>": 20, "<sstream>": 18, "<fstream>": 17,
    "<ostream>": 16, "<iostream>": 16, "<mutex>": 15, "<iterator>": 14, "<atomic>": 14, "<system_error>": 13,
    "<string>": 12, "<stdexcept>": 12, "<functional>": 11, "<unordered_map>": 8, "<queue>": 8, "<string_view>": 7,
    "<cmath>": 7, "<algorithm>": 7, "<map>": 6, "<vector>": 5, "<span>": 5, "<deque>": 5, "<set>": 4, "<variant>": 3,
    "<tuple>": 3, "<optional>": 3, "<charconv>": 3, "<array>": 3, "<utility>": 2,
}
# What most files do with a header, so that a set makes these templates for all of them.
USES = {"<nlohmann/json.hpp>": """
namespace stands_alone {
inline void use(nlohmann::ordered_json& json, const std::string& text) {
  json = nlohmann::ordered_json::parse(text);
  json = nlohmann::ordered_json::parse(text, nullptr, false);
  json = {{"key", text}, {"number", 1}, {"real", 1.5}, {"flag", true}, {"words", std::vector<std::string>{text}}};
  json["key"] = text;
  json[text] = nlohmann::ordered_json::array();
  json[text].push_back(std::uint64_t{1});
  json.push_back({{"number", std::int64_t{1}}});
  for (const auto& [key, value] : json.items()) json[key] = value;
  if (json.is_object() && json.contains("key") && json.find(text) != json.end() && json.at("key") == "text") {
    json["text"] = json.at("key").get<std::string>() + json.value("key", std::string()) + json.dump() + json.dump(2);
    json["number"] = json.at("number").get<std::int64_t>() + json.at("number").get<int>();
    json["size"] = json.at("number").get<std::uint64_t>();
    json["real"] = json.at("real").get<double>();
    json["flag"] = json.at("flag").get<bool>();
  }
}
}  // namespace stands_alone
"""}
COMPILERS = {".c": "clang-19", ".cpp": "clang++-19"}
# What GCC does not ask for either, and is not told not to: see CMakeLists.txt.
FURTHER_WORDS = ["-Wno-sign-conversion", "-Wno-deprecated-declarations"]
LINE_COST = 0.01  # of a header of ours
SET_COST = 40  # of making one, besides what its headers cost
SETS_MAX = 60
NEIGHBOURS = 6


class Tree:
    """Who includes what."""

    def __init__(self, root):
        self.root = root
        self.direct = {}
        self.closures = {}
        self.costs = {}

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

    def digest(self, path, words, version):
        """Of all that the proof for this file rests on; headers of others count by their size and time."""
        said = hashlib.sha256(repr((version, words)).encode())
        for each in sorted(self.closure(path) | {path}, key=str):
            if isinstance(each, str):
                other = pathlib.Path("/usr/include") / each[1:-1]
                said.update(repr((each, other.exists() and other.stat()[6:9:2])).encode())
            elif each.exists():
                said.update(repr(str(each)).encode() + each.read_bytes())
        return said.hexdigest()

    def costly(self, path):
        """What a set may have for this file."""
        return frozenset(each for each in self.closure(path) if each in COSTS or self.is_ours(each))

    def is_ours(self, header):
        return not isinstance(header, str) and header.suffix == ".h" and header.exists() and self.root in header.parents

    def cost(self, header):
        if header not in self.costs:
            self.costs[header] = COSTS.get(header) or header.read_text().count("\n") * LINE_COST
        return self.costs[header]


def candidates_for(wanted):
    """Headers that files have in common: all of a folder and of those above it, and each with a few neighbours."""
    everybody, neighbours = {}, collections.defaultdict(list)
    for path, wants in sorted(wanted.items()):
        kind = path.name.endswith("_test.cpp")
        neighbours[path.parent, kind].append(wants)
        for folder in path.parents:
            everybody[folder, kind] = everybody.get((folder, kind), wants) & wants
    found = set(everybody.values())
    for group in neighbours.values():
        for at, wants in enumerate(group):
            found |= {wants & other for other in group[at + 1:at + 1 + NEIGHBOURS]}
    return found


def choose_sets(wanted, cost):
    """The sets that save most. Headers are the bits of a number, for this asks a million times who includes what."""
    number_of = {each: at for at, each in enumerate(sorted(frozenset().union(*wanted.values()), key=str))}

    def bits(headers):
        return sum(1 << number_of[each] for each in headers)

    wants = [bits(headers) for headers in wanted.values()]
    served = [0.0] * len(wants)

    def gain(candidate, weight):
        saved = sum(max(0, weight - has) for want, has in zip(wants, served) if not candidate & ~want)
        return saved - weight - SET_COST

    # What a set gains only falls with each that is chosen, so most need not be looked at again.
    waiting = []
    for headers in candidates_for(wanted):
        weight = sum(cost(each) for each in headers)
        waiting.append((-gain(bits(headers), weight), bits(headers), weight, headers))
    heapq.heapify(waiting)
    chosen = []
    while waiting and len(chosen) < SETS_MAX:
        _, candidate, weight, headers = heapq.heappop(waiting)
        now = gain(candidate, weight)
        if waiting and now < -waiting[0][0]:
            heapq.heappush(waiting, (-now, candidate, weight, headers))
            continue
        if now <= 0:
            break
        chosen.append(headers)
        served = [max(has, weight) if not candidate & ~want else has for want, has in zip(wants, served)]
    return chosen


def compiler_words(command):
    words = shlex.split(command)
    words = words[1:] if words[0].endswith("ccache") else words
    for option, count in (("-o", 2), ("-c", 1)):
        at = words.index(option)
        del words[at:at + count]
    file = pathlib.Path(words.pop())
    return [COMPILERS[file.suffix], *words[1:], *FURTHER_WORDS]


def known_proofs(file):
    return set(file.read_text().split()) if file.exists() else set()


def main(build):
    commands = json.loads((build / "compile_commands.json").read_text())
    words_of = {pathlib.Path(entry["file"]).resolve(): compiler_words(entry["command"]) for entry in commands}
    root = pathlib.Path(__file__).resolve().parent.parent
    tree = Tree(root)

    # What to look at, and whose includes say which set may stand before it.
    headers = {each for path in words_of for each in tree.closure(path) if not isinstance(each, str)}
    headers = {each for each in headers if tree.is_ours(each)}
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
    version = subprocess.run(["clang++-19", "--version"], capture_output=True, text=True, check=True).stdout
    words_for = {path: words_of.get(path, of_c_words if path in of_c else plain) for path in jobs}
    digests = {path: tree.digest(path, words_for[path], version) for path in jobs}
    known = known_proofs(memory)
    total = len(jobs)
    jobs = {path: headers for path, headers in jobs.items() if digests[path] not in known}
    sets = choose_sets(jobs, tree.cost) if jobs else []
    weights = [sum(map(tree.cost, each)) for each in sets]

    with tempfile.TemporaryDirectory(dir=build, prefix="sets_") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        signal.signal(signal.SIGTERM, lambda *_: leave(folder))
        signal.signal(signal.SIGINT, lambda *_: leave(folder))

        def make(number):
            header = pathlib.Path(folder) / f"set{number}.h"
            named = [each if isinstance(each, str) else f'"{each}"' for each in sets[number]]
            uses = [USES.get(each, "") for each in named]
            header.write_text("".join([*(f"#include {each}\n" for each in sorted(named)), *uses]))
            # With its templates, or each file would make them anew, which takes longer than reading the headers.
            words = [*plain, "-x", "c++-header", "-fpch-instantiate-templates", header, "-o", f"{header}.pch"]
            made = subprocess.run(words, cwd=build, capture_output=True, check=False)
            # One of ours does not stand alone, or hides a name: those who look at that header will say so.
            return f"{header}.pch" if made.returncode == 0 else None

        files = list(pool.map(make, range(len(sets))))

        def look(path):
            fitting = [number for number, each in enumerate(sets) if files[number] and each <= jobs[path]]
            before = ["-include-pch", files[max(fitting, key=weights.__getitem__)]] if fitting else []
            is_header = path.suffix == ".h"  # which nobody compiles: a line that includes it stands for it
            what = ["-x", "c" if path in of_c else "c++", "-"] if is_header else [path]
            said = subprocess.run([*words_for[path], *before, "-fsyntax-only", *what], cwd=build,
                                  input=f'#include "{path}"\n' if is_header else "", capture_output=True, text=True,
                                  check=False)
            if said.returncode == 0:
                return True
            print(f"{path.relative_to(root)} does not stand alone:\n{said.stderr}", file=sys.stderr, flush=True)
            return False

        heavy_first = sorted(jobs, key=lambda path: -sum(map(tree.cost, jobs[path])))
        bad = {path for path, is_good in zip(heavy_first, pool.map(look, heavy_first)) if not is_good}
    memory.write_text("".join(f"{digest}\n" for path, digest in digests.items() if path not in bad))
    print(f"{total - len(bad)} of {total} files stand alone, {len(jobs)} of them looked at now.")
    return 1 if bad or total == 0 else 0


def leave(folder):
    """At once, without the files that are not looked at yet."""
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def check_place(arguments):
    """The directory of the build, or the end with one sentence."""
    if len(arguments) != 1 or not (pathlib.Path(arguments[0]) / "compile_commands.json").is_file():
        sys.exit("stands_alone.py takes the directory of a build in Release, where compile_commands.json is.")
    if not all(map(shutil.which, COMPILERS.values())):
        sys.exit("stands_alone.py needs clang-19: apt-get install clang-19.")
    return pathlib.Path(arguments[0]).resolve()


if __name__ == "__main__":
    sys.exit(main(check_place(sys.argv[1:])))
