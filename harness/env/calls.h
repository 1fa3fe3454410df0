// Calls: request and reply between a client thread and a server process, over the kernel's network.
//
// Shared by every store in `sim` and `warp`: a store says what a request and a reply are and who serves
// them; latency, loss, timeouts, pauses, crashes and the steps at which faults strike are the same for
// all. A request once sent lives on by itself: it is executed even if its client has given up or died. What
// breaks its connection, or loses it, while it is about to be executed or answered, loses it there.
//
//   Request, Response   movable value types, with
//       std::string_view call_name(const Request&)      the first word, for steps
//       std::string to_text(const Request&), to_text(const Response&)
//       std::uint64_t digest(const Request&), digest(const Response&)   a quick hash, for the fingerprint
//       a member `connection` in Request, if its connections can break one at a time
//
// Call objects are recycled (their strings keep their memory); a Calls is reused from run to run.
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/env/call_error.h"
#include "harness/env/env.h"
#include "harness/env/steps.h"
#include "harness/kernel/append.h"
#include "harness/kernel/network.h"

namespace holdfast {

template <typename Request, typename Response>
class Calls final : public ResetListener {
 public:
  class Call;

  // The server's side: executes a request that reached its process, then (at once or later) answers with
  // Calls::respond.
  class Service {
   public:
    Service() = default;
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    virtual ~Service() = default;
    virtual void serve(Call& call) = 0;
    // Its client is about to send it, and may have been paused or lost a connection since it decided to.
    virtual void on_leaving(Call&) {}
  };

  class Call final : public Message, public CallText {
   public:
    explicit Call(Calls& owner) : owner_(owner) {}

    Request request{};
    Response response{};
    ProcessId client{};
    ProcessId server{};
    std::uint32_t thread = 0;
    std::uint32_t client_incarnation = 0;

    // Somebody still waits for the answer.
    bool awaited() const { return listed_; }

    void arrive() override { responding_ ? owner_.reply_arrived(*this) : owner_.request_arrived(*this); }
    void bounce() override {
      if (!responding_) {
        owner_.fail_later(*this, CallError::refused);
      }
    }
    ConnectionId connection() const override {
      if constexpr (requires { request.connection; }) {
        return request.connection;
      } else {
        return no_connection;
      }
    }
    std::string request_text() const override { return to_text(request); }
    std::string reply_text() const override { return to_text(response); }

   private:
    friend class Calls;
    void recycle() override { append(owner_.free_, this); }

    Calls& owner_;
    Service* service_ = nullptr;
    std::coroutine_handle<> waiting_;
    std::coroutine_handle<> outermost_;  // of the thread that waits: a watchdog's bears another one's number
    Ticket ticket_;
    Duration timeout_{0};
    CallError error_ = CallError::timeout;
    Call* outer_in_hand_ = nullptr;  // while this one is in hand
    bool responding_ = false;
    bool done_ = false;
    bool listed_ = false;
    bool is_torn_ = false;  // its connection broke as it was in hand: nothing more comes over it
  };

  struct Result {
    CallError error = CallError::none;
    Response response{};
  };

  // co_await calls.call(...) sends the request and waits for the reply.
  class [[nodiscard]] Awaiter {
   public:
    explicit Awaiter(Call& call) : call_(call) { call_.retain(); }
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;
    ~Awaiter() {
      call_.owner_.abandon(call_);
      call_.release();
    }
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> handle) {
      call_.waiting_ = handle;
      call_.outermost_ = handle.promise().outermost;
      call_.owner_.launch(call_);
    }
    Result await_resume() {
      if (!call_.done_) {
        return {CallError::timeout, {}};
      }
      if (call_.error_ != CallError::none) {  // what stands there nobody heard, or it is an earlier call's
        return {call_.error_, {}};
      }
      return {CallError::none, std::move(call_.response)};
    }

   private:
    Call& call_;
  };

  Calls(Kernel& kernel, Network& network, Steps& steps) : kernel_(kernel), network_(network), steps_(steps) {}

  // Starts a new run; the network must have been reset and every frame of the run before destroyed.
  void reset() {
    pending_.clear();
    in_hand_ = nullptr;
    // A call whose process died while it was deferred still counts references that nobody will drop.
    free_.clear();
    for (const std::unique_ptr<Call>& call : all_) {
      call->forget_references();
      call->listed_ = false;
      free_.push_back(call.get());
    }
    network_.listen(*this);
  }

  Awaiter call(const Env& from, ProcessId server, Service& service, Duration timeout, Request request) {
    Call& call = take();
    call.request = std::move(request);
    call.client = from.process();
    call.thread = from.thread();
    call.client_incarnation = kernel_.process(call.client).incarnation;
    call.server = server;
    call.service_ = &service;
    call.timeout_ = timeout;
    return Awaiter(call);
  }

  // The server answers. Called once for a call, by its service or later.
  void respond(Call& call, Response&& response) {
    require(call.is_kept(), "what is answered is still known to somebody");
    require(!call.responding_, "a call is answered once");
    call.response = std::move(response);
    kernel_.fingerprint().add(digest(call.request));
    kernel_.fingerprint().add(digest(call.response));
    const std::uint32_t incarnation = kernel_.process(call.server).incarnation;
    take_step_in_hand(call, Phase::applied);
    if (!lives(call.server, incarnation)) {
      return;  // died with the answer in hand; its clients learn of it by the reset
    }
    call.responding_ = true;
    if (kernel_.runs(call.server)) {
      network_.send(call.server, call.client, call);
    } else {
      defer(call, call.server, [](void* context, std::uint64_t server_incarnation) {
        Call& deferred = *static_cast<Call*>(context);
        if (deferred.owner_.lives(deferred.server, server_incarnation)) {
          deferred.owner_.network_.send(deferred.server, deferred.client, deferred);
        }
        deferred.release();
      });
    }
  }

  // There will be no answer: the caller learns why. For a service that asks a server elsewhere.
  void fail(Call& call, CallError error) { fail_later(call, error); }

  // How many calls were ever open at once: what a long series of runs must not let grow.
  std::size_t pool_size() const { return all_.size(); }

  void on_reset(ProcessId one, ProcessId other) override {
    fail_between(one, other, [](const Call&) { return true; });
  }
  void on_reset_of(ConnectionId connection, ProcessId one, ProcessId other) override {
    fail_between(one, other, [&](const Call& call) { return call.connection() == connection; });
  }

 private:
  template <typename Struck>
  void fail_between(ProcessId one, ProcessId other, const Struck& is_struck) {
    const auto is_hit = [&](const Call& call) {
      const bool between =
          (call.client == one && call.server == other) || (call.client == other && call.server == one);
      return between && is_struck(call);
    };
    for (Call* call : pending_) {
      if (is_hit(*call)) {
        fail_later(*call, CallError::reset);
      }
    }
    for (Call* call = in_hand_; call != nullptr; call = call->outer_in_hand_) {
      call->is_torn_ |= is_hit(*call);
    }
  }

  Call& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Call>(*this));
      free_.push_back(all_.back().get());
    }
    Call& call = *free_.back();
    free_.pop_back();
    require(!call.is_kept() && !call.listed_, "a call that is handed out is nobody else's");
    call.responding_ = false;
    call.done_ = false;
    call.is_torn_ = false;
    call.error_ = CallError::none;
    call.ticket_ = {};
    call.waiting_ = nullptr;
    return call;
  }

  void take_step(const Call& call, Phase phase) {
    steps_.take({.client = call.client,
                 .thread = call.thread,
                 .phase = phase,
                 .name = call_name(call.request),
                 .server = call.server,
                 .call = &call,
                 .connection = call.connection()});
  }

  // The server has the request, or the answer to it, in its hand: what breaks the connection now tears it
  // away. What is told to others meanwhile may be in hand, too.
  void take_step_in_hand(Call& call, Phase phase) {
    call.outer_in_hand_ = std::exchange(in_hand_, &call);
    take_step(call, phase);
    in_hand_ = std::exchange(call.outer_in_hand_, nullptr);
  }

  // Does the rest when the process runs again; the call stays alive until then. The callback is given the
  // incarnation it was meant for: a server must ask whether it still lives, a client's call was abandoned.
  void defer(Call& call, ProcessId process, Kernel::Callback callback) {
    call.retain();
    kernel_.call_at(process, kernel_.now(), callback, &call, kernel_.process(process).incarnation);
  }

  bool lives(ProcessId process, std::uint64_t incarnation) const {
    return kernel_.process(process).alive && kernel_.process(process).incarnation == incarnation;
  }

  void launch(Call& call) {
    const std::uint32_t incarnation = kernel_.process(call.client).incarnation;
    take_step(call, Phase::sending);
    if (kernel_.process(call.client).incarnation != incarnation || kernel_.was_killed(call.outermost_)) {
      return;  // died before sending
    }
    if (kernel_.runs(call.client)) {
      transmit(call);
    } else {
      defer(call, call.client, [](void* context, std::uint64_t) {
        Call& deferred = *static_cast<Call*>(context);
        if (deferred.waiting_) {  // else its client died in the pause
          deferred.owner_.transmit(deferred);
        }
        deferred.release();
      });
    }
  }

  void transmit(Call& call) {
    const Duration now = kernel_.read_clock(call.client, ClockKind::monotonic);
    call.ticket_ = kernel_.resume_at(call.client, ClockKind::monotonic, now + call.timeout_, call.waiting_);
    require(!call.listed_ && !call.responding_, "a request is sent once");
    call.service_->on_leaving(call);
    call.listed_ = true;
    append(pending_, &call);
    network_.send(call.client, call.server, call);
  }

  void request_arrived(Call& call) {
    const std::uint32_t incarnation = kernel_.process(call.server).incarnation;
    const std::uint32_t still_to_lose = network_.still_to_lose(call.client, call.server);
    take_step_in_hand(call, Phase::arrived);
    if (!lives(call.server, incarnation)) {
      return;  // died before executing it
    }
    if (network_.still_to_lose(call.client, call.server) > still_to_lose) {
      network_.lost_on_arrival(call.client, call.server);
      return;
    }
    if (call.is_torn_) {
      return;
    }
    require(call.service_ != nullptr && !call.responding_,
            "what reaches a server is a request, and somebody serves it");
    if (kernel_.runs(call.server)) {
      call.service_->serve(call);
    } else {
      defer(call, call.server, [](void* context, std::uint64_t server_incarnation) {
        Call& deferred = *static_cast<Call*>(context);
        if (deferred.owner_.lives(deferred.server, server_incarnation)) {
          deferred.service_->serve(deferred);
        }
        deferred.release();
      });
    }
  }

  void reply_arrived(Call& call) {
    if (!call.listed_ || call.is_torn_) {
      return;  // given up already, or about to learn that its connection broke
    }
    take_step(call, Phase::replied);
    if (!kernel_.was_killed(call.outermost_)) {  // else it died before it looked at the reply
      finish_when_running(call, CallError::none);
    }
  }

  void finish_when_running(Call& call, CallError error) {
    if (call.done_) {
      return;
    }
    require(call.listed_, "an outcome is told to somebody who waits for it");
    call.error_ = error;
    if (kernel_.runs(call.client)) {
      call.done_ = true;
      kernel_.fire(call.ticket_);
    } else {
      defer(call, call.client, [](void* context, std::uint64_t) {
        Call& deferred = *static_cast<Call*>(context);
        if (deferred.listed_) {
          deferred.done_ = true;
          deferred.owner_.kernel_.fire(deferred.ticket_);
        }
        deferred.release();
      });
    }
  }

  // The bad news travels as fast as a message would.
  void fail_later(Call& call, CallError error) {
    call.error_ = error;
    call.retain();
    kernel_.call_at(
        call.client, kernel_.now() + reset_notice,
        [](void* context, std::uint64_t) {
          Call& failed = *static_cast<Call*>(context);
          if (failed.listed_ && !failed.done_) {
            failed.owner_.finish_when_running(failed, failed.error_);
          }
          failed.release();
        },
        &call, 0);
  }

  // The waiting frame is done with the call, one way or another.
  void abandon(Call& call) {
    kernel_.cancel(call.ticket_);
    call.waiting_ = nullptr;
    if (call.listed_) {
      call.listed_ = false;
      require(std::erase(pending_, &call) == 1, "whoever waits is on the list of those who wait, once");
    }
  }

  static constexpr Duration reset_notice = 200us;

  Kernel& kernel_;
  Network& network_;
  Steps& steps_;
  std::vector<std::unique_ptr<Call>> all_;
  std::vector<Call*> free_;
  std::vector<Call*> pending_;  // sent and awaited, in order
  Call* in_hand_ = nullptr;     // with those that were in hand before it, while a step of theirs is taken
};

}  // namespace holdfast
