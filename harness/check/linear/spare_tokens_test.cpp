// Holds of a fenced lock that come to light late, by hand: each needs a token that the grants around it left
// out. Whatever the fast check decides, the general one says the same.
#include <gtest/gtest.h>

#include <vector>

#include "harness/check/linear/fast.h"
#include "harness/check/linear/test_histories.h"
#include "harness/check/linear/test_verdicts.h"

namespace holdfast::linear {
namespace spare_tokens_test {

class Story {
 public:
  Story& asks(ClientNumber client) { return add(CallEventType::invoke, Action::acquire, client); }
  Story& gets(ClientNumber client, std::int64_t token) {
    add(CallEventType::ok, Action::acquire, client);
    events_.back().token = token;
    return *this;
  }
  Story& hears_nothing(ClientNumber client) { return add(CallEventType::info, Action::acquire, client); }
  Story& lets_go(ClientNumber client) { return add(CallEventType::invoke, Action::release, client); }
  Story& has_let_go(ClientNumber client) { return add(CallEventType::ok, Action::release, client); }

  FastAnswer fast() const { return fast_verdict(FencedMutex{}, events_).answer; }
  Answer general() const { return general_answer(FencedMutex{}, events_); }

 private:
  Story& add(CallEventType type, Action action, ClientNumber client) {
    events_.push_back({.type = type, .action = action, .client = client});
    return *this;
  }

  std::vector<CallEvent> events_;
};

// Client 0 had token 1. Clients 1 and 2 asked, heard nothing, and are about to let go of what they may have.
Story two_may_have_held() {
  Story story;
  story.asks(0).gets(0, 1).lets_go(0).has_let_go(0);
  return story.asks(1).hears_nothing(1).asks(2).hears_nothing(2).asks(3);
}

TEST(SpareTokens, AreEnoughForBothHolds) {
  Story story = two_may_have_held();
  story.lets_go(1).lets_go(2).gets(3, 4).has_let_go(1).has_let_go(2);
  EXPECT_EQ(story.fast(), FastAnswer::linearizable);
  EXPECT_EQ(story.general(), Answer::linearizable);
}

TEST(SpareTokens, AreUsedOnce) {
  Story story = two_may_have_held();
  story.lets_go(1).lets_go(2).gets(3, 3).has_let_go(1).has_let_go(2);
  EXPECT_EQ(story.fast(), FastAnswer::search);
  EXPECT_EQ(story.general(), Answer::violated);
}

TEST(SpareTokens, AreNotThoseOfHoldsThatWereKnownBefore) {
  Story story = two_may_have_held();
  story.lets_go(1).has_let_go(1).lets_go(2).gets(3, 3).has_let_go(2);
  EXPECT_EQ(story.fast(), FastAnswer::search);
  EXPECT_EQ(story.general(), Answer::violated);
}

TEST(SpareTokens, FromBeforeTheReleaseAreOfNoUse) {
  Story story = two_may_have_held();
  story.gets(3, 4).lets_go(3).lets_go(1).asks(0).gets(0, 5).has_let_go(1);
  EXPECT_EQ(story.fast(), FastAnswer::search);
  EXPECT_EQ(story.general(), Answer::violated);
}

TEST(SpareTokens, OfAnEarlierGrantServeWhenLaterOnesLeftNone) {
  Story story = two_may_have_held();
  story.lets_go(1).gets(3, 3).lets_go(3).asks(0).gets(0, 4).has_let_go(1);
  EXPECT_EQ(story.fast(), FastAnswer::linearizable);
  EXPECT_EQ(story.general(), Answer::linearizable);
}

}  // namespace spare_tokens_test
}  // namespace holdfast::linear
