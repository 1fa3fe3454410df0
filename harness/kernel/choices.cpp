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
  names_.push_back(name);
  strategy_->open(id, name);
  return id;
}

std::uint64_t Choices::choose(StreamId id, std::uint64_t options) {
  if (options <= 1) {
    return 0;  // no choice: nothing to log, nothing to replay
  }
  require(static_cast<std::size_t>(id) < names_.size(), "only a stream that was opened is asked");
  const std::uint64_t picked = strategy_->pick(id, options);
  require(picked < options, "a strategy picks one of the options it was given");
  log_.push_back({id, options, picked});
  return picked;
}

}  // namespace holdfast
