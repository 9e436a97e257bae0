#include "regard/tensor/safetensors.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/system_call.h"

static_assert(std::endian::native == std::endian::little);

namespace regard {
namespace {

constexpr std::uint64_t kLength = 8;  // bytes that say how long the header is

/// Bytes [offset, offset + into.size()) of the file.
void read_exactly(int file, std::uint64_t offset, std::span<std::byte> into,
                  const std::string& path) {
  while (!into.empty()) {
    const ssize_t n = uninterrupted(
        [&] { return ::pread(file, into.data(), into.size(), static_cast<off_t>(offset)); });
    if (n < 0) fail(Fault::io, path, ": read failed: ", std::strerror(errno));
    if (n == 0) fail(Fault::input, path, ": @", offset, ": cut short while it was read");
    into = into.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
}

std::uint64_t size_of(int file, const std::string& path) {
  struct stat about {};
  if (::fstat(file, &about) != 0) fail(Fault::io, path, ": read failed: ", std::strerror(errno));
  return static_cast<std::uint64_t>(about.st_size);
}

/// IEEE 754 half precision, 1 + 5 + 10 bits.
f32 from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
  if (rest >= 0x7c00) return std::bit_cast<f32>(sign | 0x7f800000u | rest << 13);  // inf, NaN
  if (rest >= 0x0400) return std::bit_cast<f32>(sign | (rest + (112u << 10)) << 13);
  const f32 tiny = static_cast<f32>(rest) * 0x1p-24f;  // subnormal: exact in f32
  return sign ? -tiny : tiny;
}

/// The upper half of an f32.
f32 from_brain(std::uint16_t brain) {
  return std::bit_cast<f32>(static_cast<std::uint32_t>(brain) << 16);
}

/// Elements as they stand in a file, at any address, to elements of a tensor.
template <class Stored, class T, class Convert>
void convert(std::span<const std::byte> from, std::span<T> to, const Convert& f) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, from.data() + i * sizeof(Stored), sizeof(Stored));
    to[i] = static_cast<T>(f(stored));
  }
}

template <class T>
void convert(std::string_view dtype, std::span<const std::byte> from, std::span<T> to) {
  const auto same = [](auto x) { return x; };
  if (dtype == "F16") return convert<std::uint16_t>(from, to, from_half);
  if (dtype == "BF16") return convert<std::uint16_t>(from, to, from_brain);
  if (dtype == "F32") return convert<f32>(from, to, same);
  convert<f64>(from, to, same);
}

std::string json_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (result += '\\') += c;
    else if (byte < 0x20)
      ((result += "\\u00") += kDigits[byte >> 4]) += kDigits[byte & 15];
    else
      result += c;
  }
  return result + '"';
}

/// The header of items in their order in the file, padded so that the elements are aligned.
std::string header_of(std::span<const SafetensorsItem> items, const SafetensorsMetadata& metadata) {
  std::string header = "{";
  const auto key = [&](std::string_view name) {
    if (header.back() != '{') header += ',';
    (header += json_text(name)) += ':';
  };
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [name, value] : metadata) key(name), header += json_text(value);
    header += '}';
  }
  std::uint64_t begin = 0;
  for (const SafetensorsItem& item : items) {
    check(item.name != "__metadata__", "no tensor can be named __metadata__");
    key(item.name);
    ((header += "{\"dtype\":\"") += item.dtype) += "\",\"shape\":[";
    for (int axis = 0; axis < item.shape.rank(); ++axis)
      (header += axis ? "," : "") += std::to_string(item.shape[axis]);
    const std::uint64_t end = begin + item.bytes.size();
    header += "],\"data_offsets\":[" + std::to_string(begin) + ',' + std::to_string(end) + "]}";
    begin = end;
  }
  header += '}';
  header.resize((header.size() + kLength - 1) / kLength * kLength, ' ');
  // What was written must be readable: names that are not UTF-8, or come twice, are found here.
  parse_safetensors_header(header, begin, "a file to be written");
  return header;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::string& path, Symlinks links)
    : path_(path), file_(std::make_shared<const Descriptor>(open_regular(path, links))) {
  const std::uint64_t size = size_ = size_of(file_->get(), path);
  const std::string_view least = "{}";
  if (size < kLength + least.size())
    fail(Fault::input, path, ": header too small: the file has only ", size, " bytes");
  std::uint64_t length = 0;
  read_exactly(file_->get(), 0, std::as_writable_bytes(std::span(&length, 1)), path);
  if (length < least.size()) fail(Fault::input, path, ": header too small: ", length, " bytes");
  if (length > SafetensorsHeader::kMaxBytes)
    fail(Fault::input, path, ": header too large: ", length,
         " bytes; is this a .safetensors file?");
  if (length > size - kLength)
    fail(Fault::input, path, ": a header of ", length, " bytes does not fit into the file's ", size,
         ": cut short?");
  data_begin_ = kLength + length;
  char first = 0;
  read_exactly(file_->get(), kLength, std::as_writable_bytes(std::span(&first, 1)), path);
  if (first != '{') fail(Fault::input, path, ": @8: expected '{' as the header's first byte");
  std::string header(length, '\0');
  read_exactly(file_->get(), kLength, std::as_writable_bytes(std::span(header)), path);
  header_ = parse_safetensors_header(header, size - kLength - length, path);
}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(header_.entries, name, {}, &SafetensorsEntry::name);
  return found != header_.entries.end() && found->name == name ? &*found : nullptr;
}

const SafetensorsEntry& SafetensorsFile::at(std::string_view name) const {
  const SafetensorsEntry* entry = find(name);
  if (!entry) fail(Fault::input, path_, ": holds no tensor '", name, "'");
  return *entry;
}

void SafetensorsFile::read_at(const SafetensorsEntry& entry, std::uint64_t offset,
                              std::span<std::byte> into) const {
  read_exactly(file_->get(), data_begin_ + entry.begin + offset, into, path_);
}

Tensor SafetensorsFile::read(std::string_view name, Dtype dtype) const {
  const SafetensorsEntry& entry = at(name);
  if (!entry.reads_as(dtype))
    fail(Fault::input, path_, ": tensor '", name, "' is ", entry.dtype, ", expected ",
         safetensors_name(dtype));
  Tensor tensor = Tensor::empty(entry.shape, dtype);
  if (!is_real(dtype)) {
    read_at(entry, 0,
            {static_cast<std::byte*>(tensor.data()),
             static_cast<std::size_t>(entry.end - entry.begin)});
    return tensor;
  }
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    constexpr std::size_t kPiece = 1 << 16;  // elements
    const std::size_t width = safetensors_byte_size(entry.dtype);
    const std::span<T> all = tensor.span<T>();
    std::vector<std::byte> piece(std::min(all.size(), kPiece) * width);
    for (std::size_t done = 0; done < all.size(); done += kPiece) {
      const std::size_t count = std::min(kPiece, all.size() - done);
      const auto stored = std::span(piece).first(count * width);
      read_at(entry, done * width, stored);
      convert<T>(entry.dtype, stored, all.subspan(done, count));
    }
  });
  return tensor;
}

std::vector<std::byte> SafetensorsFile::bytes(std::string_view name) const {
  const SafetensorsEntry& entry = at(name);
  std::vector<std::byte> bytes(entry.end - entry.begin);
  read_at(entry, 0, bytes);
  return bytes;
}

void SafetensorsFile::each_piece(
    const std::function<void(std::span<const std::byte>)>& take) const {
  constexpr std::uint64_t kPiece = 1 << 18;
  std::vector<std::byte> room(std::min(size_, kPiece));
  for (std::uint64_t done = 0; done < size_; done += kPiece) {
    const auto piece = std::span(room).first(std::min(size_ - done, kPiece));
    read_exactly(file_->get(), done, piece, path_);
    take(piece);
  }
}

namespace {

/// The elements' bytes. Throws Error if a tensor is a shape alone.
std::span<const std::byte> bytes_of(const std::string& name, const Tensor& tensor) {
  check(
      tensor.data() || tensor.count() == 0, "tensor '", name,
      "' is a shape without elements and cannot be saved; a packed model is only for translating");
  return {static_cast<const std::byte*>(tensor.data()),
          static_cast<std::size_t>(tensor.count()) * byte_size(tensor.dtype())};
}

}  // namespace

SafetensorsItem::SafetensorsItem(const std::string& name, const Tensor& tensor)
    : SafetensorsItem(name, safetensors_name(tensor.dtype()), tensor.shape(),
                      bytes_of(name, tensor)) {
  owner = tensor;
}

SafetensorsItem::SafetensorsItem(std::string name, std::string_view dtype, Shape shape,
                                 std::span<const std::byte> bytes)
    : name(std::move(name)), dtype(dtype), shape(shape), bytes(bytes) {
  check(bytes.size() == static_cast<std::size_t>(shape.count()) * safetensors_byte_size(dtype),
        "tensor '", this->name, "' of ", dtype, " ", shape, " cannot have ", bytes.size(),
        " bytes");
}

std::string safetensors_bytes(std::vector<SafetensorsItem> items,
                              const SafetensorsMetadata& metadata) {
  std::ranges::sort(items, [](const SafetensorsItem& a, const SafetensorsItem& b) {
    const std::size_t x = safetensors_byte_size(a.dtype), y = safetensors_byte_size(b.dtype);
    return x != y ? x > y : a.name < b.name;
  });
  const std::string header = header_of(items, metadata);
  std::size_t size = kLength + header.size();
  for (const SafetensorsItem& item : items) size += item.bytes.size();
  std::string content;
  content.reserve(size);
  const std::uint64_t length = header.size();
  content.append(reinterpret_cast<const char*>(&length), sizeof length);
  content += header;
  for (const SafetensorsItem& item : items)
    content.append(reinterpret_cast<const char*>(item.bytes.data()), item.bytes.size());
  return content;
}

void write_safetensors(const std::string& path, std::vector<SafetensorsItem> items,
                       const SafetensorsMetadata& metadata) {
  write_file(path, safetensors_bytes(std::move(items), metadata));
}

}  // namespace regard
