// The history of one run: its events in order of true time, and who sees them as they happen.
//
// Reused from run to run. Sinks (checks, the JSON Lines writer) are told of each event at once; nothing
// is kept by pointer, so an Event may be looked at only during the call or by index afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/event.h"

namespace holdfast {

class History;

class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;
  virtual void on_event(const Event& event, const History& history) = 0;
};

class History {
 public:
  // `details`: also record what servers executed, with its words. Costs time, changes nothing else.
  void reset(Kernel& kernel, bool details);
  void add_sink(EventSink& sink) { sinks_.push_back(&sink); }

  // Stamps the event with the time and its process's clocks, and keeps it.
  void record(const Event& event, std::string_view text = {});
  // Keeps an event that carries its times already: its process lives elsewhere.
  void keep(const Event& event, std::string_view text = {});

  bool wants_details() const { return details_; }
  const std::vector<Event>& events() const { return events_; }
  const std::string& text(const Event& event) const {
    require(event.text < text_count_, "the words of an event are of this run");
    return texts_[event.text];
  }
  std::string_view process_name(ProcessId id) const { return kernel_->process(id).name; }
  // "c1", or "c1:2" for a further thread.
  std::string thread_name(const Event& event) const;

 private:
  // The last event is complete but for its words: its time has come.
  void tell(std::string_view text);

  Kernel* kernel_ = nullptr;
  bool details_ = false;
  std::vector<Event> events_;
  std::vector<std::string> texts_;  // [0] is empty; the first text_count_ are of this run
  std::uint32_t text_count_ = 0;
  std::vector<EventSink*> sinks_;
};

}  // namespace holdfast
