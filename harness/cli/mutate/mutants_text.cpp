#include "harness/cli/mutate/mutants_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/terminal/table.h"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Counts {
  std::size_t all = 0;
  std::size_t by_matrix = 0;
  std::size_t by_exploration = 0;
  std::size_t survived = 0;
  std::size_t equivalent = 0;  // of the survivors

  void add(const LockScore& score, const ExplainedSurvivors& explained) {
    all += score.mutants.size();
    by_matrix += score.count(Fate::killed_by_matrix);
    by_exploration += score.count(Fate::killed_by_exploration);
    for (const MutantScore& mutant : score.mutants) {
      if (mutant.fate == Fate::survived) {
        ++survived;
        const Explanation* const why = explained.find(score.lock->id, mutant.words.id);
        equivalent += why != nullptr && why->is_equivalent ? 1 : 0;
      }
    }
  }

  // Of those that something could find, how many the matrix does.
  std::string percent() const {
    const std::size_t worse = all - equivalent;
    return worse == 0
               ? "–"
               : fmt::format("{:.1f} %", 100.0 * static_cast<double>(by_matrix) / static_cast<double>(worse));
  }

  std::vector<std::string> row(std::string name) const {
    return {std::move(name),
            fmt::format("{:>4}", all),
            fmt::format("{:>4}", by_matrix),
            fmt::format("{:>4}", by_exploration),
            fmt::format("{:>4}", survived),
            fmt::format("{:>4}", equivalent),
            percent()};
  }
};

std::string matrix_kill_text(const MutantScore& mutant, const std::vector<Scenario>& families) {
  const std::string family = family_name(families[mutant.matrix.family]);
  return mutant.matrix.broke_off.empty()
             ? fmt::format("{}: {} → {}", family, to_text(mutant.honest_letter),
                           to_text(mutant.matrix.letter))
             : fmt::format("{}: the lock itself broke off ({})", family, mutant.matrix.broke_off);
}

std::string survivor_text(const LockEntry& lock, const MutantScore& mutant, const ScoredMutants& scored) {
  const Explanation* const why = scored.explained->find(lock.id, mutant.words.id);
  if (why != nullptr) {
    return fmt::format("      {}: {}\n",
                       why->is_equivalent ? "no worse than the lock itself" : "not found yet", why->why);
  }
  return fmt::format(
      "      what was tried does not exercise {};\n      or it is no worse than the lock itself: {}\n",
      mutant.words.unexercised, mutant.words.equivalent_if);
}

std::string mutant_text(const LockEntry& lock, const MutantScore& mutant, const ScoredMutants& scored,
                        const Terminal& terminal) {
  const auto line = [&](Color color, std::string_view fate) {
    return fmt::format("  {} {}\n      {}\n", painted(fmt::format("{:<12}", fate), color, terminal.color),
                       mutant.words.id, mutant.words.sentence);
  };
  switch (mutant.fate) {
    case Fate::killed_by_matrix:
      return line(Color::green, "matrix") + fmt::format("      {}   {}\n",
                                                        matrix_kill_text(mutant, scored.families),
                                                        command_of(mutant, scored.families));
    case Fate::killed_by_exploration:
      return line(Color::yellow, "exploration") +
             fmt::format(
                 "      {} in run {}{}   {}\n", to_text(mutant.exploration.letter),
                 mutant.exploration.run + 1,
                 mutant.exploration.kinds.empty() ? ", without a fault" : " by " + mutant.exploration.kinds,
                 scored.exploration_command(*mutant.mutant, mutant.exploration.run));
    case Fate::survived:
      break;
  }
  return line(Color::red, "survived") + survivor_text(lock, mutant, scored);
}

Json mutant_json(const LockEntry& lock, const MutantScore& mutant, const ScoredMutants& scored) {
  Json json{{"mutant", mutant.words.id},
            {"lock_id", mutant.mutant->id},
            {"what_is_wrong", mutant.words.sentence},
            {"fate", to_text(mutant.fate)}};
  if (mutant.fate == Fate::killed_by_matrix) {
    json["family"] = family_name(scored.families[mutant.matrix.family]);
    json["letter"] = to_text(mutant.matrix.letter);
    json["honest_letter"] = to_text(mutant.honest_letter);
    if (!mutant.matrix.broke_off.empty()) {
      json["broke_off"] = mutant.matrix.broke_off;
    }
    json["command"] = command_of(mutant, scored.families);
  } else if (mutant.fate == Fate::killed_by_exploration) {
    json["runs"] = mutant.exploration.run + 1;
    json["letter"] = to_text(mutant.exploration.letter);
    json["faults"] = mutant.exploration.kinds;
    json["command"] = scored.exploration_command(*mutant.mutant, mutant.exploration.run);
  } else {
    const Explanation* const why = scored.explained->find(lock.id, mutant.words.id);
    json["not_exercised"] = mutant.words.unexercised;
    json["equivalent_if"] = mutant.words.equivalent_if;
    json["equivalent"] = why == nullptr ? Json(nullptr) : Json(why->is_equivalent);
    json["explained"] = why == nullptr ? Json(nullptr) : Json(why->why);
  }
  json["matrix_runs"] = mutant.matrix_runs;
  return json;
}

}  // namespace

std::string score_table(const ScoredMutants& scored, const Terminal& terminal) {
  Table table({"\nlock", "\nmutants", "killed by\nthe matrix", "only by\nexploration", "\nsurvived",
               "of these\nno worse", "matrix finds\nof the others"});
  Counts sum;
  for (const LockScore& score : scored.locks) {
    Counts counts;
    counts.add(score, *scored.explained);
    sum.add(score, *scored.explained);
    table.add_row(counts.row(std::string(score.lock->id)));
  }
  if (scored.locks.size() > 1) {
    table.add_row(sum.row("all"));
  }
  return table.text(terminal);
}

std::string mutants_text(const ScoredMutants& scored, bool with_killed, const Terminal& terminal) {
  std::string text;
  for (const LockScore& score : scored.locks) {
    std::string of_lock;
    for (const MutantScore& mutant : score.mutants) {
      if (with_killed || mutant.fate != Fate::killed_by_matrix) {
        of_lock += mutant_text(*score.lock, mutant, scored, terminal);
      }
    }
    if (!of_lock.empty()) {
      text += fmt::format("\n{}\n", score.lock->id) + of_lock;
    }
  }
  return text;
}

std::string mutants_json(const ScoredMutants& scored) {
  Json json{{"format", "holdfast-mutants"}, {"version", 1}, {"explored_runs", scored.runs}};
  json["locks"] = Json::array();
  for (const LockScore& score : scored.locks) {
    Json lock{{"lock", score.lock->id},
              {"mutants", score.mutants.size()},
              {"killed_by_matrix", score.count(Fate::killed_by_matrix)},
              {"killed_by_exploration", score.count(Fate::killed_by_exploration)},
              {"survived", score.count(Fate::survived)}};
    lock["each"] = Json::array();
    for (const MutantScore& mutant : score.mutants) {
      lock["each"].push_back(mutant_json(*score.lock, mutant, scored));
    }
    json["locks"].push_back(std::move(lock));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace holdfast::cli
