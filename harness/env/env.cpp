#include "harness/env/env.h"

#include <fmt/format.h>

namespace holdfast {

std::string Env::process_name() const {
  const Process& process = kernel_->process(process_);
  return process.incarnation == 0 ? process.name
                                  : fmt::format("{}#{}", process.name, process.incarnation + 1);
}

std::string Env::thread_name() const {
  return fmt::format("{}:{}", process_name(), thread_);
}

std::string Env::unique_id() {
  // The random part is for the eye and for hashes; the rest already makes it unique.
  return fmt::format("{}-{}-{:x}", thread_name(), ++ids_made_, random(0x1000));
}

std::uint64_t Env::random(std::uint64_t options) {
  if (!random_stream_) {
    random_stream_ = kernel_->choices().open({"random", static_cast<std::uint32_t>(process_), thread_});
  }
  return kernel_->choices().choose(*random_stream_, options);
}

bool Env::AtPoint::await_suspend(std::coroutine_handle<> handle) {
  Kernel& kernel = *env_.kernel_;
  const std::uint32_t incarnation = kernel.process(env_.process_).incarnation;
  env_.steps_->take({.client = env_.process_,
                     .thread = env_.thread_,
                     .phase = Phase::point,
                     .name = name_,
                     .call = nullptr});
  if (kernel.process(env_.process_).incarnation != incarnation) {
    return true;  // crashed here: this frame is about to be destroyed
  }
  if (kernel.runs(env_.process_)) {
    return false;
  }
  ticket_ = kernel.resume_soon(env_.process_, handle);  // waits in the backlog until the pause ends
  return true;
}

}  // namespace holdfast
