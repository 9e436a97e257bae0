#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/support/small_model.h"

namespace regard::testing {

/// A model of architecture language, in folder/writer.
inline std::string write_writer(const Folder& folder) {
  return write_small_model(folder, {.architecture = "language"}, "writer");
}

/// What the program prints when all goes well.
inline std::string printed(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_regard(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

}  // namespace regard::testing
