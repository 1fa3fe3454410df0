// The models: examples of what is legal and what is not, and the registry that names them.
#include "harness/check/linear/models.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace models_test {

constexpr Action acquire = Action::acquire;
constexpr Action try_acquire = Action::try_acquire;
constexpr Action release = Action::release;
constexpr Action read = Action::read;
constexpr Action write = Action::write;

// One call after the other; whether each could be.
bool is_legal(const AnyModel& any, const std::vector<Made>& calls) {
  return with_model(any, [&](const auto& model) {
    auto state = model.initial();
    for (const Made& call : calls) {
      const auto next = model.step(state, call);
      if (!next || (model.observes(call) && *next != state)) {
        return false;
      }
      state = *next;
    }
    return true;
  });
}

// An answered call, and one that nobody heard of again. Only fifo-mutex looks at the invocation.
Made ok(Action action, ClientNumber client = 0, Position invoked = 0) {
  return call(action, client, invoked, invoked + 1);
}
Made info(Action action, ClientNumber client = 0, Position invoked = 0) {
  return call(action, client, invoked);
}

TEST(MutexModel, IsHeldOrFreeWhoeverReleasesIt) {
  const AnyModel mutex = Mutex{};
  EXPECT_TRUE(is_legal(mutex, {ok(acquire, 0), ok(release, 1), ok(acquire, 2)}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire, 0), ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(mutex, {ok(release)}));
  EXPECT_TRUE(is_legal(mutex, {ok(acquire), ok(try_acquire, 1).is_refused()}));
  EXPECT_FALSE(is_legal(mutex, {ok(try_acquire).is_refused()}));
  EXPECT_TRUE(is_legal(mutex, {ok(release).is_refused()}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire), ok(release).is_refused()}));
}

TEST(OwnerMutexModel, IsReleasedByItsHolderOnly) {
  const AnyModel mutex = OwnerMutex{};
  EXPECT_TRUE(is_legal(mutex, {ok(acquire, 0), ok(release, 0), ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire, 0), ok(release, 1)}));
  EXPECT_TRUE(is_legal(mutex, {ok(acquire, 0), ok(release, 1).is_refused()}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire, 0), ok(release, 0).is_refused()}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire, 0), ok(acquire, 0)}));
  EXPECT_TRUE(is_legal(mutex, {ok(acquire, 0), ok(try_acquire, 0).is_refused()}));
  EXPECT_TRUE(is_legal(mutex, {info(acquire, 0), info(release, 0), ok(acquire, 1)}));
}

TEST(ReentrantMutexModel, IsFreeAfterAsManyReleases) {
  const AnyModel mutex = ReentrantMutex{};
  EXPECT_TRUE(is_legal(mutex, {ok(acquire), ok(acquire), ok(release), ok(release), ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire), ok(acquire), ok(release), ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire), ok(release), ok(release)}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire), ok(try_acquire).is_refused()}));
  EXPECT_TRUE(is_legal(mutex, {ok(acquire), ok(acquire), ok(release), ok(try_acquire, 1).is_refused()}));
}

TEST(FencedMutexModel, GrantsGrowingTokens) {
  const AnyModel mutex = FencedMutex{};
  const auto after = [&](const Made& first, std::int64_t second) {
    return is_legal(mutex, {ok(acquire).with_token(5), ok(release), first, ok(release, first.client),
                            ok(acquire, 2).with_token(second)});
  };
  EXPECT_TRUE(after(ok(acquire, 1).with_token(6), 9));
  EXPECT_FALSE(after(ok(acquire, 1).with_token(5), 9));
  EXPECT_FALSE(after(ok(acquire, 1).with_token(7), 6));
  EXPECT_TRUE(after(ok(acquire, 1), 6)) << "a grant without a token is not judged";
  EXPECT_FALSE(after(info(acquire, 1), 6)) << "6 at least was granted to who did not hear of it";
  EXPECT_TRUE(after(info(acquire, 1), 7));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire).with_token(1), ok(acquire, 1).with_token(2)}));
  EXPECT_TRUE(is_legal(mutex, {ok(acquire).with_token(-5), ok(release), ok(acquire).with_token(-4)}));
  EXPECT_TRUE(is_legal(mutex, {info(acquire), info(release), ok(acquire, 1).with_token(-9)}));
}

TEST(FencedMutexModel, KnowsThatThereIsNoTokenAboveTheGreatest) {
  const Made last = ok(acquire).with_token(std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(is_legal(FencedMutex{}, {last, ok(release), info(acquire)}));
  EXPECT_TRUE(is_legal(FencedMutex{}, {last, ok(release), ok(acquire)}));
}

TEST(ReentrantFencedMutexModel, AnswersReentryWithTheSameToken) {
  const AnyModel mutex = ReentrantFencedMutex{};
  const auto nested = [&](const Made& outer, const Made& inner) {
    return is_legal(mutex, {ok(acquire, 1).with_token(3), ok(release, 1), outer, inner, ok(release),
                            ok(release), ok(acquire, 1).with_token(6)});
  };
  const Made four = ok(acquire).with_token(4);
  EXPECT_TRUE(nested(four, four));
  EXPECT_TRUE(nested(four, ok(acquire)));
  EXPECT_TRUE(nested(four, info(acquire)));
  EXPECT_FALSE(nested(four, ok(acquire).with_token(5)));
  EXPECT_TRUE(nested(info(acquire), four)) << "the re-entry tells what the outermost was granted";
  EXPECT_FALSE(nested(info(acquire), ok(acquire).with_token(3)));
  EXPECT_FALSE(nested(info(acquire), ok(acquire).with_token(6))) << "and then 6 is not new afterwards";
  EXPECT_TRUE(nested(ok(acquire), four));
  EXPECT_FALSE(nested(ok(acquire), ok(acquire).with_token(3)));
}

TEST(FifoMutexModel, GrantsInTheOrderOfInvocation) {
  const AnyModel mutex = FifoMutex{};
  EXPECT_TRUE(is_legal(mutex, {ok(acquire, 0, 1), ok(release, 0, 5), ok(acquire, 1, 3)}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire, 0, 3), ok(release, 0, 5), ok(acquire, 1, 1)}));
  EXPECT_TRUE(is_legal(mutex, {ok(acquire, 0, 3), ok(release, 0, 5), ok(try_acquire, 1, 1).is_refused()}));
  EXPECT_FALSE(is_legal(mutex, {ok(acquire, 0, 3), ok(release, 0, 5), ok(try_acquire, 1, 6).is_refused()}));
  EXPECT_FALSE(is_legal(mutex, {info(acquire, 0, 3), info(release, 0, 5), ok(acquire, 1, 1)}));
}

TEST(ReadWriteLockModel, HasOneWriterOrAnyNumberOfReaders) {
  const AnyModel lock = ReadWriteLock{};
  const Made shared = ok(acquire).is_shared();
  EXPECT_TRUE(
      is_legal(lock, {shared, ok(acquire, 1).is_shared(), ok(release), ok(release, 1), ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(lock, {shared, ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(lock, {shared, ok(acquire)}));
  EXPECT_FALSE(is_legal(lock, {ok(acquire), shared}));
  EXPECT_FALSE(is_legal(lock, {ok(acquire), ok(acquire, 1)}));
  EXPECT_TRUE(is_legal(lock, {shared, shared, ok(release), ok(release)}));
  EXPECT_FALSE(is_legal(lock, {shared, shared, ok(release), ok(acquire, 1)}));
  EXPECT_FALSE(is_legal(lock, {shared, ok(release, 1)}));
  EXPECT_TRUE(is_legal(lock, {shared, ok(release, 1).is_refused()}));
  EXPECT_FALSE(is_legal(lock, {shared, ok(try_acquire, 1).is_shared().is_refused()}));
  EXPECT_TRUE(is_legal(lock, {shared, ok(try_acquire, 1).is_refused()}));
}

TEST(SemaphoreModel, HasSoManyPermits) {
  const AnyModel two = model_called("semaphore:2");
  EXPECT_TRUE(is_legal(two, {ok(acquire), ok(acquire), ok(release, 1), ok(acquire)}));
  EXPECT_FALSE(is_legal(two, {ok(acquire), ok(acquire), ok(acquire)}));
  EXPECT_FALSE(is_legal(two, {ok(acquire), ok(try_acquire).is_refused()}));
  EXPECT_TRUE(is_legal(two, {ok(acquire), ok(acquire), ok(try_acquire).is_refused()}));
  EXPECT_FALSE(is_legal(two, {ok(release)}));
  EXPECT_TRUE(is_legal(two, {ok(release).is_refused()}));
}

TEST(LatchModel, LetsItsWaitersGoAtZero) {
  const AnyModel two = model_called("latch:2");
  const Made down = ok(Action::count_down);
  const Made await = ok(Action::await_zero);
  EXPECT_TRUE(is_legal(two, {down, down, await, down, await}));
  EXPECT_FALSE(is_legal(two, {down, await}));
  EXPECT_TRUE(is_legal(two, {down, await.is_refused(), info(Action::count_down), await}));
  EXPECT_FALSE(is_legal(two, {down, down, await.is_refused()}));
  EXPECT_TRUE(is_legal(model_called("latch"), {down, await}));
}

TEST(RegisterModel, ReadsTheLastWrite) {
  EXPECT_TRUE(
      is_legal(Register{}, {ok(read), ok(write).with_value(1), ok(read).with_value(1), ok(write), ok(read)}));
  EXPECT_FALSE(is_legal(Register{}, {ok(read).with_value(0)}));
  EXPECT_FALSE(is_legal(Register{}, {ok(write).with_value(1), ok(read)}));
  EXPECT_TRUE(is_legal(
      Register{}, {ok(write).with_value(1), ok(write).with_value(2).is_refused(), ok(read).with_value(1)}));
}

TEST(CasRegisterModel, ComparesBeforeItSets) {
  const Made from_nil = ok(Action::compare_and_set).with_value(1);
  const Made one_to_two = ok(Action::compare_and_set).expecting(1).with_value(2);
  EXPECT_TRUE(is_legal(CasRegister{}, {from_nil, one_to_two, ok(read).with_value(2)}));
  EXPECT_FALSE(is_legal(CasRegister{}, {one_to_two}));
  EXPECT_TRUE(is_legal(CasRegister{}, {one_to_two.is_refused(), ok(read)}));
  EXPECT_FALSE(is_legal(CasRegister{}, {from_nil, one_to_two.is_refused()}));
}

TEST(CounterModel, AddsUp) {
  const Made add = ok(Action::add);
  EXPECT_TRUE(
      is_legal(Counter{}, {ok(read).with_value(0), add, add.with_value(-3), ok(read).with_value(-2)}));
  EXPECT_FALSE(is_legal(Counter{}, {add, ok(read).with_value(0)}));
  EXPECT_TRUE(is_legal(Counter{}, {add, add.is_refused(), ok(read).with_value(1), ok(read)}));
  EXPECT_TRUE(is_legal(Counter{}, {add.with_value(std::numeric_limits<std::int64_t>::max()), add,
                                   ok(read).with_value(std::numeric_limits<std::int64_t>::min())}));
}

TEST(FencedRegisterModel, RefusesSmallerTokensThanItHasSeen) {
  const Made write_five = ok(write).with_token(5).with_value(1);
  EXPECT_TRUE(is_legal(FencedRegister{}, {write_five, write_five, ok(read).with_token(6).with_value(1)}));
  EXPECT_FALSE(is_legal(FencedRegister{}, {write_five, ok(write).with_token(4).with_value(2)}));
  EXPECT_TRUE(is_legal(FencedRegister{}, {write_five, ok(write).with_token(4).with_value(2).is_refused()}));
  EXPECT_FALSE(is_legal(FencedRegister{}, {write_five, write_five.is_refused()}));
  EXPECT_FALSE(is_legal(FencedRegister{}, {ok(read).with_token(6), write_five})) << "a read counts too";
  EXPECT_TRUE(is_legal(FencedRegister{}, {info(read).with_token(6), write_five.is_refused()}));
  EXPECT_TRUE(is_legal(FencedRegister{}, {write_five, ok(write).with_value(2), ok(read).with_value(2)}));
  EXPECT_FALSE(is_legal(FencedRegister{}, {write_five, ok(read).with_token(5).with_value(2)}));
}

TEST(Models, AreReadAndWrittenByName) {
  for (const std::string& text : one_of_each_model()) {
    EXPECT_EQ(to_text(model_called(text)), text);
  }
  EXPECT_EQ(one_of_each_model().size(), models().size());
  EXPECT_EQ(to_text(model_called("latch")), "latch:1");
}

TEST(Models, AWrongNameIsAnsweredWithOneSentence) {
  const auto problem = [](const char* text) { return std::get<std::string>(parse_model(text)); };
  EXPECT_EQ(problem("semafore:3"), "there is no model \"semafore\"; did you mean \"semaphore\"?");
  EXPECT_EQ(problem("semaphore"), "the model \"semaphore\" needs a number, as in \"semaphore:3\"");
  EXPECT_EQ(problem("mutex:2"), "the model \"mutex\" takes no number, but \"mutex:2\" gives one");
  EXPECT_EQ(problem("latch:0"),
            "the number of the model \"latch\" must be a whole number from 1, as in \"latch:3\", not \"0\"");
  EXPECT_EQ(problem("latch:2x").substr(0, 10), "the number");
  EXPECT_EQ(problem("zzz").substr(0, 47), "there is no model \"zzz\"; known are mutex, owner");
}

}  // namespace models_test
}  // namespace holdfast::linear
