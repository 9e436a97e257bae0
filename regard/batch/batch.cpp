#include "regard/batch/batch.h"

#include <utility>

#include "regard/tokens/tokenizer.h"

namespace regard {

void add(Batch& batch, std::vector<std::int32_t> source, std::span<const std::int32_t> target) {
  batch.source.push_back(std::move(source));
  std::vector<std::int32_t>& tokens = batch.decoder_input.emplace_back(std::vector{kBos});
  tokens.insert(tokens.end(), target.begin(), target.end());
  batch.labels.insert(batch.labels.end(), target.begin(), target.end());
  batch.labels.push_back(kEos);
}

Batch batch_of(std::span<const IdPair> pairs, std::span<const Index> chosen) {
  Batch batch;
  for (const Index i : chosen) {
    const auto& [source, target] = pairs[static_cast<std::size_t>(i)];
    add(batch, source, target);
  }
  return batch;
}

}  // namespace regard
