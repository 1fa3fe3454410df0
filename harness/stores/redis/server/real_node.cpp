#include "harness/stores/redis/server/real_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/machine/process/live_error.h"
#include "harness/machine/stopwatch.h"
#include "harness/stores/redis/server/info.h"

namespace holdfast::live {
namespace {

constexpr double longest_sync_seconds = 30;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    return std::ranges::equal(word, name, [](char a, char b) {
      return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
    });
  });
}

bool may_publish(const redis::Command& command) {
  return !command.empty() && is_one_of(command.front(), {"PUBLISH", "EVAL", "EVALSHA", "EXEC"});
}

// Leaves its connection as it was. There are more such commands; these are what locks say most.
bool leaves_no_state(const redis::Command& command) {
  return !command.empty() && is_one_of(command.front(), {"SET", "EVAL", "GET", "DEL", "SETNX", "GETSET",
                                                         "PEXPIRE", "EXPIRE", "PTTL", "TTL", "EVALSHA",
                                                         "PUBLISH", "EXISTS", "SETEX", "PSETEX", "INCR"});
}

// Whether the server may let the client wait. Of one that it answers at once this is only slower to find out.
bool may_block(const redis::Command& command) {
  return !command.empty() &&
         is_one_of(command.front(), {"WAIT", "WAITAOF", "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP",
                                     "BZPOPMIN", "BZPOPMAX", "BZMPOP", "XREAD", "XREADGROUP"});
}

bool may_subscribe(const redis::Command& command) {
  return !command.empty() && is_one_of(command.front(), {"SUBSCRIBE", "UNSUBSCRIBE", "RESET", "QUIT"});
}

// The file that commands are appended to; the others hold what was there when it was begun.
std::filesystem::path growing_file(const std::filesystem::path& directory) {
  std::filesystem::path found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory / "appendonlydir", ignored)) {
    if (entry.path().string().ends_with(".incr.aof") && entry.path() > found) {
      found = entry.path();
    }
  }
  return found;
}

}  // namespace

RealNode::RealNode(const RealNodeOptions& options, ServerProgram program)
    : options_(options),
      program_(std::move(program)),
      page_(directory_.path() / "clock"),
      monotonic_ns_(1'000'000'000'000),
      file_(options.append_only) {
  start_server();
}

RealNode::~RealNode() = default;

void RealNode::start_server() {
  if (server_ == nullptr) {
    set_clock(1'767'225'600'000'000);  // about when runs begin: years later, all would have timed out
    server_ = std::make_unique<RedisServer>(RedisServerOptions{
        .directory = directory_.path(),
        .append_only = options_.append_only,
        .listens = options_.is_replicated,
        .password = options_.password,
        .clock = &page_,
        .settings = {"repl-timeout 2147483647", "repl-ping-replica-period 2147483647",
                     "repl-diskless-load swapdb",
                     "repl-diskless-sync no",  // or the stream would begin some time after it is said to
                     "client-output-buffer-limit replica 0 0 0", "auto-aof-rewrite-percentage 0",
                     "activerehashing no"},
        .program = program_,
        .patience_seconds = options_.patience_seconds});
  } else {
    // What it saved for a replica is no part of what its policy keeps.
    std::error_code ignored;
    std::filesystem::remove(directory_.path() / "dump.rdb", ignored);
    server_->start();
  }
  control().execute(redis::make_command("DEBUG", "SET-ACTIVE-EXPIRE", 0));
  if (options_.is_replicated) {
    // Redis 8 synchronises over a second connection beside the stream's, and Valkey can; our link is for one.
    // Other releases do not know the setting, and say so.
    control().execute(redis::make_command("CONFIG", "SET", "repl-rdb-channel", "no"));
    control().execute(redis::make_command("CONFIG", "SET", "dual-channel-replication-enabled", "no"));
  }
  scripts_.forget();
  last_real_offset_ = 0;
  if (options_.is_replicated) {
    // What it reads from its file when it starts counts as changed, and is no write of this life.
    note_write();
  }
  ++life_;
}

void RealNode::set_clock(std::int64_t wall_us) {
  wall_ns_ = wall_us * 1000;
  page_.set(wall_ns_, monotonic_ns_);
}

Connection& RealNode::control() {
  if (control_ == nullptr) {
    control_ = std::make_unique<Connection>(*server_);
  }
  return *control_;
}

RealNode::Line RealNode::new_line() {
  Line line{.connection = std::make_unique<Connection>(*server_)};
  line.client_id = line.connection->execute(redis::make_command("CLIENT", "ID")).number;
  return line;
}

RealNode::Line& RealNode::line(ConnectionId id) {
  const auto [found, is_new] = lines_.try_emplace(id);
  if (is_new && spare_.empty()) {
    found->second = new_line();
  } else if (is_new) {
    found->second = std::move(spare_.back());
    spare_.pop_back();
    if (options_.is_replicated) {
      // A new one would have logged in just now: WAIT waits for what was written before.
      found->second.connection->execute(redis::make_command("PING"));
    }
  }
  return found->second;
}

std::string RealNode::info(const std::string& section) {
  return control().execute(redis::make_command("INFO", section)).text;
}

void RealNode::forget_connections() {
  control_.reset();
  lines_.clear();
  spare_.clear();
  blocked_.clear();
  forget_unsaid();
  subscriptions_.clear();
  subscribed_.clear();
  link_.close();
}

void RealNode::begin_run(bool is_replica) {
  if (!trouble_.empty()) {
    throw LiveError(std::exchange(trouble_, ""));
  }
  if (!server_->is_running()) {
    std::error_code ignored;
    std::filesystem::remove_all(directory_.path() / "appendonlydir", ignored);
    forget_connections();
    primary_ = nullptr;
    start_server();
  }
  companion_.bring_here(server_->process());
  resume_writes();  // if the last run broke off in between
  Outputs nobody;
  while (!lines_.empty()) {
    close(lines_.begin()->first, {}, nobody);
  }
  forget_unsaid();
  if (!trouble_.empty()) {
    throw LiveError(std::exchange(trouble_, ""));
  }
  scripts_.begin_run();
  if (!is_replica || primary_ == nullptr || !follows(*primary_)) {
    if (primary_ != nullptr) {
      stop_following();
    }
    control().execute(redis::make_command("FLUSHALL"));
    if (options_.is_replicated) {
      note_write();
    }
  }
  writes_ = 0;
  real_offsets_ = {{0, last_real_offset_}};
  file_.reset();
  file_.restart(settled_file_size());
}

std::optional<redis::Reply> RealNode::submit(const redis::Request& request, const NodeClocks& clocks,
                                             Outputs& outputs) {
  ++steps_;
  if (options_.append_only == redis::AppendOnly::every_second) {
    file_.advance(to_microseconds(clocks.wall), settled_file_size());
  }
  set_clock(clocks);
  say_what_was_due(outputs);
  const redis::Command& command = request.command;
  for (const redis::Command& words : scripts_.before(command)) {
    control().execute(words);
  }
  const bool is_new = !lines_.contains(request.connection);
  Line& line = this->line(request.connection);
  if (is_new && options_.is_replicated) {
    end_waits(outputs);  // its hello gave the server something to do
  }
  const auto place = std::ssize(outputs);
  line.has_state = line.has_state || !leaves_no_state(command);
  line.connection->send(command);
  std::optional<redis::Reply> reply;
  if (Blocked* const blocked = find_blocked(request.connection)) {
    blocked->asked.push_back(command);
  } else if (may_block(command)) {
    reply = answer_unless_it_blocks(line);
    if (!reply) {
      blocked_.push_back({request.connection, {command}, deadline_ms(command)});
    }
  } else {
    reply = line.connection->receive();
  }
  if (reply) {
    note_answered(request.connection, command, *reply, outputs);
  }
  collect_answers(outputs);
  if (options_.is_replicated && note_write()) {
    send_stream(outputs, place);
  }
  return reply;
}

void RealNode::note_answered(ConnectionId connection, const redis::Command& command,
                             const redis::Reply& reply, Outputs& outputs) {
  scripts_.answered(command, reply);
  if (may_subscribe(command)) {
    note_subscription(connection, reply);
  }
  if (!subscribed_.empty() && may_publish(command)) {
    collect_news(outputs);
  }
}

RealNode::Blocked* RealNode::find_blocked(ConnectionId connection) {
  const auto found = std::ranges::find(blocked_, connection, &Blocked::connection);
  return found == blocked_.end() ? nullptr : &*found;
}

// No sleeping and hoping: the server says that the client waits, or what it answers is there.
std::optional<redis::Reply> RealNode::answer_unless_it_blocks(Line& line) {
  const redis::Command list = redis::make_command("CLIENT", "LIST", "ID", line.client_id);
  while (!line.connection->has_received()) {
    const std::string said = control().execute(list).text;
    const std::size_t flags = said.find(" flags=");
    if (flags != std::string::npos &&
        said.substr(flags, said.find(' ', flags + 1) - flags).find('b') != std::string::npos) {
      return std::nullopt;
    }
  }
  return line.connection->receive();
}

// The server only looks at its clock when it has something to do. This is when it is given something: at the
// first of its milliseconds after the command's timeout.
std::optional<std::int64_t> RealNode::deadline_ms(const redis::Command& command) const {
  double timeout = 0;
  const std::string& last = command.back();
  if (std::from_chars(last.data(), last.data() + last.size(), timeout).ec != std::errc() || timeout <= 0) {
    return std::nullopt;
  }
  const double milliseconds = is_one_of(command.front(), {"WAIT", "WAITAOF"}) ? timeout : timeout * 1000;
  constexpr double longest = 1e15;  // thousands of years
  if (milliseconds > longest) {
    return std::nullopt;
  }
  return wall_ns_ / 1'000'000 + static_cast<std::int64_t>(milliseconds) + 1;
}

std::optional<NodeTimer> RealNode::next_due() const {
  std::optional<std::int64_t> first;
  for (const Blocked& blocked : blocked_) {
    if (blocked.deadline_ms && (!first || *blocked.deadline_ms < *first)) {
      first = blocked.deadline_ms;
    }
  }
  if (!first) {
    return std::nullopt;
  }
  return NodeTimer{ClockKind::wall, std::chrono::milliseconds(*first)};
}

void RealNode::advance(const NodeClocks& clocks, Outputs& outputs) {
  set_clock(clocks);
  say_what_was_due(outputs);
  end_waits(outputs);
  for (Blocked& blocked : blocked_) {
    if (blocked.deadline_ms && *blocked.deadline_ms <= wall_ns_ / 1'000'000) {
      blocked.deadline_ms.reset();  // it was asked, and goes on waiting
    }
  }
}

// Once through its loop: what it had to do before is done, and what it said is sent, when this is answered.
void RealNode::turn_once() {
  control().execute(redis::make_command("PING"));
}

void RealNode::collect_answers(Outputs& outputs) {
  if (blocked_.empty()) {
    return;
  }
  turn_once();  // it looks who need not wait any longer
  turn_once();  // it has written what it found to say then
  for (std::size_t index = 0; index < blocked_.size();) {
    Line& line = lines_.at(blocked_[index].connection);
    if (!line.connection->has_received()) {
      ++index;
      continue;
    }
    const ConnectionId connection = blocked_[index].connection;
    std::optional<redis::Reply> reply = line.connection->receive();
    while (reply) {
      const redis::Command command = std::move(blocked_[index].asked.front());
      blocked_[index].asked.pop_front();
      note_answered(connection, command, *reply, outputs);
      outputs.emplace_back(Answered{connection, std::move(*reply)});
      if (blocked_[index].asked.empty()) {
        break;
      }
      reply = answer_unless_it_blocks(line);
      blocked_[index].deadline_ms = deadline_ms(blocked_[index].asked.front());
    }
    const auto place = blocked_.begin() + static_cast<std::ptrdiff_t>(index);
    if (place->asked.empty()) {
      blocked_.erase(place);
    } else {
      std::rotate(place, std::next(place), blocked_.end());  // it waits anew, behind all others
    }
  }
}

void RealNode::end_waits(Outputs& outputs) {
  if (blocked_.empty()) {
    return;
  }
  collect_answers(outputs);
  // What waited behind an answer may have written.
  if (options_.is_replicated && note_write()) {
    send_stream(outputs);
  }
}

void RealNode::note_subscription(ConnectionId connection, const redis::Reply& reply) {
  if (reply.kind != redis::Reply::Kind::array || reply.elements.size() != 3) {
    return;
  }
  const std::string& channel = reply.elements[1].text;
  if (reply.elements[0].text == "subscribe") {
    subscriptions_.subscribe(connection, channel);
  } else if (reply.elements[0].text == "unsubscribe") {
    subscriptions_.unsubscribe(connection, channel);
  }
  subscribed_[connection] = subscriptions_.count(connection);
  if (subscribed_[connection] == 0) {
    subscribed_.erase(connection);
  }
}

// Each subscriber is asked for a sign of life, before which it gets all that was published so far.
void RealNode::collect_news(Outputs& outputs) {
  std::map<ConnectionId, std::vector<redis::Push>> arrived;
  for (const auto& [id, channels] : subscribed_) {
    Connection& subscriber = *line(id).connection;
    subscriber.send(redis::make_command("PING"));
    for (;;) {
      const redis::Reply said = subscriber.receive();
      if (said.elements.size() != 3 || said.elements[0].text != "message") {
        break;
      }
      arrived[id].push_back({id, said.elements[1].text, said.elements[2].text});
    }
    std::ranges::reverse(arrived[id]);
  }
  // In the order of the messages, and of each to its receivers in the order in which they subscribed.
  for (auto& [id, messages] : arrived) {
    while (!messages.empty()) {
      std::vector<redis::Push> receivers;
      const redis::Push first = messages.back();
      subscriptions_.publish(first.channel, first.payload, receivers);
      for (redis::Push& push : receivers) {
        std::vector<redis::Push>& theirs = arrived[push.connection];
        if (!theirs.empty() && theirs.back().payload == push.payload) {
          theirs.pop_back();
          outputs.emplace_back(Pushed{push.connection, {std::move(push.channel), std::move(push.payload)}});
        }
      }
    }
  }
}

// Closing it would be noticed at some later moment; this is done when it is answered.
void RealNode::close(ConnectionId connection, const NodeClocks&, Outputs&) {
  const auto found = lines_.find(connection);
  if (found == lines_.end()) {
    return;
  }
  Line theirs = std::move(found->second);
  lines_.erase(found);
  const bool is_blocked = find_blocked(connection) != nullptr;
  std::erase_if(blocked_, [=](const Blocked& blocked) { return blocked.connection == connection; });
  forget_unsaid(connection);
  subscriptions_.disconnect(connection);
  subscribed_.erase(connection);
  if (!server_->is_running()) {
    return;
  }
  try {
    if (is_blocked) {
      control().execute(redis::make_command("CLIENT", "KILL", "ID", theirs.client_id));
      return;
    }
    if (theirs.has_state) {
      theirs.connection->reset();
      theirs.has_state = false;
    }
    spare_.push_back(std::move(theirs));
  } catch (const LiveError& problem) {
    // It does not answer any more. Who tidies up after a run cannot be told, but who begins the next one can.
    trouble_ = problem.what();
    server_->kill();
  }
}

std::size_t RealNode::settled_file_size() {
  if (options_.append_only == redis::AppendOnly::never) {
    return 0;
  }
  // A write waits while an earlier one is being synced, which takes a busy disk a second and more. Each
  // question lets the server look again.
  const Stopwatch watch;
  while (watch.seconds() < longest_sync_seconds) {
    const std::string said = info("persistence");
    if (info_field(said, "aof_last_write_status") == "err") {
      throw LiveError(server_->why_no_file());
    }
    if (info_number(said, "aof_buffer_length") == 0 && info_number(said, "aof_pending_bio_fsync") == 0) {
      std::error_code problem;
      const auto size = std::filesystem::file_size(growing_file(directory_.path()), problem);
      return problem ? 0 : size;
    }
  }
  throw LiveError(server_->why_no_file());
}

void RealNode::crash(const NodeClocks& clocks) {
  const std::size_t size = settled_file_size();
  file_.advance(to_microseconds(clocks.wall), size);
  file_.written(size);
  server_->kill();
  forget_connections();
  ++life_;
  if (options_.append_only != redis::AppendOnly::never) {
    std::filesystem::resize_file(growing_file(directory_.path()), file_.synced_units());
  }
}

void RealNode::restart(const NodeClocks& clocks) {
  set_clock(clocks);
  const std::int64_t written = writes_;
  start_server();
  writes_ = written;
  real_offsets_.clear();
  if (primary_ != nullptr) {
    // It was told to be a replica and is one again, of nobody yet: no server listens on port 0.
    control().execute(redis::make_command("REPLICAOF", "127.0.0.1", 0));
    writes_ = 0;  // how far it had come is not on its disk
  }
}

}  // namespace holdfast::live
