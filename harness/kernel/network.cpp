#include "harness/kernel/network.h"

#include <algorithm>
#include <utility>

#include "harness/kernel/append.h"

namespace holdfast {

void Network::reset(const Latency& latency, bool reorders) {
  drop_everything();
  latency_ = latency;
  reorders_ = reorders;
  size_ = kernel_.process_count();
  if (links_.size() < size_ * size_) {
    links_.resize(size_ * size_);
  }
  for (std::size_t index = 0; index < size_ * size_; ++index) {
    Link& link = links_[index];
    std::vector<std::uint32_t> held = std::move(link.held);
    held.clear();
    link = Link{};
    link.held = std::move(held);
  }
  listeners_.clear();
  sent_count_ = 0;
  lost_count_ = 0;
}

Network::LinkState Network::take_state(ProcessId from, ProcessId to) {
  Link& link = this->link(from, to);
  return {link.holds,
          link.cuts,
          link.extra,
          std::exchange(link.lose_next, 0),
          std::exchange(link.delay_next, Duration::zero()),
          std::exchange(link.break_next, Breaking::nothing)};
}

void Network::drop_everything() {
  for (Flight& flight : flights_) {
    if (flight.message != nullptr) {
      flight.message->release();
    }
  }
  flights_.clear();
  free_flights_.clear();
  for (Link& link : links_) {
    for (Message* const message : link.to_send_again) {
      message->release();
    }
    link.to_send_again.clear();
  }
}

// Cut off, or lost by order, which is then carried out.
bool Network::is_lost_at_once(Link& link, ProcessId from, ProcessId to, Message& message) {
  const bool is_next = !message.is_noise();
  const bool breaks = is_next && link.break_next != Breaking::nothing;
  if (link.cuts == 0 && !breaks && !(is_next && link.lose_next > 0)) {
    return false;
  }
  link.lose_next -= is_next && link.lose_next > 0 ? 1 : 0;
  ++lost_count_;
  message.retain();
  keep_if_sent_again(from, to, message);
  if (breaks) {
    break_with(from, to, message, std::exchange(link.break_next, Breaking::nothing));
  }
  message.release();  // nobody else may have held it
  return true;
}

void Network::break_with(ProcessId from, ProcessId to, const Message& message, Breaking breaking) {
  if (breaking == Breaking::its_connection && message.connection() != no_connection) {
    reset_connection(message.connection(), from, to);
  } else {
    reset_connections(from, to);
  }
}

void Network::lost_on_arrival(ProcessId from, ProcessId to) {
  require(link(from, to).lose_next > 0, "what is lost on arrival was to be lost");
  --link(from, to).lose_next;
  ++lost_count_;
}

void Network::send(ProcessId from, ProcessId to, Message& message) {
  Link& link = this->link(from, to);
  ++sent_count_;
  if (is_lost_at_once(link, from, to, message)) {
    return;
  }
  const bool is_next = !message.is_noise();
  if (!link.jitter_open) {
    link.jitter =
        kernel_.choices().open({"latency", static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
    link.jitter_open = true;
  }
  const auto jitter = static_cast<std::int64_t>(kernel_.choices().choose(link.jitter, latency_.jitter_steps));
  const Duration delay = latency_.least + latency_.jitter_step * jitter + link.extra;
  Duration arrival = std::max(link.last_arrival, kernel_.now() + delay);
  require(arrival >= kernel_.now(), "nothing arrives before it was sent");
  if (!is_next || link.delay_next == Duration::zero()) {
    link.last_arrival = arrival;
  } else {
    // Its sender gives up on the connection and opens another: what follows does not queue behind it.
    arrival += std::exchange(link.delay_next, Duration::zero());
  }

  if (free_flights_.empty()) {
    append(free_flights_, static_cast<std::uint32_t>(flights_.size()));
    append(flights_, {});
  }
  const std::uint32_t index = free_flights_.back();
  free_flights_.pop_back();
  message.retain();
  flights_[index] = {&message, from, to, kernel_.process(to).incarnation, link.epoch, sent_count_, false};
  kernel_.call_at(
      to, arrival,
      [](void* context, std::uint64_t flight) {
        static_cast<Network*>(context)->land(static_cast<std::uint32_t>(flight));
      },
      this, index);
}

void Network::land(std::uint32_t index) {
  const Flight& flight = flights_[index];
  require(flight.message != nullptr, "what lands is in flight");
  Link& link = this->link(flight.from, flight.to);
  if (flight.epoch != link.epoch || flight.lost) {
    ++lost_count_;
    if (!flight.lost) {
      keep_if_sent_again(flight.from, flight.to, *flight.message);
    }
    free_flight(index);
  } else if (link.holds > 0 || !link.held.empty()) {
    link.held.push_back(index);  // also behind those that are being let go: order is kept
  } else {
    if (reorders_) {
      let_others_go_first(index);
    }
    deliver(index);
  }
}

bool Network::is_next_of_its_link(const Flight& flight) const {
  return std::ranges::none_of(flights_, [&](const Flight& other) {
    return other.message != nullptr && other.from == flight.from && other.to == flight.to &&
           other.number < flight.number;
  });
}

// Whoever goes first takes this arrival, and this message the other's.
void Network::let_others_go_first(std::uint32_t index) {
  const auto followed = [&](const Flight& flight) {
    return std::ranges::any_of(flights_, [&](const Flight& other) {
      return other.message != nullptr && other.from == flight.from && other.to == flight.to &&
             other.number > flight.number;
    });
  };
  for (std::uint32_t other = 0; other < flights_.size(); ++other) {
    const Flight& mine = flights_[index];
    const Flight& theirs = flights_[other];
    if (theirs.message == nullptr || theirs.to != mine.to || theirs.from == mine.from ||
        theirs.number < mine.number || !is_next_of_its_link(theirs) || followed(mine)) {
      continue;
    }
    const Link& their_link = link(theirs.from, theirs.to);
    if (their_link.holds > 0 || !their_link.held.empty() || theirs.epoch != their_link.epoch || theirs.lost) {
      continue;
    }
    Link& pair = link(mine.from, theirs.from);
    if (!pair.defer_open) {
      pair.defer = kernel_.choices().open(
          {"defer", static_cast<std::uint32_t>(mine.from), static_cast<std::uint32_t>(theirs.from)});
      pair.defer_open = true;
    }
    if (kernel_.choices().choose(pair.defer, 2) == 1) {
      std::swap(flights_[index], flights_[other]);
      kernel_.mark(Mark::message_overtaken);
    }
  }
}

void Network::deliver(std::uint32_t index) {
  const Flight flight = flights_[index];
  require(flight.message != nullptr && flight.message->is_kept(),
          "what is delivered is in flight, and kept for it");
  flights_[index].message = nullptr;  // the reference is ours now
  append(free_flights_, index);
  const Process& destination = kernel_.process(flight.to);
  if (destination.alive && destination.incarnation == flight.incarnation) {
    flight.message->arrive();
  } else {
    flight.message->bounce();
  }
  flight.message->release();
}

void Network::free_flight(std::uint32_t index) {
  Message* message = std::exchange(flights_[index].message, nullptr);
  require(message != nullptr, "what is lost was in flight");
  append(free_flights_, index);
  message->release();
}

void Network::let_go(ProcessId from, ProcessId to) {
  Link& link = this->link(from, to);
  require(link.holds > 0, "a link is let go only as often as it was held");
  if (--link.holds == 0) {
    deliver_held_soon(from, to);
  }
}

void Network::mend(ProcessId from, ProcessId to) {
  Link& link = this->link(from, to);
  require(link.cuts > 0, "a link is mended only as often as it was cut");
  link.cuts -= 1;
  send_again(from, to);
}

void Network::keep_if_sent_again(ProcessId from, ProcessId to, Message& message) {
  if (message.is_sent_again()) {
    message.retain();
    link(from, to).to_send_again.push_back(&message);
    send_again(from, to);  // of what was in flight when the link was cut: it may be mended by now
  }
}

void Network::send_again(ProcessId from, ProcessId to) {
  Link& lost_on = link(from, to);
  if (lost_on.cuts > 0) {
    return;
  }
  for (Message* const message : std::exchange(lost_on.to_send_again, {})) {
    if (message->is_sent_again()) {
      send(from, to, *message);
    }
    message->release();
  }
}

void Network::add_latency(ProcessId from, ProcessId to, Duration extra) {
  Link& link = this->link(from, to);
  link.extra += extra;
  require(link.extra >= Duration::zero(), "no more latency is taken away than was added");
}

// Through the queue and one by one: the destination may be paused (also by what it is given), and we may
// stand inside a step.
void Network::deliver_held_soon(ProcessId from, ProcessId to) {
  if (link(from, to).held.empty()) {
    return;
  }
  const std::uint64_t which = index_of(from) * size_ + index_of(to);
  kernel_.call_at(
      to, kernel_.now(),
      [](void* context, std::uint64_t argument) {
        Network& network = *static_cast<Network*>(context);
        Link& link = network.links_[argument];
        if (link.holds > 0 || link.held.empty()) {
          return;  // held again, or cut meanwhile
        }
        const std::uint32_t flight = link.held.front();
        const ProcessId sender = network.flights_[flight].from;
        const ProcessId destination = network.flights_[flight].to;
        link.held.erase(link.held.begin());
        network.deliver(flight);
        network.deliver_held_soon(sender, destination);
      },
      this, which);
}

void Network::cut(ProcessId from, ProcessId to) {
  Link& link = this->link(from, to);
  link.cuts += 1;
  link.epoch += 1;
  for (const std::uint32_t index : link.held) {
    ++lost_count_;
    keep_if_sent_again(from, to, *flights_[index].message);
    free_flight(index);
  }
  link.held.clear();
}

void Network::reset_connections(ProcessId one, ProcessId other) {
  for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}}) {
    cut(from, to);
    mend(from, to);
  }
  for (ResetListener* listener : listeners_) {
    listener->on_reset(one, other);
  }
}

void Network::reset_connection(ConnectionId connection, ProcessId one, ProcessId other) {
  require(connection != no_connection, "what is reset is a connection");
  for (std::uint32_t index = 0; index < flights_.size(); ++index) {
    Flight& flight = flights_[index];
    const bool is_between =
        (flight.from == one && flight.to == other) || (flight.from == other && flight.to == one);
    if (flight.message != nullptr && is_between && flight.message->connection() == connection) {
      flight.lost = true;
      // One that is held has landed already: nobody would look at it again.
      if (std::erase(link(flight.from, flight.to).held, index) > 0) {
        ++lost_count_;
        free_flight(index);
      }
    }
  }
  for (ResetListener* listener : listeners_) {
    listener->on_reset_of(connection, one, other);
  }
}

}  // namespace holdfast
