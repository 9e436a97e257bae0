#include "regard/base/check.h"

#include <gtest/gtest.h>

#include <string_view>

namespace regard {
namespace {

TEST(Check, IsSilentWhereTheConditionHolds) {
  EXPECT_NO_THROW(check(1 + 1 == 2, "never said"));
}

TEST(Check, JoinsItsPartsAndKnowsItsPlace) {
  const int line = __LINE__ + 2;
  try {
    check(false, "expected ", 3, ", got ", 4.5);
    FAIL() << "expected an error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "expected 3, got 4.5");
    EXPECT_EQ(e.fault, Fault::usage);
    EXPECT_EQ(e.line, line);
    EXPECT_NE(std::string_view(e.file).find("check_test.cpp"), std::string_view::npos);
  }
}

TEST(Fail, CarriesItsFault) {
  try {
    fail(Fault::io, "disk ", 1);
  } catch (const Error& e) {
    EXPECT_EQ(e.fault, Fault::io);
    EXPECT_STREQ(e.what(), "disk 1");
  }
}

TEST(ExitCode, IsOneToSix) {
  EXPECT_EQ(exit_code(Fault::bug), 1);
  EXPECT_EQ(exit_code(Fault::usage), 2);
  EXPECT_EQ(exit_code(Fault::input), 3);
  EXPECT_EQ(exit_code(Fault::io), 4);
  EXPECT_EQ(exit_code(Fault::device), 5);
  EXPECT_EQ(exit_code(Fault::diverged), 6);
}

}  // namespace
}  // namespace regard
