#include "harness/cli/terminal/table.h"

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

Table table_with_long_text() {
  Table table({"id", "summary"});
  table.add_row({"redis-setnx", "SETNX and DEL without any time to live at all"});
  return table;
}

TEST(Table, WrapsTheLastColumnOnANarrowTerminal) {
  EXPECT_EQ(table_with_long_text().text(Terminal{false, 45, true}),
            "id           summary\n"
            "redis-setnx  SETNX and DEL without any time\n"
            "               to live at all\n");
}

TEST(Table, PutsTheLastColumnBelowWhenThereIsNoRoomBeside) {
  EXPECT_EQ(table_with_long_text().text(Terminal{false, 40, true}),
            "id           summary\n"
            "redis-setnx\n"
            "    SETNX and DEL without any time to\n"
            "      live at all\n");
}

TEST(Table, KeepsARowOnOneLineForOtherPrograms) {
  EXPECT_EQ(table_with_long_text().text(Terminal{false, 40, false}),
            "id           summary\n"
            "redis-setnx  SETNX and DEL without any time to live at all\n");
}

TEST(Table, PartsGroupsByHeadingsThatWidenNothing) {
  Table table({"id", "x"});
  table.add_heading("Locks on Redis");
  table.add_row({"a", "b"});
  EXPECT_EQ(table.text(Terminal{}), "id  x\nLocks on Redis\na   b\n");
}

}  // namespace
}  // namespace holdfast::cli
