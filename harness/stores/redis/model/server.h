// One redis-server process: its data set, connections, scripts, and the rules by which a command is
// let in. It knows nothing of disks and replicas: those feed `apply` (model_node.h).
#pragma once

#include <utility>
#include <vector>

#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/database.h"
#include "harness/stores/redis/model/replica_waits.h"
#include "harness/stores/redis/model/script_engine.h"
#include "harness/stores/redis/model/subscriptions.h"
#include "harness/stores/redis/model/transactions.h"

namespace holdfast::redis {

class Server {
 public:
  explicit Server(ReplicationLog& log) : database_(log) {}

  // A command as it comes from a client: checked, queued inside MULTI, else run. One that `blocks` is not
  // answered by what is returned.
  Reply execute(ConnectionId connection, const Command& words, std::vector<Push>& pushes, bool& blocks);
  // A command that was let in: carried out, and its effect propagated.
  Reply run(const CommandInfo& info, ConnectionId connection, const Command& words,
            std::vector<Push>& pushes);
  // An effect out of a primary's stream or an append-only file. Nothing is propagated.
  void apply(const Command& effect);

  void disconnect(ConnectionId connection);
  // What a process forgets when it dies, the data set included.
  void forget_everything();

  // A replica refuses writes and leaves expiry to its primary.
  void set_replica(bool replica);
  bool is_replica() const { return replica_; }

  Database& database() { return database_; }
  const Database& database() const { return database_; }
  Subscriptions& subscriptions() { return subscriptions_; }
  Transactions& transactions() { return transactions_; }
  ScriptEngine& scripts() { return scripts_; }
  ReplicaWaits& waits() { return waits_; }
  // Something was published. Whether that was so since the last time this was asked.
  void note_published() { has_published_ = true; }
  bool take_published() { return std::exchange(has_published_, false); }
  const ReplicaWaits& waits() const { return waits_; }

 private:
  Reply run(Call& call);
  Reply run_for_client(const CommandInfo& info, ConnectionId connection, const Command& words,
                       std::vector<Push>& pushes, bool& blocks);
  // `info` is null for an unknown command.
  Reply refuse(ConnectionId connection, const CommandInfo* info, Reply error);

  Database database_;
  Subscriptions subscriptions_;
  Transactions transactions_;
  ScriptEngine scripts_;
  ReplicaWaits waits_;
  bool replica_ = false;
  bool has_published_ = false;
};

}  // namespace holdfast::redis
