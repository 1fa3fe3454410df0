// holdfast merge: puts explorations of several machines together.
#include <memory>

#include "harness/cli/explore/explore_conclusion.h"
#include "harness/cli/terminal/commands.h"
#include "harness/explore/exploration/merge.h"
#include "harness/explore/parallel.h"
#include "harness/files/directory.h"
#include "harness/files/output_file.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> directories;
  std::string out;
  bool json = false;
};

int merge(const MergeOptions& options, Invocation& invocation) {
  if (options.directories.empty()) {
    throw BadInput("merge wants to know which directories; \"holdfast explore --out DIR\" makes them");
  }
  const std::vector<PieceFile> files = piece_files_in(options.directories);
  if (!options.out.empty()) {
    make_directory(options.out, "findings");
  }
  TargetShelf shelf(invocation.shelf);
  return conclude(put_together(files, shelf), {}, shelf,
                  {.out = options.out, .json = options.json, .jobs = default_jobs()}, invocation);
}

}  // namespace

void add_merge_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<MergeOptions>();
  Subcommand(app, "merge", "Puts explorations together that were made in parts.")
      .words("DIR", options->directories, "what holdfast explore --out wrote")
      .option("--out", options->out, "write findings and campaign.json here", "DIR")
      .flag("--json", options->json, "print the findings as JSON")
      .act(chosen, [options](Invocation& invocation) { return merge(*options, invocation); });
}

}  // namespace holdfast::cli
