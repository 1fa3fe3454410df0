#include "harness/stores/redis/server/redis_server.h"

#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/info.h"

namespace holdfast::live {
namespace {

constexpr std::chrono::seconds time_to_start{20};  // a loaded machine is slow
constexpr int looks_for_an_end = 100;
constexpr std::size_t lines_at_start = 3;       // of the log: why it does not start may take a few
constexpr std::uintmax_t least_space = 16'384;  // with less the log, too, may be cut short
constexpr std::string_view words_for_a_taken_port = "Address already in use";
constexpr std::string_view words_for_a_failed_write = "writing to the AOF file";

std::string_view fsync_policy(redis::AppendOnly policy) {
  return policy == redis::AppendOnly::always ? "always" : "everysec";
}

// The last line of the log that has these words, without its date: "Error writing to …"; empty: there is
// none.
std::string last_line_with(std::string_view words, const std::filesystem::path& log) {
  std::ifstream stream(log);
  std::string found;
  for (std::string line; std::getline(stream, line);) {
    if (line.find(words) != std::string::npos) {
      const std::size_t date_end = line.find(" # ");
      found = date_end == std::string::npos ? line : line.substr(date_end + 3);
    }
  }
  return found;
}

bool is_disk_full(const std::filesystem::path& directory) {
  std::error_code problem;
  const std::filesystem::space_info space = std::filesystem::space(directory, problem);
  return !problem && space.capacity > 0 && space.available < least_space;
}

}  // namespace

const std::vector<std::string>& redis_program_names() {
  static const std::vector<std::string> names{"redis-server", "valkey-server"};
  return names;
}

ServerProgram installed_redis() {
  return ServerProgram(redis_program_names().front());
}

std::string redis_vendor_and_release(std::string_view info) {
  const std::string_view vendor = info_field(info, "server_name");  // Redis has none
  const std::string_view release = vendor.empty() ? "" : info_field(info, fmt::format("{}_version", vendor));
  return release.empty() ? fmt::format("redis-server {}", info_field(info, "redis_version"))
                         : fmt::format("{}-server {}", vendor, release);
}

RedisServer::RedisServer(RedisServerOptions options) : options_(std::move(options)) {
  if (options_.clock != nullptr) {
    launch_ =
        std::make_unique<VerifiedLaunch>(*options_.clock, options_.directory, options_.program.command());
  }
  constexpr int ports_to_try = 5;  // another program may ask for the very port that is reserved for ours
  for (int tries = 1;; ++tries) {
    if (options_.listens) {
      port_ = std::make_unique<ReservedPort>();
    }
    if (options_.listens && options_.port_chosen) {
      options_.port_chosen(port());
    }
    write_configuration();
    try {
      start();
      return;
    } catch (const LiveError&) {
      if (tries == ports_to_try || !found_its_port_taken()) {
        throw;
      }
    }
  }
}

bool RedisServer::found_its_port_taken() const {
  return port_ != nullptr && last_lines(log()).find(words_for_a_taken_port) != std::string::npos;
}

void RedisServer::write_configuration() const {
  errno = 0;
  std::ofstream file(options_.directory / "redis.conf");
  file << "bind 127.0.0.1\nprotected-mode yes\n"
       << "port " << port() << "\nunixsocket " << socket() << "\nunixsocketperm 700\n"
       << "daemonize no\nlogfile \"\"\nsave \"\"\n"
       << "dir " << options_.directory.string() << "\n"
       << "appendonly " << (options_.append_only == redis::AppendOnly::never ? "no" : "yes") << "\n"
       << "appendfsync " << fsync_policy(options_.append_only) << "\n"
       << "enable-debug-command local\n";
  if (!options_.password.empty()) {
    file << "requirepass " << options_.password << "\nmasterauth " << options_.password << "\n";
  }
  for (const std::string& line : options_.settings) {
    file << line << "\n";
  }
  // With half of it the server would come up on its usual port, open to all.
  if (!file.flush()) {
    const std::string problem = is_disk_full(options_.directory) ? "the disk is full" : std::strerror(errno);
    throw LiveError(
        fmt::format("{} cannot be written: {}.", (options_.directory / "redis.conf").string(), problem));
  }
}

void RedisServer::start() {
  std::error_code ignored;
  std::filesystem::remove(socket(), ignored);
  ChildOptions child;
  child.arguments = options_.program.command();
  child.arguments.push_back((options_.directory / "redis.conf").string());
  child.directory = options_.directory;
  child.output = log();
  if (launch_ != nullptr) {
    launch_->prepare(child);
  }
  child_ = std::make_unique<Child>(child);
  wait_until_it_answers();
}

// One that takes connections and is silent (it was stopped, or is no Redis at all) is not waited for for
// ever.
void RedisServer::wait_until_it_answers() {
  const timeval patience{.tv_sec = options_.patience_seconds, .tv_usec = 0};
  const auto end = std::chrono::steady_clock::now() + time_to_start;
  bool is_silent = false;
  while (!is_silent && std::chrono::steady_clock::now() < end) {
    if (!child_->is_running()) {
      throw LiveError(why_it_ended());
    }
    const std::unique_ptr<redisContext, decltype(&redisFree)> context(
        redisConnectUnixWithTimeout(socket().c_str(), patience), &redisFree);
    if (context != nullptr && context->err == 0 && redisSetTimeout(context.get(), patience) == REDIS_OK) {
      if (!options_.password.empty()) {
        freeReplyObject(redisCommand(context.get(), "AUTH %s", options_.password.c_str()));
      }
      const std::unique_ptr<void, decltype(&freeReplyObject)> reply(redisCommand(context.get(), "INFO"),
                                                                    &freeReplyObject);
      const auto* answer = static_cast<const redisReply*>(reply.get());
      const std::string_view said = answer != nullptr && answer->type == REDIS_REPLY_STRING
                                        ? std::string_view(answer->str, answer->len)
                                        : std::string_view();
      if (info_field(said, "loading") == "0") {  // else it still reads its data
        vendor_and_release_ = redis_vendor_and_release(said);
        verify_clock(*context);
        return;
      }
      is_silent = context->err == REDIS_ERR_IO && std::string_view(context->errstr) == std::strerror(EAGAIN);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw LiveError(fmt::format("{} does not answer: {}", options_.program.name(), last_words(lines_at_start)));
}

void RedisServer::verify_clock(redisContext& connection) {
  if (launch_ == nullptr) {
    return;
  }
  launch_->verify(child_->process(), [&]() -> std::int64_t {
    const std::unique_ptr<void, decltype(&freeReplyObject)> reply(redisCommand(&connection, "TIME"),
                                                                  &freeReplyObject);
    const auto* answer = static_cast<const redisReply*>(reply.get());
    if (answer == nullptr || answer->type != REDIS_REPLY_ARRAY || answer->elements != 2 ||
        answer->element[0]->type != REDIS_REPLY_STRING || answer->element[1]->type != REDIS_REPLY_STRING) {
      throw LiveError(
          fmt::format("{} does not say what time it is (TIME), so that its clock cannot be trusted.",
                      options_.program.name()));
    }
    return std::atoll(answer->element[0]->str) * 1'000'000'000 + std::atoll(answer->element[1]->str) * 1'000;
  });
}

bool RedisServer::is_about_to_end() {
  for (int looks = 0; is_running() && looks < looks_for_an_end; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return !is_running();
}

std::string RedisServer::last_words(std::size_t lines) const {
  const std::string about_its_file = last_line_with(words_for_a_failed_write, log());
  const std::string reason = about_its_file.empty() ? "" : ": " + about_its_file;
  if (is_disk_full(options_.directory)) {
    return fmt::format("the disk under {} is full{}", options_.directory.string(), reason);
  }
  if (!reason.empty()) {
    return fmt::format("it could not write to the disk under {}{}", options_.directory.string(), reason);
  }
  if (found_its_port_taken()) {
    return fmt::format("another program took port {} first.", port());
  }
  const std::string said = last_lines(log(), lines);
  return said.empty() ? "it said nothing; is it a Redis server?" : said;
}

std::string RedisServer::why_it_ended(std::string_view when) const {
  return fmt::format("{} ended with {}{}: {}", options_.program.name(), child_->ending(), when,
                     last_words(when.empty() ? lines_at_start : 1));
}

std::string RedisServer::why_no_file() const {
  return fmt::format("{} cannot write its append-only file, is the disk under {} full? {}",
                     options_.program.name(), options_.directory.string(),
                     last_line_with(words_for_a_failed_write, log()));
}

}  // namespace holdfast::live
