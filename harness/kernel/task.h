// Task<T>: a lazy coroutine that is awaited once.
//
// Nothing runs before it is awaited (or spawned as a thread of a process). The awaiting frame owns the
// awaited one, so destroying a thread's outermost frame destroys the whole stack: that is a crash.
// Control moves by symmetric transfer, so a chain of a million awaits needs no native stack.
// An exception leaves through the event loop: in holdfast a throw is a bug in the harness, never an
// outcome of a run.
#pragma once

#include <coroutine>
#include <cstddef>
#include <optional>
#include <utility>

#include "harness/kernel/frame_pool.h"
#include "harness/kernel/require.h"

namespace holdfast {

namespace detail {

struct PromiseBase : frame_pool::Pooled {
  std::coroutine_handle<> continuation = std::noop_coroutine();
  std::coroutine_handle<> outermost;  // the frame that its thread began with

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      return self.promise().continuation;
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  // Not said to be [[noreturn]]: clang 19 would take a coroutine that can end only so for a suspended one,
  // and destroy what it owns a second time.
  void unhandled_exception() const { throw; }
};

template <typename T>
struct Promise : PromiseBase {
  std::optional<T> value;
  template <typename U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() {
    require(value.has_value(), "a task that ended has a result");
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  void return_void() const noexcept {}
  void take() const noexcept {}
};

}  // namespace detail

template <typename T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : detail::Promise<T> {
    Task get_return_object() {
      const auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
      this->outermost = handle;  // until somebody awaits it
      return Task(handle);
    }
  };

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { destroy(); }

  bool await_ready() const noexcept { return false; }
  template <typename Awaiting>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Awaiting> awaiting) noexcept {
    handle_.promise().continuation = awaiting;  // awaited once: the frame is gone after that
    handle_.promise().outermost = awaiting.promise().outermost;
    return handle_;
  }
  T await_resume() { return handle_.promise().take(); }

  // For the kernel, which starts a thread's outermost task itself.
  std::coroutine_handle<> handle() const noexcept { return handle_; }
  bool done() const noexcept { return !handle_ || handle_.done(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  void destroy() {
    if (handle_) {
      handle_.destroy();
      handle_ = nullptr;
    }
  }

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace holdfast
