// The servers of one run, whatever store they are of and whoever answers for them.
//
// A *server* is what a client connects to: one process, or several that stand for each other (a primary with
// its replicas, an ensemble); those are its *members*. The servers of a run are independent of each other.
// Who answers is a model (`sim`), a real program on virtual time (`warp`), nobody (the mirror of a live run,
// which only faults act on), or a server at the other end of a socket (a live client, a benchmark). When
// things happen is the kernel's in all of them. Reused from run to run; not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/env/env.h"
#include "harness/kernel/network.h"
#include "harness/scenario/option.h"
#include "harness/stores/store_client.h"

namespace holdfast {

// What servers are made in; all of it outlives them.
struct ServersContext {
  Kernel& kernel;
  Network& network;
  Steps& steps;
};

// What a run needs of a store.
struct ServersPlan {
  std::size_t servers = 0;
  std::size_t replicas = 0;  // further members of each
  OptionValues options;      // of the store's topology
  Duration ttl{0};           // the lease that durations among them may be multiples of
};

// What can be done to servers besides what the kernel can do to any process.
enum class ServerAction : std::uint8_t {
  failover,  // the member that serves dies, and another takes over with what it has
};

class Servers {
 public:
  Servers() = default;
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;
  virtual ~Servers() = default;

  // A new run. Adds its processes to the kernel, server by server, with the names of member_name().
  virtual void add_processes(const ServersPlan& plan) = 0;
  // After the network was reset, with all processes of the run in it.
  virtual void start() = 0;
  // The run is over, and its clients are about to go: no server need hear of it, for each begins the next run
  // as new.
  virtual void end() {}

  virtual std::size_t count() const = 0;
  // The processes of a server, in the order in which they were added.
  virtual std::vector<ProcessId> members(std::size_t server) const = 0;
  // The member that clients reach now.
  virtual ProcessId serving(std::size_t server) const = 0;
  // Who gets what this member has, and over which links, if it serves: what replication takes.
  virtual std::vector<ProcessId> followers(ProcessId member) const;

  // When all that would happen to them by itself, as things stand, has happened (the last key has expired,
  // the last session is over), in true time. Nothing: nothing would.
  virtual std::optional<Duration> last_due() const { return std::nullopt; }

  virtual bool can(ServerAction action, std::size_t server) const;
  virtual void act(ServerAction action, std::size_t server);

  // How long what they were told to forget by itself was to last: all lengths that a client of this run gave
  // (times to live, sessions), in no order. Models know it; of others there are none.
  virtual std::vector<Duration> leases() const { return {}; }

  // A thread's client of a server. `env` outlives it.
  virtual std::unique_ptr<StoreClient> connect(Env& env, std::size_t server, Duration command_timeout) = 0;
  // A client's process died.
  virtual void client_died(ProcessId) {}

  // Of all servers, in order.
  std::vector<ProcessId> all_members() const;
  // The server that the process is a member of; 0 if it is of none.
  std::size_t server_of(ProcessId process) const;
};

// "redis", or "redis-2" of several; replicas "redis-b", "redis-2-c".
std::string member_name(std::string_view store, std::size_t servers, std::size_t server, std::size_t member);

}  // namespace holdfast
