#include "harness/stores/storage/storage_wire.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/machine/process/live_error.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_wire_line = 65'536;
constexpr std::size_t most_waiting_requests = 1000;

template <typename Read>
auto read_line(std::string_view line, Read read) {
  try {
    return read(Json::parse(line));
  } catch (const Json::exception&) {
    throw LiveError(fmt::format("storage cannot make sense of \"{}\".", shortened(printable(line), 80)));
  }
}

}  // namespace

std::optional<std::size_t> line_length(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) {
    if (bytes.size() > longest_wire_line) {
      throw LiveError("a line without an end came over a connection.");
    }
    return std::nullopt;
  }
  return end + 1;
}

std::string to_line(const StorageRequest& request) {
  Json json{{"operation", call_name(request)}, {"session", request.session}};
  if (request.token) {
    json["token"] = *request.token;
  }
  if (request.kind == StorageRequest::Kind::write) {
    json["value"] = request.value;
    json["based_on"] = request.based_on;
    json["write_id"] = request.write_id;
  }
  return json.dump() + "\n";
}

std::string to_line(const StorageResponse& response) {
  return Json{{"accepted", response.accepted}, {"value", response.value}, {"version", response.version}}
             .dump() +
         "\n";
}

StorageRequest storage_request(std::string_view line) {
  return read_line(line, [](const Json& json) {
    StorageRequest request;
    request.kind = json.at("operation") == "write" ? StorageRequest::Kind::write : StorageRequest::Kind::read;
    request.session = json.at("session").get<std::uint32_t>();
    if (json.contains("token")) {
      request.token = json.at("token").get<std::int64_t>();
    }
    if (request.kind == StorageRequest::Kind::write) {
      request.value = json.at("value").get<std::int64_t>();
      request.based_on = json.at("based_on").get<std::int64_t>();
      request.write_id = json.at("write_id").get<std::uint32_t>();
    }
    return request;
  });
}

StorageResponse storage_response(std::string_view line) {
  return read_line(line, [](const Json& json) {
    return StorageResponse{json.at("accepted").get<bool>(), json.at("value").get<std::int64_t>(),
                           json.at("version").get<std::int64_t>()};
  });
}

std::optional<WireMessage> StorageWire::feed(Direction direction, std::string_view bytes) {
  const std::optional<std::size_t> length = line_length(bytes);
  if (!length) {
    return std::nullopt;
  }
  const std::string_view line = bytes.substr(0, *length);
  if (direction == Direction::to_server) {
    if (waiting_.size() >= most_waiting_requests) {
      throw LiveError("a client asks storage again and again, and waits for no answer.");
    }
    const StorageRequest request = storage_request(line);
    waiting_.push_back({std::string(call_name(request)), to_text(request)});
    return WireMessage{.length = *length,
                       .kind = MessageKind::request,
                       .name = waiting_.back().name,
                       .text = waiting_.back().text};
  }
  const StorageResponse response = storage_response(line);
  if (waiting_.empty()) {
    return WireMessage{.length = *length};
  }
  Asked asked = std::move(waiting_.front());
  waiting_.pop_front();
  return WireMessage{.length = *length,
                     .kind = MessageKind::answer,
                     .name = std::move(asked.name),
                     .text = to_text(response),
                     .asked = std::move(asked.text)};
}

}  // namespace holdfast::live
