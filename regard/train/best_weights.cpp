#include "regard/train/best_weights.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {

BestWeights::BestWeights(RunFolder folder, Index most)
    : folder_(std::move(folder)), most_(static_cast<std::size_t>(most)) {
  make_own_folder(folder_.best());
}

void BestWeights::keep(std::vector<Kept>& best, Index step, const ValidationScore& score,
                       std::span<const NamedParameter> weights) {
  const auto place = std::ranges::find_if(
      best, [&](const Kept& kept) { return score.is_better_than(kept.score); });
  if (place == best.end() && best.size() >= most_) return;
  std::string bytes = weights_bytes(weights);
  best.insert(place, {step, score, content_hash(bytes)});
  if (best.size() > most_) best.pop_back();
  waiting_[step] = std::move(bytes);
  try {
    write_waiting(best);
  } catch (const Error& problem) {
    // The disk may take them later. Without them the run would end as another one.
    if (problem.fault != Fault::io) throw;
    warn("the weights of step ", step, " are kept in memory: ", problem.what());
  }
}

void BestWeights::write_waiting(const std::vector<Kept>& best) {
  std::erase_if(waiting_, [&](const auto& file) {
    return std::ranges::find(best, file.first, &Kept::step) == best.end();
  });
  while (!waiting_.empty()) {
    const auto& [step, bytes] = *waiting_.begin();
    write_file(folder_.best_step(step), bytes);
    waiting_.erase(waiting_.begin());
  }
}

std::vector<std::string> BestWeights::intact_files(std::vector<Kept>& best, Index largest) const {
  // One that is there but cannot be read now is no reason to end with another model.
  const auto is_damaged = [&](const Kept& kept) {
    const std::string file = folder_.best_step(kept.step);
    const bool there = is_there(file);
    if (there && file_size(file) <= largest &&
        content_hash(read_own_file(file, static_cast<std::size_t>(largest))) == kept.hash)
      return false;
    warn(file, there ? ": damaged" : ": gone", "; not counted among the best");
    return true;
  };
  std::erase_if(best, is_damaged);
  std::vector<std::string> files;
  for (const Kept& kept : best) files.push_back(folder_.best_step(kept.step));
  return files;
}

std::vector<Index> BestWeights::steps() const {
  // If they cannot be listed, none is removed, and room is asked for as if none were there.
  std::error_code ignored;
  return folder_.best_steps(ignored);
}

void BestWeights::remove_others(const std::vector<Kept>& best) const {
  for (const Index step : steps())
    if (std::ranges::find(best, step, &Kept::step) == best.end())
      remove_path(folder_.best_step(step));
}

}  // namespace regard
