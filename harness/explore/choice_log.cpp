#include "harness/explore/choice_log.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/files/input_file.h"
#include "harness/files/output_file.h"
#include "harness/text/bounded_json.h"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "holdfast-choices";
constexpr std::uint64_t format_version = 1;
// A scenario is at most 1 MB, and escaping makes of a byte six at most.
constexpr std::size_t longest_header = 8'000'000;
constexpr std::size_t longest_choice = 500;
constexpr std::uint64_t most_choices = 50'000'000;

Json header_of(const ChoiceLog& log) {
  Json header{{"format", format_name},
              {"version", format_version},
              {"scenario", log.scenario_name},
              {"lock", log.lock},
              {"seed", log.seed},
              {"choices", log.choices.size()},
              {"fingerprint", fmt::format("{:016x}", log.fingerprint)},
              {"placement", nullptr},
              {"content", log.scenario_json}};
  if (log.placement) {
    header["placement"] = Json{{"fault", log.placement->fault},
                               {"process", log.placement->process},
                               {"ordinal", log.placement->ordinal}};
  }
  if (log.reorders) {
    header["reorders"] = true;
  }
  return header;
}

std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Reads a log line by line; every complaint names the file and the line.
class LogReader {
 public:
  explicit LogReader(const std::string& path) : path_(path), file_(path) {
    if (file_.error() != 0) {
      throw std::runtime_error(
          fmt::format("cannot read {}: {}; expected a choice log", path_, file_.problem()));
    }
  }

  ChoiceLog read() {
    ChoiceLog log;
    const std::uint64_t count = read_header(log);
    std::string line;
    while (log.choices.size() < count) {
      if (!next_line(line, longest_choice)) {
        fail(fmt::format(
            "the file ends after {} of the {} choices that its first line promises; was it cut off?",
            log.choices.size(), count));
      }
      log.choices.push_back(read_choice(line));
    }
    if (next_line(line, longest_choice)) {
      fail(fmt::format("expected the end of the file after {} choices", count));
    }
    return log;
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", path_, line_number_, problem));
  }

  // Without the line end. A line that is longer than any that we write is not read to its end.
  bool next_line(std::string& line, std::size_t longest) {
    ++line_number_;
    line.clear();
    std::optional<char> character = next_character();
    if (!character) {
      return false;
    }
    while (character != '\n') {
      if (!character || line.size() == longest) {
        fail(!character ? "the line has no end; was the file cut off?"
                        : "the line is too long; expected a choice log");
      }
      line += *character;
      character = next_character();
    }
    return true;
  }

  // None: the file is at its end.
  std::optional<char> next_character() {
    if (next_ == filled_) {
      const std::optional<std::size_t> count = file_.read(block_);
      if (!count) {
        fail(fmt::format("cannot be read: {}; expected a choice log", file_.problem()));
      }
      next_ = 0;
      filled_ = *count;
    }
    return next_ == filled_ ? std::nullopt : std::optional(block_[next_++]);
  }

  Json parse(const std::string& line, std::string_view expected) const {
    std::optional<Json> json = parse_bounded_json<Json>(line);
    if (!json) {
      fail(fmt::format("this is not JSON; expected {}", expected));
    }
    return std::move(*json);
  }

  template <typename Number>
  Number number(const Json& json, std::string_view what) const {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<Number>::max()) {
      fail(fmt::format("{}: expected a whole number from 0 to {}", what, std::numeric_limits<Number>::max()));
    }
    return json.get<Number>();
  }

  const Json& field(const Json& object, const char* name) const {
    const auto found = object.find(name);
    if (found == object.end()) {
      fail(fmt::format("the field \"{}\" is missing", name));
    }
    return *found;
  }

  std::string text(const Json& object, const char* name) const {
    const Json& value = field(object, name);
    if (!value.is_string()) {
      fail(fmt::format("{}: expected a text", name));
    }
    return value.get<std::string>();
  }

  std::uint64_t fingerprint(const std::string& digits) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.size() != 16) {
      fail("fingerprint: expected 16 hexadecimal digits");
    }
    return value;
  }

  // Returns how many choices follow.
  std::uint64_t read_header(ChoiceLog& log) {
    std::string line;
    if (!next_line(line, longest_header)) {
      fail("the file is empty; expected a choice log");
    }
    const Json header = parse(line, "the first line of a choice log");
    const auto format = header.is_object() ? header.find("format") : header.end();
    if (!header.is_object() || format == header.end() || *format != format_name) {
      fail(fmt::format("this is no choice log; expected an object with \"format\": \"{}\"", format_name));
    }
    if (number<std::uint64_t>(field(header, "version"), "version") != format_version) {
      fail(fmt::format("version: expected {}, which is what this holdfast reads", format_version));
    }
    log.scenario_name = text(header, "scenario");
    log.lock = text(header, "lock");
    log.seed = number<std::uint64_t>(field(header, "seed"), "seed");
    log.fingerprint = fingerprint(text(header, "fingerprint"));
    log.scenario_json = text(header, "content");
    log.placement = read_placement(field(header, "placement"));
    log.reorders = header.contains("reorders") && header["reorders"] == true;
    const auto count = number<std::uint64_t>(field(header, "choices"), "choices");
    if (count > most_choices) {
      fail(fmt::format("choices: expected at most {}", most_choices));
    }
    return count;
  }

  std::optional<Placement> read_placement(const Json& json) const {
    if (json.is_null()) {
      return std::nullopt;
    }
    if (!json.is_object()) {
      fail("placement: expected null or an object with \"fault\", \"process\" and \"ordinal\"");
    }
    Placement placement;
    placement.fault = number<std::uint32_t>(field(json, "fault"), "placement.fault");
    placement.process = text(json, "process");
    placement.ordinal = number<std::uint32_t>(field(json, "ordinal"), "placement.ordinal");
    return placement;
  }

  LoggedChoice read_choice(const std::string& line) const {
    constexpr std::string_view expected = "[\"stream\", first, second, options, picked]";
    const Json json = parse(line, expected);
    if (!json.is_array() || json.size() != 5 || !json[0].is_string()) {
      fail(fmt::format("expected {}", expected));
    }
    LoggedChoice choice;
    choice.stream = json[0].get<std::string>();
    choice.first = number<std::uint32_t>(json[1], "first");
    choice.second = number<std::uint32_t>(json[2], "second");
    choice.options = number<std::uint64_t>(json[3], "options");
    choice.picked = number<std::uint64_t>(json[4], "picked");
    if (choice.picked >= choice.options) {
      fail(fmt::format("picked: {} is not below the {} options", choice.picked, choice.options));
    }
    return choice;
  }

  const std::string& path_;
  InputFile file_;
  std::array<char, 1 << 14> block_{};
  std::size_t next_ = 0;  // of the block
  std::size_t filled_ = 0;
  std::size_t line_number_ = 0;
};

std::string question(const StreamName& stream, std::uint64_t options) {
  return fmt::format("{} of {} options", to_text(stream), options);
}

}  // namespace

std::vector<LoggedChoice> logged_choices(const Choices& choices) {
  std::vector<LoggedChoice> logged;
  logged.reserve(choices.log().size());
  for (const Choice& choice : choices.log()) {
    const StreamName& name = choices.name(choice.stream);
    logged.push_back({std::string(name.name), name.first, name.second, choice.options, choice.picked});
  }
  return logged;
}

void write_choice_log(const std::string& path, const ChoiceLog& log) {
  OutputFile file(path, "the choice log");
  file.write(to_line(header_of(log)));
  for (const LoggedChoice& choice : log.choices) {
    file.write(
        to_line(Json::array({choice.stream, choice.first, choice.second, choice.options, choice.picked})));
  }
  file.finish();
}

ChoiceLog read_choice_log(const std::string& path) {
  return LogReader(path).read();
}

void ReplayStrategy::open(StreamId, const StreamName& name) {
  names_.push_back(name);
}

std::uint64_t ReplayStrategy::pick(StreamId id, std::uint64_t options) {
  if (!divergence_.empty()) {
    return 0;  // what follows a wrong turn is another road
  }
  const StreamName& asked = names_[static_cast<std::size_t>(id)];
  if (next_ == log_.choices.size()) {
    divergence_ = fmt::format("the log ends after {} choices, but the run goes on with {}", next_,
                              question(asked, options));
    return 0;
  }
  const LoggedChoice& logged = log_.choices[next_++];
  const StreamName answered{logged.stream, logged.first, logged.second};
  if (asked != answered || options != logged.options) {
    divergence_ = fmt::format("choice {} of the log is {}, but the run asks for {}", next_,
                              question(answered, logged.options), question(asked, options));
    return 0;
  }
  return logged.picked;
}

std::string ReplayStrategy::divergence() const {
  if (divergence_.empty() && next_ < log_.choices.size()) {
    return fmt::format("the run ended after {} of the log's {} choices", next_, log_.choices.size());
  }
  return divergence_;
}

}  // namespace holdfast
