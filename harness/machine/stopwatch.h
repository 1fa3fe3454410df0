// Real time since it was made, for what a person waits for. No run ever sees it.
#pragma once

#include <chrono>

namespace holdfast {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace holdfast
