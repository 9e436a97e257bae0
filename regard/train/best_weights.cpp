#include "regard/train/best_weights.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {
namespace {

constexpr std::string_view kStepPrefix = "step-", kSuffix = ".safetensors";

std::string file_of(Index step) {
  return std::string(kStepPrefix) + std::to_string(step) + std::string(kSuffix);
}

}  // namespace

BestWeights::BestWeights(std::string folder, Index most)
    : folder_(std::move(folder)), most_(static_cast<std::size_t>(most)) {
  make_own_folder(folder_);
}

std::string BestWeights::path(Index step) const {
  return folder_ + "/" + file_of(step);
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
    write_file(path(step), bytes);
    waiting_.erase(waiting_.begin());
  }
}

std::vector<std::string> BestWeights::whole_files(std::vector<Kept>& best, Index largest) const {
  // One that is there but cannot be read now is no reason to end with another model.
  const auto is_damaged = [&](const Kept& kept) {
    const std::string file = path(kept.step);
    const bool there = is_there(file);
    if (there && file_size(file) <= largest &&
        content_hash(read_own_file(file, static_cast<std::size_t>(largest))) == kept.hash)
      return false;
    warn(file, there ? ": damaged" : ": gone", "; not counted among the best");
    return true;
  };
  std::erase_if(best, is_damaged);
  std::vector<std::string> files;
  for (const Kept& kept : best) files.push_back(path(kept.step));
  return files;
}

std::vector<std::string> BestWeights::names() const {
  std::error_code ignored;
  std::vector<std::string> ours = names_in(folder_, ignored);
  std::erase_if(ours, [](const std::string& name) {
    return !name.starts_with(kStepPrefix) || !name.ends_with(kSuffix);
  });
  return ours;
}

void BestWeights::remove_others(const std::vector<Kept>& best) const {
  for (const std::string& name : names()) {
    const bool listed =
        std::ranges::any_of(best, [&](const Kept& kept) { return file_of(kept.step) == name; });
    if (!listed) remove_path(folder_ + "/" + name);
  }
}

}  // namespace regard
