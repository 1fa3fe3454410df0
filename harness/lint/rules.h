// What holdfast's sources must not do, one rule each.
//
// Most rules guard determinism: the same seed must give the same history, so nothing may read a
// clock, a random number, an address or another thread's progress except through the door built for
// it. The others keep the files readable. Where a rule may be broken is not said here but in
// allowances.h, with the reason.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/lint/source.h"

namespace holdfast::lint {

struct Finding {
  std::size_t line = 0;
  std::string what;  // the offending words, for the message
};
using Findings = std::vector<Finding>;

struct Rule {
  std::string_view name;
  std::string_view reason;  // why it matters and what to do instead, as a sentence
  // `header` is x.h when `file` is x.cpp or x_test.cpp, and empty otherwise.
  Findings (*check)(const SourceFile& file, const SourceFile& header);
};

std::span<const Rule> rules();
// There must be one of this name.
const Rule& rule_named(std::string_view name);

// The checks, by file: word_rules.cpp, file_rules.cpp, container_rules.cpp, state_rules.cpp, text_rules.cpp.
Findings find_system_clocks(const SourceFile& file, const SourceFile& header);
Findings find_randomness(const SourceFile& file, const SourceFile& header);
Findings find_threads(const SourceFile& file, const SourceFile& header);
Findings find_thread_locals(const SourceFile& file, const SourceFile& header);
Findings find_sleeping(const SourceFile& file, const SourceFile& header);
Findings find_printing(const SourceFile& file, const SourceFile& header);

Findings find_file_opening(const SourceFile& file, const SourceFile& header);

Findings find_unordered_iteration(const SourceFile& file, const SourceFile& header);
Findings find_pointer_order(const SourceFile& file, const SourceFile& header);

Findings find_mutable_state(const SourceFile& file, const SourceFile& header);

Findings find_long_files(const SourceFile& file, const SourceFile& header);
Findings find_missing_pragma_once(const SourceFile& file, const SourceFile& header);
Findings find_missing_header_comment(const SourceFile& file, const SourceFile& header);
Findings find_machine_paths(const SourceFile& file, const SourceFile& header);
Findings find_stray_whitespace(const SourceFile& file, const SourceFile& header);

}  // namespace holdfast::lint
