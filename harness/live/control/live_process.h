// A client process of a live run, as the controller sees it: a child that speaks the protocol.
//
// Works on an io_context of one thread. Whatever goes wrong with it (it ends, it writes what is no message)
// is a LiveError out of the handler, and so out of the run.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/streambuf.hpp>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/machine/clock/verified_launch.h"
#include "harness/machine/process/child.h"

namespace holdfast::live {

struct LiveProcessOptions {
  std::string name;  // for messages: "c1"
  std::vector<std::string> command;
  VerifiedLaunch* clock = nullptr;  // puts it on its clock page; none: it lives in real time
  std::filesystem::path errors;     // where its standard error goes
  std::function<void(const nlohmann::ordered_json& message)> heard;
};

class LiveProcess {
 public:
  // Throws LiveError if it cannot be started.
  LiveProcess(boost::asio::io_context& context, LiveProcessOptions options);
  LiveProcess(const LiveProcess&) = delete;
  LiveProcess& operator=(const LiveProcess&) = delete;
  ~LiveProcess();

  pid_t process() const { return child_->process(); }
  void send(const nlohmann::ordered_json& message);
  void pause();
  void resume();
  // From now on nothing is heard of it, not even its end.
  void kill();

 private:
  class Pipes;

  LiveProcessOptions options_;
  std::shared_ptr<Pipes> pipes_;
  std::unique_ptr<Child> child_;
};

}  // namespace holdfast::live
