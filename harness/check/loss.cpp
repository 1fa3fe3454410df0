#include "harness/check/loss.h"

#include <algorithm>

namespace holdfast {

std::string_view to_text(Loss loss) {
  switch (loss) {
    case Loss::none:
      return "none";
    case Loss::told_before_write:
      return "before write";
    case Loss::told_at_release:
      return "at release";
    case Loss::never_told:
      return "never";
  }
  return "none";
}

std::string_view to_sentence(Loss loss) {
  switch (loss) {
    case Loss::none:
      return "nobody lost the lock while holding it";
    case Loss::told_before_write:
      return "whoever lost the lock learned of it before it wrote again";
    case Loss::told_at_release:
      return "whoever lost the lock was told only when it released it";
    case Loss::never_told:
      return "whoever lost the lock was never told";
  }
  return "";
}

void LossWatch::take(const Hold& lost) {
  const bool is_known = std::ranges::any_of(open_, [&](const Lost& each) {
    return each.process == lost.process && each.thread == lost.thread && each.mode == lost.mode;
  });
  if (!is_known) {
    open_.push_back({lost.process, lost.thread, lost.mode, lost.session, lost.depth, false});
  }
}

void LossWatch::settle(std::vector<Lost>::iterator lost, Loss loss, std::size_t index) {
  open_.erase(lost);
  if (loss > worst_) {
    worst_ = loss;
    event_ = index;
  }
}

void LossWatch::on_event(const Event& event, std::size_t index) {
  if (event.type == EventType::died) {
    std::erase_if(open_, [&](const Lost& lost) {
      return lost.process == event.process && (event.thread == 0 || lost.thread == event.thread);
    });
    return;
  }
  const auto lost = std::ranges::find_if(open_, [&](const Lost& each) {
    return each.process == event.process && each.thread == event.thread &&
           (event.operation != Operation::release || each.mode == event.mode);
  });
  if (lost == open_.end()) {
    return;
  }
  if (event.type == EventType::lost_hold) {
    settle(lost, lost->has_written ? Loss::told_at_release : Loss::told_before_write, index);
  } else if (event.operation == Operation::write && event.type == EventType::invoke) {
    lost->has_written = true;
  } else if (event.operation == Operation::release && event.type == EventType::fail) {
    settle(lost, Loss::told_at_release, index);
  } else if (event.operation == Operation::release &&
             (event.type == EventType::ok || event.type == EventType::info)) {
    --lost->depth;
    if (lost->depth == 0) {
      settle(lost, Loss::never_told, index);
    }
  }
}

}  // namespace holdfast
