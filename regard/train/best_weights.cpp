#include "regard/train/best_weights.h"

#include <algorithm>
#include <limits>

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
                       std::span<const NamedParameter> weights) const {
  const auto place = std::ranges::find_if(
      best, [&](const Kept& kept) { return score.is_better_than(kept.score); });
  if (place == best.end() && best.size() >= most_) return;
  try {
    const std::string bytes = weights_bytes(weights);
    write_file(path(step), bytes);
    best.insert(place, {step, score, content_hash(bytes)});
  } catch (const Error& problem) {
    if (problem.fault != Fault::io) throw;
    warn("the weights of step ", step, " are not kept: ", problem.what());
  }
  if (best.size() > most_) best.pop_back();
}

std::vector<std::string> BestWeights::whole_files(std::vector<Kept>& best) const {
  const auto is_damaged = [&](const Kept& kept) {
    try {
      const std::string bytes =
          read_own_file(path(kept.step), std::numeric_limits<std::size_t>::max());
      if (content_hash(bytes) == kept.hash) return false;
      warn(path(kept.step), ": damaged, and left out of the best");
    } catch (const Error& problem) {
      warn(problem.what(), "; left out of the best");
    }
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
