#include "harness/explore/piece_file.h"

#include "harness/stores/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "faults/catalog.h"
#include "harness/kernel/fingerprint.h"
#include "harness/mutate/mutants.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/file/save.h"
#include "harness/text/bounded_json.h"
#include "harness/workload/shapes.h"

namespace holdfast {
namespace {

using PieceJson = nlohmann::ordered_json;

constexpr std::string_view piece_format = "holdfast-exploration";
constexpr std::uint64_t piece_version = 5;
constexpr std::uint64_t longest_piece = std::uint64_t{1} << 60;
constexpr std::uint64_t most_clients_of_a_piece = 64;
constexpr std::uint64_t most_rounds_of_a_piece = 10'000;
constexpr std::uint64_t most_faults_of_a_piece = 16;

// Whatever is wrong with a piece, the sentence is the same: nobody writes one by hand.
struct NoPiece {};

void must(bool condition) {
  if (!condition) {
    throw NoPiece{};
  }
}

// Servers, and words for several processes: all that may stand where a client's name can.
bool names_client(const std::string& name) {
  constexpr std::array<std::string_view, 6> others{"", "all", "clients", "servers", "storage", "world"};
  return std::ranges::find(others, name) == others.end() && !names_a_store(name);
}

// A scenario may call its clients anything; a fault can be read only if those that it names are there.
std::vector<ClientSpec> clients_named_in(const std::vector<FaultSpec>& faults) {
  std::vector<ClientSpec> clients;
  const auto put = [&](const std::string& name, std::uint32_t threads) {
    if (!names_client(name)) {
      return;
    }
    auto client = std::ranges::find(clients, name, &ClientSpec::name);
    if (client == clients.end()) {
      clients.emplace_back().name = name;
      client = clients.end() - 1;
    }
    client->threads = std::max(client->threads, threads);
  };
  for (const FaultSpec& fault : faults) {
    put(fault.on, 1);
    put(fault.at.process, fault.at.thread);
    for (const Option& option : options_of(fault)) {
      if (option.kind == OptionKind::processes) {
        put(fault.options.word(option), 1);
      } else if (option.kind == OptionKind::thread) {
        put(fault.on, static_cast<std::uint32_t>(fault.options.count(option)));
      }
    }
    if (fault.until) {
      put(fault.until->process, fault.until->thread);
    }
  }
  if (clients.empty()) {
    put("c1", 1);  // a scenario has one at least
  }
  return clients;
}

// Faults are written as a scenario has them.
Scenario carrier(const ExploreFinding& finding, const PieceName& name) {
  Scenario scenario;
  scenario.title = "finding";
  scenario.about = "The faults of a finding.";
  scenario.lock = name.lock;
  for (const Store* const store : all_stores()) {
    if (store->replicas() != nullptr) {
      scenario.topology.set(store->id(), *store->replicas(),
                            store->replicas()->most);  // so that any may be named
    }
  }
  scenario.clients = clients_named_in(finding.faults);
  scenario.faults = finding.faults;
  return scenario;
}

PieceJson finding_json(const ExploreFinding& finding, const PieceName& name) {
  PieceJson json{{"letter", to_text(finding.letter)},
                 {"run", finding.run},
                 {"shape", finding.shape},
                 {"reordered", finding.reordered},
                 {"shows_its_letter", finding.shows_its_letter},
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

std::uint64_t number_in(const PieceJson& json, std::uint64_t least, std::uint64_t most) {
  must(json.is_number_unsigned());
  const auto number = json.get<std::uint64_t>();
  must(number >= least && number <= most);
  return number;
}

std::uint32_t small_number_in(const PieceJson& json, std::uint64_t least, std::uint64_t most) {
  return static_cast<std::uint32_t>(number_in(json, least, most));
}

std::uint64_t hash_in(const PieceJson& json) {
  const auto digits = json.get<std::string>();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  must(error == std::errc() && end == digits.data() + digits.size() && digits.size() == 16);
  return value;
}

LoggedChoice choice_from(const PieceJson& json) {
  must(json.is_array() && json.size() == 5);
  LoggedChoice choice;
  choice.stream = json[0].get<std::string>();
  choice.first = small_number_in(json[1], 0, UINT32_MAX);
  choice.second = small_number_in(json[2], 0, UINT32_MAX);
  choice.options = number_in(json[3], 1, UINT64_MAX);
  choice.picked = number_in(json[4], 0, choice.options - 1);
  return choice;
}

std::string shape_from(const PieceJson& json) {
  auto shape = json.at("shape").get<std::string>();
  must(shape.empty() || find_shape(shape) != nullptr);
  return shape;
}

ExploreFinding finding_from(const PieceJson& json, const PieceName& name, const std::string& file) {
  ExploreFinding finding;
  const std::optional<Letter> letter = letter_from(json.at("letter").get<std::string>());
  must(letter && *letter != Letter::safe);
  finding.letter = *letter;
  finding.run = number_in(json.at("run"), name.first, name.first + name.count - 1);
  finding.shape = shape_from(json);
  finding.reordered = json.at("reordered").get<bool>();
  finding.shows_its_letter = json.at("shows_its_letter").get<bool>();
  finding.faults = parse_scenario(json.at("faults").dump(), file, "finding", any_names(name.lock)).faults;
  for (const PieceJson& choice : json.at("choices")) {
    finding.choices.push_back(choice_from(choice));
  }
  return finding;
}

PieceName name_from(const PieceJson& json) {
  PieceName name;
  name.lock = json.at("lock").get<std::string>();
  name.scenario = json.at("scenario").get<std::string>();
  name.strategy = json.at("strategy").get<std::string>();
  must(find_lock_or_mutant(name.lock) != nullptr && find_explorer(name.strategy) != nullptr);
  name.seed = number_in(json.at("seed"), 0, UINT64_MAX);
  name.first = number_in(json.at("first"), 0, longest_piece);
  name.count = number_in(json.at("count"), 1, longest_piece);
  name.clients = small_number_in(json.at("clients"), 1, most_clients_of_a_piece);
  name.rounds = small_number_in(json.at("rounds"), 1, most_rounds_of_a_piece);
  name.most_faults = small_number_in(json.at("most_faults"), 0, most_faults_of_a_piece);
  name.shape = shape_from(json);
  name.content = hash_in(json.at("content"));
  return name;
}

// Of the object without its checksum, and without blanks.
std::string checksum_of(PieceJson json) {
  json.erase("checksum");
  return to_hex(hash_text(json.dump()));
}

StoredPiece read_piece(const PieceJson& json, const std::string& file) {
  must(json.is_object());
  if (json.at("format") != piece_format || json.at("version") != piece_version) {
    throw std::runtime_error(
        fmt::format("{} is no piece of an exploration that this holdfast reads, but perhaps one of an older "
                    "holdfast; remove it, and it is explored again",
                    file));
  }
  must(json.at("checksum") == checksum_of(json));
  StoredPiece piece;
  piece.name = name_from(json);
  PieceResult& result = piece.result;
  result.runs = number_in(json.at("runs"), 0, piece.name.count);
  must(json.at("runs_by_letter").size() == result.runs_by_letter.size());
  for (std::size_t letter = 0; letter < result.runs_by_letter.size(); ++letter) {
    result.runs_by_letter[letter] = number_in(json.at("runs_by_letter").at(letter), 0, result.runs);
  }
  const auto& counts = result.runs_by_letter;
  must(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == result.runs);
  result.marks = number_in(json.at("marks"), 0, UINT64_MAX);
  result.has_every_run = json.at("has_every_run").get<bool>();
  must(piece.is_whole());
  for (const PieceJson& finding : json.at("findings")) {
    result.findings.push_back(finding_from(finding, piece.name, file));
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
                 {"shape", name.shape},
                 {"content", to_hex(name.content)},
                 {"runs", piece.result.runs},
                 {"runs_by_letter", piece.result.runs_by_letter},
                 {"marks", piece.result.marks},
                 {"has_every_run", piece.result.has_every_run},
                 {"findings", PieceJson::array()}};
  for (const ExploreFinding& finding : piece.result.findings) {
    json["findings"].push_back(finding_json(finding, name));
  }
  json["checksum"] = checksum_of(json);
  return json.dump() + "\n";
}

std::string with_checksum(const std::string& text) {
  PieceJson json = PieceJson::parse(text);
  json.erase("checksum");
  json["checksum"] = checksum_of(json);
  return json.dump() + "\n";
}

StoredPiece piece_from(const std::string& text, const std::string& file) {
  const auto refusal = [&] {
    return std::runtime_error(fmt::format(
        "{} is no piece of an exploration, or one that was cut short or changed; remove it, and it is "
        "explored again",
        file));
  };
  const std::optional<PieceJson> json = parse_bounded_json<PieceJson>(text);
  if (!json) {
    throw refusal();
  }
  try {
    return read_piece(*json, file);
  } catch (const PieceJson::exception&) {
    throw refusal();
  } catch (const ScenarioError&) {
    throw refusal();
  } catch (const NoPiece&) {
    throw refusal();
  }
}

bool is_same_target(const PieceName& one, const PieceName& other) {
  PieceName same = one;
  same.first = other.first;
  same.count = other.count;
  return same == other;
}

std::uint64_t content_hash(const ExploreTarget& target) {
  Scenario menu;
  menu.sweep = target.scope.menu;
  std::string text =
      fmt::format("{} {} {}", HOLDFAST_VERSION, to_json_text(target.scenario), to_json_text(menu));
  for (const Scenario& shape : target.shapes) {
    text += to_json_text(shape);
  }
  return hash_text(text);
}

}  // namespace holdfast
