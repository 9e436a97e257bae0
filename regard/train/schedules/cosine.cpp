#include <algorithm>
#include <numbers>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/train/schedule.h"

namespace regard::schedules {

// Loshchilov and Hutter 2017, arXiv:1608.03983, without restarts.
extern const Schedule cosine{
    .name = "cosine",
    .formula = "t / w up to w, then (1 + cos(pi (t - w) / (last - w))) / 2",
    .share =
        [](const TrainSpec& spec, Index step, Index last) {
          check(last > 0, "the cosine schedule must know its end; set train.steps or train.epochs");
          const auto t = static_cast<double>(step), end = static_cast<double>(last);
          const auto w = static_cast<double>(std::min(spec.warmup, last - 1));
          if (t < w) return t / w;
          const double done = std::min(1.0, (t - w) / std::max(1.0, end - w));
          return (1 + elementary::cos(std::numbers::pi * done)) / 2;
        },
};

}  // namespace regard::schedules
