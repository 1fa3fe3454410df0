// Trouble with the real world: a server that is missing or does not answer, a port that is taken, a disk that
// is full. One sentence for a person; the command line makes it exit code 2.
#pragma once

#include <stdexcept>

namespace holdfast::live {

class LiveError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace holdfast::live
