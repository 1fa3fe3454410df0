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

namespace live {
class Poller;
}

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

  // Whether a step of a call may have this name, and what is said if not: "a Redis command in capitals".
  virtual bool is_call_name(std::string_view name) const = 0;
  virtual std::string_view call_name_text() const = 0;

  // `real`: what start_real() gave, which must outlive the servers; nullptr: models answer.
  virtual std::unique_ptr<Servers> make_servers(const ServersContext& context, RealServers* real) const = 0;
  // Servers at the other end of sockets, for a process that runs in real time: `endpoints` are those of each
  // of its threads, server by server. `poller` outlives them.
  virtual std::unique_ptr<Servers> reach_servers(
      const ServersContext& context, live::Poller& poller,
      std::vector<std::vector<live::Endpoint>> endpoints) const = 0;
  // For `warp`: `programs` says what to start, unless the installed ones. Throws LiveError if there are none
  // on this machine. nullptr: it has none to start.
  virtual std::unique_ptr<RealServers> start_real(const live::ServerPrograms&) const { return nullptr; }
  // What the program of its servers may be called in a tree (ServerProgram), the installed one first; none:
  // it has no real servers.
  virtual std::vector<std::string> program_names() const { return {}; }
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
