// A file that cannot be read or written: one sentence for a person, which names the file, the reason and what
// to do.
#pragma once

#include <stdexcept>

namespace holdfast {

class FileError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace holdfast
