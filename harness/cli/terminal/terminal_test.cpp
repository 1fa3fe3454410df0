#include "harness/cli/terminal/terminal.h"

#include <gtest/gtest.h>

namespace holdfast::cli {
namespace {

using std::chrono::milliseconds;

TEST(Terminal, ReadsTheThreeColorChoices) {
  EXPECT_EQ(color_choice_from("auto"), ColorChoice::automatic);
  EXPECT_EQ(color_choice_from("always"), ColorChoice::always);
  EXPECT_EQ(color_choice_from("never"), ColorChoice::never);
  EXPECT_EQ(color_choice_from("sometimes"), std::nullopt);
}

TEST(Terminal, PaintsOnlyWhenEnabled) {
  EXPECT_EQ(painted("V", Color::red, true), "\x1b[31mV\x1b[0m");
  EXPECT_EQ(painted("V", Color::red, false), "V");
  EXPECT_EQ(painted("V", Color::plain, true), "V");
}

TEST(Terminal, NeverAndAlwaysDoNotDependOnWhereOutputGoes) {
  EXPECT_FALSE(look_at_terminal(ColorChoice::never).color);
  EXPECT_TRUE(look_at_terminal(ColorChoice::always).color);
}

TEST(ProgressText, ShowsHowFarItIsAndHowLongItWillTake) {
  EXPECT_EQ(progress_text("cells", 10, 40, milliseconds(2000), 80),
            "cells [#######-----------------------] 10/40, 6 s left");
}

TEST(ProgressText, SaysNothingOfTheTimeLeftAtTheStartAndTheEnd) {
  EXPECT_EQ(progress_text("cells", 0, 40, milliseconds(5), 80),
            "cells [------------------------------] 0/40");
  EXPECT_EQ(progress_text("cells", 40, 40, milliseconds(5), 80),
            "cells [##############################] 40/40");
}

TEST(ProgressText, IsALineForALog) {
  EXPECT_EQ(progress_line("cells", 10, 40, milliseconds(2000)), "holdfast: cells 10/40, 6 s left");
  EXPECT_EQ(progress_line("cells", 0, 40, milliseconds(2000)), "holdfast: cells 0/40");
}

TEST(ProgressText, FitsTheWidth) {
  EXPECT_LE(progress_text("cells", 10, 40, milliseconds(2000), 20).size(), 20U + 2U);
}

}  // namespace
}  // namespace holdfast::cli
