#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "regard/base/check.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/tokens/words.h"
#include "regard/train/trainer.h"
#include "tests/train/checkpoint_testing.h"

namespace regard::testing {

/// A model and a few sentences, small enough that an update takes a millisecond or two.
class MicroRun {
 public:
  ModelInfo info{};
  std::vector<IdPair> train{};
  ValidationSet valid{};

  explicit MicroRun(std::string_view architecture = "transformer", Index pairs = 40) {
    const std::vector<Pair> text = builtin_en_fr({.pairs = pairs + 6});
    std::vector<std::string> english, french;
    for (const Pair& pair : text) {
      english.push_back(pair.source);
      french.push_back(pair.target);
    }
    info.from = "en";
    info.to = "fr";
    info.source = word_vocabulary(english, {.min_frequency = 1});
    info.target = word_vocabulary(french, {.min_frequency = 1});
    info.spec = {.architecture = std::string(architecture),
                 .source_vocabulary = info.source->size(),
                 .target_vocabulary = info.target->size(),
                 .width = 16,
                 .hidden = 16,
                 .heads = 2,
                 .encoder_layers = 1,
                 .decoder_layers = 1,
                 .mechanism = architecture == "bahdanau" ? "additive" : "scaled-dot",
                 .tied = "target",
                 .dropout = 0.1};
    for (const Pair& pair : text) {
      IdPair ids{info.source->encode(pair.source), info.target->encode(pair.target)};
      ids.source.push_back(kEos);
      const bool judged = static_cast<Index>(train.size()) == pairs;
      (judged ? valid.ids : train).push_back(std::move(ids));
      if (judged) valid.text.push_back(pair);
    }
  }

  std::unique_ptr<SequenceModel> model(std::uint64_t seed = 1) const {
    return make_model(info.spec, Rng(seed).fork("model"));
  }

  Trainer::Setup setup(const TrainSpec& spec, const std::string& folder) const {
    return {.spec = spec,
            .folder = folder,
            .info = &info,
            .train = train,
            .valid = valid,
            .note = R"({"train":"text"})"};
  }

  /// Trains into the folder, or goes on there; stops after `most` updates of this call.
  TrainEnd go(const TrainSpec& spec, const std::string& folder, Index most = 1 << 30) const {
    const std::unique_ptr<SequenceModel> fresh = model();
    struct Counter final : TrainObserver {
      Index updates = 0;
      void stepped(const StepReport&) override { ++updates; }
    } counter;
    Trainer trainer(setup(spec, folder), *fresh, counter);
    return trainer.run([&] { return counter.updates >= most; });
  }
};

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
