// How a real redis-server follows another: what passes between them, and how far each is known to have come.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/info.h"
#include "harness/stores/redis/server/real_node.h"

namespace holdfast::live {
namespace {

constexpr int most_pumps = 20'000;  // of up to a millisecond each

// The line of INFO about the replica that listens on this port; empty: there is none.
std::string_view replica_line(std::string_view info, int port) {
  const std::size_t at = info.find(fmt::format(",port={},", port));
  if (at == std::string_view::npos) {
    return {};
  }
  const std::size_t begin = info.rfind('\n', at) + 1;
  return info.substr(begin, info.find('\r', at) - begin);
}

}  // namespace

// A server's own timers come ten times a second.
void RealNode::tick() {
  constexpr std::int64_t a_tenth_ns = 100'000'000;
  monotonic_ns_ += a_tenth_ns;
  page_.set(wall_ns_, monotonic_ns_);
}

bool RealNode::note_write() {
  if (primary_ != nullptr) {
    return false;  // what moves there is its primary's stream, and is counted where it is heard
  }
  const std::string said =
      control().execute(redis::make_command("INFO", "replication", "persistence", "stats")).text;
  // Without anybody to read it there is no stream: some releases count all the same, others do not. With one,
  // what has changed since the last save says nothing: synchronising saves.
  const bool has_stream =
      info_number(said, "repl_backlog_active") > 0 || info_number(said, "connected_slaves") > 0;
  const std::int64_t offset = has_stream ? info_number(said, "master_repl_offset") : last_real_offset_;
  const std::int64_t dirty =
      info_number(said, "rdb_changes_since_last_save") + info_number(said, "expired_keys");
  const bool has_written = has_stream ? offset != last_real_offset_ : dirty != last_dirty_;
  writes_ += has_written ? 1 : 0;
  last_real_offset_ = offset;
  last_dirty_ = dirty;
  real_offsets_[writes_] = offset;
  return has_written;
}

std::int64_t RealNode::real_offset() {
  return info_number(info("replication"), primary_ == nullptr ? "master_repl_offset" : "slave_repl_offset");
}

std::int64_t RealNode::real_offset_after(std::int64_t writes) const {
  const auto later = real_offsets_.upper_bound(writes);
  return later == real_offsets_.begin() ? 0 : std::prev(later)->second;
}

bool RealNode::follows(const RealNode& primary) const {
  return primary_ == &primary && primary_life_ == primary.life_ && link_.is_connected();
}

bool RealNode::has_online(int replica_port) {
  return replica_line(info("replication"), replica_port).find(",state=online,") != std::string_view::npos;
}

std::int64_t RealNode::offset_heard_of(int replica_port) {
  const std::string said = info("replication");
  const std::string_view line = replica_line(said, replica_port);
  const std::size_t at = line.find(",offset=");
  return at == std::string_view::npos ? -1 : std::stoll(std::string(line.substr(at + 8)));
}

void RealNode::follow(std::size_t primary, const NodeClocks& clocks) {
  RealNode& source = real(primary);
  set_clock(clocks);
  if (follows(source)) {
    take_stream(source, source.writes_);
  } else {
    synchronise(source);
  }
  report_to(source);
  writes_ = source.writes_;
  source.end_waits(source.unsaid());
}

void RealNode::hear(std::size_t member, const redis::StreamPart& part, const NodeClocks& clocks,
                    Outputs& outputs) {
  RealNode& other = real(member);
  if (part.is_of_replica) {
    set_clock(clocks);
    say_what_was_due(outputs);
    if (!other.follows(*this)) {
      return;  // it was cut off since
    }
    const std::optional<std::int64_t> offset = other.link_.offset_said_by(part.up_to);
    other.link_.release_said(part.up_to);
    // Before it is asked anything: whose time is over it finds out with whatever it is told first, and that
    // is this.
    other.link_.pump(0);
    for (int tries = 0; offset && offset_heard_of(other.server_->port()) < *offset; ++tries) {
      other.link_.pump(1);
      if (tries == most_pumps) {
        throw LiveError("the primary does not take what its replica says.");
      }
    }
    end_waits(outputs);
    return;
  }
  if (follows(other)) {
    set_clock(clocks);
    take_stream(other, part.up_to);
    writes_ = std::max(writes_, part.up_to);  // what it was synchronised with may be more
  } else {
    follow(member, clocks);
  }
  outputs.emplace_back(Sent{member, {link_.said(), true}});
}

// Until it has carried out the stream so far, and answered what it was asked in it.
void RealNode::take_stream(RealNode& primary, std::int64_t writes) {
  const std::int64_t target = primary.real_offset_after(writes);
  link_.release(target);
  for (int tries = 0;; ++tries) {
    const std::int64_t offset = real_offset();
    const bool has_answered =
        !link_.asked() || (link_.said_offset() && *link_.said_offset() >= *link_.asked());
    if (offset >= target && has_answered) {
      return;
    }
    link_.pump(1);
    if (tries == most_pumps || !link_.is_connected()) {
      primary.turn_once();  // if it has ended, that is what is told
      throw LiveError(fmt::format("the replica does not take what its primary sends: it is at {} of {}, {}.",
                                  offset, target, link_.is_connected() ? "connected" : "not connected"));
    }
  }
}

// With all that the primary has now.
void RealNode::synchronise(RealNode& primary) {
  if (primary_ != nullptr) {
    // It would take the end of the old link for news from the new one if it heard of both at once, and then
    // wait for more of them, on a clock that stands still.
    stop_following();
  }
  primary.see_gone(server_->port());  // or what is known there of an earlier link would be taken for this one
  primary_ = &primary;
  primary_life_ = primary.life_;
  ++life_;
  primary.pause_writes();
  const int port = link_.open(primary.server_->port());
  control().execute(redis::make_command("REPLICAOF", "127.0.0.1", port));
  for (int tries = 0;; ++tries) {
    link_.pump(1);
    tick();
    primary.tick();
    const std::string said = info("replication");
    const std::int64_t offset = info_number(said, "slave_repl_offset");
    const bool is_up = info_field(said, "master_link_status") == "up" && primary.has_online(server_->port());
    if (is_up && offset == primary.real_offset()) {
      link_.hold_from(offset);
      break;
    }
    if (tries == most_pumps) {
      throw LiveError("the replica cannot be synchronised: " + last_lines(directory_.path() / "log"));
    }
  }
  primary.last_real_offset_ = primary.real_offset();
  primary.real_offsets_[primary.writes_] = primary.last_real_offset_;
  primary.resume_writes();
}

// A replica that is there may be all that somebody waits for, and what it has asked since is carried out at
// once. That is no part of what the replica is synchronised with: it is known, and passes, like every write.
void RealNode::pause_writes() {
  constexpr std::int64_t until_resumed_ms = 1'000'000;  // of a clock that stands still
  is_paused_ = std::ranges::any_of(blocked_, [](const Blocked& each) { return each.asked.size() > 1; });
  if (is_paused_) {
    control().execute(redis::make_command("CLIENT", "PAUSE", until_resumed_ms, "WRITE"));
  }
}

void RealNode::resume_writes() {
  if (std::exchange(is_paused_, false)) {
    control().execute(redis::make_command("CLIENT", "UNPAUSE"));
  }
}

void RealNode::report_to(RealNode& primary) {
  for (int tries = 0; primary.offset_heard_of(server_->port()) < real_offset(); ++tries) {
    tick();
    link_.pump(0);
    link_.release_said(link_.said());
    link_.pump(0);
    if (tries == most_pumps || !link_.is_connected()) {
      primary.turn_once();
      throw LiveError("the replica does not say how far it has come.");
    }
  }
}

// Whoever is left behind is known to have noticed: a replica that is not there is not waited for.
void RealNode::lose(std::size_t member, const NodeClocks&, Outputs&) {
  RealNode& other = real(member);
  if (primary_ == &other) {
    link_.close();
  } else if (other.primary_ == this) {
    other.link_.close();
  }
  see_gone(other.server_->port());
}

void RealNode::see_gone(int replica_port) {
  for (int tries = 0; !replica_line(info("replication"), replica_port).empty(); ++tries) {
    if (tries == most_pumps) {
      throw LiveError("the primary does not notice that its replica is gone.");
    }
  }
}

void RealNode::stop_following() {
  control().execute(redis::make_command("REPLICAOF", "NO", "ONE"));
  link_.close();
  primary_ = nullptr;
  note_write();
}

void RealNode::promote(const NodeClocks&) {
  stop_following();
}

}  // namespace holdfast::live
