#include "regard/model/model_folder.h"

#include <filesystem>

#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"
#include "regard/model/forecasts.h"
#include "regard/model/label_model.h"

namespace regard::targets {
namespace {

/// What a model says of as little as it can be given.
void say(const Loaded<Model>& loaded) {
  const NoGrad quiet;
  const TokenIds text = TokenIds::ragged({{kBos}});
  if (const auto* writer = dynamic_cast<const SequenceModel*>(loaded.model.get())) {
    const std::vector<std::int32_t> row(static_cast<std::size_t>(writer->numbers_per_row()), kBos);
    const Var rows = writer->forward(TokenIds::ragged({row}), text, {});
    writer->output().log_probabilities(rows.value());
  } else if (const auto* labels = dynamic_cast<const LabelModel*>(loaded.model.get())) {
    labels->output().log_probabilities(labels->forward(text, {}).value());
  } else {
    const auto& forecaster = dynamic_cast<const ForecastModel&>(*loaded.model);
    forecasts(forecaster, Tensor({1, forecaster.context()}, forecaster.dtype()));
  }
}

std::string vocabulary(const std::shared_ptr<const Tokenizer>& of) {
  return of ? of->bytes() : "none";
}

/// Three files: config.json, its vocabulary joint.tokens, model.safetensors. A model that is
/// accepted can be used, and unless it is int8 is the same after saving and loading.
void try_model_folder(std::string_view bytes) {
  static const ScratchFolder folder;
  std::filesystem::create_directory(folder.path("again"));
  const std::vector<std::string_view> files = files_in(bytes, 3);
  folder.write("config.json", files[0]);
  folder.write("joint.tokens", files[1]);
  folder.write("model.safetensors", files[2]);
  const Loaded<Model> packed = load_packed(folder.path("."), NotFinite::refuse);
  say(packed);
  if (packed.weights == Dtype::i8) return;
  const Loaded<Model> loaded = load_plain(folder.path("."), NotFinite::refuse);
  save_info(folder.path("again"), loaded.info);
  folder.write("again/model.safetensors", weights_bytes(parameters_of(*loaded.model)));
  const Loaded<Model> again = load_plain(folder.path("again"), NotFinite::refuse);
  law(vocabulary(again.info.source) == vocabulary(loaded.info.source), "another vocabulary");
  law(again.info.labels == loaded.info.labels, "other labels");
  law(again.info.series == loaded.info.series, "other series");
  law(weights_bytes(parameters_of(*again.model)) == weights_bytes(parameters_of(*loaded.model)),
      "other weights");
}

}  // namespace

extern const FuzzTarget model_folder{.name = "model_folder",
                                     .about = "folders of models",
                                     .max_bytes = 8192,
                                     .attempt = try_model_folder,
                                     .slow = true};

}  // namespace regard::targets
