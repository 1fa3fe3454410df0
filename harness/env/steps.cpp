#include "harness/env/steps.h"

namespace holdfast {

std::string_view to_text(Phase phase) {
  switch (phase) {
    case Phase::point:
      return "point";
    case Phase::sending:
      return "sending";
    case Phase::arrived:
      return "arrived";
    case Phase::applied:
      return "applied";
    case Phase::replied:
      return "replied";
  }
  return "unknown";
}

void Steps::reset(std::size_t process_count) {
  ordinals_.assign(process_count, 0);
  observers_.clear();
}

void Steps::take(Step&& step) {
  require(index_of(step.client) < ordinals_.size() && index_of(step.server) < ordinals_.size(),
          "whoever takes a step is a process of this run");
  require((step.phase == Phase::point) == (step.call == nullptr),
          "a step is one of a call, or stands at a point");
  step.client_ordinal = ++ordinals_[index_of(step.client)];
  if (step.phase == Phase::arrived || step.phase == Phase::applied) {
    step.server_ordinal = ++ordinals_[index_of(step.server)];
  }
  for (StepObserver* observer : observers_) {
    observer->on_step(step);
  }
}

}  // namespace holdfast
