#include "regard/cli/completion_values.h"

#include "regard/attention/mechanism.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/convert/target.h"
#include "regard/image/picture_corpus.h"
#include "regard/model/architecture.h"
#include "regard/position/position.h"
#include "regard/tokens/spaced_words.h"

namespace regard {
namespace {

/// Options whose words are written where they are read. `command` is empty: of any command.
struct FixedWords {
  std::string_view command, option, words;
};

constexpr FixedWords kFixedWords[]{
    {"", "--preset", "tiny small base big"},     {"", "--device", "auto cpu"},
    {"", "--metric", "bleu chrf chrf++ ter"},    {"", "--tokenize", "13a none char intl"},
    {"", "--kind", "cross encoder decoder"},     {"", "--split", "train valid test"},
    {"attend", "--mask", "full causal window:"}, {"", "--on-bad-line", "skip stop"},
    {"translate", "--alignment", "moses soft"},  {"vocab", "--type", "bpe unigram words"},
};

template <class Records>
std::vector<std::string> record_names(const Records& records) {
  std::vector<std::string> names;
  for (const auto* record : records) names.emplace_back(record->name);
  return names;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const BuiltinCorpus& corpus : builtin_corpora()) names.emplace_back(corpus.name);
  for (const PictureCorpus& corpus : picture_corpora()) names.emplace_back(corpus.name);
  return names;
}

}  // namespace

std::vector<std::string> completion_values(std::string_view command, std::string_view option) {
  if (command == "attend" && option == "--score") return record_names(all_mechanisms());
  if (option == "--arch") return record_names(all_architectures());
  if (option == "--scheme") return record_names(all_position_schemes());
  if (command == "train" && option == "--train") return builtin_names();
  if (command == "caption" && option == "--test") return {std::string(kBuiltinScenes)};
  if (command == "classify" && option == "--test") return {std::string(kBuiltinShapes)};
  if (command == "convert" && option == "--to") return record_names(all_convert_targets());
  for (const FixedWords& fixed : kFixedWords)
    if (fixed.option == option && (fixed.command.empty() || fixed.command == command))
      return spaced_words(fixed.words);
  return {};
}

std::vector<std::string> completion_words(std::string_view command) {
  if (command == "completion") return spaced_words("bash zsh fish");
  return command == "corpus" ? builtin_names() : std::vector<std::string>();
}

}  // namespace regard
