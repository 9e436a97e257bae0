#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"
#include "regard/cli/train/curves.h"

namespace regard::targets {
namespace {

/// As many places as heights in every curve.
void try_metrics(std::string_view bytes) {
  static const ScratchFolder folder;
  const LinePlot plot = loss_curves(folder.write("metrics.jsonl", bytes));
  for (const Curve& curve : plot.curves)
    law(curve.x.size() == curve.y.size(), "a curve has places without heights");
}

}  // namespace

extern const FuzzTarget metrics{.name = "metrics",
                                .about = "lines of metrics of a training",
                                .most_bytes = 512,
                                .attempt = try_metrics,
                                .slow = true};

}  // namespace regard::targets
