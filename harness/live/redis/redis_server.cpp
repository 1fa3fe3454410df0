#include "harness/live/redis/redis_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string_view>
#include <thread>

#include "harness/live/process/live_error.h"

namespace holdfast::live {
namespace {

constexpr int most_tries = 3000;  // of some milliseconds each: a loaded machine is slow

std::string_view fsync_policy(redis::AppendOnly policy) {
  return policy == redis::AppendOnly::always ? "always" : "everysec";
}

std::string field(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = text.substr(at + name.size());
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

}  // namespace

int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool found = descriptor >= 0 &&
                     bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(descriptor);
  if (!found) {
    throw LiveError("no free port can be found on the loopback address.");
  }
  return ntohs(address.sin_port);
}

RedisServer::RedisServer(RedisServerOptions options) : options_(std::move(options)) {
  constexpr int ports_to_try = 5;  // another program may take the port that was free a moment ago
  for (int tries = 1;; ++tries) {
    port_ = options_.listens ? free_port() : 0;
    write_configuration();
    try {
      start();
      return;
    } catch (const LiveError&) {
      if (!options_.listens || tries == ports_to_try) {
        throw;
      }
    }
  }
}

void RedisServer::write_configuration() const {
  std::ofstream file(options_.directory / "redis.conf");
  file << "bind 127.0.0.1\nprotected-mode yes\n"
       << "port " << port_ << "\nunixsocket " << socket() << "\nunixsocketperm 700\n"
       << "daemonize no\nlogfile \"\"\nsave \"\"\n"
       << "dir " << options_.directory.string() << "\n"
       << "appendonly " << (options_.append_only == redis::AppendOnly::never ? "no" : "yes") << "\n"
       << "appendfsync " << fsync_policy(options_.append_only) << "\n"
       << "enable-debug-command local\n";
  for (const std::string& line : options_.settings) {
    file << line << "\n";
  }
}

void RedisServer::start() {
  std::error_code ignored;
  std::filesystem::remove(socket(), ignored);
  ChildOptions child;
  child.arguments = {"redis-server", (options_.directory / "redis.conf").string()};
  child.environment = options_.environment;
  child.directory = options_.directory;
  child.output = options_.directory / "log";
  child_ = std::make_unique<Child>(child);
  wait_until_it_answers();
}

void RedisServer::wait_until_it_answers() {
  for (int tries = 0; tries < most_tries; ++tries) {
    if (!child_->is_running()) {
      throw LiveError(why_it_ended());
    }
    const std::unique_ptr<redisContext, decltype(&redisFree)> context(redisConnectUnix(socket().c_str()),
                                                                      &redisFree);
    if (context != nullptr && context->err == 0) {
      const std::unique_ptr<void, decltype(&freeReplyObject)> reply(redisCommand(context.get(), "INFO"),
                                                                    &freeReplyObject);
      const auto* answer = static_cast<const redisReply*>(reply.get());
      const std::string_view said = answer != nullptr && answer->type == REDIS_REPLY_STRING
                                        ? std::string_view(answer->str, answer->len)
                                        : std::string_view();
      if (said.find("\nloading:0") != std::string_view::npos) {  // else it still reads its data
        version_ = field(said, "redis_version:");
        return;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw LiveError("redis-server does not answer: " + last_lines(options_.directory / "log"));
}

std::string RedisServer::why_it_ended() const {
  return fmt::format("redis-server ended with {}: {}", child_->ending(),
                     last_lines(options_.directory / "log"));
}

}  // namespace holdfast::live
