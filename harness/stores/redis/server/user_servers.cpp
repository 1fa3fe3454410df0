#include "harness/stores/redis/server/user_servers.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <utility>

#include "harness/machine/net/socket.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/wire/resp.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;

tcp::endpoint resolved(const Endpoint& endpoint) {
  boost::asio::io_context context;
  boost::system::error_code problem;
  const auto found = tcp::resolver(context).resolve(endpoint.host, std::to_string(endpoint.port), problem);
  if (problem || found.empty()) {
    throw LiveError(fmt::format("{} cannot be found: {}.", to_text(endpoint), problem.message()));
  }
  return found.begin()->endpoint();
}

// One connection of the controller's own, for looking at a server before and after a run.
class Visit {
 public:
  explicit Visit(const tcp::endpoint& endpoint)
      : name_(fmt::format("{}:{}", endpoint.address().to_string(), endpoint.port())),
        connection_(endpoint.address().to_string(), endpoint.port()) {}

  redis::Reply ask(const redis::Command& command) { return connection_.execute(command); }

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
    throw LiveError(fmt::format("the server at {} will not have us: {}", name_, reply.text));
  }

  std::string name_;
  Connection connection_;
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
