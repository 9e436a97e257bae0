#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/open_file.h"
#include "regard/tensor/tensor.h"

namespace regard {

// Files of named tensors, https://huggingface.co/docs/safetensors: eight bytes that say how long
// the header is, the header (JSON), then the elements, little-endian. Stricter than the format asks
// where being lenient would hide damage: an unknown entry of a tensor, a tensor of more than eight
// axes or more than kMaxTensors tensors are refused.

/// What may go along with the tensors: texts by name.
using SafetensorsMetadata = std::map<std::string, std::string>;

/// One tensor of a file; its elements are the bytes [begin, end) after the header.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;  ///< as the format spells it: "F32", "BF16", "I64"
  Shape shape;
  std::uint64_t begin = 0, end = 0;

  /// What `read` turns into a Tensor of the dtype: F64, F32, F16 and BF16 are real; whole numbers
  /// are only themselves.
  bool reads_as(Dtype dtype) const;
};

struct SafetensorsHeader {
  static constexpr std::uint64_t kMaxBytes = 100'000'000;
  static constexpr std::size_t kMaxTensors = 65'536;
  static constexpr std::size_t kMaxName = 4'096;  ///< bytes

  std::vector<SafetensorsEntry> entries;  ///< sorted by name
  SafetensorsMetadata metadata;
};

/// Bytes of one element of a dtype by its name in the format; 0 if it is not supported.
std::size_t safetensors_byte_size(std::string_view dtype);

/// What the format calls the elements of a tensor.
std::string_view safetensors_name(Dtype dtype);

/// Reads a header whose tensors share `data_size` bytes, every byte belonging to exactly one.
/// Throws Error(input) naming `path` and the tensor or the offset. Allocates no more than the
/// header holds.
SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t data_size,
                                           const std::string& path);

/// A file open for reading. Opening checks all of the header and none of the elements; those are
/// read when asked for, by read() and not by mapping, so a file cut short later is only an Error.
class SafetensorsFile {
 public:
  /// Throws Error(input) if it is not a regular file, a link that is refused, or not
  /// well-formed.
  explicit SafetensorsFile(const std::string& path, Symlinks links = Symlinks::follow);

  const std::string& path() const { return path_; }
  const std::vector<SafetensorsEntry>& entries() const { return header_.entries; }
  const SafetensorsMetadata& metadata() const { return header_.metadata; }

  const SafetensorsEntry* find(std::string_view name) const;  ///< nullptr: no such tensor

  /// A tensor converted to `dtype`. Throws Error(input) if there is none of that name or it does
  /// not read as that: real weights stored as whole numbers are a mistake, never a choice.
  Tensor read(std::string_view name, Dtype dtype = Dtype::f32) const;

  /// The bytes of a tensor of any dtype as they stand in the file.
  std::vector<std::byte> bytes(std::string_view name) const;

  /// All of the file, header and elements, a piece after the other.
  void each_piece(const std::function<void(std::span<const std::byte>)>& take) const;

 private:
  const SafetensorsEntry& at(std::string_view name) const;
  void read_at(const SafetensorsEntry& entry, std::uint64_t offset,
               std::span<std::byte> into) const;

  std::string path_;
  std::shared_ptr<const Descriptor> file_;
  std::uint64_t size_ = 0, data_begin_ = 0;
  SafetensorsHeader header_;
};

/// A tensor to be written, from wherever its elements lie.
struct SafetensorsItem {
  std::string name, dtype;
  Shape shape;
  std::span<const std::byte> bytes;
  Tensor owner{};  ///< of the bytes, where they are a Tensor's

  SafetensorsItem(const std::string& name, const Tensor& tensor);
  /// Bytes of any dtype, which must outlive the item. REQUIRES as many as shape and dtype say
  SafetensorsItem(std::string name, std::string_view dtype, Shape shape,
                  std::span<const std::byte> bytes);
};

/// The content of a file: a function of what it holds, not of the order given. Wider elements come
/// first, so that all are aligned, then by name. Throws Error if a name comes twice.
std::string safetensors_bytes(std::vector<SafetensorsItem> items,
                              const SafetensorsMetadata& metadata = {});

/// Writes that content as `write_file` does: whole or not at all.
void write_safetensors(const std::string& path, std::vector<SafetensorsItem> items,
                       const SafetensorsMetadata& metadata = {});

}  // namespace regard
