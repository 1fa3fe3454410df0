#include "harness/stores/redis/server/live/key_keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "harness/machine/process/descent_mark.h"
#include "harness/machine/process/fork_apart.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/live/visit.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds time_to_live{3600};  // longer than any run, so that no lock notices
constexpr std::chrono::seconds time_to_search{10};
constexpr std::size_t most_noted = 10'000;
constexpr auto time_between_notes = std::chrono::milliseconds(10);
constexpr auto patience_with_the_keeper = std::chrono::seconds(20);
constexpr const char* well_word = "\"end\"";

// Lines from standard input, waiting for them only so long.
class Lines {
 public:
  // Nothing: none came in time, or there will be no more.
  std::optional<std::string> next(int milliseconds) {
    while (true) {
      if (const std::size_t end = inbox_.find('\n'); end != std::string::npos) {
        std::string line = inbox_.substr(0, end);
        inbox_.erase(0, end + 1);
        return line;
      }
      pollfd watched{STDIN_FILENO, POLLIN, 0};
      if (is_over_ || poll(&watched, 1, milliseconds) <= 0) {
        return std::nullopt;
      }
      char block[4096];
      const ssize_t size = read(STDIN_FILENO, block, sizeof block);
      is_over_ = size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN);
      inbox_.append(block, size > 0 ? static_cast<std::size_t>(size) : 0);
    }
  }
  bool is_over() const { return is_over_ && inbox_.find('\n') == std::string::npos; }

 private:
  std::string inbox_;
  bool is_over_ = false;
};

struct Kept {
  KeyKeeperSetup setup;
  std::set<std::string> keys;
};

// Gives keys a time to live. One that was just named is looked at until it is there, for its command is on
// its way; the others again and again, for a command that was held may come later.
class Expiry {
 public:
  explicit Expiry(const KeyKeeperSetup& setup)
      : setup_(setup), visits_(setup.endpoints.size()), not_before_(setup.endpoints.size()) {}

  void note(const std::string& key) { noted_[key] = Clock::now(); }

  int milliseconds_to_next_look() const {
    const auto next = noted_.empty() ? next_look_at_all_ : std::min(next_look_, next_look_at_all_);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(0, left));
  }
  void look(const std::set<std::string>& all) {
    const Clock::time_point now = Clock::now();
    if (now >= next_look_at_all_) {
      for (const std::string& key : all) {
        noted_.try_emplace(key, Clock::time_point());
      }
    }
    for (std::size_t server = 0; server < visits_.size(); ++server) {
      look_at(server);
    }
    std::erase_if(noted_, [&](const auto& each) {
      const auto since = now - each.second;
      return since >= longest_on_the_way || (since >= usually_on_the_way && found_.contains(each.first));
    });
    found_.clear();
    next_look_ = Clock::now() + between_looks;
    if (now >= next_look_at_all_) {
      next_look_at_all_ = Clock::now() + between_looks_at_all;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto usually_on_the_way = std::chrono::milliseconds(30);
  static constexpr auto longest_on_the_way = std::chrono::seconds(2);
  static constexpr auto between_looks = std::chrono::milliseconds(10);
  static constexpr auto between_looks_at_all = std::chrono::seconds(1);
  static constexpr auto time_off = std::chrono::seconds(10);

  // Nobody is there to hear of a server that does not answer, or forbids it: it is tried again after a while.
  void look_at(std::size_t server) {
    if (Clock::now() < not_before_[server]) {
      return;
    }
    try {
      if (visits_[server] == nullptr) {
        visits_[server] =
            std::make_unique<Visit>(resolved_endpoint(setup_.endpoints[server]), setup_.password);
      }
      for (const auto& [key, noted] : noted_) {
        if (visits_[server]->let_expire(key, time_to_live)) {
          found_.insert(key);
        }
      }
    } catch (const LiveError&) {
      visits_[server].reset();
      not_before_[server] = Clock::now() + time_off;
    }
  }

  const KeyKeeperSetup& setup_;
  std::vector<std::unique_ptr<Visit>> visits_;      // nullptr: not connected
  std::vector<Clock::time_point> not_before_;       // of each server: when to try again
  std::map<std::string, Clock::time_point> noted_;  // lately; with the first moment: to be looked at once
  std::set<std::string> found_;                     // by this look
  Clock::time_point next_look_;
  Clock::time_point next_look_at_all_ = Clock::now() + between_looks_at_all;
};

// One sentence if something may stay.
std::string clear(const Kept& kept, const std::string& endpoint) {
  try {
    Visit visit(resolved_endpoint(endpoint), kept.setup.password);
    for (const std::string& key : kept.keys) {
      visit.remove(key);
    }
    visit.each_key_like("*" + kept.setup.mark + "*", time_to_search,
                        [&](const std::string& key) { visit.remove(key); });
  } catch (const LiveError& problem) {
    return fmt::format("keys with {} in their names may stay at {}: {}", kept.setup.mark, endpoint,
                       problem.what());
  }
  return {};
}

void clear_all(const Kept& kept, bool tells) {
  for (const std::string& endpoint : kept.setup.endpoints) {
    if (const std::string sentence = clear(kept, endpoint); tells && !sentence.empty()) {
      const std::string line = "holdfast: " + sentence + "\n";
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    }
  }
}

// What that process does, until standard input ends. Returns its exit code.
int keep_keys(const KeyKeeperSetup& setup) {
  try {
    Lines lines;
    Kept kept;
    kept.setup = setup;
    Expiry expiry(setup);
    bool ended_well = false;
    while (!lines.is_over()) {
      // All that was said so far: a look at a server that is slow takes long, and the end may stand behind
      // much.
      std::optional<std::string> line = lines.next(expiry.milliseconds_to_next_look());
      for (; line; line = lines.next(0)) {
        ended_well = ended_well || *line == well_word;
        if (*line != well_word) {
          const std::string key = Json::parse(*line).get<std::string>();
          kept.keys.insert(key);
          expiry.note(key);
        }
      }
      if (!ended_well && !lines.is_over() && expiry.milliseconds_to_next_look() == 0) {
        expiry.look(kept.keys);
      }
    }
    clear_all(kept, ended_well);
    if (!ended_well) {
      // What its clients had sent may arrive only now.
      std::this_thread::sleep_for(std::chrono::seconds(1));
      clear_all(kept, true);
    }
  } catch (const std::exception&) {
    return 1;
  }
  return 0;
}

}  // namespace

KeyKeeper::KeyKeeper(const KeyKeeperSetup& setup) : mark_(setup.mark) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw LiveError(
        fmt::format("there is no socket for who cleans up after the run: {}.", std::strerror(errno)));
  }
  process_ = fork_apart();
  if (process_ == 0) {
    wear_mark_of_ones_own();
    dup2(ends[0], STDIN_FILENO);
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    // Nothing of the run may stay open because of it.
    close_range(3, ~0U, 0);
    _exit(keep_keys(setup));
  }
  close(ends[0]);
  socket_ = ends[1];
  if (process_ < 0) {
    close(socket_);
    throw LiveError(fmt::format("who cleans up after the run cannot be started: {}.", std::strerror(errno)));
  }
}

KeyKeeper::~KeyKeeper() {
  tell(well_word);
  close(socket_);
  const auto end = std::chrono::steady_clock::now() + patience_with_the_keeper;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void KeyKeeper::note(const std::string& word) {
  if (word.find(mark_) == std::string::npos || (noted_.size() >= most_noted && !noted_.contains(word))) {
    return;
  }
  // Again if it was noted before, for it may be about to be written anew, without a time to live; but not for
  // each of a row of commands.
  const auto now = std::chrono::steady_clock::now();
  const auto [noted, is_new] = noted_.try_emplace(word, now);
  if (!is_new && now - noted->second < time_between_notes) {
    return;
  }
  noted->second = now;
  tell(Json(word).dump(-1, ' ', true, Json::error_handler_t::ignore));
}

void KeyKeeper::tell(const std::string& line) {
  const std::string bytes = line + "\n";
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t size = send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (size < 0 && errno != EINTR) {
      return;  // it is gone; what it was for is said when the run is over
    }
    done += size > 0 ? static_cast<std::size_t>(size) : 0;
  }
}

}  // namespace holdfast::live
