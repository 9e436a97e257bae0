#pragma once

#include <fmt/format.h>

#include <string>

#include "regard/tokens/subword_file.h"

namespace regard {

/// The file of a small sub-word vocabulary: the specials, every byte, a space, some letters and
/// some pairs of them.
inline std::string small_subword_file() {
  SubwordModel model;
  model.kind = SubwordModel::Kind::bpe;
  model.byte_fallback = true;
  for (const char* special : {"<pad>", "<s>", "</s>"})
    model.pieces.push_back({special, 0, PieceType::control});
  model.pieces.push_back({"<unk>", 0, PieceType::unknown});
  for (int byte = 0; byte < 256; ++byte)
    model.pieces.push_back({fmt::format("<0x{:02X}>", byte), 0, PieceType::byte});
  float score = 0;
  for (const char* piece : {"▁t", "he", "▁the", "er", "in", "é", "▁é", "▁", "a", "b", "c",
                            "d",  "e",  "h",    "i",  "n",  "r", "t",  ".", "<", "日"})
    model.pieces.push_back({piece, score--, PieceType::normal});
  return bare_subword_file(model);
}

}  // namespace regard
