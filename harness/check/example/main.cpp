// A history of one's own, in memory: client 1 is granted the lock while client 0 still has it.
#include <holdfast/check.h>

#include <iostream>
#include <vector>

int main() {
  using enum holdfast::CallEventType;
  using enum holdfast::Action;
  const std::vector<holdfast::CallEvent> events{
      {.type = invoke, .action = acquire, .client = 0},
      {.type = ok, .action = acquire, .client = 0},
      {.type = invoke, .action = acquire, .client = 1},
      {.type = ok, .action = acquire, .client = 1},
  };
  holdfast::linear::CheckOptions options;
  options.model = holdfast::linear::OwnerMutex{};
  const auto result = holdfast::linear::check_events(events, options);
  if (const auto* const problem = std::get_if<std::string>(&result)) {
    std::cerr << *problem << '\n';
    return 2;
  }
  const auto& report = std::get<holdfast::linear::CheckReport>(result);
  std::cout << "the lock: " << to_text(report.service()) << '\n';
  std::cout << "held by two at once: " << (report.believed_at_once() ? "yes" : "no") << '\n';
}
