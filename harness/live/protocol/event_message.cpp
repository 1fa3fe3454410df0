#include "harness/live/protocol/event_message.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array client_types{EventType::invoke, EventType::ok, EventType::fail, EventType::info,
                                  EventType::lost_hold};
constexpr std::array operations{Operation::none,      Operation::acquire, Operation::release,
                                Operation::read,      Operation::write,   Operation::count_down,
                                Operation::await_zero};

template <typename Values>
auto named(const Values& values, const std::string& name) {
  for (const auto value : values) {
    if (to_text(value) == name) {
      return value;
    }
  }
  throw LiveError(fmt::format("a live client spoke of \"{}\", which is no word of the protocol.", name));
}

}  // namespace

Json to_json(const Event& event, std::string_view text) {
  Json json{{"type", "event"},
            {"event", to_text(event.type)},
            {"operation", to_text(event.operation)},
            {"thread", event.thread},
            {"session", event.session}};
  if (event.mode == Mode::shared) {
    json["mode"] = "shared";
  }
  if (event.token) {
    json["token"] = *event.token;
  }
  if (event.value != 0) {
    json["value"] = event.value;
  }
  if (event.version != 0) {
    json["version"] = event.version;
  }
  json["wall"] = event.wall.count();
  json["monotonic"] = event.monotonic.count();
  if (!text.empty()) {
    json["text"] = text;
  }
  return json;
}

EventMessage event_message(const Json& json) {
  try {
    EventMessage message;
    Event& event = message.event;
    event.type = named(client_types, json.at("event").get<std::string>());
    event.operation = named(operations, json.value("operation", "none"));
    event.thread = json.at("thread").get<std::uint32_t>();
    event.session = json.value("session", 0U);
    event.mode = json.value("mode", "exclusive") == "shared" ? Mode::shared : Mode::exclusive;
    if (json.contains("token")) {
      event.token = json.at("token").get<std::int64_t>();
    }
    event.value = json.value("value", std::int64_t{0});
    event.version = json.value("version", std::int64_t{0});
    event.wall = Duration(json.value("wall", std::int64_t{0}));
    event.monotonic = Duration(json.value("monotonic", std::int64_t{0}));
    message.text = json.value("text", "");
    return message;
  } catch (const Json::exception& problem) {
    throw LiveError(
        fmt::format("a live client sent an event that is not as PROTOCOL.md says: {}", problem.what()));
  }
}

}  // namespace holdfast::live
