#include "harness/machine/rest/held_wait.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <ctime>

#include "harness/kernel/require.h"
#include "harness/machine/rest/units.h"

namespace holdfast::rest {
namespace {

constexpr std::array<short, 3> set_events = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};

bool is_select(const Call& call) {
  return call.number == SYS_select || call.number == SYS_pselect6;
}

std::size_t set_bytes(const Call& call) {
  constexpr std::uint64_t bits = 64;
  return (static_cast<std::uint32_t>(call.arguments[0]) + bits - 1) / bits * (bits / 8);
}

// poll() also tells of a peer that is gone, which is nothing to one who waits for the other two sets.
bool is_any_asked_for(const HeldWait& wait, const std::vector<pollfd>& polled) {
  for (std::size_t index = 0; index < polled.size(); ++index) {
    for (std::size_t set = 0; set < set_events.size(); ++set) {
      const bool asked = (wait.descriptors[index].position >> set & 1U) != 0;
      if (asked && (polled[index].revents & set_events[set]) != 0) {
        return true;
      }
    }
  }
  return false;
}

// Of the three sets of descriptors that were asked for, only those stay that are ready.
Answer write_sets(const Program& program, const HeldWait& wait, const std::vector<pollfd>& polled) {
  std::int64_t count = 0;
  for (std::size_t set = 0; set < set_events.size(); ++set) {
    const std::uint64_t address = wait.call.arguments[1 + set];
    std::vector<unsigned char> bits(set_bytes(wait.call));
    for (std::size_t index = 0; address != 0 && index < polled.size(); ++index) {
      const WatchedDescriptor& watched = wait.descriptors[index];
      const bool asked = (watched.position >> set & 1U) != 0;
      if (asked && (polled[index].revents & set_events[set]) != 0) {
        const auto number = static_cast<std::size_t>(watched.number);
        bits[number / 8] = static_cast<unsigned char>(bits[number / 8] | 1U << number % 8);
        ++count;
      }
    }
    if (address != 0 && !bits.empty() && !program.write(address, bits.data(), bits.size())) {
      return {.error = EFAULT};
    }
  }
  return {.value = count};
}

Answer write_polled(const Program& program, const HeldWait& wait, const std::vector<pollfd>& polled) {
  std::vector<pollfd> theirs(wait.call.arguments[1]);
  const std::size_t bytes = theirs.size() * sizeof(pollfd);
  if (bytes == 0) {
    return {};
  }
  if (!program.read(wait.call.arguments[0], theirs.data(), bytes)) {
    return {.error = EFAULT};
  }
  for (pollfd& each : theirs) {
    each.revents = 0;
  }
  std::int64_t count = 0;
  for (std::size_t index = 0; index < polled.size(); ++index) {
    require(wait.descriptors[index].position < theirs.size(), "a descriptor stands in its program's list");
    theirs[wait.descriptors[index].position].revents = polled[index].revents;
    count += polled[index].revents != 0 ? 1 : 0;
  }
  if (!program.write(wait.call.arguments[0], theirs.data(), bytes)) {
    return {.error = EFAULT};
  }
  return {.value = count};
}

}  // namespace

std::optional<Answer> HeldWait::look(const Program& program) {
  std::optional<Answer> found;
  switch (kind) {
    case WaitKind::descriptors:
      found = look_at_descriptors(program);
      break;
    case WaitKind::events:
      found = look_at_events(program);
      break;
    case WaitKind::words:
      found = look_at_words(program);
      break;
    case WaitKind::turn:
      return Answer{};
    case WaitKind::sleep:
      break;
  }
  return found || !is_due ? found : std::optional(expire(program));
}

std::optional<Answer> HeldWait::look_at_descriptors(const Program& program) {
  std::vector<pollfd> polled;
  polled.reserve(descriptors.size());
  for (const WatchedDescriptor& each : descriptors) {
    polled.push_back({each.copy.get(), each.events, 0});
  }
  if (::poll(polled.data(), polled.size(), 0) <= 0 || (is_select(call) && !is_any_asked_for(*this, polled))) {
    return std::nullopt;
  }
  return is_select(call) ? write_sets(program, *this, polled) : write_polled(program, *this, polled);
}

std::optional<Answer> HeldWait::look_at_events(const Program& program) {
  constexpr std::uint64_t events_max = 4096;
  require(descriptors.size() == 1, "a wait for events is a wait for one epoll descriptor");
  std::vector<epoll_event> events(std::min(call.arguments[2], events_max));
  // The copy is the same open file, so that what is reported here is not reported again.
  const int count = events.empty() ? -1
                                   : ::epoll_wait(descriptors.front().copy.get(), events.data(),
                                                  static_cast<int>(events.size()), 0);
  if (count == 0) {
    return std::nullopt;
  }
  const auto bytes = static_cast<std::size_t>(std::max(count, 0)) * sizeof(epoll_event);
  if (count < 0) {
    return Answer{.error = EINVAL};
  }
  return program.write(call.arguments[1], events.data(), bytes) ? Answer{.value = count}
                                                                : Answer{.error = EFAULT};
}

std::optional<Answer> HeldWait::look_at_words(const Program& program) const {
  for (const WatchedWord& word : words) {
    const std::optional<std::uint32_t> value = program.read<std::uint32_t>(word.address);
    if (!value) {
      return Answer{.error = EFAULT};
    }
    if (*value != word.value) {
      return Answer{.error = EAGAIN};  // what the kernel says to one who comes too late to wait
    }
  }
  return std::nullopt;
}

void HeldWait::write_time_left(const Program& program, std::int64_t left_ns) const {
  const bool is_ppoll = call.number == SYS_ppoll;
  const std::uint64_t address = is_ppoll || is_select(call) ? call.arguments[is_ppoll ? 2 : 4] : 0;
  if (address == 0) {
    return;
  }
  // Where it cannot be written the kernel leaves it, too.
  if (call.number == SYS_select) {
    const timeval left{left_ns / second_ns, left_ns % second_ns / microsecond_ns};
    program.write(address, &left, sizeof left);
  } else {
    const timespec left{left_ns / second_ns, left_ns % second_ns};
    program.write(address, &left, sizeof left);
  }
}

Answer HeldWait::expire(const Program& program) const {
  if (kind == WaitKind::words) {
    return {.error = ETIMEDOUT};
  }
  if (kind != WaitKind::descriptors) {
    return {};
  }
  const std::vector<pollfd> nothing(descriptors.size());
  return is_select(call) ? write_sets(program, *this, nothing) : write_polled(program, *this, nothing);
}

}  // namespace holdfast::rest
