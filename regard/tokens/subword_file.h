#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

enum class PieceType { normal = 1, unknown, control, user_defined, unused, byte };

struct SubwordPiece {
  std::string text;
  float score = 0;
  PieceType type = PieceType::normal;
};

/// What a SentencePiece model file says, as far as segmentation needs it.
struct SubwordModel {
  enum class Kind { unigram = 1, bpe, word, character };
  Kind kind = Kind::unigram;
  bool byte_fallback = false;
  bool space_as_suffix = false;    ///< "▁" ends words instead of beginning them
  bool own_normalisation = false;  ///< it has a character map, or one for decoding
  std::vector<SubwordPiece> pieces;
};

/// Reads and judges a SentencePiece model (a protocol buffer) without any help from SentencePiece,
/// whose own reader trusts its input. Throws Error(input) naming path and byte for anything that is
/// not a whole, sound model:
/// - wire format: a number over 10 bytes, a length past the end, a known field of another type, a
///   group (never used; they nest without bound). Unknown fields are skipped;
/// - pieces: none, empty, not UTF-8, with NUL, over kLongestPiece, twice the same, score not finite
///   or beyond 1e9, unknown type, not exactly one unknown piece, byte pieces other than <0x00> to
///   <0xFF> in capitals, or not all 256 of them where byte fallback is on;
/// - trainer or normaliser settings missing (a file cut short between fields);
/// - character map: a double array with a way out of its bounds, see character_map.h.
SubwordModel read_subword_model(std::string_view bytes, const std::string& path);

/// A file of the model for SentencePiece: pieces, kind and byte fallback, and no normalisation at
/// all: no character map, no space added, none removed.
std::string bare_subword_file(const SubwordModel& model);

/// The value of "<0x4F>" and the like, -1 for any other text.
int byte_of_piece(std::string_view piece);

}  // namespace regard
