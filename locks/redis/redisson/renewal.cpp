#include "locks/redis/redisson/renewal.h"

#include <algorithm>

namespace holdfast::redisson {

void Renewal::schedule(Caller& me) {
  const bool starts = !entry_.has_value();
  if (starts) {
    entry_ = Entry{.holders = {}, .watchdog = ++watchdogs_started_};
  }
  auto& holders = entry_->holders;
  const auto mine = std::ranges::find(holders, me.env.thread(), &Holder::thread);
  if (mine == holders.end()) {
    holders.push_back({me.env.thread(), 1});
  } else {
    ++mine->holds;
  }
  if (starts) {
    me.env.spawn(watch(me, entry_->watchdog));
  }
}

void Renewal::cancel(std::uint32_t thread) {
  if (!entry_) {
    return;
  }
  auto& holders = entry_->holders;
  const auto holder = std::ranges::find(holders, thread, &Holder::thread);
  if (holder != holders.end() && --holder->holds == 0) {
    holders.erase(holder);
  }
  if (holders.empty()) {
    entry_.reset();
  }
}

std::vector<std::uint32_t> Renewal::threads_to_renew() const {
  std::vector<std::uint32_t> threads;
  for (const Holder& holder : entry_->holders) {
    threads.push_back(holder.thread);
    if (scope_ == RenewalScope::first_thread) {
      break;
    }
  }
  return threads;
}

bool Renewal::may_go_on(std::uint64_t watchdog) const {
  return style_ == RenewalStyle::current || entry_->watchdog == watchdog;
}

Task<> Renewal::watch(Caller& me, std::uint64_t self) {
  while (true) {
    co_await me.env.sleep(lease_ / 3);
    if (!entry_ || !may_go_on(self)) {
      co_return;
    }
    const std::vector<std::uint32_t> threads = threads_to_renew();
    const redis::Answer answer = co_await renewable_.renew(me, threads);
    // From here on the entry may be that of a later hold: as in Redisson, the answer is applied to
    // whatever the map holds under this name now.
    me.env.mark(answer.is(1) ? Mark::renewed : Mark::renewal_too_late);
    if (!answer.is(1)) {
      if (style_ == RenewalStyle::as_printed_in_004) {
        entry_.reset();
      } else if (!answer.threw()) {
        for (const std::uint32_t thread : threads) {
          cancel(thread);
        }
      }
    }
    if (!entry_) {
      co_return;
    }
    entry_->watchdog = self;
  }
}

}  // namespace holdfast::redisson
