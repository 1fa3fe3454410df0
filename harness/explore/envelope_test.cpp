// How: borders that can be computed by hand, with messages of 1 ms and short leases: what the holder may do
// before its lease runs out.
#include "harness/explore/envelope.h"

#include <gtest/gtest.h>

#include "harness/run/test_broken_lock.h"
#include "locks/lookup/lookup.h"
#include "locks/redis/client.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace envelope_test {

Border border_of(std::string_view lock, std::string_view quantity, std::int64_t ttl_ms = 200) {
  Simulation simulation;
  return find_border(simulation, *find_lock(lock), *find_quantity(quantity), ttl_ms);
}

std::int64_t promised_pause(std::string_view lock, std::int64_t ttl_ms = 200) {
  Simulation simulation;
  EnvelopeStory story(simulation, *find_lock(lock));
  EnvelopeSetting setting(*find_lock(lock));
  setting["ttl"] = ttl_ms;
  setting.give_time_for(*find_quantity("pause"), *find_lock(lock));
  return to_milliseconds(story.promised_pause(setting));
}

// The lease runs from the server's SET, the pause begins after the reply and the read: some ms are gone.
TEST(Envelope, APauseMayLastAsLongAsWhatIsLeftOfTheLease) {
  for (const std::int64_t ttl : {200, 500}) {
    const Border border = border_of("redis-px-cad", "pause", ttl);
    EXPECT_GE(border.holds_up_to, promised_pause("redis-px-cad", ttl)) << ttl;
    EXPECT_LT(border.holds_up_to, ttl) << ttl;
    EXPECT_EQ(border.safe_up_to, border.holds_up_to) << "it has no tokens";
    EXPECT_EQ(promised_pause("redis-px-cad", ttl), ttl - 4) << "a SET and a read, there and back";
  }
}

// They renew every third of a lease: just before that two thirds are left.
TEST(Envelope, TheWorstMomentForAPauseIsJustBeforeARenewal) {
  for (const auto& [lock, ttl] : {std::pair("redisson-rlock", 300), std::pair("redisson-fenced", 300),
                                  std::pair("redis-watchdog", 3000)}) {
    const Border border = border_of(lock, "pause", ttl);
    EXPECT_GE(border.holds_up_to, promised_pause(lock, ttl)) << lock;
    EXPECT_GT(border.holds_up_to, ttl * 2 / 3 - 5) << lock;
    EXPECT_LT(border.holds_up_to, ttl * 2 / 3 + 5) << lock;
  }
}

// Renews every third of its lease, and from one of its renewals on for half of it only: then a third of a
// lease after it a sixth is left.
template <int first_short>
class ShortRenewalLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SET", settings().key, me.env.thread_name(),
                                                                 "NX", "PX", to_milliseconds(settings().ttl));
    if (!set.is_ok()) {
      co_return set.threw() ? Acquired::unknown(set) : Acquired::busy();
    }
    is_held_ = true;
    me.env.spawn(renew(me));
    co_return Acquired::granted();
  }
  Task<Released> release(Caller& me, LockMode) override {
    is_held_ = false;
    co_return co_await unlock_by_compare_and_delete(me, settings().key, me.env.thread_name());
  }

 private:
  Task<> renew(Caller holder) {
    for (int count = 1;; ++count) {
      co_await holder.env.sleep(settings().ttl / 3);
      if (!is_held_) {
        co_return;
      }
      const Duration lease = count < first_short ? settings().ttl : settings().ttl / 2;
      co_await redis::client(holder).command(
          "EVAL",
          "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) end", 1,
          settings().key, holder.env.thread_name(), to_milliseconds(lease));
    }
  }
  bool is_held_ = false;
};

template <int first_short>
LockEntry short_renewal_lock() {
  LockEntry entry = *find_lock("redis-px-cad");
  entry.id = "short-renewal";
  entry.features.renews = true;
  entry.make = [](LockSettings settings) -> std::unique_ptr<Lock> {
    return std::make_unique<ShortRenewalLock<first_short>>(std::move(settings));
  };
  return entry;
}

// A holder that is wrong about a later renewal only is held to that one.
TEST(Envelope, ThatMayBeAnyOfSeveralRenewals) {
  Simulation simulation;
  const auto border_of_one = [&](const LockEntry& lock, std::string_view quantity) {
    return find_border(simulation, lock, *find_quantity(quantity), 300).holds_up_to;
  };
  for (const std::string_view quantity : {"pause", "jump"}) {
    for (const LockEntry& lock :
         {short_renewal_lock<1>(), short_renewal_lock<2>(), short_renewal_lock<4>()}) {
      EXPECT_GT(border_of_one(lock, quantity), 300 / 6 - 8) << quantity;
      EXPECT_LT(border_of_one(lock, quantity), 300 / 6 + 5) << quantity;
    }
    EXPECT_GT(border_of_one(short_renewal_lock<1000>(), quantity), 300 * 2 / 3 - 8) << quantity;
    EXPECT_LT(border_of_one(short_renewal_lock<1000>(), quantity), 300 * 2 / 3 + 5) << quantity;
  }
}

TEST(Envelope, ACertificateSaysThatItsDesignIsNotKept) {
  Simulation simulation;
  const std::string text = certificate(simulation, short_renewal_lock<2>(), 30s);
  EXPECT_NE(text.find("worst moment: up to 4.9"), std::string::npos) << text;
  EXPECT_NE(text.find("its design promises 19.99"), std::string::npos) << text;
  EXPECT_NE(text.find("and does not keep it"), std::string::npos) << text;
}

// Half a lease is over after a third of one where a clock runs half as fast again; a whole one is not.
TEST(Envelope, ADriftIsHeldAgainstEachRenewal) {
  Simulation simulation;
  const Quantity& drift = *find_quantity("drift");
  EXPECT_LT(find_border(simulation, short_renewal_lock<4>(), drift, 300).holds_up_to, 600'000);
  EXPECT_TRUE(find_border(simulation, short_renewal_lock<1000>(), drift, 300).always_holds());
}

// Validity is the lease less what it took to ask five servers (two of them refuse at once) and the allowance
// for drift, a hundredth and 2 ms.
TEST(Envelope, RedlockKeepsWhatItCallsValidity) {
  const std::int64_t promised = promised_pause("redlock");
  EXPECT_LT(promised, 200 - 6 - 4);
  EXPECT_GT(promised, 200 - 20);
  const Border border = border_of("redlock", "pause");
  EXPECT_GE(border.holds_up_to, promised);
  EXPECT_LT(border.holds_up_to, 220) << "it cannot last longer than the lease and one attempt of the next";
}

// With all five servers the jump of one would change nothing.
TEST(Envelope, ALockWithAMajorityGetsNoMoreThanThat) {
  const Border border = border_of("redlock", "jump");
  EXPECT_FALSE(border.always_holds());
  EXPECT_GT(border.holds_up_to, 90);
  EXPECT_LT(border.holds_up_to, 115);
  EXPECT_TRUE(border_of("redisson-multi", "jump", 300).always_holds()) << "it wants all of them";
}

TEST(Envelope, ARenewedLeaseMayBeWorkedUnderForEver) {
  EXPECT_TRUE(border_of("redis-watchdog", "work").always_holds());
  EXPECT_FALSE(border_of("redis-px-cad", "work").always_holds());
}

TEST(Envelope, WithTokensTheResourceIsSafeWhereTheLockIsNot) {
  const Border border = border_of("redisson-fenced", "pause", 300);
  EXPECT_TRUE(border.always_safe());
  EXPECT_FALSE(border.always_holds());
}

TEST(Envelope, AJumpMayTakeWhatIsLeftOfTheLease) {
  const Border border = border_of("redis-px-cad", "jump");
  EXPECT_GT(border.holds_up_to, 90);
  EXPECT_LT(border.holds_up_to, 100);
}

// Nine tenths of the lease are worked: a clock that is a ninth too fast ends it.
TEST(Envelope, ADriftMayTakeAtMostATenthOfTheLease) {
  const Border border = border_of("redis-px-cad", "drift");
  EXPECT_GT(border.holds_up_to, 60'000);
  EXPECT_LT(border.holds_up_to, 111'112);
}

// Slow messages break redis-px-cad; very slow ones no longer do, since nobody is granted it in time to work.
TEST(Envelope, TheBorderIsTheFirstOfSeveral) {
  const Border border = border_of("redis-px-cad", "latency");
  EXPECT_GT(border.holds_up_to, 20);
  EXPECT_LT(border.holds_up_to, 60);
  const Border redlock = border_of("redlock", "latency");
  EXPECT_TRUE(redlock.always_holds());
  EXPECT_LT(redlock.works_up_to, 20) << "it waits only so long for each server";
}

// Its clients are threads of one process, which all stand still together.
TEST(Envelope, ALockWithinAProcessRunsInOne) {
  for (const char* quantity : {"pause", "work", "latency"}) {
    EXPECT_TRUE(border_of("local-mutex", quantity).always_holds()) << quantity;
  }
}

// Redisson's waiter sleeps until it is told, or until the lease it was told of is over: it would miss that a
// server's clock ended the lease early. Who comes late does not.
TEST(Envelope, AWaiterThatSleepsIsNotTheOnlyOne) {
  const Border drift = border_of("redisson-rlock-lease", "drift", 1'000);
  EXPECT_FALSE(drift.always_holds());
  EXPECT_GT(drift.holds_up_to, 90'000);
  EXPECT_LT(drift.holds_up_to, 120'000) << "nine tenths of the lease are worked";
}

// The first renewal goes out a third of a lease after the grant, which is one way after the lease began to
// run; if the two ways take longer than the two thirds that are left, it arrives too late.
TEST(Envelope, ARenewalThatIsUnderWayForTooLongIsTooLate) {
  const Border latency = border_of("redisson-rlock", "latency", 3'000);
  EXPECT_FALSE(latency.always_holds());
  EXPECT_GT(latency.holds_up_to, 900);
  EXPECT_LT(latency.holds_up_to, 1'010);
}

// Of the lease, more is safer.
TEST(Envelope, AnAxisCanGoTheOtherWay) {
  Simulation simulation;
  const Envelope envelope = find_envelope(simulation, *find_lock("redis-px-cad"), *find_quantity("ttl"),
                                          *find_quantity("work"), 5, 3);
  const EnvelopeRow& row = envelope.rows[1];
  EXPECT_EQ(row.y, 10'000);
  EXPECT_EQ(row.letters.front(), Letter::violated);
  EXPECT_EQ(row.letters.back(), Letter::safe);
  EXPECT_GE(row.holds_up_to, 10'000);
  EXPECT_LT(row.holds_up_to, 10'010);
}

TEST(Envelope, TheCertificateNamesTheBorders) {
  Simulation simulation;
  const std::string text = certificate(simulation, *find_lock("redis-px-cad"), 200ms);
  EXPECT_NE(text.find("redis-px-cad with a lease of 0.2 s"), std::string::npos) << text;
  EXPECT_NE(text.find("worst moment: up to 0.19"), std::string::npos) << text;
  EXPECT_NE(text.find("its design promises 0.196 s"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const std::string fenced = certificate(simulation, *find_lock("redisson-fenced"), 200ms);
  EXPECT_NE(fenced.find("the resource is safe up to 0.400 s and more"), std::string::npos) << fenced;
  EXPECT_NE(certificate(simulation, *find_lock("redlock"), 200ms).find("no more than a majority"),
            std::string::npos);
}

// The sweep finds the same border as the search.
TEST(Envelope, ARowEndsWhereItsBorderIs) {
  Simulation simulation;
  const Envelope envelope = find_envelope(simulation, *find_lock("redis-px-cad"), *find_quantity("work"),
                                          *find_quantity("ttl"), 11, 2);
  ASSERT_EQ(envelope.rows.size(), 2U);
  const EnvelopeRow& row = envelope.rows.front();
  EXPECT_EQ(row.y, 1000);
  EXPECT_EQ(row.letters.front(), Letter::safe);
  EXPECT_EQ(row.letters[1], Letter::violated) << "2 s of work";
  EXPECT_GT(row.holds_up_to, 990);
  EXPECT_LE(row.holds_up_to, 1000);
}

// Its runs are of a scenario that no other command knows.
TEST(Envelope, ABugInARunNamesTheWholeCommand) {
  const TypedInTest typed("holdfast envelope redis-px-cad --x jump");
  const ReplayScope scope(typed);
  const LockEntry lock = broken_lock<BrokenLock>("redis-px-cad");
  Simulation simulation;
  const std::string sentence = broken_by(
      [&] { find_envelope(simulation, lock, *find_quantity("jump"), *find_quantity("ttl"), 2, 2); });
  EXPECT_TRUE(sentence.ends_with("; to see it again: holdfast envelope redis-px-cad --x jump")) << sentence;
}

}  // namespace envelope_test
}  // namespace holdfast
