#include "regard/train/run_setup.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/memory_left.h"
#include "regard/base/open_file.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/measure/alignment.h"
#include "regard/model/run_folder.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/optimiser.h"

namespace regard {
namespace {

constexpr Index kBuiltinValid = 1000;

/// One set of text: training or validation.
struct Side {
  CorpusPaths corpus;
  Split split;
  Index pairs;  // of the built-in corpus

  Side(const DataSpec& data, Split split_)
      : corpus{{split_ == Split::train ? data.train_source : data.valid_source},
               data.from,
               data.to},
        split(split_),
        pairs(split_ == Split::train ? data.builtin_pairs : kBuiltinValid) {
    const std::string& target = split == Split::train ? data.train_target : data.valid_target;
    if (!target.empty()) corpus.paths.push_back(target);
    // The built-in corpus has validation text of its own.
    if (corpus.paths[0].empty() && data.train_source == kBuiltinEnFr)
      corpus.paths[0] = std::string(kBuiltinEnFr);
  }

  bool given() const { return !corpus.paths[0].empty(); }
  bool builtin() const { return corpus.paths[0] == kBuiltinEnFr; }

  std::vector<Pair> read(const Filters& filters, CorpusReport& report) const {
    if (!builtin()) return read_corpus(corpus, filters, report);
    std::vector<Pair> made = builtin_en_fr({.split = split, .pairs = pairs});
    if (reversed())
      for (Pair& pair : made) reverse(pair);
    return filter_pairs(corpus.paths[0], std::move(made), filters, report);
  }

  std::string fingerprint() const {
    const std::string known = corpus_fingerprint(corpus);
    if (!builtin()) return known;
    return known + " " + std::to_string(kBuiltinVersion) + " " + std::string(name(split)) + " " +
           std::to_string(pairs) + (reversed() ? " reversed" : "");
  }

 private:
  bool reversed() const { return corpus.from == "fr"; }

  static void reverse(Pair& pair) {
    std::swap(pair.source, pair.target);
    Alignment links = parse_moses(pair.alignment, kBuiltinEnFr);
    for (auto& [from, to] : links) std::swap(from, to);
    std::ranges::sort(links);
    pair.alignment.clear();
    for (const auto& [from, to] : links)
      pair.alignment.append(pair.alignment.empty() ? "" : " ")
          .append(std::to_string(from) + "-" + std::to_string(to));
  }
};

void check_languages(const DataSpec& data) {
  const bool fits = (data.from.empty() && data.to.empty()) ||
                    (data.from == "en" && data.to == "fr") ||
                    (data.from == "fr" && data.to == "en");
  check(data.train_source != kBuiltinEnFr || fits, kBuiltinEnFr,
        " is English and French, and cannot train from '", data.from, "' to '", data.to,
        "'; name en and fr, in either order");
}

/// What must be the same when a run goes on, beside its settings.
std::string note_of(const Side& train, const Side& valid) {
  nlohmann::ordered_json note{{"train", train.fingerprint()}};
  if (valid.given()) note["valid"] = valid.fingerprint();
  return note.dump();
}

/// What the run is made of, read from text that nobody changes meanwhile.
struct Text {
  std::vector<Pair> train, valid;
  std::string note;
};

void check_readable_again(const Side& side, const std::string& folder) {
  check(!side.given() || !is_stream(side.corpus) ||
            CheckpointStore(RunFolder(folder).checkpoints(), 1).steps().empty(),
        side.corpus.paths[0], ": is a stream, and what this run has read of it so far is gone, so ",
        folder,
        " cannot resume from it; train from a file, start over with --fresh, or resume with ",
        "whatever text now comes with --force");
}

std::vector<std::string> side_of(const std::vector<Pair>& pairs, std::string Pair::*side) {
  std::vector<std::string> lines;
  for (const Pair& pair : pairs) lines.push_back(pair.*side);
  return lines;
}

std::shared_ptr<const Tokenizer> learned(const std::vector<std::string>& lines,
                                         const VocabSpec& spec) {
  if (spec.type == "words")
    return word_vocabulary(lines, {.min_frequency = spec.min_frequency,
                                   .most = spec.size,
                                   .lower_case = spec.lower_case,
                                   .split_punctuation = spec.split_punctuation});
  return train_subwords(lines, {.size = spec.size, .type = spec.type});
}

void learn_vocabularies(const std::vector<Pair>& pairs, const VocabSpec& spec, ModelInfo& info) {
  std::vector<std::string> source = side_of(pairs, &Pair::source);
  const std::vector<std::string> target = side_of(pairs, &Pair::target);
  if (spec.joint) {
    source.insert(source.end(), target.begin(), target.end());
    info.source = info.target = learned(source, spec);
  } else {
    info.source = learned(source, spec);
    info.target = learned(target, spec);
  }
}

IdPair ids_of(const Pair& pair, const ModelInfo& info) {
  IdPair ids{info.source->encode(pair.source), info.target->encode(pair.target)};
  ids.source.push_back(kEos);
  return ids;
}

/// Without validation data, the last of the training pairs in a shuffled order are put aside; of a
/// handful, all serve for both.
std::vector<Pair> put_aside(std::vector<Pair>& train, Index seed) {
  if (train.size() < 20) {
    warn("only ", train.size(),
         " training pairs: they are the validation set too, so validation says nothing about ",
         "other text; name a validation set (data.valid_source)");
    return train;
  }
  // The name decides which pairs are held out: runs of older versions resume with the same.
  const Rng rng = Rng(static_cast<std::uint64_t>(seed)).fork("put aside");
  for (std::size_t i = train.size(); i > 1; --i) std::swap(train[i - 1], train[rng.below(i, i)]);
  const std::size_t count = std::min<std::size_t>(1000, train.size() / 10);
  std::vector<Pair> valid(train.end() - static_cast<std::ptrdiff_t>(count), train.end());
  train.resize(train.size() - count);
  return valid;
}

bool is_too_long(const IdPair& ids, const DataSpec& data) {
  return static_cast<Index>(std::max(ids.source.size(), ids.target.size())) > data.max_tokens;
}

/// A learned table has no vector for positions past its end.
void check_lengths(const Recipe& recipe) {
  check(recipe.model.position != "learned" || recipe.data.max_tokens < recipe.model.max_length,
        "sentences of up to ", recipe.data.max_tokens, " tokens (data.max_tokens) do not fit ",
        recipe.model.max_length,
        " learned positions (model.max_length); the latter must be larger");
}

void check_tables(const Recipe& recipe) {
  check(
      recipe.vocab.joint || recipe.model.tied != "all",
      "two vocabularies (vocab.joint) cannot share embeddings (model.tied); set tied to target or ",
      "none, or joint to true");
}

/// Whether a model can be made of the settings, and trained in the memory there is.
void check_model(const ModelSpec& spec, const TrainSpec& train) {
  const Outline only;
  const auto model = make_model(spec, Rng(0));
  const int copies = 2 + find_optimiser(train.optimiser).memories + (train.ema_decay > 0);
  check_memory("training this model (weights, gradients and optimiser state)",
               static_cast<double>(parameter_count(*model)) * copies *
                   static_cast<double>(byte_size(Dtype::f32)),
               "lower model.d_model, model.d_hidden, the layers or vocab.size");
}

/// Before the text is read, which may take long: with a vocabulary that is surely not larger.
void check_least_model(ModelSpec spec, const TrainSpec& train) {
  spec.source_vocabulary = spec.target_vocabulary = 8;
  check_model(spec, train);
}

Text read_text(const Recipe& recipe, const RunRequest& request) {
  const Side train(recipe.data, Split::train), valid(recipe.data, Split::valid);
  if (!request.allow_changed && !request.fresh)
    for (const Side* side : {&train, &valid}) check_readable_again(*side, request.folder);
  const auto read = [&](const Side& side, const char* what) {
    CorpusReport report;
    std::vector<Pair> pairs = side.read(recipe.data.filters, report);
    request.say(what + report.text());
    return pairs;
  };
  Text text;
  text.note = note_of(train, valid);
  text.train = read(train, "train: ");
  text.valid = valid.given() ? read(valid, "valid: ") : put_aside(text.train, recipe.train.seed);
  if (note_of(train, valid) != text.note)
    fail(Fault::input, recipe.data.train_source,
         ": the training or validation text changed while it was read; start again when ",
         "nothing writes to it");
  return text;
}

/// Fills the sets of the run with the pairs as tokens; counts those that are too long.
void encode_pairs(Text text, const DataSpec& data, PreparedRun& run) {
  for (const Pair& pair : text.train) {
    IdPair ids = ids_of(pair, *run.info);
    if (is_too_long(ids, data))
      ++run.left_out;
    else
      run.setup.train.push_back(std::move(ids));
  }
  if (run.setup.train.empty())
    fail(Fault::input, data.train_source, ": no pair has at most ", data.max_tokens,
         " tokens on both sides; raise data.max_tokens");
  for (Pair& pair : text.valid) {
    IdPair ids = ids_of(pair, *run.info);
    if (is_too_long(ids, data)) {
      ++run.left_out;
      continue;
    }
    run.setup.valid.ids.push_back(std::move(ids));
    run.setup.valid.text.push_back(std::move(pair));
  }
  if (run.setup.valid.ids.empty())
    fail(Fault::input, "no validation pair is left: all have more than ", data.max_tokens,
         " tokens on a side; raise data.max_tokens");
}

/// Files that a killed run was about to put in place; write_file gives them such names.
void remove_leftovers(const std::string& folder) {
  constexpr std::string_view kPrefix = ".regard-";
  for (const std::string& name : names_in(folder)) {
    const std::string path = folder + "/" + name;
    if (name.size() == kPrefix.size() + 6 && name.starts_with(kPrefix) && is_own_file(path))
      remove_path(path);
  }
}

}  // namespace

std::optional<PreparedRun> prepare_run(Recipe recipe, const RunRequest& request) {
  recipe.vocab.merge_kind();
  const DataSpec& data = recipe.data;
  const std::string& folder = request.folder;
  const RunFolder kept(folder);
  if (!request.fresh) kept.check_own();
  const bool goes_on = !request.fresh && is_there(kept.config());
  check_languages(data);
  check_lengths(recipe);
  check_spec(recipe.train);
  if (!goes_on) check_tables(recipe);
  check_least_model(recipe.model, recipe.train);
  Text text = read_text(recipe, request);
  if (request.stop()) return std::nullopt;

  PreparedRun run;
  run.info = std::make_unique<ModelInfo>();
  bool named = false;  // now, languages that an older run left out
  if (goes_on) {
    *run.info = load_info(folder);
    named = run.info->from.empty() && run.info->to.empty() && !(data.from + data.to).empty();
    if (named) std::tie(run.info->from, run.info->to) = std::tie(data.from, data.to);
  } else {
    request.say("building the vocabulary");
    run.info->from = data.from;
    run.info->to = data.to;
    learn_vocabularies(text.train, recipe.vocab, *run.info);
  }
  if (request.stop()) return std::nullopt;
  recipe.model.source_vocabulary = run.info->source->size();
  recipe.model.target_vocabulary = run.info->target->size();
  run.info->spec = recipe.model;
  check_model(recipe.model, recipe.train);
  run.model =
      make_model(recipe.model, Rng(static_cast<std::uint64_t>(recipe.train.seed)).fork("model"));

  run.setup = {.spec = recipe.train,
               .folder = folder,
               .info = run.info.get(),
               .note = text.note,
               .allow_changed = request.allow_changed};
  encode_pairs(std::move(text), data, run);

  make_folder(folder);
  request.before_writing();
  kept.check_own();
  for (const std::string& each : {folder, kept.best()}) remove_leftovers(each);
  if (!goes_on || named) save_info(folder, *run.info);
  return run;
}

}  // namespace regard
