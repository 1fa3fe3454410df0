// Makes a proxy do to real messages what a link of the kernel's network does to simulated ones.
#pragma once

#include "harness/kernel/network.h"
#include "harness/machine/proxy/proxy.h"

namespace holdfast::live {

class LinkFollower {
 public:
  // `proxy` must outlive it, and takes such orders from nobody else.
  explicit LinkFollower(Proxy& proxy) : proxy_(proxy) {}

  // What stays until it is taken back.
  void follow(Direction direction, const Network::LinkState& state);
  // What is for the next message only.
  void order_next(Direction direction, const Network::LinkState& state);

 private:
  Proxy& proxy_;
  Network::LinkState followed_[2];
};

}  // namespace holdfast::live
