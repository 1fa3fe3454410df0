#include "harness/check/linear/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "harness/text/suggest.h"

namespace holdfast::linear {
namespace {

constexpr std::array<ModelInfo, std::variant_size_v<AnyModel>> all_models = {{
    {Mutex::id, "held or free; anyone may release it"},
    {OwnerMutex::id, "a mutex that only its holder releases"},
    {ReentrantMutex::id, "its holder may acquire it again, and releases it as often"},
    {FencedMutex::id, "an owner mutex; every token is greater than all granted before"},
    {ReentrantFencedMutex::id, "a re-entrant mutex with tokens; re-entry answers the same token, or none"},
    {FifoMutex::id, "an owner mutex that is granted in the order in which it was asked for"},
    {ReadWriteLock::id, "one exclusive holder, or any number of shared ones"},
    {Semaphore::id, "so many permits (semaphore:3); anyone may give one back", Parameter::required},
    {Latch::id, "waiters go once it has been counted down (latch:3; plain latch is latch:1)",
     Parameter::optional},
    {Register::id, "read and write; nil at first"},
    {CasRegister::id, "read, write and compare-and-set; nil at first"},
    {Counter::id, "add and read; 0 at first"},
    {FencedRegister::id, "storage that refuses smaller tokens than it has seen; nil at first"},
}};

template <std::size_t... Index>
constexpr bool registry_fits(std::index_sequence<Index...>) {
  return ((all_models[Index].id == std::variant_alternative_t<Index, AnyModel>::id) && ...);
}
static_assert(registry_fits(std::make_index_sequence<all_models.size()>()));

template <std::size_t... Index>
AnyModel model_at(std::size_t wanted, std::index_sequence<Index...>) {
  AnyModel model;
  ((Index == wanted ? void(model.emplace<Index>()) : void()), ...);
  return model;
}

std::optional<std::uint32_t> positive_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number > 0 ? std::optional(number) : std::nullopt;
}

std::string unknown_model(std::string_view id) {
  std::vector<std::string> ids;
  ids.reserve(all_models.size());
  for (const ModelInfo& info : all_models) {
    ids.emplace_back(info.id);
  }
  const std::string hint = did_you_mean_text(id, ids);
  return fmt::format("there is no model \"{}\"{}", id,
                     hint.empty() ? "; known are " + enumeration(ids, "and") : hint);
}

}  // namespace

std::span<const ModelInfo> models() {
  return all_models;
}

std::variant<AnyModel, std::string> parse_model(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view id = text.substr(0, colon);
  const auto info = std::ranges::find(all_models, id, &ModelInfo::id);
  if (info == all_models.end()) {
    return unknown_model(id);
  }
  AnyModel model = model_at(static_cast<std::size_t>(info - all_models.begin()),
                            std::make_index_sequence<all_models.size()>());
  if (colon == std::string_view::npos) {
    if (info->parameter == Parameter::required) {
      return fmt::format("the model \"{0}\" needs a number, as in \"{0}:3\"", id);
    }
    return model;
  }
  if (info->parameter == Parameter::none) {
    return fmt::format("the model \"{}\" takes no number, but \"{}\" gives one", id, text);
  }
  const std::optional<std::uint32_t> number = positive_number(text.substr(colon + 1));
  if (!number) {
    return fmt::format(
        "the number of the model \"{0}\" must be a whole number from 1, as in \"{0}:3\", not \"{1}\"", id,
        text.substr(colon + 1));
  }
  if (auto* semaphore = std::get_if<Semaphore>(&model)) {
    semaphore->permits = *number;
  } else if (auto* latch = std::get_if<Latch>(&model)) {
    latch->count = *number;
  }
  return model;
}

bool set_initial_value(AnyModel& model, std::int64_t value) {
  return std::visit(
      [&](auto& each) {
        if constexpr (requires { each.initial_value; }) {
          each.initial_value = value;
          return true;
        } else {
          return false;
        }
      },
      model);
}

std::string to_text(const AnyModel& model) {
  const std::string_view id = all_models[model.index()].id;
  if (const auto* semaphore = std::get_if<Semaphore>(&model)) {
    return fmt::format("{}:{}", id, semaphore->permits);
  }
  if (const auto* latch = std::get_if<Latch>(&model)) {
    return fmt::format("{}:{}", id, latch->count);
  }
  return std::string(id);
}

bool knows(const AnyModel& model, Action action) {
  return with_model(model, [&](const auto& each) { return each.knows(action); });
}

}  // namespace holdfast::linear
