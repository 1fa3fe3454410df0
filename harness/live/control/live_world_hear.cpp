// What comes in: messages of clients, calls that pass the proxies, and what storage decided.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/live/control/live_world.h"
#include "harness/live/protocol/event_message.h"
#include "harness/run/recording.h"
#include "harness/stores/node.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;

Phase phase_called(const std::string& name) {
  for (const Phase phase : {Phase::point, Phase::sending, Phase::replied}) {
    if (to_text(phase) == name) {
      return phase;
    }
  }
  throw LiveError(fmt::format("a client reported a step of the phase \"{}\", which there is not.", name));
}

// What a step says of its call, where nobody needs more than that there is one.
class SomeCall final : public CallText {
 public:
  std::string request_text() const override { return {}; }
  std::string reply_text() const override { return {}; }
};

}  // namespace

void LiveWorld::hear(Client& client, const Json& message) {
  const auto type = message.at("type").get<std::string>();
  if (is_running) {
    mirror.world.kernel.advance_to(now());
  }
  if (type == "event") {
    EventMessage told = event_message(message);
    client.has_begun |= told.event.type != EventType::invoke;
    told.event.process = client.process;
    told.event.true_time = mirror.world.kernel.now();
    told.event.session = session_number(told.event.session);
    history.keep(told.event, told.text);
  } else if (type == "step") {
    hear_step(client, message);
  } else if (type == "prepared") {
    hear_prepared(client, message);
  } else if (type == "done") {
    client.is_done = true;
  } else if (type == "pong") {
    client.has_answered = true;
  } else if (type == "ready") {
    for (const std::unique_ptr<Client>& other : clients) {
      if (other.get() != &client && other->program != nullptr) {
        other->program->send({{"type", "ready"}});
      }
    }
  } else {
    throw LiveError(fmt::format("{} sent a message of the type \"{}\", which there is not.",
                                mirror.world.kernel.process(client.process).name, type));
  }
}

void LiveWorld::hear_prepared(Client& client, const Json& message) {
  if (client.launch != nullptr) {
    verify_clock(client, message);
  }
  client.is_prepared = true;
  if (is_running) {
    client.program->send({{"type", "start"}});
  }
}

void LiveWorld::verify_clock(Client& client, const Json& message) {
  if (!message.contains("wall")) {
    throw LiveError(fmt::format(
        "{} does not say what time it is (\"wall\" of \"prepared\"), so that its clock cannot be trusted.",
        mirror.world.kernel.process(client.process).name));
  }
  client.launch->verify_said(client.program->process(), client.wall_at_launch_ns,
                             message["wall"].get<std::int64_t>());
  follow_clock(client);
}

std::uint32_t LiveWorld::session_number(std::uint32_t number_of_client) {
  if (number_of_client == 0) {
    return 0;
  }
  return session_numbers.emplace(number_of_client, static_cast<std::uint32_t>(session_numbers.size() + 1))
      .first->second;
}

void LiveWorld::hear_step(Client& client, const Json& message) {
  const std::uint32_t life = client.lives;
  const SomeCall call;
  const auto name = message.value("name", std::string());
  Step step;
  step.client = client.process;
  step.thread = message.value("thread", 1U);
  step.phase = phase_called(message.value("phase", std::string()));
  step.name = name;
  if (step.phase != Phase::point) {
    const int server = message.value("server", 0);
    if (server < storage_server || server >= static_cast<int>(mirror.world.servers().count())) {
      throw LiveError(fmt::format("a client spoke of its server {}, which it has not.", server));
    }
    step.server = server_process(server);
    step.call = &call;
  }
  take_step(step);
  if (client.program != nullptr && client.lives == life) {
    client.program->send({{"type", "go"}});
  }
}

void LiveWorld::on_call(const DoorOwner& owner, const Passing& passing, const CallText& call) {
  mirror.world.kernel.advance_to(now());
  take_step({.client = owner.client,
             .thread = owner.thread,
             .phase = passing.phase,
             .name = passing.name,
             .server = server_process(owner.server),
             .call = &call,
             .connection = connection_at(owner.door, passing.connection)});
}

// A server of ours may be down, by a fault; one of the user's may not.
void LiveWorld::on_unreachable(const DoorOwner& owner, const boost::system::error_code& problem) {
  if (user_servers != nullptr && owner.server != storage_server) {
    throw LiveError(
        fmt::format("{} does not answer any more: {}.", name_of_server(owner.server), problem.message()));
  }
  require_servers();
  if (problem != boost::asio::error::connection_refused && problem != boost::asio::error::connection_reset) {
    throw LiveError(fmt::format("no connection can be made to a server: {}.", problem.message()));
  }
}

void LiveWorld::take_step(Step step) {
  mirror.world.steps.take(Step(step));
  mirror.run_until(now());
  follow_mirror(&step);
  start_due();
}

void LiveWorld::on_step(const Step& step) {
  if (step.phase != Phase::applied) {
    return;
  }
  for (const std::unique_ptr<Client>& client : clients) {
    client->has_begun |= client->process == step.client;
  }
  if (step.server == mirror.world.storage) {
    return;
  }
  ++commands;
  record_applied(history, step);
}

// A thread that dies alone: its process has to be told.
void LiveWorld::on_event(const Event& event, const History&) {
  if (event.type != EventType::died || event.thread == 0) {
    return;
  }
  for (const std::unique_ptr<Client>& client : clients) {
    if (client->process == event.process && client->program != nullptr) {
      client->program->send({{"type", "end-thread"}, {"thread", event.thread}});
    }
  }
}

void LiveWorld::on_reset(ProcessId one, ProcessId other) {
  for (const std::unique_ptr<Door>& door : doors) {
    const ProcessId client = door->owner().client;
    const ProcessId server = server_process(door->owner().server);
    if ((client == one && server == other) || (client == other && server == one)) {
      door->reset_connections();
    }
  }
}

void LiveWorld::on_reset_of(ConnectionId connection, ProcessId, ProcessId) {
  doors.at(place_of(connection))->reset_connection(life_of(connection));
}

void LiveWorld::on_stored(const DoorOwner& owner, const StorageRequest& asked,
                          const StorageRegister::Decision& decision) {
  if (asked.kind != StorageRequest::Kind::write || decision.is_repeated) {
    return;
  }
  mirror.world.kernel.advance_to(now());
  StorageRequest as_told = asked;
  as_told.session = session_number(asked.session);
  record_stored(history, {.client = owner.client,
                          .thread = owner.thread,
                          .server = mirror.world.storage,
                          .request = as_told,
                          .is_accepted = decision.after.accepted,
                          .found_version = decision.before.version});
}

}  // namespace holdfast::live
