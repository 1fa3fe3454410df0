// A file that the reports' program writes for us, where somebody asked for it.
//
// The program replaces plain files as we do. Its standard output is not ours, so what is no plain file
// (/dev/stdout, a pipe) it writes beside its own files, and we pass it on.
#pragma once

#include <filesystem>
#include <string>

namespace holdfast::cli {

class ProgramOutput {
 public:
  // `directory` is a temporary one; `what` is for sentences.
  ProgramOutput(std::string path, std::string what, const std::filesystem::path& directory);

  // What the program is told.
  const std::string& path_for_program() const { return path_for_program_; }
  // When the program has ended well. Throws FileError with one sentence.
  void deliver() const;

 private:
  std::string path_;
  std::string what_;
  std::string path_for_program_;
};

}  // namespace holdfast::cli
