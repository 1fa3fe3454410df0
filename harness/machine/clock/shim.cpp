#include "harness/machine/clock/shim.h"

#include <string_view>

#include "harness/files/output_file.h"
#include "harness/machine/clock/shim_bytes.h"

namespace holdfast {

void write_clock_shim(const std::filesystem::path& file) {
  const std::span<const char> bytes = clock_shim_bytes();
  write_file(file.string(), std::string_view(bytes.data(), bytes.size()),
             "the library that replaces a program's clocks");
}

}  // namespace holdfast
