#include "regard/measure/confusion.h"

#include <algorithm>

#include "regard/base/check.h"

namespace regard {
namespace {

double share(Index part, Index of) {
  return of == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of);
}

}  // namespace

Confusion::Confusion(Index labels)
    : labels_(labels), counts_(static_cast<std::size_t>(labels * labels)) {}

void Confusion::add(Index truth, Index said) {
  check(truth >= 0 && truth < labels_ && said >= 0 && said < labels_, "label ", said, " for ",
        truth, ", but there are ", labels_);
  ++counts_[static_cast<std::size_t>(truth * labels_ + said)];
}

Index Confusion::count(Index truth, Index said) const {
  return counts_[static_cast<std::size_t>(truth * labels_ + said)];
}

Index Confusion::total() const {
  Index sum = 0;
  for (const Index count : counts_) sum += count;
  return sum;
}

Index Confusion::right() const {
  Index sum = 0;
  for (Index label = 0; label < labels_; ++label) sum += count(label, label);
  return sum;
}

double Confusion::accuracy() const {
  return share(right(), total());
}

double Confusion::mean_f1() const {
  double sum = 0;
  for (Index label = 0; label < labels_; ++label) sum += of(label).f1;
  return labels_ == 0 ? 0 : sum / static_cast<double>(labels_);
}

Index Confusion::commonest() const {
  Index most = 0;
  for (Index label = 0; label < labels_; ++label) most = std::max(most, of(label).texts);
  return most;
}

LabelQuality Confusion::of(Index label) const {
  LabelQuality quality{.right = count(label, label)};
  for (Index other = 0; other < labels_; ++other) {
    quality.texts += count(label, other);
    quality.said += count(other, label);
  }
  quality.precision = share(quality.right, quality.said);
  quality.recall = share(quality.right, quality.texts);
  quality.f1 = share(2 * quality.right, quality.texts + quality.said);
  return quality;
}

}  // namespace regard
