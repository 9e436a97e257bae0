#pragma once

#include <gtest/gtest.h>

#include <regex>
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
    EXPECT_TRUE(std::regex_search(error.what(), std::regex(pattern)))
        << error.what() << "\nexpected: " << pattern;
  }
}

}  // namespace regard::testing
