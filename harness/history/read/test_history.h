// For the tests of the readers: reads a text and remembers what a consumer was told, as lines of text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/read/history_consumer.h"

namespace holdfast::testing_history {

inline std::string_view word(CallEventType type) {
  constexpr std::string_view words[] = {"invoke", "ok", "fail", "info", "ended", "asked"};
  return words[static_cast<std::size_t>(type)];
}

inline std::string_view word(Action action) {
  constexpr std::string_view words[] = {"acquire", "try-acquire", "release",    "read", "write",
                                        "cas",     "add",         "count-down", "await"};
  return words[static_cast<std::size_t>(action)];
}

inline std::string_view word(FaultKind kind) {
  constexpr std::string_view words[] = {"begin", "end", "died", "restarted"};
  return words[static_cast<std::size_t>(kind)];
}

// ok acquire by 0 of 1 token 7
inline std::string to_text(const CallEvent& event) {
  const bool names_no_call = event.type == CallEventType::ended || event.type == CallEventType::asked;
  std::string text = names_no_call ? fmt::format("{} {}", word(event.type), event.client)
                                   : fmt::format("{} {} by {} of {}", word(event.type), word(event.action),
                                                 event.client, event.key);
  text += event.mode == Mode::shared ? " shared" : "";
  text += event.refused ? " refused" : "";
  text += event.token ? fmt::format(" token {}", *event.token) : "";
  text += event.expected ? fmt::format(" expected {}", *event.expected) : "";
  text += event.value ? fmt::format(" value {}", *event.value) : "";
  return text;
}

class Recorder final : public HistoryConsumer {
 public:
  void on_call(const CallEvent& event) override {
    events.push_back(event);
    calls.push_back(to_text(event));
  }
  void on_fault(const FaultEvent& event) override {
    faults.push_back(fmt::format("{} {} {}", word(event.kind), event.process, event.text));
  }

  std::vector<CallEvent> events;
  std::vector<std::string> calls;
  std::vector<std::string> faults;
};

inline std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

}  // namespace holdfast::testing_history
