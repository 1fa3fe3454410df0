#include "harness/explore/step_list.h"

#include <algorithm>

#include "faults/injector.h"
#include "harness/kernel/fingerprint.h"

namespace holdfast {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

}  // namespace

void StepList::reset() {
  places_.clear();
  asked_.clear();
  beyond_ = 0;
}

StepList::Asked& StepList::asked(const Step& step) {
  const std::uint64_t name = hash_text(step.name) ^ mix(index_of(step.server) + 1);
  const auto found = std::ranges::find_if(asked_, [&](const Asked& each) {
    return each.process == step.client && each.thread == step.thread && each.name == name &&
           each.phase == step.phase;
  });
  if (found != asked_.end()) {
    return *found;
  }
  asked_.push_back({step.client, step.thread, name, step.phase, 0, nowhere, nowhere});
  return asked_.back();
}

void StepList::forget(ProcessId process, std::uint32_t thread) {
  std::erase_if(asked_, [&](const Asked& each) {
    const bool is_its = each.process == process && each.thread == thread;
    for (const std::size_t last : {each.last, each.last_server}) {
      if (is_its && last != nowhere) {
        places_[last].repeats = false;
      }
    }
    return is_its;
  });
}

void StepList::add(const StepPlace& place) {
  if (place.ordinal <= most_steps_of_a_process) {
    places_.push_back(place);
  } else {
    ++beyond_;
  }
}

void StepList::on_step(const Step& step) {
  if (step.phase == Phase::point) {
    forget(step.client, step.thread);
    add({step.client, step.client_ordinal, step.phase, false, false});
    return;
  }
  Asked& here = asked(step);
  const bool repeats = ++here.times > 2;
  const auto remember = [&](std::size_t& last, std::size_t before) {
    last = places_.size() > before ? before : last;
  };
  std::size_t before = places_.size();
  add({step.client, step.client_ordinal, step.phase, false, repeats});
  remember(here.last, before);
  if (step.server_ordinal != 0) {
    before = places_.size();
    add({step.server, step.server_ordinal, step.phase, true, repeats});
    remember(here.last_server, before);
  }
}

void StepList::finish() {
  while (!asked_.empty()) {
    const Asked& one = asked_.back();
    forget(one.process, one.thread);
  }
}

}  // namespace holdfast
