#include "harness/cli/terminal/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "harness/cli/terminal/output.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t narrowest = 40;

std::size_t width_of(int descriptor, std::size_t otherwise) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return otherwise;
  }
  return std::max<std::size_t>(size.ws_col, narrowest);
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

std::optional<ColorChoice> color_choice_from(std::string_view text) {
  if (text == "auto") {
    return ColorChoice::automatic;
  }
  if (text == "always") {
    return ColorChoice::always;
  }
  return text == "never" ? std::optional(ColorChoice::never) : std::nullopt;
}

Terminal look_at_terminal(ColorChoice choice) {
  Terminal terminal;
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  terminal.interactive = is_terminal;
  if (is_terminal) {
    terminal.width = width_of(STDOUT_FILENO, terminal.width);
  }
  const bool wanted = is_terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  terminal.color = choice == ColorChoice::always || (choice == ColorChoice::automatic && wanted);
  return terminal;
}

std::string painted(std::string_view text, Color color, bool enabled) {
  constexpr std::array<std::string_view, 9> codes{"0", "1", "2", "31", "32", "33", "34", "35", "36"};
  if (!enabled || color == Color::plain || text.empty()) {
    return std::string(text);
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", codes.at(static_cast<std::size_t>(color)), text);
}

ProgressBar::ProgressBar(std::string_view label, std::size_t total)
    : label_(label),
      total_(total),
      on_terminal_(::isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"),
      start_(Clock::now()),
      last_drawn_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    say_on_standard_error("\r\x1b[K");
  }
}

void ProgressBar::advance_to(std::size_t done) {
  constexpr std::chrono::milliseconds between_redraws(100);
  constexpr std::chrono::seconds between_lines(30);
  const Clock::time_point now = Clock::now();
  if (now - last_drawn_ < (on_terminal_ ? between_redraws : between_lines)) {
    return;
  }
  last_drawn_ = now;
  drawn_ = on_terminal_;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_);
  const std::size_t width = width_of(STDERR_FILENO, 80) - 1;
  say_on_standard_error(on_terminal_
                            ? fmt::format("\r{}\x1b[K", progress_text(label_, done, total_, elapsed, width))
                            : progress_line(label_, done, total_, elapsed) + "\n");
}

namespace {

std::string time_left_text(std::size_t done, std::size_t total, std::chrono::milliseconds elapsed) {
  if (done == 0 || done >= total) {
    return "";
  }
  const double seconds_left = static_cast<double>(elapsed.count()) / 1000.0 *
                              static_cast<double>(total - done) / static_cast<double>(done);
  return fmt::format(", {:.0f} s left", seconds_left);
}

}  // namespace

std::string progress_text(std::string_view label, std::size_t done, std::size_t total,
                          std::chrono::milliseconds elapsed, std::size_t width) {
  constexpr std::size_t bar_width = 30;
  const std::size_t filled = total == 0 ? bar_width : bar_width * std::min(done, total) / total;
  const std::string text =
      fmt::format("{} [{}{}] {}/{}{}", label, std::string(filled, '#'), std::string(bar_width - filled, '-'),
                  done, total, time_left_text(done, total, elapsed));
  return shortened(text, width);
}

std::string progress_line(std::string_view label, std::size_t done, std::size_t total,
                          std::chrono::milliseconds elapsed) {
  return fmt::format("holdfast: {} {}/{}{}", label, done, total, time_left_text(done, total, elapsed));
}

}  // namespace holdfast::cli
