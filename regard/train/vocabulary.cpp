#include "regard/train/vocabulary.h"

#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"

namespace regard {

std::vector<std::string> side_of(const std::vector<Pair>& pairs, std::string Pair::*side) {
  std::vector<std::string> lines;
  for (const Pair& pair : pairs) lines.push_back(pair.*side);
  return lines;
}

std::shared_ptr<const Tokenizer> learned_vocabulary(const std::vector<std::string>& lines,
                                                    const VocabSpec& spec) {
  if (spec.type == "words")
    return word_vocabulary(lines, {.min_frequency = spec.min_frequency,
                                   .most = spec.size,
                                   .lower_case = spec.lower_case,
                                   .split_punctuation = spec.split_punctuation});
  return train_subwords(lines, {.size = spec.size, .type = spec.type});
}

}  // namespace regard
