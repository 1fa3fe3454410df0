#include "harness/history/read/edn_nemesis.h"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

bool starts_with_any(std::string_view action, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return action.starts_with(word); });
}

bool breaks(std::string_view action) {
  constexpr std::array<std::string_view, 4> words = {"start", "kill", "pause", "partition"};
  return starts_with_any(action, words);
}

}  // namespace

bool EdnNemesis::mends(std::string_view action) const {
  constexpr std::array<std::string_view, 6> words = {"stop", "heal", "resume", "recover", "reset", "fast"};
  return starts_with_any(action, words) || (killed_ && action == "start");
}

std::optional<FaultKind> EdnNemesis::on_line(std::string_view action) {
  const bool second = !open_.empty() && open_ == action;
  if (!second) {
    open_ = action;
    open_mends_ = mends(action);
    killed_ = action.starts_with("kill") || (killed_ && action != "start");
    return open_mends_ ? std::nullopt : std::optional(FaultKind::begin);
  }
  open_.clear();
  return open_mends_ || !breaks(action) ? std::optional(FaultKind::end) : std::nullopt;
}

}  // namespace holdfast
