#include "harness/env/env.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace holdfast {
namespace {

void append_number(std::string& text, char before, std::uint64_t number, int base) {
  std::array<char, 20> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
  text += before;
  text.append(digits.data(), end);
}

}  // namespace

std::string Env::process_name() const {
  return twist_ == nullptr ? own_name() : twist_->process_name(own_name());
}

std::string Env::own_name() const {
  const Process& process = kernel_->process(process_);
  return process.incarnation == 0 ? process.name
                                  : fmt::format("{}#{}", process.name, process.incarnation + 1);
}

std::string Env::thread_name() const {
  return fmt::format("{}:{}", process_name(), thread());
}

std::string Env::unique_id() {
  // The random part is for the eye and for hashes; the rest already makes it unique. Put together by hand,
  // for every acquire of a run makes one.
  std::string id = own_name();
  append_number(id, ':', thread_, 10);
  append_number(id, '-', ++ids_made_, 10);
  append_number(id, '-', random(0x1000), 16);
  return twist_ == nullptr ? id : twist_->unique_id(std::move(id));
}

std::uint64_t Env::random(std::uint64_t options) {
  require(options > 0, "something is drawn from at least one thing");
  if (!random_stream_) {
    random_stream_ = kernel_->choices().open({"random", static_cast<std::uint32_t>(process_), thread_});
  }
  return kernel_->choices().choose(*random_stream_, options);
}

bool Env::AtPoint::stand(std::coroutine_handle<> handle, std::coroutine_handle<> outermost) {
  Kernel& kernel = *env_.kernel_;
  const std::uint32_t incarnation = kernel.process(env_.process_).incarnation;
  env_.steps_->take({.client = env_.process_,
                     .thread = env_.thread_,
                     .phase = Phase::point,
                     .name = name_,
                     .call = nullptr});
  if (kernel.process(env_.process_).incarnation != incarnation || kernel.was_killed(outermost)) {
    return true;  // died here: this frame is about to be destroyed
  }
  if (kernel.runs(env_.process_)) {
    return false;
  }
  ticket_ = kernel.resume_soon(env_.process_, handle);  // waits in the backlog until the pause ends
  return true;
}

}  // namespace holdfast
