#include "regard/series/baseline.h"

namespace regard {

std::vector<const Baseline*> usable_baselines(const Windows* train, Index period) {
  std::vector<const Baseline*> usable;
  for (const Baseline* each : all_baselines())
    if ((train || !each->learns) && (period > 1 || !each->seasonal)) usable.push_back(each);
  return usable;
}

}  // namespace regard
