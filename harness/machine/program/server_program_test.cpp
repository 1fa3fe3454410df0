// Which program a server is started by: found by name, at a path, in a tree; what cannot be is one sentence.
//
// The trees are made of links to this machine's own loader and libraries, so that a program of them really
// starts.
#include "harness/machine/program/server_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/machine/process/child.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"

namespace holdfast::live {
namespace server_program_test {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* system_libraries = "/usr/lib/x86_64-linux-gnu";
constexpr const char* system_loader = "/lib64/ld-linux-x86-64.so.2";

class ServerProgramTest : public testing::Test {
 protected:
  void make_tree(bool with_loader = true) {
    fs::create_directories(tree / "usr/bin");
    fs::create_directories(tree / "usr/lib");
    if (with_loader) {
      fs::create_directory_symlink(system_libraries, tree / "usr/lib/x86_64-linux-gnu");
      fs::create_directory(tree / "lib64");
      fs::create_symlink(system_loader, tree / "lib64/ld-linux-x86-64.so.2");
    }
  }
  // A name for the shell, which says by which name it was called.
  void add_shell(const std::string& name) { fs::create_symlink("/bin/sh", tree / "usr/bin" / name); }

  static std::string trouble(const fs::path& place, const std::vector<std::string>& names) {
    try {
      const ServerProgram program(place, names);
    } catch (const LiveError& problem) {
      return problem.what();
    }
    return "none";
  }

  // What it prints.
  std::string output_of(const ServerProgram& program, const std::vector<std::string>& arguments) const {
    ChildOptions options;
    options.arguments = program.command();
    options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
    options.output = directory.path() / "output";
    Child child(options);
    while (child.is_running()) {
      usleep(1000);
    }
    return last_lines(options.output);
  }

  TemporaryDirectory directory;
  fs::path tree = directory.path() / "tree";
};

TEST_F(ServerProgramTest, AName) {
  const ServerProgram program("redis-server");
  EXPECT_THAT(program.command(), ElementsAre("redis-server"));
  EXPECT_EQ(program.name(), "redis-server");
  EXPECT_EQ(program.place(), "");
}

TEST_F(ServerProgramTest, AProgramAtAPath) {
  const ServerProgram program("/bin/sh", {"redis-server"});
  EXPECT_THAT(program.command(), ElementsAre("/bin/sh"));
  EXPECT_EQ(program.name(), "sh");
  EXPECT_EQ(program.place(), "/bin/sh");
}

TEST_F(ServerProgramTest, AProgramOfATreeIsStartedByTheTreesLoaderUnderItsOwnName) {
  make_tree();
  add_shell("valkey-server");
  const ServerProgram program(tree, {"redis-server", "valkey-server"});
  EXPECT_EQ(program.name(), "valkey-server");
  EXPECT_THAT(program.command(), ElementsAre((tree / "lib64/ld-linux-x86-64.so.2").string(), "--library-path",
                                             HasSubstr((tree / "usr/lib/x86_64-linux-gnu").string()),
                                             (tree / "usr/bin/valkey-server").string()));
  // Not the file behind the link: valkey-server is a link to valkey-check-rdb, and looks how it was called.
  EXPECT_THAT(output_of(program, {"-c", "echo \"$0\"; readlink /proc/$$/exe"}),
              EndsWith("ld-linux-x86-64.so.2"));
  EXPECT_THAT(output_of(program, {"-c", "echo \"I am $0\"", "me"}), HasSubstr("I am me"));
}

TEST_F(ServerProgramTest, TheFirstOfTheNamesIsTaken) {
  make_tree();
  add_shell("valkey-server");
  add_shell("redis-server");
  EXPECT_EQ(ServerProgram(tree, {"redis-server", "valkey-server"}).name(), "redis-server");
}

TEST_F(ServerProgramTest, AScriptOfATreeNeedsNoLoader) {
  make_tree(false);
  const fs::path script = tree / "usr/bin/redis-server";
  std::ofstream(script) << "#!/bin/sh\necho \"with $1\"\n";
  fs::permissions(script, fs::perms::owner_all);
  const ServerProgram program(tree, {"redis-server"});
  EXPECT_THAT(program.command(), ElementsAre(script.string()));
  EXPECT_EQ(output_of(program, {"words"}), "with words");
}

TEST_F(ServerProgramTest, WhatCannotBeIsSaid) {
  EXPECT_THAT(trouble("/no/such/file", {"x"}), HasSubstr("there is no program /no/such/file."));
  std::ofstream(directory.path() / "text") << "text";
  EXPECT_THAT(trouble(directory.path() / "text", {"x"}), HasSubstr("is no program that may be run"));
  EXPECT_THAT(trouble("/dev/null", {"x"}), HasSubstr("is no program that may be run"));
  make_tree(false);
  EXPECT_THAT(trouble(tree, {"redis-server", "valkey-server"}),
              HasSubstr("has no redis-server and no valkey-server in its usr/bin"));
  add_shell("redis-server");
  EXPECT_THAT(trouble(tree, {"redis-server"}), HasSubstr("has no ld-linux-x86-64.so.2"));
  fs::create_directory(directory.path() / "a:b");
  fs::rename(tree, directory.path() / "a:b/tree");
  EXPECT_THAT(trouble(directory.path() / "a:b/tree", {"redis-server"}), HasSubstr("colon"));
}

TEST_F(ServerProgramTest, ATreeMustHaveAllItsLibraries) {
  make_tree();
  add_shell("redis-server");
  fs::remove(tree / "usr/lib/x86_64-linux-gnu");
  EXPECT_THAT(trouble(tree, {"redis-server"}),
              HasSubstr("has no libc.so.6, which redis-server needs, so that it would run with what is "
                        "installed here"));
}

TEST_F(ServerProgramTest, AStoreThatIsNotNamedHasTheInstalledOne) {
  ServerPrograms programs;
  EXPECT_EQ(program_for(programs, "redis", "redis-server").place(), "");
  programs.emplace("redis", ServerProgram("/bin/sh", {}));
  EXPECT_EQ(program_for(programs, "redis", "redis-server").place(), "/bin/sh");
  EXPECT_EQ(program_for(programs, "etcd", "etcd").name(), "etcd");
}

}  // namespace server_program_test
}  // namespace holdfast::live
