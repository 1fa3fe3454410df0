// A history of one's own, in memory: client 1 is granted the lock while client 0 still has it.
#include <holdfast/check.h>

#include <cstdio>
#include <vector>

int main() {
  using enum holdfast::CallEventType;
  using holdfast::Action;
  const std::vector<holdfast::CallEvent> events{
      {.type = invoke, .action = Action::acquire, .client = 0},
      {.type = ok, .action = Action::acquire, .client = 0},
      {.type = invoke, .action = Action::acquire, .client = 1},
      {.type = ok, .action = Action::acquire, .client = 1},
  };
  const auto result = holdfast::linear::check_events(events, {.model = holdfast::linear::OwnerMutex{}});
  const auto* const report = std::get_if<holdfast::linear::CheckReport>(&result);
  if (report == nullptr) {
    std::puts(std::get<std::string>(result).c_str());
    return 2;
  }
  std::printf("the lock: %s\n", to_text(report->service()).data());
  std::printf("held by two at once: %s\n", report->believed_at_once() ? "yes" : "no");
}
