#pragma once

#include <cstddef>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// How well a label is told from the others. What has nothing to be divided by is 0.
struct LabelQuality {
  Index texts = 0, said = 0, right = 0;  ///< that have it, of which it was said, both
  double precision = 0;                  ///< right / said
  double recall = 0;                     ///< right / texts
  double f1 = 0;                         ///< 2 right / (texts + said)
};

/// Which label was said of texts that have which.
class Confusion {
 public:
  explicit Confusion(Index labels);

  void add(Index truth, Index said);

  Index labels() const { return labels_; }
  Index count(Index truth, Index said) const;
  Index total() const;
  Index right() const;
  double accuracy() const;  ///< right / total; 0 of none
  double mean_f1() const;   ///< over labels, each as important as another
  Index commonest() const;  ///< texts that have the most frequent label: what a guess gets right
  LabelQuality of(Index label) const;

 private:
  Index labels_;
  std::vector<Index> counts_;  // [labels, labels], by truth
};

}  // namespace regard
