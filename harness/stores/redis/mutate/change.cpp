#include "harness/stores/redis/mutate/change.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/stores/redis/client.h"

namespace holdfast::redis {
namespace {

constexpr std::int64_t thousandfold_per_mille = 1'000'000;
constexpr std::int64_t thousandth_per_mille = 1;
constexpr Duration time_of_a_call = 500us;

bool is_of_commands(Wrong wrong) {
  return wrong != Wrong::nothing && wrong != Wrong::never_subscribed && wrong != Wrong::subscribed_late &&
         wrong != Wrong::never_unsubscribed;
}

class ChangedClient final : public Client {
 public:
  ChangedClient(const Change& change, Client& honest, std::size_t server, std::size_t servers,
                MutationSeat& seat)
      : change_(change), honest_(honest), server_(server), servers_(servers), seat_(seat) {}

  Task<Answer> execute(Command command) override { return carry(std::move(command), std::nullopt); }
  Task<Answer> execute_within(Command command, Duration timeout) override {
    return carry(std::move(command), timeout);
  }
  Task<Answer> subscribe(std::string channel, Mailbox& mailbox) override;
  Task<Answer> unsubscribe(std::string channel, Mailbox& mailbox) override;
  void forget(const Mailbox& mailbox) noexcept override {
    if (late_mailbox_ == &mailbox) {
      late_mailbox_ = nullptr;
    }
    honest_.forget(mailbox);
  }

 private:
  Task<Answer> send(Command command, std::optional<Duration> timeout) {
    return timeout ? honest_.execute_within(std::move(command), *timeout)
                   : honest_.execute(std::move(command));
  }
  Task<Answer> carry(Command command, std::optional<Duration> timeout);
  Task<Answer> send_wrongly(Command command, std::optional<Duration> timeout);
  Task<Answer> send_command_by_command(Command command, std::optional<Duration> timeout);
  Task<> catch_up(CallPhase phase);
  bool leaves_out() const;
  Command changed(Command command) const;
  Answer misread(Answer answer) const;
  Answer usual() const { return {CallError::none, change_.usual}; }

  const Change& change_;
  Client& honest_;
  std::size_t server_;
  std::size_t servers_;
  MutationSeat& seat_;
  Answer before_;
  std::optional<Command> kept_back_;  // sent_after_next; once_too_often: the last one
  std::string late_channel_;
  Mailbox* late_mailbox_ = nullptr;  // subscribed_late
};

Task<Answer> ChangedClient::carry(Command command, std::optional<Duration> timeout) {
  const CallPhase phase = seat_.phase();
  const bool is_here = is_of_commands(change_.wrong) && change_.site.is_of(phase, command);
  seat_.call_begins();
  Answer answer;
  if (is_here) {
    answer = co_await send_wrongly(std::move(command), timeout);
  } else {
    answer = co_await send(std::move(command), timeout);
  }
  seat_.call_ended();
  before_ = answer;
  if (!is_here) {
    co_await catch_up(phase);
  }
  co_return answer;
}

// What was kept back goes out behind the next call.
Task<> ChangedClient::catch_up(CallPhase phase) {
  if (late_mailbox_ != nullptr) {
    Mailbox& mailbox = *std::exchange(late_mailbox_, nullptr);
    co_await honest_.subscribe(late_channel_, mailbox);
  }
  const bool is_time = change_.wrong == Wrong::sent_after_next ||
                       (change_.wrong == Wrong::once_too_often && phase == CallPhase::release);
  if (kept_back_ && is_time) {
    Command command = std::move(*kept_back_);
    kept_back_.reset();
    co_await honest_.execute(std::move(command));
  }
}

bool ChangedClient::leaves_out() const {
  return change_.wrong == Wrong::not_sent || (change_.wrong == Wrong::only_first_server && server_ > 0) ||
         (change_.wrong == Wrong::not_last_server && server_ + 1 == servers_);
}

Task<Answer> ChangedClient::send_wrongly(Command command, std::optional<Duration> timeout) {
  if (leaves_out() || change_.wrong == Wrong::sent_after_next) {
    if (change_.wrong == Wrong::sent_after_next) {
      kept_back_ = std::move(command);
    }
    co_await seat_.env().sleep(time_of_a_call);  // else who asks again and again would stop the clocks
    co_return usual();
  }
  if (change_.wrong == Wrong::cut_script) {
    Answer answer = co_await send_command_by_command(std::move(command), timeout);
    co_return answer;
  }
  if (change_.wrong == Wrong::once_too_often) {
    kept_back_ = command;
  }
  if (change_.wrong == Wrong::late) {
    co_await seat_.env().sleep(seat_.lease() * 7 / 10);
  }
  command = changed(std::move(command));
  Command copy = command;
  Answer answer = co_await send(std::move(command), timeout);
  if (change_.wrong == Wrong::sent_twice) {
    co_await send(std::move(copy), timeout);
  } else if (change_.wrong == Wrong::sent_again && answer.failed()) {
    answer = co_await send(std::move(copy), timeout);
  }
  co_return misread(std::move(answer));
}

// The answer of the script that only looks: what to do, then what the script says.
Task<Answer> ChangedClient::send_command_by_command(Command command, std::optional<Duration> timeout) {
  command[1] = change_.script;
  Answer answer = co_await send(std::move(command), timeout);
  if (answer.threw() || answer.reply.elements.empty()) {
    co_return answer;
  }
  const std::vector<Reply> noted = answer.reply.elements.front().elements;
  for (const Reply& words : noted) {
    Command next;
    for (const Reply& word : words.elements) {
      append_word(next, word.text);
    }
    Answer done = co_await send(std::move(next), timeout);
    if (done.threw()) {
      co_return done;
    }
  }
  Answer result;
  if (answer.reply.elements.size() > 1) {
    result.reply = answer.reply.elements[1];
  }
  co_return result;
}

Command ChangedClient::changed(Command command) const {
  if (change_.wrong == Wrong::other_script) {
    command[1] = change_.script;
  }
  if (change_.wrong == Wrong::option_lost) {
    const auto option = std::ranges::find(command, change_.option);
    if (option != command.end()) {
      command.erase(option, option + (change_.option_has_value && option + 1 != command.end() ? 2 : 1));
    }
  }
  for (std::size_t index = first_own_word(command); index < command.size(); ++index) {
    std::optional<std::string> word;
    if (change_.wrong == Wrong::lease_longer) {
      word = with_other_lease(command[index], seat_, thousandfold_per_mille);
    } else if (change_.wrong == Wrong::lease_shorter) {
      word = with_other_lease(command[index], seat_, thousandth_per_mille);
    } else if (change_.wrong == Wrong::for_other_thread) {
      word = with_other_thread(command[index], seat_.env());
    }
    if (word) {
      command[index] = std::move(*word);
    }
  }
  return command;
}

Answer ChangedClient::misread(Answer answer) const {
  switch (change_.wrong) {
    case Wrong::answer_before:
      return before_.failed() || before_.reply.kind != change_.usual.kind ? answer : before_;
    case Wrong::refusal_granted:
      return answer.threw() ? answer : usual();
    case Wrong::error_granted:
      return answer.threw() ? usual() : answer;
    case Wrong::error_refused:
      return answer.threw() ? Answer{CallError::none, change_.refusal} : answer;
    default:
      return answer;
  }
}

Task<Answer> ChangedClient::subscribe(std::string channel, Mailbox& mailbox) {
  if (change_.wrong == Wrong::never_subscribed || change_.wrong == Wrong::subscribed_late) {
    if (change_.wrong == Wrong::subscribed_late) {
      late_channel_ = std::move(channel);
      late_mailbox_ = &mailbox;
    }
    co_return Answer{CallError::none, Reply::nil()};
  }
  Answer answer = co_await honest_.subscribe(std::move(channel), mailbox);
  co_return answer;
}

Task<Answer> ChangedClient::unsubscribe(std::string channel, Mailbox& mailbox) {
  if (change_.wrong == Wrong::never_unsubscribed) {
    co_return Answer{CallError::none, Reply::nil()};
  }
  if (late_mailbox_ == &mailbox) {
    late_mailbox_ = nullptr;
  }
  Answer answer = co_await honest_.unsubscribe(std::move(channel), mailbox);
  co_return answer;
}

class RedisChange final : public StoreChange {
 public:
  explicit RedisChange(Change change) : change_(std::move(change)) {}

  std::unique_ptr<StoreClient> applied_to(StoreClient& client, std::size_t server, std::size_t servers,
                                          MutationSeat& seat) const override {
    return std::make_unique<ChangedClient>(change_, static_cast<Client&>(client), server, servers, seat);
  }

 private:
  Change change_;
};

}  // namespace

std::shared_ptr<const StoreChange> make_change(Change change) {
  return std::make_shared<RedisChange>(std::move(change));
}

}  // namespace holdfast::redis
