// A store: a kind of server that locks are built on, as the rest of holdfast sees it.
//
// Everything that is particular to Redis, or to any other store, stands in harness/stores/<id> and
// locks/<id>; the rest of holdfast knows it by this interface and by its line in harness/stores/list.h. A
// Store is a constant without state of its own: what lives is the Servers it makes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/net/endpoint.h"
#include "harness/machine/program/server_program.h"
#include "harness/scenario/option.h"
#include "harness/stores/servers.h"

namespace holdfast {

class CallWatch;
struct FaultEntry;

namespace live {
class Poller;
class BenchServers;
class LiveServers;
class UserServers;
struct ClearedServer;
struct LiveServersSetup;
}  // namespace live

// Where servers are, for a process that reaches them over sockets.
struct Reach {
  std::vector<std::vector<live::Endpoint>> endpoints;  // of each of its threads, server by server
  std::string password = {};                           // of all of them; empty: none asks for one
};

// Real programs of one store that answer in `warp`, kept from run to run.
class RealServers {
 public:
  RealServers() = default;
  RealServers(const RealServers&) = delete;
  RealServers& operator=(const RealServers&) = delete;
  virtual ~RealServers() = default;

  // "redis-server 7.0.15", once one was started.
  virtual std::string name() const = 0;
  // Requests carried out by all of them.
  virtual std::uint64_t steps() const = 0;
};

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  // "redis": in scenario files, in the names of its processes, in --server.
  virtual std::string_view id() const = 0;
  // "Redis"
  virtual std::string_view title() const = 0;
  // Locks on it need a server at all.
  virtual bool has_servers() const { return true; }

  // What "topology": {"redis": {…}} may say.
  virtual std::span<const Option> options() const { return {}; }
  // Of those, the number of further members of each server, and how much longer than a message of a client's
  // what is sent to them takes; nullptr: its servers are single.
  virtual const Option* replicas() const { return nullptr; }
  virtual const Option* replication_lag() const { return nullptr; }

  // What only its servers can suffer (faults/fault.h); what any can is in faults/.
  virtual std::span<const FaultEntry* const> faults() const { return {}; }

  // Listens to what a lock says to it, to know what can be made wrong there (harness/stores/mutation.h).
  // nullptr: nothing is known of what passes, and only what every store knows is tried.
  virtual std::unique_ptr<CallWatch> watch_calls() const;

  // Whether a step of a call may have this name, and what is said if not: "a Redis command in capitals".
  virtual bool is_call_name(std::string_view name) const = 0;
  virtual std::string_view call_name_text() const = 0;
  // The same for the JSON Schema, as a regular expression.
  virtual std::string_view call_name_pattern() const { return ".+"; }

  // `real`: what start_real() gave, which must outlive the servers; nullptr: models answer.
  virtual std::unique_ptr<Servers> make_servers(const ServersContext& context, RealServers* real) const = 0;
  // Servers at the other end of sockets, for a process that runs in real time. `poller` outlives them.
  // nullptr: there are no real ones to reach, and program_names() says so before anybody asks.
  virtual std::unique_ptr<Servers> reach_servers(const ServersContext& context, live::Poller& poller,
                                                 const Reach& reach) const;
  // For `warp`: `programs` says what to start, unless the installed ones. Throws LiveError if there are none
  // on this machine. nullptr: it has none to start.
  virtual std::unique_ptr<RealServers> start_real(const live::ServerPrograms& programs) const;
  // What the program of its servers may be called in a tree (ServerProgram), the installed one first; none:
  // it has no real servers.
  virtual std::vector<std::string> program_names() const { return {}; }

  // For `live` (harness/stores/live_servers.h): servers of our own. Throws LiveError. nullptr: it has none.
  virtual std::unique_ptr<live::LiveServers> start_live(const live::LiveServersSetup& setup) const;
  // What users run beside them, and we can, so that they do a failover without us: "Sentinels". Empty:
  // nothing.
  virtual std::string_view own_failover() const { return {}; }

  // Whether a run may use servers that the user already has.
  virtual bool can_be_attached() const { return false; }
  // Of those servers; the variable of the environment where it is looked for.
  virtual std::string_view password_variable() const { return {}; }
  // Each is "HOST:PORT". Throws LiveError if one does not answer, refuses the password, or is named twice.
  virtual std::unique_ptr<live::UserServers> attach(const std::vector<std::string>& endpoints,
                                                    const std::string& password) const;
  // Removes what all runs have left on one of them, be they over or not. Throws LiveError as above.
  virtual live::ClearedServer clear(const std::string& endpoint, const std::string& password) const;
  // What it is that they leave: "key".
  virtual std::string_view left_thing() const { return "thing"; }

  // For `bench locks` (harness/stores/bench_servers.h). Throws LiveError. nullptr: it has none.
  virtual std::unique_ptr<live::BenchServers> start_bench(const ServersPlan& plan,
                                                          const live::ServerPrograms& programs) const;
  // For `bench warp`: requests a second that one of `real` answers to a loop that does nothing but ask.
  virtual double bare_rate(RealServers& real, std::uint64_t requests) const;

  // The text of an event with errors by their kind alone, since each release words them in its own way.
  virtual std::string with_errors_by_kind(std::string_view text) const { return std::string(text); }
};

// All of them, in the order of their list.
std::span<const Store* const> all_stores();
// nullptr if there is none.
const Store* find_store(std::string_view id);
// Of a store that is known to be there, such as the one that a catalog entry names.
const Store& store_called(std::string_view id);

// Whether a process of a run may have this name, with so many replicas: "redis", "redis-2", "redis-b".
bool is_member_name(std::string_view name, std::size_t replicas);
// Whether it is the name of a store's process at all, or could be taken for one.
bool names_a_store(std::string_view name);

}  // namespace holdfast
