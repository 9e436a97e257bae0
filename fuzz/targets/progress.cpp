#include "regard/train/progress.h"

#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// Progress that is accepted is the same after writing and reading.
void try_progress(std::string_view bytes) {
  const TrainProgress progress = TrainProgress::of_json(std::string(bytes), "progress.json");
  const std::string written = progress.json();
  law(TrainProgress::of_json(written, "again").json() == written, "another progress comes back");
  DivergenceDetector watch = progress.watch;
  watch.diverged(1);
}

}  // namespace

extern const FuzzTarget progress{.name = "progress",
                                 .about = "where a training stands",
                                 .max_bytes = 1024,
                                 .attempt = try_progress};

}  // namespace regard::targets
