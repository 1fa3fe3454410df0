// Tells hand-made changes of a hand-made matrix; nothing is run. .ci/tests/baseline.sh runs the program.
#include "harness/cli/matrix/baseline_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/matrix/test_matrix.h"

namespace holdfast::cli::baseline_text_test {

using made_for_a_baseline::made_matrix;
using testing::HasSubstr;
using testing::Not;

Change made_change(std::optional<Letter> before, std::optional<Letter> now) {
  Change change;
  change.lock = "two";
  change.family = "none";
  change.title = "title|of none";
  change.before = before;
  change.now = now;
  change.command = "holdfast run family-none";
  change.size = "2 clients";
  change.least = "a pause <of> 9 s";
  change.story = "c1  c2\n";
  return change;
}

TEST(BaselineChanges, AreToldInALineEach) {
  Change better = made_change(Letter::fenced, Letter::safe);
  better.story = "";
  Change fresh = made_change(std::nullopt, Letter::safe);
  fresh.story = "";
  Change none = made_change(Letter::violated, Letter::not_applicable);
  none.story = "";
  Change gone = made_change(Letter::violated, std::nullopt);
  gone.story = "";
  EXPECT_EQ(changes_text({fresh, better, none, gone}, Terminal{}),
            "new: two, none: not in the baseline, is S\n"
            "better: two, none: was F, is S\n"
            "gone: two, none: was V, is –\n"
            "gone: two, none: was V, is not there any more\n");
  EXPECT_EQ(changes_text({}, Terminal{}), "Nothing changed since the baseline.\n");
}

TEST(BaselineChanges, TellTheStoryOfWhatGotWorseAndOfWhatIsNew) {
  for (const auto before : {std::optional(Letter::safe), std::optional<Letter>()}) {
    const std::string text = changes_text({made_change(before, Letter::violated)}, Terminal{});
    EXPECT_THAT(text, HasSubstr("is V\n  2 clients: a pause <of> 9 s\n"
                                "  found as: holdfast run family-none\n\nc1  c2\n\n"));
  }
}

TEST(BaselineMarkdown, CountsAndEscapes) {
  const std::string text = changes_markdown(made_matrix(), {made_change(Letter::safe, Letter::violated)});
  EXPECT_THAT(text, HasSubstr("2 locks, 30 runs: 1 worse, 0 better than the baseline, 0 new, 0 gone.\n"));
  EXPECT_THAT(text, HasSubstr("| two | title\\|of none | S | **V** | 2 clients: a pause \\<of\\> 9 s |\n"));
  EXPECT_THAT(text, HasSubstr("<details><summary>two, none: S → V</summary>"));
}

TEST(BaselineMarkdown, StaysBelowWhatACommentMayHave) {
  Change large = made_change(Letter::safe, Letter::violated);
  large.story = std::string(5'000, 'x') + "\n";
  const std::string text = changes_markdown(made_matrix(), std::vector<Change>(500, large));
  EXPECT_LT(text.size(), 61'000U);
  EXPECT_THAT(text, HasSubstr("500 worse"));
  EXPECT_THAT(text, HasSubstr(" more, which the output of this run has."));
  EXPECT_THAT(text, HasSubstr("<details>"));
}

TEST(BaselineMarkdown, WithoutABaselineTellsOfTheExpectedTable) {
  const Matrix matrix = made_matrix();
  EXPECT_EQ(disagreements_markdown(matrix, std::nullopt),
            "### holdfast\n\n2 locks, 30 runs: 1 L, 2 S, 1 –.\n");
  EXPECT_THAT(disagreements_markdown(matrix, std::vector<Disagreement>{}),
              HasSubstr("1 –.\n\nNothing disagrees with the expected table.\n"));
  EXPECT_THAT(
      disagreements_markdown(matrix, std::vector<Disagreement>{{1, 0, Letter::safe}}),
      HasSubstr("expected table: 1\n\n| lock | faults | expected | is | again |\n"
                "| --- | --- | --- | --- | --- |\n"
                "| two | title\\|of none | S | **L** | `holdfast run family-none --lock two --seed 0` |\n"));
}

TEST(BaselineJunit, FailsWhatGotWorseSkipsWhatWasNotRunAndTellsOfTheRest) {
  Change gone = made_change(Letter::violated, std::nullopt);
  gone.lock = "old";
  const Change worse = made_change(Letter::safe, Letter::stuck_bounded);
  Change fresh = made_change(std::nullopt, Letter::safe);
  fresh.family = "pause";
  const std::string text = junit_xml(made_matrix(), {worse, fresh, gone}, 1.5);
  EXPECT_THAT(text, HasSubstr("tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"2\" time=\"1.500\""));
  EXPECT_THAT(text, HasSubstr("<testcase classname=\"one\" name=\"none\"/>"));
  EXPECT_THAT(
      text, HasSubstr("<testcase classname=\"one\" name=\"pause\">\n<skipped message=\"not applicable\"/>"));
  EXPECT_THAT(text,
              HasSubstr("<failure message=\"was S, is L: a pause &lt;of&gt; 9 s\">holdfast run family-none"));
  EXPECT_THAT(text, HasSubstr("<system-out>not in the baseline, is S"));
  EXPECT_THAT(
      text,
      HasSubstr("classname=\"old\" name=\"none\">\n<skipped message=\"was V, is not there any more\"/>"));
}

}  // namespace holdfast::cli::baseline_text_test
