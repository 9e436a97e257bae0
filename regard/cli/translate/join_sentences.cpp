#include "regard/cli/translate/join_sentences.h"

#include <algorithm>

#include "regard/tokens/normalise.h"

namespace regard {
namespace {

/// Spaces as they are; of tabs, which separate columns, and of what may end a line for some reader,
/// a space.
std::string space_of(std::string_view gap) {
  std::string space;
  while (!gap.empty()) {
    const Character c = first_character(gap);
    const bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0);
    const bool ends_line = c.code == 0x2028 || c.code == 0x2029;
    if (!control && !ends_line)
      space += gap.substr(0, c.size);
    else
      space += ' ';
    gap.remove_prefix(c.size);
  }
  return space;
}

Index word_count(const std::string& text) {
  return text.empty() ? 0 : 1 + std::ranges::count(text, ' ');
}

/// Adds what a sentence became to what the line has so far.
class Joiner {
 public:
  explicit Joiner(LineTranslation& whole) : whole_(whole) {}

  void add(const TranslatedLine& sentence, const LineTranslation& one, const std::string& space) {
    whole_.text += space;
    if (space.empty() && needs_space(whole_.text, one.text)) whole_.text.push_back(' ');
    whole_.text += one.text;
    add(one.hypothesis);
    for (const auto& [from, to] : one.links)
      whole_.links.emplace_back(from + source_words_, to + target_words_);
    for (const std::vector<double>& row : one.soft) {
      std::vector<double> wide(static_cast<std::size_t>(source_words_));
      wide.insert(wide.end(), row.begin(), row.end());
      whole_.soft.push_back(std::move(wide));
    }
    source_words_ += word_count(normalise(sentence.source));
    target_words_ += word_count(one.text);
  }

  /// Makes every row of the soft alignment as wide as the line.
  void end() {
    for (std::vector<double>& row : whole_.soft)
      row.resize(static_cast<std::size_t>(source_words_));
  }

 private:
  void add(const Hypothesis& one) {
    Hypothesis& all = whole_.hypothesis;
    all.ids.insert(all.ids.end(), one.ids.begin(), one.ids.end());
    all.token_log_probabilities.insert(all.token_log_probabilities.end(),
                                       one.token_log_probabilities.begin(),
                                       one.token_log_probabilities.end());
    all.log_probability += one.log_probability;
    all.score += one.score;
    all.finished = all.finished && one.finished;
  }

  LineTranslation& whole_;
  Index source_words_ = 0, target_words_ = 0;
};

}  // namespace

void join_sentences(TranslatedLine& line) {
  std::size_t ranks = 1;
  for (const TranslatedLine& sentence : line.sentences) {
    ranks = std::max(ranks, sentence.best.size());
    line.source_tokens.insert(line.source_tokens.end(), sentence.source_tokens.begin(),
                              sentence.source_tokens.end());
    for (UnknownText unknown : sentence.unknown) {
      unknown.start += sentence.start;
      unknown.end += sentence.start;
      line.unknown.push_back(std::move(unknown));
    }
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    LineTranslation& whole = line.best.emplace_back();
    Joiner joiner(whole);
    std::size_t at = 0;
    for (const TranslatedLine& sentence : line.sentences) {
      const auto start = static_cast<std::size_t>(sentence.start);
      joiner.add(sentence, sentence.best[std::min(rank, sentence.best.size() - 1)],
                 space_of(std::string_view(line.source).substr(at, start - at)));
      at = start + sentence.source.size();
    }
    joiner.end();
    whole.text += space_of(std::string_view(line.source).substr(at));
  }
}

}  // namespace regard
