// The lines of a source, without copying them: each is a view into one block that is read over and over.
//
// The byte behind a line, line.data()[line.size()], can be read and is '\n', also behind a last line that the
// file leaves open: a scanner that stops at '\n' needs no other bound. So can the seven bytes behind that
// one, whatever they are, so that a scanner may look at eight bytes at once. Lines of more than 64 MB are
// refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "harness/history/read/source.h"

namespace holdfast {

inline constexpr std::size_t longest_line_bytes = std::size_t{64} << 20U;
inline constexpr std::size_t bytes_behind_line = 8;

class LineReader {
 public:
  // `source` must outlive it.
  explicit LineReader(Source& source);

  // False: there are no more. The view lives until the next call.
  bool next(std::string_view& line) {
    const void* newline = std::memchr(position_, '\n', static_cast<std::size_t>(end_ - position_));
    if (newline == nullptr) {
      return next_after_refill(line);
    }
    take(static_cast<const char*>(newline), line);
    return true;
  }

  // Of the line that next() gave last, from 1.
  std::uint64_t line_number() const { return line_number_; }
  // The file ended without a newline behind that line: it may have been cut.
  bool left_open() const { return left_open_; }

 private:
  bool next_after_refill(std::string_view& line);
  bool refill();
  void take(const char* newline, std::string_view& line) {
    line = {position_, static_cast<std::size_t>(newline - position_)};
    position_ = newline + 1;
    ++line_number_;
  }

  Source& source_;
  std::vector<char> block_;
  const char* position_ = nullptr;  // the first byte not yet handed out
  const char* end_ = nullptr;       // behind the last byte read, with bytes_behind_line of room
  std::uint64_t line_number_ = 0;
  bool left_open_ = false;
};

}  // namespace holdfast
