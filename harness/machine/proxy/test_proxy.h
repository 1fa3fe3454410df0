// For tests: a proxy before an echo server that speaks in lines.
//
// Everything happens on one io_context, which is run for as long as a test waits: real sockets, real time.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/process/live_error.h"
#include "harness/machine/proxy/proxy.h"

namespace holdfast::live::proxy_test {

using boost::asio::ip::tcp;
using Problem = boost::system::error_code;

inline constexpr auto a_while = std::chrono::milliseconds(60);  // in which what can arrive does
inline constexpr auto at_the_most = std::chrono::seconds(10);   // a loaded machine is slow

inline constexpr std::size_t longest_line = 65'536;

// Lines: each is a request or an answer, but for those that begin with a word for something else.
class LineWire final : public Wire {
 public:
  explicit LineWire(std::string greeting = {})
      : greeting_(std::move(greeting)), awaits_greeting_(!greeting_.empty()) {}
  std::string greeting() const override { return greeting_; }
  std::optional<WireMessage> feed(Direction direction, std::string_view bytes) override {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      if (bytes.size() > longest_line) {
        throw LiveError("a line without an end came over a connection.");
      }
      return std::nullopt;
    }
    const std::string text(bytes.substr(0, end));
    const bool is_request = direction == Direction::to_server;
    const bool is_noise = text.starts_with("ping") || text.starts_with("echo ping");
    const bool is_push = !is_request && text.starts_with("news ");
    WireMessage message{.length = end + 1,
                        .kind = is_noise     ? MessageKind::noise
                                : is_push    ? MessageKind::push
                                : is_request ? MessageKind::request
                                             : MessageKind::answer,
                        .text = text};
    message.is_for_the_proxy = !is_request && std::exchange(awaits_greeting_, false);
    return message;
  }

 private:
  std::string greeting_;
  bool awaits_greeting_;
};

inline MakeWire lines_wire() {
  return [] { return std::make_unique<LineWire>(); };
}

// Collects what comes over a socket.
struct Ear {
  explicit Ear(tcp::socket its_socket) : socket(std::move(its_socket)) {}

  static void listen(const std::shared_ptr<Ear>& self, bool echoes) {
    boost::asio::async_read_until(self->socket, boost::asio::dynamic_buffer(self->inbox), '\n',
                                  [self, echoes](const Problem& problem, std::size_t size) {
                                    self->ended = static_cast<bool>(problem);
                                    self->was_reset = problem == boost::asio::error::connection_reset;
                                    if (problem) {
                                      return;
                                    }
                                    const std::string line = self->inbox.substr(0, size);
                                    self->inbox.erase(0, size);
                                    self->lines.push_back(line.substr(0, size - 1));
                                    if (echoes) {
                                      boost::asio::write(self->socket, boost::asio::buffer("echo " + line));
                                    }
                                    listen(self, echoes);
                                  });
  }

  tcp::socket socket;
  std::string inbox;
  std::vector<std::string> lines;
  bool ended = false;
  bool was_reset = false;
};

class ProxyTest : public ::testing::Test {
 protected:
  ProxyTest()
      : server(context, {boost::asio::ip::address_v4::loopback(), 0}),
        proxy(context,
              {.make_wire = lines_wire(),
               .target =
                   [this] { return server_is_there ? std::optional(server.local_endpoint()) : std::nullopt; },
               .watch =
                   [this](Direction direction, const WireMessage& message) {
                     if (watch) {
                       watch(direction, message);
                     }
                   },
               .complain = [this](const std::string& sentence) { complaints.push_back(sentence); }}) {
    accept();
  }

  void accept() {
    server.async_accept([this](const Problem& problem, tcp::socket socket) {
      if (!problem) {
        served.push_back(std::make_shared<Ear>(std::move(socket)));
        Ear::listen(served.back(), true);
        if (watch_server) {
          watch_server(served.back()->socket);
        }
        accept();
      }
    });
  }

  std::shared_ptr<Ear> connect() {
    tcp::socket socket(context);
    socket.connect({boost::asio::ip::address_v4::loopback(), proxy.port()});
    auto client = std::make_shared<Ear>(std::move(socket));
    Ear::listen(client, false);
    return client;
  }

  static void say(Ear& client, const std::string& line) {
    boost::asio::write(client.socket, boost::asio::buffer(line + "\n"));
  }

  void run_for_a_while() { context.run_for(a_while); }
  template <typename Condition>
  bool becomes_true(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + at_the_most;
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      context.run_one_for(std::chrono::milliseconds(10));
    }
    return condition();
  }
  std::vector<std::string> lines_at_server() const {
    std::vector<std::string> all;
    for (const auto& ear : served) {
      all.insert(all.end(), ear->lines.begin(), ear->lines.end());
    }
    return all;
  }

  boost::asio::io_context context;
  tcp::acceptor server;
  std::vector<std::shared_ptr<Ear>> served;
  std::function<void(Direction, const WireMessage&)> watch;
  std::vector<std::string> complaints;
  std::function<void(tcp::socket&)> watch_server;  // what the server does with a new connection
  std::string flood;
  bool server_is_there = true;
  Proxy proxy;
};

}  // namespace holdfast::live::proxy_test
