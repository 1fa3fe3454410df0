// Standard output and standard error, written to with care.
//
// A reader that went away (holdfast list locks | head -1) is no error: what is left is dropped, and the
// command ends with the exit code it would have had. A full disk is one. What cannot be said on standard
// error cannot be said at all: then the exit code has to do.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::cli {

class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Kept until flush().
  void print(std::string_view text) { buffer_ += text; }
  // Throws BadInput with one sentence if the text cannot be written.
  void flush();
  // For when there is another problem to tell of already. Returns 0 or an errno.
  int try_flush();

 private:
  int descriptor_;
  bool reader_gone_ = false;
  std::string buffer_;
};

// To standard error, at once; nothing if that cannot be written to.
void say_on_standard_error(std::string_view text);

// To be called first of all. A program that is started with descriptor 0, 1 or 2 closed (2>&-) would get the
// next file it opens in its place, and write its messages into that. Afterwards they are still nothing to
// read from or to write to, but taken.
void occupy_standard_descriptors();

}  // namespace holdfast::cli
