#include "regard/base/check.h"
#include "regard/model/architecture.h"
#include "regard/train/choose_gaze.h"
#include "regard/train/run_captions.h"
#include "regard/train/run_data.h"
#include "regard/train/vocabulary.h"

namespace regard::data {
namespace {

class CaptionData final : public RunData {
 public:
  explicit CaptionData(RunCaptions captions) : captions_(std::move(captions)) {}

  std::string note() const override { return captions_.note; }

  void describe(const Recipe& recipe, const RunRequest& request, ModelInfo& info) const override {
    request.say("building the vocabulary");
    info.source = info.target = learned_vocabulary(captions_.captions, recipe.vocab);
  }

  void set_sizes(const ModelInfo& info, ModelSpec& spec) const override {
    spec.source_vocabulary = spec.target_vocabulary = info.target->size();
  }

  std::unique_ptr<Task> task(const Recipe& recipe, const ModelInfo& info, Model& model) override {
    const Index most = recipe.data.max_tokens;
    for (CaptionExamples* examples : {&captions_.train, &captions_.valid}) {
      left_out_ += encode(*examples, *info.target, most);
      if (examples->count() == 0)
        fail(Fault::input, recipe.data.train_source, ": no caption has at most ", most,
             " tokens; raise data.max_tokens");
    }
    return std::make_unique<CaptionTask>(dynamic_cast<const SequenceModel&>(model), info,
                                         std::move(captions_.train), std::move(captions_.valid));
  }

  Index left_out() const override { return left_out_; }

 private:
  RunCaptions captions_;
  Index left_out_ = 0;
};

}  // namespace

extern const DataKind captions{
    .name = "captions",
    .fits =
        [](const ModelSpec& spec) {
          const Architecture& kind = find_architecture(spec.architecture);
          return kind.reads == Reads::image && kind.writes == Writes::text;
        },
    .wanted = [](const ModelSpec&) -> std::string {
      return "pictures with captions, as in --train builtin:scenes";
    },
    .preferred =
        [](TrainSpec spec) {
          spec.batch_tokens = 1024;
          spec.label_smoothing = 0;
          spec.learning_rate = 1.5e-3;
          spec.warmup = 300;
          spec.validate_sentences = 500;
          return spec;
        },
    .check = [](const Recipe& recipe, bool) { check_run_captions(recipe); },
    .read = [](const Recipe& recipe, const RunRequest& request) -> std::unique_ptr<RunData> {
      return std::make_unique<CaptionData>(read_run_captions(recipe, request));
    },
    .complete =
        [](const Model& model, const Task& task, ModelInfo& info) {
          info.alignment = choose_gaze(dynamic_cast<const SequenceModel&>(model), info,
                                       dynamic_cast<const CaptionTask&>(task).valid());
        },
};

}  // namespace regard::data
