// A scenario: who does what, on which servers, what goes wrong, and what is then expected.
//
// Plain data, as read from scenarios/*.json (format: scenarios/README.md, scenarios/scenario.schema.json).
// It names locks and faults by id; that they exist is checked when it is loaded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/env/steps.h"
#include "harness/kernel/network.h"
#include "harness/kernel/time.h"
#include "harness/scenario/duration.h"
#include "harness/scenario/option.h"

namespace holdfast {

// Where in a run: a true time, or the nth step that fits.
struct StepSelector {
  std::optional<ScenarioDuration> time;
  std::string process;         // "c1", "redis", "storage"
  std::uint32_t thread = 0;    // 0: any
  std::optional<Phase> phase;  // none: any
  std::string name;            // a point ("acquired") or a command ("SET"); empty: any
  std::uint32_t nth = 1;       // counts the steps that fit
  std::uint32_t ordinal = 0;   // instead of the above: the process's step of this number
};

// A fault, where it strikes, and how long it lasts.
struct FaultSpec {
  std::string fault;  // id
  std::string on;     // the process it strikes; in a sweep "clients" or "servers"
  StepSelector at;    // in a sweep: every step
  std::optional<StepSelector> until;
  std::optional<ScenarioDuration> lasts;
  OptionValues options;  // of the rows in the fault's file
};

struct ClientSpec {
  std::string name;  // "c1"
  std::uint32_t threads = 1;
  ScenarioDuration start;  // when it begins to work
  std::string role;        // meaning depends on the workload: "stranger", "reader", "writer"
  std::optional<std::uint32_t> rounds;
  std::optional<ScenarioDuration> work;
};

struct WorkloadSpec {
  // cycle reentrant twice foreign readers-writers roles permits latch oversell
  std::string kind = "cycle";
  std::uint32_t rounds = 1;
  ScenarioDuration work{300ms, 0};           // how long the work under the lock takes
  ScenarioDuration pause{50ms, 0};           // between two rounds
  std::int64_t stock = 3;                    // oversell
  std::int64_t permits = 2;                  // permits
  std::optional<ScenarioDuration> patience;  // an acquire that takes longer is given up; none: never
  bool own_objects = false;                  // each thread has a lock object of its own, all for the same key
};

struct SettingsSpec {
  std::optional<ScenarioDuration> ttl;
  std::optional<ScenarioDuration> retry_interval;
  std::optional<ScenarioDuration> retry_jitter;
  std::optional<std::int64_t> wait_replicas;
  ScenarioDuration command_timeout{1s, 0};
};

struct TopologySpec {
  std::map<std::string, OptionValues, std::less<>>
      stores;  // by the id of the store, whose rows say what may be set
  // Whether storage rejects stale tokens: "auto" does if the lock has tokens.
  std::string token_checking = "auto";  // auto, on, off
  Latency latency;

  // Of the store: what was set, or nothing.
  OptionValues of(std::string_view store) const {
    const auto found = stores.find(store);
    return found == stores.end() ? OptionValues() : found->second;
  }
  // `option` is a row of the store.
  void set(std::string_view store, const Option& option, OptionValue value) {
    OptionValues values = of(store);
    values.set(option, std::move(value));
    if (values.empty()) {
      stores.erase(std::string(store));
    } else {
      stores.insert_or_assign(std::string(store), std::move(values));
    }
  }
};

// Of the file format. Files without a version are of the first, in which what a store's servers are like
// stood in "topology" itself.
inline constexpr std::int64_t scenario_version = 2;

// What should come out, for one lock or for all.
struct Expectation {
  std::string letter;    // S V F L U D E
  std::string reasoned;  // what was expected before measuring, if that was wrong
  std::string note;      // why
};

struct Scenario {
  std::string name;       // the file's name without .json
  std::string typed_as;   // as a command takes it, "family-pause" or "'my own.json'"; none: it is in no file
  std::string shape;      // that was put on it (harness/workload/shapes.h); none: it is as its file says
  std::string title;      // a few words
  std::string about;      // what happens, in sentences
  std::string source;     // "001:L335"
  std::string lock;       // the lock it is told with
  bool any_lock = false;  // --lock may name another
  TopologySpec topology;
  SettingsSpec settings;
  std::vector<ClientSpec> clients;
  WorkloadSpec workload;
  std::vector<FaultSpec> faults;
  std::vector<FaultSpec> sweep;         // each tried at every step, one run a placement
  std::uint32_t seeds = 1;              // of a family: how many seeds each placement is run with
  std::optional<std::uint32_t> column;  // of a family: its place in the matrix
  std::vector<std::string> properties;  // ids of the checks that count; empty: all that apply
  ScenarioDuration time_limit{60s, 5000};
  std::uint64_t event_limit = 500'000;
  Expectation expect;
  std::map<std::string, Expectation> expect_for;  // by lock id

  bool is_family() const { return column.has_value(); }
  // Only the workload "permits" is about several at once; a semaphore in any other is a lock of one permit.
  std::int64_t permits() const { return workload.kind == "permits" ? workload.permits : 1; }
  // Of a latch: all clients but the one that waits count down once.
  std::int64_t latch_count() const { return static_cast<std::int64_t>(clients.size()) - 1; }
};

}  // namespace holdfast
