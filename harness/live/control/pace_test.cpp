// Locks whose own lengths of time stand in their code, and the whole catalog, whose do not.
#include "harness/live/control/pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "harness/live/control/live_run.h"
#include "harness/run/test_scenario.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/shelf/shelf.h"
#include "locks/lookup/lookup.h"
#include "locks/redis/client.h"

namespace holdfast::live {
namespace pace_test {

using ::testing::HasSubstr;

// How the lock makes sure that it expires.
enum class Lease {
  by_option,
  in_seconds,
  by_script,
  at_a_moment,
  beside_a_longer_one,
  of_a_second,
  of_its_settings
};

template <Lease lease>
class LockWithALease : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SET", settings().key, "mine", "NX");
    if (!set.is_ok()) {
      co_return set.threw() ? Acquired::unknown(set) : Acquired::busy();
    }
    const redis::Command words = words_for_it(me);
    co_await redis::client(me).execute(words);
    if (lease == Lease::beside_a_longer_one) {
      const std::int64_t longer_ms = to_milliseconds(settings().ttl) * 60;
      co_await redis::client(me).command("SET", settings().key + ":longer", "mine", "PX", longer_ms);
    }
    co_return Acquired::granted();
  }
  Task<Released> release(Caller& me, LockMode) override {
    const redis::Answer deleted = co_await redis::client(me).command("DEL", settings().key);
    co_return deleted.threw() ? Released::unknown(deleted) : Released::done();
  }

 private:
  redis::Command words_for_it(Caller& me) const {
    const std::string& key = settings().key;
    switch (lease) {
      case Lease::in_seconds:
        return redis::make_command("EXPIRE", key, 10);
      case Lease::by_script:
        return redis::make_command("EVAL", "return redis.call('pexpire', KEYS[1], 10000)", 1, key);
      case Lease::at_a_moment:
        return redis::make_command("PEXPIREAT", key, to_milliseconds(me.env.wall()) + 10'000);
      case Lease::of_a_second:
        return redis::make_command("PEXPIRE", key, 1'000);
      case Lease::of_its_settings:
        return redis::make_command("PEXPIRE", key, to_milliseconds(settings().ttl));
      case Lease::by_option:
      case Lease::beside_a_longer_one:
        break;
    }
    return redis::make_command("SET", key, "mine", "PX", 10'000);
  }
};

template <class OneOfThem>
LockEntry entry_of() {
  LockEntry entry = *find_lock("redis-px-del");
  entry.id = "my-lock";
  entry.make = [](LockSettings settings) -> std::unique_ptr<Lock> {
    return std::make_unique<OneOfThem>(std::move(settings));
  };
  return entry;
}

// Its lease is that of its settings, and it renews it every third of it, or every three seconds.
template <bool renews_by_settings>
class RenewingLock final : public LockWithALease<Lease::of_its_settings> {
 public:
  using LockWithALease::LockWithALease;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    const Acquired acquired = co_await LockWithALease::try_once(me, request);
    if (acquired.ok()) {
      me.env.spawn(renew(me));
    }
    co_return acquired;
  }

 private:
  Task<> renew(Caller holder) const {
    while (true) {
      co_await holder.env.sleep(renews_by_settings ? settings().ttl / 3 : Duration(3s));
      co_await redis::client(holder).command("PEXPIRE", settings().key, to_milliseconds(settings().ttl));
    }
  }
};

Scenario story(const std::string& name) {
  return load_scenario(std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/" + name + ".json", known_names());
}

std::string why_not(const LockEntry& lock, const Scenario& scenario) {
  LiveRequest request;
  request.scenario = &scenario;
  request.lock = &lock;
  const Pace pace = pace_of(request);
  EXPECT_EQ(pace.speed_up, pace.why_slower.empty() ? 20 : 1);
  return pace.why_slower;
}

template <Lease lease>
std::string why_not(const std::string& name = "gc-pause-write") {
  return why_not(entry_of<LockWithALease<lease>>(), story(name));
}

TEST(Pace, ALeaseThatStandsInTheCodeOfALockIsNotDivided) {
  const std::string ten_seconds = "my-lock asks for a lease of 10 s, whatever its settings say";
  EXPECT_EQ(why_not<Lease::by_option>(), ten_seconds);
  EXPECT_EQ(why_not<Lease::in_seconds>(), ten_seconds);
  EXPECT_EQ(why_not<Lease::by_script>(), ten_seconds);
  EXPECT_EQ(why_not<Lease::at_a_moment>(), ten_seconds);
  EXPECT_EQ(why_not<Lease::beside_a_longer_one>(), ten_seconds);
  EXPECT_EQ(why_not<Lease::of_a_second>(), "my-lock asks for a lease of 1 s, whatever its settings say");
}

// Also where nobody's lease runs out, so that the letter is the same.
TEST(Pace, ThatIsKnownByTheLeaseAlone) {
  EXPECT_THAT(why_not(entry_of<LockWithALease<Lease::by_option>>(), plain_scenario()),
              HasSubstr("a lease of 10 s"));
}

TEST(Pace, ALeaseOfTheSettingsIs) {
  EXPECT_EQ(why_not<Lease::of_its_settings>(), "");
}

// No server is told when it renews.
TEST(Pace, OtherLengthsOfItsOwnAreKnownByTheLetter) {
  EXPECT_EQ(why_not(entry_of<RenewingLock<true>>(), story("slow-work")), "");
  EXPECT_THAT(why_not(entry_of<RenewingLock<false>>(), story("slow-work")),
              HasSubstr("with all durations divided by 20 it would be V instead of S, says sim"));
}

TEST(Pace, WhoAsksForMoreIsRefused) {
  const Scenario scenario = story("gc-pause-write");
  const LockEntry lock = entry_of<LockWithALease<Lease::by_option>>();
  LiveRequest request;
  request.scenario = &scenario;
  request.lock = &lock;
  request.speed_up = 5;
  EXPECT_EQ(why_not_live(request),
            "gc-pause-write cannot be run 5 times faster than it is told: my-lock asks for a lease of 10 s, "
            "whatever its settings say.");
  request.speed_up = 1;
  EXPECT_EQ(why_not_live(request), "");
  request.speed_up.reset();
  EXPECT_EQ(why_not_live(request), "");
}

TEST(Pace, NoLockOfTheCatalogHasLengthsOfItsOwn) {
  const Scenario scenario = plain_scenario();
  for (const LockEntry& lock : all_locks()) {
    if (why_not_applicable(scenario, lock).empty()) {
      EXPECT_EQ(why_not(lock, scenario), "") << lock.id;
    }
  }
}

// A quarter of a minute of real time each, else.
TEST(Pace, EveryStoryMayBeToldFasterWithItsOwnLock) {
  for (const Scenario& scenario : Shelf(std::string(HOLDFAST_SOURCE_DIR) + "/scenarios").all()) {
    const LockEntry& lock = *find_lock(scenario.lock);
    const bool is_about_lengths = scenario.name == "clock-slack-beyond";  // by a tenth of a second
    if (!scenario.is_family() && !is_about_lengths && why_not_applicable(scenario, lock).empty()) {
      LiveRequest request;
      request.scenario = &scenario;
      request.lock = &lock;
      EXPECT_EQ(why_not_divided(request, 20), "") << scenario.name;
    }
  }
}

}  // namespace pace_test
}  // namespace holdfast::live
