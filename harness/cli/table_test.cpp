#include "harness/cli/table.h"

#include <gtest/gtest.h>

namespace holdfast::cli {
namespace {

TEST(Table, AlignsColumnsByDisplayWidth) {
  Table table({"id", "fair", "summary"});
  table.add_row({"redis-setnx", "–", "SETNX and DEL"});
  table.add_row({"fair", "✓", "a queue"});
  EXPECT_EQ(table.text(Terminal{}),
            "id           fair  summary\n"
            "redis-setnx  –     SETNX and DEL\n"
            "fair         ✓     a queue\n");
}

TEST(Table, PutsTitlesOfSeveralLinesOnTheBottom) {
  Table table({"id", "owner\nchecked", "x"});
  table.add_row({"a", "b", "c"});
  EXPECT_EQ(table.text(Terminal{}),
            "    owner\n"
            "id  checked  x\n"
            "a   b        c\n");
}

TEST(Table, ShortensOnlyTheLastColumn) {
  Table table({"id", "summary"});
  table.add_row({"redis-setnx", "SETNX and DEL without any time to live at all"});
  EXPECT_EQ(table.text(Terminal{false, 40}),
            "id           summary\n"
            "redis-setnx  SETNX and DEL without any…\n");
}

TEST(Table, PartsGroupsByHeadingsThatWidenNothing) {
  Table table({"id", "x"});
  table.add_heading("Locks on Redis");
  table.add_row({"a", "b"});
  EXPECT_EQ(table.text(Terminal{}), "id  x\nLocks on Redis\na   b\n");
}

}  // namespace
}  // namespace holdfast::cli
