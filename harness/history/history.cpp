#include "harness/history/history.h"

#include <fmt/format.h>

namespace holdfast {

std::string_view to_text(EventType type) {
  switch (type) {
    case EventType::invoke:
      return "invoke";
    case EventType::ok:
      return "ok";
    case EventType::fail:
      return "fail";
    case EventType::info:
      return "info";
    case EventType::applied:
      return "applied";
    case EventType::stored:
      return "stored";
    case EventType::rejected:
      return "rejected";
    case EventType::fault_begin:
      return "fault-begin";
    case EventType::fault_end:
      return "fault-end";
    case EventType::died:
      return "died";
    case EventType::restarted:
      return "restarted";
    case EventType::lost_hold:
      return "lost-hold";
  }
  return "unknown";
}

std::string_view to_text(Operation operation) {
  switch (operation) {
    case Operation::none:
      return "none";
    case Operation::acquire:
      return "acquire";
    case Operation::release:
      return "release";
    case Operation::read:
      return "read";
    case Operation::write:
      return "write";
    case Operation::count_down:
      return "count-down";
    case Operation::await_zero:
      return "await";
  }
  return "unknown";
}

std::string_view to_text(Mode mode) {
  return mode == Mode::exclusive ? "exclusive" : "shared";
}

void History::reset(Kernel& kernel, bool details) {
  kernel_ = &kernel;
  details_ = details;
  events_.clear();
  sinks_.clear();
  if (texts_.empty()) {
    texts_.emplace_back();
  }
  text_count_ = 1;
}

void History::record(const Event& event, std::string_view text) {
  require(kernel_ != nullptr, "a history belongs to a run before anything is recorded in it");
  Event& stamped = events_.emplace_back(event);
  stamped.true_time = kernel_->now();
  const Process& process = kernel_->process(event.process);
  stamped.wall = process.wall.read(stamped.true_time);
  stamped.monotonic = process.monotonic.read(stamped.true_time);
  tell(text);
}

void History::keep(const Event& event, std::string_view text) {
  require(kernel_ != nullptr, "a history belongs to a run before anything is kept in it");
  events_.push_back(event);
  tell(text);
}

void History::tell(std::string_view text) {
  Event& event = events_.back();
  require(event.text == 0, "the words of an event are given beside it");
  if (!text.empty()) {
    if (text_count_ == texts_.size()) {
      texts_.emplace_back();
    }
    texts_[text_count_].assign(text);
    event.text = text_count_++;
  }
  if (event.type != EventType::applied) {
    // Details are for the eye: a run has the same fingerprint with and without them.
    kernel_->fingerprint().add((static_cast<std::uint64_t>(event.type) << 56) |
                               (static_cast<std::uint64_t>(event.operation) << 48) |
                               (static_cast<std::uint64_t>(event.process) << 32) | event.session);
    kernel_->fingerprint().add(static_cast<std::uint64_t>(event.value) * 31 +
                               static_cast<std::uint64_t>(event.token.value_or(-1)));
  }
  for (EventSink* sink : sinks_) {
    sink->on_event(event, *this);
  }
}

std::string History::thread_name(const Event& event) const {
  const std::string_view name = process_name(event.process);
  return event.thread <= 1 ? std::string(name) : fmt::format("{}:{}", name, event.thread);
}

}  // namespace holdfast
