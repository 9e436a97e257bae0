#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "regard/model/model_folder.h"
#include "regard/train/recipe.h"
#include "regard/train/run_request.h"
#include "regard/train/task.h"

namespace regard {

/// The examples of a run as they were read, before there is a model for them.
class RunData {
 public:
  virtual ~RunData() = default;

  /// Which data it is, for the run's checkpoints: an object in JSON.
  virtual std::string note() const = 0;

  /// What a new model must know of the data, such as vocabularies.
  virtual void describe(const Recipe& recipe, const RunRequest& request, ModelInfo& info) const = 0;

  /// The sizes that follow from it, such as those of vocabularies, of a new model or an old one.
  virtual void set_sizes(const ModelInfo& info, ModelSpec& spec) const = 0;

  /// What the model learns. The data is used up. Throws Error(input) if no example is left.
  virtual std::unique_ptr<Task> task(const Recipe& recipe, const ModelInfo& info, Model& model) = 0;

  /// Examples that the task leaves out: too long.
  virtual Index left_out() const { return 0; }
};

/// A kind of data: for which models it is, and how it is read.
struct DataKind {
  std::string_view name;
  /// Whether models of the spec learn from it.
  bool (*fits)(const ModelSpec& spec);
  /// What to give as training data, if there is none: "text and its translation, as in ..".
  std::string (*wanted)(const ModelSpec& spec);
  /// How a training on it goes well where nobody has chosen; none: as any.
  TrainSpec (*preferred)(TrainSpec spec) = nullptr;
  /// Throws Error(usage) if a model of the recipe cannot learn from the data that it names. Of a
  /// run that goes on, vocabularies are there already.
  void (*check)(const Recipe& recipe, bool goes_on);
  /// Throws Error(usage) if a run would go on from data that can be read only once; Error(input)
  /// for the data, also if it changes meanwhile.
  std::unique_ptr<RunData> (*read)(const Recipe& recipe, const RunRequest& request);
  /// What is known of a model only once it is trained. The best weights that the run has kept are
  /// in the model.
  void (*complete)(const Model& model, const Task& task, ModelInfo& info);
};

/// Every kind of this build; made from the files in data/.
std::span<const DataKind* const> all_data_kinds();

/// The kind that models of the spec learn from.
const DataKind& data_kind_of(const ModelSpec& spec);

}  // namespace regard
