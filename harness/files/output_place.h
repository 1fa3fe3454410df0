// Where the name of an output leads, and so how it must be written.
//
// A plain file is replaced as a whole, where it really stands: a link to it stays a link. A device, a pipe or
// a terminal is written to as it is: to replace /dev/null would be to destroy it. A descriptor of our own
// (/dev/stdout, /dev/fd/3) is written to by that descriptor, behind what went there already.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

struct OutputPlace {
  enum class Kind : std::uint8_t { plain, device, pipe, descriptor };

  Kind kind = Kind::plain;
  std::string directory;                // of a plain file: where it stands, links followed
  std::string name;                     // its name in there
  std::optional<struct stat> existing;  // the one that is there already
  int descriptor = -1;
  int problem = 0;  // an errno: it cannot be written to

  std::string path() const { return directory + "/" + name; }
};

OutputPlace find_output_place(const std::string& path);

}  // namespace holdfast
