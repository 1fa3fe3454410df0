#include "harness/machine/rest/held_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/interruption.h"
#include "harness/machine/rest/system_calls.h"
#include "harness/machine/rest/threads_look.h"
#include "harness/machine/rest/uncovered.h"
#include "harness/machine/rest/units.h"

namespace holdfast::rest {
namespace {

// Calls of the kind x32 have numbers of their own, from here on.
constexpr int first_of_x32 = 0x40000000;
bool is_wait(int call) {
  switch (call) {
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case call_epoll_pwait2:
    case call_futex_waitv:
    case SYS_sched_yield:
    case call_rseq:
      return true;
    default:
      return false;
  }
}

bool is_random(int call) {
  return call == SYS_getrandom || call == SYS_openat || call == SYS_open;
}

bool is_reading(int call) {
  return call == SYS_clock_gettime || call == SYS_gettimeofday || call == SYS_time || call == SYS_times ||
         call == SYS_sysinfo;
}

bool sends_signals(int call) {
  return std::ranges::find(calls_that_send_signals, call) != calls_that_send_signals.end();
}

// A futex call is a wait, but for those with priority inheritance.
bool is_futex_wait(const Call& call) {
  constexpr std::uint64_t command_mask = 0x7f;
  constexpr std::uint64_t wait = 0;
  constexpr std::uint64_t wait_bitset = 9;
  const std::uint64_t command = call.arguments[1] & command_mask;
  return call.number == SYS_futex && (command == wait || command == wait_bitset);
}

}  // namespace

bool HeldProcess::is_running() {
  const bool is_alive = child_.is_running();
  if (!is_alive) {
    waits_.clear();
  }
  return is_alive;
}

void HeldProcess::kill() {
  child_.kill();
  waits_.clear();
}

bool HeldProcess::take_calls() {
  constexpr int calls_max = 1000;
  bool any = false;
  for (int calls = 0; calls < calls_max; ++calls) {
    pollfd polled{listener_.get(), POLLIN, 0};
    if (::poll(&polled, 1, 0) <= 0 || (polled.revents & POLLIN) == 0) {
      return any;
    }
    seccomp_notif notification{};
    if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
      return any;  // the thread was killed meanwhile
    }
    any = true;
    Call call{
        .id = notification.id,
        .thread = static_cast<pid_t>(notification.pid),
        .number = notification.data.nr,
        .arguments = {},
        .is_native = notification.data.arch == AUDIT_ARCH_X86_64 && notification.data.nr < first_of_x32};
    std::ranges::copy(notification.data.args, call.arguments.begin());
    treat(call);
  }
  return any;
}

void HeldProcess::treat(const Call& call) {
  if (has_forked_ && !is_mine(call.thread)) {
    leave(call.id);  // of a process that it was allowed to start
    return;
  }
  if (!call.is_native) {
    treat_uncovered(call);
    return;
  }
  if (is_wait(call.number) || is_futex_wait(call)) {
    std::optional<HeldWait> wait = read_wait(call, by_way_of(call), clock_, options_.back_off_ns);
    if (wait) {
      hold_wait(std::move(*wait));
    } else {
      leave(call.id);
    }
  } else if (sends_signals(call.number)) {
    has_sent_signals_ = true;
    leave(call.id);
  } else if (is_reading(call.number)) {
    readings_by_call_ += call.number == SYS_sysinfo ? 0 : 1;  // which is seldom asked for the time
    answer(call.id, answer_reading(call, by_way_of(call), clock_, processor_ns()));
  } else if (is_random(call.number)) {
    treat_random(call);
  } else {
    treat_uncovered(call);
  }
}

void HeldProcess::hold_wait(HeldWait wait) {
  wait.order = rounds_;
  if (const auto turns = turns_.find(wait.call.thread);
      turns != turns_.end() && !wait.lets_all_first && !wait.goes_on) {
    turns->second.begin_anew();
  }
  if (wait.lets_all_first && turns_[wait.call.thread].is_late()) {
    wait.kind = wait.kind == WaitKind::turn ? WaitKind::sleep : wait.kind;
    wait.lets_all_first = false;
    if (!wait.deadline || std::exchange(wait.is_due, false)) {
      wait.deadline = {WaitClock::monotonic, clock_.mono_ns + turns_[wait.call.thread].next_late_ns()};
    }
  }
  waits_.insert_or_assign(wait.call.thread, std::move(wait));
}

void HeldProcess::treat_random(const Call& call) {
  constexpr std::uint64_t bytes_max = 65536;
  constexpr std::size_t longest_name = 16;
  require(random_.has_value(), "random numbers are held only if there is a seed for them");
  if (call.number == SYS_getrandom) {
    std::vector<unsigned char> bytes(std::min(call.arguments[1], bytes_max));
    random_->fill(bytes);
    const bool is_written =
        bytes.empty() || by_way_of(call).write(call.arguments[0], bytes.data(), bytes.size());
    answer(call.id,
           is_written ? Answer{.value = static_cast<std::int64_t>(bytes.size())} : Answer{.error = EFAULT});
    return;
  }
  const std::uint64_t path = call.arguments[call.number == SYS_open ? 0 : 1];
  if (SeededRandom::is_random_file(by_way_of(call).read_text(path, longest_name))) {
    const live::Descriptor file = random_->open();
    seccomp_notif_addfd added{};
    added.id = call.id;
    added.flags = SECCOMP_ADDFD_FLAG_SEND;
    added.srcfd = static_cast<std::uint32_t>(file.get());
    added.newfd_flags = O_CLOEXEC;
    if (file && ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &added) >= 0) {
      return;
    }
  }
  leave(call.id);
}

void HeldProcess::treat_uncovered(const Call& call) {
  const Uncovered uncovered = what_is_uncovered(call, by_way_of(call));
  if (uncovered.what.empty()) {
    leave(call.id);
    return;
  }
  const std::string sentence = fmt::format("{} (process {}) {}.", name(), process(), uncovered.what);
  if (uncovered.error != 0) {
    note(sentence);
    answer(call.id, {.error = uncovered.error});
  } else if (options_.refuses_uncovered) {
    throw live::LiveError(sentence);  // it stays stopped where it is, so that nothing came of it
  } else {
    note(sentence);
    has_forked_ = true;
    leave(call.id);
  }
}

void HeldProcess::note(const std::string& sentence) {
  if (std::ranges::find(notes_, sentence) == notes_.end()) {
    notes_.push_back(sentence);
  }
}

bool HeldProcess::is_mine(pid_t thread) const {
  return ::access(fmt::format("/proc/{}/task/{}", process(), thread).c_str(), F_OK) == 0;
}

bool HeldProcess::is_ending() const {
  return !waits_.empty() && rest::is_ending(process(), waits_.begin()->first);
}

bool HeldProcess::interrupt_one() {
  if (is_on_hold_ || (!expects_signals_ && !has_forked_)) {
    return false;
  }
  expects_signals_ = false;
  for (const auto& [thread, wait] : waits_) {
    const std::optional<ThreadSignals> signals = signals_of(process(), thread);
    if (!signals || signals->pending == 0) {
      continue;
    }
    expects_signals_ = true;  // be it that a mask holds it back for now
    const Interruption interruption = interruption_of(wait, *signals, by_way_of(wait.call));
    if (interruption == Interruption::none) {
      continue;
    }
    const std::uint64_t id = wait.call.id;
    if (interruption == Interruption::by_answer) {
      tell_time_left(wait);
      write_rest_of_sleep(wait, by_way_of(wait.call), wait.deadline ? due_in(wait) : 0);
    }
    waits_.erase(thread);
    ++rounds_;
    interruption == Interruption::by_answer ? answer(id, {.error = EINTR}) : leave(id);
    return true;
  }
  return false;
}

bool HeldProcess::release_one(bool also_polite) {
  if (is_on_hold_) {
    return false;
  }
  std::vector<HeldWait*> in_order;
  for (auto& [thread, wait] : waits_) {
    if (also_polite == wait.lets_all_first) {
      in_order.push_back(&wait);
    }
  }
  std::ranges::sort(in_order,
                    [](const HeldWait* one, const HeldWait* other) { return one->is_before(*other); });
  for (HeldWait* const wait : in_order) {
    if (const std::optional<Answer> found = wait->look(by_way_of(wait->call))) {
      tell_time_left(*wait);
      const std::uint64_t id = wait->call.id;
      const bool goes_on = wait->goes_on;
      waits_.erase(wait->call.thread);
      ++rounds_;
      if (goes_on) {
        leave(id);
      } else {
        answer(id, *found);
      }
      return true;
    }
  }
  return false;
}

std::int64_t HeldProcess::due_in(const HeldWait& wait) const {
  require(wait.deadline.has_value(), "a wait that is due has a deadline");
  const bool on_wall = wait.deadline->clock == WaitClock::wall;
  return std::max<std::int64_t>(0, wait.deadline->at_ns - (on_wall ? clock_.wall_ns : clock_.mono_ns));
}

void HeldProcess::tell_time_left(const HeldWait& wait) const {
  if (wait.deadline) {
    wait.write_time_left(by_way_of(wait.call), due_in(wait));
  }
}

const HeldWait* HeldProcess::first_wait() const {
  const HeldWait* first = nullptr;
  for (const auto& [thread, wait] : waits_) {
    if (is_on_hold_ || !wait.deadline || wait.kind == WaitKind::turn || wait.is_due) {
      continue;
    }
    const bool is_earlier = first == nullptr || due_in(wait) < due_in(*first) ||
                            (due_in(wait) == due_in(*first) && wait.is_before(*first));
    first = is_earlier ? &wait : first;
  }
  return first;
}

std::optional<std::int64_t> HeldProcess::first_deadline() const {
  const HeldWait* const first = first_wait();
  return first == nullptr ? std::nullopt : std::optional(due_in(*first));
}

void HeldProcess::expire_first() {
  const HeldWait* const first = first_wait();
  require(first != nullptr, "a wait that ends by its deadline has one");
  const Answer result = first->expire(by_way_of(first->call));
  tell_time_left(*first);
  const std::uint64_t id = first->call.id;
  waits_.erase(first->call.thread);
  ++rounds_;
  answer(id, result);
}

void HeldProcess::set_clock(const ClockReadings& clock) {
  clock_ = clock;
  page_.set(clock.wall_ns, clock.mono_ns);
  for (auto& [thread, turns] : turns_) {
    turns.begin_instant();
  }
}

Program HeldProcess::by_way_of(const Call& call) const {
  return program_.by_way_of(call.thread);
}

// A signal of our own, such as a timer's, may come between: then it is asked again.
void HeldProcess::respond(seccomp_notif_resp& response) const {
  while (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &response) != 0 && errno == EINTR) {
  }
}

std::uint64_t HeldProcess::readings() {
  readings_of_page_ = program_.read<std::uint64_t>(count_at_).value_or(readings_of_page_);
  return readings_of_page_ + readings_by_call_;
}

std::int64_t HeldProcess::processor_ns() const {
  clockid_t clock = 0;
  timespec used{};
  if (::clock_getcpuclockid(process(), &clock) != 0 || ::clock_gettime(clock, &used) != 0) {
    return 0;
  }
  return used.tv_sec * second_ns + used.tv_nsec;
}

void HeldProcess::answer(std::uint64_t id, const Answer& answer) const {
  seccomp_notif_resp response{};
  response.id = id;
  response.val = answer.value;
  response.error = -answer.error;
  respond(response);
}

void HeldProcess::leave(std::uint64_t id) const {
  seccomp_notif_resp response{};
  response.id = id;
  response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  respond(response);
}

}  // namespace holdfast::rest
