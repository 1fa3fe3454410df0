// The one way in which holdfast writes a file that somebody asked for.
//
// A plain file is written where nobody sees it and put in its place when it is whole: a reader never sees
// half a file, a full disk or an end by any signal leaves the old one as it was, with its permissions, and
// nothing beside it. The unfinished file has no name at all (O_TMPFILE); where the file system cannot do
// that, and for the moment in which it takes the place of an old one, it has one that nobody can guess, in
// the same directory, and only SIGKILL can leave it there. A file that may be written but not replaced
// (another is mounted on it, or its directory is not ours to write to) is written over when all of it is
// there; only then can a full disk leave half a file. What is no plain file (a device, a pipe, a terminal,
// /dev/stdout) is written to as it stands, and a link stays a link: see output_place.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "harness/files/output_place.h"
#include "harness/files/unfinished_name.h"

namespace holdfast {

enum class Unfinished : std::uint8_t {
  nameless,
  named
};  // the second for tests: what else a file system's lack decides

class OutputFile {
 public:
  // `what` is for sentences: "cannot write <what> to <path>: …". Throws FileError with one.
  OutputFile(std::string path, std::string what, Unfinished unfinished = Unfinished::nameless);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Without finish() a plain file stays as it was.
  ~OutputFile();

  // What goes wrong is told by finish().
  void write(std::string_view text);
  // All of it is written, and the file stands in its place. Throws FileError with one sentence if not.
  void finish();

 private:
  void open_plain(Unfinished unfinished);
  void open_pipe();
  bool open_nameless();
  void open_named();
  void open_elsewhere();
  void take_over_permissions() const;
  void flush();
  void put_in_place();
  void write_over();
  void note(bool success);
  void close_file();
  [[noreturn]] void refuse(int problem) const;

  std::string path_;
  std::string what_;
  OutputPlace place_;
  int file_ = -1;
  bool is_elsewhere_ = false;                   // the unfinished file cannot stand where the whole one will
  std::unique_ptr<UnfinishedName> unfinished_;  // none: it has no name
  std::string buffer_;
  int failure_ = 0;  // errno of the first thing that went wrong
};

// Writes all of it.
void write_file(const std::string& path, std::string_view content, const std::string& what);
// Throws the same if write_file could not even begin: to find out before long work, not after it.
void check_can_write(const std::string& path, const std::string& what);
// Whether it can be read again after it was written: not so a device or a pipe.
bool is_plain_output(const std::string& path);

}  // namespace holdfast
