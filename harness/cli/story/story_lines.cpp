#include "harness/cli/story/story_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

struct Words {
  std::string text;
  Tone tone = Tone::plain;
};

std::string with_problem(std::string text, const History& history, const Event& event) {
  return event.text == 0 ? text : fmt::format("{}: {}", text, history.text(event));
}

std::string hold_words(const Event& event) {
  const std::string token = event.token ? fmt::format(", token {}", *event.token) : "";
  return event.session == 0 ? token : fmt::format(" #{}{}", event.session, token);
}

// What is asked for is said where the answer will be worth a line of its own.
Words invoke_words(const Event& event) {
  const std::string shared = event.mode == Mode::shared ? " shared" : "";
  switch (event.operation) {
    case Operation::acquire:
      return {"acquire" + shared, Tone::plain};
    case Operation::release:
      return {"release" + hold_words(event), Tone::plain};
    case Operation::write:
      return {fmt::format("write {}{}", event.value,
                          event.token ? fmt::format(", token {}", *event.token) : std::string()),
              Tone::plain};
    case Operation::await_zero:
      return {"await zero", Tone::plain};
    case Operation::read:
    case Operation::count_down:
    case Operation::none:
      return {};
  }
  return {};
}

Words ok_words(const Event& event) {
  const std::string shared = event.mode == Mode::shared ? " shared" : "";
  switch (event.operation) {
    case Operation::acquire:
      return {"granted" + shared + hold_words(event), Tone::good};
    case Operation::release:
      return {"released" + hold_words(event), Tone::plain};
    case Operation::read:
      return {fmt::format("read {} (version {})", event.value, event.version), Tone::plain};
    case Operation::count_down:
      return {"counted down", Tone::plain};
    case Operation::await_zero:
      return {"went through", Tone::good};
    case Operation::write:
    case Operation::none:
      return {};
  }
  return {};
}

Words stored_words(const History& history, const Event& event) {
  const std::string who = history.thread_name(event);
  const std::int64_t version = event.found_version + 1;
  if (event.found_version == event.version) {
    return {fmt::format("{} wrote {} (version {})", who, event.value, version), Tone::plain};
  }
  return {fmt::format("{} wrote {} over version {}, having read version {}", who, event.value,
                      event.found_version, event.version),
          Tone::bad};
}

Words words_of(const History& history, const Event& event) {
  const std::string operation(to_text(event.operation));
  switch (event.type) {
    case EventType::invoke:
      return invoke_words(event);
    case EventType::ok:
      return ok_words(event);
    case EventType::fail:
      return {with_problem(operation + " failed", history, event), Tone::quiet};
    case EventType::info:
      return {with_problem(operation + ", outcome unknown", history, event), Tone::quiet};
    case EventType::applied:
      return {fmt::format("{} {}", history.thread_name(event), history.text(event)), Tone::quiet};
    case EventType::stored:
      return stored_words(history, event);
    case EventType::rejected:
      return {fmt::format("rejected {}'s write of {}{}", history.thread_name(event), event.value,
                          event.token ? fmt::format(", token {}", *event.token) : std::string()),
              Tone::good};
    case EventType::fault_begin:
      return {fmt::format("▒▒ {}", history.text(event)), Tone::fault};
    case EventType::fault_end:
      return {fmt::format("▒▒ {} is over", history.text(event)), Tone::fault};
    case EventType::died:
      return {"† dies", Tone::fault};
    case EventType::restarted:
      return {"↻ starts again", Tone::fault};
    case EventType::lost_hold:
      return {"knows it lost" + hold_words(event), Tone::bad};
  }
  return {};
}

// Storage tells of its reads and writes itself, so what it executed is not told twice.
std::set<ProcessId> find_storage(const History& history) {
  std::set<ProcessId> storage;
  for (const Event& event : history.events()) {
    const bool decided = event.type == EventType::stored || event.type == EventType::rejected;
    const bool named_so = event.type == EventType::applied && history.process_name(event.server) == "storage";
    if (decided || named_so) {
      storage.insert(event.server);
    }
  }
  return storage;
}

// What makes two attempts look alike: who asked whom, which command, and what came back. The words between
// (a new random value each time) do not count.
using Likeness = std::tuple<EventType, Operation, ProcessId, std::string, std::string>;

Likeness likeness_of(const History& history, const Event& event) {
  const std::string& text = history.text(event);
  const std::string_view arrow = "→";
  const std::size_t reply = text.rfind(arrow);
  return {event.type, event.operation, event.server, text.substr(0, text.find(' ')),
          reply == std::string::npos ? text : text.substr(reply)};
}

// Tells attempts that were seen before from what is new, for each thread by itself.
class Repeats {
 public:
  struct Group {
    std::map<Likeness, std::size_t> left_out;
    std::size_t last_event = 0;
    bool waiting = false;
    // One attempt may take several commands: the one that was left out most often counts attempts.
    std::size_t count() const {
      std::size_t most = 0;
      for (const auto& [likeness, times] : left_out) {
        most = std::max(most, times);
      }
      return most;
    }
  };

  // Whether the event repeats what its thread did since something last changed for it.
  bool is_repeat(const History& history, const Event& event, std::size_t index) {
    if (is_fault(event)) {
      start_over();
      return false;
    }
    const ThreadKey key{event.process, event.thread};
    Watched& watched = threads_[key];
    if (!can_repeat(event)) {
      close(key, watched);
      watched.waiting = false;
      return false;
    }
    watched.waiting = watched.waiting || event.operation == Operation::acquire;
    const Likeness likeness = likeness_of(history, event);
    if (watched.seen.insert(likeness).second) {
      return false;
    }
    ++watched.group.left_out[likeness];
    watched.group.last_event = index;
    watched.group.waiting = watched.waiting;
    return true;
  }

  struct Closed {
    ProcessId process;
    std::uint32_t thread;
    Group group;
  };
  // Everything left out, grouped.
  std::vector<Closed> finish() {
    start_over();
    return std::move(closed_);
  }

 private:
  using ThreadKey = std::pair<ProcessId, std::uint32_t>;
  struct Watched {
    std::set<Likeness> seen;
    Group group;
    bool waiting = false;
  };

  static bool is_fault(const Event& event) {
    return event.type == EventType::fault_begin || event.type == EventType::fault_end ||
           event.type == EventType::died || event.type == EventType::restarted;
  }
  static bool can_repeat(const Event& event) {
    const bool acquiring = event.operation == Operation::acquire && event.type != EventType::ok;
    return event.type == EventType::applied || acquiring;
  }
  void close(const ThreadKey& key, Watched& watched) {
    if (!watched.group.left_out.empty()) {
      closed_.push_back({key.first, key.second, std::move(watched.group)});
    }
    watched.seen.clear();
    watched.group = {};
  }
  void start_over() {
    for (auto& [key, watched] : threads_) {
      close(key, watched);
    }
  }

  std::map<ThreadKey, Watched> threads_;
  std::vector<Closed> closed_;
};

StoryLine repeat_line(const Repeats::Closed& closed) {
  const std::size_t count = closed.group.count();
  const std::string_view noun = closed.group.waiting ? (count == 1 ? "attempt" : "attempts") : "like it";
  return {closed.group.last_event,
          closed.process,
          closed.thread,
          fmt::format("… {} more {}", count, noun),
          Tone::quiet,
          false};
}

}  // namespace

std::vector<StoryLine> story_lines(const History& history, const std::vector<Verdict>& verdicts) {
  std::set<std::size_t> witnesses;
  for (const Verdict& verdict : verdicts) {
    if (verdict.judgement == Judgement::violated) {
      witnesses.insert(verdict.witness.begin(), verdict.witness.end());
    }
  }
  const std::set<ProcessId> storage = find_storage(history);

  std::vector<StoryLine> lines;
  Repeats repeats;
  for (std::size_t index = 0; index < history.events().size(); ++index) {
    const Event& event = history.events()[index];
    if (event.type == EventType::applied && storage.contains(event.server)) {
      continue;
    }
    const bool witness = witnesses.contains(index);
    Words words = words_of(history, event);
    if (witness && words.text.empty()) {
      words.text = fmt::format("{} {}", to_text(event.operation), to_text(event.type));
    }
    if (words.text.empty() || (repeats.is_repeat(history, event, index) && !witness)) {
      continue;
    }
    const bool on_server = event.server != world_process;
    lines.push_back({index, on_server ? event.server : event.process, on_server ? 0 : event.thread,
                     printable(words.text), words.tone, witness});
  }
  for (const Repeats::Closed& closed : repeats.finish()) {
    lines.push_back(repeat_line(closed));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const StoryLine& a, const StoryLine& b) { return a.event < b.event; });
  return lines;
}

}  // namespace holdfast::cli
