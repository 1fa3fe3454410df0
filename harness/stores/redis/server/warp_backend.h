// A real redis-server behind a server's door, on a clock that stands still unless we move it.
//
// Before each command the server's clock is set to what the kernel says it is; what the command published is
// drained before the next one. So the answers depend on the commands and their times alone, as the model's
// do. Keys expire when they are looked at: the server's own search for expired ones depends on real time, and
// is turned off.
//
// Losing what was not synced is what a machine does when it loses power, not a process that is killed. So the
// server is killed, and its append-only file is cut to the length it had when its policy last synced it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/clock/clock_page.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/backend.h"
#include "harness/stores/redis/model/append_only_file.h"
#include "harness/stores/redis/model/subscriptions.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/known_scripts.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/stores/redis/server/replication_link.h"

namespace holdfast::live {

struct WarpOptions {
  redis::AppendOnly append_only = redis::AppendOnly::never;
  bool is_replicated = false;  // has replicas, or is one

  friend bool operator==(const WarpOptions&, const WarpOptions&) = default;
};

class WarpBackend final : public redis::Backend {
 public:
  // Throws LiveError if the server cannot be started. So do the others, if it ends or stops to answer.
  explicit WarpBackend(const WarpOptions& options);
  ~WarpBackend() override;

  // As new: an empty primary with no connections. One that is to be a replica stays one, if it was one and
  // that is possible.
  void begin_run(bool is_replica = false);

  redis::Reply execute(redis::ConnectionId connection, const redis::Command& command, std::int64_t wall_us,
                       std::vector<redis::Push>& pushes) override;
  void disconnect(redis::ConnectionId connection) override;
  void crash(std::int64_t wall_us) override;
  void restart(std::int64_t wall_us) override;
  // Counts writes, not bytes.
  std::int64_t replication_offset() const override { return writes_; }
  void replicate_from(redis::Backend& primary, std::int64_t offset, std::int64_t wall_us) override;
  void promote() override;

  const std::string& version() const { return server_->version(); }
  // Commands carried out so far, in all runs.
  std::uint64_t steps() const { return steps_; }

 private:
  void start_server();
  void set_clock(std::int64_t wall_us);
  // Lets the server's timers run on a little; only while it is being synchronised.
  void tick();
  Connection& connection(redis::ConnectionId id);
  Connection& control();
  std::int64_t info(const std::string& sections, const std::string& field);
  void collect(std::vector<redis::Push>& pushes);
  void note_subscription(redis::ConnectionId connection, const redis::Reply& reply);
  void note_write();
  void follow(WarpBackend& primary);
  bool follows(const WarpBackend* primary) const;
  bool has_online(int replica_port);
  std::int64_t real_offset();
  // The real offset that stands for this many writes.
  std::int64_t real_offset_after(std::int64_t writes) const;
  std::size_t settled_file_size();

  WarpOptions options_;
  TemporaryDirectory directory_;
  ClockPage page_;
  std::int64_t wall_ns_ = 0;
  std::int64_t monotonic_ns_;
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Connection> control_;
  struct Line {
    std::unique_ptr<Connection> connection;
    bool has_state = false;  // may be in a transaction, watch keys, have subscribed
  };
  std::map<redis::ConnectionId, Line> connections_;
  std::vector<std::unique_ptr<Connection>> spare_;
  KnownScripts scripts_;
  redis::Subscriptions subscriptions_;
  std::map<redis::ConnectionId, std::size_t> subscribed_;  // to how many channels
  redis::AppendOnlyFile file_;

  ReplicationLink link_;
  WarpBackend* primary_ = nullptr;  // while a replica
  std::uint64_t life_ = 1;          // grows when it loses its place in the stream
  std::uint64_t primary_life_ = 0;
  std::int64_t writes_ = 0;
  std::int64_t last_real_offset_ = 0;
  std::int64_t last_dirty_ = 0;
  std::map<std::int64_t, std::int64_t> real_offsets_;  // by writes_
  std::uint64_t steps_ = 0;
};

}  // namespace holdfast::live
