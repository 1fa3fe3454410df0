#include "harness/lint/tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace holdfast::lint {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw std::runtime_error("cannot read " + path.string());
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string header_path_of(std::string_view path) {
  for (const std::string_view ending : {"_test.cpp", ".cpp"}) {
    if (path.ends_with(ending)) {
      return std::string(path.substr(0, path.size() - ending.size())) + ".h";
    }
  }
  return "";
}

Findings check(const Rule& rule, const SourceFile& file, std::span<const SourceFile> files) {
  const auto header = std::ranges::find(files, header_path_of(file.path), &SourceFile::path);
  return rule.check(file, header == files.end() ? SourceFile{} : *header);
}

bool is_allowed(const Rule& rule, const SourceFile& file, std::span<const Allowance> allowances) {
  return std::ranges::any_of(allowances, [&](const Allowance& allowance) {
    return allowance.rule == rule.name && fits(file.path, allowance.files);
  });
}

std::string describe(const Allowance& allowance) {
  return "the allowance of " + std::string(allowance.rule) + " for " + std::string(allowance.files);
}

}  // namespace

std::vector<SourceFile> read_tree(const fs::path& top) {
  std::vector<SourceFile> files;
  for (const std::string_view folder : {"faults", "harness", "locks"}) {
    if (!fs::is_directory(top / folder)) {
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() == ".h" || path.extension() == ".cpp") {
        files.push_back(parse(path.lexically_relative(top).generic_string(), read_text(path)));
      }
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string> violations(const Rule& rule, std::span<const SourceFile> files,
                                    std::span<const Allowance> allowances) {
  std::vector<std::string> result;
  for (const SourceFile& file : files) {
    if (is_allowed(rule, file, allowances)) {
      continue;
    }
    for (const Finding& finding : check(rule, file, files)) {
      result.push_back(file.path + ":" + std::to_string(finding.line) + ": " + std::string(rule.name) + ": " +
                       finding.what + "; " + std::string(rule.reason));
    }
  }
  return result;
}

std::vector<std::string> idle_allowances(std::span<const SourceFile> files,
                                         std::span<const Allowance> allowances) {
  std::vector<std::string> result;
  for (const Allowance& allowance : allowances) {
    const auto rule = std::ranges::find(rules(), allowance.rule, &Rule::name);
    if (rule == rules().end()) {
      result.push_back(describe(allowance) + " names no rule");
      continue;
    }
    if (allowance.reason.empty()) {
      result.push_back(describe(allowance) + " gives no reason");
    }
    const auto covered = [&](const SourceFile& file) { return fits(file.path, allowance.files); };
    const auto in_need = [&](const SourceFile& file) {
      return covered(file) && !check(*rule, file, files).empty();
    };
    if (!is_door(allowance) && std::ranges::any_of(files, covered) && std::ranges::none_of(files, in_need)) {
      result.push_back(describe(allowance) + " is not needed: delete it");
    }
  }
  return result;
}

}  // namespace holdfast::lint
