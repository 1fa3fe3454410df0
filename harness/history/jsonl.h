// Writes a history as JSON Lines, event by event as it happens.
//
// The file is written under a temporary name beside its place and renamed when the run is over, so a
// reader never sees half a history (a pipe or a device is written to as it stands). The format is public:
// harness/history/history.schema.json.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "harness/history/history.h"

namespace holdfast {

// One event as a line of JSON, without the line end. Fields always stand in the same order.
std::string to_json_line(const Event& event, const History& history);

// A text as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

class JsonLinesWriter final : public EventSink {
 public:
  // `header` is the first line: a JSON object that says what the run was.
  // Throws std::runtime_error with one sentence if the file cannot be made.
  JsonLinesWriter(std::string path, const std::string& header);
  ~JsonLinesWriter() override;

  void on_event(const Event& event, const History& history) override;
  // Everything is on its way to disk and the file stands under its name.
  // Throws std::runtime_error with one sentence if that failed.
  void finish(const std::string& last_line);

 private:
  void write_line(std::string line);
  void require(bool success);
  void remove_partial() const;

  std::string path_;
  std::string temporary_path_;
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // errno of the first thing that went wrong
};

}  // namespace holdfast
