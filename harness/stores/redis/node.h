// One redis-server process: the model of it in `sim`, a real one in `warp`.
//
// What every node is (harness/stores/node.h), with what Redis has besides: a replica follows a primary, gets
// the stream of its writes part by part, and says how far it has come when the primary asks for it (WAIT).
// A part says how far the stream has been sent, or how far what the replica said; whoever hears of it fetches
// the rest from the other node. So one that got lost on the way is made up for by the next. Offsets count
// what a server sends; only their order means something.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/stores/node.h"
#include "harness/stores/redis/client.h"
#include "harness/stores/redis/reply.h"
#include "harness/stores/redis/request.h"

namespace holdfast::redis {

struct StreamPart {
  std::int64_t up_to = 0;
  bool is_of_replica = false;  // what it said to its primary, not what the primary sent
};

struct NodeTypes {
  using Request = redis::Request;
  using Answer = Reply;
  using News = ChannelMessage;
  using Part = StreamPart;
};

class Node : public holdfast::Node<NodeTypes> {
 public:
  // All nodes of the run, which one of them this is, and to which of them it sends what it writes.
  void join(std::span<Node* const> members, std::size_t place) {
    members_ = members;
    place_ = place;
    replicas_.clear();
  }
  void add_replica(std::size_t member) { replicas_.push_back(member); }
  const std::vector<std::size_t>& replicas() const { return replicas_; }

  // Becomes a replica of the primary, with all that it has now.
  virtual void follow(std::size_t primary, const NodeClocks& clocks) = 0;
  // From now on a primary of its own; what was not replicated is lost.
  virtual void promote(const NodeClocks& clocks) = 0;
  // How much it has written, or of its primary's stream.
  virtual std::int64_t replication_offset() const = 0;

  // How many keys were found expired so far, if that is known.
  virtual std::uint64_t expired_keys() const { return 0; }
  // The lengths of the times to live that keys were given in this run, if they are known.
  virtual std::span<const std::int64_t> leases_ms() const { return {}; }

 protected:
  std::size_t place() const { return place_; }
  Node& member(std::size_t member) const { return *members_[member]; }
  // To all replicas: the stream has come this far. They are told before what stands from `place` on.
  void send_stream(Outputs& outputs, std::ptrdiff_t place) const {
    for (const std::size_t replica : replicas_) {
      outputs.insert(outputs.begin() + place++, Sent{replica, {replication_offset(), false}});
    }
  }
  void send_stream(Outputs& outputs) const { send_stream(outputs, std::ssize(outputs)); }

  // What came of a replica's connecting, which no message tells: it is said with the next thing that is.
  Outputs& unsaid() { return unsaid_; }
  void say_what_was_due(Outputs& outputs) {
    std::ranges::move(unsaid_, std::back_inserter(outputs));
    unsaid_.clear();
  }
  void forget_unsaid() { unsaid_.clear(); }
  void forget_unsaid(ConnectionId connection) {
    std::erase_if(unsaid_, [=](const Output& output) {
      const auto* const answered = std::get_if<Answered>(&output);
      return answered != nullptr && answered->connection == connection;
    });
  }

 private:
  Outputs unsaid_;
  std::span<Node* const> members_;
  std::size_t place_ = 0;
  std::vector<std::size_t> replicas_;
};

}  // namespace holdfast::redis
