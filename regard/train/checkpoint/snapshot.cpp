#include "regard/train/checkpoint/snapshot.h"

#include <algorithm>
#include <cstring>

#include "regard/base/check.h"
#include "regard/tensor/safetensors.h"

namespace regard {
namespace {

constexpr const char* kLearnerFile = "learner.safetensors";
constexpr const char* kProgressFile = "progress.json";

const std::string& file_of(const Checkpoint& checkpoint, const std::string& name) {
  for (const CheckpointFile& file : checkpoint.files)
    if (file.name == name) return file.bytes;
  fail(Fault::input, checkpoint.path(name), ": not in the manifest of the checkpoint");
}

/// Copies each tensor of the file into the one of that name; they must be the same set.
void copy_tensors(const std::string& bytes, const std::string& where,
                  std::vector<std::pair<std::string, Tensor>> into) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) fail(Fault::input, where, ": too short to hold tensors");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length)
    fail(Fault::input, where, ": its header of ", length, " bytes is longer than the file");
  const std::size_t begin = sizeof length + length;
  const SafetensorsHeader header = parse_safetensors_header(
      std::string_view(bytes).substr(sizeof length, length), bytes.size() - begin, where);
  if (header.entries.size() != into.size())
    fail(Fault::input, where, ": holds ", header.entries.size(), " tensors, expected ", into.size(),
         "; it is of another model or optimiser");
  std::ranges::sort(into, {}, &std::pair<std::string, Tensor>::first);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const SafetensorsEntry& entry = header.entries[i];
    auto& [name, tensor] = into[i];
    const SafetensorsItem expected(name, tensor);
    if (entry.name != name || entry.shape != tensor.shape() || entry.dtype != expected.dtype)
      fail(Fault::input, where, ": holds ", entry.name, " ", entry.shape, ", expected ", name, " ",
           tensor.shape(), "; it is of another model or optimiser");
    std::memcpy(tensor.data(), bytes.data() + begin + entry.begin, entry.end - entry.begin);
  }
}

}  // namespace

Checkpoint snapshot(const Learner& learner, const TrainProgress& progress,
                    const std::string& note) {
  const auto state = learner.state();
  std::vector<SafetensorsItem> items;
  for (const auto& [name, tensor] : state) items.emplace_back(name, tensor);
  return {progress.step,
          note,
          {{kLearnerFile, safetensors_bytes(std::move(items))}, {kProgressFile, progress.json()}}};
}

TrainProgress restore(const Checkpoint& checkpoint, Learner& learner) {
  const std::string path = checkpoint.path(kProgressFile);
  const TrainProgress progress = TrainProgress::of_json(file_of(checkpoint, kProgressFile), path);
  if (progress.step != checkpoint.step)
    fail(Fault::input, path, ": \"step\" is ", progress.step, ", expected ", checkpoint.step,
         " as its folder says");
  copy_tensors(file_of(checkpoint, kLearnerFile), checkpoint.path(kLearnerFile), learner.state());
  learner.set_steps(progress.step);
  return progress;
}

}  // namespace regard
