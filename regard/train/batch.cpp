#include "regard/train/batch.h"

#include "regard/tokens/tokenizer.h"

namespace regard {

Batch batch_of(std::span<const IdPair> pairs, std::span<const Index> chosen) {
  std::vector<std::vector<std::int32_t>> sources, said;
  Batch batch;
  for (const Index i : chosen) {
    const IdPair& pair = pairs[static_cast<std::size_t>(i)];
    sources.push_back(pair.source);
    std::vector<std::int32_t>& tokens = said.emplace_back(std::vector{kBos});
    tokens.insert(tokens.end(), pair.target.begin(), pair.target.end());
    batch.answers.insert(batch.answers.end(), pair.target.begin(), pair.target.end());
    batch.answers.push_back(kEos);
  }
  batch.source = TokenIds::ragged(sources);
  batch.said = TokenIds::ragged(said);
  return batch;
}

}  // namespace regard
