// A run of `sim` once more with real servers, and whether they did the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "harness/scenario/simulation.h"

namespace holdfast::cli {

struct Confirmation {
  bool is_confirmed = false;
  std::string server;      // "redis-server 7.0.15"
  std::string difference;  // where they part, if they do
  std::size_t events = 0;  // that were the same
  RunReport modelled;      // what came out with the models
  RunReport real;          // and with the real servers
  double real_seconds = 0;
};

// `strategy` makes the choices of each of the two runs; none: the seed does. Throws BadInput if there is no
// world warp on this machine, and what trouble with the servers throws.
Confirmation confirm(RunRequest request, const std::function<std::unique_ptr<Strategy>()>& strategy);

// One paragraph: confirmed on what, or not and where they part.
std::string to_text(const Confirmation& confirmation);

}  // namespace holdfast::cli
