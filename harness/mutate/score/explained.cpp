#include "harness/mutate/score/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "harness/scenario/file/load.h"
#include "harness/text/bad_input.h"

namespace holdfast {
namespace {

using PlainJson = nlohmann::json;

Explanation explanation_from(const PlainJson& json, const std::string& file, std::size_t number) {
  const auto fail = [&](std::string_view what) {
    return BadInput(fmt::format("{} explained[{}]: {}", file, number, what));
  };
  const auto has_text = [&](const char* name) { return json.contains(name) && json.at(name).is_string(); };
  if (!json.is_object() || !has_text("mutant") || !has_text("why") || !json.contains("locks") ||
      !json.at("locks").is_array() || !json.contains("equivalent") || !json.at("equivalent").is_boolean()) {
    throw fail(R"(expected an object with "mutant", "locks", "equivalent" and "why")");
  }
  Explanation explanation;
  explanation.mutant = json.at("mutant").get<std::string>();
  explanation.why = json.at("why").get<std::string>();
  explanation.is_equivalent = json.at("equivalent").get<bool>();
  for (const PlainJson& lock : json.at("locks")) {
    if (!lock.is_string()) {
      throw fail("\"locks\" are ids of locks");
    }
    explanation.locks.push_back(lock.get<std::string>());
  }
  if (explanation.why.empty() || explanation.locks.empty()) {
    throw fail("says nothing, or of no lock");
  }
  return explanation;
}

}  // namespace

ExplainedSurvivors ExplainedSurvivors::parse(std::string_view text, const std::string& file) {
  const PlainJson document = PlainJson::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("explained") || !document.at("explained").is_array()) {
    throw BadInput(fmt::format("{}: expected a JSON object with a list \"explained\"", file));
  }
  if (document.value("version", PlainJson(survivors_version)) != survivors_version) {
    throw BadInput(fmt::format("{} version: found {}; this holdfast reads version {}", file,
                               document.at("version").dump(), survivors_version));
  }
  ExplainedSurvivors survivors;
  for (const PlainJson& each : document.at("explained")) {
    survivors.explanations_.push_back(explanation_from(each, file, survivors.explanations_.size()));
  }
  return survivors;
}

const Explanation* ExplainedSurvivors::find(std::string_view lock, std::string_view mutant) const {
  const auto found = std::ranges::find_if(explanations_, [&](const Explanation& each) {
    return each.mutant == mutant && std::ranges::count(each.locks, lock) > 0;
  });
  return found == explanations_.end() ? nullptr : &*found;
}

std::vector<std::string> ExplainedSurvivors::locks() const {
  std::vector<std::string> all;
  for (const Explanation& each : explanations_) {
    for (const std::string& lock : each.locks) {
      if (std::ranges::count(all, lock) == 0) {
        all.push_back(lock);
      }
    }
  }
  return all;
}

std::vector<std::string> ExplainedSurvivors::disputes(const std::vector<LockScore>& scores, bool all) const {
  std::vector<std::string> sentences;
  const std::vector<std::string> named = locks();
  for (const LockScore& score : scores) {
    const bool is_named = std::ranges::count(named, score.lock->id) > 0;
    for (const MutantScore& mutant : score.mutants) {
      const bool is_explained = find(score.lock->id, mutant.words.id) != nullptr;
      if (mutant.fate == Fate::survived && is_named && !is_explained) {
        sentences.push_back(
            fmt::format("{}: {} survived, and nobody has said why", score.lock->id, mutant.words.id));
      } else if (mutant.fate != Fate::survived && is_explained) {
        sentences.push_back(fmt::format(
            "{}: {} is explained as a survivor, and was killed by {}", score.lock->id, mutant.words.id,
            mutant.fate == Fate::killed_by_matrix ? "the matrix" : "exploration"));
      }
    }
    for (const Explanation& each : explanations_) {
      if (all && std::ranges::count(each.locks, score.lock->id) > 0 &&
          std::ranges::none_of(score.mutants,
                               [&](const MutantScore& mutant) { return mutant.words.id == each.mutant; })) {
        sentences.push_back(fmt::format("{}: {} is explained as a survivor, and there is no such mutant",
                                        score.lock->id, each.mutant));
      }
    }
  }
  return sentences;
}

ExplainedSurvivors explained_survivors(const Shelf& shelf) {
  const std::filesystem::path path = std::filesystem::path(shelf.directory()) / "survivors.json";
  std::error_code ignored;
  return std::filesystem::exists(path, ignored)
             ? ExplainedSurvivors::parse(read_scenario_text(path.string()), path.string())
             : ExplainedSurvivors();
}

}  // namespace holdfast
