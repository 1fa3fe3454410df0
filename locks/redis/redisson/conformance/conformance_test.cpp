// Our Redisson locks do what the library does: the same sequences, and what the servers saw of them.
//
// The facts (redisson-*.json) are of the real library on a real server, in real time; record.sh records them
// anew. Here the same is done in `warp`. What is compared: of every process and server, its commands in their
// order, each with its name, its answer and what it did to keys and their times to live; and what every call
// returned. Times, and numbers that are times, may differ by `tolerance_ms`, because a JVM takes its time,
// and Redisson's timers tick ten times a second. What is left out, on either side:
// - the key under which Redisson keeps the outcome of an unlock, and its DEL (see rlock.cpp);
// - what a client says about its connections, and whether a script was sent by its text or its hash;
// - brackets around one number: Redisson renews in batches;
// - the order of a hash's fields.
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>

#include "harness/stores/redis/server/real_nodes.h"
#include "locks/redis/redisson/conformance/test_world.h"

namespace holdfast::redisson {
namespace conformance_test {

constexpr std::int64_t tolerance_ms = 250;

const std::string folder = std::string(HOLDFAST_SOURCE_DIR) + "/locks/redis/redisson/conformance/";

bool about_same(std::int64_t one, std::int64_t other) {
  return std::abs(one - other) <= tolerance_ms;
}

// Timers that are set anew by what a timer did are late by a little more each time.
bool about_the_same_time(std::int64_t one, std::int64_t other) {
  return std::abs(one - other) <= tolerance_ms + std::min(one, other) / 20;
}

// Numbers of this size are times that are left; smaller ones are answers, counts and tokens.
constexpr std::int64_t least_time_ms = 100;

bool same_reply(const std::string& one, const std::string& other) {
  const auto words = [](std::string text) {
    std::ranges::replace_if(text, [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
    std::istringstream stream(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
  };
  const auto same = [](const std::string& first, const std::string& second) {
    const auto number = [](const std::string& word) {
      char* end = nullptr;
      const std::int64_t value = std::strtoll(word.c_str(), &end, 10);
      return *end == '\0' ? value : 0;
    };
    return first == second || (number(first) >= least_time_ms && number(second) >= least_time_ms &&
                               about_same(number(first), number(second)));
  };
  return std::ranges::equal(words(one), words(other), same);
}

std::string sorted_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
  if (!words.empty() && words.front() == "hash") {
    std::ranges::sort(words.begin() + 1, words.end());
  }
  return fmt::format("{}", fmt::join(words, " "));
}

bool is_outcome_of_unlock(const std::string& text) {
  return text.find("redisson_unlock_latch") != std::string::npos;
}

Json without_outcomes(const Json& changes) {
  Json kept = Json::array();
  for (const Json& change : changes) {
    if (!is_outcome_of_unlock(change.at("key"))) {
      kept.push_back(change);
    }
  }
  return kept;
}

bool same_change(const Json& one, const Json& other) {
  if (one.at("key") != other.at("key") || sorted_words(one.at("is")) != sorted_words(other.at("is")) ||
      one.contains("ttl") != other.contains("ttl") || one.contains("due") != other.contains("due")) {
    return false;
  }
  const auto close = [](const Json& first, const Json& second) { return about_same(first, second); };
  return (!one.contains("ttl") || close(one.at("ttl"), other.at("ttl"))) &&
         (!one.contains("due") || std::ranges::equal(one.at("due"), other.at("due"), close));
}

bool same_command(const Json& one, const Json& other) {
  if (one.at("command") != other.at("command") || !about_the_same_time(one.at("at"), other.at("at")) ||
      one.contains("reply") != other.contains("reply")) {
    return false;
  }
  if (!one.contains("reply")) {
    return true;
  }
  const auto by_key = [](const Json& changes) {
    std::map<std::string, Json> sorted;
    for (const Json& change : changes) {
      sorted[change.at("key")] = change;
    }
    return sorted;
  };
  const auto same_change_of_key = [](const auto& first, const auto& second) {
    return same_change(first.second, second.second);
  };
  const bool both_did = one.contains("did") && other.contains("did");
  return same_reply(one.at("reply"), other.at("reply")) &&
         (!both_did || std::ranges::equal(by_key(without_outcomes(one.at("did"))),
                                          by_key(without_outcomes(other.at("did"))), same_change_of_key));
}

bool same_call(const Json& one, const Json& other) {
  return one.at("call") == other.at("call") && one.at("result") == other.at("result") &&
         about_the_same_time(one.at("at"), other.at("at"));
}

// "a at 2" → the lines of `record`, in their order.
std::map<std::string, std::vector<Json>> by_place(const Json& lines) {
  std::map<std::string, std::vector<Json>> places;
  for (const Json& line : lines) {
    if (line.contains("command") && is_outcome_of_unlock(line.at("command"))) {
      continue;
    }
    std::string place = line.at("who");
    if (line.contains("server")) {
      place += " at " + line.at("server").dump();
    }
    places[place].push_back(line);
  }
  return places;
}

std::string differences(const Json& of_library, const Json& of_ours, bool (*same)(const Json&, const Json&)) {
  auto library = by_place(of_library);
  auto ours = by_place(of_ours);
  std::string text;
  for (const auto& [place, lines] : ours) {
    library.try_emplace(place);
  }
  for (const auto& [place, expected] : library) {
    const std::vector<Json>& found = ours[place];
    for (std::size_t index = 0; index < std::max(expected.size(), found.size()); ++index) {
      if (index >= expected.size() || index >= found.size() || !same(expected[index], found[index])) {
        text += fmt::format("{}, {}:\n  library {}\n  ours    {}\n", place, index + 1,
                            index < expected.size() ? expected[index].dump() : "nothing",
                            index < found.size() ? found[index].dump() : "nothing");
        break;  // what follows is shifted
      }
    }
  }
  return text;
}

struct Release {
  std::string file;
  TestNames names;
};

const std::vector<Release>& releases() {
  static const std::vector<Release> all = {
      {"redisson-4.7.0.json",
       {{"rlock", "redisson-rlock"},
        {"lease", "redisson-rlock-lease"},
        {"fair", "redisson-fair-pttl"},
        {"multi", "redisson-multi"},
        {"red", "redisson-red"},
        {"read", "redisson-rw"},
        {"write", "redisson-rw"},
        {"semaphore", "redisson-semaphore"},
        {"latch", "redisson-latch"},
        {"fenced", "redisson-fenced"},
        {"fenced-gettoken", "redisson-fenced-gettoken"}}},
      {"redisson-3.29.0.json", {{"rlock", "redisson-rlock-004"}, {"fair", "redisson-fair"}}},
  };
  return all;
}

Json facts_of(const Release& release) {
  std::ifstream file(folder + release.file);
  return Json::parse(file);
}

TEST(Conformance, EverySequenceIsSeenByTheServerAsTheLibrarysIs) {
  const std::vector<TestSequence> sequences = read_sequences(folder + "sequences.txt");
  live::RealNodes servers;
  for (const Release& release : releases()) {
    const Json facts = facts_of(release);
    std::size_t compared = 0;
    for (const Json& fact : facts.at("sequences")) {
      const auto sequence =
          std::ranges::find(sequences, fact.at("name").get<std::string>(), &TestSequence::name);
      ASSERT_NE(sequence, sequences.end())
          << release.file << " has a sequence that sequences.txt lacks: " << fact.at("name");
      const Json ours = TestWorld(*sequence, release.names, servers).run();
      const std::string different = differences(fact.at("calls"), ours.at("calls"), same_call) +
                                    differences(fact.at("commands"), ours.at("commands"), same_command);
      EXPECT_EQ(different, "") << release.file << ", " << sequence->name;
      ++compared;
    }
    std::printf("%s: %zu sequences\n", facts.at("library").get<std::string>().c_str(), compared);
  }
}

TEST(Conformance, TheLatestReleaseDidEverySequence) {
  const Json facts = facts_of(releases().front());
  for (const TestSequence& sequence : read_sequences(folder + "sequences.txt")) {
    EXPECT_TRUE(std::ranges::any_of(facts.at("sequences"), [&](const Json& fact) {
      return fact.at("name") == sequence.name;
    })) << sequence.name;
  }
}

Json a_command() {
  return Json::parse(R"({"at": 500, "who": "a", "server": 1, "command": "EVAL", "reply": "2500",
      "did": [{"key": "lock", "is": "hash a:1=1 mode=read", "ttl": 3000}]})");
}

TEST(Conformance, WhatDiffersIsTold) {
  const Json one = a_command();
  EXPECT_TRUE(same_command(one, one));
  const auto changed = [](auto change) {
    Json other = a_command();
    change(other);
    return other;
  };
  EXPECT_TRUE(same_command(one, changed([](Json& line) { line["reply"] = "2450"; })));
  EXPECT_TRUE(same_command(one, changed([](Json& line) { line["did"][0]["is"] = "hash mode=read a:1=1"; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["reply"] = "2100"; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["reply"] = "nil"; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["at"] = 900; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["command"] = "WAIT 1 1000"; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["did"][0]["is"] = "hash a:1=2 mode=read"; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["did"][0]["ttl"] = 2000; })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["did"][0].erase("ttl"); })));
  EXPECT_FALSE(same_command(one, changed([](Json& line) { line["did"].clear(); })));
  EXPECT_NE(differences(Json::array({one}), Json::array(), same_command), "");
  EXPECT_NE(differences(Json::array(), Json::array({one}), same_command), "");
}

}  // namespace conformance_test
}  // namespace holdfast::redisson
