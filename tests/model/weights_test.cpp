#include "regard/model/weights.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"

namespace regard {
namespace {

/// A path for one file, which goes away with the test.
class Path {
 public:
  Path()
      : path_(::testing::TempDir() + "regard-weights-" + std::to_string(::getpid()) +
              ".safetensors") {}
  ~Path() { ::unlink(path_.c_str()); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  operator const std::string&() const { return path_; }

 private:
  std::string path_;
};

std::vector<NamedParameter> parameters(Dtype dtype = Dtype::f32) {
  return {{"weight", Var(Tensor::full({2, 3}, 7, dtype), true)},
          {"bias", Var(Tensor::full({3}, 7, dtype), true)}};
}

void expect_untouched(const std::vector<NamedParameter>& model) {
  for (const auto& [name, parameter] : model)
    for (const double x : parameter.value().values()) EXPECT_EQ(x, 7) << name;
}

std::string refusal(const std::string& path, std::span<const NamedParameter> into,
                    NotFinite not_finite = NotFinite::warn) {
  try {
    load_weights(path, into, not_finite);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    return error.what();
  }
}

TEST(Weights, LoadOfSaveIsTheSame) {
  const Path path;
  std::vector<NamedParameter> model = parameters();
  model[0].parameter.set_value(Tensor::uniform({2, 3}, Rng(1)));
  save_weights(path, model, {{"format", "regard"}});
  const std::vector<NamedParameter> other = parameters(), wide = parameters(Dtype::f64);
  load_weights(path, other);
  load_weights(path, wide);
  for (std::size_t i = 0; i < model.size(); ++i) {
    EXPECT_EQ(other[i].parameter.value().values(), model[i].parameter.value().values());
    EXPECT_EQ(wide[i].parameter.value().values(), model[i].parameter.value().values());
    EXPECT_EQ(wide[i].parameter.dtype(), Dtype::f64);
  }
  EXPECT_EQ(SafetensorsFile(path).metadata().at("format"), "regard");
}

TEST(Weights, ListsAllThatDoesNotFit) {  // covers MS14, MS17
  const Path path;
  const std::vector<std::byte> bytes(12);
  write_safetensors(path, {{"weight", Tensor(Shape{3, 2})},
                           {"bias", "I32", {3}, bytes},
                           {"wide", Tensor(Shape{2, 2})},
                           {"extra", Tensor(Shape{1})}});
  std::vector<NamedParameter> model = parameters();
  model.push_back({"gone", Var(Tensor::full({4}, 7), true)});
  model.push_back({"wide", Var(Tensor::full({2, 5}, 7), true)});
  EXPECT_EQ(refusal(path, model), std::string(path) +
                                      ": does not fit the model:\n"
                                      "  'weight' has shape [3, 2], expected [2, 3] (transposed?)\n"
                                      "  'bias' is I32, expected F32\n"
                                      "  'gone' is missing, expected [4]\n"
                                      "  'wide' has shape [2, 2], expected [2, 5]\n"
                                      "  'extra' is in no such model");
  expect_untouched(model);
}

TEST(Weights, NeverLoadsHalfAModel) {  // covers MS17
  const Path path;
  const std::vector<NamedParameter> model = parameters();
  for (const bool extra : {false, true}) {
    std::vector<SafetensorsItem> items{{"weight", Tensor(Shape{2, 3})}};
    if (extra) items.emplace_back("bias", Tensor(Shape{3}));
    if (extra) items.emplace_back("more", Tensor(Shape{1}));
    write_safetensors(path, items);
    EXPECT_NE(refusal(path, model), "");
    expect_untouched(model);
  }
}

TEST(Weights, WarnsOnceOfWhatIsNotFinite) {  // covers MS16
  const Path path;
  for (const double odd : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
    const Tensor weight = Tensor::of({2, 3}, {1, 2, odd, 4, 5, 6}), bias = Tensor::full({3}, odd);
    write_safetensors(path, {{"weight", weight}, {"bias", bias}});
    const std::vector<NamedParameter> strict = parameters(), model = parameters();
    EXPECT_EQ(refusal(path, strict, NotFinite::refuse),
              std::string(path) + ": tensor 'weight' holds NaN or infinity");
    expect_untouched(strict);

    std::vector<std::string> warnings;
    set_warning_sink([&](std::string_view line) { warnings.emplace_back(line); });
    load_weights(path, model);
    set_warning_sink([](std::string_view line) { std::cerr << line << '\n'; });
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("tensor 'weight' holds NaN"), std::string::npos) << warnings[0];
    EXPECT_EQ(model[0].parameter.value().at({0, 0}), 1);
    EXPECT_FALSE(std::isfinite(model[1].parameter.value().at({0})));
  }
}

}  // namespace
}  // namespace regard
