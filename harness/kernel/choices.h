// The one door for everything a run does not compute: choose(stream, n).
//
// Each place that decides has a stream of its own, known by name and up to two numbers ("latency" of
// link 1→3), so that one more draw in one place shifts nothing elsewhere. What a stream answers is up
// to a Strategy (random by seed, replay of a log; later: exhaustive, PCT, …). Every answer is logged:
// the log *is* the run, and feeding it back replays it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/append.h"
#include "harness/kernel/require.h"

namespace holdfast {

// Names a stream. `name` must outlive the run (a literal).
struct StreamName {
  std::string_view name;
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  friend bool operator==(const StreamName&, const StreamName&) = default;
};
// latency(1,3)
std::string to_text(const StreamName& stream);

enum class StreamId : std::uint32_t {};

struct Choice {
  StreamId stream{};
  std::uint64_t options = 0;  // how many there were
  std::uint64_t picked = 0;   // 0 … options-1
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;
  // A stream was opened; ids count up from zero within a run.
  virtual void open(StreamId id, const StreamName& name) = 0;
  // An answer below `options`.
  virtual std::uint64_t pick(StreamId id, std::uint64_t options) = 0;
  // It would answer 0 throughout this run to every stream of this name and first number, so that whoever asks
  // often need not ask at all.
  virtual bool always_zero(const StreamName&) const { return false; }
};

class Choices {
 public:
  // Starts a new run. `strategy` must outlive it.
  void reset(Strategy& strategy);

  StreamId open(const StreamName& name);
  // In the header: a run that is explored asks at every step, once for each fault that may strike there.
  std::uint64_t choose(StreamId id, std::uint64_t options) {
    if (options <= 1) {
      return 0;  // no choice: nothing to log, nothing to replay
    }
    require(static_cast<std::size_t>(id) < names_.size(), "only a stream that was opened is asked");
    const std::uint64_t picked = strategy_->pick(id, options);
    require(picked < options, "a strategy picks one of the options it was given");
    append(log_, {id, options, picked});
    return picked;
  }

  bool always_zero(const StreamName& name) const { return strategy_->always_zero(name); }

  const std::vector<Choice>& log() const { return log_; }
  const StreamName& name(StreamId id) const {
    require(static_cast<std::size_t>(id) < names_.size(), "only a stream that was opened has a name");
    return names_[static_cast<std::size_t>(id)];
  }

 private:
  Strategy* strategy_ = nullptr;
  std::vector<StreamName> names_;
  std::vector<Choice> log_;
};

}  // namespace holdfast
