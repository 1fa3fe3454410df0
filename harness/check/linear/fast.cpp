#include "harness/check/linear/fast.h"

#include <fmt/format.h>

#include <type_traits>

#include "harness/check/linear/count_check.h"
#include "harness/check/linear/hold_check.h"
#include "harness/check/linear/latch_check.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {

void FastCheck::observe(const CallEvent& event, Position position) {
  if (decided()) {
    return;
  }
  require(event.type != CallEventType::asked, "a fast check sees calls, and no questions");
  require(position >= last_position_, "events come in order");
  last_position_ = position;
  while (event.client >= calls_.size()) {
    calls_.emplace_back();
    on_new_client();
  }
  LastCall& call = calls_[event.client];
  switch (event.type) {
    case CallEventType::invoke:
      if (call.is_open && !call.ended) {
        reject(event, position, "a client calls while its call before is still open");
        return;
      }
      call = {true, false, event.action, event.mode, position, event.line, event.time};
      on_invoke(event, position);
      return;
    case CallEventType::ended:
      call.ended = call.is_open;
      on_ended(event, position);
      return;
    default:
      if (!call.is_open || call.action != event.action) {
        reject(event, position, "a return without such a call");
        return;
      }
      call.is_open = false;
      if (call.ended) {
        refer_to_search(event, position);
        return;
      }
      on_return(event, position);
  }
}

void FastCheck::fail(FastCause cause, const CallEvent& event, Position position) {
  if (decided()) {
    return;
  }
  verdict_.answer = made_a_choice_ ? FastAnswer::search : FastAnswer::violated;
  verdict_.cause = made_a_choice_ ? FastCause::none : cause;
  verdict_.client = event.client;
  verdict_.line = event.line;
  verdict_.position = position;
  verdict_.time = event.time;
}

void FastCheck::refer_to_search(const CallEvent& event, Position position) {
  if (decided()) {
    return;
  }
  made_a_choice_ = true;
  fail(FastCause::none, event, position);
}

void FastCheck::reject(const CallEvent& event, Position position, std::string_view what) {
  if (decided()) {
    return;
  }
  const std::string place =
      event.line != 0 ? fmt::format("line {}", event.line) : fmt::format("event {}", position);
  verdict_.problem = fmt::format("{}: {}", place, what);
}

std::unique_ptr<FastCheck> make_fast_check(const AnyModel& model, Reading reading) {
  return with_model(model, [&](const auto& each) -> std::unique_ptr<FastCheck> {
    using Model = std::decay_t<decltype(each)>;
    if constexpr (std::is_same_v<Model, OwnerMutex>) {
      return std::make_unique<HoldCheck>(HoldRules{}, reading);
    } else if constexpr (std::is_same_v<Model, ReentrantMutex>) {
      return std::make_unique<HoldCheck>(HoldRules{.reentrant = true}, reading);
    } else if constexpr (std::is_same_v<Model, FencedMutex>) {
      return std::make_unique<HoldCheck>(HoldRules{.fenced = true}, reading);
    } else if constexpr (std::is_same_v<Model, ReentrantFencedMutex>) {
      return std::make_unique<HoldCheck>(HoldRules{.reentrant = true, .fenced = true}, reading);
    } else if constexpr (std::is_same_v<Model, FifoMutex>) {
      return std::make_unique<HoldCheck>(HoldRules{.ordered = true}, reading);
    } else if constexpr (std::is_same_v<Model, ReadWriteLock>) {
      return std::make_unique<HoldCheck>(HoldRules{.shared = true}, reading);
    } else if constexpr (std::is_same_v<Model, Mutex>) {
      return std::make_unique<CountCheck>(1, reading);
    } else if constexpr (std::is_same_v<Model, Semaphore>) {
      return std::make_unique<CountCheck>(each.permits, reading);
    } else if constexpr (std::is_same_v<Model, Latch>) {
      return std::make_unique<LatchCheck>(each.count);
    } else {
      return nullptr;
    }
  });
}

}  // namespace holdfast::linear
