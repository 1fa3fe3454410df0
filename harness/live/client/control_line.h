// The client's end of its protocol: lines in from the controller, lines out to it.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "harness/machine/net/poller.h"

namespace holdfast::live {

class ControlLine final : public Pollable {
 public:
  using Handler = std::function<void(const nlohmann::ordered_json& message)>;

  ControlLine(int input, int output) : input_(input), output_(output) {}

  // Who is told of messages that nobody waits for.
  void handle_with(Handler handler) { handler_ = std::move(handler); }
  // At once and whole. Exits the process if nobody reads any more.
  void send(const nlohmann::ordered_json& message) const;
  // Stands still until a message of this type arrives; others go to the handler. Exits the process at the end
  // of the input: a client without a controller has nothing to do.
  nlohmann::ordered_json wait_for(const std::string& type);

  // Messages that came along with one that was waited for.
  void handle_rest();

  int descriptor() const override { return input_; }
  bool wants_to_write() const override { return false; }
  void on_ready() override;

 private:
  std::optional<nlohmann::ordered_json> take_line();
  void read();

  int input_;
  int output_;
  Handler handler_;
  std::string inbox_;
};

}  // namespace holdfast::live
