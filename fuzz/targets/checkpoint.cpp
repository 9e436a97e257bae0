#include "regard/train/checkpoint/checkpoint.h"

#include <filesystem>
#include <memory>

#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"
#include "regard/model/sequence_model.h"
#include "regard/train/checkpoint/manifest.h"
#include "regard/train/checkpoint/snapshot.h"

namespace regard::targets {
namespace {

constexpr const char* kFiles[] = {"progress.json", "learner.safetensors"};

/// A learner as small as can be: that of the seeds.
struct SmallLearner {
  std::unique_ptr<SequenceModel> model = make_sequence_model({.architecture = "bahdanau",
                                                              .source_vocabulary = 8,
                                                              .target_vocabulary = 8,
                                                              .width = 2,
                                                              .hidden = 1,
                                                              .heads = 1,
                                                              .encoder_layers = 1,
                                                              .decoder_layers = 1,
                                                              .mechanism = "additive"},
                                                             Rng(1));
  Learner learner{*model, {.optimiser = "sgd"}};
};

/// A folder with one checkpoint of these files, under a manifest that vouches for them.
void write_checkpoint(const ScratchFolder& folder, Index step,
                      const std::vector<std::string_view>& files) {
  Manifest manifest{.step = step};
  const std::string name = "ckpt-" + std::to_string(step);
  std::filesystem::create_directory(folder.path(name));
  for (std::size_t i = 0; i < files.size(); ++i) {
    manifest.entries.push_back({kFiles[i], files[i].size(), content_hash(files[i])});
    folder.write(name + "/" + kFiles[i], files[i]);
  }
  folder.write(name + "/MANIFEST.json", manifest_text(manifest));
}

/// Two files, progress.json and learner.safetensors: what is accepted is the same after saving and
/// restoring.
void try_checkpoint(std::string_view bytes) {
  static const ScratchFolder folder;
  static SmallLearner small;
  constexpr Index kStep = 2;  // that of the seed
  write_checkpoint(folder, kStep, files_in(bytes, 2));
  const std::optional<Checkpoint> read = CheckpointStore(folder.path("."), 1).newest();
  law(read && read->files.size() == 2, "the checkpoint is not found");
  const TrainProgress progress = restore(*read, small.learner);
  const Checkpoint saved = snapshot(small.learner, progress, "");
  law(restore(saved, small.learner).json() == progress.json(), "another progress comes back");
  law(snapshot(small.learner, progress, "").files[0].bytes == saved.files[0].bytes,
      "another learner comes back");
}

}  // namespace

extern const FuzzTarget checkpoint{.name = "checkpoint",
                                   .about = "folders of checkpoints, and going on from one",
                                   .max_bytes = 4096,
                                   .attempt = try_checkpoint,
                                   .slow = true};

}  // namespace regard::targets
