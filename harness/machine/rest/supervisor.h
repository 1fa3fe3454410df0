// Real programs on virtual time, of which is known when they are at rest.
//
// Rest: every thread is held at a wait, or asleep in the kernel by two looks with equal counts of slices; no
// call waits to be taken; and no held wait has what it waits for. Then nothing will happen until one of two
// things does: time moves (expire_next, advance_to, jump_to), or a message comes (deliver). Each of these
// does one thing, and returns at the next rest. All programs of a supervisor rest together, on one clock.
//
//   Supervisor supervisor({.seed = 7});
//   const std::size_t server = supervisor.start({.name = "etcd", .program = {...}});
//   supervisor.come_up([&] { return can_connect(); }, 60 * second_ns);
//   supervisor.deliver(socket, request);                   // answered by now, or it blocks
//   supervisor.advance_to(supervisor.now_ns() + 30 * second_ns);
//
// Time is in nanoseconds from the supervisor's start. Used by one thread, always the same: the kernel wants
// that of whoever traces. What goes wrong (a program that never rests, or does what is not covered) is a
// LiveError of one sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/process/child.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/machine/rest/held_process.h"

namespace holdfast::rest {

struct SupervisorOptions {
  // One thread is let go at a time, and only when all others rest: the order of threads is then the same
  // every time. Otherwise all that can go do, which is faster; rest is as certain, order is not.
  bool one_at_a_time = true;
  std::optional<std::uint64_t> seed = 1;  // of the programs' random numbers; none: real ones
  ClockReadings start = {.wall_ns = 1'767'225'600'000'000'000, .mono_ns = 1'000'000'000'000};
  std::int64_t back_off_ns = 100'000;  // see HeldProcessOptions
  bool refuses_uncovered = true;       // likewise
  std::int64_t rest_limit_ms =
      20'000;  // in real time: a program that has not come to rest by then is an error
  // A thread that computes waits for one that is held (V8, HotSpot and InnoDB spin), or for the clock to
  // change (libuuid): after so much of the processor's time without a call one more is let go, or the clock
  // creeps.
  std::int64_t patience_ms = 200;
  std::int64_t patience_after_start_ms = 5;
};

struct ProgramOptions {
  std::string name;  // for messages
  live::ChildOptions program;
};

struct SupervisorFigures {
  std::uint64_t rests = 0;
  std::uint64_t releases = 0;
  std::uint64_t expiries = 0;
  // Not zero: something depended on real time, so that another run may differ.
  std::uint64_t impatient = 0;  // threads let go while another one computed
  std::uint64_t creeps = 0;     // microseconds by which the clock crept for one who waited for that
};

class Supervisor {
 public:
  // Throws LiveError where programs cannot be held (why_no_rest.h).
  explicit Supervisor(const SupervisorOptions& options = {});
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Starts a program; it runs until the next settle() only as far as its first waits. Returns its number.
  std::size_t start(const ProgramOptions& options);
  // Until all are at rest.
  void settle();

  std::int64_t now_ns() const { return now_ns_; }
  std::optional<std::int64_t> next_deadline() const;
  // Moves time to the next deadline, ends the one wait that has it, and settles. False: there is none.
  bool expire_next();
  // One deadline after the other, to a time that is not past; stops early at a rest where `until` holds, and
  // says so.
  bool advance_to(std::int64_t to_ns, const std::function<bool()>& until = {});
  // Time moves at once, as after a pause of all; then whatever is overdue ends, in order.
  void jump_to(std::int64_t to_ns);
  // From start to `is_up` at some rest: deadline by deadline, at most `limit_ns` of virtual time. From then
  // on the clock never creeps. The programs' clocks must have been read by then: one that was not is a
  // LiveError.
  void come_up(const std::function<bool()>& is_up, std::int64_t limit_ns);

  // Writes a message to a socket of ours, whose other end is a program's, sees it arrive, and settles.
  void deliver(int socket, std::string_view message);

  // While a program is on hold nothing of it is let go, and its deadlines wait.
  void hold(std::size_t number) { process(number).hold(true); }
  void let_go(std::size_t number);
  // A step of a program's wall clock, on top of earlier ones.
  void step_wall_clock(std::size_t number, std::int64_t by_ns);
  void kill(std::size_t number);
  bool is_running(std::size_t number) { return process(number).is_running(); }
  HeldProcess& process(std::size_t number);
  std::size_t size() const { return processes_.size(); }

  const SupervisorFigures& figures() const { return figures_; }
  // Why this program's clock is not to be trusted; empty: it has read its page.
  std::string why_clock_is_doubted(std::size_t number);

 private:
  class Patience;

  void see_arrive(int socket);
  void move_to(std::int64_t to_ns);
  void show_time(std::size_t number);
  bool take_calls(std::int64_t wait_us);
  bool are_all_asleep();
  bool is_anybody_ending();
  bool interrupt_one();
  bool release_one();
  HeldProcess* first_due() const;
  std::string who_runs();

  SupervisorOptions options_;
  live::TemporaryDirectory directory_;
  std::vector<std::unique_ptr<HeldProcess>> processes_;
  std::vector<std::int64_t> wall_steps_ns_;
  std::int64_t now_ns_ = 0;
  int expiries_of_instant_ = 0;
  bool has_come_up_ = false;
  SupervisorFigures figures_;
};

}  // namespace holdfast::rest
