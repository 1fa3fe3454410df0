// The expected table: which letter each lock should get under each family of faults
// (scenarios/expected.json).
//
//   { "version": 1,
//     "families": { "pause": "a client stops for longer than the lease" },
//     "cells": { "redis-px-cad": { "pause": { "letter": "V" },
//                                  "crash": { "letter": "L", "reasoned": "S", "note": "…" } } } }
//
// A family is named without its "family-". `reasoned` is what was expected before anything was measured,
// where that was wrong; `note` says why. A cell that is missing expects nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/letter.h"
#include "harness/scenario/shelf/shelf.h"

namespace holdfast {

// Of the file. One without a version is of the first.
inline constexpr int expected_version = 1;

struct ExpectedCell {
  Letter letter = Letter::not_applicable;
  std::optional<Letter> reasoned;
  std::string note;
};

class ExpectedTable {
 public:
  // Reads the text of a file; `file` is what sentences call it. Every lock and family it names must be among
  // those given. Throws BadInput with one sentence.
  static ExpectedTable parse(std::string_view text, const std::string& file,
                             const std::vector<std::string>& locks, const std::vector<std::string>& families);

  // nullptr if nothing is expected.
  const ExpectedCell* find(std::string_view lock, std::string_view family) const;

 private:
  std::map<std::string, std::map<std::string, ExpectedCell, std::less<>>, std::less<>> cells_;
};

// expected.json of the shelf; none if it has none. Throws as parse() does.
std::optional<ExpectedTable> expected_table(const Shelf& shelf);

}  // namespace holdfast
