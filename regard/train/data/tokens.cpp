#include "regard/base/check.h"
#include "regard/model/architecture.h"
#include "regard/train/choose_alignment.h"
#include "regard/train/choose_examples.h"
#include "regard/train/run_data.h"
#include "regard/train/run_text.h"
#include "regard/train/token_task.h"
#include "regard/train/vocabulary.h"

namespace regard::data {
namespace {

void learn_vocabularies(const std::vector<Pair>& pairs, const VocabSpec& spec, ModelInfo& info) {
  std::vector<std::string> source = side_of(pairs, &Pair::source);
  const std::vector<std::string> target = side_of(pairs, &Pair::target);
  if (!reads_source(info.spec)) {
    info.source = info.target = learned_vocabulary(target, spec);
  } else if (spec.joint) {
    source.insert(source.end(), target.begin(), target.end());
    info.source = info.target = learned_vocabulary(source, spec);
  } else {
    info.source = learned_vocabulary(source, spec);
    info.target = learned_vocabulary(target, spec);
  }
}

void check_tables(const Recipe& recipe) {
  check(
      recipe.vocab.joint || !reads_source(recipe.model) || recipe.model.tied != "all",
      "two vocabularies (vocab.joint) cannot share embeddings (model.tied); set tied to target or ",
      "none, or joint to true");
}

class TokenData final : public RunData {
 public:
  explicit TokenData(RunText text) : text_(std::move(text)) {}

  std::string note() const override { return text_.note; }

  void describe(const Recipe& recipe, const RunRequest& request, ModelInfo& info) const override {
    request.say("building the vocabulary");
    learn_vocabularies(text_.train, recipe.vocab, info);
  }

  void set_sizes(const ModelInfo& info, ModelSpec& spec) const override {
    spec.source_vocabulary = info.source->size();
    spec.target_vocabulary = info.target->size();
  }

  std::unique_ptr<Task> task(const Recipe& recipe, const ModelInfo& info, Model& model) override {
    RunTokens tokens = encode_run_text(std::move(text_), recipe.data, info);
    left_out_ = tokens.left_out;
    return std::make_unique<TokenTask>(dynamic_cast<const SequenceModel&>(model), info,
                                       std::move(tokens.train), std::move(tokens.valid));
  }

  Index left_out() const override { return left_out_; }

 private:
  RunText text_;
  Index left_out_ = 0;
};

/// Which attention aligns words, and sentences to try; nothing of a model that does not translate.
void complete(const Model& model, const Task& task, ModelInfo& info) {
  if (!translates(info.spec)) return;
  const auto& translator = dynamic_cast<const SequenceModel&>(model);
  const ValidationSet& valid = dynamic_cast<const TokenTask&>(task).valid();
  info.alignment = choose_alignment_head(translator, info, valid);
  info.examples = choose_examples(translator, info, valid);
}

}  // namespace

extern const DataKind tokens{
    .name = "text",
    .fits =
        [](const ModelSpec& spec) {
          const Architecture& kind = find_architecture(spec.architecture);
          return kind.writes == Writes::text &&
                 (kind.reads == Reads::text || kind.reads == Reads::nothing);
        },
    .wanted = [](const ModelSpec& spec) -> std::string {
      return reads_source(spec) ? "text and its translation, as in --train builtin:en-fr"
                                : "the text, as in --train builtin:en";
    },
    .check =
        [](const Recipe& recipe, bool goes_on) {
          check_run_text(recipe);
          if (!goes_on) check_tables(recipe);
        },
    .read = [](const Recipe& recipe, const RunRequest& request) -> std::unique_ptr<RunData> {
      return std::make_unique<TokenData>(read_run_text(recipe, request));
    },
    .complete = complete,
};

}  // namespace regard::data
