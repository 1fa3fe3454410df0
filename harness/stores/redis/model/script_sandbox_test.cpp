// The world a script sees: scripts that a real server ran, run again by the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(ScriptSandbox, a_script_sees_the_libraries_the_server_leaves_in) {
  expect_scripts({
      {"return redis.sha1hex('')", "\"da39a3ee5e6b4b0d3255bfef95601890afd80709\""},
      {"return redis.sha1hex('abc')", "\"a9993e364706816aba3e25717850c26c9cd0d89d\""},
      {"return redis.sha1hex(string.rep('abc',100))", "\"c95466320eaae6d19ee314ae4f135b12d45ced9a\""},
      {"return redis.sha1hex(12)", "\"7b52009b64fd0a2a49e6d8a939753077792b0554\""},
      {"return redis.sha1hex({})", "\"da39a3ee5e6b4b0d3255bfef95601890afd80709\""},
      {"return redis.log(redis.LOG_DEBUG,'b')", "(nil)"},
      {"return tostring(redis.replicate_commands())", "\"true\""},
      {"#!lua flags=no-writes\nreturn 1", "1"},
      {"return loadstring('return KEYS[1]')()", "\"k1\""},
      {"return tostring(_VERSION)", "\"Lua 5.1\""},
      {"return type(redis.nosuch)", "\"nil\""},
      {"return type(string.nosuch)", "\"nil\""},
      {"KEYS[1]='changed' return KEYS", "[\"changed\", \"k2\"]"},
      {"return type(rawget(_G,'redis'))", "\"table\""},
      {"return type(rawget(_G,'nosuch'))", "\"nil\""},
      {"local t={} for k,v in pairs(redis) do if type(v)~='function' then t[#t+1]=k..'='..tostring(v) end "
       "end table.sort(t) return t",
       "[\"LOG_DEBUG=0\", \"LOG_NOTICE=2\", \"LOG_VERBOSE=1\", \"LOG_WARNING=3\", \"REDIS_VERSION=7.0.15\", "
       "\"REDIS_VERSION_NUM=458767\", \"REPL_ALL=3\", \"REPL_AOF=1\", \"REPL_NONE=0\", \"REPL_REPLICA=2\", "
       "\"REPL_SLAVE=2\"]"},
      {"local t={} for k,v in pairs(string) do t[#t+1]=k end table.sort(t) return t",
       "[\"byte\", \"char\", \"dump\", \"find\", \"format\", \"gfind\", \"gmatch\", \"gsub\", \"len\", "
       "\"lower\", \"match\", \"rep\", \"reverse\", \"sub\", \"upper\"]"},
      {"local t={} for k,v in pairs(table) do t[#t+1]=k end table.sort(t) return t",
       "[\"concat\", \"foreach\", \"foreachi\", \"getn\", \"insert\", \"maxn\", \"remove\", \"setn\", "
       "\"sort\"]"},
      {"local t={} for k,v in pairs(math) do t[#t+1]=k end table.sort(t) return t",
       "[\"abs\", \"acos\", \"asin\", \"atan\", \"atan2\", \"ceil\", \"cos\", \"cosh\", \"deg\", \"exp\", "
       "\"floor\", \"fmod\", \"frexp\", \"huge\", \"ldexp\", \"log\", \"log10\", \"max\", \"min\", \"mod\", "
       "\"modf\", \"pi\", \"pow\", \"rad\", \"random\", \"randomseed\", \"sin\", \"sinh\", \"sqrt\", "
       "\"tan\", \"tanh\"]"},
      {"local t={} for k,v in pairs(coroutine) do t[#t+1]=k end table.sort(t) return t",
       "[\"create\", \"resume\", \"running\", \"status\", \"wrap\", \"yield\"]"},
      {"local t={} for k,v in pairs(_G) do if k~='cjson' and k~='bit' and k~='struct' and k~='cmsgpack' and "
       "k~='__redis__err__handler' then t[#t+1]=k end end table.sort(t) return t",
       "[\"ARGV\", \"KEYS\", \"_G\", \"_VERSION\", \"assert\", \"collectgarbage\", \"coroutine\", \"error\", "
       "\"gcinfo\", \"getmetatable\", \"ipairs\", \"load\", \"loadstring\", \"math\", \"next\", \"pairs\", "
       "\"pcall\", \"rawequal\", \"rawget\", \"rawset\", \"redis\", \"select\", \"setmetatable\", "
       "\"string\", \"table\", \"tonumber\", \"tostring\", \"type\", \"unpack\", \"xpcall\"]"},
      {"return ('x'):rep(3)", "\"xxx\""},
      {"return string.format('%d %s',3,'x')", "\"3 x\""},
      {"return tonumber('12') + tonumber('0x10')", "28"},
      {"return tonumber(nil)", "(nil)"},
      {"return tostring(1e15)..' '..tostring(0.1)", "\"1e+15 0.1\""},
      {"return next({})", "(nil)"},
      {"return select('#',1,2,3)", "3"},
      {"return type(collectgarbage('count'))", "\"number\""},
      {"return redis.call('select','0')", "OK"},
      {"return redis.call('publish','ch','x')", "0"},
      {"return table.getn({1,2}) ", "2"},
      {"local co = coroutine.wrap(function() coroutine.yield(1) coroutine.yield(2) end) return {co(),co()}",
       "[1, 2]"},
      {"local co = coroutine.create(function() return redis.call('incr','list') end) local "
       "ok,e=coroutine.resume(co) return {tostring(ok),type(e)}",
       "[\"false\", \"table\"]"},
      {"return redis.setresp(2)", "(nil)"},
      {"redis.set_repl(redis.REPL_ALL) return 1", "1"},
      {"return redis.breakpoint()", "(nil)"},
      {"return rawequal(1,1)", "1"},
  });
}

}  // namespace
}  // namespace holdfast::redis
