// The handlers of all commands, by the file that holds them. A handler trusts its number of words
// (the table checked it), changes the database, says `modified`, and returns the reply.
#pragma once

#include "harness/stores/redis/model/call.h"

namespace holdfast::redis::commands {

// set_command.cpp
Reply set(Call& call);
Reply setnx(Call& call);
Reply setex(Call& call);
Reply psetex(Call& call);
Reply getex(Call& call);

// string_commands.cpp
Reply get(Call& call);
Reply getset(Call& call);
Reply getdel(Call& call);
Reply mget(Call& call);
Reply mset(Call& call);
Reply append(Call& call);
Reply strlen(Call& call);
Reply incr(Call& call);
Reply decr(Call& call);
Reply incrby(Call& call);
Reply decrby(Call& call);

// key_commands.cpp
Reply del(Call& call);
Reply exists(Call& call);
Reply type(Call& call);
Reply keys(Call& call);
Reply dbsize(Call& call);
Reply flush(Call& call);

// expiry_commands.cpp
Reply expire(Call& call);
Reply pexpire(Call& call);
Reply expireat(Call& call);
Reply pexpireat(Call& call);
Reply persist(Call& call);
Reply ttl(Call& call);
Reply pttl(Call& call);
Reply expiretime(Call& call);
Reply pexpiretime(Call& call);

// hash_commands.cpp
Reply hset(Call& call);
Reply hmset(Call& call);
Reply hsetnx(Call& call);
Reply hget(Call& call);
Reply hmget(Call& call);
Reply hdel(Call& call);
Reply hexists(Call& call);
Reply hincrby(Call& call);
Reply hlen(Call& call);
Reply hgetall(Call& call);
Reply hkeys(Call& call);
Reply hvals(Call& call);

// list_commands.cpp
Reply lpush(Call& call);
Reply rpush(Call& call);
Reply lpop(Call& call);
Reply rpop(Call& call);
Reply llen(Call& call);
Reply lrange(Call& call);
Reply lindex(Call& call);
Reply lrem(Call& call);

// set_commands.cpp
Reply sadd(Call& call);
Reply srem(Call& call);
Reply sismember(Call& call);
Reply smembers(Call& call);
Reply scard(Call& call);

// sorted_set_commands.cpp
Reply zadd(Call& call);
Reply zincrby(Call& call);
Reply zrem(Call& call);
Reply zscore(Call& call);
Reply zrank(Call& call);
Reply zrevrank(Call& call);
Reply zcard(Call& call);

// sorted_set_range_commands.cpp
Reply zrange(Call& call);
Reply zrevrange(Call& call);
Reply zrangebyscore(Call& call);
Reply zrevrangebyscore(Call& call);
Reply zcount(Call& call);
Reply zremrangebyscore(Call& call);
Reply zremrangebyrank(Call& call);

// publish_subscribe_commands.cpp
Reply publish(Call& call);
Reply subscribe(Call& call);
Reply unsubscribe(Call& call);

// script_commands.cpp
Reply eval(Call& call);
Reply evalsha(Call& call);
Reply script(Call& call);

// transaction_commands.cpp
Reply multi(Call& call);
Reply exec(Call& call);
// What EXEC answers when it is itself refused. The transaction is over.
Reply abort_exec(Server& server, ConnectionId connection, const Reply& error);
Reply discard(Call& call);
Reply watch(Call& call);
Reply unwatch(Call& call);

// server_commands.cpp
Reply ping(Call& call);
Reply echo(Call& call);
Reply time(Call& call);
Reply select(Call& call);
Reply wait(Call& call);

}  // namespace holdfast::redis::commands
