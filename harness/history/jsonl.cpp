#include "harness/history/jsonl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

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
    : path_(std::move(path)), temporary_path_(fmt::format("{}.{}.partial", path_, ::getpid())) {
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
    std::remove(temporary_path_.c_str());
  }
}

void JsonLinesWriter::write_line(const std::string& line) {
  failed_ = failed_ || std::fwrite(line.data(), 1, line.size(), file_) != line.size() ||
            std::fputc('\n', file_) == EOF;
}

void JsonLinesWriter::on_event(const Event& event, const History& history) {
  write_line(to_json_line(event, history));
}

void JsonLinesWriter::finish(const std::string& last_line) {
  write_line(last_line);
  std::FILE* file = std::exchange(file_, nullptr);
  failed_ = std::fclose(file) != 0 || failed_;
  failed_ = failed_ || std::rename(temporary_path_.c_str(), path_.c_str()) != 0;
  if (failed_) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary_path_.c_str());
    throw std::runtime_error(
        fmt::format("cannot write the history to {}: {}; make room or choose another place", path_, reason));
  }
}

}  // namespace holdfast
