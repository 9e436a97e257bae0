#include "regard/model/labels.h"

#include "regard/base/check.h"
#include "regard/batch/labelled_text.h"
#include "regard/model/architecture.h"
#include "regard/train/label_task.h"
#include "regard/train/run_data.h"
#include "regard/train/run_text.h"
#include "regard/train/vocabulary.h"

namespace regard::data {
namespace {

/// A text and the number of its label.
IdPair ids_of(const Pair& pair, const ModelInfo& info, const std::string& path) {
  const std::optional<std::int32_t> label = find_label(info.labels, pair.target);
  if (!label)
    fail(Fault::input, path, ": the label '", shown_label(pair.target),
         "' is not among those that the model was made for; train anew with --fresh");
  IdPair ids{info.source->encode(pair.source), {*label}};
  ids.source.push_back(kEos);
  return ids;
}

class LabelData final : public RunData {
 public:
  explicit LabelData(RunText text) : text_(std::move(text)) {}

  std::string note() const override { return text_.note; }

  void describe(const Recipe& recipe, const RunRequest& request, ModelInfo& info) const override {
    request.say("building the vocabulary");
    info.source = learned_vocabulary(side_of(text_.train, &Pair::source), recipe.vocab);
    info.labels = text_.labels;
  }

  void set_sizes(const ModelInfo& info, ModelSpec& spec) const override {
    spec.source_vocabulary = info.source->size();
    spec.target_vocabulary = static_cast<Index>(info.labels.size());
  }

  std::unique_ptr<Task> task(const Recipe& recipe, const ModelInfo& info, Model& model) override {
    const DataSpec& data = recipe.data;
    std::vector<IdPair> train;
    std::vector<IdPair> valid;
    std::vector<std::string> texts;  // of these
    const bool held_out = data.valid_source.empty();
    for (const Pair& pair : text_.train) {
      IdPair ids = ids_of(pair, info, data.train_source);
      if (fits(ids, data)) train.push_back(std::move(ids));
    }
    for (const Pair& pair : text_.valid) {
      IdPair ids = ids_of(pair, info, held_out ? data.train_source : data.valid_source);
      if (!fits(ids, data)) continue;
      valid.push_back(std::move(ids));
      texts.push_back(pair.source);
    }
    for (const auto& [left, which] :
         {std::pair(train.size(), "training"), std::pair(valid.size(), "validation")})
      if (left == 0)
        fail(Fault::input, "no ", which, " text is left: all have more than ", data.max_tokens,
             " tokens; raise data.max_tokens");
    return std::make_unique<LabelTask>(dynamic_cast<const LabelModel&>(model), info,
                                       labelled_texts(std::move(train), {}),
                                       labelled_texts(std::move(valid), std::move(texts)));
  }

  Index left_out() const override { return left_out_; }

 private:
  /// Counts those that do not.
  bool fits(const IdPair& ids, const DataSpec& data) {
    const bool fit = static_cast<Index>(ids.source.size()) <= data.max_tokens;
    left_out_ += !fit;
    return fit;
  }

  RunText text_;
  Index left_out_ = 0;
};

}  // namespace

extern const DataKind labels{
    .name = "labels",
    .fits =
        [](const ModelSpec& spec) {
          const Architecture& kind = find_architecture(spec.architecture);
          return kind.writes == Writes::label && kind.reads == Reads::text;
        },
    .wanted = [](const ModelSpec&) -> std::string {
      return "texts and their labels, as in --train builtin:kinds";
    },
    .check = [](const Recipe& recipe, bool) { check_run_text(recipe); },
    .read = [](const Recipe& recipe, const RunRequest& request) -> std::unique_ptr<RunData> {
      return std::make_unique<LabelData>(read_run_text(recipe, request));
    },
    .complete = [](const Model&, const Task&, ModelInfo&) {},
};

}  // namespace regard::data
