#include "harness/machine/process/one_processor.h"

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

namespace holdfast::live {
namespace {

cpu_set_t only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  return set;
}

// A machine with more processors than a cpu_set_t has bits is left alone.
bool is_known(int processor) {
  return processor >= 0 && processor < CPU_SETSIZE;
}

}  // namespace

StaysOnProcessor::StaysOnProcessor() {
  const int processor = ::sched_getcpu();
  if (!is_known(processor) || ::sched_getaffinity(0, sizeof before_, &before_) != 0) {
    return;
  }
  const cpu_set_t here = only(processor);
  stays_ = ::sched_setaffinity(0, sizeof here, &here) == 0;
}

StaysOnProcessor::~StaysOnProcessor() {
  if (stays_) {
    ::sched_setaffinity(0, sizeof before_, &before_);
  }
}

void Companion::bring_here(pid_t process) {
  const int processor = ::sched_getcpu();
  if (process <= 1 || !is_known(processor) || (process == process_ && processor == processor_)) {
    return;
  }
  process_ = process;
  processor_ = processor;
  const cpu_set_t here = only(processor);
  std::error_code ignored;
  const std::filesystem::path threads = "/proc/" + std::to_string(process) + "/task";
  for (const auto& entry : std::filesystem::directory_iterator(threads, ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (thread > 1) {
      ::sched_setaffinity(thread, sizeof here, &here);
    }
  }
}

}  // namespace holdfast::live
