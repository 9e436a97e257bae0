#include "regard/serve/model/served_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

TEST(ServedModel, HasTheHashOfTheWeightsItHasLoaded) {
  const testing::Folder folder;
  const std::string path = testing::write_small_model(folder);
  const std::string bytes = folder.read("m/model.safetensors");
  const ServedModel model({.name = "m", .folder = path}, {});
  EXPECT_EQ(model.about()["hash"], fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size())));
}

}  // namespace
}  // namespace regard
