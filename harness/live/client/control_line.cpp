#include "harness/live/client/control_line.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t control_read_size = 4096;

}  // namespace

void ControlLine::send(const Json& message) const {
  const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t size = write(output_, line.data() + written, line.size() - written);
    if (size < 0 && errno != EINTR) {
      std::_Exit(EXIT_SUCCESS);
    }
    written += size > 0 ? static_cast<std::size_t>(size) : 0;
  }
}

void ControlLine::read() {
  char buffer[control_read_size];
  const ssize_t size = ::read(input_, buffer, sizeof buffer);
  if (size == 0 || (size < 0 && errno != EINTR)) {
    std::_Exit(EXIT_SUCCESS);
  }
  inbox_.append(buffer, size > 0 ? static_cast<std::size_t>(size) : 0);
}

std::optional<Json> ControlLine::take_line() {
  const std::size_t end = inbox_.find('\n');
  if (end == std::string::npos) {
    return std::nullopt;
  }
  const std::string line = inbox_.substr(0, end);
  inbox_.erase(0, end + 1);
  Json message = Json::parse(line, nullptr, false);
  if (!message.is_object() || !message.contains("type")) {
    throw LiveError("what came on standard input is no message of the protocol: " + line.substr(0, 80));
  }
  return message;
}

Json ControlLine::wait_for(const std::string& type) {
  while (true) {
    while (std::optional<Json> message = take_line()) {
      if (message->at("type") == type) {
        return *message;
      }
      if (handler_) {
        handler_(*message);
      }
    }
    read();
  }
}

void ControlLine::on_ready() {
  read();
  handle_rest();
}

void ControlLine::handle_rest() {
  while (const std::optional<Json> message = take_line()) {
    handler_(*message);
  }
}

}  // namespace holdfast::live
