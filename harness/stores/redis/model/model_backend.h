// The model of one redis-server 7.0.15, answering in RESP2: replies, errors and expiry as the real
// one gives them, at a few hundred nanoseconds a command.
//
//   ModelBackend redis({.append_only = AppendOnly::always});
//   Reply reply = redis.execute(connection, make_command("SET", "lock", "c1", "NX", "PX", 30000), wall_us,
//                               pushes);
//   redis.reset();   // as new, for the next run; memory and compiled scripts are kept
//
// Replication is asynchronous and pulled: the caller decides when a replica gets how much of the
// stream. A replica refuses writes, answers expired keys as absent but never deletes them on its own.
// One that follows the same history as its primary continues where it was; any other (a former
// primary, or one whose primary restarted) is synchronised in full, losing what it had. Until that
// first `replicate_from`, the offset of a former primary must not be compared with the new one's.
//
// Differences to a real server, all deliberate: one database; no PSUBSCRIBE; PUBLISH does not reach a
// replica's subscribers; no cjson, cmsgpack, struct and bit in Lua; orders as in values.h.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/stores/redis/backend.h"
#include "harness/stores/redis/model/append_only_file.h"
#include "harness/stores/redis/model/replication_log.h"
#include "harness/stores/redis/model/server.h"

namespace holdfast::redis {

struct ModelOptions {
  // What a crash leaves.
  AppendOnly append_only = AppendOnly::never;
  // Whether other servers will replicate from this one, now or after a promotion. Without it (and
  // without an append-only file) no stream is kept, and replication_offset() of a primary stays 0.
  bool keep_replication_log = false;
};

class ModelBackend final : public Backend {
 public:
  explicit ModelBackend(ModelOptions options = {});

  Reply execute(ConnectionId connection, const Command& command, std::int64_t wall_us,
                std::vector<Push>& pushes) override;
  void disconnect(ConnectionId connection) override { server_.disconnect(connection); }
  void crash(std::int64_t wall_us) override;
  void restart(std::int64_t wall_us) override;

  std::int64_t replication_offset() const override { return log_.offset(); }
  // `primary` must be a ModelBackend that keeps a replication log.
  void replicate_from(Backend& primary, std::int64_t offset, std::int64_t wall_us) override;
  void promote() override;
  std::uint64_t expired_keys() const override { return server_.database().expired_keys(); }

  bool is_replica() const { return server_.is_replica(); }
  // As new: an empty primary with no connections.
  void reset();

 private:
  // Names a history of writes. Never shown: it only tells whether two servers share one.
  struct Lineage {
    const ModelBackend* origin;
    std::uint64_t generation;

    friend bool operator==(const Lineage&, const Lineage&) = default;
  };

  void advance(std::int64_t wall_us);
  bool can_continue(const ModelBackend& primary) const;
  void start_new_lineage();

  ReplicationLog log_;
  AppendOnlyFile file_;
  Server server_;
  std::uint64_t generation_ = 0;
  Lineage lineage_{};
  // A promoted server's replicas may continue from the history it comes from, up to its promotion.
  Lineage previous_lineage_{};
  std::int64_t previous_lineage_end_ = 0;
  std::size_t applied_units_ = 0;  // of the primary's log, while a replica
};

}  // namespace holdfast::redis
