#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"
#include "regard/cli/train/curves.h"
#include "regard/config/json.h"
#include "regard/trace/run_lines.h"

namespace regard::targets {
namespace {

/// Every line that the server passes on is an object, and stays one; as many places as heights in
/// every curve.
void try_metrics(std::string_view bytes) {
  static const ScratchFolder folder;
  const LinePlot plot = loss_curves(folder.write("metrics.jsonl", bytes), {});
  for (const Curve& curve : plot.curves)
    law(curve.x.size() == curve.y.size(), "a curve has places without heights");
  const std::string line = run_line_json(bytes);
  if (line.empty()) return;
  law(parse_json(line, "line").is_object(), "a line is no object");
  law(run_line_json(line) == line, "a line changes when it is read again");
}

}  // namespace

extern const FuzzTarget metrics{.name = "metrics",
                                .about = "lines of metrics of a training",
                                .max_bytes = 512,
                                .attempt = try_metrics,
                                .slow = true};

}  // namespace regard::targets
