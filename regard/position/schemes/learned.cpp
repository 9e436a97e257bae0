#include <cstdint>
#include <vector>

#include "regard/base/check.h"
#include "regard/ops/add.h"
#include "regard/ops/embedding.h"
#include "regard/ops/reshape.h"
#include "regard/position/position.h"

namespace regard::schemes {
namespace {

/// A vector for each position, learned like those of the words; no position beyond the table.
class Learned final : public Position {
 public:
  explicit Learned(const PositionSpec& spec)
      : table_(Tensor::normal({spec.length, spec.width}, spec.rng.fork("table"), spec.dtype, 0.02),
               /*trainable=*/true) {}

  Var add_to(const Var& x, std::span<const Index> positions) const override {
    std::vector<std::int32_t> rows;
    for (const Index position : positions) {
      check(position >= 0 && position < table_.size(0), "position ", position,
            " has no learned vector: the table ends at ", table_.size(0),
            "; shorten the sequence or make a longer table");
      rows.push_back(static_cast<std::int32_t>(position));
    }
    return add(x, reshape(embedding(table_, rows), x.shape()));
  }
  void each(const Visit& visit) override { visit("table", table_); }

 private:
  Var table_;  // [length, D]
};

}  // namespace

extern const PositionScheme learned{
    .name = "learned",
    .formula = "x + P[i]",
    .paper = "Gehring et al. 2017, arXiv:1705.03122",
    .make = [](const PositionSpec& spec) -> std::unique_ptr<Position> {
      return std::make_unique<Learned>(spec);
    },
};

}  // namespace regard::schemes
