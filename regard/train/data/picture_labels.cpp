#include <set>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/batch/labelled_text.h"
#include "regard/model/architecture.h"
#include "regard/model/labels.h"
#include "regard/tokens/normalise.h"
#include "regard/train/label_task.h"
#include "regard/train/learned_labels.h"
#include "regard/train/run_data.h"
#include "regard/train/run_pictures.h"

namespace regard::data {
namespace {

const PictureCorpus& corpus() {
  return *find_picture_corpus(kBuiltinShapes);
}

/// What is said of each picture, as a label is written. Names the line of one that is none.
std::vector<std::string> labels_of(const PictureExamples& examples, const std::string& list) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < examples.chosen.size(); ++i) {
    const Captioned about = examples.about(i);
    labels.push_back(normalise(about.caption));
    const std::string fault = fault_of_label(labels.back());
    if (!fault.empty())
      fail(Blame(Fault::input).at(list, about.line), list, ":", about.line, ": ", fault, ": '",
           shown_label(labels.back()), "'");
  }
  return labels;
}

/// Of the pictures put aside, gives a label that would never be learned to those that are learned
/// from; what else is said of such a picture would be no test.
void learn_each_label(PictureExamples& train, PictureExamples& valid, const std::string& remedy) {
  keep_each_label(train.chosen, valid.chosen,
                  [&](Index i) { return normalise(train.pictures->about(i).caption); });
  std::set<Index> learned;
  for (const Index i : train.chosen) learned.insert(train.pictures->picture(i));
  std::vector<Index> others = valid.chosen;
  std::erase_if(others, [&](Index i) { return learned.contains(valid.pictures->picture(i)); });
  if (others.empty())
    warn("every picture is needed to learn its label, so validation says nothing about others; ",
         remedy);
  else
    valid.chosen = std::move(others);
}

class PictureLabelData final : public RunData {
 public:
  PictureLabelData(RunPictures pictures, const DataSpec& data)
      : pictures_(std::move(pictures)),
        train_list_(data.train_source),
        valid_list_(data.valid_source.empty() ? data.train_source : data.valid_source),
        train_labels_(labels_of(pictures_.train, train_list_)),
        valid_labels_(labels_of(pictures_.valid, valid_list_)) {}

  std::string note() const override { return pictures_.note; }

  void describe(const Recipe&, const RunRequest&, ModelInfo& info) const override {
    info.labels = learned_labels(train_labels_, train_list_, "picture");
  }

  void set_sizes(const ModelInfo& info, ModelSpec& spec) const override {
    spec.target_vocabulary = static_cast<Index>(info.labels.size());
  }

  std::unique_ptr<Task> task(const Recipe&, const ModelInfo& info, Model& model) override {
    const PatchGrid grid{.side = info.spec.image_size, .patch = info.spec.image_patch};
    const auto examples = [&](PictureExamples& pictures, const std::vector<std::string>& labels,
                              const std::string& list) {
      std::vector<std::int32_t> numbers;
      for (const std::string& label : labels) {
        const std::optional<std::int32_t> number = find_label(info.labels, label);
        if (!number)
          fail_unknown_label(list, pictures.about(numbers.size()).line, label, info.labels);
        numbers.push_back(*number);
      }
      return labelled_pictures(std::move(pictures), std::move(numbers), grid);
    };
    auto train = examples(pictures_.train, train_labels_, train_list_);
    auto valid = examples(pictures_.valid, valid_labels_, valid_list_);
    return std::make_unique<LabelTask>(dynamic_cast<const LabelModel&>(model), info,
                                       std::move(train), std::move(valid));
  }

 private:
  RunPictures pictures_;
  const std::string train_list_, valid_list_;
  const std::vector<std::string> train_labels_, valid_labels_;
};

}  // namespace

extern const DataKind picture_labels{
    .name = "labelled pictures",
    .fits =
        [](const ModelSpec& spec) {
          const Architecture& kind = find_architecture(spec.architecture);
          return kind.reads == Reads::image && kind.writes == Writes::label;
        },
    .wanted = [](const ModelSpec&) -> std::string {
      return "pictures with labels, as in --train builtin:shapes";
    },
    .preferred =
        [](TrainSpec spec) {
          spec.batch_tokens = 1024;
          spec.label_smoothing = 0;
          spec.learning_rate = 3e-3;
          spec.warmup = 300;
          return spec;
        },
    .check = [](const Recipe& recipe, bool) { check_run_pictures(recipe, corpus()); },
    .read = [](const Recipe& recipe, const RunRequest& request) -> std::unique_ptr<RunData> {
      RunPictures found = read_run_pictures(recipe, request, corpus());
      const bool aside = found.valid.pictures == found.train.pictures &&
                         found.valid.chosen != found.train.chosen;  // or all serve for both
      if (aside) learn_each_label(found.train, found.valid, request.valid_remedy);
      return std::make_unique<PictureLabelData>(std::move(found), recipe.data);
    },
    .complete = [](const Model&, const Task&, ModelInfo&) {},
};

}  // namespace regard::data
