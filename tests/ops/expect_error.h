#pragma once

#include <gtest/gtest.h>

#include <string>

#include "regard/base/check.h"

namespace regard::testing {

/// f must throw an Error that blames the caller, with a message in which the pattern is found.
template <class F>
void expect_error(const std::string& pattern, const F& f) {
  try {
    f();
    ADD_FAILURE() << "no Error; expected one that says: " << pattern;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage);
    const ::testing::Matcher<const std::string&> says = ::testing::ContainsRegex(pattern);
    EXPECT_TRUE(says.Matches(error.what())) << error.what() << "\nexpected: " << pattern;
  }
}

}  // namespace regard::testing
