// Rules about who includes whom: see layers.h.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "harness/lint/layers.h"
#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

bool is_test(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with("_test.cpp") || name.starts_with("test_");
}

std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.rfind('/'));
}

bool is_within(std::string_view path, std::string_view place) {
  return path == place || (path.starts_with(place) && path.substr(place.size()).starts_with('/'));
}

// The file that a line includes by its path below the top. None: it includes none, or one of no folder of
// ours.
std::optional<std::string_view> included(std::string_view line) {
  constexpr std::string_view start = "#include \"";
  if (!line.starts_with(start)) {
    return std::nullopt;
  }
  line.remove_prefix(start.size());
  const std::string_view path = line.substr(0, line.find('"'));
  const bool is_ours =
      path.starts_with("harness/") || path.starts_with("locks/") || path.starts_with("faults/");
  return is_ours ? std::optional(path) : std::nullopt;
}

bool is_excepted(const Layer& from, const Layer& to) {
  return std::ranges::any_of(layer_exceptions(), [&](const Exception& exception) {
    return exception.from == from.place && exception.to == to.place;
  });
}

// None: everybody may know it.
std::optional<std::string_view> closed_place_of(std::string_view path) {
  for (const Closed& closed : closed_places()) {
    if (is_within(path, closed.place)) {
      return closed.place;
    }
  }
  return std::nullopt;
}

bool may_know(std::string_view from, std::string_view closed) {
  return is_within(from, closed) || std::ranges::any_of(closed_places(), [&](const Closed& each) {
           return each.place == closed && is_within(from, each.user);
         });
}

template <typename IsWrong>
Findings find_includes(const SourceFile& file, const IsWrong& is_wrong) {
  Findings findings;
  if (is_test(file.path)) {
    return findings;
  }
  for (std::size_t index = 0; index < file.lines.size(); ++index) {
    if (const auto path = included(file.lines[index]); path && is_wrong(*path)) {
      findings.push_back({index + 1, std::string(*path)});
    }
  }
  return findings;
}

}  // namespace

Findings find_upward_includes(const SourceFile& file, const SourceFile&) {
  const Layer* const from = layer_of(file.path);
  if (from == nullptr) {
    return {{1, std::string(folder_of(file.path)) + " has no line in harness/lint/layers.cpp"}};
  }
  return find_includes(file, [&](std::string_view path) {
    const Layer* const to = layer_of(path);
    return to == nullptr || (to > from && !is_excepted(*from, *to));
  });
}

Findings find_closed_includes(const SourceFile& file, const SourceFile&) {
  const Layer* const from = layer_of(file.path);
  return find_includes(file, [&](std::string_view path) {
    const Layer* const to = layer_of(path);
    const auto closed = closed_place_of(path);
    return closed && !may_know(file.path, *closed) &&
           !(from != nullptr && to != nullptr && is_excepted(*from, *to));
  });
}

}  // namespace holdfast::lint
