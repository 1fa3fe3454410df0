#include "harness/machine/clock/clock_way.h"

#include <elf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/child.h"

namespace holdfast {
namespace {

// A program's file, read where it says that something is; what it says may be nonsense.
class ProgramFile {
 public:
  explicit ProgramFile(const std::filesystem::path& path) {
    errno = 0;
    stream_.open(path, std::ios::binary);
    error_ = stream_.is_open() ? 0 : errno;
  }

  bool is_open() const { return stream_.is_open(); }
  // Of opening it, as in errno.
  int error() const { return error_; }

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
  int error_ = 0;
};

std::string why_not_open(const std::filesystem::path& program, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return "there is no program " + program.string() + ".";
  }
  return program.string() + " cannot be read (" + std::strerror(error) +
         "), so that nobody knows how its clock can be steered" +
         (error == EACCES ? "; it takes the right to read it, too." : ".");
}

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

bool is_loader(const std::filesystem::path& program) {
  const std::string name = program.filename().string();  // ld-linux-x86-64.so.2, ld-musl-x86_64.so.1
  return name.starts_with("ld-") && name.find(".so") != std::string::npos;
}

// A name as the kernel writes it into a list of lines: a newline in it as \012, and a backslash as it is.
std::string name_in_list(std::string name) {
  constexpr std::string_view newline = "\\012";
  std::error_code ignored;
  if (name.find(newline) == std::string::npos || std::filesystem::exists(name, ignored)) {
    return name;
  }
  for (std::size_t at = name.find(newline); at != std::string::npos; at = name.find(newline, at + 1)) {
    name.replace(at, newline.size(), "\n");
  }
  return name;
}

// The files that a process has mapped, each once in a row.
std::vector<std::string> mapped_files(pid_t process) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  std::vector<std::string> files;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t begin = line.find('/');
    if (begin == std::string::npos) {
      continue;
    }
    std::string name = name_in_list(line.substr(begin));
    if (files.empty() || files.back() != name) {
      files.push_back(std::move(name));
    }
  }
  return files;
}

bool is_file_of_go(const std::string& path) {
  ProgramFile file(path);
  const auto header = file.at<Elf64_Ehdr>(0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && is_of_go(file, *header);
}

// Whether the kernel told the loader that the program has rights that its starter has not.
bool has_rights_of_its_own(pid_t process) {
  ProgramFile table("/proc/" + std::to_string(process) + "/auxv");
  for (std::uint64_t at = 0;; at += sizeof(Elf64_auxv_t)) {
    const auto entry = table.at<Elf64_auxv_t>(at);
    if (!entry || entry->a_type == AT_NULL || entry->a_type == AT_SECURE) {
      return entry && entry->a_type == AT_SECURE && entry->a_un.a_val != 0;
    }
  }
}

}  // namespace

ClockWay clock_way_of(const std::filesystem::path& program) {
  ProgramFile file(program);
  if (!file.is_open()) {
    throw std::runtime_error(why_not_open(program, file.error()));
  }
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

namespace {

// That of a running process; of one that was started by a loader, by what the loader has mapped.
ClockWay way_of_process(pid_t process, const std::filesystem::path& program,
                        const std::vector<std::string>& mapped) {
  if (!is_loader(program)) {
    return clock_way_of("/proc/" + std::to_string(process) + "/exe");
  }
  return std::ranges::any_of(mapped, is_file_of_go) ? ClockWay::vdso : ClockWay::libc;
}

}  // namespace

std::filesystem::path program_in(const std::vector<std::string>& command) {
  require(!command.empty(), "a command has a program");
  std::filesystem::path first = live::find_program(command.front());
  if (!is_loader(first)) {
    return first;
  }
  for (std::size_t word = 1; word < command.size(); ++word) {
    if (!command[word].starts_with("--")) {
      return command[word];
    }
    if (command[word] != "--list" && command[word] != "--verify" && command[word] != "--inhibit-cache") {
      ++word;  // --library-path and the like have a word of their own
    }
  }
  return first;
}

std::string why_not_on_page(pid_t process, const std::filesystem::path& page, ClockWay way) {
  const std::string which = "process " + std::to_string(process);
  std::error_code problem;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", problem);
  if (problem) {
    return which +
           (problem == std::errc::no_such_file_or_directory ? " is gone, so its clock cannot be "
                                                            : " has rights that we have not, so its "
                                                              "clock cannot be ") +
           "looked at.";
  }
  const std::string who = program.string() + " (" + which + ") does not follow the clock that it was given: ";
  const std::vector<std::string> mapped = mapped_files(process);
  if (way == ClockWay::libc && way_of_process(process, program, mapped) == ClockWay::vdso) {
    return who + "it reads the time without libc, and was started by another program; name it itself.";
  }
  if (std::ranges::find(mapped, std::filesystem::weakly_canonical(page, problem).string()) == mapped.end()) {
    return who + (has_rights_of_its_own(process)
                      ? "it has rights of its own (set-user-ID, or file capabilities), so that its loader "
                        "takes no library of ours; use a copy of it without them."
                      : "it has not mapped the page; was it started by another program, which is to be left "
                        "out, or may it not open " +
                            page.string() + "?");
  }
  return "";
}

}  // namespace holdfast
