#include "harness/live/control/user_servers.h"

#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>
#include <utility>

#include "harness/live/client/socket.h"
#include "harness/live/process/live_error.h"
#include "harness/live/redis/connection.h"
#include "harness/live/wire/resp.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;

constexpr timeval visit_patience{2, 0};

tcp::endpoint resolved(const Endpoint& endpoint) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int problem =
      getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &wanted, &found);
  if (problem != 0) {
    throw LiveError(fmt::format("{} cannot be found: {}.", to_text(endpoint), gai_strerror(problem)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  tcp::endpoint result;
  std::memcpy(result.data(), found->ai_addr, found->ai_addrlen);
  result.resize(found->ai_addrlen);
  return result;
}

// One connection of the controller's own, for looking at a server before and after a run.
class Visit {
 public:
  explicit Visit(const tcp::endpoint& endpoint)
      : name_(fmt::format("{}:{}", endpoint.address().to_string(), endpoint.port())),
        context_(
            redisConnectWithTimeout(endpoint.address().to_string().c_str(), endpoint.port(), visit_patience),
            &redisFree) {
    if (context_ == nullptr || context_->err != 0) {
      complain(context_ == nullptr ? "out of memory" : context_->errstr);
    }
    redisSetTimeout(context_.get(), visit_patience);
  }

  redis::Reply ask(const redis::Command& command) {
    std::vector<const char*> words;
    std::vector<std::size_t> sizes;
    for (const std::string& word : command) {
      words.push_back(word.data());
      sizes.push_back(word.size());
    }
    const std::unique_ptr<void, decltype(&freeReplyObject)> reply(
        redisCommandArgv(context_.get(), static_cast<int>(words.size()), words.data(), sizes.data()),
        &freeReplyObject);
    if (reply == nullptr) {
      complain(context_->errstr);
    }
    return to_reply(*static_cast<const redisReply*>(reply.get()));
  }

  void log_in(const std::string& password) {
    if (!password.empty()) {
      require(ask(redis::make_command("AUTH", password)));
    }
    require(ask(redis::make_command("PING")));
  }

  const std::string& name() const { return name_; }

 private:
  void require(const redis::Reply& reply) const {
    if (!reply.is_error()) {
      return;
    }
    if (reply.text.starts_with("NOAUTH")) {
      throw LiveError(fmt::format("the server at {} wants a password; give it in $REDISCLI_AUTH.", name_));
    }
    if (reply.text.starts_with("WRONGPASS") || reply.text.find("AUTH") != std::string::npos) {
      throw LiveError(fmt::format("the server at {} refuses the password: {}", name_, reply.text));
    }
    complain(reply.text);
  }

  [[noreturn]] void complain(const std::string& why) const {
    throw LiveError(fmt::format("no Redis answers at {}: {}.", name_, why));
  }

  std::string name_;
  std::unique_ptr<redisContext, decltype(&redisFree)> context_;
};

void delete_keys(Visit& visit, const std::string& mark) {
  std::string cursor = "0";
  do {
    redis::Reply page =
        visit.ask(redis::make_command("SCAN", cursor, "MATCH", "*" + mark + "*", "COUNT", 1000));
    if (page.elements.size() != 2) {
      return;
    }
    for (const redis::Reply& key : page.elements[1].elements) {
      visit.ask(redis::make_command("DEL", key.text));
    }
    cursor = page.elements[0].text;
  } while (cursor != "0");
}

}  // namespace

UserServers::UserServers(const std::vector<std::string>& endpoints, std::string password, std::string mark)
    : password_(std::move(password)), mark_(std::move(mark)) {
  for (const std::string& each : endpoints) {
    endpoints_.push_back(resolved(endpoint_from(each)));
    Visit visit(endpoints_.back());
    visit.log_in(password_);
    text_ += (text_.empty() ? "" : ", ") + visit.name();
  }
}

UserServers::~UserServers() {
  for (const tcp::endpoint& endpoint : endpoints_) {
    try {
      Visit visit(endpoint);
      visit.log_in(password_);
      delete_keys(visit, mark_);
    } catch (const LiveError&) {
      // It is gone, or will not have us: then there is nothing more to do for it.
      continue;
    }
  }
}

std::string UserServers::greeting() const {
  return password_.empty() ? "" : to_resp(redis::make_command("AUTH", password_));
}

}  // namespace holdfast::live
