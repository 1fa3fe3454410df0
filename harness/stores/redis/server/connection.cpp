#include "harness/stores/redis/server/connection.h"

#include <fmt/format.h>
#include <sys/time.h>

#include <utility>
#include <vector>

#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/redis_server.h"

namespace holdfast::live {
namespace {

constexpr timeval patience{.tv_sec = 30, .tv_usec = 0};
constexpr timeval patience_with_others{.tv_sec = 2, .tv_usec = 0};

std::string complaint_about(const std::string& socket) {
  return fmt::format("the redis-server at {} does not answer", socket);
}

redis::Reply to_reply(const redisReply& reply) {
  switch (reply.type) {
    case REDIS_REPLY_STATUS:
      return redis::Reply::status({reply.str, reply.len});
    case REDIS_REPLY_ERROR:
      return redis::Reply::error({reply.str, reply.len});
    case REDIS_REPLY_INTEGER:
      return redis::Reply::integer(reply.integer);
    case REDIS_REPLY_STRING:
      return redis::Reply::bulk({reply.str, reply.len});
    case REDIS_REPLY_ARRAY: {
      std::vector<redis::Reply> elements;
      elements.reserve(reply.elements);
      for (std::size_t index = 0; index < reply.elements; ++index) {
        elements.push_back(to_reply(*reply.element[index]));
      }
      return redis::Reply::array(std::move(elements));
    }
    default:
      return redis::Reply::nil();
  }
}

}  // namespace

Connection::Connection(const std::string& socket)
    : Connection(redisConnectUnix(socket.c_str()), nullptr, complaint_about(socket)) {
  redisSetTimeout(context_.get(), patience);
}

Connection::Connection(RedisServer& server)
    : Connection(redisConnectUnix(server.socket().c_str()), &server, complaint_about(server.socket())) {
  redisSetTimeout(context_.get(), patience);
}

Connection::Connection(const std::string& address, std::uint16_t port)
    : Connection(redisConnectWithTimeout(address.c_str(), port, patience_with_others), nullptr,
                 fmt::format("no Redis answers at {}:{}", address, port)) {
  redisSetTimeout(context_.get(), patience_with_others);
}

Connection::Connection(redisContext* context, RedisServer* server, std::string complaint)
    : context_(context, &redisFree), server_(server), complaint_(std::move(complaint)) {
  if (context_ == nullptr || context_->err != 0) {
    complain();
  }
}

redis::Reply Connection::execute(const redis::Command& command) {
  send(command);
  return receive();
}

void Connection::send(const redis::Command& command) {
  std::vector<const char*> words;
  std::vector<std::size_t> lengths;
  for (const auto& word : command) {
    words.push_back(word.data());
    lengths.push_back(word.size());
  }
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), words.data(), lengths.data()) !=
      REDIS_OK) {
    complain();
  }
}

redis::Reply Connection::receive() {
  void* raw = nullptr;
  if (redisGetReply(context_.get(), &raw) != REDIS_OK || raw == nullptr) {
    complain();
  }
  const std::unique_ptr<void, decltype(&freeReplyObject)> owner(raw, &freeReplyObject);
  return to_reply(*static_cast<const redisReply*>(raw));
}

void Connection::complain() const {
  if (server_ != nullptr && server_->is_about_to_end()) {
    throw LiveError(server_->why_it_ended(" in the middle of the run"));
  }
  throw LiveError(
      fmt::format("{}: {}.", complaint_, context_ == nullptr ? "out of memory" : context_->errstr));
}

}  // namespace holdfast::live
