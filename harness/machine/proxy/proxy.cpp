#include "harness/machine/proxy/proxy.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/net/peer.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;
using Problem = boost::system::error_code;

constexpr std::size_t bytes_per_read = 16'384;

constexpr Direction both[] = {Direction::to_server, Direction::to_client};

// The peer gets a reset, not an orderly end.
void break_off(tcp::socket& socket) {
  Problem ignored;
  socket.set_option(boost::asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

}  // namespace

// A client's connection and the one to the server that belongs to it.
class Proxy::Connection final : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Proxy& owner, tcp::socket client, std::uint32_t number)
      : owner_(&owner),
        number_(number),
        wire_(owner.options_.make_wire()),
        client_(std::move(client)),
        server_(owner.context_),
        ways_{Way(owner.context_), Way(owner.context_)} {}

  void start(const tcp::endpoint& target) {
    Problem ignored;
    client_.set_option(tcp::no_delay(true), ignored);
    server_.async_connect(target, [self = shared_from_this()](const Problem& problem) {
      if (problem || !self->is_open()) {
        Proxy* const told = problem ? self->owner_ : nullptr;
        self->reset();
        if (told != nullptr && told->options_.unreachable) {
          told->options_.unreachable(problem);
        }
        return;
      }
      Problem no_matter;
      self->server_.set_option(tcp::no_delay(true), no_matter);
      self->greet();
      for (const Direction direction : both) {
        self->read(direction);
      }
    });
  }

  std::uint32_t number() const { return number_; }
  void reset() {
    owner_ = nullptr;
    for (Way& each : ways_) {
      each.timer.cancel();
    }
    break_off(client_);
    break_off(server_);
  }

  bool is_open() const { return owner_ != nullptr; }

  // A message is on its way in the proxy; or is no more.
  void count_under_way(Direction direction, int change) {
    int& under_way = way(direction).under_way;
    under_way += change;
    require(under_way >= 0, "no more messages leave the proxy than came into it");
    close_if_through();
  }

  // Lets it arrive after a while, behind what came before it.
  void delay(Direction direction, std::uint32_t epoch, Duration by, Parcel message) {
    Way& on = way(direction);
    if (by <= Duration::zero() && on.delayed.empty()) {
      owner_->arrive(shared_from_this(), direction, epoch, std::move(message));
      return;
    }
    ++on.under_way;
    on.delayed.push_back({Time::now() + by, epoch, std::move(message)});
    if (on.delayed.size() == 1) {
      wait_for_first(direction);
    }
  }

  void write(Direction direction, Parcel message) {
    Way& to = way(direction);
    to.outbox.push_back(std::move(message));
    if (to.outbox.size() == 1) {
      write_first(direction);
    }
  }

 private:
  using Time = std::chrono::steady_clock;
  struct Delayed {
    Time::time_point due;
    std::uint32_t epoch;
    Parcel message;
  };
  struct Way {
    explicit Way(boost::asio::io_context& context) : timer(context) {}
    boost::asio::steady_timer timer;
    std::deque<Delayed> delayed;
    std::string inbox;  // read, not yet a whole message
    std::deque<Parcel> outbox;
    int under_way = 0;   // delayed or held
    bool ended = false;  // nothing more will be read
    std::array<char, bytes_per_read> buffer{};
  };

  Way& way(Direction direction) { return ways_[static_cast<std::size_t>(direction)]; }
  tcp::socket& source(Direction direction) { return direction == Direction::to_server ? client_ : server_; }
  tcp::socket& sink(Direction direction) { return direction == Direction::to_server ? server_ : client_; }

  void read(Direction direction) {
    source(direction).async_read_some(
        boost::asio::buffer(way(direction).buffer),
        [self = shared_from_this(), direction](const Problem& problem, std::size_t size) {
          if (!self->is_open()) {
            return;
          }
          if (problem) {
            self->source_ended(direction);
            return;
          }
          self->way(direction).inbox.append(self->way(direction).buffer.data(), size);
          self->take_messages(direction);
          self->refuse_endless_message(direction);
          if (self->is_open()) {
            self->read(direction);
          }
        });
  }

  void refuse_endless_message(Direction direction) {
    if (is_open() && way(direction).inbox.size() > owner_->options_.most_waiting_bytes) {
      const Proxy& owner = *owner_;
      reset();
      owner.complain_of_bytes();
    }
  }

  void greet() {
    if (std::string greeting = wire_->greeting(); !greeting.empty()) {
      write(Direction::to_server, Parcel(std::move(greeting), owner_->waiting_));
    }
  }

  // Nothing: it is not all there, or was nonsense. Of that from a client (anybody can connect to a port) only
  // the connection comes to an end; a server must know better.
  std::optional<WireMessage> next_message(Direction direction) {
    const std::string& inbox = way(direction).inbox;
    try {
      std::optional<WireMessage> message = wire_->feed(direction, inbox);
      require(!message || (message->length > 0 && message->length <= inbox.size()),
              "a message is made of bytes that have come");
      return message;
    } catch (const LiveError& problem) {
      if (direction == Direction::to_client) {
        const std::string& name = owner_->options_.server_name;
        throw LiveError((name.empty() ? "" : name + ": ") + problem.what());
      }
      reset();
      return std::nullopt;
    }
  }

  void take_messages(Direction direction) {
    std::string& inbox = way(direction).inbox;
    try {
      while (is_open()) {
        std::optional<WireMessage> message = next_message(direction);
        if (!message) {
          return;
        }
        std::string bytes = inbox.substr(0, message->length);
        inbox.erase(0, message->length);
        if (!message->is_for_the_proxy) {
          message->connection = number_;
          owner_->pass(shared_from_this(), direction, *message, std::move(bytes));
        }
      }
    } catch (const LiveError& problem) {
      if (!is_open()) {
        throw;  // it was complained of already
      }
      owner_->options_.complain(problem.what());
      reset();
    }
  }

  void wait_for_first(Direction direction) {
    Way& on = way(direction);
    on.timer.expires_at(on.delayed.front().due);
    on.timer.async_wait([self = shared_from_this(), direction](const Problem&) {
      if (self->is_open()) {
        self->first_arrives(direction);
      }
    });
  }

  void first_arrives(Direction direction) {
    Way& on = way(direction);
    Delayed first = std::move(on.delayed.front());
    on.delayed.pop_front();
    if (!on.delayed.empty()) {
      wait_for_first(direction);
    }
    owner_->arrive(shared_from_this(), direction, first.epoch, std::move(first.message));
    count_under_way(direction, -1);
  }

  void source_ended(Direction direction) {
    if (direction == Direction::to_client) {
      reset();  // the server died or threw us out: its client learns of it at once
      return;
    }
    way(direction).ended = true;
    close_if_through();
  }

  // A client that left does not take back what it sent.
  void close_if_through() {
    const Way& requests = way(Direction::to_server);
    if (is_open() && requests.ended && requests.under_way == 0 && requests.outbox.empty()) {
      owner_ = nullptr;
      Problem ignored;
      server_.shutdown(tcp::socket::shutdown_send, ignored);
      server_.close(ignored);
      client_.close(ignored);
    }
  }

  void write_first(Direction direction) {
    boost::asio::async_write(sink(direction), boost::asio::buffer(way(direction).outbox.front().bytes()),
                             [self = shared_from_this(), direction](const Problem& problem, std::size_t) {
                               self->written(direction, problem);
                             });
  }

  void written(Direction direction, const Problem& problem) {
    Way& to = way(direction);
    to.outbox.pop_front();
    if (!is_open()) {
      return;
    }
    if (problem) {
      if (direction == Direction::to_server) {
        reset();
      }
      return;  // the client is gone; what it sent still counts
    }
    if (!to.outbox.empty()) {
      write_first(direction);
    }
    close_if_through();
  }

  Proxy* owner_;  // nullptr: closed
  std::uint32_t number_;
  std::unique_ptr<Wire> wire_;
  tcp::socket client_;
  tcp::socket server_;
  std::array<Way, 2> ways_;
};

Proxy::Proxy(boost::asio::io_context& context, ProxyOptions options)
    : context_(context), options_(std::move(options)), acceptor_(context) {
  require(options_.make_wire != nullptr, "a proxy knows how to read what it carries");
  try {
    acceptor_.open(tcp::v4());
    acceptor_.bind({boost::asio::ip::address_v4::loopback(), 0});
    acceptor_.listen();
  } catch (const boost::system::system_error& problem) {
    throw LiveError(std::string("no port of the loopback address can be listened on: ") + problem.what());
  }
  accept();
}

Proxy::~Proxy() {
  for (const std::weak_ptr<Connection>& each : connections_) {
    if (const auto connection = each.lock()) {
      connection->reset();
    }
  }
}

void Proxy::accept() {
  acceptor_.async_accept([this](const Problem& problem, tcp::socket client) {
    if (problem == boost::asio::error::operation_aborted) {
      return;  // `this` may be gone
    }
    if (problem && problem != boost::asio::error::connection_aborted) {
      // Whoever knocks would go on knocking, and be refused for ever.
      options_.complain("the proxy is overloaded: it cannot take a connection: " + problem.message() + ".");
      return;
    }
    if (!problem) {
      take(std::move(client));
    }
    accept();
  });
}

void Proxy::take(tcp::socket client) {
  std::erase_if(connections_, [](const auto& each) { return each.expired(); });
  if (!is_of_our_user(client.native_handle())) {
    break_off(client);
    return;
  }
  if (connections_.size() >= options_.most_connections) {
    break_off(client);
    options_.complain(fmt::format(
        "the proxy is overloaded: a client thread has more than {} connections to one server at a time.",
        options_.most_connections));
    return;
  }
  const auto target = options_.target();
  if (!target) {
    break_off(client);
    return;
  }
  const auto connection = std::make_shared<Connection>(*this, std::move(client), ++connections_taken_);
  connections_.push_back(connection);
  connection->start(*target);
}

void Proxy::complain_of_bytes() const {
  options_.complain(fmt::format(
      "the proxy is overloaded: more than {} bytes wait in it to be delivered; use fewer or slower clients.",
      options_.most_waiting_bytes));
}

void Proxy::pass(const std::shared_ptr<Connection>& connection, Direction direction,
                 const WireMessage& message, std::string bytes) {
  require(message.kind != MessageKind::request || direction == Direction::to_server,
          "only a client asks something");
  require((message.kind != MessageKind::answer && message.kind != MessageKind::push) ||
              direction == Direction::to_client,
          "only a server answers something, or pushes it");
  if (options_.watch) {
    options_.watch(direction, message);
  }
  const bool counts = message.kind != MessageKind::noise;
  Line& on = line(direction);
  const Breaking breaking = counts ? std::exchange(on.break_next, Breaking::nothing) : Breaking::nothing;
  if (breaking == Breaking::its_connection) {
    connection->reset();
  } else if (breaking == Breaking::all_connections) {
    reset_connections();
  }
  if (on.cuts > 0 || (counts && on.lose_next > 0)) {
    on.lose_next -= counts && on.lose_next > 0 ? 1 : 0;
    return;
  }
  if (!connection->is_open()) {
    return;
  }
  Parcel parcel(std::move(bytes), waiting_);
  if (*waiting_ > options_.most_waiting_bytes) {
    connection->reset();
    complain_of_bytes();
    return;
  }
  if (on.delay_next == Duration::zero() || !counts) {
    connection->delay(direction, on.epoch, on.extra, std::move(parcel));
    return;
  }
  // What follows overtakes it, as on a new connection.
  connection->count_under_way(direction, 1);
  auto timer = std::make_shared<boost::asio::steady_timer>(
      context_, on.extra + std::exchange(on.delay_next, Duration::zero()));
  timer->async_wait([this, timer, connection, direction, epoch = on.epoch,
                     held = std::move(parcel)](const Problem&) mutable {
    if (connection->is_open()) {
      arrive(connection, direction, epoch, std::move(held));
      connection->count_under_way(direction, -1);
    }
  });
}

void Proxy::arrive(const std::shared_ptr<Connection>& connection, Direction direction, std::uint32_t epoch,
                   Parcel message) {
  Line& on = line(direction);
  if (epoch != on.epoch) {
    return;
  }
  if (on.holds > 0) {
    connection->count_under_way(direction, 1);
    on.held.push_back({connection, std::move(message)});
    return;
  }
  connection->write(direction, std::move(message));
}

void Proxy::let_go(Direction direction) {
  Line& on = line(direction);
  require(on.holds > 0, "only what is held is let go");
  if (--on.holds > 0) {
    return;
  }
  for (Held& each : std::exchange(on.held, {})) {
    if (each.connection->is_open()) {
      each.connection->write(direction, std::move(each.message));
      each.connection->count_under_way(direction, -1);
    }
  }
}

void Proxy::cut(Direction direction) {
  Line& on = line(direction);
  ++on.cuts;
  ++on.epoch;
  for (const Held& each : std::exchange(on.held, {})) {
    each.connection->count_under_way(direction, -1);
  }
}

void Proxy::mend(Direction direction) {
  require(line(direction).cuts > 0, "only what is cut is mended");
  --line(direction).cuts;
}

void Proxy::add_delay(Direction direction, Duration extra) {
  line(direction).extra += extra;
  require(line(direction).extra >= Duration::zero(), "no message arrives before it was sent");
}

void Proxy::reset_connection(std::uint32_t number) {
  for (const std::weak_ptr<Connection>& each : connections_) {
    if (const auto connection = each.lock(); connection != nullptr && connection->number() == number) {
      connection->reset();
    }
  }
}

void Proxy::reset_connections() {
  for (const std::weak_ptr<Connection>& each : std::exchange(connections_, {})) {
    if (const auto connection = each.lock()) {
      connection->reset();
    }
  }
}

}  // namespace holdfast::live
