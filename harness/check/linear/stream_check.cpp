#include "harness/check/linear/stream_check.h"

#include <deque>
#include <limits>
#include <type_traits>
#include <utility>

#include "harness/check/linear/world_steps.h"

namespace holdfast::linear {
namespace {

// Of calls that may still return though their client has ended, so many are waited for.
constexpr std::size_t most_ended_calls = 16;

template <class Model>
class Stream final : public StreamCheck {
 public:
  Stream(const Model& model, Reading reading)
      : model_(model), reading_(reading), without_refusals_(make_fast_check(model, reading)) {
    worlds_.push_back({model_.initial(), {}, {}, {}, {}});
    for (std::uint32_t slot = most_open_calls; slot > 0; --slot) {
      free_slots_.push_back(slot - 1);
    }
  }

  void observe(const CallEvent& event, Position position) override {
    if (verdict_.answer != FastAnswer::linearizable) {
      return;
    }
    show_without_refusal(event, position);
    if (worlds_.empty()) {
      return;  // by now only that can tell
    }
    if (event.client >= clients_.size()) {
      clients_.resize(event.client + 1);
    }
    Client& client = clients_[event.client];
    switch (event.type) {
      case CallEventType::invoke:
        invoke(client, event, position);
        break;
      case CallEventType::ended:
        end(client, event);
        break;
      default:
        if (client.is_open) {
          finish(client, event);
        } else {
          lose_track();  // it was given up
        }
    }
    if (worlds_.empty() && verdict_.answer == FastAnswer::linearizable && !gave_up_) {
      judge(event, position);
    }
  }

  const FastVerdict& verdict() const override {
    return verdict_.answer == FastAnswer::linearizable && gave_up_ ? gave_up_verdict_ : verdict_;
  }

 private:
  using AWorld = World<Model>;
  static constexpr bool has_owners = Model::looks_at.client;

  struct Client {
    bool is_open = false;
    bool ended = false;
    std::uint32_t slot = 0;
    // As in pairs.h: what it may hold, to be let go when it ends.
    std::uint32_t granted = 0;
    std::uint32_t perhaps = 0;
    std::uint32_t unknown = 0;  // acquires, since it ended last
    std::int64_t deaths = 0;
  };

  // A call that was refused changed nothing: without it, what is violated was violated before.
  void show_without_refusal(CallEvent event, Position position) {
    if (event.type == CallEventType::ok && event.refused) {
      event.type = CallEventType::fail;
    }
    without_refusals_->observe(event, position);
    if (without_refusals_->verdict().answer == FastAnswer::violated) {
      verdict_ = without_refusals_->verdict();
    }
  }

  void invoke(Client& client, const CallEvent& event, Position position) {
    if (client.is_open) {
      become_unknown(client);  // its client ended
    }
    if (free_slots_.empty()) {
      lose_track();
      return;
    }
    client.is_open = true;
    client.ended = false;
    client.slot = free_slots_.back();
    free_slots_.pop_back();
    calls_.open.push_back(client.slot);
    Call& call = calls_.in_slot[client.slot];
    call = Call{};
    call.action = event.action;
    call.mode = event.mode;
    call.outcome = Outcome::ok;
    call.client = event.client;
    call.invoked = position;
    if (!has_owners && is_acquire(event.action)) {
      call.conditional = true;  // if its client ends, what it took may be let go
      call.value = client.deaths;
    }
    for (AWorld& world : worlds_) {
      steps_.note_refusable(world, client.slot);
    }
  }

  void finish(Client& client, const CallEvent& event) {
    CallEventType type = event.type;
    if (event.action == Action::release && type == CallEventType::fail &&
        reading_.failed == ReleaseReading::perhaps) {
      type = CallEventType::info;
    } else if (event.action == Action::release && type == CallEventType::info &&
               reading_.unknown == ReleaseReading::nothing) {
      type = CallEventType::fail;
    }
    if (type == CallEventType::info) {
      become_unknown(client);
      return;
    }
    Call answered = calls_.in_slot[client.slot];
    answered.token = event.token;
    answered.conditional = answered.conditional && client.ended;
    std::swap(before_, worlds_);
    worlds_.clear();
    for (AWorld& world : before_) {
      if (type == CallEventType::fail || event.refused) {
        keep_without(world, client.slot, type == CallEventType::fail);
      } else if (!world.done[client.slot]) {
        steps_.happen(world, client.slot, answered, worlds_);
      } else if (auto state = steps_.told(world.state, answered)) {
        world.state = std::move(*state);
        worlds_.push_back(std::move(world));
      }
    }
    if (type == CallEventType::ok && !event.refused) {
      count(client, answered, true);
    }
    close(client);
  }

  // The call did not happen; if nothing was learned from that, there need not be a reason.
  void keep_without(AWorld& world, std::uint32_t slot, bool nothing_was_learned) {
    if (world.done[slot]) {
      return;
    }
    if (nothing_was_learned || world.refusable[slot]) {
      worlds_.push_back(std::move(world));
    } else {
      steps_.be_refused(world, slot, worlds_);
    }
  }

  void become_unknown(Client& client) {
    Call call = calls_.in_slot[client.slot];
    call.outcome = Outcome::info;
    const bool is_let_go_already = call.conditional && client.ended;
    std::swap(before_, worlds_);
    worlds_.clear();
    const std::size_t place = place_of(call);
    for (AWorld& world : before_) {
      if (!world.done[client.slot]) {
        give(world, place, 1);
      } else if (auto state = steps_.told(world.state, call)) {
        world.state = std::move(*state);
      } else {
        continue;
      }
      worlds_.push_back(std::move(world));
    }
    if (!is_let_go_already) {
      count(client, call, false);
    }
    close(client);
  }

  void count(Client& client, const Call& call, bool known) {
    if (call.action != Action::release) {
      ++(known ? client.granted : client.perhaps);
      client.unknown += known ? 0 : 1;
      return;
    }
    if (!has_owners && client.granted == 0 && client.perhaps > 0) {
      --client.perhaps;
    }
    client.granted -= client.granted > 0 ? 1 : 0;
  }

  void close(Client& client) {
    for (AWorld& world : worlds_) {
      world.done.reset(client.slot);
      world.refusable.reset(client.slot);
      for (auto& passable : world.passable) {
        passable.reset(client.slot);
      }
    }
    std::erase(calls_.open, client.slot);
    free_slots_.push_back(client.slot);
    client.is_open = false;
    steps_.prune(worlds_);
  }

  void end(Client& client, const CallEvent& event) {
    const bool acquiring = client.is_open && !client.ended && is_acquire(calls_.in_slot[client.slot].action);
    if (client.is_open && !client.ended) {
      client.ended = true;
      ended_.push_back({event.client, calls_.in_slot[client.slot].invoked});
    }
    Call release;
    release.action = Action::release;
    release.client = event.client;
    const std::uint32_t perhaps = client.perhaps + (acquiring ? 1 : 0);
    let_go(release, client.granted + (has_owners ? perhaps : 0));
    if constexpr (!has_owners) {
      release.conditional = true;
      release.value = client.deaths;
      if (!acquiring && client.unknown > 0) {
        become_nobodys(release, perhaps);
      }
      if (perhaps > 0) {
        steps_.drop_something();  // it matters whose hold a release ended, and not all of that is followed
      }
      let_go(release, perhaps);
    }
    ++client.deaths;
    client.unknown = 0;
    client.granted = 0;
    client.perhaps = 0;
    while (ended_.size() > most_ended_calls) {
      const Ended oldest = ended_.front();
      ended_.pop_front();
      Client& gone = clients_[oldest.client];
      if (gone.is_open && gone.ended && calls_.in_slot[gone.slot].invoked == oldest.invoked) {
        become_unknown(gone);
      }
    }
  }

  // Without owners, what the dead have asked for is alike as far as it may be let go: whose it was tells
  // nothing any more. What may not be let go any more is given up.
  void become_nobodys(Call& release, std::uint32_t perhaps)
    requires(!has_owners)
  {
    Call theirs = release;
    theirs.action = Action::acquire;
    Call nobodys = theirs;
    nobodys.client = std::numeric_limits<ClientNumber>::max();
    nobodys.value = 0;
    const std::size_t from = place_of(theirs);
    const std::size_t to = place_of(nobodys);
    for (AWorld& world : worlds_) {
      ConditionalHolds& holds = world.state.conditional;
      while (holds.count(theirs) > perhaps) {
        holds.forget(theirs);
        steps_.drop_something();
      }
      const std::size_t most = perhaps - holds.count(theirs);
      const std::size_t left = std::exchange(world.left[from], std::uint8_t{0});
      if (left > most) {
        steps_.drop_something();
      }
      give(world, to, static_cast<std::uint32_t>(std::min(left, most)));
      holds.hand_over(theirs, nobodys);
    }
    calls_.last[from] = 0;
    release.client = nobodys.client;
    release.value = nobodys.value;
  }

  void let_go(const Call& release, std::uint32_t count) {
    if (count == 0) {
      return;
    }
    const std::size_t place = place_of(release);
    for (AWorld& world : worlds_) {
      give(world, place, count);
    }
  }

  void give(AWorld& world, std::size_t place, std::uint32_t count) {
    const std::uint32_t all = world.left[place] + count;
    if (all > most_of_a_kind) {
      steps_.drop_something();
    }
    world.left[place] = static_cast<std::uint8_t>(std::min<std::uint32_t>(all, most_of_a_kind));
  }

  // Where calls like this are counted. Only a client's own calls are alike, but for releases by anybody.
  std::size_t place_of(const Call& call) {
    ++now_;
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (calls_.last[place] != 0 && is_alike(calls_.unknown[place], call)) {
        calls_.last[place] = now_;
        return place;
      }
    }
    const std::size_t place = free_place();
    calls_.unknown[place] = call;
    calls_.unknown[place].outcome = Outcome::info;
    calls_.last[place] = now_;
    return place;
  }

  static bool is_alike(const Call& one, const Call& other) {
    const bool acquires = is_acquire(one.action);
    const bool anybodys = !has_owners && !acquires && !one.conditional;
    return acquires == is_acquire(other.action) && one.conditional == other.conditional &&
           (anybodys || (one.client == other.client && one.value == other.value)) &&
           (!acquires || !Model::looks_at.mode || one.mode == other.mode) &&
           (!acquires || !Model::looks_at.invocation || one.invoked == other.invoked);
  }

  // If none is free, the one that was longest not heard of is given up.
  std::size_t free_place() {
    std::size_t oldest = 0;
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (!can_matter(place)) {
        calls_.last[place] = 0;
      }
      oldest = calls_.last[place] < calls_.last[oldest] ? place : oldest;
    }
    if (calls_.last[oldest] != 0) {
      steps_.drop_something();
    }
    for (std::vector<AWorld>* worlds : {&worlds_, &before_}) {
      for (AWorld& world : *worlds) {
        world.left[oldest] = 0;
      }
    }
    return oldest;
  }

  bool can_matter(std::size_t place) const {
    const auto matters = [&](const AWorld& world) {
      if constexpr (Model::looks_at.invocation) {
        const Call& call = calls_.unknown[place];
        if (is_acquire(call.action) && call.invoked < world.state.not_before) {
          return false;
        }
      }
      return world.left[place] > 0;
    };
    return std::ranges::any_of(worlds_, matters) || std::ranges::any_of(before_, matters);
  }

  void judge(const CallEvent& event, Position position) {
    if (steps_.is_incomplete()) {
      lose_track();
      return;
    }
    verdict_.answer = FastAnswer::violated;
    verdict_.cause = event.type == CallEventType::ok && event.refused && is_acquire(event.action)
                         ? FastCause::refused_though_free
                         : FastCause::unexplained;
    verdict_.client = event.client;
    verdict_.line = event.line;
    verdict_.position = position;
    verdict_.time = event.time;
  }

  void lose_track() {
    gave_up_ = true;
    gave_up_verdict_.answer = FastAnswer::search;
    worlds_.clear();
  }

  struct Ended {
    ClientNumber client = 0;
    Position invoked = 0;
  };

  Model model_;
  Reading reading_;
  std::unique_ptr<FastCheck> without_refusals_;
  WorldCalls calls_;
  WorldSteps<Model> steps_{model_, calls_};
  std::vector<AWorld> worlds_;
  std::vector<AWorld> before_;  // the event at hand
  std::vector<Client> clients_;
  std::vector<std::uint32_t> free_slots_;
  std::deque<Ended> ended_;  // calls of clients that ended while they were open, the oldest first
  std::uint64_t now_ = 0;
  FastVerdict verdict_;
  bool gave_up_ = false;
  FastVerdict gave_up_verdict_;
};

}  // namespace

std::unique_ptr<StreamCheck> make_stream_check(const AnyModel& model, Reading reading) {
  return with_model(model, [&](const auto& each) -> std::unique_ptr<StreamCheck> {
    using Model = std::decay_t<decltype(each)>;
    if constexpr (Model::knows(Action::acquire)) {
      return std::make_unique<Stream<Model>>(each, reading);
    } else {
      return nullptr;
    }
  });
}

}  // namespace holdfast::linear
