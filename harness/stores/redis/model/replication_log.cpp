#include "harness/stores/redis/model/replication_log.h"

#include "harness/kernel/require.h"

namespace holdfast::redis {
namespace {

std::int64_t header_bytes(std::size_t count) {
  std::int64_t bytes = 4;  // '*' or '$', one digit, \r\n
  for (; count >= 10; count /= 10) ++bytes;
  return bytes;
}

std::int64_t wire_bytes(const Command& effect) {
  std::int64_t bytes = header_bytes(effect.size());
  for (const std::string& word : effect) {
    bytes += header_bytes(word.size()) + static_cast<std::int64_t>(word.size()) + 2;
  }
  return bytes;
}

const std::int64_t question_bytes = wire_bytes({"REPLCONF", "GETACK", "*"});

}  // namespace

void ReplicationLog::append(const Command& effect) {
  if (!kept_) return;
  effects_.push_back(effect);
  offset_ += wire_bytes(effect);
}

void ReplicationLog::end_unit() {
  if (effects_.size() > effects_begin(units_.size())) units_.push_back({effects_.size(), offset_});
}

std::span<const Command> ReplicationLog::unit(std::size_t index) const {
  require(index < units_.size(), "only a unit that was written can be read");
  const std::size_t begin = effects_begin(index);
  return {effects_.data() + begin, units_[index].effects_end - begin};
}

void ReplicationLog::ask() {
  if (!kept_) return;
  questions_.push_back(offset_);
  offset_ += question_bytes;
}

std::optional<std::int64_t> ReplicationLog::asked_before(std::int64_t offset) const {
  for (std::size_t index = questions_.size(); index > 0; --index) {
    if (questions_[index - 1] + question_bytes <= offset) return questions_[index - 1];
  }
  return std::nullopt;
}

std::int64_t ReplicationLog::end_of_questions(std::int64_t applied_offset, std::int64_t offset) const {
  const std::optional<std::int64_t> asked = asked_before(offset);
  return asked && *asked >= applied_offset ? *asked + question_bytes : applied_offset;
}

void ReplicationLog::truncate(std::size_t unit_count) {
  require(unit_count <= units_.size(), "no more is kept of a log than was written");
  effects_.resize(effects_begin(unit_count));
  units_.resize(unit_count);
}

void ReplicationLog::begin_anew_with(std::size_t unit_count) {
  truncate(unit_count);
  for (Unit& unit : units_) unit.end_offset = 0;
  questions_.clear();
  offset_ = 0;
}

void ReplicationLog::restart_at(std::int64_t offset) {
  effects_.clear();
  units_.clear();
  questions_.clear();
  offset_ = offset;
}

}  // namespace holdfast::redis
