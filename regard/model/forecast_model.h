#pragma once

#include <span>
#include <vector>

#include "regard/block/linear.h"
#include "regard/embedding/patch_embedding.h"
#include "regard/model/encoder_stack.h"
#include "regard/model/model.h"

namespace regard {

/// How the patches of a context lie in it: the last ends with it, and where they do not fill it the
/// first begins before it, where the first value is repeated.
struct PatchLayout {
  Index context = 0, length = 0, stride = 0;

  Index count() const { return (context - length + stride - 1) / stride + 1; }
  Index begin(Index patch) const { return context - length - (count() - 1 - patch) * stride; }
};

/// Those of a model. Throws Error(usage) if they do not fit the context.
PatchLayout patch_layout(const ModelSpec& spec);

/// The quantiles that a model says, which rise; none: it says the mean. Throws Error(usage) naming
/// the setting.
std::vector<double> quantile_levels(const ModelSpec& spec);

/// Continues series. Each is cut into patches, which attend to each other; a linear map of all of
/// them (Nie et al. 2023, arXiv:2211.14730) and of the past itself (Lai et al. 2018,
/// arXiv:1703.07015) is the future. A window is brought to mean 0 and
/// deviation 1, and what is said of it brought back (Kim et al. 2022, reversible instance
/// normalisation, without parameters).
class ForecastModel final : public Model {
 public:
  ForecastModel(const ModelSpec& spec, Rng rng, Dtype dtype);

  /// pasts [B, context] -> [B, levels, horizon], in the units of the pasts; one level, the mean,
  /// where the model has no quantiles.
  Var forward(const Tensor& pasts, const Pass& pass) const;

  /// Makes it a linear map of the past to begin with, which attention then learns to correct.
  ///   y - last = (x - last) W   W [context, horizon], row by row: see least_squares
  void begin_as(std::span<const double> W);

  Index context() const { return patches_.context; }
  Index horizon() const { return horizon_; }
  const PatchLayout& patches() const { return patches_; }
  const Mask& window() const { return encoder_.window; }  ///< the patches that each patch sees
  Index layers() const { return static_cast<Index>(encoder_.blocks.size()); }
  const std::vector<double>& levels() const { return levels_; }  ///< of quantiles; or none
  Dtype dtype() const { return embed_.weight.dtype(); }

  void each(const Visit& visit) override;
  void pack() override;
  void quantise() override;  ///< of the encoder; the head says numbers, and stays exact

 private:
  PatchLayout patches_;
  std::vector<double> levels_;
  Index horizon_;
  double dropout_;
  PatchEmbedding embed_;
  EncoderStack encoder_;
  Linear head_;
};

}  // namespace regard
