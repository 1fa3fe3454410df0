#include "harness/explore/piece_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/scenario/load.h"
#include "harness/scenario/save.h"

namespace holdfast {
namespace {

using PieceJson = nlohmann::ordered_json;

constexpr std::string_view piece_format = "holdfast-exploration";
constexpr std::uint64_t piece_version = 1;

// Faults are written as a scenario has them.
Scenario carrier(const ExploreFinding& finding, const PieceName& name) {
  Scenario scenario;
  scenario.title = "finding";
  scenario.about = "The faults of a finding.";
  scenario.lock = name.lock;
  scenario.topology.replicas = 5;  // so that any replica may be named
  for (std::uint32_t client = 0; client < std::max(1U, name.clients); ++client) {
    ClientSpec spec;
    spec.name = fmt::format("c{}", client + 1);
    scenario.clients.push_back(spec);
  }
  scenario.faults = finding.faults;
  return scenario;
}

PieceJson finding_json(const ExploreFinding& finding, const PieceName& name) {
  PieceJson json{{"letter", to_text(finding.letter)},
                 {"run", finding.run},
                 {"reordered", finding.reordered},
                 {"faults", PieceJson::parse(to_json_text(carrier(finding, name)))},
                 {"choices", PieceJson::array()}};
  for (const LoggedChoice& choice : finding.choices) {
    json["choices"].push_back({choice.stream, choice.first, choice.second, choice.options, choice.picked});
  }
  return json;
}

ScenarioNames any_names(const std::string& lock) {
  ScenarioNames names;
  names.locks.push_back(lock);
  return names;
}

ExploreFinding finding_from(const PieceJson& json, const PieceName& name, const std::string& file) {
  ExploreFinding finding;
  finding.letter = letter_from(json.at("letter").get<std::string>()).value_or(Letter::not_applicable);
  finding.run = json.at("run").get<std::uint64_t>();
  finding.reordered = json.at("reordered").get<bool>();
  finding.faults = parse_scenario(json.at("faults").dump(), file, "finding", any_names(name.lock)).faults;
  for (const PieceJson& choice : json.at("choices")) {
    finding.choices.push_back({choice.at(0).get<std::string>(), choice.at(1).get<std::uint32_t>(),
                               choice.at(2).get<std::uint32_t>(), choice.at(3).get<std::uint64_t>(),
                               choice.at(4).get<std::uint64_t>()});
  }
  return finding;
}

StoredPiece read_piece(const PieceJson& json, const std::string& file) {
  if (json.at("format") != piece_format || json.at("version") != piece_version) {
    throw std::runtime_error(fmt::format("{} is no piece of an exploration that this holdfast reads", file));
  }
  StoredPiece piece;
  piece.name = {json.at("lock"),    json.at("scenario"), json.at("strategy"),
                json.at("seed"),    json.at("first"),    json.at("count"),
                json.at("clients"), json.at("rounds"),   json.at("most_faults")};
  piece.result.runs = json.at("runs");
  piece.result.runs_by_letter = json.at("runs_by_letter");
  piece.result.marks = json.at("marks");
  piece.result.all_of_them = json.at("all_of_them");
  for (const PieceJson& finding : json.at("findings")) {
    piece.result.findings.push_back(finding_from(finding, piece.name, file));
  }
  return piece;
}

}  // namespace

std::string to_json_text(const StoredPiece& piece) {
  const PieceName& name = piece.name;
  PieceJson json{{"format", piece_format},
                 {"version", piece_version},
                 {"lock", name.lock},
                 {"scenario", name.scenario},
                 {"strategy", name.strategy},
                 {"seed", name.seed},
                 {"first", name.first},
                 {"count", name.count},
                 {"clients", name.clients},
                 {"rounds", name.rounds},
                 {"most_faults", name.most_faults},
                 {"runs", piece.result.runs},
                 {"runs_by_letter", piece.result.runs_by_letter},
                 {"marks", piece.result.marks},
                 {"all_of_them", piece.result.all_of_them},
                 {"findings", PieceJson::array()}};
  for (const ExploreFinding& finding : piece.result.findings) {
    json["findings"].push_back(finding_json(finding, name));
  }
  return json.dump() + "\n";
}

StoredPiece piece_from(const std::string& text, const std::string& file) {
  try {
    return read_piece(PieceJson::parse(text), file);
  } catch (const PieceJson::exception&) {
    throw std::runtime_error(fmt::format("{} is no piece of an exploration, or only a part of one", file));
  }
}

}  // namespace holdfast
