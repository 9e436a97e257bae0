#include "regard/embedding/image_embedding.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/ops/add.h"
#include "regard/ops/linear.h"
#include "regard/ops/rotary.h"

namespace regard {
namespace {

/// Levels as numbers from -1 to 1.   -> [N, values]
Tensor centred(std::span<const std::int32_t> levels, Index values, Dtype dtype) {
  constexpr std::int32_t kBrightest = 255;
  Tensor x({static_cast<Index>(levels.size()) / values, values}, dtype);
  visit(dtype, [&]<class T>(T) {
    T* to = x.span<T>().data();
    for (const std::int32_t level : levels) {
      check(level >= 0 && level <= kBrightest, "an image has levels of 0 to ", kBrightest, ", not ",
            level);
      *to++ = T(2) * static_cast<T>(level) / T(kBrightest) - T(1);
    }
  });
  return x;
}

/// Sine and cosine in turn, of ever slower waves, for each place on a side: [across][columns].
std::vector<std::vector<double>> waves(Index across, Index columns) {
  const Index pairs = (columns + 1) / 2;
  std::vector<std::vector<double>> all(static_cast<std::size_t>(across));
  for (Index j = 0; j < pairs; ++j) {
    const double slower = pairs == 1 ? 1 : static_cast<double>(j) / static_cast<double>(pairs - 1);
    const double speed =
        std::numbers::pi / 2 * elementary::pow(static_cast<double>(across), -slower);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto wave = elementary::sine_and_cosine(static_cast<double>(i) * speed);
      all[i].insert(all[i].end(), {wave.sine, wave.cosine});
    }
  }
  for (std::vector<double>& each : all) each.resize(static_cast<std::size_t>(columns));
  return all;
}

/// For each patch of an image, the waves of its row and of its column beside them: [patches,
/// width]. Pairs stay whole; of an odd number rows have one more.
Tensor place_waves(Index across, Index width, Dtype dtype) {
  const Index by_column = width / 4 * 2 + (width % 4 == 3 ? 1 : 0);
  const auto of_rows = waves(across, width - by_column), of_columns = waves(across, by_column);
  std::vector<double> all;
  for (const std::vector<double>& row : of_rows)
    for (const std::vector<double>& column : of_columns) {
      all.insert(all.end(), row.begin(), row.end());
      all.insert(all.end(), column.begin(), column.end());
    }
  return Tensor::of({across * across, width}, all, dtype);
}

/// The same with rows in front that stay as they are: they are turned by nothing.
Tensor turns(Index across, Index in_front, Index width, Dtype dtype) {
  std::vector<double> all;
  for (Index i = 0; i < in_front * width; ++i) all.push_back(i % 2 == 0 ? 0 : 1);
  const std::vector<double> waves = place_waves(across, width, dtype).values();
  all.insert(all.end(), waves.begin(), waves.end());
  return Tensor::of({in_front + across * across, width}, all, dtype);
}

class PlaceInImage final : public Position {
 public:
  PlaceInImage(Index across, Index in_front) : across_(across), in_front_(in_front) {}

  Var add_to(const Var& x, std::span<const Index> places) const override {
    const Index width = x.size(-1);
    const Tensor table = place_waves(across_, width, x.dtype());
    Tensor rows = Tensor::like(x.value());
    visit(x.dtype(), [&]<class T>(T) {
      T* to = rows.span<T>().data();
      for (const Index place : places)
        to = std::copy_n(table.span<T>().data() + place * width, width, to);
    });
    return add(x, Var(rows));
  }

  Var rotate(const HeadColumns& heads, std::span<const Index> places) const override {
    if (heads.width % 2 != 0) return heads.rows;
    return rotary(heads, {turns(across_, in_front_, heads.width, heads.rows.dtype()),
                          {places.begin(), places.end()}});
  }

 private:
  Index across_, in_front_;
};

}  // namespace

ImageEmbedding::ImageEmbedding(const ImageEmbeddingSpec& spec)
    : patch_(spec.patch), across_(spec.patch > 0 ? spec.side / spec.patch : 0) {
  check(spec.side > 0 && spec.patch > 0 && spec.side % spec.patch == 0, "an image of ", spec.side,
        " pixels a side (image_size) cannot be cut into patches of ", spec.patch,
        " (image_patch); the side must be a multiple of the patch");
  check(spec.width > 0, "an embedding of patches in ", spec.width, " columns is empty");
  const double bound = std::sqrt(6.0 / static_cast<double>(values() + spec.width));
  weight = Var(
      Tensor::uniform({values(), spec.width}, spec.rng.fork("weight"), spec.dtype, -bound, bound),
      /*trainable=*/true);
  bias = Var(Tensor({spec.width}, spec.dtype), /*trainable=*/true);
  position = std::make_unique<PlaceInImage>(across_, spec.in_front);
}

Var ImageEmbedding::operator()(std::span<const std::int32_t> levels, std::span<const Index> places,
                               const DropoutSpec& dropout) const {
  check(static_cast<Index>(levels.size()) == static_cast<Index>(places.size()) * values(), "got ",
        levels.size(), " levels for ", places.size(), " patches of ", values());
  for (const Index place : places)
    check(place >= 0 && place < patches(), "patch ", place, " of an image of ", patches());
  const Var rows = linear(Var(centred(levels, values(), weight.dtype())), weight, bias);
  return regard::dropout(position->add_to(rows, places), dropout);
}

}  // namespace regard
