// The fast check of what has permits and no owners: a semaphore, or a mutex that anybody may release.
//
// Lazily: a call takes effect only when it must, on its return. If there is no permit for an acquire then,
// some release that is open must have happened just before, and the other way round. Which one is left open:
// the call that returns first of those that were open then (earliest deadline first) will turn out to be the
// one.
//
// What a client that died perhaps held may be let go, if it was held: from then on, too many grants are for
// the search to judge.
#pragma once

#include "harness/check/linear/fast.h"

namespace holdfast::linear {

class CountCheck final : public FastCheck {
 public:
  CountCheck(std::uint32_t permits, Reading reading) : permits_(permits), reading_(reading) {}

  std::unique_ptr<FastCheck> clone() const override { return std::make_unique<CountCheck>(*this); }
  void set_reading(Reading reading) override { reading_ = reading; }

 private:
  // Calls of one kind, acquires or releases, that have not returned or never will.
  struct Side {
    std::vector<Position> open;      // when they were invoked, ascending
    std::vector<Position> advanced;  // when one of them must have happened, without saying which; ascending

    // One of the open calls happens now. False if there is none left for it.
    bool advance(Position now);
    // The call has returned or failed; true if it was one of those that had happened already.
    bool close(Position invoked, bool happened);
    // Whether each advance can be one of the calls that are left.
    bool is_explained() const;
  };

  void on_new_client() override {
    held_.push_back(0);
    perhaps_held_.push_back(0);
  }
  void on_invoke(const CallEvent& event, Position position) override;
  void on_return(const CallEvent& event, Position position) override;
  void on_ended(const CallEvent& event, Position position) override;
  void happen(bool acquires, const CallEvent& event, Position position);
  void refuse(bool acquires, const CallEvent& event, Position position);
  void set_taken(std::uint32_t taken, Position position);
  void note_hold(const CallEvent& event, Position position);
  void note_release(const CallEvent& event);
  void blame(bool grants, const CallEvent& event, Position position);

  std::uint32_t permits_;
  Reading reading_;
  std::uint32_t taken_ = 0;
  bool was_ever_full_ = false;
  bool was_ever_empty_ = false;
  Position last_full_ = 0;  // when it was last seen full, and is no longer
  Position last_empty_ = 0;
  Side acquires_;
  Side releases_;
  std::vector<std::uint32_t> held_;          // by client
  std::vector<std::uint32_t> perhaps_held_;  // likewise; nobody knows
  bool may_be_let_go_ = false;               // something that is perhaps held
  // For the witness: grants that no release has answered to, and the last release.
  std::vector<Session> holds_;
  Session last_release_;
};

}  // namespace holdfast::linear
