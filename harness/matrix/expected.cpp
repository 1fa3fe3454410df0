#include "harness/matrix/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/scenario/file/load.h"
#include "harness/text/bad_input.h"
#include "harness/text/suggest.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

using UnorderedJson = nlohmann::json;

class Reader {
 public:
  Reader(const std::string& file, const std::vector<std::string>& locks,
         const std::vector<std::string>& families)
      : file_(file), locks_(locks), families_(families) {}

  UnorderedJson parse(std::string_view text) const {
    try {
      return UnorderedJson::parse(text);
    } catch (const UnorderedJson::parse_error& error) {
      const auto lines = std::count(text.begin(), text.begin() + offset_of(error, text), '\n');
      throw BadInput(
          fmt::format("{} line {}: this is not JSON; expected an object with \"cells\"", file_, lines + 1));
    }
  }

  void check_object(const UnorderedJson& value, const std::string& field) const {
    if (!value.is_object()) {
      fail(field, fmt::format("expected an object, found {}", value.type_name()));
    }
  }

  void check_version(const UnorderedJson& value) const {
    if (value != expected_version) {
      fail("version",
           fmt::format("found {}; this holdfast reads version {}", value.dump(), expected_version));
    }
  }

  void check_known(const std::string& field, const std::string& word, const std::vector<std::string>& known,
                   std::string_view what) const {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      fail(field, fmt::format("there is no {} \"{}\"{}", what, word, did_you_mean_text(word, known)));
    }
  }
  void check_lock(const std::string& field, const std::string& word) const {
    check_known(field, word, locks_, "lock");
  }
  void check_family(const std::string& field, const std::string& word) const {
    check_known(field, word, families_, "family");
  }

  ExpectedCell cell(const UnorderedJson& value, const std::string& field) const {
    ExpectedCell result;
    bool has_letter = false;
    check_object(value, field);
    for (const auto& [name, content] : value.items()) {
      const std::string place = fmt::format("{}.{}", field, name);
      check_known(place, name, {"letter", "reasoned", "note"}, "field");
      if (!content.is_string()) {
        fail(place, fmt::format("expected a text, found {}", content.type_name()));
      }
      const auto text = content.get<std::string>();
      if (name == "note") {
        result.note = text;
      } else if (name == "letter") {
        result.letter = letter(text, place);
        has_letter = true;
      } else {
        result.reasoned = letter(text, place);
      }
    }
    if (!has_letter) {
      fail(field, "the \"letter\" is missing; expected one of S, L, U, E, D, F, V or –");
    }
    return result;
  }

  [[noreturn]] void fail(const std::string& field, const std::string& problem) const {
    throw BadInput(fmt::format("{}, {}: {}", file_, field, problem));
  }

 private:
  static std::ptrdiff_t offset_of(const UnorderedJson::parse_error& error, std::string_view text) {
    return static_cast<std::ptrdiff_t>(std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0));
  }
  Letter letter(const std::string& text, const std::string& field) const {
    const auto result = letter_from(text);
    if (!result) {
      fail(field, fmt::format("\"{}\" is no letter; expected one of S, L, U, E, D, F, V or –", text));
    }
    return *result;
  }

  const std::string& file_;
  const std::vector<std::string>& locks_;
  const std::vector<std::string>& families_;
};

}  // namespace

ExpectedTable ExpectedTable::parse(std::string_view text, const std::string& file,
                                   const std::vector<std::string>& locks,
                                   const std::vector<std::string>& families) {
  const Reader reader(file, locks, families);
  const UnorderedJson document = reader.parse(text);
  ExpectedTable table;
  reader.check_object(document, "the file");
  for (const auto& [name, content] : document.items()) {
    reader.check_known(name, name, {"version", "families", "cells"}, "field");
    if (name == "version") {
      reader.check_version(content);
    } else {
      reader.check_object(content, name);
    }
  }
  const UnorderedJson families_described = document.value("families", UnorderedJson::object());
  for (const auto& [family, about] : families_described.items()) {
    reader.check_family(fmt::format("families.{}", family), family);
  }
  const UnorderedJson rows = document.value("cells", UnorderedJson::object());
  for (const auto& [lock, row] : rows.items()) {
    const std::string place = fmt::format("cells.{}", lock);
    reader.check_lock(place, lock);
    reader.check_object(row, place);
    for (const auto& [family, cell] : row.items()) {
      const std::string cell_place = fmt::format("{}.{}", place, family);
      reader.check_family(cell_place, family);
      table.cells_[lock][family] = reader.cell(cell, cell_place);
    }
  }
  return table;
}

const ExpectedCell* ExpectedTable::find(std::string_view lock, std::string_view family) const {
  const auto row = cells_.find(lock);
  if (row == cells_.end()) {
    return nullptr;
  }
  const auto cell = row->second.find(family);
  return cell == row->second.end() ? nullptr : &cell->second;
}

std::optional<ExpectedTable> expected_table(const Shelf& shelf) {
  const std::filesystem::path path = std::filesystem::path(shelf.directory()) / "expected.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return std::nullopt;
  }
  std::vector<std::string> family_names;
  for (const Scenario& family : shelf.families()) {
    family_names.push_back(family_name(family));
  }
  return ExpectedTable::parse(read_scenario_text(path.string()), path.string(), lock_ids(), family_names);
}

}  // namespace holdfast
