// Compares hand-made matrices; nothing is run.
#include "harness/matrix/matrix.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/matrix/test_matrix.h"

namespace holdfast::matrix_test {

using two_by_two_matrix::expected;
using two_by_two_matrix::two_by_two;

TEST(Matrix, FindsWhatDisagrees) {
  const Matrix matrix = two_by_two();
  const auto list = disagreements(matrix, expected(R"({"cells": {
      "first": {"none": {"letter": "S"}, "client-clock": {"letter": "S"}},
      "second-lock": {"client-clock": {"letter": "-"}}}})"));
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].row, 0U);
  EXPECT_EQ(list[0].column, 1U);
  EXPECT_EQ(list[0].expected, Letter::safe);
}

TEST(Matrix, WritesEveryCellAsJson) {
  const auto json = nlohmann::json::parse(matrix_json(two_by_two(), nullptr));
  ASSERT_EQ(json.at("cells").size(), 4U);
  EXPECT_EQ(json.at("runs"), 12386);
  EXPECT_EQ(json.at("cells").at(1).at("letter"), "V");
  EXPECT_EQ(json.at("cells").at(1).at("runs_by_letter").at("V"), 12345);
  EXPECT_EQ(json.at("cells").at(1).at("worst"), "holdfast run family-client-clock --lock first --seed 1");
  EXPECT_TRUE(json.at("cells").at(3).at("worst").is_null());
}

}  // namespace holdfast::matrix_test
