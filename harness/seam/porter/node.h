// The model of a porter: one process that hands out named locks.
//
// As small as a Node can be that does all that one may do: it answers later, tells a holder unasked that its
// lock is wanted, closes the connection of a holder that was not heard of for too long, and tells its
// standbys how many locks it has granted, so that one that takes over counts on.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/option.h"
#include "harness/stores/node.h"

namespace holdfast::porter {

struct Request {
  std::string verb;
  std::string lock;
  ConnectionId connection = no_connection;
};
struct Reply {
  std::string word;
  std::int64_t token = 0;
};
struct Wanted {
  std::string lock;
};
struct Granted {
  std::int64_t count = 0;
};
// What a client's library says by itself: that it is still there.
struct Ping {};

std::string_view call_name(const Request& request);
std::string to_text(const Request& request);
std::string to_text(const Reply& reply);
std::uint64_t digest(const Request& request);
std::uint64_t digest(const Reply& reply);

struct NodeTypes {
  using Request = porter::Request;
  using Answer = porter::Reply;
  using News = Wanted;
  using Part = Granted;
  using Noise = Ping;
};

inline constexpr std::array topology_options{
    Option{.name = "standbys",
           .kind = OptionKind::count,
           .meaning = "further members, one of which takes over when a porter dies",
           .most = 3},
    Option{.name = "silence",
           .kind = OptionKind::positive_duration,
           .meaning = "how long a holder may say nothing before its connection is closed",
           .usual_duration = {10s, 0},
           .shrinks = true},
    Option{.name = "ping",
           .kind = OptionKind::duration,
           .meaning = "how often a client's library says that it is there; 0s: never"},
};
inline constexpr const Option& standbys_option = topology_options[0];
inline constexpr const Option& silence_option = topology_options[1];
inline constexpr const Option& ping_option = topology_options[2];

class ModelNode final : public Node<NodeTypes> {
 public:
  // A new run. `standbys` are the places of those that it tells what it has granted.
  void begin(Duration silence, std::vector<std::size_t> standbys);

  std::optional<Reply> submit(const Request& request, const NodeClocks& clocks, Outputs& outputs) override;
  void overhear(ConnectionId connection, const Ping&, const NodeClocks& clocks, Outputs& outputs) override;
  void close(ConnectionId connection, const NodeClocks& clocks, Outputs& outputs) override;
  bool keeps_something_of(ConnectionId connection) const override;
  void hear(std::size_t member, const Granted& granted, const NodeClocks& clocks, Outputs& outputs) override;
  void lose(std::size_t, const NodeClocks&, Outputs&) override {}
  std::optional<NodeTimer> next_due() const override;
  void advance(const NodeClocks& clocks, Outputs& outputs) override;
  void crash(const NodeClocks& clocks) override;
  void restart(const NodeClocks&) override {}

  // An administrator shows these to the door, whatever they hold or wait for.
  enum class Whom : std::uint8_t { holders, waiting };
  void evict(Whom whom, const NodeClocks& clocks, Outputs& outputs);

 private:
  void hear_from(ConnectionId connection, const NodeClocks& clocks);

  struct NamedLock {
    ConnectionId holder = no_connection;
    Duration heard{0};  // from the holder, last, on the monotonic clock
    std::deque<ConnectionId> waiting;
  };

  Reply grant(NamedLock& lock, ConnectionId to, const NodeClocks& clocks, Outputs& outputs);
  void pass_on(const std::string& name, NamedLock& lock, const NodeClocks& clocks, Outputs& outputs);

  Duration silence_{0};
  std::vector<std::size_t> standbys_;
  std::int64_t granted_ = 0;  // kept on disk
  std::map<std::string, NamedLock> locks_;
};

}  // namespace holdfast::porter
