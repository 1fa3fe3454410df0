#include "harness/stores/redis/mutate/script_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace holdfast::redis {
namespace {

constexpr std::array<std::string_view, 16> commands_that_only_look{
    "EXISTS", "GET",    "HEXISTS", "HGET", "HGETALL", "HKEYS", "HLEN",   "LINDEX",
    "LLEN",   "LRANGE", "PTTL",    "TIME", "TTL",     "ZCARD", "ZRANGE", "ZSCORE"};

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The same text with blanks for what stands in quotes and comments, so that positions stay what they are.
std::string without_literals(std::string_view script) {
  std::string text(script);
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    if (text[at] == '\'' || text[at] == '"') {
      while (end < text.size() && text[end] != text[at]) {
        end += text[end] == '\\' ? 2 : 1;
      }
      end = std::min(end, text.size());
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      ++end;
    } else if (text.compare(at, 2, "--") == 0) {
      end = std::min(text.find('\n', at), text.size());
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
    at = end;
  }
  return text;
}

// The next `word` that is none of a longer one, from `at`; npos: there is none.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t at) {
  while ((at = text.find(word, at)) != std::string_view::npos) {
    const bool begins = at == 0 || !is_word_character(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_word_character(text[at + word.size()]);
    if (begins && ends) {
      return at;
    }
    at += word.size();
  }
  return at;
}

int depth_change(char c) {
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

ScriptPart trimmed(std::string_view text, ScriptPart part) {
  const auto is_blank = [&](std::size_t at) {
    return std::isspace(static_cast<unsigned char>(text[at])) != 0;
  };
  while (part.begin < part.end && is_blank(part.begin)) {
    ++part.begin;
  }
  while (part.end > part.begin && is_blank(part.end - 1)) {
    --part.end;
  }
  return part;
}

// What stands between the bracket at `open` and its partner, parted by commas.
std::vector<ScriptPart> arguments_behind(std::string_view text, std::size_t open, std::size_t& behind) {
  std::vector<ScriptPart> parts;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += depth_change(text[at]);
    if (depth == 0 || (depth == 1 && text[at] == ',')) {
      parts.push_back({begin, at});
      begin = at + 1;
    }
    if (depth == 0) {
      behind = at + 1;
      return parts;
    }
  }
  behind = text.size();
  return {};
}

// A call that begins here is a statement of its own: before it a statement has ended.
bool begins_statement(std::string_view text, std::size_t at) {
  const std::size_t last = text.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
  if (at == 0 || last == std::string_view::npos || text[last] == ';') {
    return true;
  }
  std::size_t begin = last + 1;
  while (begin > 0 && is_word_character(text[begin - 1])) {
    --begin;
  }
  const std::string_view word = text.substr(begin, last + 1 - begin);
  constexpr std::array<std::string_view, 5> openers{"then", "do", "else", "repeat", "end"};
  if (std::ranges::count(openers, word) > 0) {
    return true;
  }
  constexpr std::array<std::string_view, 9> expecting{"and",    "or",    "not",   "return", "if",
                                                      "elseif", "while", "until", "in"};
  const bool new_line = text.substr(last, at - last).find('\n') != std::string_view::npos;
  const bool ended = !word.empty() ? std::ranges::count(expecting, word) == 0
                                   : text[last] == ')' || text[last] == ']' || text[last] == '}' ||
                                         text[last] == '\'' || text[last] == '"';
  return new_line && ended;
}

std::string name_in(std::string_view script, ScriptPart argument) {
  std::string name;
  for (const char c : script.substr(argument.begin, argument.end - argument.begin)) {
    if (is_word_character(c)) {
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return name;
}

void split(std::string_view text, ScriptCondition& condition) {
  int depth = 0;
  for (std::size_t at = condition.whole.begin; at < condition.whole.end; ++at) {
    depth += depth_change(text[at]);
    for (const std::string_view word : {std::string_view("and"), std::string_view("or")}) {
      if (depth == 0 && find_word(text.substr(0, condition.whole.end), word, at) == at) {
        condition.left = trimmed(text, {condition.whole.begin, at});
        condition.right = trimmed(text, {at + word.size(), condition.whole.end});
        return;
      }
    }
  }
}

// Stands before a script that is cut. `looks` says what a command that writes would answer, from what can be
// seen without it.
constexpr std::string_view notes_instead_of_writing = R"lua(
local server, noted = redis, {}
local function see(...) return server.call(...) end
local function exists(key) return see('exists', key) end
local function count_of(text, by) return (tonumber(text or 0) or 0) + (tonumber(by) or 0) end
local looks = {
  set = function(key, value, ...)
    for _, option in ipairs({...}) do
      if string.lower(tostring(option)) == 'nx' and exists(key) == 1 then return false end
    end
    return {ok = 'OK'}
  end,
  setex = function() return {ok = 'OK'} end,
  psetex = function() return {ok = 'OK'} end,
  setnx = function(key) return 1 - exists(key) end,
  getset = function(key) return see('get', key) end,
  del = exists, expire = exists, pexpire = exists, persist = exists,
  incr = function(key) return count_of(see('get', key), 1) end,
  decr = function(key) return count_of(see('get', key), -1) end,
  incrby = function(key, by) return count_of(see('get', key), by) end,
  decrby = function(key, by) return count_of(see('get', key), -by) end,
  hset = function(key, field) return 1 - see('hexists', key, field) end,
  hdel = function(key, field) return see('hexists', key, field) end,
  hincrby = function(key, field, by) return count_of(see('hget', key, field), by) end,
  publish = function() return 0 end,
  rpush = function(key) return see('llen', key) + 1 end,
  lpop = function(key) return see('lindex', key, 0) end,
  lrem = function() return 1 end,
  zadd = function(key, score, member) return see('zscore', key, member) and 0 or 1 end,
  zrem = function(key, member) return see('zscore', key, member) and 1 or 0 end,
  zincrby = function(key, by, member) return tostring(count_of(see('zscore', key, member), by)) end,
}
local redis = {call = function(name, ...)
  local look = looks[string.lower(name)]
  if not look then return see(name, ...) end
  local words = {string.upper(name)}
  for _, word in ipairs({...}) do
    words[#words + 1] = type(word) == 'number' and string.format('%.17g', word) or word
  end
  local answer = look(...)
  noted[#noted + 1] = words
  return answer
end}
local answer = (function()
)lua";
constexpr std::string_view then_answer_both = R"lua(
end)()
if answer == nil then return {noted} end
return {noted, answer}
)lua";

}  // namespace

std::vector<ScriptCommand> commands_of(std::string_view script) {
  constexpr std::string_view call = "redis.call(";
  const std::string text = without_literals(script);
  std::vector<ScriptCommand> commands;
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
    ScriptCommand command;
    command.whole.begin = at;
    command.arguments = arguments_behind(text, at + call.size() - 1, command.whole.end);
    if (command.arguments.empty()) {
      continue;
    }
    command.name = name_in(script, command.arguments.front());
    command.arguments.erase(command.arguments.begin());
    command.is_statement = begins_statement(text, at);
    command.writes = std::ranges::count(commands_that_only_look, command.name) == 0;
    commands.push_back(std::move(command));
  }
  return commands;
}

std::vector<ScriptCondition> conditions_of(std::string_view script) {
  const std::string text = without_literals(script);
  std::vector<ScriptCondition> conditions;
  // What `elseif` asks stands behind an `if`, too; find_word() would not see that one.
  for (const std::string_view word : {std::string_view("if"), std::string_view("elseif")}) {
    for (std::size_t at = find_word(text, word, 0); at != std::string::npos;
         at = find_word(text, word, at + 1)) {
      const std::size_t end = find_word(text, "then", at);
      if (end == std::string::npos) {
        break;
      }
      ScriptCondition condition;
      condition.whole = trimmed(text, {at + word.size(), end});
      split(text, condition);
      conditions.push_back(condition);
    }
  }
  std::ranges::sort(conditions, {}, [](const ScriptCondition& each) { return each.whole.begin; });
  return conditions;
}

std::string with_part(std::string_view script, ScriptPart part, std::string_view text) {
  std::string result(script.substr(0, part.begin));
  result.append(text).append(script.substr(part.end));
  return result;
}

std::optional<std::string> cut_script(std::string_view script) {
  const std::vector<ScriptCommand> commands = commands_of(script);
  const auto writes = std::ranges::count_if(commands, &ScriptCommand::writes);
  const std::string text = without_literals(script);
  const bool loops =
      find_word(text, "while", 0) != std::string::npos || find_word(text, "repeat", 0) != std::string::npos;
  if (commands.size() < 2 || writes == 0 || loops) {
    return std::nullopt;
  }
  std::string cut(notes_instead_of_writing);
  return cut.append(script).append(then_answer_both);
}

}  // namespace holdfast::redis
