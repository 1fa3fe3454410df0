// A program that was started under a filter (wait_filter.h), on a clock page of its own, and its held waits.
//
// It begins as in any other launch; but before its first instruction its vDSO is redirected to the page, its
// random numbers are seeded, and the filter is installed in its name. It ends with its object, or with us
// (Guard). Failures are LiveErrors of one sentence, which names the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/clock/clock_page.h"
#include "harness/machine/process/child.h"
#include "harness/machine/rest/held_wait.h"
#include "harness/machine/rest/program.h"
#include "harness/machine/rest/read_wait.h"
#include "harness/machine/rest/seeded_random.h"
#include "harness/machine/rest/turns.h"

struct seccomp_notif_resp;

namespace holdfast {
class TracedProgram;
}

namespace holdfast::rest {

struct HeldProcessOptions {
  std::string name;            // for messages
  live::ChildOptions program;  // the program itself, no wrapper that becomes it later
  std::filesystem::path page;  // where its clock page goes
  ClockReadings clock;         // what it reads at first
  // Whether the threads shall go one at a time: then every wait is held, not only those with a timeout.
  bool one_at_a_time = true;
  // What getrandom(), /dev/urandom and the loader give; none: real random numbers.
  std::optional<std::uint64_t> seed;
  std::int64_t back_off_ns = 100'000;  // a shorter sleep is a turn (read_wait.h)
  // Whether what is not covered (uncovered.h) is an error; otherwise it is noted, and happens in real time.
  bool refuses_uncovered = true;
};

class HeldProcess {
 public:
  explicit HeldProcess(const HeldProcessOptions& options);
  HeldProcess(const HeldProcess&) = delete;
  HeldProcess& operator=(const HeldProcess&) = delete;

  const std::string& name() const { return options_.name; }
  pid_t process() const { return program_.process(); }
  bool is_running();
  // "exit code 0", once it has ended.
  const std::string& ending() const { return child_.ending(); }
  void kill();

  // The descriptor by which the kernel reports calls; readable when one waits.
  int listener() const { return listener_.get(); }
  // Takes the calls that wait, if any; not all of one who never stops asking. Throws LiveError for what is
  // not covered.
  bool take_calls();

  bool holds(pid_t thread) const { return waits_.contains(thread); }
  // At rest only: whether it is not at rest, but about to be gone, for a thread of it has ended all of them.
  bool is_ending() const;
  // Whether it has sent signals since this was asked last, be it to itself or to others.
  bool has_sent_signals() { return std::exchange(has_sent_signals_, false); }
  // Signals may have come: whoever is to be woken by one is looked for at every rest, until none is pending.
  void expect_signals() { expects_signals_ = true; }
  // At rest only: ends the first wait that a signal ends.
  bool interrupt_one();
  // Lets go the first that has what it waits for; those that let all others go first only if `also_polite`.
  bool release_one(bool also_polite);
  // When the first deadline is up, in nanoseconds from now, never negative; none: there is none.
  std::optional<std::int64_t> first_deadline() const;
  // Ends that wait, and no other.
  void expire_first();

  void set_clock(const ClockReadings& clock);
  // A pause: nothing of it is let go meanwhile.
  void hold(bool is_on_hold) { is_on_hold_ = is_on_hold; }

  // How often it has read its clocks, from the page or by a call.
  std::uint64_t readings();
  std::int64_t processor_ns() const;
  // What it did that is not covered, and does without or was allowed to: one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  live::ChildOptions prepared(const live::ChildOptions& program);
  void begin(pid_t process);
  void install_filter(TracedProgram& program);
  void seed_loader(TracedProgram& program);
  void treat(const Call& call);
  void treat_random(const Call& call);
  void treat_uncovered(const Call& call);
  void hold_wait(HeldWait wait);
  const HeldWait* first_wait() const;
  std::int64_t due_in(const HeldWait& wait) const;
  void tell_time_left(const HeldWait& wait) const;
  Program by_way_of(const Call& call) const;
  void respond(seccomp_notif_resp& response) const;
  void answer(std::uint64_t id, const Answer& answer) const;
  void leave(std::uint64_t id) const;
  void note(const std::string& sentence);
  bool is_mine(pid_t thread) const;

  HeldProcessOptions options_;
  ClockPage page_;
  ClockReadings clock_;
  std::optional<SeededRandom> random_;
  // What begin() sets, when the child has become its program.
  Program program_;
  live::Descriptor listener_;
  std::uint64_t count_at_ = 0;
  live::Child child_;

  std::map<pid_t, HeldWait> waits_;
  std::map<pid_t, Turns> turns_;
  std::vector<std::string> notes_;
  std::uint64_t readings_by_call_ = 0;
  std::uint64_t readings_of_page_ = 0;  // as last seen
  std::uint64_t rounds_ = 0;            // how often something was let go
  bool is_on_hold_ = false;
  bool has_sent_signals_ = false;
  bool expects_signals_ = false;
  bool has_forked_ = false;
};

}  // namespace holdfast::rest
