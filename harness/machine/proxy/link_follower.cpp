#include "harness/machine/proxy/link_follower.h"

namespace holdfast::live {

void LinkFollower::follow(Direction direction, const Network::LinkState& state) {
  Network::LinkState& before = followed_[static_cast<std::size_t>(direction)];
  for (std::uint32_t count = before.holds; count < state.holds; ++count) {
    proxy_.hold(direction);
  }
  for (std::uint32_t count = state.holds; count < before.holds; ++count) {
    proxy_.let_go(direction);
  }
  for (std::uint32_t count = before.cuts; count < state.cuts; ++count) {
    proxy_.cut(direction);
  }
  for (std::uint32_t count = state.cuts; count < before.cuts; ++count) {
    proxy_.mend(direction);
  }
  if (state.extra != before.extra) {
    proxy_.add_delay(direction, state.extra - before.extra);
  }
  before = state;
}

void LinkFollower::order_next(Direction direction, const Network::LinkState& state) {
  for (std::uint32_t count = 0; count < state.lose_next; ++count) {
    proxy_.lose_next(direction);
  }
  if (state.delay_next > Duration::zero()) {
    proxy_.delay_next(direction, state.delay_next);
  }
  if (state.break_next != Breaking::nothing) {
    proxy_.break_next(direction, state.break_next);
  }
}

}  // namespace holdfast::live
