// A fault: something that goes wrong at a place in a run, and how it ends.
//
// One file each; the file says how it acts, and has a row for each parameter that a scenario may give it:
// loading, saving, shrinking, the JSON Schema, `holdfast list faults` and the documents follow from the
// rows. A fault knows the kernel, the network and the servers, never a lock. It acts when told (FaultDriver
// decides where and when) and leaves no trace of its own after its end.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/env/steps.h"
#include "harness/kernel/network.h"
#include "harness/scenario/scenario.h"
#include "harness/stores/servers.h"
#include "harness/text/duration_text.h"

namespace holdfast {

// What a fault can reach.
struct FaultWorld {
  Kernel& kernel;
  Network& network;
  Servers& servers;
  std::vector<ProcessId> clients;
  ProcessId storage{};
};

// One occurrence of a fault.
struct Strike {
  const FaultSpec* spec = nullptr;
  FaultWorld* world = nullptr;
  ProcessId target{};
  Duration ttl{0};  // the lease that durations may be multiples of
  Duration lasts{0};
  const Step* step = nullptr;      // where it strikes, if at a step; only valid in begin
  std::uint32_t ended_thread = 0;  // set by begin: the thread of the target that is no more

  // What the fault itself keeps in mind between its begin and its end.
  Duration distance_left{0};
  std::int64_t steps_left = 0;
  ProcessId serving{};

  // By the fault's own rows.
  Duration duration(const Option& option) const { return spec->options.duration(option).resolve(ttl); }
  std::int64_t count(const Option& option) const { return spec->options.count(option); }
  std::string word(const Option& option) const { return spec->options.word(option); }
};

// When a fault is over.
enum class Lasting : std::uint8_t {
  at_once,
  for_a_while,      // "for"
  for_or_until,     // "for" or "until"
  unless_a_message  // at a step of a call it strikes one message; elsewhere as above
};

struct FaultEntry {
  std::string_view id;
  std::string_view summary;
  // The only one whose servers can suffer it, which the catalog fills in; empty: any.
  std::string_view store = {};
  std::span<const Option> options = {};  // what it reads besides "on", "at", "for" and "until"
  Lasting lasting = Lasting::at_once;
  bool strikes_clients = false;
  bool strikes_servers = false;
  bool strikes_requests = false;  // only where one is sent, or has arrived
  bool strikes_answers = false;   // only where a server has executed something
  bool strikes_threads = false;   // only at a step of the client that it strikes: the thread that takes it
  bool needs_replicas = false;    // without them it does nothing
  // While it lasts nobody can be blamed for not making progress.
  bool excuses_waiting = false;
  // Whether a client that never looks at its wall clock cannot notice it; none: it can.
  bool (*is_of_wall_only)(const FaultSpec& spec) = nullptr;
  // At which phases trying it makes a difference, when it is tried at every step.
  std::span<const Phase> phases;
  void (*begin)(Strike& strike) = nullptr;
  void (*end)(Strike& strike) = nullptr;  // nullptr: it is over at once
  // A few words for the history: "pauses for 15 s".
  std::string (*describe)(const Strike& strike) = nullptr;
};

namespace faults {

// Where a fault of a client makes a difference: between two actions of its own, and while it waits for a
// reply. (Striking when the request arrives, or when the reply does, only repeats one of these.)
inline constexpr std::array client_phases{Phase::point, Phase::sending, Phase::applied};
inline constexpr std::array message_phases{Phase::sending, Phase::applied};
inline constexpr std::array request_phases{Phase::sending};
inline constexpr std::array reply_phases{Phase::applied};
inline constexpr std::array server_phases{Phase::arrived, Phase::applied};
inline constexpr std::array any_phases{Phase::point, Phase::sending, Phase::arrived, Phase::applied};

// Rows that several faults have.
inline constexpr std::array<std::string_view, 4> peers_words{"all", "servers", "storage", "clients"};
inline constexpr Option peers_option{.name = "peers",
                                     .kind = OptionKind::processes,
                                     .meaning = "those at the other end",
                                     .what = "peer",
                                     .words = peers_words,
                                     .usual_word = "all"};
inline constexpr std::array<std::string_view, 3> direction_words{"both", "to", "from"};
inline constexpr Option direction_option{
    .name = "direction",
    .kind = OptionKind::word,
    .meaning = "which way: what the process sends (to), what it is sent (from)",
    .what = "direction",
    .words = direction_words,
    .usual_word = "both"};
// A row that says nothing where one message is struck.
constexpr Option outside_calls(Option option) {
  option.only = "not at a step of a call";
  return option;
}

}  // namespace faults

// Whether there is at that step what it strikes: a step that is told by its number could be any.
bool finds_something(const FaultEntry& entry, ProcessId target, const Step& step);
// Of one of a sweep or a menu, which may have said that it strikes only at one phase.
inline bool is_tried_at(const FaultSpec& spec, Phase phase) {
  return !spec.at.phase || *spec.at.phase == phase;
}
// Whether servers of that store can suffer it.
inline bool suits(const FaultEntry& entry, std::string_view store) {
  return entry.store.empty() || entry.store == store;
}
// Whether it strikes the message of a call, or that of a request which was not executed yet. Only in begin.
bool strikes_a_call(const Strike& strike);
bool strikes_a_request(const Strike& strike);
// The processes that the row `peers` names, as seen from the target.
std::vector<ProcessId> peers_of(const Strike& strike);
// Lets go, after a while, of a run that was held open.
void close_later(Kernel& kernel, Duration after);

// The links to and from the peers, as far as the row `direction` has them.
template <typename Act>
void for_each_link(const Strike& strike, Act act) {
  const std::string direction = strike.word(faults::direction_option);
  for (const ProcessId peer : peers_of(strike)) {
    if (direction != "from") {
      act(strike.target, peer);
    }
    if (direction != "to") {
      act(peer, strike.target);
    }
  }
}

}  // namespace holdfast
