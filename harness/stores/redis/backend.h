// What stands behind a Redis server's door: the model in `sim`, a real redis-server in `warp`.
//
// The kernel decides when a request arrives and what the server's clock then says; a backend only
// answers. It never sees true time, latency or faults. One backend is one server (one run id, one
// data set); clusters are built of several. Not thread-safe: a backend belongs to one run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::redis {

using ConnectionId = std::uint32_t;

// A message to a subscriber, to be carried over that connection's link.
struct Push {
  ConnectionId connection = 0;
  std::string channel;
  std::string payload;
};

// What survives a crash of the server process (redis.conf: appendonly, appendfsync).
enum class AppendOnly : std::uint8_t {
  never,         // no AOF: a restart comes up empty
  every_second,  // what was fsynced at the last whole second of the server's clock
  always,        // every acknowledged write
};

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  // Runs one command at server wall time `wall_us` (microseconds since the Unix epoch) and returns
  // its reply. Messages it published are appended to `pushes`.
  // WAIT is answered by the caller, which knows the replication links; a backend never blocks.
  virtual Reply execute(ConnectionId connection, const Command& command, std::int64_t wall_us,
                        std::vector<Push>& pushes) = 0;

  // The connection is gone: its subscriptions end.
  virtual void disconnect(ConnectionId connection) = 0;

  // The process dies. Connections are gone, and what its AppendOnly policy does not keep.
  virtual void crash(std::int64_t wall_us) = 0;
  // It comes back with what was kept.
  virtual void restart(std::int64_t wall_us) = 0;

  // Replication. The stream is a byte-like offset that grows with every write the primary propagates.
  virtual std::int64_t replication_offset() const = 0;
  // Applies the primary's stream up to `offset` (at most the primary's own) to this replica.
  virtual void replicate_from(Backend& primary, std::int64_t offset, std::int64_t wall_us) = 0;
  // From now on a primary of its own; what was not replicated is lost.
  virtual void promote() = 0;

  // How many keys were found expired so far, if that is known.
  virtual std::uint64_t expired_keys() const { return 0; }
};

}  // namespace holdfast::redis
