#include "regard/tensor/npz.h"

#include <gtest/gtest.h>

#include "regard/tensor/npy.h"
#include "tests/support/law.h"
#include "tests/support/zip_reader.h"

namespace regard {
namespace {

using testing::npy_texts;
using testing::unzipped;

TEST(Npz, HoldsEveryArrayAsItWas) {
  NpzWriter file;
  const std::vector<float> weights{0.5f, 0.25f, 0.1f, -1e-30f, 3, 4};
  const std::vector<double> numbers{0.1, -2};
  const std::vector<std::int32_t> ids{7, -1, 2147483647};
  const double scale = 0.125;
  file.add("encoder.0.self.weights", {1, 2, 3}, weights);
  file.add("log_probabilities", {2}, numbers);
  file.add("ids", {3}, ids);
  file.add("scale", {}, std::span(&scale, 1));
  file.add("nothing", {0, 4}, std::span<const float>());
  const auto files = unzipped(file.bytes());
  ASSERT_EQ(files.size(), 5u);
  const auto read = [&](const std::string& name) {
    return parse_npy(files.at(name + ".npy"), name);
  };
  EXPECT_EQ(read("encoder.0.self.weights").shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(read("encoder.0.self.weights").dtype(), Dtype::f32);
  EXPECT_EQ(read("encoder.0.self.weights").values(),
            (std::vector<double>(weights.begin(), weights.end())));
  EXPECT_EQ(read("log_probabilities").values(), numbers);
  EXPECT_EQ(read("ids").values(), (std::vector<double>{7, -1, 2147483647}));
  EXPECT_EQ(read("scale").item(), 0.125);
  EXPECT_EQ(read("nothing").shape(), (Shape{0, 4}));
  for (const auto& [name, content] : files)
    EXPECT_EQ(testing::little(content, 8, 2) % 64, 54u) << name;
}

TEST(Npz, WritesTextAsCodePoints) {
  NpzWriter file;
  file.add("tokens", {"été", "▁你", "\U0001F600", "",
                      "a\xff"
                      "b",
                      "\xC0\x80", "\xED\xA0\x80"});
  file.add("none", std::vector<std::string>());
  const auto files = unzipped(file.bytes());
  EXPECT_EQ(npy_texts(files.at("tokens.npy")),
            (std::vector<std::u32string>{U"été", U"▁你", U"\U0001F600", U"", U"a\uFFFDb",
                                         U"\uFFFD\uFFFD", U"\uFFFD\uFFFD\uFFFD"}));
  EXPECT_NE(files.at("tokens.npy").find("'<U3'"), std::string::npos);
  EXPECT_NE(files.at("tokens.npy").find("(7,)"), std::string::npos);
  EXPECT_NE(files.at("none.npy").find("(0,)"), std::string::npos);
}

TEST(Npz, IsReadBackWhateverItHolds) {
  testing::law("npz round trip", 40, [](testing::Draw& draw) {
    NpzWriter file;
    std::map<std::string, std::pair<Shape, std::vector<double>>> arrays;
    for (Index i = 0, count = draw.integer(0, 6); i < count; ++i) {
      const Shape shape{draw.integer(0, 4), draw.integer(0, 5), draw.integer(0, 6)};
      std::vector<double> values;
      for (Index j = 0; j < shape.count(); ++j)
        values.push_back(draw.rng("values").uniform(static_cast<std::uint64_t>(j)));
      const std::string name = "array" + std::to_string(i);
      file.add(name, shape, values);
      arrays[name + ".npy"] = {shape, values};
    }
    const auto files = unzipped(file.bytes());
    ASSERT_EQ(files.size(), arrays.size());
    for (const auto& [name, array] : arrays) {
      const Tensor read = parse_npy(files.at(name), name);
      EXPECT_EQ(read.shape(), array.first);
      EXPECT_EQ(read.values(), array.second);
    }
  });
}

}  // namespace
}  // namespace regard
