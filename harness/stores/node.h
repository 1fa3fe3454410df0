// One server process of a store, seen from outside: what goes into it, and what comes out.
//
// A model in `sim`, a real program in `warp`. When something reaches a node, and what its clocks then say, is
// the kernel's; a node never sees true time, latency or faults. It answers a request at once, later or never;
// it has timers of its own; it may say something to a connection that nobody asked for, and close it; one
// request may set many answers free. Replication and quorums are its own affair: what it tells other members
// of its server, and what it makes of what they tell it. A node belongs to one run at a time.
//
//   Types::Request   with a member `connection`,      Types::Answer   to a request
//                    and a `number` if several may be under way on a connection, answered in any order
//   Types::News      what a connection is told unasked Types::Part     what members tell each other
//   Types::Noise     what a client's library says by itself, such as that it is still there; may be missing
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "harness/kernel/process.h"
#include "harness/kernel/time.h"

namespace holdfast {

// Connections are numbered in the order in which they were opened, and one that broke comes back under a
// number of its own, which still tells where it stands in that order.
inline constexpr std::uint32_t connection_place_bits = 16;
constexpr ConnectionId connection_at(std::size_t place, std::uint32_t life) {
  return (life << connection_place_bits) | static_cast<ConnectionId>(place + 1);
}
constexpr std::uint32_t life_of(ConnectionId connection) {
  return connection >> connection_place_bits;
}
constexpr std::size_t place_of(ConnectionId connection) {
  return (connection & ((1U << connection_place_bits) - 1)) - 1;
}

// What the clocks of a node's process say now.
struct NodeClocks {
  Duration wall{0};
  Duration monotonic{0};
};

// When a node wants to be called again by itself: once this clock shows this.
struct NodeTimer {
  ClockKind clock = ClockKind::wall;
  Duration reading{0};

  friend bool operator==(const NodeTimer&, const NodeTimer&) = default;
};

struct NoNoise {};
template <typename Types, typename = void>
struct NoiseOf {
  using Type = NoNoise;
};
template <typename Types>
struct NoiseOf<Types, std::void_t<typename Types::Noise>> {
  using Type = typename Types::Noise;
};

template <typename Types>
class Node {
 public:
  using Request = typename Types::Request;
  using Answer = typename Types::Answer;
  using News = typename Types::News;
  using Part = typename Types::Part;
  using Noise = typename NoiseOf<Types>::Type;

  // What comes out, besides an answer that is given at once.
  struct Answered {
    ConnectionId connection = no_connection;
    Answer answer;
    // Which of its requests, where those of a connection may overtake each other (Request::number); 0: the
    // oldest that was not answered yet.
    std::uint32_t request = 0;
  };
  struct Pushed {
    ConnectionId connection = no_connection;
    News news;
    bool is_noise = false;  // such as what a ping is answered with: no fault counts it
  };
  struct Closed {
    ConnectionId connection = no_connection;
  };
  struct Sent {
    std::size_t member = 0;  // by its place among all nodes of the run
    Part part;
  };
  using Output = std::variant<Answered, Pushed, Closed, Sent>;
  using Outputs = std::vector<Output>;  // in the order in which it said them

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  // A request has arrived. Returns the answer; nothing if it comes later, or never.
  virtual std::optional<Answer> submit(const Request& request, const NodeClocks& clocks,
                                       Outputs& outputs) = 0;
  // A client's library has said something by itself, which is no step of its client's and has no answer.
  virtual void overhear(ConnectionId, const Noise&, const NodeClocks&, Outputs&) {}
  // The connection is gone, and with it what it had asked for.
  virtual void close(ConnectionId connection, const NodeClocks& clocks, Outputs& outputs) = 0;
  // Whether the end of a connection would change something, though all that it asked was answered: it has
  // locked something, subscribed, begun a transaction. Then a client that gives the connection up lets it
  // know.
  virtual bool keeps_something_of(ConnectionId) const { return false; }
  // What another member sent has arrived.
  virtual void hear(std::size_t member, const Part& part, const NodeClocks& clocks, Outputs& outputs) = 0;
  // The connection to another member broke: it died, or will have to connect again.
  virtual void lose(std::size_t member, const NodeClocks& clocks, Outputs& outputs) = 0;

  virtual std::optional<NodeTimer> next_due() const = 0;
  // The last of all that it would do or let go of by itself, if nobody asked it anything more: also what it
  // needs no timer for, such as a key that is found expired. Looking changes nothing.
  virtual std::optional<NodeTimer> last_due(const NodeClocks&) { return next_due(); }
  // What was due has come.
  virtual void advance(const NodeClocks& clocks, Outputs& outputs) = 0;

  // The process dies; its connections are gone, and what was not kept.
  virtual void crash(const NodeClocks& clocks) = 0;
  // It comes back with what was kept.
  virtual void restart(const NodeClocks& clocks) = 0;
};

}  // namespace holdfast
