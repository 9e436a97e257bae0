#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "regard/base/check.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/model/architecture.h"
#include "regard/model/labels.h"
#include "regard/tokens/words.h"
#include "regard/train/label_task.h"
#include "regard/train/run_setup.h"
#include "regard/train/series_task.h"
#include "regard/train/token_task.h"
#include "regard/train/trainer.h"
#include "tests/model/architectures.h"
#include "tests/series/series_testing.h"
#include "tests/train/checkpoint_testing.h"

namespace regard::testing {

/// The levels of a picture of four pixels.
inline std::vector<std::int32_t> four_pixels(Index number) {
  const Rng rng = Rng(1).fork(static_cast<std::uint64_t>(number));
  std::vector<std::int32_t> levels;
  for (std::uint64_t i = 0; i < 12; ++i)
    levels.push_back(static_cast<std::int32_t>(rng.below(i, 256)));
  return levels;
}

/// A model and a few sentences, small enough that an update takes a millisecond or two. One that
/// reads no source has the translations alone; one that labels has the sentences, each with the
/// first word of its translation as its label; one that reads images says the translations of four
/// pixels each; one that continues series has as many windows of one.
class MicroRun {
 public:
  ModelInfo info{};
  std::vector<IdPair> train{};
  ValidationSet valid{};

  explicit MicroRun(std::string_view architecture = "transformer", Index pairs = 40) {
    const Architecture& kind = find_architecture(architecture);
    if (kind.reads == Reads::series) {
      take_series(architecture, pairs);
      return;
    }
    std::vector<Pair> text = builtin_en_fr({.pairs = pairs + 6});
    std::vector<std::string> english, french;
    for (Pair& pair : text) {
      if (!kind.reads_source()) pair = {.source = "", .target = pair.target};
      if (kind.writes == Writes::label) pair.target.resize(pair.target.find_first_of(" '"));
      english.push_back(pair.source);
      french.push_back(pair.target);
    }
    info.from = "en";
    info.to = "fr";
    info.target = word_vocabulary(french, {.min_frequency = 1});
    info.source =
        kind.reads_source() ? word_vocabulary(english, {.min_frequency = 1}) : info.target;
    if (kind.writes == Writes::label) take_labels(french);
    info.spec = {.architecture = std::string(architecture),
                 .source_vocabulary = info.source->size(),
                 .target_vocabulary = said_size(),
                 .width = 16,
                 .hidden = 16,
                 .heads = 2,
                 .encoder_layers = 1,
                 .decoder_layers = 1,
                 .mechanism = kind.preferred({}).mechanism,
                 .tied = "target",
                 .dropout = 0.1,
                 .image_size = 2,
                 .image_patch = 1};
    for (const Pair& pair : text) {
      IdPair ids{info.source->encode(pair.source), said(pair.target)};
      ids.source.push_back(kEos);
      if (kind.reads == Reads::image)
        ids.source = four_pixels(static_cast<Index>(train.size() + valid.ids.size()));
      const bool judged = static_cast<Index>(train.size()) == pairs;
      (judged ? valid.ids : train).push_back(std::move(ids));
      if (judged) valid.text.push_back(pair);
    }
  }

  /// How many tokens, or labels, the model has to choose from.
  Index said_size() const {
    return info.target ? info.target->size() : static_cast<Index>(info.labels.size());
  }

  /// Of an architecture that generates tokens.
  std::unique_ptr<SequenceModel> model(std::uint64_t seed = 1) const {
    return make_sequence_model(info.spec, Rng(seed).fork("model"));
  }
  TokenTask task(const SequenceModel& model) const { return {model, info, train, valid}; }

  /// Of any architecture.
  std::unique_ptr<Model> any_model(std::uint64_t seed = 1) const {
    return make_model(info.spec, Rng(seed).fork("model"));
  }
  std::unique_ptr<const Task> any_task(const Model& model) const {
    if (const auto* labels = dynamic_cast<const LabelModel*>(&model)) {
      std::vector<std::string> texts;
      for (const Pair& pair : valid.text) texts.push_back(pair.source);
      return std::make_unique<LabelTask>(*labels, info, labelled_texts(train, {}),
                                         labelled_texts(valid.ids, texts));
    }
    if (const auto* forecaster = dynamic_cast<const ForecastModel*>(&model)) {
      const WindowSize size{info.spec.context, info.spec.horizon};
      const RowSplit& split = info.series->split;
      return std::make_unique<SeriesTask>(*forecaster, series_,
                                          Windows(*series_, split.train, size, "train"),
                                          Windows(*series_, split.valid, size, "valid"));
    }
    return std::make_unique<TokenTask>(dynamic_cast<const SequenceModel&>(model), info, train,
                                       valid);
  }

  Trainer::Setup setup(const TrainSpec& spec, const std::string& folder) const {
    return {.spec = spec, .folder = folder, .note = R"({"train":"text"})"};
  }

  /// Trains into the folder, or goes on there; stops after `most` updates of this call.
  TrainEnd go(const TrainSpec& spec, const std::string& folder, Index most = 1 << 30) const {
    const std::unique_ptr<Model> fresh = any_model();
    struct Counter final : TrainObserver {
      Index updates = 0;
      void stepped(const StepReport&) override { ++updates; }
    } counter;
    const std::unique_ptr<const Task> task = any_task(*fresh);
    Trainer trainer(setup(spec, folder), *fresh, *task, counter);
    return trainer.run([&] { return counter.updates >= most; });
  }

 private:
  void take_series(std::string_view architecture, Index windows) {
    info.spec = {.architecture = std::string(architecture),
                 .width = 16,
                 .hidden = 16,
                 .heads = 2,
                 .encoder_layers = 1,
                 .dropout = 0.1};
    info.spec.context = 12;
    info.spec.horizon = 3;
    info.spec.patch = info.spec.stride = 4;
    const Index last = info.spec.context + info.spec.horizon + windows - 1;
    const SeriesTable table = table_from("2024-01-01 00:00", 3600, wandering(Rng(1), 1, last + 16));
    const RowSplit split{{0, last}, {last, last + 8}, {last + 8, last + 16}};
    info.series = {.names = table.names,
                   .scales = scales_of(table, split.train),
                   .step = table.time.step_text(),
                   .first = table.time.first,
                   .split = split};
    series_ = std::make_shared<const StandardSeries>(table, info.series->scales);
  }

  void take_labels(std::vector<std::string> labels) {
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    info.labels = std::move(labels);
    info.target = nullptr;
  }

  std::vector<std::int32_t> said(const std::string& target) const {
    if (info.target) return info.target->encode(target);
    return {find_label(info.labels, target).value()};
  }

  std::shared_ptr<const StandardSeries> series_{};
};

/// What a prepared run learns and is judged by, where that is tokens.
inline const TokenTask& tokens_of(const PreparedRun& run) {
  return dynamic_cast<const TokenTask&>(*run.task);
}

/// Everything on; about 5 batches an epoch.
inline TrainSpec busy_spec() {
  return {.steps = 12,
          .batch_tokens = 60,
          .learning_rate = 0.01,
          .warmup = 4,
          .label_smoothing = 0.1,
          .average_best = 2,
          .validate_every = 4,
          .validate_sentences = 4,
          .log_every = 3,
          .save_every = 5,
          .keep = 2,
          .samples = 1};
}

/// The Error that f ends with.
template <class F>
Error error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error";
  return {Fault::bug, "none", __FILE__, __LINE__};
}

/// Every file of a run that must be the same, by name: weights, metrics, newest checkpoint.
inline std::vector<std::pair<std::string, std::string>> traces(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> all;
  const std::string latest = content(folder + "/checkpoints/latest");
  const std::string newest = "checkpoints/" + latest.substr(0, latest.find('\n')) + "/";
  for (const std::string& name :
       {std::string("model.safetensors"), std::string("metrics.jsonl"),
        newest + "learner.safetensors", newest + "progress.json", newest + "MANIFEST.json"})
    all.emplace_back(name, content(folder + "/" + name));
  return all;
}

/// The name of the first file that differs, or is not there at all; empty if none does.
inline std::string difference(const std::string& one, const std::string& other) {
  const auto a = traces(one), b = traces(other);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] || a[i].second.empty()) return a[i].first + " / " + b[i].first;
  return "";
}

}  // namespace regard::testing
