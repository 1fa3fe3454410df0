// The choice log of a run as a file: enough to run it again, anywhere.
//
// JSON Lines. The first line names the run (format, version, scenario with its whole content, lock, seed,
// placement, fingerprint); each further line is one choice: [stream, first, second, options, picked].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/simulation.h"

namespace holdfast {

struct LoggedChoice {
  std::string stream;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint64_t options = 0;
  std::uint64_t picked = 0;
};

struct ChoiceLog {
  std::string scenario_json;  // the scenario's content, as it was
  std::string scenario_name;
  std::string lock;
  std::uint64_t seed = 1;
  std::optional<Placement> placement;
  bool reorders = false;  // messages could overtake each other
  std::uint64_t fingerprint = 0;
  std::vector<LoggedChoice> choices;
};

// Those of the last run.
std::vector<LoggedChoice> logged_choices(const Choices& choices);

// Writes to a temporary file, then renames. Throws std::runtime_error with one sentence.
void write_choice_log(const std::string& path, const ChoiceLog& log);
// Throws std::runtime_error with one sentence that names file and line.
ChoiceLog read_choice_log(const std::string& path);

// Answers from a log. A question that the log does not answer (another stream, other options) is noted and
// answered with 0: divergence() then says where the run left the log.
class ReplayStrategy final : public Strategy {
 public:
  explicit ReplayStrategy(const ChoiceLog& log) : log_(log) {}
  void open(StreamId id, const StreamName& name) override;
  std::uint64_t pick(StreamId id, std::uint64_t options) override;
  // Empty if the run followed the log to its end.
  std::string divergence() const;

 private:
  const ChoiceLog& log_;
  std::size_t next_ = 0;
  std::vector<StreamName> names_;
  std::string divergence_;
};

}  // namespace holdfast
