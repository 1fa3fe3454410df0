// The model of one redis-server 7.0.15, answering in RESP2: replies, errors and expiry as the real
// one gives them, at a few hundred nanoseconds a command.
//
//   ModelNode redis({.append_only = AppendOnly::always});
//   std::optional<Reply> reply =
//       redis.submit({make_command("SET", "lock", "c1", "NX", "PX", 30000), connection}, clocks, outputs);
//   redis.reset();   // as new, for the next run; memory and compiled scripts are kept
//
// Replication is asynchronous: a replica fetches the stream as far as a part that reached it says. It
// refuses writes, answers expired keys as absent but never deletes them on its own. One that follows the
// same history as its primary continues where it was; any other (a former primary, or one whose primary
// restarted) is synchronised in full, losing what it had. Until then the offset of a former primary must
// not be compared with the new one's. A replica that restarts does not remember how far it had come, whatever
// it has on its disk: it says 0, as a real one does, and so takes over only from those that have nothing.
//
// Differences to a real server, all deliberate: one database; no PSUBSCRIBE; PUBLISH is part of the stream,
// but does not reach a replica's subscribers; no cjson, cmsgpack, struct and bit in Lua; orders as in
// values.h; of the commands that block only WAIT, which ends at the first millisecond after its timeout (a
// real server may look a tenth of a second later); a replica says how far it has come when it is asked, not
// every second besides.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/stores/redis/append_only.h"
#include "harness/stores/redis/model/append_only_file.h"
#include "harness/stores/redis/model/replication_log.h"
#include "harness/stores/redis/model/server.h"
#include "harness/stores/redis/node.h"

namespace holdfast::redis {

struct ModelOptions {
  // What a crash leaves.
  AppendOnly append_only = AppendOnly::never;
  // Whether other servers will replicate from this one, now or after a promotion. Without it (and
  // without an append-only file) no stream is kept, and replication_offset() of a primary stays 0.
  bool keep_replication_log = false;
};

class ModelNode final : public Node {
 public:
  explicit ModelNode(ModelOptions options = {});

  std::optional<Reply> submit(const Request& request, const NodeClocks& clocks, Outputs& outputs) override;
  void close(ConnectionId connection, const NodeClocks& clocks, Outputs& outputs) override;
  void hear(std::size_t member, const StreamPart& part, const NodeClocks& clocks, Outputs& outputs) override;
  void lose(std::size_t member, const NodeClocks& clocks, Outputs& outputs) override;
  std::optional<NodeTimer> next_due() const override;
  std::optional<NodeTimer> last_due(const NodeClocks& clocks) override;
  void advance(const NodeClocks& clocks, Outputs& outputs) override;
  void crash(const NodeClocks& clocks) override;
  void restart(const NodeClocks& clocks) override;

  void follow(std::size_t primary, const NodeClocks& clocks) override;
  void promote(const NodeClocks& clocks) override;
  std::int64_t replication_offset() const override { return log_.offset(); }
  std::uint64_t expired_keys() const override { return server_.database().expired_keys(); }
  std::span<const std::int64_t> leases_ms() const override { return server_.database().leases_ms(); }

  // Takes the stream of `primary`, which keeps its log, up to `offset`.
  void replicate_from(const ModelNode& primary, std::int64_t offset, const NodeClocks& clocks);
  bool is_replica() const { return server_.is_replica(); }
  // As new: an empty primary with no connections.
  void reset();

 private:
  // Names a history of writes. Never shown: it only tells whether two servers share one.
  struct Lineage {
    const ModelNode* origin;
    std::uint64_t generation;

    friend bool operator==(const Lineage&, const Lineage&) = default;
  };

  ModelNode& model(std::size_t member) const { return static_cast<ModelNode&>(this->member(member)); }
  std::optional<Reply> run(const Request& request);
  void say_pushes(Outputs& outputs);
  void answer_ended_waits(Outputs& outputs);
  void end_waits(Outputs& outputs);
  void set_clock(const NodeClocks& clocks);
  std::int64_t now_ms() const { return server_.database().now_us() / 1000; }
  bool can_continue(const ModelNode& primary) const;
  void start_new_lineage();

  bool is_replicated_;
  bool has_stream_ = false;  // since a replica first connected to it: before, replicas are not asked
  ReplicationLog log_;
  AppendOnlyFile file_;
  Server server_;
  std::vector<Push> pushes_;
  std::vector<Request> queued_;  // behind a command that blocks their connection
  std::uint64_t generation_ = 0;
  Lineage lineage_{};
  // A promoted server's replicas may continue from the history it comes from, up to its promotion.
  Lineage previous_lineage_{};
  std::int64_t previous_lineage_end_ = 0;
  std::size_t applied_units_ = 0;  // of the primary's log, while a replica
  std::int64_t acknowledged_ = 0;  // what it last said to its primary
};

}  // namespace holdfast::redis
