// What a scenario may say of Redis servers, and what it comes to.
#pragma once

#include <array>
#include <span>

#include "harness/scenario/option.h"
#include "harness/stores/redis/append_only.h"
#include "harness/stores/servers.h"

namespace holdfast::redis {

inline constexpr std::int64_t most_replicas = 5;
inline constexpr std::array<std::string_view, 3> append_only_words{"never", "every_second", "always"};

inline constexpr std::array topology_options{
    Option{.name = "replicas",
           .kind = OptionKind::count,
           .meaning = "replicas of each server",
           .most = most_replicas,
           .stood_in_topology = true},
    Option{.name = "append_only",
           .kind = OptionKind::word,
           .meaning =
               "what survives a crash of the process: nothing, what was synced at the last whole second, "
               "every acknowledged write",
           .what = "append-only policy",
           .words = append_only_words,
           .usual_word = "never",
           .stood_in_topology = true},
    Option{.name = "replication_lag",
           .kind = OptionKind::duration,
           .meaning = "on top of the network's latency, from the primary to its replicas",
           .usual_duration = {1ms, 0},
           .stood_in_topology = true},
};
inline constexpr const Option& replicas_option = topology_options[0];
inline constexpr const Option& append_only_option = topology_options[1];
inline constexpr const Option& replication_lag_option = topology_options[2];

struct Topology {
  std::size_t servers = 0;
  std::size_t replicas = 0;  // of each server
  AppendOnly append_only = AppendOnly::never;
  Duration replication_lag = 1ms;  // on top of the link's latency
};

Topology topology_of(const ServersPlan& plan);

}  // namespace holdfast::redis
