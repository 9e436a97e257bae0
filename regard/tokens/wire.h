#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace regard {

/// How the bytes of a protocol buffer's field are laid out.
enum class Wire { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
  std::uint32_t number;
  Wire wire;
  std::uint64_t value;     ///< of varint and fixed fields
  std::string_view bytes;  ///< of fields with a length
  std::size_t offset;      ///< where the field begins in the file
};

/// Walks the fields of one protocol buffer message, and never past its end. Groups are refused, so
/// there is nothing to recurse into.
class WireReader {
 public:
  /// `offset`: where `message` begins in the file, for messages.
  WireReader(std::string_view message, std::size_t offset, const std::string& path)
      : message_(message), offset_(offset), path_(path) {}

  /// The next field, or nothing at the end. Throws Error(input) naming path and byte.
  std::optional<WireField> next();

 private:
  std::uint64_t varint();
  std::uint64_t fixed(std::size_t size);
  [[noreturn]] void reject(std::string_view what) const;

  std::string_view message_;
  std::size_t offset_;
  const std::string& path_;
  std::size_t at_ = 0;
};

/// Throws Error(input): `what` at this byte means the file is no SentencePiece model.
[[noreturn]] void reject_subword_file(const std::string& path, std::size_t offset,
                                      std::string_view what);

/// Appends a field to a message.
void put_number(std::string& message, std::uint32_t number, std::uint64_t value);
void put_float(std::string& message, std::uint32_t number, float value);
void put_bytes(std::string& message, std::uint32_t number, std::string_view bytes);

}  // namespace regard
