#include "regard/batch/batch.h"

#include "regard/tokens/tokenizer.h"

namespace regard {

Batch batch_of(std::span<const IdPair> pairs, std::span<const Index> chosen) {
  Batch batch;
  for (const Index i : chosen) {
    const auto& [source, target] = pairs[static_cast<std::size_t>(i)];
    batch.source.push_back(source);
    std::vector<std::int32_t>& tokens = batch.decoder_input.emplace_back(std::vector{kBos});
    tokens.insert(tokens.end(), target.begin(), target.end());
    batch.labels.insert(batch.labels.end(), target.begin(), target.end());
    batch.labels.push_back(kEos);
  }
  return batch;
}

}  // namespace regard
