// How: pieces are written and read back; what reads them refuses every file in which one thing is wrong.
#include "harness/explore/piece_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "faults/test_options.h"
#include "harness/explore/test_target.h"

namespace holdfast {
namespace piece_file_test {

StoredPiece some_piece() {
  const ExploreTarget target = small_target("redis-px-cad", 2, 3);
  StoredPiece piece;
  piece.name.lock = "redis-px-cad";
  piece.name.scenario = "family-none";
  piece.name.strategy = "swarm";
  piece.name.count = 300;
  piece.name.clients = 3;
  piece.name.rounds = 1;
  piece.name.most_faults = 2;
  piece.name.content = content_hash(target);
  piece.result = explore(target, "swarm", 300);
  return piece;
}

std::string refusal(const std::string& text) {
  try {
    piece_from(text, "p.json");
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "none";
}

TEST(PieceFile, IsReadAsItWasWritten) {
  const StoredPiece piece = some_piece();
  ASSERT_FALSE(piece.result.findings.empty());
  const StoredPiece again = piece_from(to_json_text(piece), "p.json");
  EXPECT_EQ(again.name, piece.name);
  EXPECT_EQ(to_json_text(again), to_json_text(piece));
}

TEST(PieceFile, TakesClientsOfAnyNameAndTheirThreads) {
  StoredPiece piece = some_piece();
  FaultSpec fault = menu_fault("gc-pause", "alice", ScenarioDuration{5s, 0});
  fault.at.process = "bob";
  fault.at.ordinal = 3;
  FaultSpec cut = menu_fault("partition", "alice", std::nullopt);
  cut.at = fault.at;
  set_option(cut, "peers", "carol");
  cut.until = StepSelector{};
  cut.until->process = "dave";
  cut.until->ordinal = 9;
  FaultSpec crash = menu_fault("crash", "bob");
  crash.at = fault.at;
  set_option(crash, "thread", 3);
  piece.result.findings.front().faults = {fault, cut, crash};
  const std::vector<FaultSpec> faults =
      piece_from(to_json_text(piece), "p.json").result.findings.front().faults;
  ASSERT_EQ(faults.size(), 3U);
  EXPECT_EQ(faults[0].on, "alice");
  EXPECT_EQ(faults[0].at.process, "bob");
  EXPECT_EQ(said(faults[1], "peers"), OptionValue("carol"));
  EXPECT_EQ(faults[1].until->process, "dave");
  EXPECT_EQ(said(faults[2], "thread"), OptionValue(3));
}

TEST(PieceFile, RefusesWhateverIsWrong) {
  const auto whole = nlohmann::json::parse(to_json_text(some_piece()));
  const std::string sentence =
      "p.json is no piece of an exploration, or one that was cut short or changed; remove it, and it is "
      "explored again";
  ASSERT_EQ(refusal(with_checksum(whole.dump())), "none");
  const auto expect_refused = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = whole;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_EQ(refusal(with_checksum(changed.dump())), sentence) << pointer << " " << value;
  };
  expect_refused("/lock", "redis-px-cda");
  expect_refused("/lock", 7);
  expect_refused("/strategy", "swam");
  expect_refused("/seed", -1);
  expect_refused("/first", -500);
  expect_refused("/count", 0);
  expect_refused("/count", 200);
  expect_refused("/clients", 0);
  expect_refused("/clients", 65);
  expect_refused("/rounds", 0);
  expect_refused("/most_faults", 17);
  expect_refused("/most_faults", 1.5);
  expect_refused("/content", "12");
  expect_refused("/runs", 299);
  expect_refused("/runs_by_letter", nlohmann::json::array({0, 300}));
  expect_refused("/runs_by_letter/1", -3);
  expect_refused("/runs_by_letter/1", 0);  // the sum is another then
  expect_refused("/has_every_run", "yes");
  expect_refused("/findings/0/letter", "X");
  expect_refused("/findings/0/letter", "S");
  expect_refused("/findings/0/run", 300);
  expect_refused("/findings/0/shows_its_letter", "yes");
  expect_refused("/findings/0/choices/0/4", -1);
  expect_refused("/findings/0/choices/0", "latency");
  expect_refused("/findings/0/faults/faults", 7);
  EXPECT_EQ(refusal(whole.dump().substr(0, 200)), sentence);
  EXPECT_EQ(refusal("[]"), sentence);
  nlohmann::json old = whole;
  old["version"] = 4;
  EXPECT_EQ(
      refusal(old.dump()),
      "p.json is no piece of an exploration that this holdfast reads, but perhaps one of an older holdfast; "
      "remove it, and it is explored again");
}

// Also where what it says could be true: the marks, the order in which things were found, a letter.
TEST(PieceFile, RefusesOneThatWasCutOrChangedAnywhere) {
  const std::string whole = to_json_text(some_piece());
  ASSERT_EQ(refusal(whole), "none");
  EXPECT_EQ(refusal(with_checksum(whole)), "none");
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    EXPECT_NE(refusal(whole.substr(0, length)), "none") << length;
  }
  for (std::size_t at = 0; at < whole.size(); at += 13) {
    std::string changed = whole;
    changed[at] = changed[at] == '1' ? '2' : '1';
    EXPECT_NE(refusal(changed), "none") << at << ": " << whole.substr(at, 20);
  }
  auto other_marks = nlohmann::ordered_json::parse(whole);
  other_marks["marks"] = other_marks["marks"].get<std::uint64_t>() ^ 1U;
  EXPECT_NE(refusal(other_marks.dump()), "none");
  other_marks.erase("checksum");
  EXPECT_NE(refusal(other_marks.dump()), "none");
}

TEST(PieceFile, ContentIsAnotherIfTheScenarioOrTheMenuIs) {
  const ExploreTarget target = small_target("redis-px-cad", 2, 3);
  EXPECT_EQ(content_hash(target), content_hash(small_target("redis-px-cad", 2, 3)));
  ExploreTarget other = target;
  other.scenario.workload.work.fixed += 1ms;
  EXPECT_NE(content_hash(other), content_hash(target));
  other = target;
  other.scope.menu.front().lasts = ScenarioDuration{1s, 0};
  EXPECT_NE(content_hash(other), content_hash(target));
}

TEST(PieceFile, PiecesOfOneTargetDifferInTheirRunsOnly) {
  const PieceName one;
  PieceName other = one;
  other.first = 500;
  other.count = 7;
  EXPECT_TRUE(is_same_target(one, other));
  other.content = 1;
  EXPECT_FALSE(is_same_target(one, other));
}

}  // namespace piece_file_test
}  // namespace holdfast
