// Directed links between processes: latency, hold, cut, reset, and what becomes of messages in flight.
//
// Messages on a link arrive in the order they were sent, like bytes of a TCP stream. What can go wrong:
//   hold   nothing arrives until the link is released; then everything does, in order (a stalled
//          network whose TCP retransmits);
//   cut    what is in flight and what is sent meanwhile is lost, silently, but for what its sender's
//          operating system sends again by itself once the link is mended;
//   reset  as cut for what is in flight, and both ends learn that the connection broke;
//   one message delayed or lost, the next one that is sent; alone, or with the connection that carries it.
// Between one pair of processes there is one link each way, which carries all connections between them; a
// reset strikes all of these, or one. The network owns no messages: it keeps a reference while one is in
// flight.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/kernel/kernel.h"

namespace holdfast {

// Something on its way. Counted references; the last one returns it to where it came from.
class Message {
 public:
  Message() = default;
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  // It reached its (living, same-incarnation) destination.
  virtual void arrive() = 0;
  // Its destination was dead or is another incarnation: the sender's connection breaks.
  virtual void bounce() = 0;
  // Which connection it travels on, if it is one that can break by itself.
  virtual ConnectionId connection() const { return no_connection; }
  // Nothing that anybody asked for, such as a ping of a client's library: it travels as all do, but whoever
  // loses or delays the next message means another one.
  virtual bool is_noise() const { return false; }
  // Lost to a cut, it is sent again once the link is mended: nobody waits for it who could ask again. Asked
  // when it is lost, and once more when it could be sent.
  virtual bool is_sent_again() const { return false; }

  void retain() { ++references_; }
  void release() {
    require(references_ > 0, "a message is let go only as often as it was kept");
    if (--references_ == 0) {
      recycle();
    }
  }
  bool is_kept() const { return references_ > 0; }
  // For its owner, between runs.
  void forget_references() { references_ = 0; }

 protected:
  virtual ~Message() = default;
  virtual void recycle() = 0;

 private:
  std::uint32_t references_ = 0;
};

// Told when connections between two processes are reset: all of them, or one.
class ResetListener {
 public:
  ResetListener() = default;
  ResetListener(const ResetListener&) = delete;
  ResetListener& operator=(const ResetListener&) = delete;
  virtual ~ResetListener() = default;
  virtual void on_reset(ProcessId one, ProcessId other) = 0;
  virtual void on_reset_of(ConnectionId connection, ProcessId one, ProcessId other) = 0;
};

// What breaks as a message is lost on its way.
enum class Breaking : std::uint8_t { nothing, its_connection, all_connections };

struct Latency {
  Duration least = 200us;
  // Added on top: one of `jitter_steps` equally likely multiples of `jitter_step`.
  Duration jitter_step = 25us;
  std::uint64_t jitter_steps = 8;
};
// Inside one process.
inline constexpr Latency no_latency{Duration::zero(), Duration::zero(), 1};

class Network {
 public:
  explicit Network(Kernel& kernel) : kernel_(kernel) {}
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network() { drop_everything(); }

  // Call once all processes of the run exist: makes the links between them, all open.
  // `reorders`: a message about to arrive may let others go first that are on their way to the same process
  // from elsewhere; choose("defer(from,other)", 2) says whether it does, `other` being who sent that one.
  // What goes to different processes is never asked about, for its order makes no difference to them.
  void reset(const Latency& latency, bool reorders = false);
  void listen(ResetListener& listener) { listeners_.push_back(&listener); }

  void send(ProcessId from, ProcessId to, Message& message);

  void hold(ProcessId from, ProcessId to) { link(from, to).holds += 1; }
  void let_go(ProcessId from, ProcessId to);
  void cut(ProcessId from, ProcessId to);
  void mend(ProcessId from, ProcessId to);
  void reset_connections(ProcessId one, ProcessId other);
  // Only this one: what travels on others is not touched.
  void reset_connection(ConnectionId connection, ProcessId one, ProcessId other);
  // Added to the latency of everything sent from now on (negative takes it away again).
  void add_latency(ProcessId from, ProcessId to, Duration extra);
  // The next message sent over the link, but for noise, is delayed (what follows overtakes it, as on a new
  // connection) / lost / lost as its connection breaks, or all between the two do.
  void delay_next(ProcessId from, ProcessId to, Duration extra) { link(from, to).delay_next += extra; }
  void lose_next(ProcessId from, ProcessId to) { link(from, to).lose_next += 1; }
  void break_next(ProcessId from, ProcessId to, Breaking breaking) { link(from, to).break_next = breaking; }
  // How many are to be lost; and that one of them was, which had arrived when it was ordered.
  std::uint32_t still_to_lose(ProcessId from, ProcessId to) { return link(from, to).lose_next; }
  void lost_on_arrival(ProcessId from, ProcessId to);

  // What a link does to messages now, for whoever carries them instead (`live`). What is ordered for the next
  // message only is handed over with it.
  struct LinkState {
    std::uint32_t holds = 0;
    std::uint32_t cuts = 0;
    Duration extra{0};
    std::uint32_t lose_next = 0;
    Duration delay_next{0};
    Breaking break_next = Breaking::nothing;
  };
  LinkState take_state(ProcessId from, ProcessId to);

  std::uint64_t sent_count() const { return sent_count_; }
  std::uint64_t lost_count() const { return lost_count_; }

  // Lets go of every message, before whoever owns them goes away.
  void drop_everything();

 private:
  struct Link {
    StreamId jitter{};
    StreamId defer{};  // of `from` before a message of `to`'s
    bool jitter_open = false;
    bool defer_open = false;
    std::uint32_t holds = 0;
    std::uint32_t cuts = 0;
    std::uint32_t lose_next = 0;
    Breaking break_next = Breaking::nothing;
    std::uint32_t epoch = 0;  // messages of an older epoch were lost to a cut
    Duration extra{0};
    Duration delay_next{0};
    Duration last_arrival{0};
    std::vector<std::uint32_t> held;      // flights that arrived while the link was held, in order
    std::vector<Message*> to_send_again;  // kept while the link is cut, in order
  };
  struct Flight {
    Message* message = nullptr;
    ProcessId from{};
    ProcessId to{};
    std::uint32_t incarnation = 0;
    std::uint32_t epoch = 0;
    std::uint64_t number = 0;  // counts what was sent
    bool lost = false;         // its connection broke on the way
  };

  Link& link(ProcessId from, ProcessId to) {
    require(index_of(from) < size_ && index_of(to) < size_, "a link joins two processes of this run");
    return links_[index_of(from) * size_ + index_of(to)];
  }
  bool is_lost_at_once(Link& link, ProcessId from, ProcessId to, Message& message);
  void break_with(ProcessId from, ProcessId to, const Message& message, Breaking breaking);
  void land(std::uint32_t flight);
  void let_others_go_first(std::uint32_t flight);
  bool is_next_of_its_link(const Flight& flight) const;
  void deliver(std::uint32_t flight);
  void deliver_held_soon(ProcessId from, ProcessId to);
  void keep_if_sent_again(ProcessId from, ProcessId to, Message& message);
  void send_again(ProcessId from, ProcessId to);
  void free_flight(std::uint32_t flight);

  Kernel& kernel_;
  Latency latency_;
  bool reorders_ = false;
  std::size_t size_ = 0;
  std::vector<Link> links_;
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_flights_;
  std::vector<ResetListener*> listeners_;
  std::uint64_t sent_count_ = 0;
  std::uint64_t lost_count_ = 0;
};

}  // namespace holdfast
