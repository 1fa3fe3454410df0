// What can be taken out of a Lua script, found by reading its text: the commands that it calls and the
// conditions that it looks at.
//
// Reads as much of Lua as scripts of locks are made of: quoted strings, comments, brackets, `if … then`. A
// command counts if it is called as redis.call(…).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

struct ScriptPart {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct ScriptCommand {
  ScriptPart whole;                   // redis.call('set', KEYS[1], 1)
  std::string name;                   // SET
  std::vector<ScriptPart> arguments;  // behind the name, without the commas
  bool is_statement = false;          // nobody looks at what it answers
  bool writes = false;
};

struct ScriptCondition {
  ScriptPart whole;  // between `if` and `then`
  // Of one that is parted by `and` or `or` outside of brackets: what stands before and behind the first.
  std::optional<ScriptPart> left;
  std::optional<ScriptPart> right;
};

// In the order of the text.
std::vector<ScriptCommand> commands_of(std::string_view script);
std::vector<ScriptCondition> conditions_of(std::string_view script);

// The script with other text in place of a part.
std::string with_part(std::string_view script, ScriptPart part, std::string_view text);

// The script cut into what it looks at and what it does: it carries out no command that writes, and answers
// with a list of those that it would have called (each a list of words), and behind it what it would have
// answered, unless that is nil. None: there is nothing to cut, or what it looks at depends on what it did.
std::optional<std::string> cut_script(std::string_view script);

}  // namespace holdfast::redis
