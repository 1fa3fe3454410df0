#include "harness/cli/story/tell.h"

#include "harness/cli/story/story.h"

namespace holdfast::cli {

void tell(const ToldRun& run, const History& history, const std::vector<ProcessId>& processes, bool json,
          Invocation& invocation) {
  Output& output = invocation.output;
  if (json) {
    output.print(to_json_text(run));
    return;
  }
  output.print(introduction(run, invocation.terminal));
  output.print(story_picture(history, processes, run.report.verdicts, invocation.terminal));
  output.print(conclusion(run, invocation.terminal));
}

}  // namespace holdfast::cli
