// An event of a client's history as a line of the protocol; see harness/live/PROTOCOL.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "harness/history/event.h"

namespace holdfast::live {

nlohmann::ordered_json to_json(const Event& event, std::string_view text);

struct EventMessage {
  Event event;  // without process and true time, which are not the client's to say
  std::string text;
};
// Throws LiveError if it is none.
EventMessage event_message(const nlohmann::ordered_json& json);

}  // namespace holdfast::live
