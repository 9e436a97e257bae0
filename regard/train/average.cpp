#include "regard/train/average.h"

#include "regard/base/check.h"

namespace regard {

// Summed in f64: the mean of equal files is then that file, to the bit.
std::vector<NamedParameter> averaged_weights(std::span<const std::string> paths,
                                             std::span<const NamedParameter> like, Symlinks links) {
  check(!paths.empty(), "there are no weights to average");
  std::vector<std::vector<double>> sums;
  for (const NamedParameter& each : like)
    sums.emplace_back(static_cast<std::size_t>(each.parameter.value().count()));
  for (const std::string& path : paths) {
    std::vector<NamedParameter> one;
    for (const NamedParameter& each : like)
      one.push_back({each.name, Var(Tensor::like(each.parameter.value()))});
    load_weights(SafetensorsFile(path, links), one);
    for (std::size_t i = 0; i < one.size(); ++i) {
      const std::vector<double> values = one[i].parameter.value().values();
      for (std::size_t j = 0; j < values.size(); ++j) sums[i][j] += values[j];
    }
  }
  std::vector<NamedParameter> mean;
  for (std::size_t i = 0; i < like.size(); ++i) {
    for (double& sum : sums[i]) sum /= static_cast<double>(paths.size());
    const Tensor& value = like[i].parameter.value();
    mean.push_back({like[i].name, Var(Tensor::of(value.shape(), sums[i], value.dtype()))});
  }
  return mean;
}

}  // namespace regard
