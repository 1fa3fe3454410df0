// The stream of effects of one server: what goes to its replicas and to its append-only file.
//
// Effects, not commands: a relative expiry is already absolute, a script is what it wrote, an expired
// key is a DEL. Effects come in units (one command, one script, one transaction), and a unit is
// applied whole or not at all, as MULTI/EXEC makes it in a real stream. Offsets count the bytes that
// the effects take in the wire format. The log is complete from the server's empty start, so a full
// resynchronisation is a replay from its beginning; a run is short enough to afford that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/stores/redis/command.h"

namespace holdfast::redis {

class ReplicationLog {
 public:
  explicit ReplicationLog(bool kept) : kept_(kept) {}

  // A log that is not kept costs nothing, stays empty and never leaves offset 0.
  bool kept() const { return kept_; }

  void append(const Command& effect);
  // Ends the unit to which the effects since the last end belong; nothing when there were none.
  void end_unit();

  std::int64_t offset() const { return offset_; }
  std::size_t unit_count() const { return units_.size(); }
  std::span<const Command> unit(std::size_t index) const;
  std::int64_t unit_end_offset(std::size_t index) const { return units_[index].end_offset; }

  // Asks replicas how far they have come (REPLCONF GETACK): a part of the stream that changes nothing.
  void ask();
  // Of the last such question that lies before `offset`: the offset up to which it is about; nothing: there
  // is none.
  std::optional<std::int64_t> asked_before(std::int64_t offset) const;
  // Where the stream may be cut at or before `offset`, having been carried out as far as `applied_offset`.
  std::int64_t end_of_questions(std::int64_t applied_offset, std::int64_t offset) const;

  // Forgets all units from `unit_count` on. The offset does not go back: what a replica already
  // acknowledged must never count for a write that comes later.
  void truncate(std::size_t unit_count);
  // The same, and counts anew: what is kept is what a synchronisation from here begins with, at offset 0.
  void begin_anew_with(std::size_t unit_count);
  // Forgets everything and goes on at `offset`.
  void restart_at(std::int64_t offset);
  void skip_to(std::int64_t offset) { offset_ = offset; }

 private:
  struct Unit {
    std::size_t effects_end = 0;
    std::int64_t end_offset = 0;
  };

  std::size_t effects_begin(std::size_t unit) const { return unit == 0 ? 0 : units_[unit - 1].effects_end; }

  bool kept_;
  std::int64_t offset_ = 0;
  std::vector<Command> effects_;
  std::vector<Unit> units_;
  std::vector<std::int64_t> questions_;  // where they begin
};

}  // namespace holdfast::redis
