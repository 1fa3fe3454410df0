// Compares hand-made matrices with hand-made baselines; nothing is run. .ci/tests/baseline.sh runs the
// program.
#include "harness/matrix/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/matrix/test_matrix.h"
#include "harness/text/bad_input.h"

namespace holdfast::baseline_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using made_for_a_baseline::made_matrix;

bool everything(std::string_view, std::string_view) {
  return true;
}

std::string no_story(const ShrunkFinding&, const LockEntry&) {
  return "";
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
  const std::vector<Change> changes = changes_since(made_matrix(), baseline, everything, no_story);
  EXPECT_THAT(outline(changes), ElementsAre("new one none – S", "gone one pause V –"));
}

TEST(BaselineChanges, TellWhatIsNewBetterAndGoneInThisOrder) {
  const Baseline baseline{{{"one", "none"}, Letter::fenced},
                          {{"old\x1b[31m", "none"}, Letter::violated},
                          {{"old", "pause"}, Letter::not_applicable},
                          {{"two", "none"}, Letter::stuck_bounded}};
  const std::vector<Change> changes = changes_since(made_matrix(), baseline, everything, no_story);
  EXPECT_THAT(outline(changes),
              ElementsAre("new two pause . S", "better one none F S", "gone old [31m none V ."));
}

TEST(BaselineChanges, SayNothingOfWhatTheRunWasNotAskedFor) {
  Baseline baseline{{{"old", "none"}, Letter::violated}, {{"two", "old"}, Letter::violated}};
  for (const char* lock : {"one", "two"}) {
    baseline[{lock, "pause"}] = lock == std::string("one") ? Letter::not_applicable : Letter::safe;
    baseline[{lock, "none"}] = lock == std::string("one") ? Letter::safe : Letter::stuck_bounded;
  }
  const auto not_old = [](std::string_view lock, std::string_view) { return lock != "old"; };
  EXPECT_THAT(outline(changes_since(made_matrix(), baseline, not_old, no_story)),
              ElementsAre("gone two old V ."));
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
  EXPECT_EQ(read_baseline(path_).letters.size(), 4U);
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
  const Baseline baseline = read_baseline(path_).letters;
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

}  // namespace holdfast::baseline_test
