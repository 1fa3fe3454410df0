#include "harness/live/control/live_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;
using Problem = boost::system::error_code;

constexpr std::size_t longest_message = 1U << 20U;
constexpr std::size_t shown_of_garbage = 80;

struct Pipe {
  int reading = -1;
  int writing = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw LiveError(fmt::format("no pipe can be made for a client: {}.", std::strerror(errno)));
  }
  return {ends[0], ends[1]};
}

// What it was is shown as far as a terminal can bear it.
[[noreturn]] void complain_of_garbage(const std::string& name, const std::string& line) {
  std::string shown = line.substr(0, shown_of_garbage);
  std::replace_if(shown.begin(), shown.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  throw LiveError(fmt::format("{} wrote what is no message of the protocol: \"{}\".", name, shown));
}

}  // namespace

// Both pipes; lives on until the last handler has run.
class LiveProcess::Pipes final : public std::enable_shared_from_this<Pipes> {
 public:
  Pipes(boost::asio::io_context& context, LiveProcess& owner, int input, int output)
      : owner_(&owner), input_(context, input), output_(context, output) {}

  void close() {
    owner_ = nullptr;
    Problem ignored;
    input_.close(ignored);
    output_.close(ignored);
  }

  void write(std::string line) {
    outbox_.push_back(std::move(line));
    if (outbox_.size() == 1) {
      write_first();
    }
  }

  void read() {
    boost::asio::async_read_until(output_, boost::asio::dynamic_buffer(inbox_, longest_message), '\n',
                                  [self = shared_from_this()](const Problem& problem, std::size_t size) {
                                    if (self->owner_ != nullptr) {
                                      self->hear(problem, size);
                                    }
                                  });
  }

 private:
  void hear(const Problem& problem, std::size_t size) {
    const std::string name = owner_->options_.name;
    if (problem == boost::asio::error::not_found) {
      throw LiveError(
          fmt::format("{} wrote a line of more than {} bytes, which is no message of the protocol.", name,
                      longest_message));
    }
    if (problem) {
      complain_of_end();
    }
    const std::string line = inbox_.substr(0, size - 1);
    inbox_.erase(0, size);
    const Json message = Json::parse(line, nullptr, false);
    if (!message.is_object() || !message.contains("type") || !message["type"].is_string()) {
      complain_of_garbage(name, line);
    }
    if (message["type"] == "problem") {
      throw LiveError(fmt::format("{} cannot go on: {}", name, message.value("text", "")));
    }
    const auto heard = owner_->options_.heard;  // what it does may be the end of the owner
    try {
      heard(message);
    } catch (const Json::exception&) {  // a number where a text should be
      complain_of_garbage(name, line);
    }
    if (owner_ != nullptr) {
      read();
    }
  }

  [[noreturn]] void complain_of_end() const {
    const LiveProcess& owner = *owner_;
    for (int tries = 0; owner.child_->is_running() && tries < 100; ++tries) {
      usleep(10'000);  // its output ended: it is about to
    }
    const std::string words = last_lines(owner.options_.errors);
    throw LiveError(fmt::format("{} ended in the middle of the run ({}){}{}", owner.options_.name,
                                owner.child_->is_running() ? "it closed its output" : owner.child_->ending(),
                                words.empty() ? "." : ": ", words));
  }

  void write_first() {
    boost::asio::async_write(input_, boost::asio::buffer(outbox_.front()),
                             [self = shared_from_this()](const Problem& problem, std::size_t) {
                               self->outbox_.pop_front();
                               // If it reads no more it has ended, and its output says so.
                               if (!problem && self->owner_ != nullptr && !self->outbox_.empty()) {
                                 self->write_first();
                               }
                             });
  }

  LiveProcess* owner_;  // nullptr: closed
  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  std::string inbox_;
  std::deque<std::string> outbox_;
};

LiveProcess::LiveProcess(boost::asio::io_context& context, LiveProcessOptions options)
    : options_(std::move(options)) {
  const Pipe input = make_pipe();
  const Pipe output = make_pipe();
  pipes_ = std::make_shared<Pipes>(context, *this, input.writing, output.reading);
  ChildOptions child;
  child.arguments = options_.command;
  if (options_.clock != nullptr) {
    options_.clock->prepare(child);
  }
  child.output = options_.errors;
  child.input = input.reading;
  child.standard_output = output.writing;
  try {
    child_ = std::make_unique<Child>(child);
  } catch (...) {
    close(input.reading);
    close(output.writing);
    pipes_->close();
    throw;
  }
  close(input.reading);
  close(output.writing);
  pipes_->read();
}

LiveProcess::~LiveProcess() {
  kill();
}

void LiveProcess::send(const Json& message) {
  pipes_->write(message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void LiveProcess::pause() {
  child_->signal(SIGSTOP);
}

void LiveProcess::resume() {
  child_->signal(SIGCONT);
}

void LiveProcess::kill() {
  pipes_->close();
  child_->kill();
}

}  // namespace holdfast::live
