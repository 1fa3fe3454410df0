// The way out of a client process: stands where a simulated server stands, and asks a real one.
//
// The calls of a lock or a workload go through the same Calls as in `sim` (timeouts, given-up calls and the
// steps of the client's side come from there); only that the server's part is a connection. There are as
// many connections as calls at a time, and a call takes the first that is free, so whoever calls in turn
// stays on one. A call that was given up takes its connection with it: its answer may still come. From then
// on one more is kept ready, as pools do: who waits for an answer for a few milliseconds only would, on a
// machine with much to do, spend them on connecting, each time, and never be answered.
//
//   Codec    static std::string encode(const Request&), Response decode(std::string_view message),
//            and framing, the function that finds the end of a message.
#pragma once

#include <algorithm>
#include <cstdint>
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

  // A connection for each thread, before anybody calls.
  void open() {
    for (std::uint32_t thread = 1; thread <= lines_.size(); ++thread) {
      add_line(thread);
    }
  }

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

  // Whether a call of one was given up.
  static bool drop_unwanted(Lines& lines) {
    bool was_given_up = false;
    std::erase_if(lines, [&](const std::unique_ptr<Line>& line) {
      const bool given_up = line->call != nullptr && !line->call->awaited();
      if (given_up) {
        std::exchange(line->call, nullptr)->release();
      }
      was_given_up |= given_up;
      return given_up || !line->socket->is_open();
    });
    return was_given_up;
  }

  Line& free_line(std::uint32_t thread) {
    Lines& lines = lines_.at(thread - 1);
    const bool needs_another = drop_unwanted(lines);
    const auto is_free = [](const std::unique_ptr<Line>& line) { return line->call == nullptr; };
    const auto free = std::ranges::find_if(lines, is_free);
    Line& line = free == lines.end() ? add_line(thread) : **free;
    if (needs_another && std::ranges::count_if(lines, is_free) == 1) {
      add_line(thread);
    }
    return line;
  }

  Line& add_line(std::uint32_t thread) {
    Lines& lines = lines_.at(thread - 1);
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
