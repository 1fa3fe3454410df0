#include "harness/kernel/test_volume.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace holdfast {
namespace test_volume_test {

constexpr TestVolume volume{.usual = 2, .thorough = 3, .sanitized = 1};

// Sets a variable of the environment, or removes it, and puts back what was there.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) {
      before_ = before;
    }
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> before_;
};

TEST(TestVolume, IsTheUsualOneUnlessThoroughnessIsAskedFor) {
#ifdef HOLDFAST_SANITIZED
  EXPECT_EQ(how_many(volume), 1U);
#else
  {
    const Variable thorough("HOLDFAST_THOROUGH", nullptr);
    EXPECT_EQ(how_many(volume), 2U);
  }
  const Variable thorough("HOLDFAST_THOROUGH", "1");
  EXPECT_EQ(how_many(volume), 3U);
#endif
}

TEST(TestVolume, IsWhatItsVariableSays) {
  const Variable told("HOLDFAST_TEST_VOLUME", "70");
  const Variable thorough("HOLDFAST_THOROUGH", "1");
  EXPECT_EQ(how_many(volume, "HOLDFAST_TEST_VOLUME"), 70U);
}

}  // namespace test_volume_test
}  // namespace holdfast
