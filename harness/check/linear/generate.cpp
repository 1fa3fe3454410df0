#include "harness/check/linear/generate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/check/linear/corrupt.h"

namespace holdfast::linear {
namespace {

// A client that finds the lock taken this often gives up waiting.
constexpr std::uint32_t patience = 12;
constexpr std::uint32_t turns_a_call = 40;

struct Client {
  enum class Stage : std::uint8_t { idle, asked, answered, gone } stage = Stage::idle;
  Call call;
  std::uint32_t refusals = 0;
  std::uint32_t holds = 0;
  std::optional<std::int64_t> token;  // of its last hold
};

template <SequentialModel Model>
class Generator {
 public:
  Generator(const Model& model, const GenerateOptions& options, std::uint64_t seed)
      : model_(model), options_(options), state_(model.initial()) {
    random_.reset(seed);
    random_.open(StreamId{0}, {"history"});
    for (int action = 0; action <= static_cast<int>(Action::await_zero); ++action) {
      if (Model::knows(static_cast<Action>(action))) {
        actions_.push_back(static_cast<Action>(action));
      }
    }
  }

  std::vector<CallEvent> run() {
    clients_.resize(between(options_.clients_min, options_.clients_max));
    calls_left_ = between(options_.calls_min, options_.calls_max);
    haste_ = draw(random_, 8);
    trouble_ = draw(random_, 3);
    for (std::uint32_t turn = turns_a_call * calls_left_; turn > 0 && !is_over(); --turn) {
      turn_of_ = draw(random_, 8) < haste_ ? turn_of_ : draw(random_, clients_.size());
      take_turn(turn_of_);
      if (!late_.empty() && draw(random_, 4) == 0) {
        happen_late();
      }
    }
    if (chance(options_.corrupted)) {
      for (std::uint32_t count = 1 + draw(random_, 8); count > 0; --count) {
        corrupt_once(events_, random_);
      }
    }
    return std::move(events_);
  }

 private:
  // Of what goes wrong: some histories have none of it, some twice as much.
  bool trouble(std::uint32_t thousandths) { return chance(thousandths * trouble_); }
  bool chance(std::uint32_t thousandths) { return draw(random_, 1000) < thousandths; }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + draw(random_, std::uint64_t{most} - least + 1);
  }
  bool is_over() const {
    return calls_left_ == 0 && std::ranges::all_of(clients_, [](const Client& client) {
             return client.stage == Client::Stage::idle || client.stage == Client::Stage::gone;
           });
  }

  void take_turn(std::uint32_t number) {
    Client& client = clients_[number];
    if (client.stage == Client::Stage::gone) {
      return;
    }
    if (trouble(options_.ended)) {
      end(client, number);
      return;
    }
    switch (client.stage) {
      case Client::Stage::idle:
        if (calls_left_ > 0) {
          --calls_left_;
          ask(client, number);
        }
        break;
      case Client::Stage::asked:
        proceed(client);
        break;
      default:
        answer(client, trouble(options_.info / 2) ? CallEventType::info : CallEventType::ok);
    }
  }

  void ask(Client& client, std::uint32_t number) {
    Call call;
    call.action = next_action(client);
    call.client = number;
    call.mode = draw(random_, 2) == 0 ? Mode::shared : Mode::exclusive;
    call.invoked = events_.size();
    if (call.action == Action::write || call.action == Action::compare_and_set ||
        call.action == Action::add) {
      call.value = draw(random_, options_.values);
    }
    if (call.action == Action::compare_and_set) {
      call.expected = draw(random_, options_.values);
    }
    if ((call.action == Action::write || call.action == Action::read) && draw(random_, 4) != 0) {
      call.token = draw(random_, 4);
    }
    client.call = call;
    client.refusals = 0;
    client.stage = Client::Stage::asked;
    events_.push_back(event_of(client, CallEventType::invoke));
  }

  // Who holds mostly releases; who does not mostly acquires.
  Action next_action(const Client& client) {
    if (Model::knows(Action::release) && draw(random_, 8) != 0) {
      if (client.holds > 0 && draw(random_, 3) != 0) {
        return Action::release;
      }
      return draw(random_, 2) == 0 ? Action::acquire : Action::try_acquire;
    }
    return actions_[draw(random_, actions_.size())];
  }

  void proceed(Client& client) {
    if (trouble(options_.fail)) {
      answer(client, CallEventType::fail);
    } else if (trouble(options_.info / 2) || client.refusals > patience) {
      if (draw(random_, 2) == 0) {
        late_.push_back(client.call);
      }
      answer(client, CallEventType::info);
    } else if (take_effect(client)) {
      client.stage = Client::Stage::answered;
    } else {
      ++client.refusals;
    }
  }

  // The call happens now, with the first of its possible answers that is right.
  bool take_effect(Client& client) {
    candidates_.clear();
    add_candidates(client);
    for (const Call& candidate : candidates_) {
      if (std::optional<typename Model::State> after = model_.step(state_, candidate)) {
        state_ = std::move(*after);
        client.call = candidate;
        count(client);
        return true;
      }
    }
    return false;
  }

  void add_candidates(const Client& client) {
    Call call = client.call;
    call.outcome = Outcome::ok;
    if (call.action == Action::read) {
      for (std::int64_t value = -2; value < 16; ++value) {
        call.value = value;
        candidates_.push_back(call);
      }
      call.value.reset();
      candidates_.push_back(call);
    } else if (is_acquire(call.action)) {
      call.token = next_token_;
      candidates_.push_back(call);
      call.token = client.token;
      candidates_.push_back(call);
      if (draw(random_, 6) == 0) {
        call.token.reset();
        candidates_.push_back(call);
        std::swap(candidates_.front(), candidates_.back());
      }
    } else {
      candidates_.push_back(call);
    }
    if (call.action != Action::acquire || draw(random_, 8) == 0) {
      call.refused = true;
      call.token = is_acquire(call.action) ? std::nullopt : call.token;
      candidates_.push_back(call);
    }
  }

  void count(Client& client) {
    const Call& call = client.call;
    if (call.refused) {
      return;
    }
    if (is_acquire(call.action)) {
      ++client.holds;
      client.token = call.token;
      next_token_ += 1 + draw(random_, 2);
    } else if (call.action == Action::release && client.holds > 0) {
      --client.holds;
    }
  }

  void answer(Client& client, CallEventType type) {
    events_.push_back(event_of(client, type));
    client.stage = Client::Stage::idle;
  }

  void end(Client& client, std::uint32_t number) {
    CallEvent event;
    event.type = CallEventType::ended;
    event.client = number;
    events_.push_back(event);
    for (; client.holds > 0; --client.holds) {
      Call release;
      release.action = Action::release;
      release.client = number;
      late_.push_back(release);
    }
    client.stage = draw(random_, 2) == 0 ? Client::Stage::gone : client.stage;
  }

  void happen_late() {
    const std::size_t index = draw(random_, late_.size());
    const std::optional<typename Model::State> after = model_.step(state_, late_[index]);
    if (after) {
      state_ = *after;
      next_token_ += is_acquire(late_[index].action) ? 1 : 0;
      late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  CallEvent event_of(const Client& client, CallEventType type) const {
    const Call& call = client.call;
    CallEvent event;
    event.type = type;
    event.action = call.action;
    event.mode = call.mode;
    event.client = call.client;
    event.expected = call.expected;
    const bool answers = type == CallEventType::ok;
    event.refused = answers && call.refused;
    event.token = answers || !is_acquire(call.action) ? call.token : std::nullopt;
    event.value = answers || call.action != Action::read ? call.value : std::nullopt;
    return event;
  }

  const Model& model_;
  const GenerateOptions& options_;
  RandomStrategy random_;
  typename Model::State state_;
  std::vector<Action> actions_;
  std::vector<Client> clients_;
  std::vector<Call> late_;  // info calls that will take effect, and holds that will be let go
  std::vector<Call> candidates_;
  std::vector<CallEvent> events_;
  std::uint32_t calls_left_ = 0;
  std::uint32_t turn_of_ = 0;
  std::uint32_t haste_ = 0;  // how often, of eight times, a client has the next turn too
  std::uint32_t trouble_ = 1;
  std::int64_t next_token_ = 1;
};

}  // namespace

std::vector<CallEvent> generate_history(const AnyModel& model, const GenerateOptions& options,
                                        std::uint64_t seed) {
  return with_model(model, [&](const auto& each) { return Generator(each, options, seed).run(); });
}

}  // namespace holdfast::linear
