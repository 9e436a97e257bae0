#include "regard/cli/translate/line_translator.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/decode/search.h"

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

}  // namespace

struct LineTranslator::Source {
  std::string line;
  std::vector<Token> tokens;
  std::vector<std::size_t> ends;  // of the pieces, in tokens

  std::span<const Token> piece(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(tokens).subspan(begin, ends[i] - begin);
  }
  Ids ids(std::size_t i) const {
    Ids ids;
    for (const Token& token : piece(i)) ids.push_back(token.id);
    ids.push_back(kEos);
    return ids;
  }
};

LineTranslator::LineTranslator(const LoadedModel& model, LineSpec spec)
    : model_(model), spec_(std::move(spec)), most_tokens_(kMostTokens) {
  for (const Token& token : model.card.target->tokens(spec_.prefix)) {
    check(token.id != kUnk, "--prefix: the model does not know the word '", token.text, "'");
    prefix_.push_back(token.id);
  }
  // Only a learned table of positions comes to an end; both sides say one token more: their ends.
  if (model.card.spec.position == "learned") {
    const Index most = std::max<Index>(1, model.card.spec.max_length - 1);
    most_tokens_ = std::min(most_tokens_, most);
    spec_.decode.max_length = std::min(spec_.decode.max_length, most);
    check(static_cast<Index>(prefix_.size()) <= most, "--prefix has ", prefix_.size(),
          " tokens, but the model has positions for ", most, " at most");
  }
}

LineTranslator::Source LineTranslator::source_of(const std::string& line) {
  Source source{line, model_.card.source->tokens(line), {}};
  ++lines_;
  const auto most = static_cast<std::size_t>(most_tokens_);
  for (std::size_t begin = 0; begin < source.tokens.size(); begin = source.ends.back())
    source.ends.push_back(end_of_piece(source.tokens, begin, most));
  if (source.ends.size() > 1 && !warned_) {
    warn("line ", lines_, " has ", source.tokens.size(), " tokens; lines of more than ",
         most_tokens_, " are translated in pieces");
    warned_ = true;
  }
  return source;
}

void LineTranslator::operator()(std::span<const std::string> lines,
                                const std::function<void(const TranslatedLine& line)>& done) {
  std::vector<Source> sources;
  std::vector<Ids> pieces, prefixes;
  std::vector<SourcePlace> places;
  for (const std::string& line : lines) {
    sources.push_back(source_of(line));
    for (std::size_t i = 0; i < sources.back().ends.size(); ++i) {
      places.push_back({lines_ - 1, static_cast<Index>(i)});
      pieces.push_back(sources.back().ids(i));
      prefixes.push_back(i == 0 ? prefix_ : Ids());
    }
  }
  std::vector<std::vector<Hypothesis>> found;
  std::size_t told = 0, used = 0;
  const auto tell = [&] {
    for (; told < sources.size() && used + sources[told].ends.size() <= found.size(); ++told) {
      const std::size_t count = sources[told].ends.size();
      done(joined(sources[told], std::span(found).subspan(used, count)));
      used += count;
    }
  };
  tell();
  SearchHooks hooks{.prefixes = prefixes, .places = places};
  hooks.done = [&](Index, const std::vector<Hypothesis>& best) {
    found.push_back(best);
    tell();
  };
  translate(*model_.model, pieces, spec_.decode, hooks);
}

TranslatedLine LineTranslator::joined(const Source& source,
                                      std::span<const std::vector<Hypothesis>> found) const {
  TranslatedLine line{.source = source.line};
  for (const Token& token : source.tokens) line.source_tokens.push_back(token.text);
  std::size_t ranks = 1;
  for (const auto& best : found) ranks = std::max(ranks, best.size());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    LineTranslation whole;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Hypothesis& piece = found[i][std::min(rank, found[i].size() - 1)];
      append(whole.hypothesis, piece);
      const std::string text = model_.card.target->decode(piece.ids);
      if (spec_.align) align_piece(source, i, piece, whole);
      if (!whole.text.empty() && !text.empty()) whole.text += ' ';
      whole.text += text;
    }
    line.best.push_back(std::move(whole));
  }
  return line;
}

void LineTranslator::align_piece(const Source& source, std::size_t i, const Hypothesis& hypothesis,
                                 LineTranslation& into) const {
  const std::span<const Token> tokens = source.piece(i);
  PairToAlign pair{.source = source.ids(i),
                   .target = hypothesis.ids,
                   .source_words = {},
                   .target_words = model_.card.target->words(hypothesis.ids)};
  const Index first_source = tokens.front().word, first_target = word_count(into.text);
  for (const Token& token : tokens) pair.source_words.push_back(token.word - first_source);
  const WordAlignment found =
      align(*model_.model, std::span(&pair, 1), model_.card.alignment).front();
  for (const auto& [from, to] : found.links)
    into.links.emplace_back(from + first_source, to + first_target);
  if (!spec_.soft || found.soft.count() == 0) return;
  const std::vector<double> weights = found.soft.values();
  const auto columns = static_cast<std::size_t>(found.soft.size(1));
  for (std::size_t row = 0; row * columns < weights.size(); ++row) {
    std::vector<double> wide(static_cast<std::size_t>(source.tokens.back().word) + 1);
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                wide.begin() + first_source);
    into.soft.push_back(std::move(wide));
  }
}

}  // namespace regard
