#include "harness/stores/redis/server/live/visit.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>

#include "harness/machine/net/socket.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/info.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;

constexpr std::string_view mark_word = "holdfast:";
constexpr std::size_t least_mark_digits = 8;
constexpr std::chrono::seconds time_to_clear{60};

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

std::string shown(const std::string& text) {
  return shortened(printable(text), 200);
}

}  // namespace

std::string new_mark() {
  const std::int64_t now_ns = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{}{:x}:", mark_word, now_ns);
}

bool has_a_mark(std::string_view key) {
  for (std::size_t at = key.find(mark_word); at != std::string_view::npos; at = key.find(mark_word, at + 1)) {
    const std::string_view rest = key.substr(at + mark_word.size());
    const auto end = std::ranges::find_if_not(rest, is_hexadecimal);
    const auto digits = static_cast<std::size_t>(end - rest.begin());
    if (digits >= least_mark_digits && end != rest.end() && *end == ':') {
      return true;
    }
  }
  return false;
}

tcp::endpoint resolved_endpoint(const std::string& text) {
  const Endpoint endpoint = endpoint_from(text);
  boost::asio::io_context context;
  boost::system::error_code problem;
  const auto found = tcp::resolver(context).resolve(endpoint.host, std::to_string(endpoint.port), problem);
  if (problem || found.empty()) {
    throw LiveError(fmt::format("{} cannot be found: {}.", shown(to_text(endpoint)), problem.message()));
  }
  return found.begin()->endpoint();
}

Visit::Visit(const tcp::endpoint& endpoint, const std::string& password)
    : name_(to_text(Endpoint{endpoint.address().to_string(), endpoint.port()})),
      connection_(endpoint.address().to_string(), endpoint.port()) {
  if (!password.empty()) {
    require(ask(redis::make_command("AUTH", password)));
  }
  require(ask(redis::make_command("PING")));
}

void Visit::require(const redis::Reply& reply) const {
  if (!reply.is_error()) {
    return;
  }
  if (reply.text.starts_with("NOAUTH")) {
    throw LiveError(fmt::format("the server at {} wants a password; give it in $REDISCLI_AUTH.", name_));
  }
  if (reply.text.starts_with("WRONGPASS") || reply.text.find("AUTH") != std::string::npos) {
    throw LiveError(fmt::format("the server at {} refuses the password: {}", name_, shown(reply.text)));
  }
  throw LiveError(fmt::format("the server at {} will not have us: {}", name_, shown(reply.text)));
}

std::string Visit::identity() {
  return std::string(info_field(ask(redis::make_command("INFO", "server")).text, "run_id"));
}

void Visit::each_key_like(const std::string& pattern, std::chrono::seconds time,
                          const std::function<void(const std::string& key)>& found) {
  const auto end = std::chrono::steady_clock::now() + time;
  std::string cursor = "0";
  do {
    const redis::Reply page = ask(redis::make_command("SCAN", cursor, "MATCH", pattern, "COUNT", 1000));
    if (page.is_error()) {
      throw LiveError(
          fmt::format("the server at {} does not let us look for keys: {}", name_, shown(page.text)));
    }
    if (page.elements.size() != 2) {
      throw LiveError(fmt::format("the search for keys at {} makes no sense: it was answered {}.", name_,
                                  shown(to_text(page))));
    }
    for (const redis::Reply& key : page.elements[1].elements) {
      found(key.text);
    }
    cursor = page.elements[0].text;
    if (cursor != "0" && std::chrono::steady_clock::now() > end) {
      throw LiveError(fmt::format("the search for keys at {} does not come to an end: not in {} s.", name_,
                                  time.count()));
    }
  } while (cursor != "0");
}

bool Visit::remove(const std::string& key) {
  const redis::Reply removed = ask(redis::make_command("DEL", key));
  if (removed.is_error()) {
    throw LiveError(fmt::format("the server at {} does not let us delete {}: {}", name_, shown(key),
                                shown(removed.text)));
  }
  return removed.number > 0;
}

bool Visit::let_expire(const std::string& key, std::chrono::seconds after) {
  constexpr std::int64_t is_missing = -2;
  constexpr std::int64_t has_none = -1;
  const redis::Reply left = ask(redis::make_command("PTTL", key));
  require(left);
  if (left.is_integer(has_none)) {
    require(ask(redis::make_command("EXPIRE", key, after.count())));
  }
  return !left.is_integer(is_missing);
}

ClearedServer clear_marked_keys(const std::string& endpoint, const std::string& password) {
  Visit visit(resolved_endpoint(endpoint), password);
  ClearedServer cleared;
  cleared.name = visit.name();
  try {
    visit.each_key_like(fmt::format("*{}*", mark_word), time_to_clear, [&](const std::string& key) {
      if (has_a_mark(key) && visit.remove(key)) {
        cleared.removed.push_back(key);
      }
    });
  } catch (const LiveError& problem) {
    cleared.problem = problem.what();
  }
  std::ranges::sort(cleared.removed);
  return cleared;
}

}  // namespace holdfast::live
