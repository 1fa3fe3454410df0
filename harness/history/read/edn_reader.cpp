#include "harness/history/read/edn_reader.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/history/read/edn_nemesis.h"
#include "harness/history/read/edn_operation.h"
#include "harness/history/read/history_error.h"
#include "harness/history/read/quote.h"

namespace holdfast {
namespace {

using Kind = EdnValue::Kind;

constexpr std::size_t longest_fault_text_bytes = 200;
constexpr std::size_t longest_value_name_bytes = 200;

// The parts of an operation that count, in the order in which Jepsen's record has them.
enum Part : std::size_t { index_part, time_part, type_part, process_part, f_part, value_part, part_count };
constexpr std::string_view part_names[part_count] = {"index", "time", "type", "process", "f", "value"};

bool is_operation_tag(std::string_view tag) {
  return tag.ends_with(".Op") || tag.ends_with("/Op") || tag == "Op";
}

// Jepsen has types for whole histories too.
bool is_history_tag(std::string_view tag) {
  return tag.ends_with("History") || tag.ends_with("history");
}

bool is_name(const EdnValue& value) {
  return value.is(Kind::keyword) || value.is(Kind::symbol) || value.is(Kind::text);
}

class EdnReader {
 public:
  EdnReader(Source& source, KeyMode key_mode, HistoryConsumer& consumer)
      : source_(source), scanner_(source), consumer_(consumer), calls_(key_mode) {}

  HistorySummary run() {
    while (scanner_.next() != EdnScanner::end) {
      std::string tag;
      const bool tagged = scanner_.take_tag(tag);
      if (is_bracket(scanner_.next()) && (!tagged || is_history_tag(tag))) {
        read_elements();
      } else {
        read_operation(tagged, tag);
      }
    }
    summary_.format = HistoryFormat::edn;
    summary_.lines = scanner_.line() - (scanner_.column() == 1 ? 1 : 0);
    summary_.client_names = names_.client_names();
    summary_.key_names = names_.key_names();
    for (const std::string& name : calls_.value_names()) {
      summary_.value_names.push_back(printable(name, longest_value_name_bytes));
    }
    return std::move(summary_);
  }

 private:
  static bool is_bracket(int byte) { return byte == '[' || byte == '('; }

  void read_elements() {
    const int close = scanner_.next() == '[' ? int{']'} : int{')'};
    scanner_.step();
    std::string tag;
    while (scanner_.next() != close) {
      const bool tagged = scanner_.take_tag(tag);
      read_operation(tagged, tag);
    }
    scanner_.step();
  }

  void read_operation(bool tagged, std::string_view tag) {
    if (tagged && !is_operation_tag(tag)) {
      scanner_.skip();
      return;
    }
    const int open = scanner_.next();
    line_ = scanner_.line();
    for (EdnValue& part : parts_) {
      part.clear();
    }
    top_key_.clear();
    if (open == '{') {
      read_map();
    } else if (open == '[' && tagged) {
      read_record();
    } else {
      scanner_.fail("expected an operation: a map with :process, :type, :f and :value");
    }
    check_index();
    if (is_name(parts_[process_part]) && parts_[process_part].text == "nemesis") {
      on_fault();
    } else {
      on_call();
    }
  }

  void read_map() {
    scanner_.step();
    while (scanner_.next() != '}') {
      if (scanner_.next() == EdnScanner::end) {
        scanner_.fail("expected a key or }");
      }
      scanner_.read(key_);
      if (scanner_.next() == '}') {
        scanner_.fail("expected a value for the last key of the map");
      }
      EdnValue* const part = part_called(key_);
      if (part != nullptr) {
        scanner_.read(*part);
      } else {
        scanner_.skip();
      }
    }
    scanner_.step();
  }

  EdnValue* part_called(const EdnValue& key) {
    for (std::size_t part = 0; part < part_count; ++part) {
      if (key.is(Kind::keyword) && key.text == part_names[part]) {
        return &parts_[part];
      }
    }
    return key.is(Kind::keyword) && key.text == "key" ? &top_key_ : nullptr;
  }

  // #jepsen.history.Op[0 1234 :invoke 3 :acquire nil]
  void read_record() {
    scanner_.step();
    for (EdnValue& part : parts_) {
      if (scanner_.next() == ']') {
        break;
      }
      scanner_.read(part);
    }
    if (scanner_.next() != ']') {
      scanner_.fail("expected ] behind the six parts of the record");
    }
    scanner_.step();
  }

  void check_index() {
    const EdnValue& index = parts_[index_part];
    all_indexed_ = all_indexed_ && index.is(Kind::integer);
    if (!all_indexed_) {
      return;
    }
    if (last_index_ && index.integer <= *last_index_) {
      refuse(fmt::format("expected an :index above {}, not {}; sort the operations by :index", *last_index_,
                         index.integer));
    }
    last_index_ = index.integer;
  }

  void on_call() {
    CallEvent event;
    event.line = line_;
    event.time = time();
    event.type = type();
    const EdnOperation operation = operation_called(parts_[f_part]);
    event.action = operation.action;
    event.mode = operation.mode;
    event.client = client();
    const std::string_view problem = calls_.complete(event, parts_[value_part], top_key_, names_);
    if (!problem.empty()) {
      refuse(fmt::format("{}, not {}", problem, printable(to_text(parts_[value_part]), 60)));
    }
    ++summary_.calls;
    consumer_.on_call(event);
  }

  CallEventType type() const {
    const EdnValue& type = parts_[type_part];
    if (is_name(type)) {
      if (type.text == "invoke") {
        return CallEventType::invoke;
      }
      if (type.text == "ok") {
        return CallEventType::ok;
      }
      if (type.text == "fail") {
        return CallEventType::fail;
      }
      if (type.text == "info") {
        return CallEventType::info;
      }
    }
    refuse(fmt::format("expected :invoke, :ok, :fail or :info as the :type, not {}",
                       printable(to_text(type), 60)));
  }

  EdnOperation operation_called(const EdnValue& f) {
    const std::size_t number = is_name(f) ? operation_names_.number_of(f.text) : operations_.size();
    if (number < operations_.size()) {
      return operations_[number];
    }
    const std::optional<EdnOperation> operation = is_name(f) ? edn_operation(f.text) : std::nullopt;
    if (!operation) {
      refuse(
          fmt::format("expected :acquire, :try-acquire, :release, :read, :write, :cas, :add, or another "
                      "name of these, as the :f, not {}",
                      printable(to_text(f), 60)));
    }
    return operations_.emplace_back(*operation);
  }

  ClientNumber client() {
    const EdnValue& process = parts_[process_part];
    if (process.is(Kind::integer)) {
      return names_.client(names_.process(fmt::format_int(process.integer).c_str()), 0);
    }
    if (!is_name(process)) {
      refuse(fmt::format("expected a number or a name as the :process, not {}",
                         printable(to_text(process), 60)));
    }
    return names_.client(names_.process(process.text), 0);
  }

  std::int64_t time() const {
    return parts_[time_part].is(Kind::integer) ? parts_[time_part].integer : no_time;
  }

  void on_fault() {
    const std::string action = is_name(parts_[f_part]) ? parts_[f_part].text : to_text(parts_[f_part]);
    const std::optional<FaultKind> kind = nemesis_.on_line(action);
    if (!kind) {
      return;
    }
    const EdnValue& value = parts_[value_part];
    const std::string text =
        printable(value.is(Kind::nil) ? action : action + " " + to_text(value), longest_fault_text_bytes);
    FaultEvent event;
    event.kind = *kind;
    event.process = parts_[process_part].text;
    event.text = text;
    event.time = time();
    event.line = line_;
    ++summary_.faults;
    consumer_.on_fault(event);
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw HistoryError(fmt::format("{}:{}: {}", source_.name(), line_, what));
  }

  Source& source_;
  EdnScanner scanner_;
  HistoryConsumer& consumer_;
  HistoryNames names_;
  EdnCalls calls_;
  EdnNemesis nemesis_;
  NameTable operation_names_;             // those that were met already,
  std::vector<EdnOperation> operations_;  // and what they mean
  HistorySummary summary_;
  EdnValue key_;
  EdnValue parts_[part_count];
  EdnValue top_key_;        // some tests name the key beside the value
  std::uint64_t line_ = 0;  // where the operation at hand starts
  bool all_indexed_ = true;
  std::optional<std::int64_t> last_index_;
};

}  // namespace

HistorySummary read_edn(Source& source, KeyMode key_mode, HistoryConsumer& consumer) {
  return EdnReader(source, key_mode, consumer).run();
}

}  // namespace holdfast
