#include "harness/cli/terminal/world.h"

#include <fmt/format.h>

#include <vector>

#include "harness/machine/clock/launch.h"
#include "harness/text/bad_input.h"
#include "harness/text/suggest.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {

World::World(const std::string& name, const live::ServerPrograms& programs) {
  is_live_ = name == "live";
  if (name == "sim" || is_live_) {
    return;
  }
  if (name != "warp") {
    throw BadInput(fmt::format("--world takes sim, warp or live, not \"{}\"{}",
                               shortened(printable(name), 60),
                               did_you_mean_text(name, std::vector<std::string>{"sim", "warp", "live"})));
  }
  if (const std::string reason = why_no_virtual_time(ClockWay::libc); !reason.empty()) {
    throw BadInput("there is no world warp on this machine: " + reason);
  }
  servers_ = std::make_unique<RealServerSet>(programs);
}

}  // namespace holdfast::cli
