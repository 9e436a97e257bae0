#include <algorithm>

#include "regard/train/schedule.h"

namespace regard::schedules {

extern const Schedule constant{
    .name = "constant",
    .formula = "min(t / w, 1)",
    .share =
        [](const TrainSpec& spec, Index step, Index) {
          return spec.warmup == 0
                     ? 1.0
                     : std::min(1.0, static_cast<double>(step) / static_cast<double>(spec.warmup));
        },
};

}  // namespace regard::schedules
