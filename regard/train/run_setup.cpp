#include "regard/train/run_setup.h"

#include <tuple>

#include "regard/base/check.h"
#include "regard/base/memory_left.h"
#include "regard/base/open_file.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/optimiser.h"
#include "regard/train/run_data.h"

namespace regard {
namespace {

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
  const DataKind& kind = data_kind_of(recipe.model);
  kind.check(recipe, goes_on);
  check_spec(recipe.train);
  check_least_model(recipe.model, recipe.train);
  const std::unique_ptr<RunData> examples = kind.read(recipe, request);
  if (request.stop()) return std::nullopt;

  PreparedRun run;
  run.info = std::make_unique<ModelInfo>();
  bool named = false;  // now, languages that an older run left out
  if (goes_on) {
    *run.info = load_info(folder);
    named = run.info->from.empty() && run.info->to.empty() && !(data.from + data.to).empty();
    if (named) std::tie(run.info->from, run.info->to) = std::tie(data.from, data.to);
  } else {
    run.info->from = data.from;
    run.info->to = data.to;
    run.info->spec = recipe.model;
    examples->describe(recipe, request, *run.info);
  }
  if (request.stop()) return std::nullopt;
  examples->set_sizes(*run.info, recipe.model);
  run.info->spec = recipe.model;
  check_model(recipe.model, recipe.train);
  run.model =
      make_model(recipe.model, Rng(static_cast<std::uint64_t>(recipe.train.seed)).fork("model"));

  run.setup = {.spec = recipe.train,
               .folder = folder,
               .note = examples->note(),
               .allow_changed = request.allow_changed};
  run.task = examples->task(recipe, *run.info, *run.model);
  run.left_out = examples->left_out();

  make_folder(folder);
  request.before_writing();
  kept.check_own();
  for (const std::string& each : {folder, kept.best()}) remove_leftovers(each);
  if (!goes_on || named) save_info(folder, *run.info);
  return run;
}

}  // namespace regard
