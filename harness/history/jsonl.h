// Writes a history as JSON Lines, event by event as it happens.
//
// The file stands under its name when the run is over, so a reader never sees half a history (a pipe or a
// device is written to as it stands; see harness/files/output_file.h). The format is public:
// harness/history/history.schema.json.
#pragma once

#include <string>

#include "harness/files/output_file.h"
#include "harness/history/history.h"

namespace holdfast {

// One event as a line of JSON, without the line end. Fields always stand in the same order.
std::string to_json_line(const Event& event, const History& history);

// A text as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

class JsonLinesWriter final : public EventSink {
 public:
  // `header` is the first line: a JSON object that says what the run was.
  // Throws FileError with one sentence if the file cannot be made.
  JsonLinesWriter(std::string path, const std::string& header);

  void on_event(const Event& event, const History& history) override;
  // Everything is on its way to disk and the file stands under its name.
  // Throws FileError with one sentence if that failed.
  void finish(const std::string& last_line);

 private:
  void write_line(std::string line);

  OutputFile file_;
};

}  // namespace holdfast
