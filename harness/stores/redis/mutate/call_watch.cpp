#include "harness/stores/redis/mutate/call_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/stores/redis/mutate/change.h"

namespace holdfast::redis {
namespace {

class WatchedClient final : public Client {
 public:
  WatchedClient(RedisCallWatch& watch, Client& client, std::size_t server, MutationSeat& seat)
      : watch_(watch), client_(client), server_(server), seat_(seat) {}

  Task<Answer> execute(Command command) override { return listen(std::move(command), std::nullopt); }
  Task<Answer> execute_within(Command command, Duration timeout) override {
    return listen(std::move(command), timeout);
  }
  Task<Answer> subscribe(std::string channel, Mailbox& mailbox) override {
    watch_.hear_subscription();
    return client_.subscribe(std::move(channel), mailbox);
  }
  Task<Answer> unsubscribe(std::string channel, Mailbox& mailbox) override {
    return client_.unsubscribe(std::move(channel), mailbox);
  }
  void forget(const Mailbox& mailbox) noexcept override { client_.forget(mailbox); }

 private:
  Task<Answer> listen(Command command, std::optional<Duration> timeout) {
    const CallPhase phase = seat_.phase();
    const std::size_t site = watch_.hear(command, server_, seat_);
    if (last_ && last_phase_ == phase) {
      watch_.hear_order(*last_, site);
    }
    last_ = site;
    last_phase_ = phase;
    seat_.call_begins();
    Answer answer;
    if (timeout) {
      answer = co_await client_.execute_within(std::move(command), *timeout);
    } else {
      answer = co_await client_.execute(std::move(command));
    }
    seat_.call_ended();
    watch_.hear_answer(site, answer);
    co_return answer;
  }

  RedisCallWatch& watch_;
  Client& client_;
  std::size_t server_;
  MutationSeat& seat_;
  std::optional<std::size_t> last_;
  CallPhase last_phase_ = CallPhase::meanwhile;
};

}  // namespace

std::unique_ptr<StoreClient> RedisCallWatch::watched(StoreClient& client, std::size_t server,
                                                     MutationSeat& seat) {
  return std::make_unique<WatchedClient>(*this, static_cast<Client&>(client), server, seat);
}

std::size_t RedisCallWatch::hear(const Command& command, std::size_t server, const MutationSeat& seat) {
  const CallPhase phase = seat.phase();
  const auto known =
      std::ranges::find_if(sites_, [&](const HeardSite& site) { return site.is_of(phase, command); });
  if (known != sites_.end()) {
    known->servers.insert(server);
    return static_cast<std::size_t>(known - sites_.begin());
  }
  HeardSite site;
  site.phase = phase;
  site.command = command.front();
  site.script = site.command == "EVAL" ? command.at(1) : std::string();
  const auto of_its_kind = std::ranges::count_if(
      sites_, [&](const HeardSite& each) { return each.phase == phase && each.command == site.command; });
  site.place = fmt::format("{}:{}{}", to_text(phase), site.command,
                           of_its_kind == 0 ? "" : fmt::format("-{}", of_its_kind + 1));
  site.words = command;
  site.servers.insert(server);
  for (std::size_t index = first_own_word(command); index < command.size(); ++index) {
    site.has_word_of_lease =
        site.has_word_of_lease || with_other_lease(command[index], seat, 1000).has_value();
    site.has_name_of_thread =
        site.has_name_of_thread || with_other_thread(command[index], seat.env()).has_value();
  }
  sites_.push_back(std::move(site));
  return sites_.size() - 1;
}

void RedisCallWatch::hear_answer(std::size_t site, const Answer& answer) {
  if (answer.threw()) {
    return;
  }
  HeardSite& heard = sites_[site];
  if (!heard.good) {
    heard.good = answer.reply;
  } else if (!heard.other && answer.reply != *heard.good) {
    heard.other = answer.reply;
  }
}

std::vector<StoreMutation> RedisCallWatch::mutations() const {
  return mutations_at(sites_, subscribes_);
}

std::shared_ptr<const StoreChange> RedisCallWatch::no_change() const {
  return make_change({});
}

}  // namespace holdfast::redis
