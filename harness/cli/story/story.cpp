#include "harness/cli/story/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/cli/story/story_columns.h"
#include "harness/cli/story/story_lines.h"
#include "harness/text/duration_text.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t margin_width = 12;  // "✗ " and the time, right-aligned, and a space
constexpr std::size_t cell_lines_max = 3;

// Of a command at least this much stands, so that a long reply leaves its name.
constexpr std::size_t command_least = 20;

// As wrapped(), but of a command and its reply it is the command that gives way.
std::vector<std::string> wrapped_cell(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = wrapped(text, width, cell_lines_max);
  const std::string_view arrow = " → ";
  const std::size_t reply = text.rfind(arrow);
  if (reply == std::string::npos || lines.size() < cell_lines_max) {
    return lines;
  }
  for (std::size_t kept = display_width(text); kept > command_least && lines.back().ends_with("…"); --kept) {
    lines = wrapped(shortened(text.substr(0, reply), kept) + text.substr(reply), width, cell_lines_max);
  }
  return lines;
}

Color color_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return Color::green;
    case Tone::bad:
      return Color::red;
    case Tone::fault:
      return Color::yellow;
    case Tone::quiet:
      return Color::faint;
    case Tone::plain:
      return Color::plain;
  }
  return Color::plain;
}

// Who holds the lock and who suffers a fault, as the story goes on.
class Situation {
 public:
  explicit Situation(const History& history) : history_(history) {}

  // Takes in everything up to and including the event.
  void advance_to(std::size_t event) {
    for (; next_ <= event; ++next_) {
      take_in(history_.events()[next_]);
    }
  }
  // How many threads of the actor hold it; one that took it twice counts once.
  std::size_t holders(const StoryActor& actor) const {
    std::set<std::uint32_t> threads;
    for (const auto& [session, hold] : holds_) {
      if (hold.process == actor.process && (actor.thread == 0 || actor.thread == hold.thread)) {
        threads.insert(hold.thread);
      }
    }
    return threads.size();
  }
  bool suffers(const StoryActor& actor) const { return faults_on(actor.process) > 0; }

 private:
  struct Hold {
    ProcessId process{};
    std::uint32_t thread = 0;
  };

  void take_in(const Event& event) {
    const bool granted = event.type == EventType::ok && event.operation == Operation::acquire;
    const bool given_up = (event.type == EventType::invoke && event.operation == Operation::release) ||
                          event.type == EventType::lost_hold;
    if (granted) {
      holds_[event.session] = {event.process, event.thread};
    } else if (given_up) {
      holds_.erase(event.session);
    } else if (event.type == EventType::died) {
      std::erase_if(holds_, [&](const auto& hold) {
        return hold.second.process == event.process &&
               (event.thread == 0 || event.thread == hold.second.thread);
      });
    } else if (event.type == EventType::fault_begin && will_end(event)) {
      ++faults_[event.process];
    } else if (event.type == EventType::fault_end && faults_on(event.process) > 0) {
      --faults_[event.process];
    }
  }
  std::size_t faults_on(ProcessId process) const {
    const auto faults = faults_.find(process);
    return faults == faults_.end() ? 0 : faults->second;
  }
  // Faults that are over at once (a jump of a clock) cast no shade: they have no end of their own.
  bool will_end(const Event& begin) const {
    const auto rest = history_.events().begin() + static_cast<std::ptrdiff_t>(next_);
    const auto ends = std::count_if(rest, history_.events().end(), [&](const Event& event) {
      return event.type == EventType::fault_end && event.process == begin.process;
    });
    return static_cast<std::size_t>(ends) > faults_on(begin.process);
  }

  const History& history_;
  std::size_t next_ = 0;
  std::map<std::uint32_t, Hold> holds_;  // by session
  std::map<ProcessId, std::size_t> faults_;
};

class Picture {
 public:
  Picture(const History& history, const std::vector<ProcessId>& processes,
          const std::vector<Verdict>& verdicts, const Terminal& terminal)
      : history_(history),
        terminal_(terminal),
        lines_(story_lines(history, verdicts)),
        columns_(history, processes, lines_, std::max(terminal.width, margin_width) - margin_width),
        situation_(history) {
    for (const Verdict& verdict : verdicts) {
      if (verdict.judgement == Judgement::violated && !verdict.witness.empty()) {
        const std::size_t last = *std::max_element(verdict.witness.begin(), verdict.witness.end());
        // Of a wait without an end only its beginning is a witness; what it came to is known at the end.
        const bool still_waits = history.events()[last].type == EventType::invoke;
        verdicts_after_[still_waits ? history.events().size() : last].push_back(&verdict);
      }
    }
  }

  std::string text() {
    add_header();
    for (std::size_t index = 0; index < lines_.size(); ++index) {
      add_line(lines_[index]);
      const bool last_of_event = index + 1 == lines_.size() || lines_[index + 1].event != lines_[index].event;
      if (last_of_event) {
        add_verdicts(lines_[index].event);
      }
    }
    add_verdicts(history_.events().size());
    return std::move(result_);
  }

 private:
  void add(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    result_ += line + "\n";
  }

  void add_header() {
    std::string titles(margin_width, ' ');
    std::size_t width = margin_width;
    for (const StoryColumn& column : columns_.columns()) {
      const std::size_t cell = StoryColumns::bars + column.width + StoryColumns::gap;
      titles += padded_right(std::string(StoryColumns::bars, ' ') + column.title, cell);
      width += cell;
    }
    titles.erase(titles.find_last_not_of(' ') + 1);
    add(painted(titles, Color::bold, terminal_.color));
    std::string rule;
    for (std::size_t column = StoryColumns::gap; column < width; ++column) {
      rule += "─";
    }
    add(painted(rule, Color::faint, terminal_.color));
  }

  void add_line(const StoryLine& line) {
    situation_.advance_to(line.event);
    const auto own_column = columns_.column_of(line);
    if (!own_column) {
      add(margin(line, 0) + painted(line.text, line_color(line), terminal_.color));
      return;
    }
    const std::vector<std::string> parts =
        wrapped_cell(columns_.text_in_column(line), columns_.columns()[*own_column].width);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::string text = margin(line, part);
      for (std::size_t index = 0; index < columns_.columns().size(); ++index) {
        const StoryColumn& column = columns_.columns()[index];
        const std::string words = index == *own_column ? parts[part] : "";
        const std::string padding(column.width - std::min(column.width, display_width(words)), ' ');
        text += bars_of(column) + painted(words, line_color(line), terminal_.color) + padding +
                std::string(StoryColumns::gap, ' ');
      }
      add(std::move(text));
    }
  }

  Color line_color(const StoryLine& line) const { return line.witness ? Color::red : color_of(line.tone); }

  std::string margin(const StoryLine& line, std::size_t part) const {
    const std::string mark = line.witness && part == 0 ? painted("✗", Color::red, terminal_.color) : " ";
    const std::string time = part == 0 ? seconds_number(history_.events()[line.event].true_time) : "";
    return mark + std::string(margin_width - 2 - std::min(margin_width - 2, time.size()), ' ') +
           painted(time, line.witness ? Color::red : Color::faint, terminal_.color) + " ";
  }

  std::string bars_of(const StoryColumn& column) const {
    std::size_t holders = 0;
    for (const StoryActor& actor : column.actors) {
      holders += situation_.holders(actor);
    }
    const bool suffers = std::any_of(column.actors.begin(), column.actors.end(),
                                     [&](const StoryActor& actor) { return situation_.suffers(actor); });
    return (holders > 0 ? painted(holders > 1 ? "║" : "┃", Color::green, terminal_.color) : " ") +
           (suffers ? painted("░", Color::yellow, terminal_.color) : " ");
  }

  void add_verdicts(std::size_t event) {
    const auto verdicts = verdicts_after_.find(event);
    if (verdicts == verdicts_after_.end()) {
      return;
    }
    for (const Verdict* verdict : verdicts->second) {
      const std::string text = printable(fmt::format("✗ {}: {}", verdict->property, verdict->sentence));
      for (const std::string& part : wrapped(text, terminal_.width - margin_width, 6)) {
        add(std::string(margin_width, ' ') + painted(part, Color::red, terminal_.color));
      }
    }
    verdicts_after_.erase(verdicts);
  }

  const History& history_;
  const Terminal& terminal_;
  std::vector<StoryLine> lines_;
  StoryColumns columns_;
  Situation situation_;
  std::map<std::size_t, std::vector<const Verdict*>> verdicts_after_;
  std::string result_;
};

}  // namespace

std::string story_picture(const History& history, const std::vector<ProcessId>& processes,
                          const std::vector<Verdict>& verdicts, const Terminal& terminal) {
  return Picture(history, processes, verdicts, terminal).text();
}

}  // namespace holdfast::cli
