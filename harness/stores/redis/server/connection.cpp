#include "harness/stores/redis/server/connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/time.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/machine/net/socket.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

constexpr int seconds_for_ours = 15;
constexpr int seconds_for_others = 2;
constexpr timeval as_timeval(int seconds) {
  return {.tv_sec = seconds, .tv_usec = 0};
}
constexpr int most_elements = 1'000'000;  // of an array; nothing that we ask for has so many

// hiredis makes room for as many elements as a server announces. This one does not.
template <typename Count>
void* create_array(const redisReadTask* task, Count elements) {
  static const redisReader* const usual = redisReaderCreate();
  return elements > most_elements ? nullptr : usual->fn->createArray(task, elements);
}

void bound_answers(redisContext& context) {
  static const redisReplyObjectFunctions bounded = [&] {
    redisReplyObjectFunctions functions = *context.reader->fn;
    functions.createArray = &create_array;
    return functions;
  }();
  context.reader->fn = const_cast<redisReplyObjectFunctions*>(&bounded);  // hiredis only reads it
}

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

Connection::Connection(const std::string& socket, const std::string& password)
    : Connection(redisConnectUnix(socket.c_str()), nullptr, complaint_about(socket), seconds_for_ours) {
  log_in(password);
}

Connection::Connection(RedisServer& server)
    : Connection(redisConnectUnix(server.socket().c_str()), &server, complaint_about(server.socket()),
                 server.patience_seconds()) {
  log_in(server.password());
}

Connection::Connection(const std::string& address, std::uint16_t port)
    : Connection(redisConnectWithTimeout(address.c_str(), port, as_timeval(seconds_for_others)), nullptr,
                 fmt::format("no Redis answers at {}", to_text(Endpoint{address, port})),
                 seconds_for_others) {}

Connection::Connection(redisContext* context, RedisServer* server, std::string complaint,
                       int patience_seconds)
    : context_(context, &redisFree),
      server_(server),
      complaint_(std::move(complaint)),
      patience_seconds_(patience_seconds) {
  if (context_ == nullptr || context_->err != 0) {
    complain();
  }
  redisSetTimeout(context_.get(), as_timeval(patience_seconds));
  bound_answers(*context_);
}

void Connection::log_in(std::string password) {
  password_ = std::move(password);
  if (!password_.empty()) {
    execute(redis::make_command("AUTH", password_));
  }
}

void Connection::reset() {
  execute(redis::make_command("RESET"));
  if (!password_.empty()) {
    execute(redis::make_command("AUTH", password_));
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
  asked_ = command.empty() ? "" : command.front();
}

void Connection::write_all() {
  int is_written = 0;
  do {
    if (redisBufferWrite(context_.get(), &is_written) != REDIS_OK) {
      complain();
    }
  } while (is_written == 0);
}

bool Connection::has_received() {
  write_all();
  pollfd watched{context_->fd, POLLIN, 0};
  return context_->reader->pos < context_->reader->len || poll(&watched, 1, 0) > 0;
}

redis::Reply Connection::receive() {
  void* raw = nullptr;
  write_all();
  std::optional<std::chrono::steady_clock::time_point>
      end;  // a whole answer mostly comes with the first read
  while (true) {
    if (redisGetReplyFromReader(context_.get(), &raw) != REDIS_OK) {
      complain();
    }
    if (raw != nullptr) {
      break;
    }
    const auto now = end ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point::min();
    if (end && now > *end) {
      context_->err = REDIS_ERR_IO;
      std::strncpy(context_->errstr, std::strerror(EAGAIN), sizeof context_->errstr - 1);
      complain();
    }
    if (redisBufferRead(context_.get()) != REDIS_OK) {
      complain();
    }
    if (!end) {
      end = std::chrono::steady_clock::now() + std::chrono::seconds(patience_seconds_);
    }
  }
  const std::unique_ptr<void, decltype(&freeReplyObject)> owner(raw, &freeReplyObject);
  return to_reply(*static_cast<const redisReply*>(raw));
}

// hiredis has no word for it but errno's.
bool Connection::has_run_out_of_time() const {
  return context_ != nullptr && context_->err == REDIS_ERR_IO &&
         std::string_view(context_->errstr) == std::strerror(EAGAIN);
}

void Connection::complain() const {
  if (server_ != nullptr && server_->is_about_to_end()) {
    throw LiveError(server_->why_it_ended(" in the middle of the run"));
  }
  if (server_ != nullptr && has_run_out_of_time()) {
    server_->kill();
    throw LiveError(fmt::format(
        "{} has not answered {} for {} s and was ended: it was stopped, or this is a command that "
        "blocks or a script without an end, which a run with real servers cannot wait for.",
        server_->program_name(), asked_.empty() ? "a command" : printable(asked_), patience_seconds_));
  }
  throw LiveError(fmt::format("{}: {}.", complaint_,
                              context_ == nullptr ? "out of memory"
                              : has_run_out_of_time()
                                  ? fmt::format("nothing came for {} s", patience_seconds_)
                              : context_->err == REDIS_ERR_PROTOCOL ? "what came is not the Redis protocol"
                              : context_->err == REDIS_ERR_OOM      ? "its answer is far too long"
                                                                    : std::string(context_->errstr)));
}

}  // namespace holdfast::live
