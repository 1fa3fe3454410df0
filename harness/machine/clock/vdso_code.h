// The machine code that answers for the vDSO's functions from a clock page. Empty but on x86-64.
//
// It is position independent: copied to the start of a page of memory that is followed by the clock page and
// by a page that the program may write, it works. The first word of that last page counts the readings: it
// tells that the program does live on the clock page, and whether it spins until the clock changes. For
// clocks that are not replaced, and in offset mode, it calls the kernel's own functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast {

// The addresses of the kernel's functions in the program; 0: it has none, and nobody will ask for it.
struct VdsoFunctions {
  std::uint64_t clock_reader = 0;      // __vdso_clock_gettime
  std::uint64_t time_of_day = 0;       // __vdso_gettimeofday
  std::uint64_t seconds_of_epoch = 0;  // __vdso_time
};

struct VdsoCode {
  std::vector<unsigned char> bytes;
  VdsoFunctions replacements;  // as positions in `bytes`
  std::uint64_t refusal = 0;   // likewise: a function that says ENOSYS
};

VdsoCode vdso_code(const VdsoFunctions& originals);

}  // namespace holdfast
