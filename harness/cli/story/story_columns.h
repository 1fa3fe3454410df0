// The columns of a story: who stands in which, and how wide each is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/story/story_lines.h"

namespace holdfast::cli {

// A process, or one thread of a process of which several threads act.
struct StoryActor {
  ProcessId process{};
  std::uint32_t thread = 0;  // 0: all of the process
  std::string name;
  bool client = false;
};

struct StoryColumn {
  std::string title;
  std::vector<StoryActor> actors;
  std::size_t width = 0;  // of the text, without the bars beside it

  bool shared() const { return actors.size() > 1; }
};

class StoryColumns {
 public:
  // `width` is what all columns may take together.
  StoryColumns(const History& history, const std::vector<ProcessId>& processes,
               const std::vector<StoryLine>& lines, std::size_t width);

  const std::vector<StoryColumn>& columns() const { return columns_; }
  // The column in which the line stands; none if its process has no column.
  std::optional<std::size_t> column_of(const StoryLine& line) const;
  // The line's text as it stands there: with the actor's name if the column is shared.
  std::string text_in_column(const StoryLine& line) const;

  static constexpr std::size_t gap = 2;   // between two columns
  static constexpr std::size_t bars = 2;  // hold and fault, left of the text
  static constexpr std::size_t least_width = 14;

 private:
  enum class Sharing : std::uint8_t { none, servers, servers_and_clients };
  void arrange(const std::vector<StoryActor>& actors, Sharing sharing);
  bool fits(std::size_t width) const;
  void set_widths(const std::vector<StoryLine>& lines, std::size_t width);

  std::vector<StoryColumn> columns_;
};

}  // namespace holdfast::cli
