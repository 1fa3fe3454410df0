#include "harness/stores/redis/server/live/key_keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "harness/machine/process/descent_mark.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/live/visit.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds time_to_live{3600};  // longer than any run, so that no lock notices
constexpr std::chrono::seconds time_to_search{10};
constexpr int milliseconds_between_looks = 1000;
constexpr std::size_t most_noted = 10'000;
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

// Nobody is there to hear of a server that does not answer now: it is tried again.
void let_keys_expire(const Kept& kept) {
  for (const std::string& endpoint : kept.setup.endpoints) {
    try {
      Visit visit(resolved_endpoint(endpoint), kept.setup.password);
      for (const std::string& key : kept.keys) {
        visit.let_expire(key, time_to_live);
      }
    } catch (const LiveError&) {
      continue;
    }
  }
}

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
  std::signal(SIGPIPE, SIG_IGN);
  // One who ends all of a terminal's programs would have it end before the run did.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(number, SIG_IGN);
  }
  try {
    Lines lines;
    Kept kept;
    kept.setup = setup;
    bool ended_well = false;
    while (!lines.is_over()) {
      if (const std::optional<std::string> line = lines.next(milliseconds_between_looks)) {
        ended_well = ended_well || *line == well_word;
        if (*line != well_word) {
          kept.keys.insert(Json::parse(*line).get<std::string>());
        }
      } else if (!lines.is_over()) {
        let_keys_expire(kept);
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
  process_ = fork();
  if (process_ == 0) {
    setsid();  // Ctrl-C is not for it
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
  if (word.find(mark_) == std::string::npos || noted_.size() >= most_noted || !noted_.insert(word).second) {
    return;
  }
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
