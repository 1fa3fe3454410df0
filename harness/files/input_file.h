// A file to be read that somebody named: also one that is a directory, a device without an end, or a pipe to
// which nobody writes. None of them makes us hang or fill the memory; each gives a reason for a sentence.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace holdfast {

class InputFile {
 public:
  // A pipe that nobody writes to is waited for for ten seconds; once somebody does, for as long as that
  // takes.
  explicit InputFile(const std::string& path, int patience_ms = 10'000);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  // 0: it is at its end. Nothing: it cannot be read, see error() and problem().
  std::optional<std::size_t> read(std::span<char> room);

  int error() const { return error_; }  // an errno; 0: well
  // "No such file or directory", "it is a directory"; empty: well.
  std::string problem() const;

 private:
  // False: there is none.
  bool wait_for_writer(int patience_ms);

  int file_ = -1;
  int error_ = 0;
  bool is_pipe_without_writer_ = false;
  std::optional<char> read_ahead_;
};

struct WholeFile {
  std::string text;
  int error = 0;        // an errno
  std::string problem;  // why it cannot be read; empty: well
};
// "it is larger than 16 MB" is a problem, too.
WholeFile read_whole_file(const std::string& path, std::size_t most_bytes);

}  // namespace holdfast
