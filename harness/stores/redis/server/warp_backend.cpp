#include "harness/stores/redis/server/warp_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/machine/clock/launch.h"
#include "harness/machine/clock/shim.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/stopwatch.h"
#include "harness/stores/redis/server/info.h"

namespace holdfast::live {
namespace {

constexpr int most_pumps = 20'000;  // of up to a millisecond each
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

WarpBackend::WarpBackend(const WarpOptions& options, ServerProgram program)
    : options_(options),
      program_(std::move(program)),
      page_(directory_.path() / "clock"),
      monotonic_ns_(1'000'000'000'000),
      file_(options.append_only) {
  write_clock_shim(directory_.path() / "clock.so");
  start_server();
}

WarpBackend::~WarpBackend() = default;

void WarpBackend::start_server() {
  if (server_ == nullptr) {
    set_clock(1'767'225'600'000'000);  // about when runs begin: years later, all would have timed out
    server_ = std::make_unique<RedisServer>(RedisServerOptions{
        .directory = directory_.path(),
        .append_only = options_.append_only,
        .listens = options_.is_replicated,
        .password = options_.password,
        .environment =
            ClockLaunch(page_.file(), directory_.path() / "clock.so", ClockWay::libc).environment(),
        .settings = {"repl-timeout 2147483647", "repl-ping-replica-period 2147483647",
                     "repl-diskless-sync yes", "repl-diskless-sync-delay 0",
                     "client-output-buffer-limit replica 0 0 0", "auto-aof-rewrite-percentage 0",
                     "activerehashing no"},
        .program = program_,
        .patience_seconds = options_.patience_seconds});
  } else {
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
  last_dirty_ = 0;
  ++life_;
}

void WarpBackend::set_clock(std::int64_t wall_us) {
  wall_ns_ = wall_us * 1000;
  page_.set(wall_ns_, monotonic_ns_);
}

void WarpBackend::tick() {
  constexpr std::int64_t a_little_ns = 20'000'000;
  monotonic_ns_ += a_little_ns;
  page_.set(wall_ns_, monotonic_ns_);
}

Connection& WarpBackend::control() {
  if (control_ == nullptr) {
    control_ = std::make_unique<Connection>(*server_);
  }
  return *control_;
}

Connection& WarpBackend::connection(redis::ConnectionId id) {
  std::unique_ptr<Connection>& found = connections_[id].connection;
  if (found == nullptr && !spare_.empty()) {
    found = std::move(spare_.back());
    spare_.pop_back();
  }
  if (found == nullptr) {
    found = std::make_unique<Connection>(*server_);
  }
  return *found;
}

std::int64_t WarpBackend::info(const std::string& sections, const std::string& field) {
  return info_number(control().execute(redis::make_command("INFO", sections)).text, field);
}

void WarpBackend::begin_run(bool is_replica) {
  if (!trouble_.empty()) {
    throw LiveError(std::exchange(trouble_, ""));
  }
  if (!server_->is_running()) {
    std::error_code ignored;
    std::filesystem::remove_all(directory_.path() / "appendonlydir", ignored);
    control_.reset();
    connections_.clear();
    spare_.clear();
    subscribed_.clear();
    link_.close();
    primary_ = nullptr;
    start_server();
  }
  while (!connections_.empty()) {
    disconnect(connections_.begin()->first);
  }
  scripts_.begin_run();
  if (!is_replica || !follows(primary_)) {
    if (primary_ != nullptr) {
      promote();
    }
    control().execute(redis::make_command("FLUSHALL"));
    if (options_.is_replicated) {
      note_write();
    }
  }
  file_.reset();
  file_.restart(settled_file_size());
}

bool WarpBackend::follows(const WarpBackend* primary) const {
  return primary != nullptr && primary_ == primary && primary_life_ == primary->life_ && link_.is_connected();
}

redis::Reply WarpBackend::execute(redis::ConnectionId connection_id, const redis::Command& command,
                                  std::int64_t wall_us, std::vector<redis::Push>& pushes) {
  ++steps_;
  if (options_.append_only == redis::AppendOnly::every_second) {
    file_.advance(wall_us, settled_file_size());
  }
  set_clock(wall_us);
  for (const redis::Command& words : scripts_.before(command)) {
    control().execute(words);
  }
  redis::Reply reply = connection(connection_id).execute(command);
  scripts_.answered(command, reply);
  if (!leaves_no_state(command)) {
    connections_[connection_id].has_state = true;
  }
  if (may_subscribe(command)) {
    note_subscription(connection_id, reply);
  }
  if (!subscribed_.empty() && may_publish(command)) {
    collect(pushes);
  }
  if (options_.is_replicated) {
    note_write();
  }
  return reply;
}

void WarpBackend::note_subscription(redis::ConnectionId connection, const redis::Reply& reply) {
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
void WarpBackend::collect(std::vector<redis::Push>& pushes) {
  std::map<redis::ConnectionId, std::vector<redis::Push>> arrived;
  for (const auto& [id, channels] : subscribed_) {
    Connection& subscriber = connection(id);
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
          pushes.push_back(std::move(push));
        }
      }
    }
  }
}

// Closing it would be noticed at some later moment; this is done when it is answered.
void WarpBackend::disconnect(redis::ConnectionId connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) {
    return;
  }
  Line theirs = std::move(found->second);
  connections_.erase(found);
  subscriptions_.disconnect(connection);
  subscribed_.erase(connection);
  if (!server_->is_running()) {
    return;
  }
  try {
    if (theirs.has_state) {
      theirs.connection->reset();
    }
    spare_.push_back(std::move(theirs.connection));
  } catch (const LiveError& problem) {
    // It does not answer any more. Who tidies up after a run cannot be told, but who begins the next one can.
    trouble_ = problem.what();
    server_->kill();
  }
}

std::size_t WarpBackend::settled_file_size() {
  if (options_.append_only == redis::AppendOnly::never) {
    return 0;
  }
  // A write waits while an earlier one is being synced, which takes a busy disk a second and more. Each
  // question lets the server look again.
  const Stopwatch watch;
  while (watch.seconds() < longest_sync_seconds) {
    const std::string said = control().execute(redis::make_command("INFO", "persistence")).text;
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

void WarpBackend::crash(std::int64_t wall_us) {
  const std::size_t size = settled_file_size();
  file_.advance(wall_us, size);
  file_.written(size);
  server_->kill();
  control_.reset();
  connections_.clear();
  spare_.clear();
  subscriptions_.clear();
  subscribed_.clear();
  link_.close();
  primary_ = nullptr;
  ++life_;
  if (options_.append_only != redis::AppendOnly::never) {
    std::filesystem::resize_file(growing_file(directory_.path()), file_.synced_units());
  }
}

void WarpBackend::restart(std::int64_t wall_us) {
  set_clock(wall_us);
  start_server();
  ++writes_;
  real_offsets_.clear();
}

void WarpBackend::note_write() {
  const std::string said =
      control().execute(redis::make_command("INFO", "replication", "persistence", "stats")).text;
  const std::int64_t offset = info_number(said, "master_repl_offset");
  const std::int64_t dirty =
      info_number(said, "rdb_changes_since_last_save") + info_number(said, "expired_keys");
  if (offset != last_real_offset_ || dirty != last_dirty_) {
    ++writes_;
  }
  last_real_offset_ = offset;
  last_dirty_ = dirty;
  real_offsets_[writes_] = offset;
}

std::int64_t WarpBackend::real_offset() {
  return info("replication", primary_ == nullptr ? "master_repl_offset" : "slave_repl_offset");
}

std::int64_t WarpBackend::real_offset_after(std::int64_t writes) const {
  const auto later = real_offsets_.upper_bound(writes);
  return later == real_offsets_.begin() ? 0 : std::prev(later)->second;
}

void WarpBackend::replicate_from(redis::Backend& primary, std::int64_t offset, std::int64_t wall_us) {
  auto* const source = dynamic_cast<WarpBackend*>(&primary);
  if (source == nullptr || source == this) {
    throw std::logic_error("a real server replicates from another real server");
  }
  set_clock(wall_us);
  if (!follows(source)) {
    follow(*source);
    writes_ = source->writes_;
    return;
  }
  const std::int64_t target = source->real_offset_after(offset);
  link_.release(target);
  for (int tries = 0; real_offset() < target; ++tries) {
    link_.pump(1);
    if (tries == most_pumps || !link_.is_connected()) {
      throw LiveError(fmt::format("the replica does not take what its primary sends: it is at {} of {}, {}.",
                                  real_offset(), target,
                                  link_.is_connected() ? "connected" : "not connected"));
    }
  }
  writes_ = offset;
}

// Synchronises with all that the primary has now.
void WarpBackend::follow(WarpBackend& primary) {
  if (primary_ != nullptr) {
    // It would take the end of the old link for news from the new one if it heard of both at once, and then
    // wait for more of them, on a clock that stands still.
    promote();
  }
  primary_ = &primary;
  primary_life_ = primary.life_;
  ++life_;
  const int port = link_.open(primary.server_->port());
  control().execute(redis::make_command("REPLICAOF", "127.0.0.1", port));
  bool is_probed = false;
  for (int tries = 0;; ++tries) {
    link_.pump(1);
    tick();
    primary.tick();
    const std::string said = control().execute(redis::make_command("INFO", "replication")).text;
    const std::int64_t offset = info_number(said, "slave_repl_offset");
    if (is_probed && offset == primary.real_offset()) {
      link_.hold_from(offset);  // its timers may have put more into the stream meanwhile
      break;
    }
    if (!is_probed && info_field(said, "master_link_status") == "up" && primary.has_online(server_->port())) {
      // The stream begins to flow at an acknowledgement that nothing shows: only something in it does.
      primary.control().execute(redis::make_command("PUBLISH", "holdfast-probe", ""));
      is_probed = true;
    }
    if (tries == most_pumps) {
      throw LiveError("the replica cannot be synchronised: " + last_lines(directory_.path() / "log"));
    }
  }
  primary.last_real_offset_ = primary.real_offset();
  primary.real_offsets_[primary.writes_] = primary.last_real_offset_;
}

bool WarpBackend::has_online(int replica_port) {
  const std::string said = control().execute(redis::make_command("INFO", "replication")).text;
  return said.find(fmt::format("port={},state=online,", replica_port)) != std::string::npos;
}

void WarpBackend::promote() {
  control().execute(redis::make_command("REPLICAOF", "NO", "ONE"));
  link_.close();
  primary_ = nullptr;
  note_write();
}

}  // namespace holdfast::live
