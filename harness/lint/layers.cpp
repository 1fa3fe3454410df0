#include "harness/lint/layers.h"

#include <array>

namespace holdfast::lint {

std::span<const Layer> layers() {
  static constexpr std::array all = {
      Layer{"harness/text", "words, widths, durations, bad input"},
      Layer{"harness/files", "files that a user asked for"},
      Layer{"harness/kernel", "processes, clocks, network, choices, on virtual time"},
      Layer{"harness/env", "what a lock sees"},
      Layer{"harness/history", "events, and how they are written"},
      Layer{"harness/history/read", "histories of other programs"},
      Layer{"harness/check", "the questions that make a letter"},
      Layer{"harness/check/linear", "the checker of histories"},
      Layer{"harness/check/include/holdfast", "the one header of the checker's library"},
      Layer{"harness/scenario", "a scenario's data"},
      Layer{"harness/machine", "real time, for what a person waits for"},
      Layer{"harness/machine/process", "starting and ending real processes"},
      Layer{"harness/machine/program", "which program to start for a server"},
      Layer{"harness/machine/clock", "the clocks of other programs"},
      Layer{"harness/machine/clock/preload", "the same from inside them"},
      Layer{"harness/machine/rest", "knowing when a process is at rest"},
      Layer{"harness/machine/net", "sockets"},
      Layer{"harness/machine/proxy", "what stands between a client and a server"},
      Layer{"harness/stores", "what every store is seen through"},
      Layer{"faults/fault.h", "what a fault is"},
      Layer{"harness/stores/local", "one machine: files and threads"},
      Layer{"harness/stores/storage", "the resource that a lock protects"},
      Layer{"harness/stores/redis", "Redis as a lock sees it"},
      Layer{"harness/stores/redis/wire", "its bytes"},
      Layer{"harness/stores/redis/model", "its model"},
      Layer{"harness/stores/redis/server", "the real one"},
      Layer{"harness/stores/redis/server/live", "real ones of a live run, and the user's"},
      Layer{"harness/stores/redis/server/bench", "real ones that are measured, and the yardstick"},
      Layer{"harness/stores/redis/store.cpp", "puts it together"},
      Layer{"harness/stores/registry.cpp", "one line a store"},
      Layer{"faults", "one file a fault"},
      Layer{"harness/scenario/file", "scenarios as files"},
      Layer{"locks", "what a lock is, and the catalog"},
      Layer{"locks/sources", "what the documents say that designs are taken from"},
      Layer{"locks/mutants", "what a lock with a seeded bug is"},
      Layer{"locks/local", "locks of one machine"},
      Layer{"locks/redis", "locks on Redis, one file a design"},
      Layer{"locks/redis/redisson", "those of Redisson"},
      Layer{"locks/redis/mutants", "those with a seeded bug"},
      Layer{"locks/lookup", "locks and mutants by id"},
      Layer{"harness/scenario/shelf", "where scenarios stand"},
      Layer{"harness/workload", "what clients do with a lock"},
      Layer{"harness/run", "one run on virtual time"},
      Layer{"harness/mutate", "what can be wrong with a lock, found by listening to it"},
      Layer{"harness/explore/strategies", "how choices are made, one file a strategy"},
      Layer{"harness/explore", "many runs: sweeping, searching, shrinking"},
      Layer{"harness/explore/exploration", "plans, pieces and findings of an exploration"},
      Layer{"harness/matrix", "locks × families of faults"},
      Layer{"harness/mutate/score", "what finds it"},
      Layer{"harness/live/protocol", "what the processes of a live run say to each other"},
      Layer{"harness/live/client", "a client's process"},
      Layer{"harness/live/control", "one run in real time"},
      Layer{"harness/live/bench", "how fast locks are on real servers"},
      Layer{"harness/cli/terminal", "what all commands use"},
      Layer{"harness/cli/story", "a run as a picture and in words"},
      Layer{"harness/cli/list", "holdfast list"},
      Layer{"harness/cli/report", "holdfast report"},
      Layer{"harness/cli/run", "holdfast run, replay, confirm, check"},
      Layer{"harness/cli/explore", "holdfast explore, merge, envelope"},
      Layer{"harness/cli/bench", "holdfast bench"},
      Layer{"harness/cli/matrix", "holdfast matrix"},
      Layer{"harness/cli/mutate", "holdfast mutants"},
      Layer{"harness/cli", "the program"},
      Layer{"harness/seam/porter", "a store that only tests have"},
      Layer{"harness/seam", "what that store finds out about the rest"},
      Layer{"harness/lint", "the rules of the sources"},
      Layer{"harness/fuzz", "nonsense for the readers of files"},
      Layer{"harness/fuzz/stand_in", "stores as far as files name them"},
  };
  return all;
}

std::span<const Closed> closed_places() {
  static constexpr std::array all = {
      Closed{"harness/stores/redis", "locks/redis"},
      Closed{"harness/stores/redis", "harness/stores/registry.cpp"},
      Closed{"harness/stores/redis", "harness/fuzz/stand_in"},
      Closed{"locks/redis", "locks/lookup"},
  };
  return all;
}

std::span<const Exception> layer_exceptions() {
  static constexpr std::array all = {
      Exception{"faults", "harness/stores/redis", "the tests of faults strike servers, and Redis has some"},
  };
  return all;
}

const Layer* layer_of(std::string_view path) {
  const Layer* longest = nullptr;
  for (const Layer& layer : layers()) {
    const bool fits = path == layer.place ||
                      (path.starts_with(layer.place) && path.substr(layer.place.size()).starts_with('/'));
    if (fits && (longest == nullptr || layer.place.size() > longest->place.size())) {
      longest = &layer;
    }
  }
  return longest;
}

}  // namespace holdfast::lint
