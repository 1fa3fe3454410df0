#include "harness/machine/net/poller.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "harness/kernel/require.h"

namespace holdfast::live {

void Poller::add(Pollable& pollable) {
  require(std::find(pollables_.begin(), pollables_.end(), &pollable) == pollables_.end(),
          "nobody is waited for twice");
  pollables_.push_back(&pollable);
}

void Poller::remove(Pollable& pollable) {
  std::replace(pollables_.begin(), pollables_.end(), &pollable, static_cast<Pollable*>(nullptr));
}

void Poller::wait(Duration timeout) {
  std::erase(pollables_, nullptr);
  watched_.clear();
  for (const Pollable* each : pollables_) {
    const int events = POLLIN | (each->wants_to_write() ? POLLOUT : 0);
    watched_.push_back({each->descriptor(), static_cast<short>(events), 0});
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(timeout);
  timespec patience{seconds.count(), (timeout - seconds).count()};
  if (syscall(SYS_ppoll, watched_.data(), watched_.size(), &patience, nullptr, 0) <= 0) {
    return;
  }
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    if (watched_[index].revents != 0 && pollables_[index] != nullptr) {
      pollables_[index]->on_ready();
    }
  }
}

}  // namespace holdfast::live
