#include "harness/cli/story/story_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

bool is_of(const StoryActor& actor, const StoryLine& line) {
  return actor.process == line.process &&
         (actor.thread == 0 || line.thread == 0 || actor.thread == line.thread);
}

// Only who has a line gets a column, and a process of several acting threads one for each thread.
std::vector<StoryActor> find_actors(const History& history, const std::vector<ProcessId>& processes,
                                    const std::vector<StoryLine>& lines) {
  std::map<ProcessId, std::set<std::uint32_t>> threads;
  for (const StoryLine& line : lines) {
    threads[line.process].insert(line.thread);
  }
  std::set<ProcessId> clients;
  for (const Event& event : history.events()) {
    if (event.type == EventType::invoke) {
      clients.insert(event.process);
    }
  }
  std::vector<StoryActor> actors;
  for (const ProcessId process : processes) {
    if (!threads.contains(process)) {
      continue;
    }
    const std::string name = printable(history.process_name(process));
    std::set<std::uint32_t>& acting = threads[process];
    acting.erase(0);
    const bool client = clients.contains(process);
    if (!client || acting.size() < 2) {
      actors.push_back({process, 0, name, client});
      continue;
    }
    for (const std::uint32_t thread : acting) {
      // As verdicts call it.
      actors.push_back({process, thread, thread == 1 ? name : fmt::format("{}:{}", name, thread), client});
    }
  }
  return actors;
}

}  // namespace

StoryColumns::StoryColumns(const History& history, const std::vector<ProcessId>& processes,
                           const std::vector<StoryLine>& lines, std::size_t width) {
  const std::vector<StoryActor> actors = find_actors(history, processes, lines);
  for (const Sharing sharing : {Sharing::none, Sharing::servers, Sharing::servers_and_clients}) {
    arrange(actors, sharing);
    if (fits(width)) {
      break;
    }
  }
  set_widths(lines, width);
}

void StoryColumns::arrange(const std::vector<StoryActor>& actors, Sharing sharing) {
  columns_.clear();
  std::optional<std::size_t> clients;
  std::optional<std::size_t> servers;
  for (const StoryActor& actor : actors) {
    std::optional<std::size_t>& common = actor.client ? clients : servers;
    const bool shares = actor.client ? sharing == Sharing::servers_and_clients : sharing != Sharing::none;
    if (shares && common) {
      columns_[*common].actors.push_back(actor);
      columns_[*common].title = actor.client ? "clients" : "servers";
      continue;
    }
    common = columns_.size();
    columns_.push_back({actor.name, {actor}, 0});
  }
}

bool StoryColumns::fits(std::size_t width) const {
  return columns_.size() * (least_width + bars + gap) <= width + gap;
}

// Every column gets what its longest text needs; if that is too much, the widest give way first.
void StoryColumns::set_widths(const std::vector<StoryLine>& lines, std::size_t width) {
  if (columns_.empty()) {
    return;
  }
  for (StoryColumn& column : columns_) {
    column.width = std::max(least_width, display_width(column.title));
  }
  for (const StoryLine& line : lines) {
    if (const auto column = column_of(line)) {
      std::size_t& needed = columns_[*column].width;
      needed = std::max(needed, display_width(text_in_column(line)));
    }
  }
  const std::size_t beside_text = columns_.size() * (bars + gap) - gap;
  const std::size_t for_text = std::max(width, beside_text) - beside_text;
  const auto total = [&] {
    std::size_t sum = 0;
    for (const StoryColumn& column : columns_) {
      sum += column.width;
    }
    return sum;
  };
  while (total() > for_text) {
    const auto widest =
        std::max_element(columns_.begin(), columns_.end(),
                         [](const StoryColumn& a, const StoryColumn& b) { return a.width < b.width; });
    if (widest->width <= 1) {
      return;
    }
    --widest->width;
  }
}

std::optional<std::size_t> StoryColumns::column_of(const StoryLine& line) const {
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    const auto& actors = columns_[index].actors;
    if (std::any_of(actors.begin(), actors.end(),
                    [&](const StoryActor& each) { return is_of(each, line); })) {
      return index;
    }
  }
  return std::nullopt;
}

std::string StoryColumns::text_in_column(const StoryLine& line) const {
  const auto column = column_of(line);
  if (!column || !columns_[*column].shared()) {
    return line.text;
  }
  const auto& actors = columns_[*column].actors;
  const auto actor =
      std::find_if(actors.begin(), actors.end(), [&](const StoryActor& each) { return is_of(each, line); });
  return fmt::format("{}: {}", actor->name, line.text);
}

}  // namespace holdfast::cli
