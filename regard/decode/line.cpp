#include "regard/decode/line.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/model/architecture.h"
#include "regard/tokens/spaced_words.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

bool ends_sentence(const Token& token) {
  return !token.text.empty() &&
         std::string_view(".!?").find(token.text.back()) != std::string::npos;
}

/// Where the piece that begins at `begin` ends, at most `most` tokens later.
std::size_t end_of_piece(const std::vector<Token>& tokens, std::size_t begin, std::size_t most) {
  if (tokens.size() - begin <= most) return tokens.size();
  const auto new_word = [&](std::size_t i) { return tokens[i].word != tokens[i - 1].word; };
  for (std::size_t i = begin + most; i > begin + most / 2; --i)
    if (new_word(i) && ends_sentence(tokens[i - 1])) return i;
  for (std::size_t i = begin + most; i > begin; --i)
    if (new_word(i)) return i;
  return begin + most;
}

Index word_count(const std::string& text) {
  return text.empty() ? 0 : 1 + std::ranges::count(text, ' ');
}

void append(Hypothesis& whole, const Hypothesis& piece) {
  whole.ids.insert(whole.ids.end(), piece.ids.begin(), piece.ids.end());
  whole.token_log_probabilities.insert(whole.token_log_probabilities.end(),
                                       piece.token_log_probabilities.begin(),
                                       piece.token_log_probabilities.end());
  whole.log_probability += piece.log_probability;
  whole.score += piece.score;
  whole.finished = whole.finished && piece.finished;
}

void add_soft(const Tensor& soft, Index first_source, Index source_words, LineTranslation& into) {
  const std::vector<double> weights = soft.values();
  const auto columns = static_cast<std::size_t>(soft.size(1));
  for (std::size_t row = 0; row * columns < weights.size(); ++row) {
    std::vector<double> wide(static_cast<std::size_t>(source_words));
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                wide.begin() + first_source);
    into.soft.push_back(std::move(wide));
  }
}

/// Adds what corresponds in a piece; its words follow those that `into` has already.
void align_piece(const LoadedModel& model, const LineSource& source, std::size_t i,
                 const Hypothesis& hypothesis, bool soft, LineTranslation& into) {
  const std::span<const Token> tokens = source.piece(i);
  PairToAlign pair{.source = source.ids(i),
                   .target = hypothesis.ids,
                   .source_words = {},
                   .target_words = model.info.target->words(hypothesis.ids)};
  const Index first_source = tokens.front().word, first_target = word_count(into.text);
  for (const Token& token : tokens) pair.source_words.push_back(token.word - first_source);
  const WordAlignment found =
      align(*model.model, std::span(&pair, 1), model.info.alignment).front();
  for (const auto& [from, to] : found.links)
    into.links.emplace_back(from + first_source, to + first_target);
  if (soft && found.soft.count() > 0)
    add_soft(found.soft, first_source, source.tokens.back().word + 1, into);
}

/// Adds the words of a piece, whose translation is `text`. The end belongs to none of them.
void add_words(const Tokenizer& target, const Hypothesis& piece, const std::string& text,
               std::vector<WordProbability>& into) {
  const std::vector<std::string> words = spaced_words(text);
  const std::vector<Index> word_of = target.words(piece.ids);
  std::vector<double> logs(words.size());
  for (std::size_t i = 0; i < word_of.size(); ++i)
    if (const auto word = static_cast<std::size_t>(word_of[i]); word < words.size())
      logs[word] += piece.token_log_probabilities[i];
  for (std::size_t i = 0; i < words.size(); ++i)
    into.push_back({words[i], elementary::exp(logs[i])});
}

}  // namespace

Index max_output_tokens(const ModelSpec& spec, Index asked) {
  // Both sides have one token more: their ends.
  const Index positions = max_positions(spec);
  return positions == 0 ? asked : std::min(asked, std::max<Index>(1, positions - 1));
}

Index max_line_tokens(const ModelSpec& spec) {
  return max_output_tokens(spec, kMaxLineTokens);
}

std::span<const Token> LineSource::piece(std::size_t i) const {
  const std::size_t begin = i == 0 ? 0 : ends[i - 1];
  return std::span(tokens).subspan(begin, ends[i] - begin);
}

Ids LineSource::ids(std::size_t i) const {
  Ids ids;
  for (const Token& token : piece(i)) ids.push_back(token.id);
  ids.push_back(kEos);
  return ids;
}

LineSource line_source(const ModelInfo& info, std::string line) {
  return line_source(*info.source, std::move(line), max_line_tokens(info.spec));
}

LineSource line_source(const Tokenizer& tokenizer, std::string line, Index max_tokens) {
  check(max_tokens >= 1, "a line cannot be cut into pieces of ", max_tokens,
        " tokens; expected 1 or more");
  LineSource source{std::move(line), {}, {}};
  source.tokens = tokenizer.tokens(source.line);
  const auto most = static_cast<std::size_t>(max_tokens);
  for (std::size_t begin = 0; begin < source.tokens.size(); begin = source.ends.back())
    source.ends.push_back(end_of_piece(source.tokens, begin, most));
  return source;
}

std::vector<LineTranslation> joined_line(const LoadedModel& model, const LineSource& source,
                                         std::span<const std::vector<Hypothesis>> pieces,
                                         LineExtras extras) {
  std::size_t ranks = 1;
  for (const auto& best : pieces) ranks = std::max(ranks, best.size());
  std::vector<LineTranslation> line;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    LineTranslation& whole = line.emplace_back();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Hypothesis& piece = pieces[i][std::min(rank, pieces[i].size() - 1)];
      append(whole.hypothesis, piece);
      const std::string text = model.info.target->decode(piece.ids);
      if (extras.links || extras.soft) align_piece(model, source, i, piece, extras.soft, whole);
      if (extras.words) add_words(*model.info.target, piece, text, whole.words);
      if (!whole.text.empty() && !text.empty()) whole.text += ' ';
      whole.text += text;
    }
  }
  return line;
}

}  // namespace regard
