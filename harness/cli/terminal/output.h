// Standard output, written to with care.
//
// A reader that went away (holdfast list locks | head -1) is no error: what is left is dropped, and the
// command ends with the exit code it would have had. A full disk is one.
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

}  // namespace holdfast::cli
