#include "harness/history/read/jsonl_reader.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/history/read/history_error.h"
#include "harness/history/read/history_names.h"
#include "harness/history/read/jsonl_line.h"
#include "harness/history/read/line_reader.h"
#include "harness/history/read/quote.h"

namespace holdfast {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view our_format = "holdfast-history";
constexpr std::string_view our_version = "1";
constexpr std::size_t longest_fault_bytes = 200;  // of what a person is told about a fault

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class JsonlReader {
 public:
  JsonlReader(Source& source, HistoryConsumer& consumer)
      : source_(source), lines_(source), consumer_(consumer) {}

  HistorySummary run() {
    std::string_view line;
    while (lines_.next(line)) {
      try {
        read_line(line);
      } catch (const JsonMistake& mistake) {
        report(mistake, line.size());
      }
    }
    summary_.lines = lines_.line_number();
    summary_.client_names = names_.client_names();
    summary_.key_names = names_.key_names();
    return std::move(summary_);
  }

 private:
  void read_line(std::string_view line) {
    if (lines_.line_number() == 1 && line.starts_with(byte_order_mark)) {
      line.remove_prefix(byte_order_mark.size());
    }
    if (!line.starts_with('{') && is_blank(line)) {
      return;
    }
    take_apart(line, line_, scratch_);
    if (summary_.has_end) {
      refuse("expected nothing behind the line that ends the history; give one history at a time");
    }
    ++full_lines_;
    switch (line_.type) {
      case LineType::invoke:
      case LineType::ok:
      case LineType::fail:
      case LineType::info:
        on_call();
        return;
      case LineType::fault_begin:
        on_fault(FaultKind::begin);
        return;
      case LineType::fault_end:
        on_fault(FaultKind::end);
        return;
      case LineType::died:
        on_ended(true);
        on_fault(FaultKind::died);
        return;
      case LineType::restarted:
        on_fault(FaultKind::restarted);
        return;
      case LineType::lost_hold:
        on_ended(false);
        return;
      case LineType::applied:
        on_asked();
        return;
      case LineType::stored:
      case LineType::rejected:
        return;
      case LineType::end:
        summary_.has_end = true;
        return;
      case LineType::none:
        on_line_without_type(line);
        return;
    }
  }

  void on_call() {
    if (!line_.action) {
      refuse(
          "expected an \"operation\": acquire, try-acquire, release, read, write, cas, add, count-down or "
          "await");
    }
    CallEvent event = event_at_line();
    event.action = *line_.action;
    event.mode = line_.mode;
    event.client = names_.client(process(), line_.thread);
    event.key = line_.has_key ? names_.key(line_.key.plain(scratch_)) : names_.usual_key_of(event.action);
    event.token = line_.token;
    event.expected = line_.expected;
    event.value = line_.value;
    set_outcome(event);
    if (event.action == Action::read && event.type != CallEventType::ok) {
      event.value.reset();  // nothing is read before the answer
    }
    if (event.type == CallEventType::invoke) {
      names_.note_key(event.client, event.key);
    }
    hand_over(event);
  }

  void set_outcome(CallEvent& event) const {
    switch (line_.type) {
      case LineType::ok:
        event.type = CallEventType::ok;
        event.refused = line_.refused.value_or(false);
        return;
      case LineType::fail:
        event.refused = line_.refused.value_or(event.action == Action::try_acquire);
        event.type = event.refused ? CallEventType::ok : CallEventType::fail;
        return;
      case LineType::info:
        event.type = CallEventType::info;
        break;
      default:
        event.type = CallEventType::invoke;
    }
    if (line_.refused.value_or(false)) {
      refuse("expected \"refused\" only with ok or fail: nobody was refused before there is an answer");
    }
  }

  void on_asked() {
    const std::optional<ClientNumber> client = names_.known_client(process(), line_.thread);
    if (!client) {
      return;
    }
    CallEvent event = event_at_line();
    event.type = CallEventType::asked;
    event.client = *client;
    event.key = names_.last_key(*client);
    hand_over(event);
  }

  void on_ended(bool died) {
    CallEvent event = event_at_line();
    event.type = CallEventType::ended;
    const std::vector<ClientNumber> clients = line_.thread != 0
                                                  ? std::vector{names_.client(process(), line_.thread)}
                                                  : names_.clients_of(process());
    for (const ClientNumber client : clients) {
      event.client = client;
      event.key = names_.last_key(client);
      hand_over(event);
      if (died) {
        names_.bury(client);
      }
    }
  }

  void on_fault(FaultKind kind) {
    FaultEvent event;
    event.kind = kind;
    const std::string name = printable(names_.process_name(process()), longest_fault_bytes);
    const std::string text = printable(line_.text.plain(scratch_), longest_fault_bytes);
    event.process = name;
    event.text = text;
    event.time = line_.time;
    event.line = lines_.line_number();
    ++summary_.faults;
    consumer_.on_fault(event);
  }

  void on_line_without_type(std::string_view line) {
    if (line_.has_format) {
      check_header();
      summary_.header = line;
    } else if (line_.has_end) {
      summary_.has_end = true;  // holdfast once left the type of its last line out
    } else {
      refuse("expected a \"type\": invoke, ok, fail, info or one that the format's description lists");
    }
  }

  void check_header() {
    if (full_lines_ != 1) {
      refuse("expected a line with \"format\" only at the top; give one history at a time");
    }
    const std::string_view format = line_.format.plain(scratch_);
    if (format != our_format) {
      refuse(fmt::format("the format is {}; expected \"{}\"", quote(format), our_format));
    }
    if (line_.version != our_version) {
      refuse(
          line_.version.empty()
              ? "expected a \"version\" beside the \"format\"; this holdfast reads version 1"
              : fmt::format("the format's version is {}; this holdfast reads version 1, so use a newer one",
                            printable(line_.version, 40)));
    }
  }

  // Numbers the process at its first mention, so that texts with escapes need only one scratch.
  std::uint32_t process() {
    if (!line_.has_process) {
      refuse("expected a \"process\": who does this, or whom it is done to");
    }
    return names_.process(line_.process.plain(scratch_));
  }

  CallEvent event_at_line() const {
    CallEvent event;
    event.time = line_.time;
    event.line = lines_.line_number();
    return event;
  }

  void hand_over(const CallEvent& event) {
    ++summary_.calls;
    consumer_.on_call(event);
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw HistoryError(fmt::format("{}:{}: {}", source_.name(), lines_.line_number(), what));
  }

  [[noreturn]] void report(const JsonMistake& mistake, std::size_t line_bytes) const {
    const bool cut = lines_.left_open() && mistake.byte >= line_bytes;
    throw HistoryError(fmt::format(
        "{}:{}:{}: {}{}", source_.name(), lines_.line_number(), mistake.byte + 1, mistake.expected,
        cut ? ", but the file ends here; it was cut, so make or copy it again" : ""));
  }

  Source& source_;
  LineReader lines_;
  HistoryConsumer& consumer_;
  HistoryNames names_;
  HistorySummary summary_;
  JsonlLine line_;
  std::string scratch_;
  std::uint64_t full_lines_ = 0;
};

}  // namespace

HistorySummary read_jsonl(Source& source, HistoryConsumer& consumer) {
  return JsonlReader(source, consumer).run();
}

}  // namespace holdfast
