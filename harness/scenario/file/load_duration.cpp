#include "harness/scenario/file/load_duration.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace holdfast {
namespace {

__extension__ using Wide = __int128;

constexpr std::size_t longest_unit_shown = 20;

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;  // 0: leases
};
constexpr std::array<Unit, 7> units{{{"ns", 1},
                                     {"us", 1'000},
                                     {"ms", 1'000'000},
                                     {"s", 1'000'000'000},
                                     {"min", 60'000'000'000},
                                     {"h", 3'600'000'000'000},
                                     {"ttl", 0}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Reads the text from left to right; the first problem stands.
class DurationReader {
 public:
  explicit DurationReader(std::string_view text) : rest_(text) {}

  std::variant<ScenarioDuration, std::string> read() {
    skip_spaces();
    std::int64_t sign = take('-') ? -1 : 1;
    while (problem_.empty()) {
      skip_spaces();
      read_term(sign);
      skip_spaces();
      if (rest_.empty() || !problem_.empty()) {
        break;
      }
      sign = rest_.front() == '-' ? -1 : 1;
      if (!take('-') && !take('+')) {
        problem_ = "only + or - and another duration can follow the first";
      }
    }
    if (problem_.empty()) {
      return duration_;
    }
    return problem_;
  }

 private:
  struct Decimal {
    std::int64_t digits = 0;
    std::int64_t scale = 1;  // a power of ten: the number is digits / scale
  };

  void read_term(std::int64_t sign) {
    const std::optional<Decimal> number = read_number();
    if (!problem_.empty()) {
      return;
    }
    skip_spaces();
    std::size_t length = 0;
    while (length < rest_.size() && is_letter(rest_[length])) {
      ++length;
    }
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    for (const Unit& unit : units) {
      if (unit.name == name && (number || unit.nanoseconds == 0)) {
        add(sign, number.value_or(Decimal{1, 1}), unit);
        return;
      }
    }
    if (!number) {
      problem_ = "a number is missing";
    } else if (name.empty()) {
      problem_ = "the unit is missing";
    } else {
      problem_ = fmt::format("there is no unit \"{}\"", name.substr(0, longest_unit_shown));
    }
  }

  std::optional<Decimal> read_number() {
    Decimal number;
    bool any = false;
    bool after_point = false;
    while (!rest_.empty() && (is_digit(rest_.front()) || (any && !after_point && rest_.front() == '.'))) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '.') {
        after_point = true;
        continue;
      }
      any = true;
      if (number.digits > 99'999'999'999'999 || number.scale > 99'999'999'999'999) {
        problem_ = "the number has too many digits";
        return std::nullopt;
      }
      number.digits = number.digits * 10 + (c - '0');
      number.scale = after_point ? number.scale * 10 : number.scale;
    }
    return any ? std::optional(number) : std::nullopt;
  }

  void add(std::int64_t sign, const Decimal& number, const Unit& unit) {
    const bool leases = unit.nanoseconds == 0;
    const Wide product = Wide{sign} * number.digits * (leases ? 1000 : unit.nanoseconds);
    if (product % number.scale != 0) {
      problem_ =
          leases ? "a number of leases has at most three decimals" : "it does not come to whole nanoseconds";
      return;
    }
    const Wide amount = product / number.scale;
    const Wide sum = amount + (leases ? duration_.ttl_per_mille : duration_.fixed.count());
    const Wide most = leases ? Wide{most_leases} * 1000 : Wide{longest_duration.count()};
    if (sum > most || sum < -most) {
      problem_ = leases ? fmt::format("it is more than {} leases", most_leases) : "it is more than 366 days";
      return;
    }
    if (leases) {
      duration_.ttl_per_mille = static_cast<std::int64_t>(sum);
    } else {
      duration_.fixed = Duration(static_cast<std::int64_t>(sum));
    }
  }

  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') {
      rest_.remove_prefix(1);
    }
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  ScenarioDuration duration_;
  std::string problem_;
};

// Of an amount that is not negative, in the largest unit that leaves it whole.
std::string fixed_to_text(std::uint64_t nanoseconds) {
  const Unit* largest = &units.front();
  for (const Unit& unit : units) {
    const auto size = static_cast<std::uint64_t>(unit.nanoseconds);
    if (size != 0 && nanoseconds >= size && nanoseconds % size == 0) {
      largest = &unit;
    }
  }
  return fmt::format("{}{}", nanoseconds / static_cast<std::uint64_t>(largest->nanoseconds), largest->name);
}

std::string leases_to_text(std::uint64_t per_mille) {
  if (per_mille == 1000) {
    return "ttl";
  }
  std::string number = fmt::format("{}.{:03}", per_mille / 1000, per_mille % 1000);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') {
    number.pop_back();
  }
  return number + " ttl";
}

std::uint64_t magnitude(std::int64_t number) {
  return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

}  // namespace

std::variant<ScenarioDuration, std::string> duration_from(std::string_view text) {
  return DurationReader(text).read();
}

std::string to_text(const ScenarioDuration& duration) {
  const std::int64_t fixed = duration.fixed.count();
  const std::int64_t leases = duration.ttl_per_mille;
  if (fixed == 0 && leases == 0) {
    return "0s";
  }
  std::string text;
  if (leases != 0) {
    text = fmt::format("{}{}", leases < 0 ? "-" : "", leases_to_text(magnitude(leases)));
  }
  if (fixed != 0) {
    const std::string_view joint = text.empty() ? (fixed < 0 ? "-" : "") : (fixed < 0 ? " - " : " + ");
    text += fmt::format("{}{}", joint, fixed_to_text(magnitude(fixed)));
  }
  return text;
}

}  // namespace holdfast
