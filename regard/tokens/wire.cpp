#include "regard/tokens/wire.h"

#include <bit>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::size_t kLongestVarint = 10;

void put_varint(std::string& message, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) message.push_back(static_cast<char>((value & 0x7F) | 0x80));
  message.push_back(static_cast<char>(value));
}

void put_tag(std::string& message, std::uint32_t number, Wire wire) {
  put_varint(message, std::uint64_t{number} << 3 | static_cast<std::uint64_t>(wire));
}

}  // namespace

void reject_subword_file(const std::string& path, std::size_t offset, std::string_view what) {
  fail(Fault::input, path, " @", offset, ": not a SentencePiece model: ", what);
}

void WireReader::reject(std::string_view what) const {
  reject_subword_file(path_, offset_ + at_, what);
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kLongestVarint; ++i) {
    if (at_ == message_.size()) reject("it ends inside a number");
    const auto byte = static_cast<unsigned char>(message_[at_++]);
    // The tenth byte has room for one bit only.
    if (i + 1 == kLongestVarint && byte > 1) break;
    value |= std::uint64_t{byte & 0x7Fu} << (7 * i);
    if (byte < 0x80) return value;
  }
  reject("a number of more than 64 bits");
}

std::uint64_t WireReader::fixed(std::size_t size) {
  if (message_.size() - at_ < size) reject("it ends inside a number");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(message_[at_ + i])} << (8 * i);
  at_ += size;
  return value;
}

std::optional<WireField> WireReader::next() {
  if (at_ == message_.size()) return std::nullopt;
  const std::size_t start = at_;
  const std::uint64_t tag = varint();
  const std::uint64_t number = tag >> 3;
  if (number == 0 || number >= std::uint64_t{1} << 29) reject("a field number out of range");
  WireField field{.number = static_cast<std::uint32_t>(number),
                  .wire = static_cast<Wire>(tag & 7),
                  .value = 0,
                  .bytes = {},
                  .offset = offset_ + start};
  switch (field.wire) {
    case Wire::varint:
      field.value = varint();
      return field;
    case Wire::fixed64:
      field.value = fixed(8);
      return field;
    case Wire::fixed32:
      field.value = fixed(4);
      return field;
    case Wire::bytes: {
      const std::uint64_t size = varint();
      if (size > message_.size() - at_) reject("a field longer than what is left of the file");
      field.bytes = message_.substr(at_, static_cast<std::size_t>(size));
      at_ += static_cast<std::size_t>(size);
      return field;
    }
  }
  reject("a field of a type that models do not use");
}

void put_number(std::string& message, std::uint32_t number, std::uint64_t value) {
  put_tag(message, number, Wire::varint);
  put_varint(message, value);
}

void put_float(std::string& message, std::uint32_t number, float value) {
  put_tag(message, number, Wire::fixed32);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int i = 0; i < 4; ++i) message.push_back(static_cast<char>(bits >> (8 * i) & 0xFF));
}

void put_bytes(std::string& message, std::uint32_t number, std::string_view bytes) {
  put_tag(message, number, Wire::bytes);
  put_varint(message, bytes.size());
  message += bytes;
}

}  // namespace regard
