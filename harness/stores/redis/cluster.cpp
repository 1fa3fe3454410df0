#include "harness/stores/redis/cluster.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/stores/redis/network_client.h"

namespace holdfast::redis {
namespace {

bool equals_ignoring_case(std::string_view text, std::string_view upper) {
  return std::equal(text.begin(), text.end(), upper.begin(), upper.end(), [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

std::int64_t number_or(std::string_view text, std::int64_t otherwise) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

}  // namespace

// A part of the primary's stream on its way to a replica, or the replica's acknowledgement on its way back.
class Cluster::ReplicationMessage final : public Message {
 public:
  Cluster* cluster = nullptr;
  std::size_t from = 0;  // node indices
  std::size_t to = 0;
  std::int64_t offset = 0;
  bool acknowledgement = false;
  bool used = false;

  void arrive() override;
  void bounce() override {}

 private:
  void recycle() override { used = false; }
};

class Cluster::PushMessage final : public Message {
 public:
  Cluster* cluster = nullptr;
  Push push;
  bool used = false;

  void arrive() override {
    if (NetworkClient* client = cluster->connections_[push.connection]) {
      client->deliver(push.channel);
    }
  }
  void bounce() override {}

 private:
  void recycle() override { used = false; }
};

namespace {

template <typename MessageType>
MessageType& take_message(std::vector<std::unique_ptr<MessageType>>& pool) {
  const auto spare = std::find_if(pool.begin(), pool.end(), [](const auto& each) { return !each->used; });
  if (spare != pool.end()) {
    (*spare)->used = true;
    return **spare;
  }
  pool.push_back(std::make_unique<MessageType>());
  pool.back()->used = true;
  return *pool.back();
}

}  // namespace

// One redis-server process.
class Cluster::Node final : public RedisCalls::Service, public ProcessListener {
 public:
  explicit Node(Cluster& cluster) : cluster_(cluster) {}

  void reset(ProcessId process, std::size_t index, Backend& backend) {
    process_ = process;
    index_ = index;
    backend_ = &backend;
    replicas_.clear();
    acknowledged_.clear();
    waits_.clear();
    last_writes_.clear();
  }
  void add_replica(std::size_t node) {
    replicas_.push_back(node);
    acknowledged_.push_back(0);
  }

  ProcessId process() const { return process_; }
  Backend& backend() { return *backend_; }
  const std::vector<std::size_t>& replicas() const { return replicas_; }
  std::int64_t wall_us() const {
    return to_microseconds(cluster_.kernel_.read_clock(process_, ClockKind::wall));
  }

  void serve(RedisCalls::Call& call) override {
    const Command& command = call.request.command;
    if (!command.empty() && equals_ignoring_case(command.front(), "WAIT") && command.size() == 3) {
      serve_wait(call);
      return;
    }
    const std::int64_t offset_before = replicas_.empty() ? 0 : backend_->replication_offset();
    pushes_.clear();
    const std::uint64_t expired = backend_->expired_keys();
    Reply reply = backend_->execute(call.request.connection, command, wall_us(), pushes_);
    if (backend_->expired_keys() != expired) {
      cluster_.kernel_.mark(Mark::lease_ran_out);
    }
    if (!replicas_.empty() && backend_->replication_offset() != offset_before) {
      note_write(call.request.connection);
      replicate();
    }
    if (!pushes_.empty()) {
      cluster_.publish(*this, pushes_);
    }
    cluster_.calls_.respond(call, std::move(reply));
  }

  // The connection broke; the one that its client opens next has written nothing yet.
  void lose(ConnectionId connection) {
    backend_->disconnect(connection);
    std::erase_if(last_writes_, [&](const LastWrite& write) { return write.connection == connection; });
  }

  void replicate() {
    for (const std::size_t replica : replicas_) {
      send_offset(replica, backend_->replication_offset(), false);
    }
  }

  // Becomes a replica of the other, with all it has now.
  void follow(Node& primary) {
    backend_->replicate_from(primary.backend(), primary.backend().replication_offset(), wall_us());
  }

  // The replica's side: take what the primary sent, and acknowledge.
  void receive(std::size_t primary, std::int64_t offset) {
    backend_->replicate_from(cluster_.nodes_[primary]->backend(), offset, wall_us());
    send_offset(primary, offset, true);
  }

  void acknowledge(std::size_t replica, std::int64_t offset) {
    const auto at = std::find(replicas_.begin(), replicas_.end(), replica);
    if (at == replicas_.end()) {
      return;
    }
    std::int64_t& known = acknowledged_[static_cast<std::size_t>(at - replicas_.begin())];
    known = std::max(known, offset);
    for (std::size_t index = 0; index < waits_.size(); ++index) {
      if (acknowledged_count(waits_[index].offset) >= waits_[index].wanted) {
        answer_wait(index--);
      }
    }
  }

  void on_crash() override {
    backend_->crash(wall_us());
    for (Wait& wait : waits_) {
      wait.call->release();
    }
    waits_.clear();
    last_writes_.clear();
    for (std::size_t process = 1; process < cluster_.kernel_.process_count(); ++process) {
      if (static_cast<ProcessId>(process) != process_) {
        cluster_.network_.reset_connection(static_cast<ProcessId>(process), process_);
      }
    }
  }
  void on_restart() override {
    backend_->restart(wall_us());
    if (cluster_.topology_.append_only != AppendOnly::always) {
      cluster_.kernel_.mark(Mark::data_lost_at_restart);
    }
  }

 private:
  struct Wait {
    RedisCalls::Call* call;
    std::int64_t offset;
    std::int64_t wanted;
    std::uint64_t id;
  };
  struct LastWrite {
    ConnectionId connection;
    std::int64_t offset;
  };

  // WAIT counts only writes of its own connection.
  void note_write(ConnectionId connection) {
    for (LastWrite& write : last_writes_) {
      if (write.connection == connection) {
        write.offset = backend_->replication_offset();
        return;
      }
    }
    last_writes_.push_back({connection, backend_->replication_offset()});
  }

  std::int64_t acknowledged_count(std::int64_t offset) const {
    return std::count_if(acknowledged_.begin(), acknowledged_.end(),
                         [&](std::int64_t known) { return known >= offset; });
  }

  void serve_wait(RedisCalls::Call& call) {
    const std::int64_t wanted = number_or(call.request.command[1], -1);
    const std::int64_t timeout_ms = number_or(call.request.command[2], -1);
    if (wanted < 0 || timeout_ms < 0) {
      cluster_.calls_.respond(
          call, Reply::error(timeout_ms < 0 ? "ERR timeout is negative" : "ERR value is out of range"));
      return;
    }
    std::int64_t offset = 0;
    for (const LastWrite& write : last_writes_) {
      offset = write.connection == call.request.connection ? write.offset : offset;
    }
    if (acknowledged_count(offset) >= wanted) {
      cluster_.calls_.respond(call, Reply::integer(acknowledged_count(offset)));
      return;
    }
    call.retain();
    waits_.push_back({&call, offset, wanted, ++waits_made_});
    if (timeout_ms > 0) {
      cluster_.kernel_.call_at(
          process_, cluster_.kernel_.now() + std::chrono::milliseconds(timeout_ms),
          [](void* context, std::uint64_t id) { static_cast<Node*>(context)->wait_timed_out(id); }, this,
          waits_made_);
    }
  }

  void wait_timed_out(std::uint64_t id) {
    for (std::size_t index = 0; index < waits_.size(); ++index) {
      if (waits_[index].id == id) {
        answer_wait(index);
        return;
      }
    }
  }

  void answer_wait(std::size_t index) {
    const Wait wait = waits_[index];
    waits_.erase(waits_.begin() + static_cast<std::ptrdiff_t>(index));
    cluster_.calls_.respond(*wait.call, Reply::integer(acknowledged_count(wait.offset)));
    wait.call->release();
  }

  void send_offset(std::size_t to, std::int64_t offset, bool acknowledgement) {
    ReplicationMessage& message = take_message(cluster_.replication_messages_);
    message.cluster = &cluster_;
    message.from = index_;
    message.to = to;
    message.offset = offset;
    message.acknowledgement = acknowledgement;
    cluster_.network_.send(process_, cluster_.nodes_[to]->process_, message);
  }

  Cluster& cluster_;
  ProcessId process_{};
  std::size_t index_ = 0;
  Backend* backend_ = nullptr;
  std::vector<std::size_t> replicas_;       // node indices
  std::vector<std::int64_t> acknowledged_;  // offsets, beside replicas_
  std::vector<Wait> waits_;
  std::vector<LastWrite> last_writes_;
  std::vector<Push> pushes_;
  std::uint64_t waits_made_ = 0;
};

void Cluster::ReplicationMessage::arrive() {
  if (acknowledgement) {
    cluster->nodes_[to]->acknowledge(from, offset);
  } else {
    cluster->nodes_[to]->receive(from, offset);
  }
}

Cluster::Cluster(Kernel& kernel, Network& network, RedisCalls& calls, BackendFactory& factory)
    : kernel_(kernel), network_(network), calls_(calls), factory_(factory) {}

Cluster::~Cluster() = default;

void Cluster::add_processes_of(const Topology& topology) {
  topology_ = topology;
  node_count_ = 0;
  primaries_.clear();
  connections_.clear();
  for (auto& message : replication_messages_) {
    message->forget_references();
    message->used = false;
  }
  for (auto& message : push_messages_) {
    message->forget_references();
    message->used = false;
  }
  for (std::size_t server = 0; server < topology.servers; ++server) {
    primaries_.push_back(node_count_);
    for (std::size_t member = 0; member <= topology.replicas; ++member) {
      const std::string name = member_name(Client::store_id, topology.servers, server, member);
      if (node_count_ == nodes_.size()) {
        nodes_.push_back(std::make_unique<Node>(*this));
      }
      Node& node = *nodes_[node_count_];
      const ProcessId process = kernel_.add_process(name);
      node.reset(process, node_count_, factory_.make(node_count_, topology));
      kernel_.listen(process, node);
      if (member > 0) {
        nodes_[primaries_.back()]->add_replica(node_count_);
      }
      ++node_count_;
    }
  }
}

void Cluster::start() {
  calls_.reset();
  network_.listen(*this);
  for (const std::size_t primary : primaries_) {
    for (const std::size_t replica : nodes_[primary]->replicas()) {
      network_.add_latency(nodes_[primary]->process(), nodes_[replica]->process(), topology_.replication_lag);
      nodes_[replica]->follow(*nodes_[primary]);
    }
  }
}

ProcessId Cluster::serving(std::size_t server) const {
  return nodes_[primaries_.at(server)]->process();
}

RedisCalls::Service& Cluster::service(std::size_t server) {
  return *nodes_[primaries_.at(server)];
}

std::vector<ProcessId> Cluster::members(std::size_t server) const {
  std::vector<ProcessId> result;
  for (std::size_t member = 0; member <= topology_.replicas; ++member) {
    result.push_back(nodes_[server * (topology_.replicas + 1) + member]->process());
  }
  return result;
}

// All other members, though some may follow another by now: their links are slow all the same.
std::vector<ProcessId> Cluster::followers(ProcessId member) const {
  std::vector<ProcessId> others = members(server_of(member));
  std::erase(others, member);
  return others;
}

bool Cluster::can(ServerAction action, std::size_t server) const {
  return action == ServerAction::failover && !nodes_[primaries_.at(server)]->replicas().empty();
}

void Cluster::act(ServerAction action, std::size_t server) {
  require(action == ServerAction::failover, "Redis servers are told to fail over and nothing else");
  failover(server);
}

std::unique_ptr<StoreClient> Cluster::connect(Env& env, std::size_t server, Duration command_timeout) {
  return std::make_unique<NetworkClient>(env, *this, server, command_timeout);
}

void Cluster::failover(std::size_t server) {
  const std::size_t old_index = primaries_.at(server);
  Node& old_primary = *nodes_[old_index];
  if (old_primary.replicas().empty()) {
    return;
  }
  // As Sentinel does: the replica that has received most.
  const std::size_t new_index = *std::max_element(
      old_primary.replicas().begin(), old_primary.replicas().end(), [&](std::size_t a, std::size_t b) {
        return nodes_[a]->backend().replication_offset() < nodes_[b]->backend().replication_offset();
      });
  for (const std::size_t replica : old_primary.replicas()) {
    if (replica != new_index) {
      nodes_[new_index]->add_replica(replica);
    }
  }
  if (nodes_[new_index]->backend().replication_offset() < old_primary.backend().replication_offset()) {
    kernel_.mark(Mark::replica_lacked_writes);
  }
  kernel_.crash(old_primary.process());
  nodes_[new_index]->backend().promote();
  primaries_[server] = new_index;
}

void Cluster::on_reset(ProcessId one, ProcessId other) {
  for (std::size_t index = 0; index < connections_.size(); ++index) {
    NetworkClient* client = connections_[index];
    if (client == nullptr || (client->process() != one && client->process() != other)) {
      continue;
    }
    const ProcessId server = client->process() == one ? other : one;
    for (std::size_t node = 0; node < node_count_; ++node) {
      if (nodes_[node]->process() == server) {
        nodes_[node]->lose(static_cast<ConnectionId>(index));
      }
    }
    // Each client has two connections, side by side: it is told once.
    const bool told = index > 0 && connections_[index - 1] == client;
    if (!told && kernel_.process(client->process()).alive) {
      client->connection_lost(server);
    }
  }
}

ConnectionId Cluster::open_connection(NetworkClient& client) {
  connections_.push_back(&client);
  return static_cast<ConnectionId>(connections_.size() - 1);
}

void Cluster::disconnect(ConnectionId connection) {
  connections_[connection] = nullptr;
  for (std::size_t index = 0; index < node_count_; ++index) {
    nodes_[index]->backend().disconnect(connection);
  }
}

void Cluster::publish(Node& from, std::vector<Push>& pushes) {
  for (Push& push : pushes) {
    const NetworkClient* client = connections_.at(push.connection);
    if (client == nullptr) {
      continue;
    }
    PushMessage& message = take_message(push_messages_);
    message.cluster = this;
    message.push = std::move(push);
    network_.send(from.process(), client->process(), message);
  }
}

}  // namespace holdfast::redis
