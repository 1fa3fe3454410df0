// failover: the primary dies and the replica that has received most takes over with that.
// server-restart: the server dies and comes back with what its append-only policy kept.
// replication-lag: what the primary sends to its replicas takes `by` longer for a while.
//
// Reads: on, at; server-restart: lasts; replication-lag: by, lasts or until.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

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
          .parameters = "on, at",
          .strikes_clients = false,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = server_phases,
          .begin = [](Strike& strike) { fail_over(strike); },
          .end = nullptr,
          .describe = [](const Strike&) { return std::string("dies; its replica is promoted"); }};
}

FaultEntry server_restart() {
  return {.id = "server-restart",
          .summary = "the server dies and comes back with what it had on disk",
          .parameters = "on, at, for",
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
          .parameters = "on, by, at, for | until",
          .strikes_clients = false,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = server_phases,
          .begin =
              [](Strike& strike) {
                Servers& servers = strike.world->servers;
                strike.serving = servers.serving(servers.server_of(strike.target));
                change_lag(strike, strike.by);
              },
          .end = [](Strike& strike) { change_lag(strike, -strike.by); },
          .describe =
              [](const Strike& strike) { return fmt::format("replication lags by {}", to_text(strike.by)); }};
}

}  // namespace holdfast::faults
