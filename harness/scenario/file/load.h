// Reads scenarios from JSON files (format: scenarios/README.md).
//
// The outermost edge: whatever a person wrote comes in here, and what leaves is a Scenario in which every id
// is known, every name refers to something and every number is in range, or a ScenarioError with one
// sentence. Files over 1 MB are refused without being parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/file/load_error.h"
#include "harness/scenario/file/load_names.h"
#include "harness/scenario/scenario.h"

namespace holdfast {

// A file's content, at most 1 MB of it. Throws ScenarioError if it is missing, unreadable, a directory or
// larger.
std::string read_scenario_text(const std::string& path);

// `file` is what sentences call the text; `name` becomes Scenario::name.
Scenario parse_scenario(std::string_view text, const std::string& file, const std::string& name,
                        const ScenarioNames& names);

// read_scenario_text and parse_scenario; the name is the file's without ".json".
Scenario load_scenario(const std::string& path, const ScenarioNames& names);

// The names of the scenarios in a directory, in alphabetical order; none if it does not exist. Files whose
// name starts with a dot, and the schema and tables beside the scenarios, are not among them.
std::vector<std::string> scenario_names_in(const std::string& directory);

// The path of a scenario that a user asked for. What has a slash or ends in ".json" is a path and is taken
// as it is; a bare name is looked up in the directories, the first that has it wins. Throws ScenarioError
// with a "did you mean" if there is none.
std::string find_scenario(const std::vector<std::string>& directories, const std::string& name_or_path);

}  // namespace holdfast
