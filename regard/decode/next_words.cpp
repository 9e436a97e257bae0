#include "regard/decode/next_words.h"

#include <algorithm>
#include <optional>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/decode/candidates.h"
#include "regard/decode/forced_prefix.h"
#include "regard/decode/line.h"
#include "regard/decode/pool.h"
#include "regard/ops/slice.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::string_view kOption = "prefix";

/// The sentence at hand, and searches in it.
class Sentence {
 public:
  Sentence(const LoadedModel& model, const NextWordsRequest& request)
      : model_(model), request_(request) {
    const LineSource line = line_source(model.info, std::string(request.source));
    if (line.pieces() > 1)
      fail(Fault::input, "the text has ", line.tokens.size(), " tokens, but at most ",
           max_line_tokens(model.info.spec), " are translated at once; shorten it");
    source_ = line.pieces() == 1 ? line.ids(0) : Ids{kEos};
  }

  /// The likeliest tokens after a prefix, the end among them.
  std::vector<Candidate> next_tokens(const Ids& prefix, Index count) const {
    const NoGrad quiet;
    Ids decoder_input{kBos};
    decoder_input.insert(decoder_input.end(), prefix.begin(), prefix.end());
    const Var rows = model_.model->forward(TokenIds::ragged({source_}),
                                           TokenIds::ragged({decoder_input}), Pass{});
    const Index N = rows.size(0);
    const TokenAsk ask{.top = count};
    return model_.model->output()
        .next_tokens(slice(rows.value(), 0, N - 1, N), std::span(&ask, 1))
        .front()
        .candidates;
  }

  /// The best translation that begins with each of these.
  std::vector<Hypothesis> translations(const std::vector<Ids>& prefixes, DecodeSpec spec) const {
    spec.n_best = 1;
    spec.max_length = max_output_tokens(model_.info.spec, spec.max_length);
    TranslationPool pool(*model_.model, spec.batch_tokens);
    for (const Ids& prefix : prefixes)
      pool.add({.source = source_, .spec = spec, .prefix = prefix});
    std::vector<Hypothesis> best(prefixes.size());
    while (!pool.idle()) {
      check(!request_.wanted || request_.wanted(), "the words are not wanted any more");
      for (PoolResult& result : pool.advance()) {
        if (result.error) std::rethrow_exception(result.error);
        best[result.ticket] = std::move(result.best.front());
      }
    }
    return best;
  }

 private:
  const LoadedModel& model_;
  const NextWordsRequest& request_;
  Ids source_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

double probability_of(std::span<const double> log_probabilities) {
  double sum = 0;
  for (const double each : log_probabilities) sum += each;
  return elementary::exp(sum);
}

/// What the text has after these words, up to the next space; none if it changes them or ends.
std::optional<std::string> word_after(const std::vector<std::string>& before,
                                      const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() <= before.size() || !std::equal(before.begin(), before.end(), words.begin()))
    return std::nullopt;
  return words[before.size()];
}

/// The words that the likeliest tokens begin, none twice.
std::vector<std::string> words_begun(const Sentence& sentence, const Tokenizer& target,
                                     const Ids& prefix, const std::vector<Candidate>& tokens) {
  std::vector<Ids> beginnings;
  for (const Candidate& each : tokens) {
    if (each.token < kSpecials) continue;
    beginnings.push_back(prefix);
    beginnings.back().push_back(each.token);
  }
  const std::vector<std::string> before = words_of(target.decode(prefix));
  std::vector<std::string> found;
  for (const Hypothesis& each : sentence.translations(beginnings, DecodeSpec{.beam = 1})) {
    if (std::ranges::find(each.ids, kUnk) != each.ids.end()) continue;
    const std::optional<std::string> word = word_after(before, target.decode(each.ids));
    if (word && std::ranges::find(found, *word) == found.end()) found.push_back(*word);
  }
  return found;
}

}  // namespace

std::vector<NextWord> next_words(const LoadedModel& model, const NextWordsRequest& request) {
  const Tokenizer& target = *model.info.target;
  const Ids prefix = forced_prefix(model.info, request.prefix, kOption);
  const std::string before = target.decode(prefix);
  const Sentence sentence(model, request);
  const std::vector<Candidate> tokens = sentence.next_tokens(prefix, 2 * request.count + 2);

  std::vector<NextWord> words;
  for (const Candidate& each : tokens)
    if (each.token == kEos)
      words.push_back({"", elementary::exp(checked_log_p(each.log_probability)), before});
  std::vector<Ids> prefixes;
  const std::vector<std::string> begun = words_begun(sentence, target, prefix, tokens);
  for (const std::string& word : begun)
    prefixes.push_back(forced_prefix(model.info, before + " " + word, kOption));
  const std::vector<Hypothesis> best = sentence.translations(prefixes, request.decode);
  for (std::size_t i = 0; i < best.size(); ++i)
    words.push_back(
        {begun[i],
         probability_of(std::span(best[i].token_log_probabilities)
                            .subspan(prefix.size(), prefixes[i].size() - prefix.size())),
         target.decode(best[i].ids)});
  std::ranges::stable_sort(words, std::greater(), &NextWord::probability);
  if (static_cast<Index>(words.size()) > request.count)
    words.resize(static_cast<std::size_t>(request.count));
  return words;
}

}  // namespace regard
