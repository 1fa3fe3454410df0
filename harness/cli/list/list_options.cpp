#include "harness/cli/list/list_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "faults/catalog.h"
#include "harness/cli/terminal/table.h"
#include "harness/scenario/file/load_faults.h"
#include "harness/scenario/file/option_text.h"
#include "harness/stores/store.h"

namespace holdfast::cli {
namespace {

using OptionsJson = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

using Titles = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> fault_titles{"fault", "parameters", "what happens"};
constexpr std::array<std::string_view, 5> parameter_titles{"parameter", "of", "may be", "usually", "meaning"};
constexpr std::array<std::string_view, 5> topology_titles{"store", "option", "may be", "usually", "meaning"};

std::string meaning_text(const Option& option) {
  return option.only.empty() ? std::string(option.meaning)
                             : fmt::format("{}; {}", option.meaning, option.only);
}

std::string usual_text(const Option& option) {
  if (option.is_required) {
    return "required";
  }
  return option.kind == OptionKind::thread ? "all of them" : value_text(usual_value(option));
}

// Names as code, for documents.
std::string quoted(std::string_view name, bool as_code) {
  return as_code ? fmt::format("`{}`", name) : std::string(name);
}

// "on, at, by, [peers], [for or until]": what may be left out stands in brackets.
std::string parameters_text(const FaultEntry& entry, bool as_code) {
  std::vector<std::string> words{quoted("on", as_code), quoted("at", as_code)};
  const auto add = [&](const std::string& text, bool is_required) {
    words.push_back(is_required ? text : fmt::format("[{}]", text));
  };
  for (const Option& option : entry.options) {
    add(quoted(option.name, as_code), option.is_required);
  }
  std::vector<std::string> lasting = lasting_words(entry);
  std::ranges::transform(lasting, lasting.begin(), [&](const auto& word) { return quoted(word, as_code); });
  if (!lasting.empty()) {
    add(fmt::format("{}", fmt::join(lasting, " or ")), entry.lasting != Lasting::unless_a_message);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string happens_text(const FaultEntry& entry) {
  const std::string_view whom = !entry.strikes_servers   ? " (clients)"
                                : !entry.strikes_clients ? " (servers)"
                                                         : "";
  const std::string of_store = entry.store.empty() ? "" : fmt::format(" ({} alone)", entry.store);
  return fmt::format("{}{}{}", entry.summary, whom, of_store);
}

Rows fault_rows(bool as_code) {
  Rows rows;
  for (const FaultEntry& entry : all_faults()) {
    rows.push_back({quoted(entry.id, as_code), parameters_text(entry, as_code), happens_text(entry)});
  }
  return rows;
}

// A row that several faults have is told once.
Rows parameter_rows(bool as_code) {
  Rows rows;
  for (const FaultEntry& entry : all_faults()) {
    for (const Option& option : entry.options) {
      std::vector<std::string> row{quoted(option.name, as_code), quoted(entry.id, as_code),
                                   values_text(option), usual_text(option), meaning_text(option)};
      const auto same = std::ranges::find_if(rows, [&](const std::vector<std::string>& each) {
        return each[0] == row[0] && std::equal(each.begin() + 2, each.end(), row.begin() + 2);
      });
      if (same == rows.end()) {
        rows.push_back(std::move(row));
      } else {
        (*same)[1] += ", " + row[1];
      }
    }
  }
  return rows;
}

Rows topology_rows(bool as_code) {
  Rows rows;
  for (const Store* const store : all_stores()) {
    for (const Option& option : store->options()) {
      rows.push_back({quoted(store->id(), as_code), quoted(option.name, as_code), values_text(option),
                      usual_text(option), meaning_text(option)});
    }
  }
  return rows;
}

std::string table_of(Titles titles, const Rows& rows, const Terminal& terminal) {
  Table table({titles.begin(), titles.end()});
  for (const std::vector<std::string>& row : rows) {
    table.add_row(row);
  }
  return table.text(terminal);
}

std::string markdown_of(Titles titles, const Rows& rows) {
  std::string text = fmt::format("| {} |\n|", fmt::join(titles, " | "));
  for (std::size_t column = 0; column < titles.size(); ++column) {
    text += " --- |";
  }
  text += '\n';
  for (const std::vector<std::string>& row : rows) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
  }
  return text;
}

OptionsJson option_json(const Option& option) {
  OptionsJson json{{"name", option.name}, {"values", values_text(option)}, {"required", option.is_required}};
  if (!option.is_required) {
    json["usual"] = value_text(usual_value(option));
  }
  json["meaning"] = meaning_text(option);
  return json;
}

OptionsJson options_json(std::span<const Option> options) {
  OptionsJson list = OptionsJson::array();
  for (const Option& option : options) {
    list.push_back(option_json(option));
  }
  return list;
}

}  // namespace

std::string faults_table(const Terminal& terminal) {
  return table_of(fault_titles, fault_rows(false), terminal) + "\n" +
         table_of(parameter_titles, parameter_rows(false), terminal);
}

std::string faults_markdown() {
  return markdown_of(fault_titles, fault_rows(true)) + "\n" +
         markdown_of(parameter_titles, parameter_rows(true));
}

OptionsJson faults_json() {
  OptionsJson list = OptionsJson::array();
  for (const FaultEntry& entry : all_faults()) {
    list.push_back({{"id", entry.id},
                    {"summary", entry.summary},
                    {"parameters", parameters_text(entry, false)},
                    {"strikes_clients", entry.strikes_clients},
                    {"strikes_servers", entry.strikes_servers},
                    {"options", options_json(entry.options)}});
  }
  return list;
}

std::string topology_table(const Terminal& terminal) {
  return table_of(topology_titles, topology_rows(false), terminal);
}

std::string topology_markdown() {
  return markdown_of(topology_titles, topology_rows(true));
}

OptionsJson topology_json() {
  OptionsJson list = OptionsJson::array();
  for (const Store* const store : all_stores()) {
    if (!store->options().empty()) {
      list.push_back({{"store", store->id()}, {"options", options_json(store->options())}});
    }
  }
  return list;
}

}  // namespace holdfast::cli
