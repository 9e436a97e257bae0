#include "regard/decode/next_words.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/decode/candidates.h"
#include "regard/decode/line.h"
#include "regard/decode/pool.h"
#include "regard/decode/search.h"
#include "regard/tokens/spaced_words.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::size_t kMaxWordTokens = 64;

/// A word that greedy search has not completed yet.
struct PartialWord {
  Ids ids;                      // the prefix, then its tokens
  std::vector<double> log_p{};  // of its tokens
  Index row = 0;                // of the model's state, which the next token follows
};

/// A complete word; empty: the end of the translation.
struct CompleteWord {
  std::string word;
  Ids ids;  // the prefix, then its tokens
  double probability = 0;
};

struct GeneratedWords {
  std::vector<PartialWord> partial{};
  std::vector<CompleteWord> complete{};
};

Ids source_ids(const ModelInfo& info, std::string_view text) {
  const LineSource line = line_source(info, std::string(text));
  if (line.pieces() > 1)
    fail(Fault::input, "the text has ", line.tokens.size(), " tokens, but at most ",
         max_line_tokens(info.spec), " are translated at once; shorten it");
  return line.pieces() == 1 ? line.ids(0) : Ids{kEos};
}

bool begins_with(const Ids& ids, const Ids& beginning) {
  return ids.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), ids.begin());
}

/// Finds words after a prefix, and translations that begin with both.
class PrefixSearch {
 public:
  PrefixSearch(const LoadedModel& model, const NextWordsRequest& request)
      : model_(*model.model),
        target_(*model.info.target),
        request_(request),
        source_(source_ids(model.info, request.source)),
        before_(target_.decode(request.prefix)),
        words_before_(spaced_words(before_)),
        max_length_(max_output_tokens(model.info.spec, request.decode.max_length)) {}

  /// What stands before the word.
  const std::string& before() const { return before_; }

  /// The words that the likeliest tokens begin, completed by greedy search.
  std::vector<CompleteWord> likely_words() const {
    const NoGrad quiet;
    const std::unique_ptr<IncrementalState> state =
        model_.start(TokenIds::ragged({source_}), Pass{});
    GeneratedWords words;
    for (const Candidate& each : tokens_after_prefix(*state))
      extend({.ids = request_.prefix}, each, words);
    while (!words.partial.empty()) {
      Ids last;
      std::vector<Index> rows;
      for (const PartialWord& each : words.partial) {
        last.push_back(each.ids.back());
        rows.push_back(each.row);
      }
      state->reorder(rows);
      const std::vector<NextTokens> next = step(last, 1 + kMaxForbidden, *state);
      std::vector<PartialWord> shorter = std::exchange(words.partial, {});
      for (std::size_t i = 0; i < shorter.size(); ++i) {
        shorter[i].row = static_cast<Index>(i);
        for (const Candidate& best : allowed(next[i].candidates, 0, 1, DecodeSpec{}))
          extend(shorter[i], best, words);
      }
    }
    return std::move(words.complete);
  }

  /// The best translation that begins with each of these; of the end, nothing.
  std::vector<Hypothesis> translations(const std::vector<CompleteWord>& words) const {
    DecodeSpec spec = request_.decode;
    spec.n_best = 1;
    spec.max_length = max_length_;
    TranslationPool pool(model_, batch_tokens(model_, spec));
    std::vector<std::size_t> word_of;  // each ticket
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].word.empty()) continue;
      pool.add({.source = source_, .spec = spec, .prefix = words[i].ids});
      word_of.push_back(i);
    }
    std::vector<Hypothesis> best(words.size());
    while (!pool.idle()) {
      check_wanted();
      for (PoolResult& result : pool.advance()) {
        if (result.error) std::rethrow_exception(result.error);
        best[word_of[result.ticket]] = std::move(result.best.front());
      }
    }
    return best;
  }

  /// The words after those of the prefix; none if the tokens change those.
  std::optional<std::vector<std::string>> words_after(const Ids& ids) const {
    std::vector<std::string> words = spaced_words(target_.decode(ids));
    if (words.size() < words_before_.size() ||
        !std::equal(words_before_.begin(), words_before_.end(), words.begin()))
      return std::nullopt;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(words_before_.size()));
    return words;
  }

 private:
  void check_wanted() const {
    check(!request_.wanted || request_.wanted(), "the words are not wanted any more");
  }

  /// The likeliest tokens after one more token of each row.
  std::vector<NextTokens> step(const Ids& tokens, Index top, IncrementalState& state) const {
    check_wanted();
    const std::vector<TokenAsk> asks(tokens.size(), TokenAsk{.top = top});
    return model_.output().next_tokens(model_.step(tokens, state, Pass{}), asks);
  }

  std::vector<Candidate> tokens_after_prefix(IncrementalState& state) const {
    const Index top = 2 * request_.count + 2;
    std::vector<NextTokens> next = step({kBos}, top, state);
    for (const std::int32_t token : request_.prefix) next = step({token}, top, state);
    return allowed(next.front().candidates, 0, top, DecodeSpec{});
  }

  /// Adds a token to a word, which then is complete, partial, or dropped.
  void extend(PartialWord word, const Candidate& next, GeneratedWords& words) const {
    const bool end = next.token == kEos;
    if (end && word.log_p.empty())
      words.complete.push_back({"", word.ids, elementary::exp(next.log_probability)});
    if (!end) {
      word.ids.push_back(next.token);
      word.log_p.push_back(next.log_probability);
    }
    const std::optional<std::vector<std::string>> after = words_after(word.ids);
    if (!after) return;
    if (after->size() > 1 || (end && !after->empty())) {
      if (std::optional<CompleteWord> whole = complete_word(word, after->front()))
        words.complete.push_back(std::move(*whole));
    } else if (!end && word.log_p.size() <= kMaxWordTokens &&
               static_cast<Index>(word.ids.size()) <= max_length_) {
      words.partial.push_back(std::move(word));
    }
  }

  /// None if the word holds <unk>, or a prefix that ends with it has other tokens than these.
  std::optional<CompleteWord> complete_word(const PartialWord& from,
                                            const std::string& word) const {
    Ids ids = target_.encode(before_ + " " + word);
    const std::size_t begin = request_.prefix.size();
    if (ids.size() <= begin || !begins_with(from.ids, ids)) return std::nullopt;
    double sum = 0;
    for (std::size_t i = begin; i < ids.size(); ++i) {
      if (ids[i] == kUnk) return std::nullopt;
      sum += from.log_p[i - begin];
    }
    return CompleteWord{word, std::move(ids), elementary::exp(sum)};
  }

  const SequenceModel& model_;
  const Tokenizer& target_;
  const NextWordsRequest& request_;
  const Ids source_;
  const std::string before_;
  const std::vector<std::string> words_before_;
  const Index max_length_;
};

}  // namespace

std::vector<NextWord> next_words(const LoadedModel& model, const NextWordsRequest& request) {
  const PrefixSearch search(model, request);
  std::vector<CompleteWord> likely = search.likely_words();
  std::ranges::stable_sort(likely, std::greater(), &CompleteWord::probability);
  if (static_cast<Index>(likely.size()) > request.count)
    likely.resize(static_cast<std::size_t>(request.count));
  const std::vector<Hypothesis> best = search.translations(likely);
  std::vector<NextWord> words;
  for (std::size_t i = 0; i < likely.size(); ++i) {
    const auto& [word, ids, probability] = likely[i];
    if (word.empty()) {
      words.push_back({word, probability, search.before()});
      continue;
    }
    const auto after = search.words_after(best[i].ids);
    if (after && !after->empty() && after->front() == word)
      words.push_back({word, probability, model.info.target->decode(best[i].ids)});
  }
  return words;
}

}  // namespace regard
