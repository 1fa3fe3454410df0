#include "harness/seam/porter/wire.h"

#include <utility>

#include "harness/machine/process/live_error.h"

namespace holdfast::porter {
namespace {

constexpr std::string_view wanted = "! wanted ";

std::string first_word(const std::string& line) {
  return line.substr(0, line.find(' '));
}

}  // namespace

std::optional<live::WireMessage> PorterWire::feed(live::Direction direction, std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  std::string line(bytes.substr(0, end));
  live::WireMessage message{.length = end + 1};
  const bool is_to_server = direction == live::Direction::to_server;
  if (is_to_server ? line == "ping" : !std::exchange(was_greeted_, true)) {
    message.kind = live::MessageKind::noise;
  } else if (is_to_server) {
    message.kind = live::MessageKind::request;
    message.name = first_word(line);
    message.text = line;
    asked_.push_back(std::move(line));
  } else if (line.starts_with(wanted)) {
    message.kind = live::MessageKind::push;
    message.name = "wanted";
    message.text = line.substr(wanted.size());
  } else if (asked_.empty()) {
    throw live::LiveError("a porter answered, and nobody had asked.");
  } else {
    message.kind = live::MessageKind::answer;
    message.name = first_word(asked_.front());
    message.asked = std::move(asked_.front());
    message.text = std::move(line);
    asked_.pop_front();
  }
  return message;
}

}  // namespace holdfast::porter
