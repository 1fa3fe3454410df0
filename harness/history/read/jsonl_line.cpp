#include "harness/history/read/jsonl_line.h"

#include <fmt/format.h>

#include <limits>

#include "harness/history/read/quote.h"

namespace holdfast {
namespace {

enum class Field : std::uint8_t {
  unknown,
  time,
  type,
  process,
  thread,
  operation,
  key,
  mode,
  token,
  value,
  expected,
  refused,
  text,
  format,
  version,
  end,
};

// By length first, so that each name costs one comparison of a few bytes.
Field field_of(std::string_view name) {
  switch (name.size()) {
    case 3:
      return name == "key" ? Field::key : name == "end" ? Field::end : Field::unknown;
    case 4:
      return name == "time"   ? Field::time
             : name == "type" ? Field::type
             : name == "mode" ? Field::mode
             : name == "text" ? Field::text
                              : Field::unknown;
    case 5:
      return name == "token" ? Field::token : name == "value" ? Field::value : Field::unknown;
    case 6:
      return name == "thread" ? Field::thread : name == "format" ? Field::format : Field::unknown;
    case 7:
      return name == "process"   ? Field::process
             : name == "refused" ? Field::refused
             : name == "version" ? Field::version
                                 : Field::unknown;
    case 8:
      return name == "expected" ? Field::expected : Field::unknown;
    case 9:
      return name == "operation" ? Field::operation : Field::unknown;
    default:
      return Field::unknown;
  }
}

LineType type_of(std::string_view name) {
  switch (name.size()) {
    case 2:
      return name == "ok" ? LineType::ok : LineType::none;
    case 3:
      return name == "end" ? LineType::end : LineType::none;
    case 4:
      return name == "fail"   ? LineType::fail
             : name == "info" ? LineType::info
             : name == "died" ? LineType::died
                              : LineType::none;
    case 6:
      return name == "invoke" ? LineType::invoke : name == "stored" ? LineType::stored : LineType::none;
    case 7:
      return name == "applied" ? LineType::applied : LineType::none;
    case 8:
      return name == "rejected" ? LineType::rejected : LineType::none;
    case 9:
      return name == "fault-end"   ? LineType::fault_end
             : name == "restarted" ? LineType::restarted
             : name == "lost-hold" ? LineType::lost_hold
                                   : LineType::none;
    case 11:
      return name == "fault-begin" ? LineType::fault_begin : LineType::none;
    default:
      return LineType::none;
  }
}

std::optional<Action> action_of(std::string_view name) {
  switch (name.size()) {
    case 3:
      if (name == "cas") {
        return Action::compare_and_set;
      }
      return name == "add" ? std::optional(Action::add) : std::nullopt;
    case 4:
      return name == "read" ? std::optional(Action::read) : std::nullopt;
    case 5:
      if (name == "write") {
        return Action::write;
      }
      return name == "await" ? std::optional(Action::await_zero) : std::nullopt;
    case 7:
      if (name == "acquire") {
        return Action::acquire;
      }
      return name == "release" ? std::optional(Action::release) : std::nullopt;
    case 10:
      return name == "count-down" ? std::optional(Action::count_down) : std::nullopt;
    case 11:
      return name == "try-acquire" ? std::optional(Action::try_acquire) : std::nullopt;
    default:
      return std::nullopt;
  }
}

class FieldReader {
 public:
  FieldReader(std::string_view line, JsonlLine& result, std::string& scratch)
      : scanner_(line), result_(result), scratch_(scratch) {}

  void read_object() {
    scanner_.skip_blanks();
    if (!scanner_.take('{')) {
      scanner_.fail("expected {, because every line is a JSON object");
    }
    if (!scanner_.take('}')) {
      do {
        read_field();
      } while (scanner_.take(','));
      if (!scanner_.take('}')) {
        scanner_.fail("expected a comma or }");
      }
    }
    if (!scanner_.at_end()) {
      scanner_.fail("expected the end of the line behind the object");
    }
  }

 private:
  void read_field() {
    const Field field = field_of(scanner_.field_name().plain(scratch_));
    switch (field) {
      case Field::unknown:
        scanner_.skip_unknown();
        return;
      case Field::time:
        result_.time = scanner_.null() ? no_time : scanner_.integer();
        return;
      case Field::type:
        read_type();
        return;
      case Field::process:
        result_.has_process = read_name(result_.process);
        return;
      case Field::thread:
        read_thread();
        return;
      case Field::operation:
        read_operation();
        return;
      case Field::key:
        result_.has_key = read_name(result_.key);
        return;
      case Field::mode:
        read_mode();
        return;
      case Field::token:
        result_.token = integer_or_null();
        return;
      case Field::value:
        result_.value = integer_or_null();
        return;
      case Field::expected:
        result_.expected = integer_or_null();
        return;
      case Field::refused:
        result_.refused = scanner_.boolean();
        return;
      case Field::text:
        result_.text = scanner_.null() ? JsonText{} : scanner_.text();
        return;
      case Field::format:
        result_.format = scanner_.text();
        result_.has_format = true;
        return;
      case Field::version:
        result_.version = scanner_.skip_value();
        return;
      case Field::end:
        scanner_.skip_value();
        result_.has_end = true;
        return;
    }
  }

  void read_type() {
    const JsonScanner before = scanner_;
    const std::string_view name = scanner_.text().plain(scratch_);
    result_.type = type_of(name);
    if (result_.type == LineType::none) {
      before.fail(
          fmt::format("there is no type {}; expected invoke, ok, fail, info or one that the "
                      "format's description lists",
                      quote(name)));
    }
  }

  void read_operation() {
    if (scanner_.null()) {
      return;
    }
    const JsonScanner before = scanner_;
    const std::string_view name = scanner_.text().plain(scratch_);
    result_.action = action_of(name);
    if (!result_.action) {
      before.fail(
          fmt::format("there is no operation {}; expected acquire, try-acquire, release, read, write, "
                      "cas, add, count-down or await",
                      quote(name)));
    }
  }

  void read_mode() {
    if (scanner_.null()) {
      return;
    }
    const JsonScanner before = scanner_;
    const std::string_view name = scanner_.text().plain(scratch_);
    if (name != "shared" && name != "exclusive") {
      before.fail(fmt::format("there is no mode {}; expected shared or exclusive", quote(name)));
    }
    result_.mode = name == "shared" ? Mode::shared : Mode::exclusive;
  }

  void read_thread() {
    if (scanner_.null()) {
      return;
    }
    const JsonScanner before = scanner_;
    const std::int64_t number = scanner_.integer();
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
      before.fail("expected a thread's number of at most 32 bits");
    }
    result_.thread = static_cast<std::uint32_t>(number);
  }

  // A text, or a number that other tools may use for a name. False: null, which is as good as nothing.
  bool read_name(JsonText& name) {
    if (scanner_.next() == '"') {
      name = scanner_.text();
      return true;
    }
    if (scanner_.null()) {
      return false;
    }
    const JsonScanner before = scanner_;
    scanner_.integer();
    name = {before.between(scanner_), false};
    return true;
  }

  std::optional<std::int64_t> integer_or_null() {
    return scanner_.null() ? std::nullopt : std::optional(scanner_.integer());
  }

  JsonScanner scanner_;
  JsonlLine& result_;
  std::string& scratch_;
};

}  // namespace

void take_apart(std::string_view line, JsonlLine& result, std::string& scratch) {
  result = JsonlLine{};
  FieldReader(line, result, scratch).read_object();
}

}  // namespace holdfast
