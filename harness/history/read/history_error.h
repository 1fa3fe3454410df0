// What is wrong with a history file, in one sentence: where (file, line, column), what was expected, what to
// do. Thrown by the readers; read_history() catches it and returns the sentence.
#pragma once

#include <stdexcept>

namespace holdfast {

class HistoryError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace holdfast
