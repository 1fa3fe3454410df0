// The nodes of a store's servers and the connections to them, over the kernel's network.
//
// What every store needs to run in `sim` and `warp` whatever its nodes are: a request is carried to a node
// and its answer back whenever that comes, news reach the connection they are for, members hear each other,
// timers of a node run on the clocks of its process, and what breaks or dies takes with it what it has to.
// Reused from run to run; not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/env/calls.h"
#include "harness/kernel/network.h"
#include "harness/kernel/require.h"
#include "harness/stores/node.h"
#include "harness/stores/node_parcel.h"
#include "harness/stores/servers.h"

namespace holdfast {

template <typename Types>
class NodeGroup : public ResetListener, private NodeParcel<Types>::Post {
 public:
  using NodeType = Node<Types>;
  using Request = typename Types::Request;
  using Answer = typename Types::Answer;
  using News = typename Types::News;
  using Part = typename Types::Part;
  using Noise = typename NodeType::Noise;
  using CallsType = Calls<Request, Answer>;

  // A client's end of a connection; closed with this object. It is to one member at a time: what befalls
  // others does not concern it, and whoever turns to another one has left the one before.
  class Connection {
   public:
    Connection(NodeGroup& group, ProcessId client)
        : group_(group), client_(client), place_(group.connections_.size()) {
      require(place_ + 1 < (1U << connection_place_bits), "there are numbers for all connections of a run");
      group.connections_.push_back(this);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    virtual ~Connection() {
      group_.close_everywhere(id());
      group_.connections_[place_] = nullptr;
    }

    ConnectionId id() const { return connection_at(place_, life_); }
    ProcessId client() const { return client_; }
    // Its client has lost patience with an answer: it closes it, and goes on over a new one. A node that has
    // nothing of it, to answer or to let go of, cannot tell the difference, and is not told.
    void replace() {
      group_.say_closed(id(), client_);
      ++life_;
    }

    // What its library says by itself, once a request has opened the connection. No step is taken.
    void murmur(Noise noise) {
      if (life_opened_ == life_) {
        group_.send_noise(*this, *member_, std::move(noise));
      }
    }

    virtual void hear(const News& news) = 0;
    // The connection to this server process broke, or was closed there; it is a new one from now on.
    virtual void broke(ProcessId server) = 0;

   private:
    friend class NodeGroup;
    NodeGroup& group_;
    ProcessId client_;
    std::size_t place_;
    std::uint32_t life_ = 0;
    std::optional<std::uint32_t> life_opened_;  // the last that asked something
    std::uint32_t asked_ = 0;                   // so many requests in all
    std::optional<std::size_t> member_;         // to which it is, since it last said something
  };

  explicit NodeGroup(const ServersContext& context)
      : kernel_(context.kernel),
        network_(context.network),
        calls_(context.kernel, context.network, context.steps) {}
  NodeGroup(const NodeGroup&) = delete;
  NodeGroup& operator=(const NodeGroup&) = delete;

  // A new run, without nodes and connections.
  void begin() {
    member_count_ = 0;
    connections_.clear();
    parcels_.begin();
  }
  // The run is over: it has no members any more whom the end of a connection would concern.
  void end() { member_count_ = 0; }
  // Adds a member to the kernel. Returns its place, in the order of adding.
  std::size_t add(std::string_view name, NodeType& node) {
    if (member_count_ == members_.size()) {
      members_.push_back(std::make_unique<Member>(*this));
    }
    Member& member = *members_[member_count_];
    member.reset(kernel_.add_process(name), member_count_, node);
    kernel_.listen(member.process(), member);
    return member_count_++;
  }
  // After the network was reset.
  void start() {
    calls_.reset();
    network_.listen(*this);
    for (std::size_t member = 0; member < member_count_; ++member) {
      at(member).set_timer();  // of a node that acts by itself before anybody asks it something
    }
  }

  ProcessId process(std::size_t member) const { return at(member).process(); }
  NodeClocks clocks(std::size_t member) const {
    const ProcessId process = this->process(member);
    return {kernel_.read_clock(process, ClockKind::wall), kernel_.read_clock(process, ClockKind::monotonic)};
  }

  typename CallsType::Awaiter call(const Env& env, Connection& connection, std::size_t member,
                                   Duration timeout, Request request) {
    Member& server = at(member);
    if (connection.member_ && *connection.member_ != member) {
      connection.replace();  // there is no need to tell whoever does it
    }
    connection.member_ = member;
    connection.life_opened_ = connection.life_;
    request.connection = connection.id();
    if constexpr (requires { request.number; }) {
      request.number = ++connection.asked_;
    }
    return calls_.call(env, server.process(), server, timeout, std::move(request));
  }

  // Has a node do what nobody asked it for, such as a fault of its store's own: act(clocks, outputs).
  void prompt(std::size_t member, const auto& act) { at(member).prompt(act); }

  void on_reset(ProcessId one, ProcessId other) override {
    for (std::size_t member = 0; member < member_count_; ++member) {
      const ProcessId process = this->process(member);
      if (process == one || process == other) {
        break_all(member, process == one ? other : one);
      }
    }
  }
  void on_reset_of(ConnectionId connection, ProcessId one, ProcessId other) override {
    for (std::size_t member = 0; member < member_count_; ++member) {
      const ProcessId process = this->process(member);
      if (process != one && process != other) {
        continue;
      }
      if (Connection* const end = end_of(connection)) {
        require(end->client() == (process == one ? other : one), "a connection breaks between its two ends");
        break_one(member, *end);
      } else if (at(member).is_alive()) {
        at(member).close(connection);  // its client had given it up before
      }
    }
  }

 protected:
  // Something of a node's that its store wants to know, after each thing that was asked of it.
  virtual void after(std::size_t /*member*/) {}
  virtual void after_restart(std::size_t /*member*/) {}

  const CallsType& calls() const { return calls_; }
  Kernel& kernel() const { return kernel_; }
  Network& network() { return network_; }

 private:
  using Parcel = NodeParcel<Types>;
  class Member;

  // One node as the kernel sees it.
  class Member final : public CallsType::Service, public ProcessListener {
   public:
    explicit Member(NodeGroup& group) : group_(group) {}

    void reset(ProcessId process, std::size_t place, NodeType& node) {
      process_ = process;
      place_ = place;
      node_ = &node;
      outputs_.clear();
      unanswered_.clear();
      closed_by_node_.clear();
      timer_.reset();
      ticket_ = {};
    }
    ProcessId process() const { return process_; }
    std::size_t place() const { return place_; }
    bool is_alive() const { return group_.kernel_.process(process_).alive; }

    void serve(typename CallsType::Call& call) override {
      const ConnectionId connection = call.request.connection;
      if (has_closed(connection)) {
        return;  // its client is about to learn of it
      }
      require(outputs_.empty(), "what a node said last was heard before it is asked again");
      std::optional<Answer> answer = node_->submit(call.request, group_.clocks(place_), outputs_);
      look_after();
      if (!answer) {
        call.retain();
        unanswered_.push_back(&call);
      }
      carry_out();
      if (answer) {
        group_.calls_.respond(call, std::move(*answer));
      }
      if (group_.end_of(connection) == nullptr && has_something_of(connection)) {
        close(connection);  // it was given up before this came
      }
    }
    // A connection that broke while its client came to say this is a new one by now.
    void on_leaving(typename CallsType::Call& call) override {
      const Connection* const end = group_.connections_[place_of(call.request.connection)];
      if (end != nullptr && end->member_ == place_) {
        call.request.connection = end->id();
      }
    }
    void hear(std::size_t member, const Part& part) {
      ask([&](const NodeClocks& clocks) { node_->hear(member, part, clocks, outputs_); });
    }
    // Unless its client has left, or is about to learn that it was closed.
    void overhear(ConnectionId connection, const Noise& noise) {
      if (group_.end_of(connection) != nullptr && !has_closed(connection)) {
        ask([&](const NodeClocks& clocks) { node_->overhear(connection, noise, clocks, outputs_); });
      }
    }
    void lose(std::size_t member) {
      ask([&](const NodeClocks& clocks) { node_->lose(member, clocks, outputs_); });
    }
    void prompt(const auto& act) {
      if (is_alive()) {
        ask([&](const NodeClocks& clocks) { act(clocks, outputs_); });
      }
    }
    void close(ConnectionId connection) {
      std::erase(closed_by_node_, connection);
      drop_unanswered(connection);
      ask([&](const NodeClocks& clocks) { node_->close(connection, clocks, outputs_); });
    }
    bool has_something_of(ConnectionId connection) const {
      const auto is_its = [&](const auto* call) { return call->request.connection == connection; };
      return is_alive() &&
             (std::ranges::any_of(unanswered_, is_its) || node_->keeps_something_of(connection));
    }

    // All that this client waits on, also where it has given up and that was not heard of yet.
    void close_unanswered_of(ProcessId client) {
      while (true) {
        const auto found =
            std::ranges::find_if(unanswered_, [&](const auto* call) { return call->client == client; });
        if (found == unanswered_.end()) {
          return;
        }
        close((*found)->request.connection);
      }
    }

    void set_timer() {
      const std::optional<NodeTimer> due = node_->next_due();
      if (due == timer_) {
        return;
      }
      group_.kernel_.cancel(ticket_);
      timer_ = due;
      if (due) {
        ticket_ = group_.kernel_.call_when(
            process_, due->clock, due->reading,
            [](void* context, std::uint64_t) { static_cast<Member*>(context)->come_due(); }, this, 0);
      }
    }

    void on_crash() override {
      node_->crash(group_.clocks(place_));
      closed_by_node_.clear();
      for (auto* const call : std::exchange(unanswered_, {})) {
        call->release();
      }
      group_.kernel_.cancel(ticket_);
      timer_.reset();
      for (std::size_t other = 1; other < group_.kernel_.process_count(); ++other) {
        if (static_cast<ProcessId>(other) != process_) {
          group_.network_.reset_connections(static_cast<ProcessId>(other), process_);
        }
      }
    }
    void on_restart() override {
      node_->restart(group_.clocks(place_));
      set_timer();
      group_.after_restart(place_);
    }

   private:
    template <typename Question>
    void ask(const Question& question) {
      require(outputs_.empty(), "what a node said last was heard before it is asked again");
      question(group_.clocks(place_));
      look_after();
      carry_out();
    }
    void look_after() {
      set_timer();
      group_.after(place_);
    }
    // What it said is taken out first: what is done about it may come back to this very node. Each answer is
    // a step at which a fault may strike: the server dies of it, or connections break that were to be
    // answered next.
    void carry_out() {
      if (outputs_.empty()) {
        return;
      }
      typename NodeType::Outputs outputs = std::exchange(outputs_, {});
      ++speaking_;
      for (typename NodeType::Output& output : outputs) {
        if (is_alive()) {
          std::visit([&](auto& said) { carry_out(said); }, output);
        }
      }
      if (--speaking_ == 0) {
        closed_while_speaking_.clear();
      }
    }
    void carry_out(typename NodeType::Answered& answered) {
      const auto found = std::ranges::find_if(unanswered_, [&](const auto* call) {
        if constexpr (requires { call->request.number; }) {
          if (answered.request != 0 && call->request.number != answered.request) {
            return false;
          }
        }
        return call->request.connection == answered.connection;
      });
      if (found == unanswered_.end()) {
        require(std::ranges::count(closed_while_speaking_, answered.connection) > 0,
                "what is answered was asked, and its connection is there");
        return;
      }
      typename CallsType::Call& call = **found;
      unanswered_.erase(found);
      group_.calls_.respond(call, std::move(answered.answer));
      call.release();
    }
    void carry_out(typename NodeType::Pushed& pushed) {
      const Connection* const end = group_.end_of(pushed.connection);
      if (end != nullptr && !has_closed(pushed.connection)) {
        group_.send_to_client(*this, *end, std::move(pushed.news), pushed.is_noise);
      }
    }
    void carry_out(typename NodeType::Closed& closed) {
      if (const Connection* const end = group_.end_of(closed.connection)) {
        group_.send_to_client(*this, *end, typename Parcel::Ending{});
        closed_by_node_.push_back(closed.connection);
      }
      drop_unanswered(closed.connection);
    }
    void carry_out(typename NodeType::Sent& sent) {
      group_.send_to_member(*this, sent.member, std::move(sent.part));
    }
    bool has_closed(ConnectionId connection) const {
      return std::ranges::find(closed_by_node_, connection) != closed_by_node_.end();
    }
    void drop_unanswered(ConnectionId connection) {
      if (speaking_ > 0) {
        closed_while_speaking_.push_back(connection);
      }
      std::erase_if(unanswered_, [&](auto* call) {
        const bool is_its = call->request.connection == connection;
        if (is_its) {
          call->release();
        }
        return is_its;
      });
    }

    void come_due() {
      timer_.reset();
      ask([&](const NodeClocks& clocks) { node_->advance(clocks, outputs_); });
    }

    NodeGroup& group_;
    ProcessId process_{};
    std::size_t place_ = 0;
    NodeType* node_ = nullptr;
    typename NodeType::Outputs outputs_;
    std::vector<typename CallsType::Call*> unanswered_;  // in the order in which they came
    std::vector<ConnectionId> closed_by_node_;           // and their clients have not said that they know
    std::size_t speaking_ = 0;                           // how deep in carrying out what it said
    std::vector<ConnectionId> closed_while_speaking_;
    std::optional<NodeTimer> timer_;  // for which the ticket is
    Ticket ticket_;
  };

  Member& at(std::size_t member) const {
    require(member < member_count_, "who is asked is a member of this run");
    return *members_[member];
  }
  // nullptr: it broke, or its client is gone.
  Connection* end_of(ConnectionId connection) const {
    const std::size_t place = place_of(connection);
    Connection* const end = place < connections_.size() ? connections_[place] : nullptr;
    return end != nullptr && end->id() == connection ? end : nullptr;
  }

  void break_all(std::size_t member, ProcessId other) {
    for (std::size_t place = 0; place < connections_.size(); ++place) {
      Connection* const end = connections_[place];
      if (end != nullptr && end->client() == other && end->member_ == member) {
        break_one(member, *end);
      }
    }
    if (at(member).is_alive()) {
      at(member).close_unanswered_of(other);
    }
    for (std::size_t peer = 0; peer < member_count_; ++peer) {
      if (process(peer) == other && at(member).is_alive()) {
        at(member).lose(peer);
      }
    }
  }
  void break_one(std::size_t member, Connection& end) {
    if (at(member).is_alive()) {
      at(member).close(end.id());
    }
    ++end.life_;
    if (kernel_.process(end.client()).alive) {
      end.broke(process(member));
    }
  }
  // At once: its client is gone, and no network is asked.
  void close_everywhere(ConnectionId connection) {
    for (std::size_t member = 0; member < member_count_; ++member) {
      if (at(member).is_alive()) {
        at(member).close(connection);
      }
    }
  }
  void say_closed(ConnectionId connection, ProcessId client) {
    for (std::size_t member = 0; member < member_count_; ++member) {
      if (at(member).has_something_of(connection)) {
        network_.send(client, process(member),
                      parcels_.take_to_member(member, member, connection, typename Parcel::Ending{}));
      }
    }
  }

  template <typename Content>
  void send_to_client(const Member& from, const Connection& end, Content content, bool is_noise = false) {
    network_.send(from.process(), end.client(),
                  parcels_.take_to_client(from.place(), end.id(), std::move(content), is_noise));
  }
  void send_to_member(const Member& from, std::size_t to, Part part) {
    network_.send(from.process(), process(to),
                  parcels_.take_to_member(from.place(), to, no_connection, std::move(part)));
  }
  void send_noise(const Connection& end, std::size_t to, Noise noise) {
    network_.send(end.client(), process(to),
                  parcels_.take_to_member(to, to, end.id(), typename Parcel::Murmur{std::move(noise)}));
  }

  bool has_something_of(std::size_t member, ConnectionId connection) const override {
    return at(member).has_something_of(connection);
  }
  void unpack(const Parcel& parcel) override {
    if (const Part* const part = std::get_if<Part>(&parcel.content)) {
      at(parcel.to).hear(parcel.from, *part);
    } else if (const auto* const murmur = std::get_if<typename Parcel::Murmur>(&parcel.content)) {
      at(parcel.to).overhear(parcel.on, murmur->noise);
    } else if (parcel.is_to_member) {
      at(parcel.to).close(parcel.on);
    } else if (Connection* const end = end_of(parcel.on)) {
      if (const News* const news = std::get_if<News>(&parcel.content)) {
        end->hear(*news);
      } else {
        network_.reset_connection(parcel.on, end->client(), process(parcel.from));
      }
    }
  }

  Kernel& kernel_;
  Network& network_;
  CallsType calls_;
  std::vector<std::unique_ptr<Member>> members_;  // the first member_count_ are of this run, the rest spare
  std::size_t member_count_ = 0;
  std::vector<Connection*> connections_;  // by place; nullptr: it was closed
  NodeParcels<Types> parcels_{*this};
};

}  // namespace holdfast
