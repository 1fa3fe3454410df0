// Steps: the instants of a run at which a fault can be placed.
//
// A client takes a step when it reaches a named point of its work ("acquired", "work") and at each
// stage of a call to a server. Steps are numbered per client and, for the stages a server sees, per
// server; the same scenario, lock and seed give the same numbers, so "every step" can be enumerated
// and any one of them named again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/kernel.h"

namespace holdfast {

enum class Phase : std::uint8_t {
  point,    // the client stands at a named point of its work
  sending,  // the client is about to send a request
  arrived,  // the server has the request and is about to execute it
  applied,  // the server executed it and is about to send the reply
  replied,  // the reply reached the client, which has not yet looked at it
};
std::string_view to_text(Phase phase);

// The words of a call, made only when somebody wants to read them.
class CallText {
 public:
  CallText() = default;
  CallText(const CallText&) = delete;
  CallText& operator=(const CallText&) = delete;
  virtual std::string request_text() const = 0;
  virtual std::string reply_text() const = 0;

 protected:
  ~CallText() = default;
};

struct Step {
  ProcessId client{};
  std::uint32_t thread = 0;
  Phase phase = Phase::point;
  std::string_view name;                    // the point's name, or the command's first word
  ProcessId server = world_process;         // of a call
  const CallText* call = nullptr;           // of a call
  ConnectionId connection = no_connection;  // that the call travels on, if its store has several
  std::uint32_t client_ordinal = 0;         // counts this client's steps from 1
  std::uint32_t server_ordinal = 0;         // counts `arrived` and `applied` on this server from 1, else 0
};

// Sees every step as it is taken; may pause, crash or cut whoever it likes.
class StepObserver {
 public:
  StepObserver() = default;
  StepObserver(const StepObserver&) = delete;
  StepObserver& operator=(const StepObserver&) = delete;
  virtual ~StepObserver() = default;
  virtual void on_step(const Step& step) = 0;
};

class Steps {
 public:
  void reset(std::size_t process_count);
  void observe(StepObserver& observer) { observers_.push_back(&observer); }
  void take(Step&& step);

 private:
  std::vector<std::uint32_t> ordinals_;
  std::vector<StepObserver*> observers_;
};

}  // namespace holdfast
