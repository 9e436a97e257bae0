#include "regard/tokens/subwords.h"

#include <sentencepiece_trainer.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subword_tokenizer.h"

namespace regard {
namespace {

constexpr Index kBytes = 256;
constexpr Index kLargest = 1 << 20;
// Characters SentencePiece keeps for its own use: its space, and its sign for unknown characters.
constexpr std::int32_t kSpaceMark = 0x2581, kUnknownMark = 0x2585;
// SentencePiece leaves out sentences of over 4 kB, and takes long over long words. It counts words
// one by one, so a sentence may be cut at a space; a piece never has more than 16 characters.
constexpr std::size_t kLongestSentence = 512;

/// Lines in memory, as the trainer wants to read them.
class Sentences final : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const std::vector<std::string>& lines) : lines_(lines) {}
  bool done() const override { return at_ == lines_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return lines_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& lines_;
  std::size_t at_ = 0;
};

struct Corpus {
  std::vector<std::string> sentences;
  std::unordered_set<std::int32_t> characters;
};

/// Normalised, without the characters SentencePiece keeps for itself (it would leave out sentences
/// with one), and cut into sentences of a length it takes.
Corpus corpus_of(std::span<const std::string> lines) {
  Corpus corpus;
  for (const std::string& line : lines) {
    std::string text;
    const std::string normal = normalise(line);
    for (std::string_view left = normal; !left.empty();) {
      const Character c = first_character(left);
      const bool reserved = c.code == kSpaceMark || c.code == kUnknownMark;
      if (c.code != ' ' && !reserved) corpus.characters.insert(c.code);
      text += reserved ? " " : left.substr(0, c.size);
      left.remove_prefix(c.size);
    }
    text = normalise(text);
    if (text.empty()) continue;
    for (const std::string_view stretch : stretches(text, kLongestSentence))
      corpus.sentences.emplace_back(stretch.starts_with(' ') ? stretch.substr(1) : stretch);
  }
  return corpus;
}

using Options = std::unordered_map<std::string, std::string>;

Options options_of(const SubwordSpec& spec, const Corpus& corpus) {
  const auto characters = static_cast<Index>(corpus.characters.size());
  return {
      {"model_type", spec.type},
      {"vocab_size", std::to_string(spec.size)},
      {"hard_vocab_limit", "false"},
      {"character_coverage", 2 * characters <= spec.size - kBytes - kSpecials ? "1.0" : "0.9995"},
      {"byte_fallback", "true"},
      {"normalization_rule_name", "identity"},
      {"pad_id", std::to_string(kPad)},
      {"bos_id", std::to_string(kBos)},
      {"eos_id", std::to_string(kEos)},
      {"unk_id", std::to_string(kUnk)},
      // A number of the problem, not of the machine: sums are added up in parts by thread.
      {"num_threads", "2"},
      {"minloglevel", "3"},
  };
}

}  // namespace

std::shared_ptr<const Tokenizer> train_subwords(std::span<const std::string> lines,
                                                const SubwordSpec& spec) {
  check(spec.type == "bpe" || spec.type == "unigram", "subwords of type '", spec.type,
        "'; expected bpe or unigram");
  check(spec.size > kBytes + kSpecials && spec.size <= kLargest, "a subword vocabulary of ",
        spec.size, "; expected more than ", kBytes + kSpecials, " and at most ", kLargest);
  const Corpus corpus = corpus_of(lines);
  if (corpus.sentences.empty())
    fail(Fault::input, "no text to learn subwords from: ", lines.size(), " lines, all empty");

  Sentences sentences(corpus.sentences);
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(options_of(spec, corpus), &sentences, &model);
  // The beginnings of words count as one character more.
  const Index room = kSpecials + kBytes + 1 + static_cast<Index>(corpus.characters.size());
  check(status.ok() || spec.size >= room, "a subword vocabulary of ", spec.size,
        " has no room for the characters of this text; ask for ", room, " or more");
  check(status.ok(), "SentencePiece cannot learn ", spec.size, " subwords: ", status.ToString());
  auto tokenizer = subword_tokenizer(model, "the new subword model");
  if (tokenizer->size() < spec.size)
    warn("the text has only ", tokenizer->size(), " subwords; ", spec.size, " were asked for");
  return tokenizer;
}

}  // namespace regard
