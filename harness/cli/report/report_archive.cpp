#include "harness/cli/report/report_archive.h"

// HOLDFAST_REPORT_ARCHIVE is the archive's file, named by the build, which compiles this again when it
// changes.
asm(R"(
  .pushsection .rodata
  .globl holdfast_report_archive_start
  .hidden holdfast_report_archive_start
  .globl holdfast_report_archive_end
  .hidden holdfast_report_archive_end
  .balign 16
holdfast_report_archive_start:
  .incbin ")" HOLDFAST_REPORT_ARCHIVE R"("
holdfast_report_archive_end:
  .popsection
)");

extern "C" {
extern const char holdfast_report_archive_start[];
extern const char holdfast_report_archive_end[];
}

namespace holdfast::cli {

std::string_view report_archive() {
  return {holdfast_report_archive_start, holdfast_report_archive_end};
}

}  // namespace holdfast::cli
