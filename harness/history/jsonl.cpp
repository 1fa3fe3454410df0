#include "harness/history/jsonl.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace holdfast {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_json_line(const Event& event, const History& history) {
  std::string line = fmt::format(R"({{"time":{},"type":"{}","process":{})", event.true_time.count(),
                                 to_text(event.type), json_string(history.process_name(event.process)));
  auto out = std::back_inserter(line);
  if (event.thread != 0) {
    fmt::format_to(out, R"(,"thread":{})", event.thread);
  }
  if (event.operation != Operation::none) {
    fmt::format_to(out, R"(,"operation":"{}")", to_text(event.operation));
  }
  if (event.operation == Operation::acquire || event.operation == Operation::release) {
    fmt::format_to(out, R"(,"key":"lock")");
  }
  if (event.mode == Mode::shared) {
    line += R"(,"mode":"shared")";
  }
  if (event.server != world_process) {
    fmt::format_to(out, R"(,"server":{})", json_string(history.process_name(event.server)));
  }
  if (event.session != 0) {
    fmt::format_to(out, R"(,"session":{})", event.session);
  }
  if (event.token) {
    fmt::format_to(out, R"(,"token":{})", *event.token);
  }
  const bool has_value = event.operation == Operation::read || event.operation == Operation::write;
  if (has_value) {
    fmt::format_to(out, R"(,"value":{},"version":{})", event.value, event.version);
  }
  if (event.type == EventType::stored || event.type == EventType::rejected) {
    fmt::format_to(out, R"(,"found_version":{})", event.found_version);
  }
  fmt::format_to(out, R"(,"wall":{},"monotonic":{})", event.wall.count(), event.monotonic.count());
  if (event.text != 0) {
    fmt::format_to(out, R"(,"text":{})", json_string(history.text(event)));
  }
  line += '}';
  return line;
}

JsonLinesWriter::JsonLinesWriter(std::string path, const std::string& header)
    : file_(std::move(path), "the history") {
  write_line(header);
}

void JsonLinesWriter::write_line(std::string line) {
  line += '\n';
  file_.write(line);
}

void JsonLinesWriter::on_event(const Event& event, const History& history) {
  write_line(to_json_line(event, history));
}

void JsonLinesWriter::finish(const std::string& last_line) {
  write_line(last_line);
  file_.finish();
}

}  // namespace holdfast
