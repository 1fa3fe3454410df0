#include "harness/check/linear/general.h"

#include <fmt/format.h>

#include <utility>

namespace holdfast::linear {
namespace {

std::string reason_of(const SearchResult& search, const Limits& limits) {
  const std::string limit =
      search.end == SearchEnd::stopped
          ? std::string("the time limit was reached")
          : fmt::format("the memory limit of {} MiB was reached", limits.memory_bytes >> 20);
  return fmt::format("{} after {} configurations, with {} of {} returns explained", limit,
                     search.configurations, search.passed, search.required);
}

}  // namespace

std::string_view to_text(Answer answer) {
  switch (answer) {
    case Answer::linearizable:
      return "linearizable";
    case Answer::violated:
      return "violated";
    case Answer::unknown:
      return "unknown";
  }
  return "?";
}

GeneralResult judge(SearchResult search, const Limits& limits) {
  GeneralResult result;
  result.blocked = search.blocked;
  result.configurations = search.configurations;
  result.memory_bytes = search.memory_bytes;
  if (search.end == SearchEnd::found) {
    result.answer = Answer::linearizable;
  } else if (search.end == SearchEnd::exhausted) {
    result.answer = Answer::violated;
  } else {
    result.reason = reason_of(search, limits);
  }
  result.order = std::move(search.order);
  return result;
}

GeneralResult check_general(const AnyModel& model, std::span<const Call> calls, const Limits& limits) {
  return with_model(model, [&](const auto& each) { return check_general(each, calls, limits); });
}

}  // namespace holdfast::linear
