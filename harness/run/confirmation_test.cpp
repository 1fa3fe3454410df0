// What counts when two runs are compared: their histories and their letters.
#include "harness/run/confirmation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace confirmation_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ConfirmationTest : public ::testing::Test {
 protected:
  ConfirmationTest() {
    confirmation.server = "a server";
    confirmation.modelled.letter = confirmation.real.letter = Letter::violated;
    confirmation.modelled.fingerprint = confirmation.real.fingerprint = 1;
  }
  std::string told() {
    compare(confirmation, modelled, real);
    return to_text(confirmation);
  }

  Confirmation confirmation;
  RunLines modelled{{"a", "error: x", "c"}, {"a", "error", "c"}};
  RunLines real = modelled;
};

TEST_F(ConfirmationTest, TheSameIsConfirmed) {
  EXPECT_THAT(told(), StartsWith("confirmed on a server: the same 3 events and the same letter, V"));
  EXPECT_EQ(told().find("no history"), std::string::npos);
}

// As many steps of the kernel as it takes: whose histories are the same have told the same story.
TEST_F(ConfirmationTest, WhatNoHistoryTellsIsSaidAndDoesNotCount) {
  confirmation.real.fingerprint = 2;
  EXPECT_THAT(told(), StartsWith("confirmed on a server"));
  EXPECT_THAT(told(), HasSubstr("what no history tells was not the same"));
  EXPECT_TRUE(confirmation.is_confirmed);
}

TEST_F(ConfirmationTest, ErrorsAreComparedByTheirKind) {
  real.exact[1] = "error: y";
  confirmation.real.fingerprint = 2;
  EXPECT_THAT(told(), HasSubstr("it words them otherwise:\n  the model: error: x\n  the server: error: y\n"));
  EXPECT_FALSE(confirmation.differs_unseen) << "the fingerprint has the words in it";
}

TEST_F(ConfirmationTest, WhereTheyPartIsShown) {
  real.exact[2] = real.by_kind[2] = "d";
  EXPECT_THAT(told(), StartsWith("not confirmed on a server: after 2 equal events they part.\n"
                                 "  the model: c\n  the server: d\n"));
}

TEST_F(ConfirmationTest, SoIsOneThatIsOver) {
  real.exact.pop_back();
  real.by_kind.pop_back();
  EXPECT_THAT(told(), HasSubstr("  the model: c\n  the server: (the run is over)\n"));
  std::swap(modelled, real);
  EXPECT_THAT(told(), HasSubstr("  the model: (the run is over)\n  the server: c\n"));
}

// Both runs are over, and so it is not an event that they differ by.
TEST_F(ConfirmationTest, AnotherLetterIsShownAsOne) {
  confirmation.real.letter = Letter::safe;
  EXPECT_THAT(told(), HasSubstr("  the model: the letter V\n  the server: the letter S\n"));
  EXPECT_FALSE(confirmation.is_confirmed);
}

}  // namespace confirmation_test
}  // namespace holdfast
