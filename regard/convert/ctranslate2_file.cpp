#include "regard/convert/ctranslate2_file.h"

#include <concepts>
#include <limits>
#include <span>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::uint32_t kVersion = 6;

template <std::integral T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out += static_cast<char>(static_cast<std::make_unsigned_t<T>>(value) >> (8 * i));
}

void put_count(std::string& out, std::size_t count) {
  check(count <= std::numeric_limits<std::uint32_t>::max(), "a model.bin of CTranslate2 holds up ",
        "to 4 GiB a tensor, got ", count, " bytes");
  put(out, static_cast<std::uint32_t>(count));
}

void put_name(std::string& out, const std::string& name) {
  put(out, static_cast<std::uint16_t>(name.size() + 1));
  out.append(name).push_back('\0');
}

std::string as_bytes(std::span<const float> elements) {
  const auto bytes = std::as_bytes(elements);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void Ctranslate2File::flag(const std::string& name, int value) {
  items_[name] = {{}, Type::i8, std::string(1, static_cast<char>(value))};
}

void Ctranslate2File::number(const std::string& name, int value) {
  std::string bytes;
  put(bytes, static_cast<std::int16_t>(value));
  items_[name] = {{}, Type::i16, bytes};
}

Ctranslate2File::Item Ctranslate2File::real(std::vector<Index> sizes, std::string elements) {
  return {std::move(sizes), Type::f32, std::move(elements)};
}

void Ctranslate2File::tensor(const std::string& name, const Tensor& value) {
  std::vector<Index> sizes;
  for (int axis = 0; axis < value.rank(); ++axis) sizes.push_back(value.size(axis));
  items_[name] = real(std::move(sizes), as_bytes(value.span<float>()));
}

void Ctranslate2File::transposed(const std::string& name, const Tensor& value) {
  const auto from = value.span<float>();
  const Index rows = value.size(0), columns = value.size(1);
  std::vector<float> turned(from.size());
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c)
      turned[static_cast<std::size_t>(c * rows + r)] =
          from[static_cast<std::size_t>(r * columns + c)];
  items_[name] = real({columns, rows}, as_bytes(turned));
}

void Ctranslate2File::alias(const std::string& name, const std::string& of) {
  aliases_[name] = of;
}

std::string Ctranslate2File::bytes() const {
  std::string out;
  put(out, kVersion);
  put_name(out, kind_);
  put(out, revision_);
  put_count(out, items_.size());
  for (const auto& [name, item] : items_) {
    put_name(out, name);
    put(out, static_cast<std::uint8_t>(item.sizes.size()));
    for (const Index size : item.sizes) put_count(out, static_cast<std::size_t>(size));
    put(out, static_cast<std::uint8_t>(item.type));
    put_count(out, item.elements.size());
    out += item.elements;
  }
  put_count(out, aliases_.size());
  for (const auto& [name, of] : aliases_) {
    put_name(out, name);
    put_name(out, of);
  }
  return out;
}

}  // namespace regard
