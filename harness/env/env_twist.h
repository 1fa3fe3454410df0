// What an Env is made to say instead of the truth: the way in for mutation testing (harness/mutate), and for
// who wants to know what a lock asks.
//
// The Env of a lock that nobody changes has none, and asking costs one comparison.
#pragma once

#include <cstdint>
#include <string>

#include "harness/kernel/kernel.h"

namespace holdfast {

class EnvTwist {
 public:
  EnvTwist() = default;
  EnvTwist(const EnvTwist&) = delete;
  EnvTwist& operator=(const EnvTwist&) = delete;
  virtual ~EnvTwist() = default;

  // Each is given what is true. Who reads the wall clock for the process looks at it, as Env does.
  virtual Duration read_clock(Kernel& kernel, ProcessId process, ClockKind asked) = 0;
  virtual std::uint32_t thread(std::uint32_t mine) = 0;
  virtual std::string process_name(std::string mine) = 0;
  virtual std::string unique_id(std::string fresh) = 0;
};

}  // namespace holdfast
