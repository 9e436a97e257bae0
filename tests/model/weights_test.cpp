#include "regard/model/weights.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <thread>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "tests/support/warnings.h"

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

TEST(Weights, OfEveryRealTypeAreConverted) {  // covers MS14
  const Path path;
  const std::vector<double> numbers{1, -2, 0.5, 3.140625, 0, -0.25};
  const std::vector<f32> single(numbers.begin(), numbers.end());
  const std::vector<std::uint16_t> half{0x3c00, 0xc000, 0x3800, 0x4248, 0x0000, 0xb400},
      brain{0x3f80, 0xc000, 0x3f00, 0x4049, 0x0000, 0xbe80};
  const std::pair<std::string, std::span<const std::byte>> kinds[] = {
      {"F64", std::as_bytes(std::span(numbers))},
      {"F32", std::as_bytes(std::span(single))},
      {"F16", std::as_bytes(std::span(half))},
      {"BF16", std::as_bytes(std::span(brain))}};
  for (const auto& [kind, bytes] : kinds)
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      write_safetensors(path, {{"weight", kind, {2, 3}, bytes},
                               {"bias", kind, {3}, bytes.first(bytes.size() / 2)}});
      const std::vector<NamedParameter> model = parameters(dtype);
      load_weights(path, model);
      EXPECT_EQ(model[0].parameter.value().values(), numbers) << kind;
      EXPECT_EQ(model[1].parameter.value().values(), (std::vector<double>{1, -2, 0.5})) << kind;
      EXPECT_EQ(model[0].parameter.dtype(), dtype) << kind;
    }
}

TEST(Weights, TooLargeForTheirNewTypeAreNotFinite) {  // covers MS14
  const Path path;
  write_safetensors(path, {{"weight", Tensor::full({2, 3}, 1e300, Dtype::f64)},
                           {"bias", Tensor::full({3}, 0.1, Dtype::f64)}});
  const std::vector<NamedParameter> narrow = parameters(), wide = parameters(Dtype::f64);
  EXPECT_EQ(refusal(path, narrow, NotFinite::refuse),
            std::string(path) + ": tensor 'weight' holds NaN or infinity");
  expect_untouched(narrow);
  load_weights(path, wide, NotFinite::refuse);
  EXPECT_EQ(wide[0].parameter.value().at({1, 2}), 1e300);
  EXPECT_EQ(wide[1].parameter.value().at({0}), 0.1);
}

TEST(Weights, OfWholeNumbersAreRefused) {  // covers MS14
  const Path path;
  const std::vector<std::byte> zeros(6 * 8);
  const std::vector<NamedParameter> model = parameters();
  for (const std::string kind : {"BOOL", "I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64"}) {
    const auto bytes = std::span(zeros).first(6 * safetensors_byte_size(kind));
    write_safetensors(path, {{"weight", kind, {2, 3}, bytes}, {"bias", Tensor(Shape{3})}});
    EXPECT_EQ(
        refusal(path, model),
        std::string(path) + ": does not fit the model:\n  'weight' is " + kind + ", expected F32");
    expect_untouched(model);
  }
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

    const testing::Warnings warnings;
    load_weights(path, model);
    ASSERT_EQ(warnings.lines.size(), 1u);
    EXPECT_NE(warnings.lines[0].find("tensor 'weight' holds NaN"), std::string::npos)
        << warnings.lines[0];
    EXPECT_EQ(model[0].parameter.value().at({0, 0}), 1);
    EXPECT_FALSE(std::isfinite(model[1].parameter.value().at({0})));
  }
}

std::vector<NamedParameter> filled(double value) {
  return {{"weight", Var(Tensor::full({64, 128}, value), true)},
          {"bias", Var(Tensor::full({128}, value), true)}};
}

// covers CK19: who reads while the file is replaced gets the old or the new, never a mix
TEST(Weights, ReadWhileTheyAreReplacedAreOfOneFile) {
  constexpr int kTimes = 300;
  const Path path;
  save_weights(path, filled(1));
  std::atomic<int> saves = 0;
  const std::jthread writer([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); ++saves) save_weights(path, filled(saves % 2 == 0 ? 2 : 1));
  });
  for (int reads = 0; reads < kTimes || saves < kTimes; ++reads) {
    const std::vector<NamedParameter> model = filled(0);
    load_weights(path, model);
    const double number = model[1].parameter.value().at({0});
    ASSERT_TRUE(number == 1 || number == 2) << number;
    for (const auto& [name, parameter] : model)
      ASSERT_EQ(std::ranges::count(parameter.value().values(), number), parameter.value().count())
          << name << " of read " << reads;
  }
}

}  // namespace
}  // namespace regard
