// A real redis-server as a node, on a clock that stands still unless we move it.
//
// Before each command the server's clock is set to what the kernel says it is; what the command published is
// drained before the next one. So the answers depend on the commands and their times alone, as the model's
// do. Keys expire when they are looked at: the server's own search for expired ones depends on real time, and
// is turned off.
//
// A command that blocks is known to: the server says so. Whatever may set it free (another command, what a
// replica says, time) is followed by a look whether its answer has come.
//
// Losing what was not synced is what a machine does when it loses power, not a process that is killed. So the
// server is killed, and its append-only file is cut to the length it had when its policy last synced it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/clock/clock_page.h"
#include "harness/machine/process/one_processor.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/model/append_only_file.h"
#include "harness/stores/redis/model/subscriptions.h"
#include "harness/stores/redis/node.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/known_scripts.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/stores/redis/server/replication_link.h"

namespace holdfast::live {

struct RealNodeOptions {
  redis::AppendOnly append_only = redis::AppendOnly::never;
  bool is_replicated = false;  // has replicas, or is one
  std::string password = {};   // of those that replicate from each other
  int patience_seconds = 15;   // RedisServerOptions::patience_seconds

  friend bool operator==(const RealNodeOptions&, const RealNodeOptions&) = default;
};

class RealNode final : public redis::Node {
 public:
  // Throws LiveError if the server cannot be started. So do the others, if it ends or stops to answer.
  explicit RealNode(const RealNodeOptions& options, ServerProgram program = installed_redis());
  ~RealNode() override;

  // As new: an empty primary with no connections. One that is to be a replica stays one, if it was one and
  // that is possible.
  void begin_run(bool is_replica = false);

  std::optional<redis::Reply> submit(const redis::Request& request, const NodeClocks& clocks,
                                     Outputs& outputs) override;
  void close(ConnectionId connection, const NodeClocks& clocks, Outputs& outputs) override;
  void hear(std::size_t member, const redis::StreamPart& part, const NodeClocks& clocks,
            Outputs& outputs) override;
  void lose(std::size_t member, const NodeClocks& clocks, Outputs& outputs) override;
  std::optional<NodeTimer> next_due() const override;
  std::optional<NodeTimer> last_due(const NodeClocks& clocks) override;
  void advance(const NodeClocks& clocks, Outputs& outputs) override;
  void crash(const NodeClocks& clocks) override;
  void restart(const NodeClocks& clocks) override;

  void follow(std::size_t primary, const NodeClocks& clocks) override;
  void promote(const NodeClocks& clocks) override;
  // Counts writes, not bytes.
  std::int64_t replication_offset() const override { return writes_; }

  const std::string& vendor_and_release() const { return server_->vendor_and_release(); }
  pid_t process() const { return server_->process(); }
  // Commands carried out so far, in all runs.
  std::uint64_t steps() const { return steps_; }

 private:
  // A connection to the server, and what it is called there.
  struct Line {
    std::unique_ptr<Connection> connection;
    std::int64_t client_id = 0;
    bool has_state = false;  // may be in a transaction, watch keys, have subscribed
  };
  // A connection that waits for the answer to a command that blocks, and what else it has asked since.
  struct Blocked {
    ConnectionId connection = no_connection;
    std::deque<redis::Command> asked;
    std::optional<std::int64_t> deadline_ms;  // of the first: when the server should look at its clock again
  };

  RealNode& real(std::size_t member) const { return static_cast<RealNode&>(this->member(member)); }
  void start_server();
  void set_clock(std::int64_t wall_us);
  void set_clock(const NodeClocks& clocks) { set_clock(to_microseconds(clocks.wall)); }
  // Lets the server's timers run on a little; only while it is being synchronised.
  void tick();
  Line& line(ConnectionId id);
  Line new_line();
  Connection& control();
  std::string info(const std::string& section);
  void forget_connections();

  // The next answer of the connection; nothing: its command blocks.
  std::optional<redis::Reply> answer_unless_it_blocks(Line& line);
  Blocked* find_blocked(ConnectionId connection);
  std::optional<std::int64_t> deadline_ms(const redis::Command& command) const;
  void turn_once();
  void collect_answers(Outputs& outputs);
  void end_waits(Outputs& outputs);
  void note_answered(ConnectionId connection, const redis::Command& command, const redis::Reply& reply,
                     Outputs& outputs);
  void collect_news(Outputs& outputs);
  void note_subscription(ConnectionId connection, const redis::Reply& reply);
  std::size_t settled_file_size();

  // Whether it wrote something since the last time.
  bool note_write();
  bool follows(const RealNode& primary) const;
  void synchronise(RealNode& primary);
  void take_stream(RealNode& primary, std::int64_t writes);
  // Makes the primary know how far this replica has come, which by itself it is told every second.
  void report_to(RealNode& primary);
  void stop_following();
  // While a replica is synchronised with it.
  void pause_writes();
  void resume_writes();
  // Until it knows no replica that listens on this port.
  void see_gone(int replica_port);
  bool has_online(int replica_port);
  std::int64_t offset_heard_of(int replica_port);
  std::int64_t real_offset();
  // The real offset that stands for this many writes.
  std::int64_t real_offset_after(std::int64_t writes) const;

  RealNodeOptions options_;
  ServerProgram program_;
  TemporaryDirectory directory_;
  ClockPage page_;
  std::int64_t wall_ns_ = 0;
  std::int64_t monotonic_ns_;
  std::unique_ptr<RedisServer> server_;
  Companion companion_;  // it, beside us
  std::unique_ptr<Connection> control_;
  std::map<ConnectionId, Line> lines_;
  std::vector<Line> spare_;
  std::vector<Blocked> blocked_;  // in the order in which they began to wait
  bool is_paused_ = false;
  KnownScripts scripts_;
  redis::Subscriptions subscriptions_;
  std::map<ConnectionId, std::size_t> subscribed_;  // to how many channels
  redis::AppendOnlyFile file_;

  ReplicationLink link_;
  RealNode* primary_ = nullptr;  // while a replica, also one that has lost it or died since
  std::uint64_t life_ = 1;       // grows when it loses its place in the stream
  std::uint64_t primary_life_ = 0;
  std::int64_t writes_ = 0;
  std::int64_t last_real_offset_ = 0;
  std::int64_t last_dirty_ = 0;
  std::map<std::int64_t, std::int64_t> real_offsets_;  // by writes_
  std::uint64_t steps_ = 0;
  std::string trouble_;  // met where it could not be told
};

}  // namespace holdfast::live
