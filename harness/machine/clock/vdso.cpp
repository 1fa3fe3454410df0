#include "harness/machine/clock/vdso.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/machine/clock/clock_page_layout.h"
#include "harness/machine/clock/traced_program.h"
#include "harness/machine/clock/vdso_code.h"
#include "harness/machine/clock/vdso_image.h"
#include "harness/machine/process/send_signal.h"

namespace holdfast {
namespace {

constexpr std::uint64_t page_bytes = HOLDFAST_CLOCK_PAGE_BYTES;
constexpr std::size_t vdso_bytes_max = 4 * page_bytes;

std::uint64_t check_call(std::int64_t result, const std::string& what) {
  constexpr std::int64_t errors_max = 4095;
  if (result < 0 && result >= -errors_max) {
    throw std::runtime_error("cannot put the program on a clock page: " + what + ": " +
                             std::strerror(static_cast<int>(-result)));
  }
  return static_cast<std::uint64_t>(result);
}

std::uint64_t open_in(TracedProgram& program, const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::uint64_t note = program.scratch() - name.size() - 1;
  program.write(note, {reinterpret_cast<const unsigned char*>(name.c_str()), name.size() + 1});
  constexpr auto here = static_cast<std::uint64_t>(AT_FDCWD);
  return check_call(program.call(SYS_openat, {here, note, O_RDONLY | O_CLOEXEC, 0, 0, 0}),
                    "it cannot open " + name);
}

// Three pages: one for code, behind it the clock page, and one for the count. Returns where the code goes.
std::uint64_t map_page_behind_code(TracedProgram& program, const std::filesystem::path& page) {
  constexpr auto no_file = static_cast<std::uint64_t>(-1);
  constexpr std::uint64_t own = MAP_PRIVATE | MAP_ANONYMOUS;
  const std::string what = "it has no memory for the code";
  const std::uint64_t code =
      check_call(program.call(SYS_mmap, {0, 3 * page_bytes, PROT_READ | PROT_EXEC, own, no_file, 0}), what);
  check_call(program.call(SYS_mmap, {code + 2 * page_bytes, page_bytes, PROT_READ | PROT_WRITE,
                                     own | MAP_FIXED, no_file, 0}),
             what);
  const std::uint64_t file = open_in(program, page);
  check_call(
      program.call(SYS_mmap, {code + page_bytes, page_bytes, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0}),
      "it cannot map the page");
  program.call(SYS_close, {file, 0, 0, 0, 0, 0});
  return code;
}

std::uint64_t& function_named(VdsoFunctions& functions, std::string_view name) {
  if (name == "clock_gettime") {
    return functions.clock_reader;
  }
  return name == "gettimeofday" ? functions.time_of_day : functions.seconds_of_epoch;
}

void point_at(TracedProgram& program, std::uint64_t symbol_value, std::uint64_t function) {
  std::array<unsigned char, sizeof(function)> bytes{};
  std::memcpy(bytes.data(), &function, sizeof(function));
  program.write(symbol_value, bytes);
}

void redirect_vdso(TracedProgram& program, std::uint64_t vdso, const VdsoImage& image, std::uint64_t code_at,
                   bool without_random) {
  const std::uint64_t load_address = vdso - image.link_address;
  VdsoFunctions originals;
  for (const VdsoSymbol& symbol : image.functions) {
    function_named(originals, symbol.name) = load_address + symbol.value;
  }
  VdsoCode code = vdso_code(originals);
  program.write(code_at, code.bytes);
  // The symbols change, not the functions: offset mode still needs those.
  for (const VdsoSymbol& symbol : image.functions) {
    const std::uint64_t replacement = code_at + function_named(code.replacements, symbol.name);
    point_at(program, vdso + symbol.value_at, replacement - load_address);
  }
  for (const VdsoSymbol& symbol : image.randoms) {
    if (without_random) {
      point_at(program, vdso + symbol.value_at, code_at + code.refusal - load_address);
    }
  }
}

VdsoImage find_vdso(const TracedProgram& program, std::uint64_t vdso) {
  const std::vector<unsigned char> bytes = program.read(vdso, vdso_bytes_max);
  const VdsoImage image = read_vdso(bytes);
  bool complete = false;
  for (const VdsoSymbol& symbol : image.functions) {
    complete = complete || symbol.name == "clock_gettime";
  }
  if (!complete) {
    throw std::runtime_error(
        "cannot put the program on a clock page: it is no 64-bit program, or the kernel gave it "
        "no vDSO with __vdso_clock_gettime");
  }
  return image;
}

}  // namespace

std::uint64_t put_on_page(pid_t child, const std::filesystem::path& page) {
  TracedProgram program(child);
  const std::uint64_t count_at = put_on_page(program, page, false);
  program.release();
  return count_at;
}

std::uint64_t put_on_page(TracedProgram& program, const std::filesystem::path& page, bool without_random) {
  const std::uint64_t vdso = program.auxiliary(AT_SYSINFO_EHDR);
  const VdsoImage image = find_vdso(program, vdso);
  const std::uint64_t code = map_page_behind_code(program, page);
  redirect_vdso(program, vdso, image, code, without_random);
  return code + 2 * page_bytes;
}

void wake_timed_waits(pid_t program) {
  std::error_code gone;
  const std::filesystem::path threads = "/proc/" + std::to_string(program) + "/task";
  for (const auto& thread : std::filesystem::directory_iterator(threads, gone)) {
    live::send_signal_to_thread(program, std::stoi(thread.path().filename().string()), SIGURG);
  }
}

}  // namespace holdfast
