// What scripts may use up, and what stays of them: each of these would run for ever, take all memory, or
// change the world of the scripts that come later.
#include "harness/stores/redis/model/lua_limits.h"

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace lua_limits_test {

std::string run(TestSession& session, const std::string& script) {
  return session.ask(make_command("EVAL", script, 0));
}

TEST(LuaLimits, a_handler_of_xpcall_cannot_go_on_for_ever) {
  TestSession session;
  for (const char* script :
       {"xpcall(function() while true do end end, function() while true do end end)",
        "xpcall(function() error('x') end, function() while true do end end) return 1",
        "while true do xpcall(function() while true do end end, function() return 1 end) end",
        "local function f() xpcall(f, f) end f() while true do f() end"}) {
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("ERR") != std::string::npos || reply == "1") << script << ": " << reply;
    EXPECT_EQ(run(session, "return 1"), "1");
  }
}

TEST(LuaLimits, xpcall_does_what_it_does) {
  TestSession session;
  EXPECT_EQ(run(session, "return {xpcall(function() return 1, 2 end, function() end)}"), "[1, 1, 2]");
  EXPECT_EQ(run(session, "local ok, e = xpcall(function() error({}) end, type) return {tostring(ok), e}"),
            "[\"false\", \"table\"]");
}

TEST(LuaLimits, patterns_that_take_for_ever_are_stopped) {
  TestSession session;
  for (const char* script :
       {"return string.find(string.rep('a', 1000), string.rep('.-', 20) .. 'b')",
        "return string.match(string.rep('a', 60), string.rep('a?', 40) .. string.rep('a', 60))",
        "return string.gsub(string.rep('a', 30000), '.*.*b', '')",
        "for i = 1, 1000000 do string.find(string.rep('a', 1000), 'a*a*b') end",
        "return string.gsub(string.rep('a', 30000), '.*.*b', '', 1)",
        "return string.match(string.rep('a', 30000), '.*.*b', 1, true)",
        "return string.find(string.rep('(', 1000000), '%b()')",
        "for w in string.gmatch(string.rep('^', 30000), '^.*^.*b') do end",
        "return string.find(string.rep('a', 2000), string.rep('a?', 2000))"}) {
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos ||
                reply.find("too complex") != std::string::npos)
        << script << ": " << reply;
  }
  EXPECT_EQ(run(session, "return string.match('holder:12:7', '^(.-):(%d+):(%d+)$')"), "\"holder\"");
  EXPECT_EQ(run(session, "return (string.gsub('a.b.c', '%.', '-'))"), "\"a-b-c\"");
}

// What they could take at worst is far more than what they take.
TEST(LuaLimits, patterns_that_only_look_slow_are_not_stopped) {
  TestSession session;
  EXPECT_EQ(run(session,
                "local a, b, c, d, e = string.match('8743c9c0-0795-4907-87fd-6c719a6b4586:1', "
                "'^(%x+)%-(%x+)%-(%x+)%-(%x+)%-(%x+):%d+$') return {a, e}"),
            "[\"8743c9c0\", \"6c719a6b4586\"]");
  EXPECT_EQ(run(session,
                "local n = 0 for i = 1, 100 do for w in "
                "string.gmatch('anyLock:queue:timeout:client:thread:lease', '([^:]-):([^:]+)') do n = n + 1 "
                "end end "
                "return n"),
            "500");
  EXPECT_EQ(run(session, "return (string.gsub(string.rep('key: value, ', 200), '(%w+): *(%w+), *', ''))"),
            "\"\"");
}

TEST(LuaLimits, memory_has_an_end_too) {
  TestSession session;
  for (const char* script :
       {"return #string.rep('x', 1000000000)", "return #string.rep('', 2000000000)",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 100000000 do t[i] = 'x' .. i end",
        "local s = string.rep('x', 1000000) while true do local t = s .. 'y' end",
        "local t = {} while true do table.insert(t, 1, 1) end",
        "return #string.gsub(string.rep('x', 3000), 'x', string.rep('y', 3000))",
        "local s = string.rep('x', 1000000) while true do pcall(function() s = s .. s end) end"}) {
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("memory") != std::string::npos || reply.find("was stopped") != std::string::npos ||
                reply.find("overflow") != std::string::npos)
        << script << ": " << reply;
    EXPECT_EQ(run(session, "return #string.rep('x', 1000000)"), "1000000");
  }
}

// To Lua each of these rounds is a few instructions; to the machine it is a million bytes. None asks for
// memory, since the text that comes of it is there already.
TEST(LuaLimits, work_on_long_texts_counts_by_their_length) {
  const std::string head = "local n = 0 local s = string.rep('x', 1000000) local t = s .. 'y' ";
  for (const char* round :
       {"local u = s .. 'y'", "local u = s < t", "local u = s <= ARGV[1]", "local u = table.concat({s, 'y'})",
        "local u = {s, t, s, t} table.sort(u)", "local u = tonumber(s)", "local u = redis.sha1hex(s)",
        "local u = redis.call('echo', s)", "local u = redis.pcall('get', 'long')", "local u = loadstring(s)",
        "local u = string.format('%s', s)"}) {
    TestSession session;
    session.ask(make_command("SET", "long", std::string(1'000'000, 'x')));
    const std::string script = head + "while n < 20000 do n = n + 1 " + round + " end return n";
    const std::string reply = session.ask(make_command("EVAL", script, 0, std::string(1'000'000, 'x')));
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos) << round << ": " << reply.substr(0, 200);
  }
}

// Each of these is a few instructions to Lua's machine, and goes through thousands of values.
TEST(LuaLimits, work_on_many_values_counts_by_their_number) {
  const std::string head = "local t = {} for i = 1, 7000 do t[i] = 65 end local n = 0 ";
  for (const char* script :
       {"while true do n = n + select('#', unpack(t)) end",
        "local function f(...) return select('#', ...) end local function g(...) while true do f(...) end "
        "end "
        "g(unpack(t))",
        "local function g(...) while true do math.max(...) end end g(unpack(t))",
        "local function g(...) while true do string.char(...) end end g(unpack(t))",
        "local function f(...) return f(1, ...) end f()",
        "t = {} for i = 1, 100000 do t[i] = i end for i = 1, 100000 do t[i] = nil end while true do next(t) "
        "end",
        "while true do coroutine.wrap(function() for i = 1, 90 do n = n + 1 end end)() end",
        "while true do string.format('%99.99f', 1e300) end",
        "return #string.gsub(string.rep('a', 30000), '(x-)', string.rep('%1', 100000))"}) {
    TestSession session;
    const std::string reply = run(session, head + script);
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos) << script << ": " << reply.substr(0, 200);
    EXPECT_EQ(run(session, "return 1"), "1");
  }
}

// A model keeps values as short lists, which it goes through.
TEST(LuaLimits, work_of_commands_counts_by_what_they_look_at) {
  for (
      const char* script :
      {"for i = 1, 5000 do redis.call('set', 'k' .. i, 1) end while true do redis.call('dbsize') end",
       "for i = 1, 5000 do redis.call('set', 'k' .. i, 1) end while true do redis.call('keys', 'x') end",
       "for i = 1, 5000 do redis.call('rpush', 'l', i) end while true do redis.call('lrem', 'l', 0, 'x') end",
       "for i = 1, 5000 do redis.call('zadd', 'z', i, i) end while true do redis.call('zrank', 'z', 'x') end",
       "for i = 1, 5000 do redis.call('sadd', 's', i) end while true do redis.call('sismember', 's', 'x') "
       "end",
       "local t = {'rpush', 'l'} for i = 3, 7000 do t[i] = 'x' end while true do redis.call(unpack(t)) "
       "end"}) {
    TestSession session;
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos) << script << ": " << reply.substr(0, 200);
  }
}

TEST(LuaLimits, what_is_returned_counts_however_often_it_is_the_same) {
  TestSession session;
  for (const char* script :
       {"local t = {1} for i = 1, 26 do t = {t, t} end return t",
        "local s = string.rep('x', 1000000) local t = {} for i = 1, 50 do t[i] = s end return t"}) {
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos) << script << ": " << reply.substr(0, 200);
    EXPECT_EQ(run(session, "return {{1}, {1}}"), "[[1], [1]]");
  }
}

// Lua's own search for a word takes its length times that of the text.
TEST(LuaLimits, a_long_word_is_looked_for_in_a_long_text_at_once) {
  TestSession session;
  EXPECT_EQ(
      run(session, "return string.find(string.rep('a', 2000000), string.rep('a', 1000000) .. 'b', 1, true)"),
      "(nil)");
  EXPECT_EQ(run(session,
                "return {string.find('abcabc', 'b', 3, true), tostring(string.find('abc', '', 10, true)), "
                "string.find('abc', ''), string.find('a\\0bc', 'c'), string.find('abcabc', 'bc', -2)}"),
            "[5, \"4\", 1, 4, 5, 6]");
}

TEST(LuaLimits, many_stars_in_a_pattern_of_keys_take_no_longer_than_one) {
  TestSession session;
  session.ask(make_command("SET", std::string(60, 'a'), 1));
  std::string stars;
  for (int star = 0; star < 25; ++star) stars += "*a";
  EXPECT_EQ(session.ask(make_command("KEYS", stars + "b")), "[]");
  EXPECT_NE(session.ask(make_command("KEYS", stars)), "[]");
}

TEST(LuaLimits, what_takes_long_to_compile_is_stopped) {
  TestSession session;
  for (const char* script :
       {"return loadstring('if a then ' .. string.rep('elseif a then ', 50000) .. ' end')",
        "local n = 0 return load(function() n = n + 1 return n < 50000 and 'if a then else ' or nil end)"}) {
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos) << script << ": " << reply;
  }
}

// As redis-server 7.0.15 answers them.
TEST(LuaSeal, only_source_is_compiled) {
  TestSession session;
  EXPECT_EQ(run(session, "return type(loadstring(string.dump(function() return 1 end)))"), "\"nil\"");
  EXPECT_EQ(
      run(session,
          "local b = string.dump(function() end) local f, e = load(function() local x = b b = nil return "
          "x end) return {type(f), e}"),
      "[\"nil\", \"(load):1: unexpected symbol near 'char(27)'\"]");
  EXPECT_EQ(run(session, "\x1bLua"),
            "ERR Error compiling script (new function): user_script:1: unexpected symbol near 'char(27)'");
  EXPECT_EQ(run(session, "local n = 0 return load(function() n = n + 1 return ({'return ', '7'})[n] end)()"),
            "7");
  EXPECT_EQ(run(session, "return {type(load(function() return {} end)), type(loadstring('x='))}"),
            "[\"nil\", \"nil\"]");
}

TEST(LuaSeal, no_range_that_is_unpacked_leads_behind_the_stack) {
  TestSession session;
  for (const char* range : {"-2147483648, 2147483647", "1, 2000000000", "-2147483648, -1"}) {
    const std::string reply = run(session, std::string("return unpack({}, ") + range + ")");
    EXPECT_TRUE(reply.starts_with("ERR user_script:1: too many results to unpack")) << range << ": " << reply;
  }
  EXPECT_EQ(run(session, "return {#{unpack({}, 5, 1)}, select('#', unpack({1, 2}, 0, 2))}"), "[0, 3]");
}

TEST(LuaLimits, a_long_text_of_the_script_before_counts_for_the_next_alone_if_it_meets_it) {
  TestSession session;
  const std::string joins = "local n = 0 while n < 20000 do n = n + 1 local t = s .. 'y' end return n";
  for (int turn = 0; turn < 3; ++turn) {
    const std::string reply = run(session, "local s = string.rep('x', 1000000) " + joins);
    EXPECT_TRUE(reply.find("was stopped") != std::string::npos) << reply;
    EXPECT_EQ(run(session, "local s = 'x' " + joins), "20000");
  }
}

TEST(LuaLimits, a_message_of_a_wrapped_function_still_names_it) {
  TestSession session;
  const std::string reply = run(session, "return string.rep()");
  EXPECT_TRUE(
      reply.starts_with("ERR user_script:1: bad argument #1 to 'rep' (string expected, got no value)"))
      << reply;
}

// As redis-server 7.0.15 answers them.
TEST(LuaSeal, metatables_and_libraries_cannot_be_changed) {
  TestSession session;
  for (const char* script :
       {"getmetatable('').__index = nil return 1", "getmetatable('').foo = 1 return 1",
        "getmetatable(_G).__index = nil return 1", "rawset(_G,'zz',1) return 1", "string.foo=1 return 1",
        "rawset(getmetatable(''),'foo',1) return 1", "setmetatable(getmetatable(''),{}) return 1",
        "rawset(getmetatable(_G),'foo',1) return 1", "table.insert(_G,1) return 1",
        "table.insert(string,1) return 1", "getmetatable('').__index.foo=1 return 1"}) {
    const std::string reply = run(session, script);
    EXPECT_TRUE(reply.find("Attempt to modify a readonly table") != std::string::npos)
        << script << ": " << reply;
  }
  EXPECT_EQ(run(session,
                "return {type(getmetatable('')), type(getmetatable(_G)), tostring(getmetatable(string)), "
                "tostring(getmetatable(redis)), tostring(getmetatable(''))==nil}"),
            "[\"table\", \"table\", \"nil\", \"nil\", (nil)]");
  EXPECT_EQ(run(session, "return ('x'):upper() .. tostring(getmetatable('').foo)"), "\"Xnil\"");
  EXPECT_EQ(run(session, "table.sort(redis) table.remove(string,1) return 1"), "1");
}

TEST(LuaSeal, the_collector_of_garbage_cannot_be_stopped_for_those_who_come_later) {
  TestSession session;
  EXPECT_EQ(run(session, "return {collectgarbage('stop'), collectgarbage('setpause', 1000)}"), "[0, 200]");
  EXPECT_EQ(run(session, "return collectgarbage('setpause', 200)"), "200");
}

}  // namespace lua_limits_test
}  // namespace holdfast::redis
