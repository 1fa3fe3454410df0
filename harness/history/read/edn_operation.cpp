#include "harness/history/read/edn_operation.h"

#include <algorithm>
#include <string>

namespace holdfast {
namespace {

struct Name {
  std::string_view name;
  EdnOperation operation;
};

constexpr EdnOperation acquire{Action::acquire, Mode::exclusive};
constexpr EdnOperation acquire_shared{Action::acquire, Mode::shared};
constexpr EdnOperation attempt{Action::try_acquire, Mode::exclusive};
constexpr EdnOperation attempt_shared{Action::try_acquire, Mode::shared};
constexpr EdnOperation release{Action::release, Mode::exclusive};
constexpr EdnOperation release_shared{Action::release, Mode::shared};
constexpr EdnOperation read{Action::read, Mode::exclusive};
constexpr EdnOperation write{Action::write, Mode::exclusive};
constexpr EdnOperation compare_and_set{Action::compare_and_set, Mode::exclusive};
constexpr EdnOperation add{Action::add, Mode::exclusive};
constexpr EdnOperation count_down{Action::count_down, Mode::exclusive};
constexpr EdnOperation await{Action::await_zero, Mode::exclusive};

constexpr Name names[] = {
    {"acquire", acquire},
    {"lock", acquire},
    {"acquirelock", acquire},
    {"acquireexclusive", acquire},
    {"acquirewrite", acquire},
    {"acquirewritelock", acquire},
    {"lockexclusive", acquire},
    {"lockwrite", acquire},
    {"exclusivelock", acquire},
    {"writelock", acquire},
    {"acquireshared", acquire_shared},
    {"acquireread", acquire_shared},
    {"acquirereadlock", acquire_shared},
    {"lockshared", acquire_shared},
    {"lockread", acquire_shared},
    {"sharedlock", acquire_shared},
    {"readlock", acquire_shared},
    {"tryacquire", attempt},
    {"trylock", attempt},
    {"tryacquirelock", attempt},
    {"tryacquireexclusive", attempt},
    {"tryacquirewrite", attempt},
    {"trylockexclusive", attempt},
    {"trylockwrite", attempt},
    {"trywritelock", attempt},
    {"tryacquireshared", attempt_shared},
    {"tryacquireread", attempt_shared},
    {"trylockshared", attempt_shared},
    {"trylockread", attempt_shared},
    {"tryreadlock", attempt_shared},
    {"release", release},
    {"unlock", release},
    {"releaselock", release},
    {"releaseexclusive", release},
    {"releasewrite", release},
    {"releasewritelock", release},
    {"unlockexclusive", release},
    {"unlockwrite", release},
    {"writeunlock", release},
    {"releaseshared", release_shared},
    {"releaseread", release_shared},
    {"releasereadlock", release_shared},
    {"unlockshared", release_shared},
    {"unlockread", release_shared},
    {"readunlock", release_shared},
    {"read", read},
    {"r", read},
    {"write", write},
    {"w", write},
    {"cas", compare_and_set},
    {"compareandset", compare_and_set},
    {"add", add},
    {"inc", add},
    {"increment", add},
    {"countdown", count_down},
    {"await", await},
};

std::string folded(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    if (letter != '-' && letter != '_') {
      result += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
  }
  return result;
}

}  // namespace

std::optional<EdnOperation> edn_operation(std::string_view name) {
  const std::string wanted = folded(name);
  const auto* const found = std::ranges::find(names, wanted, &Name::name);
  return found == std::end(names) ? std::nullopt : std::optional(found->operation);
}

}  // namespace holdfast
