#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "regard/tensor/tensor.h"

namespace regard {

/// A model.bin of CTranslate2, version 6 of its format: named tensors, names that stand for other
/// names, and what the model is called. Numbers are little-endian, names end with a zero byte:
///   u32 version, name of the kind, u32 revision,
///   u32 count, of each: name, u8 axes, u32 sizes.., u8 type, u32 bytes, elements,
///   u32 count, of each: alias, name
class Ctranslate2File {
 public:
  /// `kind` and `revision` tell which network reads the tensors.
  Ctranslate2File(std::string kind, std::uint32_t revision)
      : kind_(std::move(kind)), revision_(revision) {}

  void flag(const std::string& name, int value);    ///< a number of 8 bits
  void number(const std::string& name, int value);  ///< a number of 16 bits
  void tensor(const std::string& name, const Tensor& value);
  void transposed(const std::string& name, const Tensor& value);  ///< [a, b] as [b, a]
  void alias(const std::string& name, const std::string& of);

  /// The content of the file: a function of what it holds, not of the order in which that came.
  std::string bytes() const;

 private:
  enum class Type : std::uint8_t { f32 = 0, i8 = 1, i16 = 2 };
  struct Item {
    std::vector<Index> sizes;
    Type type;
    std::string elements;
  };
  static Item real(std::vector<Index> sizes, std::string elements);

  std::string kind_;
  std::uint32_t revision_;
  std::map<std::string, Item> items_;
  std::map<std::string, std::string> aliases_;
};

}  // namespace regard
