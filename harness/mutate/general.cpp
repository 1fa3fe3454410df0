#include "harness/mutate/general.h"

#include <string_view>

namespace holdfast {
namespace {

struct GeneralOperator {
  GeneralWrong wrong;
  std::string_view id;
  std::string_view sentence;
  std::string_view equivalent_if;
  std::string_view unexercised;
  bool (*applies)(const LockEntry& lock, const Heard& heard);
};

bool has_servers(const LockEntry& lock) {
  return lock.needs.servers > 0;
}

constexpr GeneralOperator operators[] = {
    {GeneralWrong::thread_left_out, "process-for-thread", "every thread of a process is taken for its first",
     "no two threads of a process use the lock, or it is told apart otherwise", "two threads of one process",
     [](const LockEntry&, const Heard& heard) { return heard.thread; }},
    {GeneralWrong::process_left_out, "process-left-out", "all processes have the same name",
     "names are not compared", "two processes that only their name tells apart",
     [](const LockEntry&, const Heard& heard) { return heard.process_name; }},
    {GeneralWrong::restart_unnoticed, "restart-unnoticed",
     "a process that was restarted has the name that it had before",
     "who comes back finds nothing of what it was before, or may have it",
     "a process that comes back while its earlier self still holds the lock",
     [](const LockEntry&, const Heard& heard) { return heard.process_name; }},
    {GeneralWrong::old_id, "old-id", "a thread tries again with the id of its first attempt",
     "ids are only compared with those of others",
     "a request of an earlier attempt that arrives, or counts, in a later one",
     [](const LockEntry&, const Heard& heard) { return heard.unique_id; }},
    {GeneralWrong::same_id_for_all, "same-id-for-all", "every attempt of every client has the same id",
     "ids are not compared", "two clients that only their id tells apart",
     [](const LockEntry&, const Heard& heard) { return heard.unique_id; }},
    {GeneralWrong::wall_for_monotonic, "wall-for-monotonic",
     "the wall clock is read instead of the monotonic one",
     "only differences count, and the clock does not jump",
     "a clock that jumps while the lock measures a time",
     [](const LockEntry&, const Heard& heard) { return heard.monotonic; }},
    {GeneralWrong::monotonic_for_wall, "monotonic-for-wall",
     "the monotonic clock is read instead of the wall clock", "only differences within a process count",
     "two processes that compare what their clocks show",
     [](const LockEntry&, const Heard& heard) { return heard.wall; }},
    {GeneralWrong::clock_before_call, "clock-before-call",
     "the clock is read before a call instead of after it", "what the call takes makes no difference",
     "a call that takes long, and a reading behind it that decides",
     [](const LockEntry&, const Heard& heard) { return heard.clock_after_call; }},
    {GeneralWrong::release_left_out, "release-left-out", "a release does nothing, and says that it is done",
     "nobody waits for the lock", "another that waits for the lock",
     [](const LockEntry&, const Heard& heard) { return heard.releases; }},
    {GeneralWrong::release_twice, "release-twice", "each release is done twice",
     "the second finds that the lock is not held, and does nothing",
     "another that takes the lock between two releases, or holds that are counted",
     [](const LockEntry&, const Heard& heard) { return heard.releases; }},
    {GeneralWrong::release_by_neighbour, "release-by-neighbour",
     "a release is done in the name of the process's next thread", "threads are not told apart",
     "a release that only its owner may do",
     [](const LockEntry& lock, const Heard& heard) { return heard.thread && lock.kind != LockKind::latch; }},
    {GeneralWrong::unknown_is_granted, "unknown-is-granted",
     "an acquire whose outcome is unknown is taken for granted", "it never is unknown",
     "an acquire that gets no answer while another holds the lock",
     [](const LockEntry& lock, const Heard&) { return has_servers(lock); }},
    {GeneralWrong::refusal_is_granted, "refusal-is-granted",
     "an acquire that was refused is taken for granted", "it never is refused", "an acquire that is refused",
     [](const LockEntry&, const Heard& heard) { return heard.refused; }},
    {GeneralWrong::patience_ignored, "patience-ignored", "an attempt never gives up waiting",
     "it is always granted in time", "an attempt that gives up",
     [](const LockEntry&, const Heard& heard) { return heard.patience; }},
    {GeneralWrong::shared_for_exclusive, "shared-for-exclusive",
     "whoever asks for the exclusive lock gets the shared one", "nobody shares it", "a writer beside another",
     [](const LockEntry& lock, const Heard&) { return lock.kind == LockKind::read_write; }},
    {GeneralWrong::token_before_grant, "token-before-grant", "the token is the one from before the grant",
     "tokens of two holders still differ", "a holder whose token is compared with that of the one before",
     [](const LockEntry&, const Heard& heard) { return heard.token; }},
    {GeneralWrong::token_kept, "token-kept", "a process has the token of its first grant for ever",
     "each process takes the lock once", "a process that takes the lock again after another had it",
     [](const LockEntry&, const Heard& heard) { return heard.token; }},
};

}  // namespace

std::vector<std::unique_ptr<Mutation>> general_mutations(
    const LockEntry& lock, const Heard& heard, const std::shared_ptr<const StoreChange>& no_change) {
  std::vector<std::unique_ptr<Mutation>> all;
  for (const GeneralOperator& each : operators) {
    if (each.applies(lock, heard)) {
      all.push_back(std::make_unique<Mutation>(
          MutationWords{std::string(each.id), std::string(each.sentence), std::string(each.equivalent_if),
                        std::string(each.unexercised)},
          each.wrong, each.wrong == GeneralWrong::clock_before_call ? no_change : nullptr));
    }
  }
  return all;
}

}  // namespace holdfast
