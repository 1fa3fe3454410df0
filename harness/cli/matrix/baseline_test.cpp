// Compares hand-made matrices with hand-made baselines; nothing is run. .ci/tests/baseline.sh runs the
// program.
#include "harness/cli/matrix/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/cli/terminal/bad_input.h"

namespace holdfast::cli::baseline_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

LockEntry made_lock(std::string_view id) {
  LockEntry lock;
  lock.id = id;
  return lock;
}
const LockEntry one_lock = made_lock("one");
const LockEntry two_lock = made_lock("two");

// one: S under none, – under pause; two: L and S.
Matrix made_matrix() {
  Matrix matrix;
  matrix.locks = {&one_lock, &two_lock};
  for (const char* name : {"none", "pause"}) {
    Scenario family;
    family.name = std::string("family-") + name;
    family.title = std::string("title|of ") + name;
    matrix.families.push_back(family);
  }
  for (const Letter letter : {Letter::safe, Letter::not_applicable, Letter::stuck_bounded, Letter::safe}) {
    Cell cell;
    cell.letter = letter;
    cell.runs = letter == Letter::not_applicable ? 0 : 10;
    matrix.cells.push_back(cell);
  }
  return matrix;
}

bool everything(std::string_view, std::string_view) {
  return true;
}

// "worse one none S V", a line each; what is not there is a dot.
std::vector<std::string> outline(const std::vector<Change>& changes) {
  constexpr std::array words{"worse", "new", "better", "gone"};
  std::vector<std::string> lines;
  for (const Change& change : changes) {
    const auto text = [](const std::optional<Letter>& letter) {
      return letter ? std::string(to_text(*letter)) : ".";
    };
    lines.push_back(std::string(words[static_cast<std::size_t>(change.kind())]) + " " + change.lock + " " +
                    change.family + " " + text(change.before) + " " + text(change.now));
  }
  return lines;
}

TEST(BaselineChanges, NotApplicableIsNeitherBetterNorWorse) {
  const Baseline baseline{{{"one", "none"}, Letter::not_applicable},
                          {{"one", "pause"}, Letter::violated},
                          {{"two", "none"}, Letter::stuck_bounded},
                          {{"two", "pause"}, Letter::safe}};
  const std::vector<Change> changes = changes_since(made_matrix(), baseline, everything);
  EXPECT_THAT(outline(changes), ElementsAre("new one none – S", "gone one pause V –"));
  EXPECT_EQ(changes_text(changes, Terminal{}),
            "new: one, none: was –, is S\n"
            "gone: one, pause: was V, is –\n");
}

TEST(BaselineChanges, TellWhatIsNewBetterAndGoneInThisOrder) {
  const Baseline baseline{{{"one", "none"}, Letter::fenced},
                          {{"old\x1b[31m", "none"}, Letter::violated},
                          {{"old", "pause"}, Letter::not_applicable},
                          {{"two", "none"}, Letter::stuck_bounded}};
  const std::vector<Change> changes = changes_since(made_matrix(), baseline, everything);
  EXPECT_THAT(outline(changes),
              ElementsAre("new two pause . S", "better one none F S", "gone old [31m none V ."));
  EXPECT_EQ(changes_text(changes, Terminal{}),
            "new: two, pause: not in the baseline, is S\n"
            "better: one, none: was F, is S\n"
            "gone: old [31m, none: was V, is not there any more\n");
}

TEST(BaselineChanges, SayNothingOfWhatTheRunWasNotAskedFor) {
  Baseline baseline{{{"old", "none"}, Letter::violated}, {{"two", "old"}, Letter::violated}};
  for (const char* lock : {"one", "two"}) {
    baseline[{lock, "pause"}] = lock == std::string("one") ? Letter::not_applicable : Letter::safe;
    baseline[{lock, "none"}] = lock == std::string("one") ? Letter::safe : Letter::stuck_bounded;
  }
  const auto not_old = [](std::string_view lock, std::string_view) { return lock != "old"; };
  EXPECT_THAT(outline(changes_since(made_matrix(), baseline, not_old)), ElementsAre("gone two old V ."));
  EXPECT_EQ(changes_text({}, Terminal{}), "Nothing changed since the baseline.\n");
}

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

class BaselineFile : public testing::Test {
 protected:
  ~BaselineFile() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_) << text; }

  std::string problem() const {
    try {
      read_baseline(path_);
    } catch (const BadInput& problem) {
      return problem.what();
    }
    return "no problem";
  }

  const std::string path_ = testing::TempDir() + "baseline-" + std::to_string(::getpid()) + ".json";
};

TEST_F(BaselineFile, IsNewWhereThereIsNone) {
  const UpdatedBaseline update = updated_baseline(path_, made_matrix(), everything);
  EXPECT_EQ(update.text, matrix_json(made_matrix(), nullptr));
  EXPECT_EQ(update.kept, 0U);
  write(update.text);
  EXPECT_EQ(read_baseline(path_).size(), 4U);
}

TEST_F(BaselineFile, KeepsWhatTheRunWasNotAskedFor) {
  write(R"({"format": "holdfast-matrix", "version": 1, "seed": 7, "runs": 3,
            "families": [{"name": "kept"}, {"name": "none", "title": "old title"}, {"name": "lost"}],
            "cells": [{"lock": "one", "family": "kept", "letter": "D", "runs": 3},
                      {"lock": "one", "family": "none", "letter": "V", "runs": 3},
                      {"lock": "gone", "family": "none", "letter": "V", "runs": 3},
                      {"lock": "one", "family": "lost", "letter": "V", "runs": 3}]})");
  const auto not_kept = [](std::string_view, std::string_view family) { return family != "kept"; };
  const UpdatedBaseline update = updated_baseline(path_, made_matrix(), not_kept);
  EXPECT_EQ(update.kept, 1U);
  EXPECT_EQ(update.gone, 2U);
  const auto json = nlohmann::json::parse(update.text);
  std::string names;
  for (const auto& family : json.at("families")) {
    names += family.at("name").get<std::string>() + " ";
  }
  EXPECT_EQ(names, "kept none pause ");
  EXPECT_EQ(json.at("families").at(1).at("title"), "title|of none");
  EXPECT_EQ(json.at("runs"), 33);
  EXPECT_FALSE(json.contains("seed")) << "the cells began with different ones";
  write(update.text);
  const Baseline baseline = read_baseline(path_);
  EXPECT_EQ(baseline.size(), 5U);
  EXPECT_EQ(baseline.at({"one", "kept"}), Letter::stuck_for_ever);
  EXPECT_EQ(baseline.at({"one", "none"}), Letter::safe);
  EXPECT_EQ(baseline.at({"two", "none"}), Letter::stuck_bounded);
}

TEST_F(BaselineFile, IsRefusedInOneSentenceIfItIsNone) {
  EXPECT_THAT(problem(), HasSubstr("cannot read the baseline"));
  const std::string head = R"({"format": "holdfast-matrix", "version": 1, )";
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string(R"({"format": "x"})"),
        head + R"("cells": {}})", head + R"("cells": [7]})", head + R"("cells": [], "families": {}})",
        head + R"("cells": [], "families": [{"name": 7}]})",
        head + R"("cells": [{"lock": "a", "family": "b", "letter": "Q"}]})",
        head + R"("cells": [{"lock": "a", "family": "b", "letter": "S", "runs": "many"}]})"}) {
    write(text);
    EXPECT_THAT(problem(), Not(HasSubstr("no problem"))) << text;
    EXPECT_THROW(updated_baseline(path_, made_matrix(), everything), BadInput) << text;
  }
}

}  // namespace holdfast::cli::baseline_test
