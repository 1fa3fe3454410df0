// A correct lock, one of whose scripts is changed on its way to the server.
//
// The lock itself is the one of the catalog and knows nothing of it: it is given connections that replace a
// piece of text in whatever it sends with EVAL. So a mutant differs from the correct lock in exactly that
// text. If the correct script is edited and the text no longer occurs in it, the mutant is correct, and the
// test that every mutant is found says so.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "locks/lock.h"
#include "locks/redis/client.h"

namespace holdfast::mutants {

struct Rewrite {
  std::string_view from;
  std::string_view to;
};

class RewritingClient final : public redis::Client {
 public:
  RewritingClient(redis::Client& inner, const Rewrite& change) : inner_(inner), change_(change) {}

  Task<redis::Answer> execute(redis::Command command) override {
    return inner_.execute(rewritten(std::move(command)));
  }
  Task<redis::Answer> execute_within(redis::Command command, Duration timeout) override {
    return inner_.execute_within(rewritten(std::move(command)), timeout);
  }
  Task<redis::Answer> subscribe(std::string channel, redis::Mailbox& mailbox) override {
    return inner_.subscribe(std::move(channel), mailbox);
  }
  Task<redis::Answer> unsubscribe(std::string channel, redis::Mailbox& mailbox) override {
    return inner_.unsubscribe(std::move(channel), mailbox);
  }
  Task<std::int64_t> replicas() override { return inner_.replicas(); }
  void forget(const redis::Mailbox& mailbox) noexcept override { inner_.forget(mailbox); }

 private:
  redis::Command rewritten(redis::Command command) const;

  redis::Client& inner_;
  const Rewrite& change_;
};

// The callers of a process with connections that rewrite, one a thread, kept as long as the lock is.
class RewritingCallers {
 public:
  explicit RewritingCallers(const Rewrite& change) : change_(change) {}
  Caller& of(Caller& me);

 private:
  struct Seat {
    StoreClients stores;
    std::unique_ptr<Caller> caller;
  };
  const Rewrite& change_;
  std::map<std::uint32_t, Seat> seats_;  // by thread
};

class RewrittenLock final : public Lock {
 public:
  RewrittenLock(std::unique_ptr<Lock> correct, const Rewrite& change)
      : Lock(correct->settings()), callers_(change), correct_(std::move(correct)) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    return correct_->acquire(callers_.of(me), request);
  }
  Task<Released> release(Caller& me, LockMode mode) override {
    return correct_->release(callers_.of(me), mode);
  }

 private:
  RewritingCallers callers_;
  std::unique_ptr<Lock> correct_;
};

class RewrittenLatch final : public Latch {
 public:
  RewrittenLatch(std::unique_ptr<Latch> correct, const Rewrite& change)
      : callers_(change), correct_(std::move(correct)) {}

  Task<Released> set_count(Caller& me, std::int64_t count) override {
    return correct_->set_count(callers_.of(me), count);
  }
  Task<Released> count_down(Caller& me) override { return correct_->count_down(callers_.of(me)); }
  Task<Acquired> await_zero(Caller& me, std::optional<Duration> patience) override {
    return correct_->await_zero(callers_.of(me), patience);
  }

 private:
  RewritingCallers callers_;
  std::unique_ptr<Latch> correct_;
};

// For a catalog, which makes locks by functions without a state: `change` is a constant.
template <std::unique_ptr<Lock> (*make_correct)(LockSettings), const Rewrite& change>
std::unique_ptr<Lock> make_rewritten(LockSettings settings) {
  return std::make_unique<RewrittenLock>(make_correct(std::move(settings)), change);
}

}  // namespace holdfast::mutants
