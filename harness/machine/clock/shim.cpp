#include "harness/machine/clock/shim.h"

#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "harness/machine/clock/shim_bytes.h"

namespace holdfast {
namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& file, const std::filesystem::path& unfinished) {
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  throw std::runtime_error("cannot write the library that replaces a program's clocks to " + file.string() +
                           ": is its folder there and writable, and the disk not full?");
}

}  // namespace

void write_clock_shim(const std::filesystem::path& file) {
  std::filesystem::path unfinished = file;
  unfinished += "." + std::to_string(::getpid());
  {
    std::ofstream stream(unfinished, std::ios::binary | std::ios::trunc);
    const std::span<const char> bytes = clock_shim_bytes();
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) {
      fail_to_write(file, unfinished);
    }
  }
  std::error_code error;
  std::filesystem::rename(unfinished, file, error);
  if (error) {
    fail_to_write(file, unfinished);
  }
}

}  // namespace holdfast
