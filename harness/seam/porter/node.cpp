#include "harness/seam/porter/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/kernel/fingerprint.h"
#include "harness/kernel/require.h"

namespace holdfast::porter {

std::string_view call_name(const Request& request) {
  return request.verb;
}
std::string to_text(const Request& request) {
  return fmt::format("{} {}", request.verb, request.lock);
}
std::string to_text(const Reply& reply) {
  return reply.token == 0 ? reply.word : fmt::format("{} {}", reply.word, reply.token);
}
std::uint64_t digest(const Request& request) {
  return quick_hash(to_text(request));
}
std::uint64_t digest(const Reply& reply) {
  return quick_hash(to_text(reply));
}

void ModelNode::begin(Duration silence, std::vector<std::size_t> standbys) {
  silence_ = silence;
  standbys_ = std::move(standbys);
  granted_ = 0;
  locks_.clear();
}

void ModelNode::hear_from(ConnectionId connection, const NodeClocks& clocks) {
  for (auto& [name, lock] : locks_) {
    if (lock.holder == connection) {
      lock.heard = clocks.monotonic;
    }
  }
}

void ModelNode::overhear(ConnectionId connection, const Ping&, const NodeClocks& clocks, Outputs&) {
  hear_from(connection, clocks);
}

std::optional<Reply> ModelNode::submit(const Request& request, const NodeClocks& clocks, Outputs& outputs) {
  hear_from(request.connection, clocks);
  NamedLock& lock = locks_[request.lock];
  const bool is_its = lock.holder == request.connection;
  if (request.verb == "unlock") {
    if (!is_its) {
      return Reply{"not yours"};
    }
    pass_on(request.lock, lock, clocks, outputs);
    return Reply{"released"};
  }
  require(request.verb == "lock", "a porter is asked to lock or to unlock");
  if (is_its) {
    return Reply{"yours already"};
  }
  if (lock.holder == no_connection) {
    return grant(lock, request.connection, clocks, outputs);
  }
  lock.waiting.push_back(request.connection);
  outputs.emplace_back(Pushed{lock.holder, {request.lock}});
  return std::nullopt;
}

void ModelNode::close(ConnectionId connection, const NodeClocks& clocks, Outputs& outputs) {
  for (auto& [name, lock] : locks_) {
    std::erase(lock.waiting, connection);
    if (lock.holder == connection) {
      pass_on(name, lock, clocks, outputs);
    }
  }
}

bool ModelNode::keeps_something_of(ConnectionId connection) const {
  return std::ranges::any_of(locks_, [&](const auto& each) { return each.second.holder == connection; });
}

void ModelNode::hear(std::size_t, const Granted& granted, const NodeClocks&, Outputs&) {
  granted_ = std::max(granted_, granted.count);
}

std::optional<NodeTimer> ModelNode::next_due() const {
  std::optional<NodeTimer> first;
  for (const auto& [name, lock] : locks_) {
    if (lock.holder != no_connection && (!first || lock.heard + silence_ < first->reading)) {
      first = NodeTimer{ClockKind::monotonic, lock.heard + silence_};
    }
  }
  return first;
}

void ModelNode::advance(const NodeClocks& clocks, Outputs& outputs) {
  for (auto& [name, lock] : locks_) {
    if (lock.holder != no_connection && lock.heard + silence_ <= clocks.monotonic) {
      outputs.emplace_back(Closed{lock.holder});
      pass_on(name, lock, clocks, outputs);
    }
  }
}

// Connections die with the process, and with them all locks.
void ModelNode::crash(const NodeClocks&) {
  locks_.clear();
}

void ModelNode::evict(Whom whom, const NodeClocks& clocks, Outputs& outputs) {
  std::vector<ConnectionId> evicted;
  for (const auto& [name, lock] : locks_) {
    if (whom == Whom::waiting) {
      evicted.insert(evicted.end(), lock.waiting.begin(), lock.waiting.end());
    } else if (lock.holder != no_connection) {
      evicted.push_back(lock.holder);
    }
  }
  for (const ConnectionId connection : evicted) {
    outputs.emplace_back(Closed{connection});
    close(connection, clocks, outputs);
  }
}

Reply ModelNode::grant(NamedLock& lock, ConnectionId to, const NodeClocks& clocks, Outputs& outputs) {
  lock.holder = to;
  lock.heard = clocks.monotonic;
  ++granted_;
  for (const std::size_t standby : standbys_) {
    outputs.emplace_back(Sent{standby, {granted_}});
  }
  return {"granted", granted_};
}

void ModelNode::pass_on(const std::string& name, NamedLock& lock, const NodeClocks& clocks,
                        Outputs& outputs) {
  lock.holder = no_connection;
  if (lock.waiting.empty()) {
    return;
  }
  const ConnectionId next = lock.waiting.front();
  lock.waiting.pop_front();
  Reply reply = grant(lock, next, clocks, outputs);
  outputs.emplace_back(Answered{next, std::move(reply)});
  if (!lock.waiting.empty()) {
    outputs.emplace_back(Pushed{next, {name}});
  }
}

}  // namespace holdfast::porter
