#include "harness/mutate/lock_watch.h"

#include <utility>

#include "harness/mutate/general.h"
#include "harness/mutate/seats.h"
#include "harness/stores/store.h"
#include "locks/lock.h"

namespace holdfast {
namespace {

class HearingEnv final : public EnvTwist {
 public:
  HearingEnv(Heard& heard, const MutationSeat& seat) : heard_(heard), seat_(seat) {}

  Duration read_clock(Kernel& kernel, ProcessId process, ClockKind asked) override {
    (asked == ClockKind::wall ? heard_.wall : heard_.monotonic) = true;
    heard_.clock_after_call = heard_.clock_after_call || seat_.reading_before_call(asked).has_value();
    return asked == ClockKind::wall ? kernel.look_at_wall(process) : kernel.read_clock(process, asked);
  }
  std::uint32_t thread(std::uint32_t mine) override {
    heard_.thread = true;
    return mine;
  }
  std::string process_name(std::string mine) override {
    heard_.process_name = true;
    return mine;
  }
  std::string unique_id(std::string fresh) override {
    heard_.unique_id = true;
    return fresh;
  }

 private:
  Heard& heard_;
  const MutationSeat& seat_;
};

class SeatsOfWatch final : public SeatMaker {
 public:
  SeatsOfWatch(Heard& heard, CallWatch* calls) : heard_(heard), calls_(calls) {}

  std::unique_ptr<StoreClient> client(StoreClient& honest, std::size_t server, std::size_t,
                                      MutationSeat& seat) const override {
    if (calls_ == nullptr) {
      return nullptr;
    }
    return calls_->watched(honest, server, seat);
  }
  std::unique_ptr<EnvTwist> twist(MutationSeat& seat) const override {
    return std::make_unique<HearingEnv>(heard_, seat);
  }

 private:
  Heard& heard_;
  CallWatch* calls_;
};

class WatchedLock final : public Lock {
 public:
  WatchedLock(std::unique_ptr<Lock> honest, const SeatMaker& maker, Heard& heard)
      : Lock(honest->settings()),
        heard_(heard),
        seats_(maker, honest->settings().ttl),
        honest_(std::move(honest)) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::acquire);
    heard_.patience = heard_.patience || request.patience.has_value();
    Acquired acquired = co_await honest_->acquire(seat.caller(), request);
    heard_.refused = heard_.refused || acquired.outcome == Acquired::Outcome::failed;
    heard_.token = heard_.token || acquired.token.has_value();
    co_return acquired;
  }

  Task<Released> release(Caller& me, LockMode mode) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::release);
    heard_.releases = true;
    Released released = co_await honest_->release(seat.caller(), mode);
    co_return released;
  }

  std::size_t extra_work(const Caller& me) const override { return honest_->extra_work(me); }
  bool lost(const Caller& me) const override { return honest_->lost(me); }

 private:
  Heard& heard_;
  Seats seats_;
  std::unique_ptr<Lock> honest_;
};

class WatchedLatch final : public Latch {
 public:
  WatchedLatch(std::unique_ptr<Latch> honest, const SeatMaker& maker, Heard& heard, Duration lease)
      : heard_(heard), seats_(maker, lease), honest_(std::move(honest)) {}

  Task<Released> set_count(Caller& me, std::int64_t count) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::acquire);
    Released set = co_await honest_->set_count(seat.caller(), count);
    co_return set;
  }

  Task<Released> count_down(Caller& me) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::release);
    heard_.releases = true;
    Released counted = co_await honest_->count_down(seat.caller());
    co_return counted;
  }

  Task<Acquired> await_zero(Caller& me, std::optional<Duration> patience) override {
    Seat& seat = seats_.of(me);
    const MutationSeat::Within within(seat.mutation(), CallPhase::acquire);
    heard_.patience = heard_.patience || patience.has_value();
    Acquired opened = co_await honest_->await_zero(seat.caller(), patience);
    co_return opened;
  }

 private:
  Heard& heard_;
  Seats seats_;
  std::unique_ptr<Latch> honest_;
};

}  // namespace

struct LockWatch::Ears {
  explicit Ears(const LockEntry& lock)
      : calls(store_called(lock.needs.store).watch_calls()), maker(heard, calls.get()) {}
  Heard heard;
  std::unique_ptr<CallWatch> calls;
  SeatsOfWatch maker;
};

LockWatch::LockWatch(const LockEntry& lock) : lock_(lock), ears_(std::make_unique<Ears>(lock)) {}
LockWatch::~LockWatch() = default;

std::unique_ptr<Lock> LockWatch::applied_to(std::unique_ptr<Lock> lock) const {
  return std::make_unique<WatchedLock>(std::move(lock), ears_->maker, ears_->heard);
}

std::unique_ptr<Latch> LockWatch::applied_to(std::unique_ptr<Latch> latch,
                                             const LockSettings& settings) const {
  return std::make_unique<WatchedLatch>(std::move(latch), ears_->maker, ears_->heard, settings.ttl);
}

std::vector<std::unique_ptr<Mutation>> LockWatch::mutations() const {
  std::vector<std::unique_ptr<Mutation>> all =
      general_mutations(lock_, ears_->heard, ears_->calls ? ears_->calls->no_change() : nullptr);
  if (ears_->calls) {
    for (StoreMutation& each : ears_->calls->mutations()) {
      all.push_back(std::make_unique<Mutation>(std::move(each)));
    }
  }
  return all;
}

}  // namespace holdfast
