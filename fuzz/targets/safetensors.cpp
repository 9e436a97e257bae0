#include "regard/tensor/safetensors.h"

#include "fuzz/scratch_folder.h"
#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// The same tensors and metadata as this program writes them.
std::string rewritten(const SafetensorsFile& file) {
  std::vector<std::vector<std::byte>> contents;
  std::vector<SafetensorsItem> items;
  for (const SafetensorsEntry& entry : file.entries()) {
    contents.push_back(file.bytes(entry.name));
    items.emplace_back(entry.name, entry.dtype, entry.shape, contents.back());
    if (entry.reads_as(Dtype::f32))
      law(file.read(entry.name).shape() == entry.shape, "a tensor is read in another shape");
  }
  return safetensors_bytes(std::move(items), file.metadata());
}

/// What is accepted can be written and read again: same tensors, same metadata, same bytes.
void try_safetensors(std::string_view bytes) {
  static const ScratchFolder folder;
  const SafetensorsFile file(folder.write("input", bytes));
  const std::string written = rewritten(file);
  const SafetensorsFile again(folder.write("again", written));
  law(again.metadata() == file.metadata(), "the metadata is another");
  law(again.entries().size() == file.entries().size(), "tensors are lost");
  for (const SafetensorsEntry& entry : file.entries()) {
    const SafetensorsEntry* found = again.find(entry.name);
    law(found && found->dtype == entry.dtype && found->shape == entry.shape &&
            again.bytes(entry.name) == file.bytes(entry.name),
        "tensor '", entry.name, "' is another");
  }
  law(rewritten(again) == written, "written twice, the bytes differ");
}

}  // namespace

extern const FuzzTarget safetensors{.name = "safetensors",
                                    .about = "files of weights",
                                    .max_bytes = 1024,
                                    .attempt = try_safetensors};

}  // namespace regard::targets
