// Rules about a file's text: its length, its opening, its blanks, and paths of somebody's machine.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

constexpr std::size_t lines_max = 500;

bool is_header(const SourceFile& file) {
  return file.path.ends_with(".h");
}

// A path starts where no other path or word is going on: not in "harness/tmp/x".
bool starts_path(std::string_view line, std::size_t slash) {
  if (slash == 0) {
    return true;
  }
  const char before = line[slash - 1];
  return std::isalnum(static_cast<unsigned char>(before)) == 0 &&
         std::string_view("_-./~}").find(before) == std::string_view::npos;
}

bool names_machine_path(std::string_view line) {
  // Kept without their slashes, so that this file passes its own rule.
  static constexpr std::array<std::string_view, 4> tops = {"work", "root", "tmp", "home"};
  return std::ranges::any_of(tops, [&](std::string_view top) {
    const std::string path = "/" + std::string(top) + "/";
    for (std::size_t at = line.find(path); at != std::string_view::npos; at = line.find(path, at + 1)) {
      if (starts_path(line, at)) {
        return true;
      }
    }
    return false;
  });
}

std::string stray_whitespace(std::string_view line) {
  if (line.find('\t') != std::string_view::npos) {
    return "a tab";
  }
  if (line.ends_with('\r')) {
    return "a carriage return";
  }
  return line.ends_with(' ') ? "a trailing blank" : "";
}

}  // namespace

Findings find_long_files(const SourceFile& file, const SourceFile&) {
  if (file.lines.size() <= lines_max) {
    return {};
  }
  return {{lines_max + 1, std::to_string(file.lines.size()) + " lines"}};
}

Findings find_missing_pragma_once(const SourceFile& file, const SourceFile&) {
  if (!is_header(file) || std::ranges::find(file.lines, "#pragma once") != file.lines.end()) {
    return {};
  }
  return {{1, "no #pragma once"}};
}

Findings find_missing_header_comment(const SourceFile& file, const SourceFile&) {
  const bool opens_with_comment = !file.lines.empty() && file.lines.front().starts_with("// ");
  if (!is_header(file) || opens_with_comment) {
    return {};
  }
  return {{1, "no opening comment"}};
}

Findings find_machine_paths(const SourceFile& file, const SourceFile&) {
  Findings findings;
  for (std::size_t index = 0; index < file.lines.size(); ++index) {
    if (names_machine_path(file.lines[index])) {
      findings.push_back({index + 1, "a path of one machine"});
    }
  }
  return findings;
}

Findings find_stray_whitespace(const SourceFile& file, const SourceFile&) {
  Findings findings;
  for (std::size_t index = 0; index < file.lines.size(); ++index) {
    if (const std::string what = stray_whitespace(file.lines[index]); !what.empty()) {
      findings.push_back({index + 1, what});
    }
  }
  if (!file.ends_with_newline) {
    findings.push_back({file.lines.size(), "no newline at the end"});
  }
  return findings;
}

}  // namespace holdfast::lint
