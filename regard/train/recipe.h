#pragma once

#include <string>

#include "regard/batch/corpus.h"
#include "regard/decode/spec.h"
#include "regard/model/spec.h"
#include "regard/train/spec.h"

namespace regard {

/// The training and validation data.
struct DataSpec {
  std::string train_source, train_target;  ///< target is empty if one file holds both
  std::string valid_source,
      valid_target;  ///< source is empty: some of the training data is held out
  std::string from, to;
  Index max_tokens = 256;
  Index builtin_pairs = 200'000;
  std::string split;  ///< of series; see split_rows
  Index period = 0;   ///< of series; see seasonal_period
  Filters filters;

  void each(auto&& visit) {
    visit(Field{"train_source", "training text; or both sides: TSV, PO, TMX, builtin:en-fr"},
          train_source);
    visit(Field{"train_target", "its translation, line by line"}, train_target);
    visit(Field{"valid_source", "validation text; empty: part of the training data is held out"},
          valid_source);
    visit(Field{"valid_target", "its translation, line by line"}, valid_target);
    visit(Field{"from", "language of the source, as in en"}, from);
    visit(Field{"to", "language of the target, as in fr"}, to);
    visit(Field{"max_tokens", "longer pairs are skipped, longer lines cut, in tokens", 1, 1 << 20}
              .formerly("most_tokens"),
          max_tokens);
    visit(Field{"builtin_pairs", "training pairs of the built-in corpus", 1, 1e6}, builtin_pairs);
    visit(Field{"split", "of series: rows or shares of train, valid, test; empty: the usual"},
          split);
    visit(Field{"period", "of series: steps after which they come again; 0: found", 0, 1 << 20},
          period);
    filters.each(visit);
  }
};

/// How text becomes tokens.
struct VocabSpec {
  std::string type = "bpe";
  std::string kind;  ///< of older versions, which had "words" here and a type of subwords as well
  Index size = 8000;
  bool joint = true;
  Index min_frequency = 2;
  bool lower_case = false, split_punctuation = true;

  void each(auto&& visit) {
    visit(
        Field::choice("type", "subwords by bpe or unigram; or words", {"bpe", "unigram", "words"}),
        type);
    visit(Field::choice("kind", "now part of type", {"subwords", "words"}).only_read(), kind);
    visit(Field{"size", "maximum size of a vocabulary, in tokens", 260, 1 << 24}, size);
    visit(Field{"joint", "one vocabulary for both languages"}, joint);
    visit(Field{"min_frequency", "rarer words become <unk>", 1, 1e9}, min_frequency);
    visit(Field{"lower_case", "lower-case words"}, lower_case);
    visit(Field{"split_punctuation", "words: cut at punctuation and apostrophes too"},
          split_punctuation);
  }

  /// Makes the kind part of the type. Call it after each source of settings, so that a later one
  /// overrides it; prepare_run does for what is left. Returns whether there was a kind.
  bool merge_kind() {
    if (kind.empty()) return false;
    if (kind == "words") type = "words";
    if (kind == "subwords" && type == "words") type = "bpe";
    kind.clear();
    return true;
  }
};

/// Everything that decides what a training yields.
struct Recipe {
  DataSpec data;
  VocabSpec vocab;
  ModelSpec model;
  TrainSpec train;

  /// Calls visit(section, group) for each section of a config file.
  void each_section(auto&& visit) {
    visit("data", data);
    visit("vocab", vocab);
    visit("model", model);
    visit("train", train);
  }
};

}  // namespace regard
