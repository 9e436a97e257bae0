#include "regard/train/average.h"

#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "tests/support/gradcheck.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

std::vector<NamedParameter> weights(std::uint64_t seed) {
  const Rng rng(seed);
  return {{"a", Var(Tensor::normal({3, 5}, rng.fork("a")))},
          {"b", Var(Tensor::normal({7}, rng.fork("b")))}};
}

class AveragedWeights : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::vector<NamedParameter>& what) {
    const std::string path = folder_ / name;
    save_weights(path, what);
    return path;
  }
  testing::Scratch folder_;
};

TEST_F(AveragedWeights, OfOneOrOfEqualFilesAreThatFileToTheBit) {
  const std::vector<NamedParameter> one = weights(1);
  const std::string path = write("one", one);
  for (const std::size_t count : {1, 2, 3, 5}) {
    const std::vector<std::string> paths(count, path);
    const std::vector<NamedParameter> mean = averaged_weights(paths, one);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_TRUE(testing::same_bits(mean[i].parameter.value(), one[i].parameter.value()));
  }
}

TEST_F(AveragedWeights, OfSeveralAreTheirMean) {
  const std::vector<NamedParameter> a = weights(1), b = weights(2);
  const std::vector<std::string> paths{write("a", a), write("b", b)};
  const std::vector<NamedParameter> mean = averaged_weights(paths, a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::vector<double> x = a[i].parameter.value().values(),
                              y = b[i].parameter.value().values(),
                              m = mean[i].parameter.value().values();
    for (std::size_t j = 0; j < m.size(); ++j)
      EXPECT_EQ(m[j], static_cast<double>(static_cast<float>((x[j] + y[j]) / 2)));
  }
}

TEST_F(AveragedWeights, OfAnotherModelAreRefused) {
  const std::vector<NamedParameter> one = weights(1);
  const std::vector<NamedParameter> other{{"a", Var(Tensor({3, 4}))}, {"c", Var(Tensor({7}))}};
  const std::vector<std::string> paths{write("one", one), write("other", other)};
  EXPECT_THROW(averaged_weights(paths, one), Error);
  EXPECT_THROW(averaged_weights({}, one), Error);
}

}  // namespace
}  // namespace regard
