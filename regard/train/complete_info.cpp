#include "regard/train/complete_info.h"

#include "regard/train/run_data.h"

namespace regard {

void complete_info(const RunFolder& folder, Model& model, const Task& task, ModelInfo& info) {
  load_weights(SafetensorsFile(folder.weights(), Symlinks::refuse), parameters_of(model));
  data_kind_of(info.spec).complete(model, task, info);
  save_info(folder.path(), info);
}

}  // namespace regard
