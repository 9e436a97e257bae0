#include "regard/train/run_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/batch/labelled_text.h"
#include "regard/decode/line.h"
#include "regard/measure/alignment.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/tokens/normalise.h"
#include "regard/train/checkpoint/checkpoint.h"
#include "regard/train/learned_labels.h"
#include "regard/train/put_aside.h"
#include "regard/train/vocabulary.h"

namespace regard {
namespace {

/// One set of text: training or validation.
struct Side {
  CorpusPaths corpus;
  Split split;
  PairKind kind;
  const BuiltinCorpus* builtin = nullptr;
  Index pairs = 0;  // of a built-in corpus

  Side(const DataSpec& data, Split split_, PairKind kind_)
      : corpus{{split_ == Split::train ? data.train_source : data.valid_source},
               data.from,
               data.to},
        split(split_),
        kind(kind_) {
    const std::string& target = split == Split::train ? data.train_target : data.valid_target;
    if (!target.empty()) corpus.paths.push_back(target);
    // A built-in corpus has validation text of its own.
    if (corpus.paths[0].empty() && find_builtin(data.train_source))
      corpus.paths[0] = data.train_source;
    builtin = find_builtin(corpus.paths[0]);
    if (builtin) pairs = split == Split::train ? data.builtin_pairs : builtin->held_out_pairs;
  }

  bool given() const { return !corpus.paths[0].empty(); }

  /// `known`: labels that are learned; none: all.
  std::vector<Pair> read(const Filters& filters, CorpusReport& report,
                         const std::vector<std::string>& known) const {
    const std::string& path = corpus.paths[0];
    std::vector<Pair> made =
        builtin ? builtin->make({.split = split, .pairs = pairs}) : std::vector<Pair>();
    switch (kind) {
      case PairKind::translation:
        if (!builtin) return read_corpus(corpus, filters, report);
        if (reversed())
          for (Pair& pair : made) reverse(pair);
        return filter_pairs(path, std::move(made), filters, report);
      case PairKind::text:
        return builtin ? filter_text(path, std::move(made), filters, report)
                       : read_text(path, filters, report);
      case PairKind::label:
        return builtin ? filter_labelled(path, std::move(made), filters, report)
                       : read_labelled(corpus.paths, filters, report, known);
    }
    fail(Fault::bug, path, ": pairs of no kind");
  }

  std::string fingerprint() const {
    const std::string known = corpus_fingerprint(corpus);
    if (!builtin) return known;
    return known + " " + std::to_string(builtin->version) + " " + std::string(name(split)) + " " +
           std::to_string(pairs) + (reversed() ? " reversed" : "");
  }

 private:
  bool reversed() const { return builtin->is_reversed(corpus.from, corpus.to); }

  void reverse(Pair& pair) const {
    std::swap(pair.source, pair.target);
    Alignment links = parse_moses(pair.alignment, builtin->name);
    for (auto& [from, to] : links) std::swap(from, to);
    std::ranges::sort(links);
    pair.alignment.clear();
    for (const auto& [from, to] : links)
      pair.alignment.append(pair.alignment.empty() ? "" : " ")
          .append(std::to_string(from) + "-" + std::to_string(to));
  }
};

/// What models of the spec learn from.
PairKind kind_of_text(const ModelSpec& spec) {
  if (find_architecture(spec.architecture).writes == Writes::label) return PairKind::label;
  return reads_source(spec) ? PairKind::translation : PairKind::text;
}

/// How messages call it, and the built-in corpus that has it.
struct KindText {
  std::string_view name, builtin;
};

KindText text_of(PairKind kind) {
  switch (kind) {
    case PairKind::translation:
      return {"a text and its translation", kBuiltinEnFr};
    case PairKind::text:
      return {"a text alone", kBuiltinEn};
    case PairKind::label:
      return {"texts and their labels", kBuiltinKinds};
  }
  fail(Fault::bug, "pairs of no kind");
}

void check_kind_of_text(const Recipe& recipe) {
  const PairKind kind = kind_of_text(recipe.model);
  const std::string needs = "architecture " + recipe.model.architecture + " learns from " +
                            std::string(text_of(kind).name);
  const DataSpec& data = recipe.data;
  check(kind != PairKind::text || data.from.empty(), needs,
        ", whose language is data.to; leave data.from '", data.from, "' out");
  check(kind != PairKind::label || data.to.empty(), needs,
        ", whose language is data.from; leave data.to '", data.to, "' out");
  for (const auto& [text, translation] : {std::pair(data.train_source, data.train_target),
                                          std::pair(data.valid_source, data.valid_target)}) {
    check(kind != PairKind::text || translation.empty(), needs, "; leave ", translation, " out");
    check(
        kind != PairKind::text || !is_named_parallel(text), needs, ", and ", text,
        " is named as a text and its translation; give one side, a sentence or paragraph per line");
    const BuiltinCorpus* builtin = find_builtin(text);
    if (!builtin) continue;
    check(builtin->holds == kind, needs, ", and ", text, " is ", text_of(builtin->holds).name,
          "; take ", text_of(kind).builtin);
    check(translation.empty(), text, " is a corpus by itself; leave ", translation, " out");
  }
}

void check_languages(const DataSpec& data) {
  const BuiltinCorpus* builtin = find_builtin(data.train_source);
  if (!builtin) return;
  const auto [source, target] = std::pair(builtin->source, builtin->target);
  const bool fits = (data.from.empty() && data.to.empty()) ||
                    (data.from == source && data.to == target) ||
                    (data.from == target && data.to == source);
  check(fits || !builtin->is_parallel(), builtin->name, " cannot train from '", data.from, "' to '",
        data.to, "'; name ", source, " and ", target, ", in either order");
  check(fits || builtin->holds != PairKind::text, builtin->name, " is text in '", target,
        "', not in '", data.to, "'");
}

/// A learned table has no vector for positions past its end; a piece has a token and its end.
void check_lengths(const Recipe& recipe) {
  const Index most = recipe.data.max_tokens, positions = max_positions(recipe.model);
  const bool parallel = reads_source(recipe.model);
  check(parallel || most >= 2, "data.max_tokens is ", most,
        ", but a text has a token and its end at least; set it to 2 or more");
  check(positions == 0 || most < positions, parallel ? "sentences" : "texts", " of up to ", most,
        " tokens (data.max_tokens) do not fit ", positions,
        " learned positions (model.max_length); the latter must be larger");
}

/// What must be the same when a run goes on, beside its settings.
std::string note_of(const Side& train, const Side& valid) {
  nlohmann::ordered_json note{{"train", train.fingerprint()}};
  if (valid.given()) note["valid"] = valid.fingerprint();
  return note.dump();
}

void check_readable_again(const Side& side, const std::string& folder) {
  check(!side.given() || !is_stream(side.corpus) ||
            CheckpointStore(RunFolder(folder).checkpoints(), 1).steps().empty(),
        side.corpus.paths[0], ": is a stream, and what this run has read of it so far is gone, so ",
        folder,
        " cannot resume from it; train from a file, start over with --fresh, or resume with ",
        "whatever text now comes with --force");
}

/// Puts some of the training pairs aside, to validate with.
std::vector<Pair> put_pairs_aside(std::vector<Pair>& train, const Recipe& recipe,
                                  std::string_view what, const std::string& remedy) {
  const Division division = put_aside(static_cast<Index>(train.size()),
                                      static_cast<std::uint64_t>(recipe.train.seed), what, remedy);
  std::vector<Pair> valid, kept;
  for (const Index i : division.valid) valid.push_back(train[static_cast<std::size_t>(i)]);
  for (const Index i : division.train)
    kept.push_back(std::move(train[static_cast<std::size_t>(i)]));
  train = std::move(kept);
  return valid;
}

IdPair ids_of(const Pair& pair, const ModelInfo& info) {
  IdPair ids{info.source->encode(pair.source), info.target->encode(pair.target)};
  ids.source.push_back(kEos);
  return ids;
}

bool is_too_long(const IdPair& ids, const DataSpec& data) {
  return static_cast<Index>(std::max(ids.source.size(), ids.target.size())) > data.max_tokens;
}

/// Counts the pairs that are too long.
RunTokens encode_pairs(RunText text, const DataSpec& data, const ModelInfo& info) {
  RunTokens tokens;
  for (const Pair& pair : text.train) {
    IdPair ids = ids_of(pair, info);
    if (is_too_long(ids, data))
      ++tokens.left_out;
    else
      tokens.train.push_back(std::move(ids));
  }
  if (tokens.train.empty())
    fail(Fault::input, data.train_source, ": no pair has at most ", data.max_tokens,
         " tokens on both sides; raise data.max_tokens");
  for (Pair& pair : text.valid) {
    IdPair ids = ids_of(pair, info);
    if (is_too_long(ids, data)) {
      ++tokens.left_out;
      continue;
    }
    tokens.valid.ids.push_back(std::move(ids));
    tokens.valid.text.push_back(std::move(pair));
  }
  if (tokens.valid.ids.empty())
    fail(Fault::input, "no validation pair is left: all have more than ", data.max_tokens,
         " tokens on a side; raise data.max_tokens");
  return tokens;
}

IdPair ids_of(const LineSource& line, std::size_t piece) {
  IdPair ids{.source = {kEos}, .target = line.ids(piece)};
  ids.target.pop_back();  // batches add the end
  return ids;
}

/// A piece to be read: U+FFFD stands for a character that was cut.
std::string text_of(const LineSource& line, std::size_t piece) {
  const auto begin = static_cast<std::size_t>(line.piece(piece).front().start);
  const auto end = static_cast<std::size_t>(line.piece(piece).back().end);
  return normalise(std::string_view(line.line).substr(begin, end - begin));
}

/// Lines of more than max_tokens tokens, with their end, become several.
RunTokens encode_lines(const RunText& text, const DataSpec& data, const Tokenizer& tokenizer) {
  const auto cut = [&](const Pair& line) {
    return line_source(tokenizer, normalise(line.target), data.max_tokens - 1);
  };
  RunTokens tokens;
  for (const Pair& each : text.train) {
    const LineSource line = cut(each);
    for (std::size_t i = 0; i < line.pieces(); ++i) tokens.train.push_back(ids_of(line, i));
  }
  for (const Pair& each : text.valid) {
    const LineSource line = cut(each);
    for (std::size_t i = 0; i < line.pieces(); ++i) {
      tokens.valid.ids.push_back(ids_of(line, i));
      tokens.valid.text.push_back({.source = "", .target = text_of(line, i)});
    }
  }
  return tokens;
}

}  // namespace

void check_run_text(const Recipe& recipe) {
  check_kind_of_text(recipe);
  check_languages(recipe.data);
  check_lengths(recipe);
}

RunText read_run_text(const Recipe& recipe, const RunRequest& request) {
  const PairKind kind = kind_of_text(recipe.model);
  const Side train(recipe.data, Split::train, kind), valid(recipe.data, Split::valid, kind);
  if (!request.allow_changed && !request.fresh)
    for (const Side* side : {&train, &valid}) check_readable_again(*side, request.folder);
  CorpusReport report;
  const auto read = [&](const Side& side, const char* what,
                        const std::vector<std::string>& known = {}) {
    std::vector<Pair> pairs = side.read(recipe.data.filters, report, known);
    request.say(what + report.text());
    return pairs;
  };
  RunText text;
  text.note = note_of(train, valid);
  text.train = read(train, "train: ");
  if (kind == PairKind::label)
    text.labels =
        learned_labels(side_of(text.train, &Pair::target), recipe.data.train_source, "text");
  text.valid = valid.given()
                   ? read(valid, "valid: ", text.labels)
                   : put_pairs_aside(text.train, recipe, report.what, request.valid_remedy);
  if (kind == PairKind::label && !valid.given())
    keep_each_label(text.train, text.valid, [](const Pair& pair) { return pair.target; });
  if (note_of(train, valid) != text.note)
    fail(Fault::input, recipe.data.train_source,
         ": the training or validation text changed while it was read; start again when ",
         "nothing writes to it");
  return text;
}

RunTokens encode_run_text(RunText text, const DataSpec& data, const ModelInfo& info) {
  return reads_source(info.spec) ? encode_pairs(std::move(text), data, info)
                                 : encode_lines(text, data, *info.target);
}

}  // namespace regard
