#include "harness/history/read/line_reader.h"

#include <fmt/format.h>

#include "harness/history/read/history_error.h"

namespace holdfast {
namespace {

constexpr std::size_t first_block_bytes = std::size_t{1} << 16U;  // stays in a core's own cache

}  // namespace

LineReader::LineReader(Source& source) : source_(source), block_(first_block_bytes + bytes_behind_line) {
  position_ = block_.data();
  end_ = position_;
}

bool LineReader::next_after_refill(std::string_view& line) {
  std::size_t searched = static_cast<std::size_t>(end_ - position_);
  while (refill()) {
    const char* const from = position_ + searched;
    const void* newline = std::memchr(from, '\n', static_cast<std::size_t>(end_ - from));
    if (newline != nullptr) {
      take(static_cast<const char*>(newline), line);
      return true;
    }
    searched = static_cast<std::size_t>(end_ - position_);
  }
  if (position_ == end_) {
    return false;
  }
  block_[static_cast<std::size_t>(end_ - block_.data())] = '\n';
  left_open_ = true;
  take(end_, line);
  position_ = end_;
  return true;
}

// Moves what is left of a line to the front and reads more behind it. False: the source is over.
bool LineReader::refill() {
  const std::size_t kept = static_cast<std::size_t>(end_ - position_);
  if (kept > longest_line_bytes) {
    throw HistoryError(
        fmt::format("{}:{}: the line is longer than 64 MB; a history has one short line per event",
                    source_.name(), line_number_ + 1));
  }
  std::memmove(block_.data(), position_, kept);
  if (kept >= block_.size() / 2) {
    block_.resize(block_.size() * 2);
  }
  const std::size_t room = block_.size() - kept - bytes_behind_line;
  const std::size_t count = source_.read(std::span(block_).subspan(kept, room));
  position_ = block_.data();
  end_ = position_ + kept + count;
  return count > 0;
}

}  // namespace holdfast
