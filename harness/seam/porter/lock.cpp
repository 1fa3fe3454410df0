// porter-lock: a named lock of a porter, held as long as the connection.
//
// Origin: GET_LOCK of MySQL and advisory locks of PostgreSQL. Idea: the server queues whoever asks and
// answers in turn; a connection that ends releases what it held, so a crash costs nothing. Gets wrong: a
// holder that is not heard of for too long loses its lock without knowing, as with any lease; its token tells
// storage, but a standby that had not heard of it grants it once more.
#include <array>
#include <memory>
#include <utility>

#include "harness/seam/porter/client.h"
#include "locks/catalog.h"
#include "locks/mutants/mutant.h"

namespace holdfast {
namespace porter {
namespace {

class PorterLock final : public Lock {
 public:
  using Lock::Lock;

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    const Duration deadline = me.env.monotonic() + request.patience.value_or(never - me.env.monotonic());
    while (true) {
      const Answer answer = co_await me.stores.get<Client>(0).ask("lock", settings().key);
      if (answer.word == "granted") {
        co_return Acquired::granted(answer.token);
      }
      if (!answer.failed()) {
        co_return Acquired::unknown(answer);
      }
      // Without an answer the connection is gone, and so is whatever it was granted: ask again.
      if (me.env.monotonic() >= deadline) {
        co_return Acquired::busy("gave up waiting");
      }
    }
  }

  Task<Released> release(Caller& me, LockMode) override {
    const Answer answer = co_await me.stores.get<Client>(0).ask("unlock", settings().key);
    if (answer.failed()) {
      co_return Released::unknown(answer);
    }
    co_return answer.word == "released" ? Released::done() : Released::refused(answer.word);
  }
};

std::unique_ptr<Lock> make_porter_lock(LockSettings settings) {
  return std::make_unique<PorterLock>(std::move(settings));
}

constexpr std::array entries{LockEntry{
    .id = "porter-lock",
    .summary = "a named lock that is held as long as the connection",
    .source = "beyond the sources",
    .features = {.blocking = true, .timed = true, .woken = true, .owner_checked = true, .token = true},
    .needs = {.store = Client::store_id, .servers = 1},
    .ttl = 10s,
    .make = make_porter_lock}};

}  // namespace
}  // namespace porter

std::span<const LockFamily> porter_families() {
  static constexpr std::array families{LockFamily{"porter", porter::entries}};
  return families;
}

std::vector<MutantEntry> porter_mutants() {
  return {};
}

}  // namespace holdfast
