// What goes wrong in a script: scripts that a real server ran, run again by the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(ScriptError, raised_errors_name_the_script_and_the_line) {
  expect_scripts({
      {"return redis.call('set','a',true)",
       "ERR Lua redis lib command arguments must be strings or integers script: "
       "6042254a7ed323d02c5d9e79e8b146ed12a16975, on @user_script:1."},
      {"return redis.call()",
       "ERR Please specify at least one argument for this redis lib call script: "
       "0a907e1429221a4d85516cab7fd219a82a9439d8, on @user_script:1."},
      {"return redis.call('foo')",
       "ERR Unknown Redis command called from script script: cc78c5a793d041f28ab0f6b117a82d1428ccfd13, on "
       "@user_script:1."},
      {"return redis.call('get')",
       "ERR Wrong number of args calling Redis command from script script: "
       "f187dee77f607f7cff00bbabc9df38507582c78d, on @user_script:1."},
      {"return redis.call('eval')",
       "ERR Wrong number of args calling Redis command from script script: "
       "11376c5839643d67e5e5b4a5c5a9931259af49eb, on @user_script:1."},
      {"return redis.call('subscribe')",
       "ERR Wrong number of args calling Redis command from script script: "
       "f39f0fd41ccebccd4bc9f4206e9714065617ce66, on @user_script:1."},
      {"return redis.call('incr','list')",
       "WRONGTYPE Operation against a key holding the wrong kind of value script: "
       "acedc534fcffb365133d2a9eaf1582aae7c04aec, on @user_script:1."},
      {"return ARG",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'ARG' script: "
       "aeec0575a5a6f339ecae4ecc69a1fa8f2e972d70, on @user_script:1."},
      {"x=1",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "7caf6056913504f0508c65faf2dc3f94ff65bcfd, on @user_script:1."},
      {"error('boo')",
       "ERR user_script:1: boo script: 4c4072b2b44689260a81bb26a459f4463cfbb09e, on @user_script:1."},
      {"error({err='boo'})", "boo script: 441a1e50777eab33c7096f9b0b8ed334a972d24d, on @user_script:1."},
      {"error({err='MY boo'})",
       "MY boo script: b09cfdff88b31d6839b689e2340c14a25bdca683, on @user_script:1."},
      {"error({err='MY boo', ok='x'})",
       "MY boo script: 97c853e7a13b2daa860532906694b7092efff41e, on @user_script:1."},
      {"return nil+1",
       "ERR user_script:1: attempt to perform arithmetic on a nil value script: "
       "06da94268985d443d9a2d8145ac0234e4f02562c, on @user_script:1."},
      {"local x = nil\nreturn x.y",
       "ERR user_script:2: attempt to index local 'x' (a nil value) script: "
       "d4bb16f4f8d843879eecd8fc9b3c6527879baef0, on @user_script:2."},
      {"return redis.sha1hex()",
       "ERR wrong number of arguments script: 3c7ce947ae74a835cc575b6ee87fb27503cb7ba4, on @user_script:1."},
      {"return redis.log('a')",
       "ERR redis.log() requires two arguments or more. script: 66d1eee0aaa8a20f27a04f782aab9328985c46d5, on "
       "@user_script:1."},
      {"return redis.log('a','b')",
       "ERR First argument must be a number (log level). script: 0b33418de8f38b54c447ba6772ee3d6d6309b011, "
       "on @user_script:1."},
      {"return redis.log(7,'b')",
       "ERR Invalid debug level. script: ccd0c0c69d01025bf7ecabfa61342fd7a00c14f3, on @user_script:1."},
      {"return redis.log(-1,'b')",
       "ERR Invalid debug level. script: 51e81ca26ffcadeca3224c7c8d0e02f6209f67dd, on @user_script:1."},
      {"#!lua\nreturn x",
       "ERR user_script:2: Script attempted to access nonexistent global variable 'x' script: "
       "58b72ca6d006e3bafbb8cc006de4820497ce9cf8, on @user_script:2."},
      {"error()", "ERR nil script: aca90d914519fdb9825352bdc0befb59f7c8510f, on @user_script:1."},
      {"error('x',0)", "ERR x script: 8f4889c5107712848127051ca91450584d2d6d6d, on @user_script:1."},
      {"error('x',2)", "ERR x script: e299ce35c67c1cfed197ca85db9148b6efc84147, on @user_script:1."},
      {"error(12)",
       "ERR user_script:1: 12 script: 531d78cb0a3022f46aa8fcca247caa61d303b321, on @user_script:1."},
      {"error(true)", "ERR true script: 4fafe2149f68a1618a3eef40aeef55f5af6951da, on @user_script:1."},
      {"return string.rep()",
       "ERR user_script:1: bad argument #1 to 'rep' (string expected, got no value) script: "
       "312a592c4be4cbcb6748209b815c8eb090f3ca71, on @user_script:1."},
      {"local t=setmetatable({},{__index=function(t,k) error('deep') end}) return t.x",
       "ERR user_script:1: deep script: 9fe77e0ac1146a01855721ef5931c72c82350042, on @user_script:1."},
      {"return loadstring('return nosuch')()",
       "ERR [string \"return nosuch\"]:1: Script attempted to access nonexistent global variable 'nosuch' "
       "script: b4271fbdca55dd80e4cd3cd34e6d1791867b4313, on return nosuch:1."},
      {"return redis.nosuch()",
       "ERR user_script:1: attempt to call field 'nosuch' (a nil value) script: "
       "064c0d38ec6d45fb37cd950fd37e609359986738, on @user_script:1."},
      {"string.x=1",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "0200261db1e7771c266e77366576961c8f228af1, on @user_script:1."},
      {"redis.x=1",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "5b2bc017c4ad02e0a4040b10e3482419e45c58b0, on @user_script:1."},
      {"redis.call=1",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "70f4e18b61fcf46601aff14fe2eaa0a7d2ff5e00, on @user_script:1."},
      {"KEYS=1 return KEYS",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "7ceefee785ca2e7aa8b6190ce93dbd3bc1aaf4bd, on @user_script:1."},
      {"_G.KEYS=nil return KEYS",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "8abac976213b3aa0af3b12d379b9e5864db45a50, on @user_script:1."},
      {"_G.x=nil",
       "ERR user_script:1: Attempt to modify a readonly table script: "
       "2774e515d9c4171a601b0f8026f9ac53b0796f7f, on @user_script:1."},
      {"rawset(_G,'x',1) return x",
       "ERR Attempt to modify a readonly table script: eae11c0375163fe1c4ff4d972df572fe0a10d22b, on "
       "@user_script:1."},
      {"setmetatable(_G,{})",
       "ERR Attempt to modify a readonly table script: e8f1b52cec0990f58c59b37010d130cfdce9e1a5, on "
       "@user_script:1."},
      {"setmetatable(string,nil)",
       "ERR Attempt to modify a readonly table script: 0a77d6ec6e54f959f84956fbeacc7715d69b04bd, on "
       "@user_script:1."},
      {"return print",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'print' script: "
       "df4c752a7558004676bbee87e38b92e0b9056d68, on @user_script:1."},
      {"return os",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'os' script: "
       "f03b5ad6e7d58786b6a5e879efbea4a4408f5c2f, on @user_script:1."},
      {"return io",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'io' script: "
       "badfe324d30f60abd2dbecf4d4b0f915038384e2, on @user_script:1."},
      {"return debug",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'debug' script: "
       "7f0eed9eaa523ec9e1ff69159f45a399473d9771, on @user_script:1."},
      {"return require",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'require' script: "
       "68c9d8918a98cebaec1948aff703e96c57af9fdd, on @user_script:1."},
      {"return {type(getfenv and 1)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'getfenv' script: "
       "5eefcc468b4fc9b74cefa86d482d66378e12d446, on @user_script:1."},
      {"return {type(setfenv)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'setfenv' script: "
       "fec9b0547f2eee1a161f8ad073cdc9fe7d36db92, on @user_script:1."},
      {"return {type(newproxy)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'newproxy' script: "
       "b387d24a93b7235e777f490e5bedc9112182c548, on @user_script:1."},
      {"return {type(dofile)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'dofile' script: "
       "f0c66c2c7214458fd50a471083aa2ae51fef91cd, on @user_script:1."},
      {"return {type(loadfile)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'loadfile' script: "
       "f2bb3297928667bf483873d9a06aebba2e8a3ea2, on @user_script:1."},
      {"return {type(module)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'module' script: "
       "3ecdd632fc784f78f8111effd662c7979f2121cd, on @user_script:1."},
      {"return {type(package)}",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'package' script: "
       "dda7f578c9cafa22c3358d9f893ff1d7ae0cc065, on @user_script:1."},
      {"local function f() return f() end return 'x'..f",
       "ERR user_script:1: attempt to concatenate local 'f' (a function value) script: "
       "627061a586eeed0aa16277fe1fdb4e9df1eacdbc, on @user_script:1."},
      {"local function f() return 1+f() end return f()",
       "ERR user_script:1: stack overflow script: 8dac8411355853de2ec60a5b36a9ce2745404793, on "
       "@user_script:1."},
      {"return cjson2",
       "ERR user_script:1: Script attempted to access nonexistent global variable 'cjson2' script: "
       "74590e1c1c2d0db9892e4bd39678223d815731e7, on @user_script:1."},
      {"assert(false,'assertion text')",
       "ERR user_script:1: assertion text script: cf7e1422d971a1fdb7267df3962db9cca98d4813, on "
       "@user_script:1."},
      {"assert(false)",
       "ERR user_script:1: assertion failed! script: 2878c2ae3cafd05c022d4f19e4b521d97df409a2, on "
       "@user_script:1."},
      {"assert(nil,{err='table text'})",
       "ERR user_script:1: bad argument #2 to 'assert' (string expected, got table) script: "
       "d184fb5461a2775b8fb58fcd695a13185736c9e7, on @user_script:1."},
      {"return redis.call('hincrby','h','f','x')",
       "ERR value is not an integer or out of range script: 239aa5a22880a7540da787ae71f83386ed9713cc, on "
       "@user_script:1."},
      {"return redis.call('multi')",
       "ERR This Redis command is not allowed from script script: c329a1a294be6bf95b44144f7502610661ae925a, "
       "on @user_script:1."},
      {"return redis.call('exec')",
       "ERR This Redis command is not allowed from script script: cfd06730c41ba24d30327b6d49d1ebf96a001298, "
       "on @user_script:1."},
      {"return redis.call('watch','a')",
       "ERR This Redis command is not allowed from script script: 0e26049e9924b5ad074b2234aed78534505f8d44, "
       "on @user_script:1."},
      {"return redis.call('unwatch')",
       "ERR This Redis command is not allowed from script script: 4a84ce53df3fe64c49f00be31eb28ab86acdf771, "
       "on @user_script:1."},
      {"return redis.call('script','flush')",
       "ERR This Redis command is not allowed from script script: 2e2db287d48c36431e8437bb7077dc6af3cae3d6, "
       "on @user_script:1."},
      {"return redis.call('wait',0,0)",
       "ERR This Redis command is not allowed from script script: bf73943552e0faee9594d9a1c5ba3d14c7dccd99, "
       "on @user_script:1."},
      {"return redis.call('set','k1','v','PX',0)",
       "ERR invalid expire time in 'set' command script: 821b595d35a27ca066d6e2c91c13852ebe0675ff, on "
       "@user_script:1."},
      {"return redis.call('set','k1','v','PX','a')",
       "ERR value is not an integer or out of range script: 1021a60e9c9328eb86702c9c2c588e256b6dad5a, on "
       "@user_script:1."},
      {"\nreturn redis.call('set','k1','v','foo')",
       "ERR syntax error script: ef6a0146e23804769bfff1175f9548130e55227a, on @user_script:2."},
      {"local co = coroutine.wrap(function() return redis.call('incr','list') end) return co()",
       "WRONGTYPE Operation against a key holding the wrong kind of value script: "
       "079e4bdcb64a58a74a5570ffec8ec5f630730d24, on @user_script:1."},
      {"rawset({},1)",
       "ERR user_script:1: bad argument #3 to 'rawset' (value expected) script: "
       "2fca57550274034a115313b80e35bf13a546a580, on @user_script:1."},
      {"rawset(1,1,1)",
       "ERR user_script:1: bad argument #1 to 'rawset' (table expected, got number) script: "
       "21a9b23e8aa4bd1346298da6b28cbe1ebec193e4, on @user_script:1."},
      {"setmetatable({},1)",
       "ERR user_script:1: bad argument #2 to 'setmetatable' (nil or table expected) script: "
       "6b776f7e2f56f8e59dc1086ffc62a0fe2c6f0ffa, on @user_script:1."},
      {"setmetatable(1,{})",
       "ERR user_script:1: bad argument #1 to 'setmetatable' (table expected, got number) script: "
       "8df16be4e748cd3e7657b800bebb4031a8782fbe, on @user_script:1."},
      {"next(1)",
       "ERR user_script:1: bad argument #1 to 'next' (table expected, got number) script: "
       "0a81fc7ca12d7ba8e2ead1e5866e915d3057e812, on @user_script:1."},
      {"pairs()",
       "ERR user_script:1: bad argument #1 to 'pairs' (table expected, got no value) script: "
       "b9b4cc59dc3aeca62636a97763e2b62a1e1f5ac3, on @user_script:1."},
      {"pairs(1)",
       "ERR user_script:1: bad argument #1 to 'pairs' (table expected, got number) script: "
       "c4bb72e3ff555f1faeebf6cee0ad1345b83c4bea, on @user_script:1."},
      {"ipairs()",
       "ERR user_script:1: bad argument #1 to 'ipairs' (table expected, got no value) script: "
       "7f6ad977f87ec66b3c78d79c080664dfe651a035, on @user_script:1."},
      {"return 'a' < 1",
       "ERR user_script:1: attempt to compare string with number script: "
       "1bcc9b60c52cffd4347d71c33042b3e1c737e638, on @user_script:1."},
      {"return {} .. 'x'",
       "ERR user_script:1: attempt to concatenate a table value script: "
       "bd7fed2b307ec6d6b2ab70b695be1da1b8c86eca, on @user_script:1."},
      {"return #5",
       "ERR user_script:1: attempt to get length of a number value script: "
       "ffe83ca6101f6ad505d8608927f3d3b8a836e154, on @user_script:1."},
      {"return unpack()",
       "ERR user_script:1: bad argument #1 to 'unpack' (table expected, got no value) script: "
       "93b21496134e25d14acc217e82ee755627640c04, on @user_script:1."},
      {"return table.concat({1,{},3})",
       "ERR user_script:1: invalid value (table) at index 2 in table for 'concat' script: "
       "eb0534684e031e702003122cf0f200157f632621, on @user_script:1."},
      {"return ('x').y.z",
       "ERR user_script:1: attempt to index field 'y' (a nil value) script: "
       "81f4c558fa5a3e6bcdb0c5ac05d8a9df5ece925b, on @user_script:1."},
      {"KEYS.foo.bar=1\n",
       "ERR user_script:1: attempt to index field 'foo' (a nil value) script: "
       "82cce6b3d01c102b8e69f740e96ed38adcb86f74, on @user_script:1."},
  });
}

TEST(ScriptError, returned_and_caught_errors_do_not) {
  expect_scripts({
      {"return redis.pcall()", "ERR Please specify at least one argument for this redis lib call"},
      {"return redis.pcall('foo','x')", "ERR Unknown Redis command called from script"},
      {"return redis.pcall('incr','list')",
       "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"return (",
       "ERR Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'"},
      {"local ok,e=pcall(redis.call,'get') return {tostring(ok),type(e),tostring(e)}",
       "[\"false\", \"string\", \"ERR Wrong number of args calling Redis command from script\"]"},
      {"local ok,e=pcall(redis.call,'incr','list') return {tostring(ok),type(e),tostring(e)}",
       "[\"false\", \"string\", \"WRONGTYPE Operation against a key holding the wrong kind of value\"]"},
      {"local ok,e=pcall(error,{err='x'}) return {tostring(ok),type(e),tostring(e)}",
       "[\"false\", \"string\", \"x\"]"},
      {"local ok,e=pcall(error,{a='x'}) return {tostring(ok),type(e)}", "[\"false\", \"table\"]"},
      {"local ok,e=pcall(error,'x') return {tostring(ok),type(e),tostring(e)}",
       "[\"false\", \"string\", \"x\"]"},
      {"local ok,e=pcall(function() return x.y end) return {tostring(ok),type(e),tostring(e)}",
       "[\"false\", \"string\", \"user_script:1: Script attempted to access nonexistent global variable "
       "'x'\"]"},
      {"local ok,e=pcall(function() local x x.y=1 end) return {tostring(ok),type(e),tostring(e)}",
       "[\"false\", \"string\", \"user_script:1: attempt to index local 'x' (a nil value)\"]"},
      {"local ok,a,b=pcall(function() return 1,2 end) return {tostring(ok),a,b}", "[\"true\", 1, 2]"},
      {"local ok,e=xpcall(function() error({err='x'}) end, function(e) return e end) return "
       "{tostring(ok),type(e)}",
       "[\"false\", \"table\"]"},
      {"return pcall()", "(nil)"},
      {"return redis.pcall('get',{})", "ERR Lua redis lib command arguments must be strings or integers"},
      {"return redis.pcall('get',nil)", "ERR Lua redis lib command arguments must be strings or integers"},
      {"goto x", "ERR Error compiling script (new function): user_script:1: '=' expected near 'x'"},
      {"local s = 'unfinished",
       "ERR Error compiling script (new function): user_script:1: unfinished string near '<eof>'"},
      {"local x <const> = 1",
       "ERR Error compiling script (new function): user_script:1: unexpected symbol near '<'"},
  });
}

}  // namespace
}  // namespace holdfast::redis
