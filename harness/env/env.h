// Env: all that a lock may know of the world it runs in.
//
// Who I am, my two clocks, sleep, random numbers, and threads that die with my process. A lock that
// takes anything from elsewhere (a system clock, a global, a thread) would behave differently from
// world to world; the source lint forbids it. One Env belongs to one thread of one process and lives as
// long as that process's incarnation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/env/env_twist.h"
#include "harness/env/steps.h"
#include "harness/kernel/kernel.h"
#include "harness/kernel/wait.h"

namespace holdfast {

class Env {
 public:
  Env(Kernel& kernel, Steps& steps, ProcessId process, std::uint32_t thread)
      : kernel_(&kernel), steps_(&steps), process_(process), thread_(thread) {}

  // "c1": stands for what a real process would use, a host name or a UUID made at start. It differs
  // between processes and between incarnations of one ("c1#2" after its first restart).
  std::string process_name() const;
  // Counts from 1 within the process.
  std::uint32_t thread() const { return twist_ == nullptr ? thread_ : twist_->thread(thread_); }
  // "c1:1": process and thread.
  std::string thread_name() const;
  // A new value every time, never made before by anyone: what UUID.randomUUID() is for.
  std::string unique_id();

  // What my clocks say. Wall: since the Unix epoch; may jump. Monotonic: never goes back.
  Duration wall() const {
    return twist_ == nullptr ? kernel_->look_at_wall(process_)
                             : twist_->read_clock(*kernel_, process_, ClockKind::wall);
  }
  // The wall clock of whoever measures with it how long something takes.
  Duration wall_stopwatch() const {
    return twist_ == nullptr ? kernel_->measure_by_wall(process_)
                             : twist_->read_clock(*kernel_, process_, ClockKind::wall);
  }
  std::int64_t wall_ms() const { return to_milliseconds(wall()); }
  Duration monotonic() const {
    return twist_ == nullptr ? kernel_->read_clock(process_, ClockKind::monotonic)
                             : twist_->read_clock(*kernel_, process_, ClockKind::monotonic);
  }

  // Until my monotonic clock has advanced by `duration`.
  Sleep sleep(Duration duration) const {
    return {*kernel_, process_, ClockKind::monotonic,
            kernel_->read_clock(process_, ClockKind::monotonic) + duration};
  }
  // 0 … options-1, all equally likely.
  std::uint64_t random(std::uint64_t options);

  // Runs beside the caller, in the same process, until it ends or the process dies. The run does not
  // wait for it. Whatever `task` refers to must live as long as the process.
  void spawn(Task<> task) const { kernel_->spawn(process_, std::move(task), true); }

  // A semaphore among the threads of this process.
  Semaphore make_semaphore(std::int64_t permits) const { return {*kernel_, process_, permits}; }

  // Stands at a named point: the place for a fault between two steps of a workload. A pause or crash
  // that strikes here takes effect before the next instruction.
  class [[nodiscard]] AtPoint {
   public:
    AtPoint(Env& env, std::string_view name) : env_(env), name_(name) {}
    AtPoint(const AtPoint&) = delete;
    AtPoint& operator=(const AtPoint&) = delete;
    ~AtPoint() { env_.kernel_->cancel(ticket_); }
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    bool await_suspend(std::coroutine_handle<Promise> handle) {
      return stand(handle, handle.promise().outermost);
    }
    void await_resume() const noexcept {}

   private:
    // Whether it stays here, for now or for ever.
    bool stand(std::coroutine_handle<> handle, std::coroutine_handle<> outermost);

    Env& env_;
    std::string_view name_;
    Ticket ticket_;
  };
  AtPoint point(std::string_view name) { return {*this, name}; }
  // I came to an interesting state; changes nothing.
  void mark(Mark mark) const { kernel_->mark(mark); }

  // For the store clients and the runner, not for locks.
  Kernel& kernel() const { return *kernel_; }
  Steps& steps() const { return *steps_; }
  ProcessId process() const { return process_; }
  // From now on who asks here is told what `twist` makes of it, which outlives this.
  void twist(EnvTwist& twist) { twist_ = &twist; }

 private:
  std::string own_name() const;  // whatever the twist says

  Kernel* kernel_;
  Steps* steps_;
  ProcessId process_;
  std::uint32_t thread_;
  std::uint32_t ids_made_ = 0;
  std::optional<StreamId> random_stream_;
  EnvTwist* twist_ = nullptr;  // of nearly every Env: none
};

}  // namespace holdfast
