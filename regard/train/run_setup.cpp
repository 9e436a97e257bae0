#include "regard/train/run_setup.h"

#include <algorithm>
#include <filesystem>

#include "regard/base/check.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"

namespace regard {
namespace {

constexpr std::string_view kBuiltin = "builtin:en-fr";
constexpr Index kBuiltinTrain = 50000, kBuiltinValid = 1000;

std::vector<Pair> read_side(const std::string& source, const std::string& target,
                            const DataSpec& data, Split split, CorpusReport& report) {
  if (source == kBuiltin)
    return sift_pairs(
        source,
        builtin_en_fr(
            {.split = split, .pairs = split == Split::train ? kBuiltinTrain : kBuiltinValid}),
        data.filters, report);
  CorpusPaths paths{{source}, data.from, data.to};
  if (!target.empty()) paths.paths.push_back(target);
  return read_corpus(paths, data.filters, report);
}

std::vector<std::string> side_of(const std::vector<Pair>& pairs, std::string Pair::*side) {
  std::vector<std::string> lines;
  for (const Pair& pair : pairs) lines.push_back(pair.*side);
  return lines;
}

std::shared_ptr<const Tokenizer> learned(const std::vector<std::string>& lines,
                                         const VocabSpec& spec) {
  if (spec.kind == "words")
    return word_vocabulary(
        lines,
        {.min_frequency = spec.min_frequency, .most = spec.size, .lower_case = spec.lower_case});
  return train_subwords(lines, {.size = spec.size, .type = spec.type});
}

void learn_vocabularies(const std::vector<Pair>& pairs, const VocabSpec& spec, ModelCard& card) {
  std::vector<std::string> source = side_of(pairs, &Pair::source);
  const std::vector<std::string> target = side_of(pairs, &Pair::target);
  if (spec.joint) {
    source.insert(source.end(), target.begin(), target.end());
    card.source = card.target = learned(source, spec);
  } else {
    card.source = learned(source, spec);
    card.target = learned(target, spec);
  }
}

IdPair ids_of(const Pair& pair, const ModelCard& card) {
  IdPair ids{card.source->encode(pair.source), card.target->encode(pair.target)};
  ids.source.push_back(kEos);
  return ids;
}

/// Without validation data, the last of the training pairs in a shuffled order are put aside; of a
/// handful, all serve for both.
std::vector<Pair> put_aside(std::vector<Pair>& train, Index seed) {
  if (train.size() < 20) return train;
  const Rng rng = Rng(static_cast<std::uint64_t>(seed)).fork("put aside");
  for (std::size_t i = train.size(); i > 1; --i) std::swap(train[i - 1], train[rng.below(i, i)]);
  const std::size_t count = std::min<std::size_t>(1000, train.size() / 10);
  std::vector<Pair> valid(train.end() - static_cast<std::ptrdiff_t>(count), train.end());
  train.resize(train.size() - count);
  return valid;
}

bool has_card(const std::string& folder) {
  return std::filesystem::exists(folder + "/" + std::string(kConfigFile));
}

}  // namespace

PreparedRun prepare_run(Recipe recipe, const std::string& folder,
                        const std::function<void(const std::string&)>& say) {
  PreparedRun run;
  DataSpec& data = recipe.data;
  std::vector<Pair> train =
      read_side(data.train_source, data.train_target, data, Split::train, run.train_report);
  say(run.train_report.text());
  std::vector<Pair> valid;
  if (!data.valid_source.empty())
    valid = read_side(data.valid_source, data.valid_target, data, Split::valid, run.valid_report);
  else if (data.train_source == kBuiltin)
    valid = read_side(std::string(kBuiltin), "", data, Split::valid, run.valid_report);
  else
    valid = put_aside(train, recipe.train.seed);

  std::filesystem::create_directories(folder);
  run.card = std::make_unique<ModelCard>();
  if (has_card(folder)) {
    *run.card = load_card(folder);
  } else {
    say("learning the vocabulary");
    run.card->from = data.from;
    run.card->to = data.to;
    learn_vocabularies(train, recipe.vocab, *run.card);
  }
  recipe.model.source_vocabulary = run.card->source->size();
  recipe.model.target_vocabulary = run.card->target->size();
  run.card->spec = recipe.model;
  run.model =
      make_model(recipe.model, Rng(static_cast<std::uint64_t>(recipe.train.seed)).fork("model"));

  run.setup = {.spec = recipe.train, .folder = folder, .card = run.card.get()};
  for (const Pair& pair : train) {
    IdPair ids = ids_of(pair, *run.card);
    if (static_cast<Index>(std::max(ids.source.size(), ids.target.size())) > data.most_tokens)
      ++run.left_out;
    else
      run.setup.train.push_back(std::move(ids));
  }
  if (run.setup.train.empty())
    fail(Fault::input, data.train_source, ": no pair has at most ", data.most_tokens,
         " tokens on both sides; raise data.most_tokens");
  for (const Pair& pair : valid) run.setup.valid.ids.push_back(ids_of(pair, *run.card));
  run.setup.valid.text = std::move(valid);
  if (!has_card(folder)) save_card(folder, *run.card);
  return run;
}

}  // namespace regard
