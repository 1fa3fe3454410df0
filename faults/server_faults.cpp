// failover: the primary dies and the replica that has received most takes over with that.
// server-restart: the server dies and comes back with what its append-only policy kept.
// replication-lag: what the primary sends to its replicas takes longer for a while.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

constexpr std::array lag_options{Option{.name = "by",
                                        .kind = OptionKind::positive_duration,
                                        .meaning = "how much longer replication takes",
                                        .is_required = true,
                                        .shrinks = true}};
constexpr const Option& lag_option = lag_options[0];

// Of the links from the same member at the begin and at the end, though another may serve by then.
void change_lag(const Strike& strike, Duration extra) {
  for (const ProcessId follower : strike.world->servers.followers(strike.serving)) {
    strike.world->network.add_latency(strike.serving, follower, extra);
  }
}

void fail_over(const Strike& strike) {
  Servers& servers = strike.world->servers;
  const std::size_t server = servers.server_of(strike.target);
  if (servers.can(ServerAction::failover, server)) {
    servers.act(ServerAction::failover, server);
  }
}

}  // namespace

FaultEntry failover() {
  return {.id = "failover",
          .summary = "the primary dies and a replica takes over with what it had received",
          .strikes_clients = false,
          .strikes_servers = true,
          .needs_replicas = true,
          .excuses_waiting = false,
          .phases = server_phases,
          .begin = [](Strike& strike) { fail_over(strike); },
          .end = nullptr,
          .describe = [](const Strike&) { return std::string("dies; its replica is promoted"); }};
}

FaultEntry server_restart() {
  return {.id = "server-restart",
          .summary = "the server dies and comes back with what it had on disk",
          .lasting = Lasting::for_a_while,
          .strikes_clients = false,
          .strikes_servers = true,
          .excuses_waiting = true,
          .phases = server_phases,
          .begin =
              [](Strike& strike) {
                strike.world->kernel.hold_open();
                strike.world->kernel.crash(strike.target);
              },
          .end =
              [](Strike& strike) {
                strike.world->kernel.restart(strike.target);
                strike.world->kernel.let_close();
              },
          .describe =
              [](const Strike& strike) { return fmt::format("restarts ({} down)", to_text(strike.lasts)); }};
}

FaultEntry replication_lag() {
  return {.id = "replication-lag",
          .summary = "what the primary sends to its replicas takes longer",
          .options = lag_options,
          .lasting = Lasting::for_or_until,
          .strikes_clients = false,
          .strikes_servers = true,
          .needs_replicas = true,
          .excuses_waiting = false,
          .phases = server_phases,
          .begin =
              [](Strike& strike) {
                const Servers& servers = strike.world->servers;
                strike.serving = servers.serving(servers.server_of(strike.target));
                change_lag(strike, strike.duration(lag_option));
              },
          .end = [](Strike& strike) { change_lag(strike, -strike.duration(lag_option)); },
          .describe =
              [](const Strike& strike) {
                return fmt::format("replication lags by {}", to_text(strike.duration(lag_option)));
              }};
}

}  // namespace holdfast::faults
