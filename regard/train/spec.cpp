#include "regard/train/spec.h"

#include "regard/base/check.h"
#include "regard/train/optimiser.h"
#include "regard/train/schedule.h"

namespace regard {

void check_spec(const TrainSpec& spec) {
  const bool ends = spec.steps > 0 || spec.epochs > 0;
  check(ends || spec.patience > 0, "training would never end; set steps, epochs or patience");
  find_optimiser(spec.optimiser);
  find_schedule(spec.schedule).share(spec, 1, ends ? 1 : 0);
}

}  // namespace regard
