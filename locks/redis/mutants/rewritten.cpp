#include "locks/redis/mutants/rewritten.h"

namespace holdfast::mutants {

redis::Command RewritingClient::rewritten(redis::Command command) const {
  if (command.size() > 1 && command[0] == "EVAL") {
    std::string& script = command[1];
    if (const std::size_t at = script.find(change_.from); at != std::string::npos) {
      script.replace(at, change_.from.size(), change_.to);
    }
  }
  return command;
}

Caller& RewritingCallers::of(Caller& me) {
  Seat& seat = seats_[me.env.thread()];
  if (!seat.caller) {
    seat.stores.reset(redis::Client::store_id);
    for (std::size_t server = 0; server < me.servers(); ++server) {
      seat.stores.add(std::make_unique<RewritingClient>(redis::client(me, server), change_));
    }
    seat.caller = std::make_unique<Caller>(Caller{me.env, seat.stores});
  }
  return *seat.caller;
}

}  // namespace holdfast::mutants
