#include "harness/cli/bench/bench_memory.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace holdfast::cli {

double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) {
      return std::strtod(line.c_str() + line.find(':') + 1, nullptr) / 1024.0;  // it is in KiB
    }
  }
  return 0;
}

void forget_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace holdfast::cli
