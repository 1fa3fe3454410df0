// The way out of a client process: stands where a simulated server stands, and asks a real one.
//
// The calls of a lock or a workload go through the same Calls as in `sim` (timeouts, given-up calls and the
// steps of the client's side come from there); only that the server's part is a connection. There are as
// many connections as calls at a time, and a call takes the first that is free, so whoever calls in turn
// stays on one. A call that was given up takes its connection with it: its answer may still come.
//
//   Codec    static std::string encode(const Request&), Response decode(std::string_view message),
//            and framing, the function that finds the end of a message.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/env/calls.h"
#include "harness/machine/net/socket.h"

namespace holdfast::live {

template <typename Calls, typename Codec>
class Gateway final : public Calls::Service {
 public:
  using Call = typename Calls::Call;

  // `endpoints`: one for each thread of the process. `greeting` is said first on every connection, and
  // answered by one message that nobody waits for; empty: there is none.
  Gateway(Calls& calls, Poller& poller, std::vector<Endpoint> endpoints, std::string greeting = {})
      : calls_(calls),
        poller_(poller),
        endpoints_(std::move(endpoints)),
        greeting_(std::move(greeting)),
        lines_(endpoints_.size()) {}

  void serve(Call& call) override {
    Line& line = free_line(call.thread);
    call.retain();
    line.call = &call;
    line.socket->send(Codec::encode(call.request));
  }

  std::size_t connection_count() const {
    std::size_t count = 0;
    for (const Lines& lines : lines_) {
      count += lines.size();
    }
    return count;
  }

 private:
  struct Line {
    Call* call = nullptr;
    bool awaits_greeting = false;
    std::unique_ptr<Socket> socket;
  };

  using Lines = std::vector<std::unique_ptr<Line>>;  // referred to by address while they last

  static void drop_unwanted(Lines& lines) {
    std::erase_if(lines, [](const std::unique_ptr<Line>& line) {
      const bool given_up = line->call != nullptr && !line->call->awaited();
      if (given_up) {
        std::exchange(line->call, nullptr)->release();
      }
      return given_up || !line->socket->is_open();
    });
  }

  Line& free_line(std::uint32_t thread) {
    Lines& lines = lines_.at(thread - 1);
    drop_unwanted(lines);
    for (const std::unique_ptr<Line>& line : lines) {
      if (line->call == nullptr) {
        return *line;
      }
    }
    lines.push_back(std::make_unique<Line>());
    Line& line = *lines.back();
    line.socket = std::make_unique<Socket>(
        poller_, SocketOptions{.endpoint = endpoints_.at(thread - 1),
                               .framing = &Codec::framing,
                               .heard = [this, &line](std::string_view message) { answer(line, message); },
                               .ended = [this, &line](CallError reason) { fail(line, reason); }});
    line.awaits_greeting = !greeting_.empty();
    if (line.awaits_greeting) {
      line.socket->send(greeting_);
    }
    return line;
  }

  void answer(Line& line, std::string_view message) {
    if (std::exchange(line.awaits_greeting, false)) {
      return;
    }
    if (line.call != nullptr) {
      Call& call = *std::exchange(line.call, nullptr);
      calls_.respond(call, Codec::decode(message));
      call.release();
    }
  }

  void fail(Line& line, CallError reason) {
    if (line.call != nullptr) {
      Call& call = *std::exchange(line.call, nullptr);
      calls_.fail(call, reason);
      call.release();
    }
  }

  Calls& calls_;
  Poller& poller_;
  std::vector<Endpoint> endpoints_;
  std::string greeting_;
  std::vector<Lines> lines_;  // of each thread
};

}  // namespace holdfast::live
