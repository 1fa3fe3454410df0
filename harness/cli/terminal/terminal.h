// What the program knows of the terminal it talks to: colours, width, and a progress bar.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::cli {

enum class ColorChoice : std::uint8_t { automatic, always, never };
std::optional<ColorChoice> color_choice_from(std::string_view text);  // auto always never

struct Terminal {
  bool color = false;
  std::size_t width = 120;   // in columns; what a piped text is laid out for
  bool interactive = false;  // a person looks at it; else it may go on to grep
};

// Standard output as it is: `automatic` colours on a terminal only, unless NO_COLOR says not to.
Terminal look_at_terminal(ColorChoice choice);

enum class Color : std::uint8_t { plain, bold, faint, red, green, yellow, blue, magenta, cyan };
// The text in a colour, or as it is if `enabled` is false.
std::string painted(std::string_view text, Color color, bool enabled);

// How far a long work is, on standard error. On a terminal it is redrawn a few times a second at most, and
// wiped when done; elsewhere it is a line every thirty seconds, so that nobody wonders whether a log goes on,
// and short work says nothing. Not thread-safe: the caller sees to that.
class ProgressBar {
 public:
  ProgressBar(std::string_view label, std::size_t total);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  void advance_to(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::size_t total_;
  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_drawn_;
};

// "cells [#####-----] 12/24, 8 s left": what the bar shows; `elapsed` is since its start.
std::string progress_text(std::string_view label, std::size_t done, std::size_t total,
                          std::chrono::milliseconds elapsed, std::size_t width);
// "holdfast: cells 12/24, 8 s left": the line, without its end.
std::string progress_line(std::string_view label, std::size_t done, std::size_t total,
                          std::chrono::milliseconds elapsed);

}  // namespace holdfast::cli
