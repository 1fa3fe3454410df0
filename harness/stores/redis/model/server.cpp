#include "harness/stores/redis/model/server.h"

#include "harness/kernel/require.h"
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/errors.h"

namespace holdfast::redis {
namespace {

// The words that follow are quoted until 128 characters are used up.
Reply unknown_command(const Command& words) {
  constexpr std::size_t quoted_max = 128;
  std::string quoted;
  for (std::size_t index = 1; index < words.size() && quoted.size() < quoted_max; ++index) {
    quoted += '\'';
    quoted += words[index].substr(0, quoted_max - quoted.size() + 1);
    quoted += "' ";
  }
  return Reply::error("ERR unknown command '" + words.front().substr(0, quoted_max) +
                      "', with args beginning with: " + quoted);
}

Reply not_in_subscription(std::string_view name) {
  return Reply::error("ERR Can't execute '" + std::string(name) +
                      "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this "
                      "context");
}

}  // namespace

Reply Server::execute(ConnectionId connection, const Command& words, std::vector<Push>& pushes,
                      bool& blocks) {
  require(!words.empty(), "a Redis command has at least one word");
  const CommandInfo* const info = find_command(words.front());
  if (info == nullptr) return refuse(connection, info, unknown_command(words));
  if (!info->takes(words.size())) return refuse(connection, info, wrong_arity(info->name));
  if (replica_ && info->has(CommandFlag::write)) return refuse(connection, info, read_only_replica());
  if (!info->has(CommandFlag::in_subscription) && subscriptions_.count(connection) > 0) {
    return refuse(connection, info, not_in_subscription(info->name));
  }
  if (Transaction* const transaction = transactions_.find(connection);
      transaction != nullptr && !info->has(CommandFlag::not_queued)) {
    transaction->queue.push_back(words);
    return Reply::status("QUEUED");
  }
  return run_for_client(*info, connection, words, pushes, blocks);
}

Reply Server::run_for_client(const CommandInfo& info, ConnectionId connection, const Command& words,
                             std::vector<Push>& pushes, bool& blocks) {
  Call call{*this, database_, info, connection, words, pushes, true};
  Reply reply = run(call);
  blocks = call.blocks;
  return reply;
}

Reply Server::run(const CommandInfo& info, ConnectionId connection, const Command& words,
                  std::vector<Push>& pushes) {
  Call call{*this, database_, info, connection, words, pushes};
  return run(call);
}

Reply Server::run(Call& call) {
  Reply reply = call.info.handler(call);
  database_.propagate(call.words);
  return reply;
}

void Server::apply(const Command& effect) {
  require(!effect.empty(), "an effect is a command");
  const CommandInfo* const info = find_command(effect.front());
  if (info != nullptr && info->handler == commands::publish) return;  // tells nobody there
  require(info != nullptr && info->has(CommandFlag::write), "only what a server wrote is applied to another");
  const ExpiryView view = database_.expiry_view();
  require(view != ExpiryView::applying, "effects are applied one after the other");
  database_.set_expiry_view(ExpiryView::applying);
  std::vector<Push> nobody;
  Call call{*this, database_, *info, 0, effect, nobody};
  call.info.handler(call);
  database_.discard_effect();
  database_.set_expiry_view(view);
}

void Server::disconnect(ConnectionId connection) {
  subscriptions_.disconnect(connection);
  transactions_.end(connection);
  database_.watches().remove(connection);
  waits_.forget(connection);
}

void Server::forget_everything() {
  database_.clear();
  database_.watches().clear();
  subscriptions_.clear();
  transactions_.clear();
  scripts_.reset();
  waits_.clear();
  has_published_ = false;
}

void Server::set_replica(bool replica) {
  replica_ = replica;
  database_.set_expiry_view(replica ? ExpiryView::replica : ExpiryView::primary);
}

// A command refused inside MULTI spoils the transaction; a refused EXEC ends it.
Reply Server::refuse(ConnectionId connection, const CommandInfo* info, Reply error) {
  if (info != nullptr && info->handler == commands::exec) {
    return commands::abort_exec(*this, connection, error);
  }
  if (Transaction* const transaction = transactions_.find(connection)) transaction->refused = true;
  return error;
}

}  // namespace holdfast::redis
