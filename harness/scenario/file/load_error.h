// What is wrong with a file that a person wrote, in one sentence: where (file, line, field), what was
// found and what was expected. Thrown at the outermost edge only; the command line makes it exit code 2.
#pragma once

#include <stdexcept>

namespace holdfast {

class ScenarioError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace holdfast
