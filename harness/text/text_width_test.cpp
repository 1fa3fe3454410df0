// Checks widths and breaks against texts counted by hand, among them multi-byte, wide and broken ones.
#include "harness/text/text_width.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using Lines = std::vector<std::string>;

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("lock"), 4U);
  EXPECT_EQ(display_width("→ ✗ …"), 5U);
  EXPECT_EQ(display_width("锁"), 2U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
}

TEST(TextWidth, TakesOneColumnForAByteThatIsNotUtf8) {
  EXPECT_EQ(display_width("\xff"), 1U);
  EXPECT_EQ(display_width("\xe2\x82"), 2U);
}

TEST(TextWidth, MakesControlCharactersAndBrokenBytesHarmless) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a [31mb");
  EXPECT_EQ(printable("a\nb"), "a b");
  EXPECT_EQ(printable("a\u202Eb\u2066c\u2028d"), "a b c d");
  EXPECT_EQ(printable("a\xc0\xaf"), "a\uFFFD\uFFFD");
}

TEST(TextWidth, PadsToColumns) {
  EXPECT_EQ(padded_right("→", 3), "→  ");
  EXPECT_EQ(padded_right("lock", 2), "lock");
}

TEST(TextWidth, ShortensWithAnEllipsisThatFits) {
  EXPECT_EQ(shortened("mutual exclusion", 16), "mutual exclusion");
  EXPECT_EQ(shortened("mutual exclusion", 8), "mutual…");
  EXPECT_EQ(shortened("锁锁锁", 4), "锁…");
  EXPECT_EQ(shortened("lock", 1), "…");
  EXPECT_EQ(shortened("lock", 0), "");
}

TEST(TextWidth, WrapsAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("SET lock c1 NX PX 10000 → OK", 16, 4), (Lines{"SET lock c1 NX", "  PX 10000 → OK"}));
  EXPECT_EQ(wrapped("", 16, 4), (Lines{""}));
}

TEST(TextWidth, BreaksAWordThatIsTooLong) {
  EXPECT_EQ(wrapped("abcdefghijklmnop", 10, 4), (Lines{"abcdefghij", "  klmnop"}));
}

TEST(TextWidth, CutsOffWhatDoesNotFitIntoTheLastLine) {
  EXPECT_EQ(wrapped("one two three four five", 9, 2), (Lines{"one two", "  three…"}));
}

TEST(TextWidth, EndsEvenWhenNothingFits) {
  EXPECT_EQ(wrapped("锁锁", 1, 3).size(), 3U);
}

}  // namespace
}  // namespace holdfast
