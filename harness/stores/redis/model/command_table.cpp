#include "harness/stores/redis/model/command_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "harness/stores/redis/model/commands.h"

namespace holdfast::redis {
namespace {

constexpr auto read = CommandFlag::none;
constexpr auto write = CommandFlag::write;
constexpr auto walk = CommandFlag::walks_keys;
constexpr auto pubsub = CommandFlag::no_script | CommandFlag::in_subscription;
constexpr auto transaction = CommandFlag::no_script | CommandFlag::not_queued;

constexpr std::array table = std::to_array<CommandInfo>({
    {"set", -3, write, commands::set},
    {"setnx", 3, write, commands::setnx},
    {"setex", 4, write, commands::setex},
    {"psetex", 4, write, commands::psetex},
    {"getex", -2, write, commands::getex},
    {"get", 2, read, commands::get},
    {"getset", 3, write, commands::getset},
    {"getdel", 2, write, commands::getdel},
    {"mget", -2, read, commands::mget},
    {"mset", -3, write, commands::mset},
    {"append", 3, write, commands::append},
    {"strlen", 2, read, commands::strlen},
    {"incr", 2, write, commands::incr},
    {"decr", 2, write, commands::decr},
    {"incrby", 3, write, commands::incrby},
    {"decrby", 3, write, commands::decrby},
    {"del", -2, write, commands::del},
    {"unlink", -2, write, commands::del},
    {"exists", -2, read, commands::exists},
    {"type", 2, read, commands::type},
    {"keys", 2, walk, commands::keys},
    {"dbsize", 1, walk, commands::dbsize},
    {"flushall", -1, write | walk, commands::flush},
    {"flushdb", -1, write | walk, commands::flush},
    {"expire", -3, write, commands::expire},
    {"pexpire", -3, write, commands::pexpire},
    {"expireat", -3, write, commands::expireat},
    {"pexpireat", -3, write, commands::pexpireat},
    {"persist", 2, write, commands::persist},
    {"ttl", 2, read, commands::ttl},
    {"pttl", 2, read, commands::pttl},
    {"expiretime", 2, read, commands::expiretime},
    {"pexpiretime", 2, read, commands::pexpiretime},
    {"hset", -4, write, commands::hset},
    {"hmset", -4, write, commands::hmset},
    {"hsetnx", 4, write, commands::hsetnx},
    {"hget", 3, read, commands::hget},
    {"hmget", -3, read, commands::hmget},
    {"hdel", -3, write, commands::hdel},
    {"hexists", 3, read, commands::hexists},
    {"hincrby", 4, write, commands::hincrby},
    {"hlen", 2, read, commands::hlen},
    {"hgetall", 2, read, commands::hgetall},
    {"hkeys", 2, read, commands::hkeys},
    {"hvals", 2, read, commands::hvals},
    {"lpush", -3, write, commands::lpush},
    {"rpush", -3, write, commands::rpush},
    {"lpop", -2, write, commands::lpop},
    {"rpop", -2, write, commands::rpop},
    {"llen", 2, read, commands::llen},
    {"lrange", 4, read, commands::lrange},
    {"lindex", 3, read, commands::lindex},
    {"lrem", 4, write, commands::lrem},
    {"sadd", -3, write, commands::sadd},
    {"srem", -3, write, commands::srem},
    {"sismember", 3, read, commands::sismember},
    {"smembers", 2, read, commands::smembers},
    {"scard", 2, read, commands::scard},
    {"zadd", -4, write, commands::zadd},
    {"zincrby", 4, write, commands::zincrby},
    {"zrem", -3, write, commands::zrem},
    {"zscore", 3, read, commands::zscore},
    {"zrank", 3, read, commands::zrank},
    {"zrevrank", 3, read, commands::zrevrank},
    {"zcard", 2, read, commands::zcard},
    {"zrange", -4, read, commands::zrange},
    {"zrevrange", -4, read, commands::zrevrange},
    {"zrangebyscore", -4, read, commands::zrangebyscore},
    {"zrevrangebyscore", -4, read, commands::zrevrangebyscore},
    {"zcount", 4, read, commands::zcount},
    {"zremrangebyscore", 4, write, commands::zremrangebyscore},
    {"zremrangebyrank", 4, write, commands::zremrangebyrank},
    {"publish", 3, read, commands::publish},
    {"subscribe", -2, pubsub, commands::subscribe},
    {"unsubscribe", -1, pubsub, commands::unsubscribe},
    {"eval", -3, CommandFlag::no_script, commands::eval},
    {"evalsha", -3, CommandFlag::no_script, commands::evalsha},
    {"script", -2, CommandFlag::no_script, commands::script},
    {"multi", 1, transaction, commands::multi},
    {"exec", 1, transaction, commands::exec},
    {"discard", 1, transaction, commands::discard},
    {"watch", -2, transaction, commands::watch},
    {"unwatch", 1, CommandFlag::no_script, commands::unwatch},
    {"ping", -1, CommandFlag::in_subscription, commands::ping},
    {"echo", 2, read, commands::echo},
    {"time", 1, read, commands::time},
    {"select", 2, read, commands::select},
    {"wait", 3, CommandFlag::no_script, commands::wait},
});

// Open addressing, laid out by the compiler: a look-up is one hash and about one comparison.
constexpr std::size_t slots = 512;
constexpr std::size_t name_length_max = 16;
static_assert(table.size() < 255);
static_assert(std::endian::native == std::endian::little);

// A name as two numbers, in lower case: one step takes eight letters at once.
struct PackedName {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend bool operator==(const PackedName&, const PackedName&) = default;
};

constexpr PackedName packed(std::string_view name) {
  std::array<std::uint64_t, 2> halves{};
  for (std::size_t index = 0; index < name.size(); ++index) {
    halves[index / 8] |= std::uint64_t{static_cast<unsigned char>(name[index])} << (8 * (index % 8));
  }
  return {halves[0], halves[1]};
}

constexpr std::size_t slot_of(const PackedName& name) {
  const std::uint64_t hash = (name.first ^ name.second * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::size_t>(hash >> 55U);
}
static_assert(slots == std::size_t{1} << (64U - 55U));

constexpr std::array<std::uint8_t, slots> build_index() {
  std::array<std::uint8_t, slots> index{};
  for (std::size_t entry = 0; entry < table.size(); ++entry) {
    std::size_t slot = slot_of(packed(table[entry].name));
    while (index[slot] != 0) slot = (slot + 1) % slots;
    index[slot] = static_cast<std::uint8_t>(entry + 1);
  }
  return index;
}

constexpr std::array<std::uint8_t, slots> index_of_name = build_index();

constexpr std::array<PackedName, table.size()> pack_table() {
  std::array<PackedName, table.size()> names{};
  for (std::size_t entry = 0; entry < table.size(); ++entry) names[entry] = packed(table[entry].name);
  return names;
}

constexpr std::array<PackedName, table.size()> packed_names = pack_table();

}  // namespace

const CommandInfo* find_command(std::string_view name) {
  if (name.size() > name_length_max) return nullptr;
  std::array<char, name_length_max> buffer{};
  std::copy(name.begin(), name.end(), buffer.begin());
  for (char& letter : buffer) {
    letter = static_cast<char>(letter | (letter >= 'A' && letter <= 'Z' ? 0x20 : 0));
  }
  PackedName key;
  std::memcpy(&key, buffer.data(), sizeof key);
  for (std::size_t slot = slot_of(key); index_of_name[slot] != 0; slot = (slot + 1) % slots) {
    const std::size_t entry = index_of_name[slot] - 1U;
    // A name that ends in zeros looks like one without them.
    if (packed_names[entry] == key && table[entry].name.size() == name.size()) return &table[entry];
  }
  return nullptr;
}

}  // namespace holdfast::redis
