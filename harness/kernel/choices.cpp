#include "harness/kernel/choices.h"

#include <fmt/format.h>

namespace holdfast {

std::string to_text(const StreamName& stream) {
  return fmt::format("{}({},{})", stream.name, stream.first, stream.second);
}

void Choices::reset(Strategy& strategy) {
  strategy_ = &strategy;
  names_.clear();
  log_.clear();
}

StreamId Choices::open(const StreamName& name) {
  require(strategy_ != nullptr, "somebody answers before anything is asked");
  const auto id = static_cast<StreamId>(names_.size());
  append(names_, name);
  strategy_->open(id, name);
  return id;
}

}  // namespace holdfast
