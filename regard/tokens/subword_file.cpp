#include "regard/tokens/subword_file.h"

#include <bit>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "regard/base/check.h"
#include "regard/tokens/character_map.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/tokenizer.h"
#include "regard/tokens/wire.h"

namespace regard {
namespace {

// Sums of as many scores as a text has characters stay finite below this.
constexpr float kLargestScore = 1e9F;

// Field numbers of sentencepiece_model.proto.
namespace model_field {
constexpr std::uint32_t piece = 1, trainer = 2, normaliser = 3, denormaliser = 5;
}
namespace piece_field {
constexpr std::uint32_t text = 1, score = 2, type = 3;
}
namespace trainer_field {
constexpr std::uint32_t kind = 3, space_as_suffix = 24, byte_fallback = 35;
}
namespace normaliser_field {
constexpr std::uint32_t character_map = 2, add_space = 3, remove_spaces = 4;
}

void expect(const WireField& field, Wire wire, const std::string& path, std::string_view name) {
  if (field.wire != wire)
    reject_subword_file(path, field.offset, std::string(name) + " is of the wrong type");
}

/// The fields of the message inside a field.
WireReader inside(const WireField& field, std::string_view file, const std::string& path) {
  return {field.bytes, static_cast<std::size_t>(field.bytes.data() - file.data()), path};
}

class ModelReader {
 public:
  ModelReader(std::string_view file, const std::string& path) : file_(file), path_(path) {}

  SubwordModel read() {
    WireReader fields(file_, 0, path_);
    while (const auto field = fields.next()) {
      switch (field->number) {
        case model_field::piece:
          read_piece(*field);
          break;
        case model_field::trainer:
          read_trainer(*field);
          break;
        case model_field::normaliser:
        case model_field::denormaliser:
          read_normaliser(*field);
          break;
        default:
          break;
      }
    }
    check_whole();
    return std::move(model_);
  }

 private:
  void read_piece(const WireField& at) {
    expect(at, Wire::bytes, path_, "a piece");
    SubwordPiece piece;
    WireReader fields = inside(at, file_, path_);
    while (const auto field = fields.next()) {
      if (field->number == piece_field::text) {
        expect(*field, Wire::bytes, path_, "the text of a piece");
        piece.text = field->bytes;
      } else if (field->number == piece_field::score) {
        expect(*field, Wire::fixed32, path_, "the score of a piece");
        piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field->value));
      } else if (field->number == piece_field::type) {
        expect(*field, Wire::varint, path_, "the type of a piece");
        if (field->value < 1 || field->value > static_cast<std::uint64_t>(PieceType::byte))
          reject(*field, "a piece of unknown type");
        piece.type = static_cast<PieceType>(field->value);
      }
    }
    check_piece(piece, at);
    model_.pieces.push_back(std::move(piece));
  }

  void check_piece(const SubwordPiece& piece, const WireField& at) {
    if (piece.text.empty()) reject(at, "an empty piece");
    if (piece.text.size() > kLongestPiece)
      reject(at, "a piece of " + std::to_string(piece.text.size()) + " bytes; the limit is " +
                     std::to_string(kLongestPiece));
    if (piece.text.find('\0') != std::string::npos) reject(at, "a piece with a NUL");
    if (!valid_utf8(piece.text)) reject(at, "a piece that is not UTF-8");
    if (!(std::abs(piece.score) <= kLargestScore)) reject(at, "a score that is not finite");
    if (!texts_.insert(piece.text).second) reject(at, "the piece '" + piece.text + "' twice");
    unknowns_ += piece.type == PieceType::unknown;
    if (piece.type != PieceType::byte) return;
    if (byte_of_piece(piece.text) < 0)
      reject(at, "a byte piece spelt '" + piece.text + "'; expected <0x00> to <0xFF>");
    ++byte_pieces_;
  }

  void read_trainer(const WireField& at) {
    expect(at, Wire::bytes, path_, "the trainer's settings");
    has_trainer_ = true;
    WireReader fields = inside(at, file_, path_);
    while (const auto field = fields.next()) {
      switch (field->number) {
        case trainer_field::kind:
          expect(*field, Wire::varint, path_, "the kind of model");
          if (field->value < 1 || field->value > 4) reject(*field, "a model of unknown kind");
          model_.kind = static_cast<SubwordModel::Kind>(field->value);
          break;
        case trainer_field::space_as_suffix:
          expect(*field, Wire::varint, path_, "the place of spaces");
          model_.space_as_suffix = field->value != 0;
          break;
        case trainer_field::byte_fallback:
          expect(*field, Wire::varint, path_, "byte fallback");
          model_.byte_fallback = field->value != 0;
          break;
        default:
          break;
      }
    }
  }

  void read_normaliser(const WireField& at) {
    expect(at, Wire::bytes, path_, "the normaliser's settings");
    has_normaliser_ |= at.number == model_field::normaliser;
    WireReader fields = inside(at, file_, path_);
    while (const auto field = fields.next()) {
      if (field->number != normaliser_field::character_map) continue;
      expect(*field, Wire::bytes, path_, "the character map");
      if (const std::string flaw = character_map_flaw(field->bytes); !flaw.empty())
        reject(*field, "its character map is broken: " + flaw);
      model_.own_normalisation |= !field->bytes.empty();
    }
  }

  void check_whole() const {
    const auto reject_end = [&](std::string_view what) {
      reject_subword_file(path_, file_.size(), what);
    };
    if (model_.pieces.empty()) reject_end("it has no pieces");
    if (!has_trainer_ || !has_normaliser_) reject_end("it is cut short: settings are missing");
    if (unknowns_ != 1)
      reject_end("expected one unknown piece, found " + std::to_string(unknowns_));
    if (model_.byte_fallback && byte_pieces_ != 256)
      reject_end("byte fallback needs 256 byte pieces, found " + std::to_string(byte_pieces_));
  }

  [[noreturn]] void reject(const WireField& at, std::string_view what) const {
    reject_subword_file(path_, at.offset, what);
  }

  std::string_view file_;
  const std::string& path_;
  SubwordModel model_;
  std::unordered_set<std::string> texts_;
  int unknowns_ = 0, byte_pieces_ = 0;
  bool has_trainer_ = false, has_normaliser_ = false;
};

}  // namespace

int byte_of_piece(std::string_view piece) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>') return -1;
  const std::size_t high = kDigits.find(piece[3]), low = kDigits.find(piece[4]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(16 * high + low);
}

SubwordModel read_subword_model(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("\x1f\x8b"))
    reject_subword_file(path, 0, "it is compressed with gzip; unpack it first");
  return ModelReader(bytes, path).read();
}

std::string bare_subword_file(const SubwordModel& model) {
  std::string file;
  for (const SubwordPiece& piece : model.pieces) {
    std::string message;
    put_bytes(message, piece_field::text, piece.text);
    put_float(message, piece_field::score, piece.score);
    put_number(message, piece_field::type, static_cast<std::uint64_t>(piece.type));
    put_bytes(file, model_field::piece, message);
  }
  std::string trainer;
  put_number(trainer, trainer_field::kind, static_cast<std::uint64_t>(model.kind));
  put_number(trainer, trainer_field::byte_fallback, model.byte_fallback ? 1 : 0);
  put_bytes(file, model_field::trainer, trainer);
  std::string normaliser;
  put_number(normaliser, normaliser_field::add_space, 0);
  put_number(normaliser, normaliser_field::remove_spaces, 0);
  put_bytes(file, model_field::normaliser, normaliser);
  return file;
}

}  // namespace regard
