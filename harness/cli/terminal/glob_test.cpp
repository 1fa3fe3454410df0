#include "harness/cli/terminal/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::cli {
namespace {

TEST(Glob, WithoutStarsIsTheTextItself) {
  EXPECT_TRUE(fits_glob("redis-px-cad", "redis-px-cad"));
  EXPECT_FALSE(fits_glob("redis-px-cad-wait", "redis-px-cad"));
  EXPECT_FALSE(fits_glob("redis-px-cad", "redis-px"));
}

TEST(Glob, StarStandsForAnyCharactersAndNone) {
  EXPECT_TRUE(fits_glob("redis-px-cad", "redis-*"));
  EXPECT_TRUE(fits_glob("redis-px-cad", "*px*"));
  EXPECT_TRUE(fits_glob("redis", "redis*"));
  EXPECT_TRUE(fits_glob("", "*"));
  EXPECT_FALSE(fits_glob("redlock", "redis*"));
}

TEST(Glob, TriesLaterPlacesForAStar) {
  EXPECT_TRUE(fits_glob("aXbXc", "*Xc"));
  EXPECT_FALSE(fits_glob("aXbXc", "*Xd"));
}

TEST(Glob, QuestionMarkStandsForExactlyOne) {
  EXPECT_TRUE(fits_glob("cut", "c?t"));
  EXPECT_FALSE(fits_glob("ct", "c?t"));
}

TEST(Glob, OfManyStarsIsStillQuick) {
  EXPECT_FALSE(fits_glob(std::string(2000, 'a'), std::string(500, '*') + "b"));
}

}  // namespace
}  // namespace holdfast::cli
