// The decorators that a mutation puts around a lock, and around the Env it sees.
#include <optional>
#include <string>
#include <utility>

#include "harness/mutate/mutation.h"
#include "harness/mutate/seats.h"
#include "locks/lock.h"

namespace holdfast {
namespace {

class WrongEnv final : public EnvTwist {
 public:
  WrongEnv(GeneralWrong wrong, const MutationSeat& seat) : wrong_(wrong), seat_(seat) {}

  Duration read_clock(Kernel& kernel, ProcessId process, ClockKind asked) override {
    ClockKind read = asked;
    if (wrong_ == GeneralWrong::wall_for_monotonic) {
      read = ClockKind::wall;
    } else if (wrong_ == GeneralWrong::monotonic_for_wall) {
      read = ClockKind::monotonic;
    } else if (wrong_ == GeneralWrong::clock_before_call) {
      if (const std::optional<Duration> before = seat_.reading_before_call(asked)) {
        return *before;
      }
    }
    return read == ClockKind::wall ? kernel.look_at_wall(process) : kernel.read_clock(process, read);
  }

  std::uint32_t thread(std::uint32_t mine) override {
    return wrong_ == GeneralWrong::thread_left_out ? 1 : mine;
  }

  std::string process_name(std::string mine) override {
    if (wrong_ == GeneralWrong::process_left_out) {
      return "client";
    }
    return wrong_ == GeneralWrong::restart_unnoticed ? mine.substr(0, mine.find('#')) : mine;
  }

  std::string unique_id(std::string fresh) override {
    if (wrong_ == GeneralWrong::same_id_for_all) {
      return "id";
    }
    if (wrong_ != GeneralWrong::old_id) {
      return fresh;
    }
    if (old_id_.empty()) {
      old_id_ = std::move(fresh);
    }
    return old_id_;
  }

 private:
  GeneralWrong wrong_;
  const MutationSeat& seat_;
  std::string old_id_;
};

class SeatsOfMutation final : public SeatMaker {
 public:
  explicit SeatsOfMutation(const Mutation& mutation) : mutation_(mutation) {}

  std::unique_ptr<StoreClient> client(StoreClient& honest, std::size_t server, std::size_t servers,
                                      MutationSeat& seat) const override {
    const StoreChange* const change = mutation_.change();
    if (change != nullptr) {
      return change->applied_to(honest, server, servers, seat);
    }
    return nullptr;
  }
  std::unique_ptr<EnvTwist> twist(MutationSeat& seat) const override {
    return std::make_unique<WrongEnv>(mutation_.wrong(), seat);
  }

 private:
  const Mutation& mutation_;
};

class MutatedLock final : public Lock {
 public:
  MutatedLock(std::unique_ptr<Lock> honest, const Mutation& mutation)
      : Lock(honest->settings()),
        wrong_(mutation.wrong()),
        maker_(mutation),
        seats_(maker_, honest->settings().ttl),
        honest_(std::move(honest)) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::acquire);
    if (wrong_ == GeneralWrong::patience_ignored) {
      request.patience.reset();
    }
    if (wrong_ == GeneralWrong::shared_for_exclusive) {
      request.mode = LockMode::shared;
    }
    Acquired acquired = co_await honest_->acquire(seat.caller(), request);
    co_return misread(std::move(acquired));
  }

  Task<Released> release(Caller& me, LockMode mode) override {
    if (wrong_ == GeneralWrong::release_left_out) {
      co_return Released::done();
    }
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::release);
    const LockMode asked = wrong_ == GeneralWrong::shared_for_exclusive ? LockMode::shared : mode;
    Caller& caller = wrong_ == GeneralWrong::release_by_neighbour ? seat.neighbour() : seat.caller();
    Released released = co_await honest_->release(caller, asked);
    if (wrong_ == GeneralWrong::release_twice) {
      co_await honest_->release(caller, asked);
    }
    co_return released;
  }

  std::size_t extra_work(const Caller& me) const override { return honest_->extra_work(me); }
  bool lost(const Caller& me) const override { return honest_->lost(me); }

 private:
  Acquired misread(Acquired acquired) {
    const bool is_unknown = acquired.outcome == Acquired::Outcome::unknown;
    if ((wrong_ == GeneralWrong::unknown_is_granted && is_unknown) ||
        (wrong_ == GeneralWrong::refusal_is_granted && acquired.outcome == Acquired::Outcome::failed)) {
      return Acquired::granted(acquired.token);
    }
    if (acquired.token && wrong_ == GeneralWrong::token_before_grant) {
      --*acquired.token;
    }
    if (acquired.token && wrong_ == GeneralWrong::token_kept) {
      first_token_ = first_token_.value_or(*acquired.token);
      acquired.token = first_token_;
    }
    return acquired;
  }

  GeneralWrong wrong_;
  SeatsOfMutation maker_;
  Seats seats_;
  std::optional<std::int64_t> first_token_;
  std::unique_ptr<Lock> honest_;  // goes first: it refers to the seats
};

// Counting down is its release, all else its acquire.
class MutatedLatch final : public Latch {
 public:
  MutatedLatch(std::unique_ptr<Latch> honest, const Mutation& mutation, Duration lease)
      : wrong_(mutation.wrong()), maker_(mutation), seats_(maker_, lease), honest_(std::move(honest)) {}

  Task<Released> set_count(Caller& me, std::int64_t count) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::acquire);
    Released set = co_await honest_->set_count(seat.caller(), count);
    co_return set;
  }

  Task<Released> count_down(Caller& me) override {
    if (wrong_ == GeneralWrong::release_left_out) {
      co_return Released::done();
    }
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::release);
    Released counted = co_await honest_->count_down(seat.caller());
    if (wrong_ == GeneralWrong::release_twice) {
      co_await honest_->count_down(seat.caller());
    }
    co_return counted;
  }

  Task<Acquired> await_zero(Caller& me, std::optional<Duration> patience) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::acquire);
    if (wrong_ == GeneralWrong::patience_ignored) {
      patience.reset();
    }
    Acquired opened = co_await honest_->await_zero(seat.caller(), patience);
    if (wrong_ == GeneralWrong::unknown_is_granted && opened.outcome == Acquired::Outcome::unknown) {
      co_return Acquired::granted();
    }
    co_return opened;
  }

 private:
  GeneralWrong wrong_;
  SeatsOfMutation maker_;
  Seats seats_;
  std::unique_ptr<Latch> honest_;
};

}  // namespace

std::unique_ptr<Lock> Mutation::applied_to(std::unique_ptr<Lock> lock) const {
  return std::make_unique<MutatedLock>(std::move(lock), *this);
}

std::unique_ptr<Latch> Mutation::applied_to(std::unique_ptr<Latch> latch,
                                            const LockSettings& settings) const {
  return std::make_unique<MutatedLatch>(std::move(latch), *this, settings.ttl);
}

}  // namespace holdfast
