// Mutants of redlock: one of its decisions, changed.
//
// mutant-redlock-half: the quorum is servers / 2, so that two of five are enough. The usual off-by-one. Shows
//   when clients share the servers out among them, which takes no fault but messages that cross.
// mutant-redlock-silence-counts: whatever is not a refusal counts as a grant, also no answer. Seen as a check
//   for nil. Shows when a client is cut off: a minority, even nobody, makes a majority.
// mutant-redlock-no-validity: does not ask how long locking took. Shows when the client stands still between
//   the first server and the last: the first keys have expired when it believes in them.
// mutant-redlock-keeps-minority: a failed attempt leaves what it got. Shows when nobody gets a majority: the
//   servers are blocked for a lease.
// mutant-redlock-releases-granted-only: a failed attempt gives back only where it was told that it was
// granted,
//   though a server whose answer was lost has the key too. Shows when answers are lost.
// mutant-redlock-shared-value: all clients write the same value, so that a failed attempt gives back what
//   another holds. Shows without any fault.
#include "locks/redis/redlock.h"

#include "locks/redis/client.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/unlock.h"

namespace holdfast::mutants {
namespace {

class Half final : public Redlock {
 public:
  using Redlock::Redlock;

 protected:
  std::size_t quorum(std::size_t servers) const override { return servers / 2; }
};

class SilenceCounts final : public Redlock {
 public:
  using Redlock::Redlock;

 protected:
  bool is_grant(const redis::Answer& answer) const override { return !answer.is_nil(); }
};

class NoValidity final : public Redlock {
 public:
  using Redlock::Redlock;

 protected:
  bool is_valid(Duration) const override { return true; }
};

class KeepsMinority final : public Redlock {
 public:
  using Redlock::Redlock;

 protected:
  Task<> give_back(Caller&, Grants) override { co_return; }
};

class ReleasesGrantedOnly final : public Redlock {
 public:
  using Redlock::Redlock;

 protected:
  Task<> give_back(Caller& me, Grants grants) override {
    for (std::size_t server = 0; server < grants.size(); ++server) {
      if (grants[server]) {
        co_await redis::client(me, server)
            .execute_within(
                redis::make_command("EVAL", compare_and_delete_script, 1, settings().key, request_id(me)),
                server_timeout());
      }
    }
  }
};

class SharedValue final : public Redlock {
 public:
  using Redlock::Redlock;

 protected:
  const std::string& request_id(const Caller&) const override { return everybodys_; }

 private:
  const std::string everybodys_ = "locked";
};

template <typename Mutant>
std::unique_ptr<Lock> make_redlock_mutant(LockSettings settings) {
  return std::make_unique<Mutant>(std::move(settings));
}

// Pauses longer than the lease strike only while locking, before the time is looked at.
MutantScope all_but_long_pauses() {
  MutantScope scope;
  scope.menu = {pause_for(200),
                pause_at("SET", 1100),
                crash(),
                lost_reply(),
                delay_of("SET", of_lease(1500)),
                delay_of("EVAL", of_lease(1500)),
                cut_for(of_lease(200), "both")};
  return scope;
}

// Nobody dies and nothing that frees the lock is lost, so nobody has to wait for a lease to end.
MutantScope nothing_left_behind() {
  MutantScope scope;
  scope.menu = {pause_for(100), cut_for({500ms, 0}, "from")};
  scope.entitled = Letter::safe;
  return scope;
}

template <typename Mutant>
MutantEntry redlock_entry(std::string_view id, std::string_view bug, MutantScope scope) {
  return make_entry(id, "redlock", bug, make_redlock_mutant<Mutant>, std::move(scope));
}

}  // namespace

std::vector<MutantEntry> redlock() {
  return {
      redlock_entry<Half>("mutant-redlock-half", "two of five servers are enough", all_but_long_pauses()),
      redlock_entry<SilenceCounts>("mutant-redlock-silence-counts",
                                   "a server that does not answer has granted", all_but_long_pauses()),
      redlock_entry<NoValidity>("mutant-redlock-no-validity", "does not ask how long locking took",
                                all_but_long_pauses()),
      redlock_entry<KeepsMinority>("mutant-redlock-keeps-minority", "a failed attempt gives nothing back",
                                   nothing_left_behind()),
      redlock_entry<ReleasesGrantedOnly>("mutant-redlock-releases-granted-only",
                                         "a failed attempt gives back only what it knows it got",
                                         nothing_left_behind()),
      redlock_entry<SharedValue>("mutant-redlock-shared-value", "all clients write the same value",
                                 all_but_long_pauses()),
  };
}

}  // namespace holdfast::mutants
