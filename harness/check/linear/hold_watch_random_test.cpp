// The watch against a restatement that keeps every call and looks at all pairs of them, on random histories.
// The restatement is told whose holds begin and end when by a replay of its own, the rest is definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/check/linear/hold_watch.h"
#include "harness/check/linear/model.h"
#include "harness/check/linear/test_histories.h"
#include "harness/kernel/test_volume.h"

namespace holdfast::linear {
namespace hold_watch_random_test {

struct PlainHold {
  Session session;
  Position end = never_returned;
  bool end_is_known = false;  // somebody reported it
  bool released = false;
  std::uint32_t depth = 1;
};

struct PlainGrant {
  Session session;
  bool begins = false;                         // a hold
  std::optional<std::int64_t> nested_token{};  // of the hold it is nested in
};

struct PlainWait {
  ClientNumber client = 0;
  Position invoked = 0;
  Position left = never_returned;
};

class Restatement {
 public:
  Restatement(const std::vector<CallEvent>& events, HoldWatchRules rules, std::int64_t lease_ns)
      : events_(events), rules_(rules), lease_ns_(lease_ns) {
    for (Position position = 0; position < events.size(); ++position) {
      replay(position);
    }
  }

  HoldFindings findings() const {
    HoldFindings found;
    found.grants = grants_.size();
    for (const PlainHold& hold : holds_) {
      overlap_of(hold, found);
      gap_before(hold, found);
      margin_of(hold, found);
    }
    for (const PlainGrant& grant : grants_) {
      token_of(grant, found);
      if (grant.begins) {
        overtaking_by(grant, found);
      }
    }
    return found;
  }

 private:
  // The invocation of the call that the event at the position returns from, if the client has not ended
  // since.
  std::optional<Position> invocation(Position position, bool& ended) const {
    ended = false;
    for (Position before = position; before-- > 0;) {
      if (events_[before].client == events_[position].client) {
        if (events_[before].type != CallEventType::ended) {
          return before;
        }
        ended = true;
      }
    }
    return std::nullopt;
  }

  std::vector<PlainHold*> open_holds() {
    std::vector<PlainHold*> open;
    for (PlainHold& hold : holds_) {
      if (hold.end == never_returned) {
        open.push_back(&hold);
      }
    }
    return open;
  }

  std::vector<PlainHold*> open_holds_of(ClientNumber client) {
    std::vector<PlainHold*> open = open_holds();
    std::erase_if(open, [&](const PlainHold* hold) { return hold->session.client != client; });
    return open;
  }

  // Acquires of the client with unknown outcome, less the releases that were taken to be for them.
  std::uint64_t& perhaps_of(ClientNumber client) {
    perhaps_.resize(std::max<std::size_t>(perhaps_.size(), client + 1));
    return perhaps_[client];
  }

  void replay(Position position) {
    const CallEvent& event = events_[position];
    if (event.type == CallEventType::ended) {
      for (PlainHold* hold : open_holds_of(event.client)) {
        hold->end = position;
        hold->end_is_known = true;
      }
      perhaps_of(event.client) = 0;
      leave(event.client, position);
    } else if (event.type == CallEventType::invoke) {
      if (event.action == Action::acquire) {
        waits_.push_back({event.client, position});
      } else if (event.action == Action::release) {
        replay_release(position);
      }
    } else if (is_acquire(event.action)) {
      bool ended = false;
      const std::optional<Position> invoked = invocation(position, ended);
      if (event.type == CallEventType::ok && !event.refused) {
        replay_grant(*invoked, position, ended);
      } else if (event.type == CallEventType::info && !ended) {
        ++perhaps_of(event.client);
      }
      leave(event.client, position);
    }
  }

  void leave(ClientNumber client, Position position) {
    for (PlainWait& wait : waits_) {
      if (wait.client == client && wait.left == never_returned) {
        wait.left = position;
      }
    }
  }

  void replay_release(Position position) {
    const ClientNumber client = events_[position].client;
    std::vector<PlainHold*> holds = open_holds_of(client);
    if (holds.empty() && rules_.ownerless) {
      if (perhaps_of(client) > 0) {
        --perhaps_of(client);
        return;
      }
      holds = open_holds();
    }
    if (!holds.empty() && --holds.front()->depth == 0) {
      holds.front()->end = position;
      holds.front()->end_is_known = true;
      holds.front()->released = true;
    }
  }

  void replay_grant(Position invoked, Position returned, bool ended) {
    const CallEvent& asked = events_[invoked];
    const CallEvent& got = events_[returned];
    const Session session{asked.client, asked.mode, got.token,  invoked, returned,
                          asked.line,   got.line,   asked.time, got.time};
    const std::vector<PlainHold*> own = open_holds_of(asked.client);
    if (ended) {
      grants_.push_back({session});
    } else if (!own.empty() && !rules_.counted && nests(own.front()->session, session)) {
      ++own.front()->depth;
      grants_.push_back({session, false, own.front()->session.token});
    } else {
      if (!own.empty() && !rules_.counted) {
        own.front()->end = returned;
      }
      grants_.push_back({session, true});
      holds_.push_back({session});
    }
  }

  bool nests(const Session& outer, const Session& inner) const {
    return rules_.reentrant || !may_not_coexist(outer, inner);
  }
  bool may_not_coexist(const Session& one, const Session& other) const {
    return !rules_.shared || one.mode == Mode::exclusive || other.mode == Mode::exclusive;
  }

  // Granted before the position, and neither ended before nor there.
  std::vector<const PlainHold*> open_at(Position position) const {
    std::vector<const PlainHold*> open;
    for (const PlainHold& hold : holds_) {
      if (hold.session.granted < position && hold.end > position) {
        open.push_back(&hold);
      }
    }
    return open;
  }

  std::vector<const PlainHold*> in_the_way_of(const PlainHold& hold) const {
    std::vector<const PlainHold*> others = open_at(hold.session.granted);
    std::erase_if(others,
                  [&](const PlainHold* other) { return !may_not_coexist(other->session, hold.session); });
    return others;
  }

  void overlap_of(const PlainHold& hold, HoldFindings& found) const {
    const std::vector<const PlainHold*> others = in_the_way_of(hold);
    if (others.size() < rules_.permits) {
      return;
    }
    Overlap overlap;
    Position end = hold.end;
    for (std::size_t index = 0; index < rules_.permits; ++index) {
      overlap.sessions.push_back(others[index]->session);
      end = std::min(end, others[index]->end);
    }
    overlap.sessions.push_back(hold.session);
    overlap.from = hold.session.grant_time;
    overlap.from_line = hold.session.grant_line;
    if (end != never_returned) {
      overlap.to = events_[end].time;
      overlap.to_line = events_[end].line;
    }
    if (overlap.from != no_time && overlap.to != no_time) {
      found.longest_overlap_ns = std::max(found.longest_overlap_ns, overlap.to - overlap.from);
    }
    ++found.overlaps;
    if (!found.first_overlap) {
      found.first_overlap = overlap;
    }
  }

  void gap_before(const PlainHold& hold, HoldFindings& found) const {
    const std::size_t others = in_the_way_of(hold).size();
    const bool shared = rules_.shared && hold.session.mode == Mode::shared;
    if (others >= rules_.permits || (!shared && others + 1 < rules_.permits)) {
      return;
    }
    const PlainHold* last = nullptr;
    for (const PlainHold& before : holds_) {
      if (before.end_is_known && before.end < hold.session.granted &&
          before.session.client != hold.session.client && may_not_coexist(before.session, hold.session) &&
          open_at_or_ended_at(before.end) >= rules_.permits && (last == nullptr || before.end > last->end)) {
        last = &before;
      }
    }
    if (last == nullptr || events_[last->end].time == no_time || hold.session.grant_time == no_time) {
      return;
    }
    const std::int64_t gap = hold.session.grant_time - events_[last->end].time;
    if (!found.smallest_gap || gap < found.smallest_gap->nanoseconds) {
      found.smallest_gap = Gap{gap, last->session.client, hold.session.client, events_[last->end].line,
                               hold.session.grant_line};
    }
  }

  std::size_t open_at_or_ended_at(Position position) const {
    return static_cast<std::size_t>(std::ranges::count_if(holds_, [&](const PlainHold& hold) {
      return hold.session.granted < position && hold.end >= position;
    }));
  }

  // Holds are looked at in the order of their grants, the first that ended counts among equals.
  void margin_of(const PlainHold& hold, HoldFindings& found) const {
    if (!hold.released || hold.session.acquire_time == no_time || events_[hold.end].time == no_time) {
      return;
    }
    const std::int64_t margin = lease_ns_ - (events_[hold.end].time - hold.session.acquire_time);
    auto& least = found.smallest_lease_margin;
    const std::uint64_t line = events_[hold.end].line;
    if (!least || margin < least->nanoseconds ||
        (margin == least->nanoseconds && line < least->release_line)) {
      least = LeaseMargin{margin, hold.session, line};
    }
  }

  void token_of(const PlainGrant& grant, HoldFindings& found) const {
    const Session& session = grant.session;
    if (!session.token || grant.nested_token == session.token) {
      return;
    }
    const Session* before = nullptr;
    const Session* greatest = nullptr;
    for (const PlainGrant& other : grants_) {
      if (!other.session.token || other.session.granted >= session.granted) {
        continue;
      }
      if (greatest == nullptr || *other.session.token > *greatest->token) {
        greatest = &other.session;
      }
      if (other.session.granted < session.acquire_invoked &&
          (before == nullptr || *other.session.token > *before->token)) {
        before = &other.session;
      }
    }
    const bool shared = rules_.shared && session.mode == Mode::shared;
    const Session* earlier = nullptr;
    if (!shared) {
      for (const PlainHold& hold : holds_) {
        const bool open = hold.session.granted < session.granted && hold.end >= session.granted;
        if (earlier == nullptr && open && hold.session.token == session.token) {
          earlier = &hold.session;
        }
      }
    }
    if (!shared && greatest != nullptr && greatest->token == session.token) {
      earlier = greatest;
    }
    if (before != nullptr && *session.token < *before->token + (shared ? 0 : 1)) {
      earlier = before;
    }
    if (earlier != nullptr) {
      ++found.token_faults;
      if (!found.first_token_fault) {
        found.first_token_fault = TokenFault{*earlier, session};
      }
    }
  }

  void overtaking_by(const PlainGrant& grant, HoldFindings& found) const {
    bool any = false;
    for (const PlainWait& wait : waits_) {
      if (!was_passed(wait, grant)) {
        continue;
      }
      any = true;
      const auto times = static_cast<std::uint64_t>(std::ranges::count_if(
          grants_, [&](const PlainGrant& each) { return each.begins && was_passed(wait, each); }));
      found.most_overtaken = std::max(found.most_overtaken, times);
    }
    found.overtakings += any ? 1 : 0;
  }
  static bool was_passed(const PlainWait& wait, const PlainGrant& grant) {
    return wait.invoked < grant.session.acquire_invoked && wait.left > grant.session.granted;
  }

  const std::vector<CallEvent>& events_;
  HoldWatchRules rules_;
  std::int64_t lease_ns_;
  std::vector<PlainHold> holds_;
  std::vector<PlainGrant> grants_;
  std::vector<PlainWait> waits_;
  std::vector<std::uint64_t> perhaps_;
};

std::string in_words(const Session& session) {
  return std::to_string(session.client) + (session.mode == Mode::shared ? "s" : "x") + "@" +
         std::to_string(session.acquire_invoked) + "-" + std::to_string(session.granted) + "/" +
         std::to_string(session.acquire_time) + "-" + std::to_string(session.grant_time) + "/" +
         std::to_string(session.acquire_line) + "-" + std::to_string(session.grant_line) + "#" +
         (session.token ? std::to_string(*session.token) : "nil");
}

std::string in_words(const HoldFindings& found) {
  const auto number = [](auto value) { return " " + std::to_string(value); };
  std::string words = "grants" + number(found.grants) + "\noverlaps" + number(found.overlaps) + " longest" +
                      number(found.longest_overlap_ns);
  if (found.first_overlap) {
    const Overlap& overlap = *found.first_overlap;
    for (const Session& session : overlap.sessions) {
      words += " " + in_words(session);
    }
    words += number(overlap.from) + number(overlap.to) + number(overlap.from_line) + number(overlap.to_line);
  }
  words += "\ntoken faults" + number(found.token_faults);
  if (found.first_token_fault) {
    words +=
        " " + in_words(found.first_token_fault->earlier) + " " + in_words(found.first_token_fault->later);
  }
  if (found.smallest_gap) {
    const Gap& gap = *found.smallest_gap;
    words += "\ngap" + number(gap.nanoseconds) + number(gap.from_client) + number(gap.to_client) +
             number(gap.from_line) + number(gap.to_line);
  }
  if (found.smallest_lease_margin) {
    const LeaseMargin& margin = *found.smallest_lease_margin;
    words += "\nmargin" + number(margin.nanoseconds) + " " + in_words(margin.session) +
             number(margin.release_line);
  }
  return words + "\novertakings" + number(found.overtakings) + number(found.most_overtaken) + "\n";
}

std::string in_words(const std::vector<CallEvent>& events) {
  const char* const types[] = {"invoke", "ok", "fail", "info", "ended"};
  std::string words;
  for (const CallEvent& event : events) {
    words += std::to_string(event.line - 1) + ": " + std::to_string(event.client) + " " +
             types[static_cast<int>(event.type)] + " " + std::string(to_text(event.action)) +
             (event.mode == Mode::shared ? " shared" : "") + (event.refused ? " refused" : "") +
             (event.token ? " token " + std::to_string(*event.token) : "") +
             (event.time == no_time ? "" : " at " + std::to_string(event.time)) + "\n";
  }
  return words;
}

// Lines, and times that differ by one to seven; of some histories some are missing.
void stamp(std::vector<CallEvent>& events, std::uint64_t seed) {
  std::int64_t time = 0;
  for (std::uint64_t index = 0; index < events.size(); ++index) {
    const std::uint64_t random = mix(seed * 1000 + index);
    time += static_cast<std::int64_t>(1 + random % 7);
    events[index].line = index + 1;
    events[index].time = seed % 4 == 0 && random / 7 % 4 == 0 ? no_time : time;
  }
}

class HoldWatchAtRandom : public ::testing::TestWithParam<std::string> {};

TEST_P(HoldWatchAtRandom, FindsWhatARestatementFinds) {
  const std::uint64_t histories = how_many({.usual = 5'000, .thorough = 20'000, .sanitized = 2'000});
  const AnyModel model = model_called(GetParam());
  const HoldWatchRules rules = hold_watch_rules(model);
  std::uint64_t with_overlap = 0;
  std::uint64_t with_fault = 0;
  std::uint64_t with_gap = 0;
  std::uint64_t with_overtaking = 0;
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    const GenerateOptions longer{.clients_min = 2, .clients_max = 7, .calls_min = 10, .calls_max = 40};
    std::vector<CallEvent> events = generate_history(model, seed % 2 == 0 ? GenerateOptions{} : longer, seed);
    stamp(events, seed);
    constexpr std::int64_t lease_ns = 20;
    HoldWatch watch(rules, lease_ns);
    for (Position position = 0; position < events.size(); ++position) {
      watch.observe(events[position], position);
    }
    watch.finish();
    const HoldFindings& found = watch.findings();
    ASSERT_EQ(in_words(found), in_words(Restatement(events, rules, lease_ns).findings()))
        << "seed " << seed << "\n"
        << in_words(events);
    with_overlap += found.overlaps > 0 ? 1 : 0;
    with_fault += found.token_faults > 0 ? 1 : 0;
    with_gap += found.smallest_gap ? 1 : 0;
    with_overtaking += found.overtakings > 0 ? 1 : 0;
  }
  // Or else the agreement says nothing.
  EXPECT_GT(with_overlap, histories / 50);
  EXPECT_GT(with_fault, histories / 50);
  EXPECT_GT(with_gap, histories / 20);
  EXPECT_GT(with_overtaking, histories / 20);
}

INSTANTIATE_TEST_SUITE_P(Models, HoldWatchAtRandom,
                         ::testing::Values("mutex", "owner-mutex", "reentrant-mutex", "fenced-mutex",
                                           "reentrant-fenced-mutex", "fifo-mutex", "rw-lock", "semaphore:1",
                                           "semaphore:2", "semaphore:3"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace hold_watch_random_test
}  // namespace holdfast::linear
