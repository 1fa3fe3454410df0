#include "harness/machine/clock/clock_way.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace holdfast {
namespace {

// A program's file, read where it says that something is; what it says may be nonsense.
class ProgramFile {
 public:
  explicit ProgramFile(const std::filesystem::path& path) : stream_(path, std::ios::binary) {}

  template <typename Value>
  std::optional<Value> at(std::uint64_t position) {
    Value value{};
    return read(position, reinterpret_cast<char*>(&value), sizeof value) ? std::optional(value)
                                                                         : std::nullopt;
  }
  std::string text_at(std::uint64_t position, std::uint64_t length) {
    constexpr std::uint64_t length_max = 1 << 20;
    std::string text(std::min(length, length_max), '\0');
    return read(position, text.data(), text.size()) ? text : "";
  }

 private:
  bool read(std::uint64_t position, char* to, std::size_t bytes) {
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(position));
    return static_cast<bool>(stream_.read(to, static_cast<std::streamsize>(bytes)));
  }

  std::ifstream stream_;
};

bool has_loader(ProgramFile& file, const Elf64_Ehdr& header) {
  for (std::uint64_t index = 0; index < header.e_phnum; ++index) {
    const auto segment = file.at<Elf64_Phdr>(header.e_phoff + index * sizeof(Elf64_Phdr));
    if (segment && segment->p_type == PT_INTERP) {
      return true;
    }
  }
  return false;
}

// By the names of its sections, which stay when it is stripped.
bool is_of_go(ProgramFile& file, const Elf64_Ehdr& header) {
  const auto names = file.at<Elf64_Shdr>(header.e_shoff + header.e_shstrndx * sizeof(Elf64_Shdr));
  return names && file.text_at(names->sh_offset, names->sh_size).find(".go.buildinfo") != std::string::npos;
}

bool has_mapped(pid_t process, const std::filesystem::path& page) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  const std::string name = std::filesystem::absolute(page).string();
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(" " + name)) {
      return true;
    }
  }
  return false;
}

}  // namespace

ClockWay clock_way_of(const std::filesystem::path& program) {
  ProgramFile file(program);
  if (file.text_at(0, 2) == "#!") {
    return ClockWay::libc;
  }
  const auto header = file.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    throw std::runtime_error(program.string() + " is no 64-bit program, so its clock cannot be steered.");
  }
  return has_loader(file, *header) && !is_of_go(file, *header) ? ClockWay::libc : ClockWay::vdso;
}

std::string why_not_on_page(pid_t process, const std::filesystem::path& page, ClockWay way) {
  const std::string which = "process " + std::to_string(process);
  std::error_code gone;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", gone);
  if (gone) {
    return which + " is gone, so its clock cannot be looked at.";
  }
  const ClockWay right_way = clock_way_of("/proc/" + std::to_string(process) + "/exe");
  if (way == ClockWay::libc && right_way == ClockWay::vdso) {
    return program.string() + " (" + which +
           ") reads the time without libc, so that it stays in real time: steer its clock by the vDSO.";
  }
  if (!has_mapped(process, page)) {
    return program.string() + " (" + which +
           ") has not mapped the clock page that it was given, so it is in real " +
           "time: it was started by another program, or is not allowed to open the page.";
  }
  return "";
}

}  // namespace holdfast
