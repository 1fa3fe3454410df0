#include "harness/machine/program/server_program.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/child.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view loader_name = "ld-linux-x86-64.so.2";
// Where a tree has programs, and libraries; a tree from before the merge of / and /usr has both kinds.
constexpr const char* program_folders[] = {"usr/bin", "usr/sbin", "bin", "sbin", "usr/local/bin"};
constexpr const char* library_folders[] = {"usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib64",
                                           "lib64", "usr/lib"};

constexpr const char* loader_folders[] = {"lib64", "usr/lib64", "lib/x86_64-linux-gnu",
                                          "usr/lib/x86_64-linux-gnu"};

// A path of the user's may be anything.
std::string shown(const fs::path& path) {
  return shortened(printable(path.string()), 200);
}

bool is_program(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) && access(path.c_str(), X_OK) == 0;
}

// Whether the file says which loader is to start it: then it is one of the tree's. A static program needs
// none, and a script has an interpreter.
bool wants_a_loader(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return false;
  }
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int index = 0; index < header.e_phnum; ++index) {
    Elf64_Phdr part{};
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) {
      return false;
    }
    if (part.p_type == PT_INTERP) {
      return true;
    }
  }
  return false;
}

// The links are left as they are: a program may go by the name that it was called by.
std::optional<fs::path> find_in(const fs::path& tree, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const char* folder : program_folders) {
      if (is_program(tree / folder / name)) {
        return tree / folder / name;
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> loader_words(const fs::path& tree) {
  std::string libraries;
  std::string loader;
  std::error_code problem;
  for (const char* folder : library_folders) {
    if (fs::is_directory(tree / folder, problem)) {
      libraries += (libraries.empty() ? "" : ":") + (tree / folder).string();
    }
  }
  for (const char* folder : loader_folders) {
    if (loader.empty() && is_program(tree / folder / loader_name)) {
      loader = (tree / folder / loader_name).string();
    }
  }
  if (loader.empty()) {
    throw LiveError(fmt::format(
        "{} has no {}, which starts its programs: it must be a tree of a release with all its libraries "
        "(.ci/other_releases.sh makes some).",
        shown(tree), loader_name));
  }
  return {loader, "--library-path", libraries};
}

// What the loader says that it would load: "libssl.so.3 => /place/libssl.so.3 (0x…)", or "=> not found". What
// the tree lacks it takes from this machine, and says nothing: that would be neither release.
void require_own_libraries(const fs::path& tree, const std::vector<std::string>& loader,
                           const fs::path& program) {
  const TemporaryDirectory directory;
  ChildOptions options;
  options.arguments = loader;
  options.arguments.insert(options.arguments.end(), {"--list", program.string()});
  options.output = directory.path() / "list";
  Child child(options);
  constexpr int milliseconds_max = 10'000;
  for (int waited = 0; child.is_running() && waited < milliseconds_max; ++waited) {
    usleep(1000);
  }
  std::ifstream list(options.output);
  for (std::string line; std::getline(list, line);) {
    constexpr std::string_view arrow = " => ";
    const std::size_t at = line.find(arrow);
    const std::size_t begin = line.find_first_not_of("\t ");
    if (at == std::string::npos || line.find("ld-linux") != std::string::npos) {
      continue;
    }
    if (!line.substr(at + arrow.size()).starts_with(tree.string() + "/")) {
      throw LiveError(fmt::format(
          "{} has no {}, which {} needs, so that it would run with what is installed here: it must be a tree "
          "of a release with all its libraries (.ci/other_releases.sh makes some).",
          shown(tree), shown(line.substr(begin, at - begin)), program.filename().string()));
    }
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : " and no ") + name;
  }
  return text;
}

}  // namespace

ServerProgram::ServerProgram(std::string name)
    : command_{std::move(name)}, name_(fs::path(command_.front()).filename().string()) {
  require(!name_.empty(), "a program has a name");
}

ServerProgram::ServerProgram(const fs::path& place, const std::vector<std::string>& names)
    : place_(place.string()) {
  std::error_code problem;
  const fs::path absolute = fs::absolute(place, problem);
  fs::path program = absolute;
  if (fs::is_directory(absolute, problem)) {
    require(!names.empty(), "a tree is searched for a program");
    const std::optional<fs::path> found = find_in(absolute, names);
    if (!found) {
      throw LiveError(fmt::format("the tree {} has no {} in its usr/bin.", shown(place), listed(names)));
    }
    program = *found;
    if (wants_a_loader(program)) {
      // The loader takes both for the end of a folder, and has no way to quote them.
      if (absolute.string().find_first_of(":;") != std::string::npos) {
        throw LiveError(fmt::format(
            "{} has a colon or a semicolon in its name, which its loader cannot do with.", shown(place)));
      }
      command_ = loader_words(absolute);
      require_own_libraries(absolute, command_, program);
    }
  } else if (!fs::exists(absolute, problem)) {
    throw LiveError(fmt::format("there is no program {}.", shown(place)));
  } else if (!is_program(absolute)) {
    throw LiveError(fmt::format("{} is no program that may be run.", shown(place)));
  }
  name_ = program.filename().string();
  command_.push_back(program.string());
  require(fs::path(command_.front()).is_absolute(),
          "a program that was named is found wherever it is started");
}

ServerProgram program_for(const ServerPrograms& programs, std::string_view store,
                          const std::string& installed_name) {
  const auto found = programs.find(store);
  return found == programs.end() ? ServerProgram(installed_name) : found->second;
}

}  // namespace holdfast::live
