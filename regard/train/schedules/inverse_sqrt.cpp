#include <algorithm>
#include <cmath>

#include "regard/train/schedule.h"

namespace regard::schedules {

// Vaswani et al. 2017, with its height set by the learning rate and not by the width.
extern const Schedule inverse_sqrt{
    .name = "inverse-sqrt",
    .formula = "min(t / w, sqrt(w / t))",
    .share =
        [](const TrainSpec& spec, Index step, Index) {
          const auto t = static_cast<double>(step);
          const auto w = static_cast<double>(std::max<Index>(1, spec.warmup));
          return std::min(t / w, std::sqrt(w / t));
        },
};

}  // namespace regard::schedules
