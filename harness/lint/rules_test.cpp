// Feeds each rule small files that break it, every one of which must be caught at its last line, and
// files that merely look like it, which must pass.
#include "harness/lint/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::lint {
namespace {

struct Samples {
  std::string_view rule;
  std::vector<std::string> bad;  // broken at the last line
  std::vector<std::string> good;
};

Samples system_clock_samples() {
  return {"system-clock",
          {
              "auto now = std::chrono::system_clock::now();\n",
              "auto now = std::chrono::steady_clock::now();\n",
              "using Clock = std::chrono::high_resolution_clock;\n",
              "using namespace std::chrono;\nauto now = steady_clock::now();\n",
              "int f() { return clock_gettime(CLOCK_REALTIME, &spec); }\n",
              "int f() { return ::gettimeofday(&value, nullptr); }\n",
              "auto now = time(nullptr);\n",
              "auto now = std::time(nullptr);\n",
              "auto now = ::time(&now);\n",
              "auto ticks = std::clock();\n",
              "#define NOW() \\\n  std::chrono::steady_clock::now()\n",
          },
          {
              "// like std::chrono::steady_clock, but virtual\n",
              "/* time(nullptr)\n steady_clock */\n",
              "const char* const name = \"steady_clock\";\n",
              "const char* const text = R\"lua(\n time(nullptr) \" steady_clock )lua\";\n",
              "auto f(const Process& process) { return process.time(0); }\n",
              "Time time(ProcessId process);\n",
              "auto f() { return kernel::time(nullptr); }\n",
              "std::chrono::nanoseconds f();\n",
          }};
}

Samples randomness_samples() {
  return {"randomness",
          {
              "std::random_device device;\n",
              "std::mt19937 engine(1);\n",
              "std::mt19937_64 engine(1);\n",
              "std::uniform_int_distribution<int> dice(1, 6);\n",
              "std::uniform_real_distribution<> dice;\n",
              "std::bernoulli_distribution coin(0.5);\n",
              "int f() { return rand() % 6; }\n",
              "int f() { return std::rand(); }\n",
              "void f() { srand(1); }\n",
              "void f() { std::shuffle(a.begin(), a.end(), engine); }\n",
              "void f() { std::ranges::sample(a, b, 3, std::default_random_engine()); }\n",
          },
          {
              "int f(Env& env) { return env.rand(); }\n",
              "int f() { return Dice::rand(); }\n",
              "int uniform_below(int n);\n",
              "int operand(int x); int f() { return operand(3); }\n",
          }};
}

Samples threads_samples() {
  return {"threads",
          {
              "void f() { std::thread worker(run); }\n",
              "void f() { std::jthread worker(run); }\n",
              "auto f() { return std::async(run); }\n",
              "class A { std::mutex mutex_; };\n",
              "class A { std::shared_mutex mutex_; };\n",
              "class A { std::atomic<int> count_; };\n",
              "void f() { pthread_create(&thread, nullptr, run, nullptr); }\n",
              "auto f() { return std::this_thread::get_id(); }\n",
          },
          {
              "class Mutex { void lock(); };\n",
              "Task<> run_thread(Kernel& kernel, Task<> thread);\n",
              "struct promise_type {};\n",
              "#include <thread>\n",
              "// std::thread is what this model replaces\n",
          }};
}

Samples thread_local_state_samples() {
  return {"thread-local",
          {"thread_local int depth = 0;\n", "int& f() {\n  static thread_local int depth = 0;\n"},
          {"// thread_local\n", "void thread_locals();\n"}};
}

Samples sleeping_samples() {
  return {"sleeping",
          {
              "void f() { std::this_thread::sleep_for(1s); }\n",
              "void f() { std::this_thread::sleep_until(then); }\n",
              "void f() { usleep(10); }\n",
              "void f() { nanosleep(&span, nullptr); }\n",
              "void f() { ::sleep(1); }\n",
          },
          {"Task<> f(Env& env) { co_await env.sleep_for(ttl); }\n", "Task<> sleep_until(Time then);\n",
           "Task<> f() { co_await sleep(ttl); }\n"}};
}

Samples printing_samples() {
  return {"printing",
          {
              "void f() { std::cout << 1; }\n",
              "void f() { std::cerr << 1; }\n",
              "void f() { printf(\"%d\", 1); }\n",
              "void f() { std::fprintf(stderr, \"x\"); }\n",
              "void f() { fmt::print(\"{}\", 1); }\n",
              "void f() { fmt::println(\"{}\", 1); }\n",
              "void f() { std::puts(\"x\"); }\n",
              "void f() { std::fputs(text, stdout); }\n",
          },
          {
              "void f() { snprintf(text, sizeof text, \"x\"); }\n",
              "auto f() { return fmt::format(\"printf({})\", 1); }\n",
              "void f(Reporter& reporter) { reporter.print(story); }\n",
              "void print(std::string& to);\n",
              "void f(std::FILE* file) { std::fputc('x', file); }\n",
          }};
}

Samples unordered_iteration_samples() {
  return {
      "unordered-iteration",
      {
          "void f(std::unordered_map<int, int> index) {\n  for (auto& [k, v] : index) {}\n",
          "std::unordered_set<std::string> seen_;\nvoid f() { for (const auto& s : this->seen_) {} }\n",
          "std::unordered_map<int, std::vector<int>>& index();\nvoid f() { for (auto& x : index()) {} }\n",
          "using Index = std::unordered_map<int, int>;\nIndex& a;\nvoid f() { for (auto& x : a) {} }\n",
          "boost::unordered_flat_map<int, int> index_;\nauto f() { return index_.begin(); }\n",
          "std::unordered_map<int, int>* index_;\nauto f() { return index_->cbegin(); }\n",
          "std::unordered_set<int> seen;\nauto f() { return std::begin(seen); }\n",
          "std::unordered_set<int> seen;\nvoid f() { for (int x : seen | std::views::reverse) {} }\n",
          "std::unordered_set<int> seen;\nvoid f() { std::ranges::for_each(seen, visit); }\n",
      },
      {
          "std::unordered_map<int, int> index_;\nbool f() { return index_.find(1) != index_.end(); }\n",
          "std::unordered_map<int, std::vector<int>> index_;\nvoid f() { for (int x : index_.at(3)) {} }\n",
          "std::unordered_map<int, std::vector<int>> index_;\nvoid f() { for (int x : index_[3]) {} }\n",
          "std::unordered_set<int> seen;\nvoid f() { for (int i = 0; i < 3; ++i) { seen.insert(i); } }\n",
          "std::map<int, int> index_;\nvoid f() { for (auto& x : index_) {} }\n",
          "std::unordered_set<int> seen;\nvoid f() { for (int x : order) { seen.contains(x); } }\n",
      }};
}

Samples pointer_order_samples() {
  return {"pointer-order",
          {
              "std::map<Process*, int> f();\n",
              "std::map<const Process*, std::vector<int>> f();\n",
              "std::set<Process*> f();\n",
              "void f(std::set<Process* const>& x);\n",
              "auto f(Process* p) { return std::hash<Process*>{}(p); }\n",
              "bool f() { return std::less<void*>{}(a, b); }\n",
              "std::map<std::vector<int>*, int> f();\n",
          },
          {
              "std::map<int, Process*> f();\n",
              "std::map<std::pair<int, int>, Process*> f();\n",
              "std::set<Process*, ById> f();\n",
              "std::vector<Process*> f();\n",
              "std::map<Process*, int, ById> f();\n",
              "bool f() { return std::less<int>{}(a, b * c); }\n",
          }};
}

Samples mutable_state_samples() {
  return {
      "mutable-state",
      {
          "int count = 0;\n",
          "namespace a {\nnamespace {\nint count;\n",
          "namespace a {\ninline std::vector<int> names{1, 2};\n",
          "static int count = 0;\n",
          "int next() {\n  static int count = 0;\n",
          "class A {\n  static int count_;\n",
          "class A {\n  inline static std::map<int, int> all_{};\n",
          "int A::count_ = 0;\n",
          "extern int count;\n",
          "static const char* name = \"x\";\n",
          "const char* name;\n",
          "void f() {\n  static std::string name(\"x\");\n",
          "std::function<void(int)> hook;\n",
          "static Registry& registry = *new Registry;\n",
          "constinit int count = 0;\n",
          "A::A(int x) : x_{x}, y_(x) { x_ = 1; }\nint count;\n",
          "template <typename T>\nint count = 0;\n",
          "TEST(A, B) { int x = 1; }\nint count;\n",
          "#define X 1\nint count;\n",
      },
      {
          "constexpr int count = 0;\n",
          "const int count = 0;\n",
          "static const std::map<int, int> table = {{1, 2}};\n",
          "inline constexpr std::string_view name = \"x\";\n",
          "const char* const name = \"x\";\n",
          "static int f(int x);\n",
          "static std::vector<int> f() { int x = 1; return {x}; }\n",
          "static bool operator<(const A& a, const A& b) { return a.x < b.x; }\n",
          "class A {\n  static constexpr std::array<int, 2> all = {1, 2};\n  int x_ = 0;\n  int y_;\n};\n",
          "struct A {\n  int x = 0;\n} ;\nenum class B : int { one, two };\n",
          "A::A(int x) : x_{x}, y_(x), z_{1} { x_ = 1; }\n",
          "template <typename T>\nT f(T x) { T y = x; return y; }\n",
          "template <typename T>\nconstexpr bool is_a = false;\n",
          "template <typename T>\nconcept Number = std::integral<T>;\n",
          "std::vector<int> f() {\n  std::vector<int> result;\n  return result;\n}\n",
          "auto f() -> int { int x = 2; return x; }\n",
          "extern \"C\" int f(int x);\nextern \"C\" {\nint g(int x);\n}\n",
          "using A = std::vector<int>;\ntypedef int B;\nstatic_assert(sizeof(A) > 1);\n",
          "TEST(A, B) { int x = 1; }\n",
          "INSTANTIATE_TEST_SUITE_P(A, B, C(1));\n",
          "bool f() noexcept(true);\nint g() { int x; return x; }\n",
          "#define COUNT int count\n",
          "const auto twice = [](int x) { int y = x; return y; };\n",
          "namespace short_name = a::b;\n",
          "A operator\"\"_a(const char* text) { int x; return x; }\n",
          "friend_t f(int x = 3, std::vector<int> y = {});\n",
      }};
}

Samples whitespace_samples() {
  return {"whitespace",
          {"int f();\n\tint g();\n", "int f(); \n", "int f();\r\n", "int f();"},
          {"int f();\n", "", "const char* const x = \"\\t\";\n"}};
}

Samples machine_path_samples() {
  // Put together here, so that this file passes the rule itself.
  const auto path = [](std::string_view top) { return "/" + std::string(top) + "/x"; };
  return {"machine-path",
          {"const char* const x = \"" + path("work") + "\";\n", "// see " + path("root") + "\n",
           "const char* const x = \"" + path("tmp") + "\";\n", "f(" + path("home") + ");\n"},
          {"// harness/tmp/x\n", "#include \"harness/work/x.h\"\n", "// and/or\n", "// /usr/bin/x\n"}};
}

Samples file_length_samples() {
  const auto lines = [](std::size_t count) {
    std::string all;
    for (std::size_t line = 0; line < count; ++line) {
      all += "//\n";
    }
    return all;
  };
  return {"file-length", {lines(501)}, {lines(500)}};
}

Samples file_opening_samples() {
  return {"file-opening",
          {
              "std::ofstream file(path);\n",
              "const std::ifstream file(path);\n",
              "auto* file = std::fopen(path, \"rb\");\n",
              "int f() { return ::open(path, O_WRONLY | O_CLOEXEC); }\n",
              "int f() {\n  return ::open(path, O_RDWR | O_CREAT, 0600); }\n",
              "int f() { return ::mkstemp(name); }\n",
              "int f() { return std::rename(from, to); }\n",
              "void f() { std::filesystem::rename(from, to); }\n",
          },
          {
              "void f() { write_file(path, text, what); }\n",
              "int f() { return ::open(path, O_RDONLY | O_CLOEXEC); }\n",
              "void f(Person& person) { person.rename(name); }\n",
              "std::ostringstream text;\n",
              "// as std::ofstream does\n",
          }};
}

std::vector<Samples> all_samples() {
  return {
      system_clock_samples(),  randomness_samples(),    threads_samples(),      thread_local_state_samples(),
      sleeping_samples(),      printing_samples(),      file_opening_samples(), unordered_iteration_samples(),
      pointer_order_samples(), mutable_state_samples(), whitespace_samples(),   machine_path_samples(),
      file_length_samples()};
}

Findings check(std::string_view rule, const std::string& path, std::string_view source) {
  return rule_named(rule).check(parse(path, source), SourceFile{});
}

void PrintTo(const Samples& samples, std::ostream* stream) {
  *stream << samples.rule;
}

class RuleSamples : public testing::TestWithParam<Samples> {};

TEST_P(RuleSamples, AreCaughtWhenBad) {
  for (const std::string& source : GetParam().bad) {
    const Findings findings = check(GetParam().rule, "x.cpp", source);
    ASSERT_FALSE(findings.empty()) << source;
    const auto last_line = static_cast<std::size_t>(std::ranges::count(source + " ", '\n'));
    EXPECT_EQ(findings.back().line, std::max<std::size_t>(last_line, 1)) << source;
  }
}

TEST_P(RuleSamples, PassWhenGood) {
  for (const std::string& source : GetParam().good) {
    for (const Finding& finding : check(GetParam().rule, "x.cpp", source)) {
      ADD_FAILURE() << finding.what << " in\n" << source;
    }
  }
}

std::string test_name(const testing::TestParamInfo<Samples>& info) {
  std::string name(info.param.rule);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rule, RuleSamples, testing::ValuesIn(all_samples()), test_name);

TEST(HeaderRules, WantAnOpeningCommentAndPragmaOnce) {
  EXPECT_EQ(check("pragma-once", "x.h", "// About.\nint f();\n").size(), 1U);
  EXPECT_EQ(check("pragma-once", "x.h", "// About.\n#pragma once\n").size(), 0U);
  EXPECT_EQ(check("pragma-once", "x.cpp", "int f();\n").size(), 0U);
  EXPECT_EQ(check("header-comment", "x.h", "#pragma once\n// About.\n").size(), 1U);
  EXPECT_EQ(check("header-comment", "x.h", "").size(), 1U);
  EXPECT_EQ(check("header-comment", "x.h", "// About.\n#pragma once\n").size(), 0U);
  EXPECT_EQ(check("header-comment", "x.cpp", "int f();\n").size(), 0U);
}

TEST(Rules, HaveASampleEach) {
  for (const Rule& rule : rules()) {
    const bool by_header_test = rule.name == "pragma-once" || rule.name == "header-comment";
    const std::vector<Samples> samples = all_samples();
    const auto found = std::ranges::find(samples, rule.name, &Samples::rule);
    EXPECT_TRUE(by_header_test || found != samples.end()) << rule.name;
  }
}

}  // namespace
}  // namespace holdfast::lint
