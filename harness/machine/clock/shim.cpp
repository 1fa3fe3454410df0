#include "harness/machine/clock/shim.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "harness/files/output_file.h"
#include "harness/machine/clock/shim_bytes.h"
#include "harness/machine/process/descriptor.h"

namespace holdfast {
namespace {

// What a loader does with it: maps it, to be executed.
bool can_be_loaded(const std::filesystem::path& file) {
  const live::Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  constexpr std::size_t some = 4096;
  void* const memory =
      opened ? ::mmap(nullptr, some, PROT_READ | PROT_EXEC, MAP_PRIVATE, opened.get(), 0) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    return false;
  }
  ::munmap(memory, some);
  return true;
}

// One for all programs; it goes with us.
std::filesystem::path clock_shim_in_memory() {
  static const live::Descriptor memory = [] {
    live::Descriptor made(::memfd_create("holdfast-clock", MFD_CLOEXEC));
    const std::span<const char> bytes = clock_shim_bytes();
    const bool is_whole =
        made && ::write(made.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    return is_whole ? std::move(made) : live::Descriptor();
  }();
  static const std::string place =
      "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(memory.get());
  return place;
}

}  // namespace

void write_clock_shim(const std::filesystem::path& file) {
  const std::span<const char> bytes = clock_shim_bytes();
  write_file(file.string(), std::string_view(bytes.data(), bytes.size()),
             "the library that replaces a program's clocks");
}

std::filesystem::path loadable_clock_shim(const std::filesystem::path& directory) {
  std::filesystem::path file = directory / "clock.so";
  write_clock_shim(file);
  if (can_be_loaded(file)) {
    return file;
  }
  const std::filesystem::path memory = clock_shim_in_memory();
  return can_be_loaded(memory) ? memory : std::filesystem::path();
}

}  // namespace holdfast
