#include "harness/machine/clock/shim_bytes.h"

// HOLDFAST_CLOCK_SHIM is the library's file, named by the build, which compiles this again when it changes.
asm(R"(
  .pushsection .rodata
  .globl holdfast_clock_shim_start
  .hidden holdfast_clock_shim_start
  .globl holdfast_clock_shim_end
  .hidden holdfast_clock_shim_end
  .balign 16
holdfast_clock_shim_start:
  .incbin ")" HOLDFAST_CLOCK_SHIM R"("
holdfast_clock_shim_end:
  .popsection
)");

extern "C" {
extern const char holdfast_clock_shim_start[];
extern const char holdfast_clock_shim_end[];
}

namespace holdfast {

std::span<const char> clock_shim_bytes() {
  return {holdfast_clock_shim_start, holdfast_clock_shim_end};
}

}  // namespace holdfast
