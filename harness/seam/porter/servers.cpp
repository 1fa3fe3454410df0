#include "harness/seam/porter/servers.h"

#include <utility>

#include "harness/kernel/require.h"
#include "harness/seam/porter/client.h"
#include "harness/stores/node_due.h"

namespace holdfast::porter {
namespace {

// One thread's connection, carried by the kernel's network.
class NetworkClient final : public Client {
 public:
  NetworkClient(Env& env, PorterServers& servers, std::size_t server, Duration timeout, Duration ping)
      : env_(env), servers_(servers), server_(server), timeout_(timeout), line_(servers, env.process()) {
    if (ping > 0s) {
      env.spawn(say_that_we_are_here(ping));
    }
  }

  Task<Answer> ask(std::string verb, std::string lock) override {
    PorterServers::CallsType::Result result = co_await send(std::move(verb), std::move(lock));
    if (result.error == CallError::timeout) {
      line_.replace();
    }
    co_return Answer{result.error, std::move(result.response.word), result.response.token};
  }
  std::size_t times_wanted() const override { return line_.times_wanted; }

 private:
  struct Line final : PorterServers::Connection {
    using Connection::Connection;
    void hear(const Wanted&) override { ++times_wanted; }
    void broke(ProcessId) override {}
    std::size_t times_wanted = 0;
  };

  // As long as its process runs: one that pauses says nothing.
  Task<> say_that_we_are_here(Duration every) {
    while (true) {
      co_await env_.sleep(every);
      line_.murmur({});
    }
  }

  // Not a coroutine: a request made inside a co_await would be destroyed twice by GCC 12.
  PorterServers::CallsType::Awaiter send(std::string verb, std::string lock) {
    return servers_.call(env_, line_, servers_.serving_member(server_), timeout_,
                         {.verb = std::move(verb), .lock = std::move(lock)});
  }

  Env& env_;
  PorterServers& servers_;
  std::size_t server_;
  Duration timeout_;
  Line line_;
};

}  // namespace

void PorterServers::add_processes(const ServersPlan& plan) {
  begin();
  members_of_each_ = 1 + plan.replicas;
  ping_ = plan.options.duration(ping_option).resolve(plan.ttl);
  nodes_.clear();
  serving_.clear();
  for (std::size_t server = 0; server < plan.servers; ++server) {
    const std::size_t first = nodes_.size();
    serving_.push_back(first);
    for (std::size_t member = 0; member < members_of_each_; ++member) {
      std::vector<std::size_t> others;
      for (std::size_t other = 0; other < members_of_each_; ++other) {
        if (other != member) {
          others.push_back(first + other);
        }
      }
      nodes_.push_back(std::make_unique<ModelNode>());
      nodes_.back()->begin(plan.options.duration(silence_option).resolve(plan.ttl), std::move(others));
      add(member_name(Client::store_id, plan.servers, server, member), *nodes_.back());
    }
  }
}

std::vector<ProcessId> PorterServers::members(std::size_t server) const {
  std::vector<ProcessId> all;
  for (std::size_t member = 0; member < members_of_each_; ++member) {
    all.push_back(process(server * members_of_each_ + member));
  }
  return all;
}

std::vector<ProcessId> PorterServers::followers(ProcessId member) const {
  std::vector<ProcessId> others = members(server_of(member));
  std::erase(others, member);
  return others;
}

std::optional<Duration> PorterServers::last_due() const {
  std::optional<Duration> last;
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    if (kernel().process(process(place)).alive) {
      last = later_of(last, nodes_[place]->last_due(clocks(place)), kernel(), process(place));
    }
  }
  return last;
}

bool PorterServers::can(ServerAction action, std::size_t server) const {
  return action == ServerAction::failover && standby(server).has_value();
}

void PorterServers::act(ServerAction action, std::size_t server) {
  require(can(action, server), "porters are told to fail over, and where one stands by");
  const std::size_t next = *standby(server);
  kernel().crash(serving(server));
  serving_[server] = next;
}

std::unique_ptr<StoreClient> PorterServers::connect(Env& env, std::size_t server, Duration command_timeout) {
  return std::make_unique<NetworkClient>(env, *this, server, command_timeout, ping_);
}

void PorterServers::evict(ProcessId member, ModelNode::Whom whom) {
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    if (process(place) == member) {
      prompt(place, [&](const NodeClocks& clocks, ModelNode::Outputs& outputs) {
        nodes_[place]->evict(whom, clocks, outputs);
      });
    }
  }
}

std::optional<std::size_t> PorterServers::standby(std::size_t server) const {
  for (std::size_t place = server * members_of_each_; place < (server + 1) * members_of_each_; ++place) {
    if (place != serving_.at(server) && kernel().process(process(place)).alive) {
      return place;
    }
  }
  return std::nullopt;
}

}  // namespace holdfast::porter
