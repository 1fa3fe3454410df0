#include "harness/history/jsonl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "harness/history/special_file.h"

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
    : path_(std::move(path)),
      temporary_path_(is_special_file(path_) ? path_ : fmt::format("{}.{}.partial", path_, ::getpid())) {
  file_ = std::fopen(temporary_path_.c_str(), "wb");
  if (file_ == nullptr) {
    throw std::runtime_error(
        fmt::format("cannot write the history to {}: {}; choose a place that can be written to", path_,
                    std::strerror(errno)));
  }
  write_line(header);
}

JsonLinesWriter::~JsonLinesWriter() {
  if (file_ != nullptr) {
    std::fclose(file_);
    remove_partial();
  }
}

void JsonLinesWriter::remove_partial() const {
  if (temporary_path_ != path_) {
    std::remove(temporary_path_.c_str());
  }
}

// Keeps the reason of the first failure: later calls may change errno or succeed.
void JsonLinesWriter::require(bool success) {
  if (!success && failure_ == 0) {
    failure_ = errno != 0 ? errno : EIO;
  }
}

void JsonLinesWriter::write_line(std::string line) {
  line += '\n';
  require(std::fwrite(line.data(), 1, line.size(), file_) == line.size());
}

void JsonLinesWriter::on_event(const Event& event, const History& history) {
  write_line(to_json_line(event, history));
}

void JsonLinesWriter::finish(const std::string& last_line) {
  write_line(last_line);
  require(std::fclose(std::exchange(file_, nullptr)) == 0);
  if (failure_ == 0 && temporary_path_ != path_) {
    require(std::rename(temporary_path_.c_str(), path_.c_str()) == 0);
  }
  if (failure_ != 0) {
    remove_partial();
    throw std::runtime_error(
        fmt::format("cannot write the history to {}: {}; make room or choose another place", path_,
                    std::strerror(failure_)));
  }
}

}  // namespace holdfast
