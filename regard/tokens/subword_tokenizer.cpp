#include "regard/tokens/subword_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>

#include "regard/base/check.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subword_file.h"

namespace regard {
namespace {

constexpr std::string_view kSpaceMark = "\u2581";  // how SentencePiece writes a space

// SentencePiece takes longer than linear time in the length of its text, so it gets stretches of at
// most this many bytes: words, unless a word alone is longer.
constexpr std::size_t kLongestStretch = 2048;

bool is_utf8_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

class SubwordTokenizer final : public Tokenizer {
 public:
  SubwordTokenizer(std::string_view file, const SubwordModel& model, const std::string& path)
      : type_(model.kind == SubwordModel::Kind::bpe ? "bpe" : "unigram"), file_(file) {
    const auto status = processor_.LoadFromSerializedProto(bare_subword_file(model));
    if (!status.ok()) fail(Fault::input, path, ": SentencePiece refuses it: ", status.ToString());
    for (const SubwordPiece& piece : model.pieces) {
      const int byte = piece.type == PieceType::byte ? byte_of_piece(piece.text) : -1;
      if (byte >= 0)
        byte_ids_[static_cast<std::size_t>(byte)] = static_cast<std::int32_t>(pieces_.size());
      pieces_.push_back(piece.text);
      spellings_.push_back(spelling_of(piece, byte));
    }
  }

  std::vector<std::int32_t> encode(std::string_view text) const override {
    const std::string normal = normalise(text);
    std::vector<std::int32_t> ids;
    if (normal.empty()) return ids;
    // A space before the first word as before every other, so that a word is the same pieces
    // wherever it stands.
    const std::string spaced = " " + normal;
    for (const std::string_view stretch : stretches(spaced, kLongestStretch))
      add_stretch(stretch, ids);
    return ids;
  }

  std::vector<Token> tokens(std::string_view text) const override {
    const std::string normal = normalise(text);
    std::vector<Token> result;
    // The spellings of the ids in a row are the text with one space more in front.
    Index at = -1, spaces = 0;
    for (const std::int32_t id : encode(normal)) {
      const std::string_view spelt = spelling(id);
      const bool begins_word = spelt.starts_with(' ');
      const Index end = at + static_cast<Index>(spelt.size());
      result.push_back({.id = id,
                        .text = pieces_[static_cast<std::size_t>(id)],
                        .start = begins_word ? at + 1 : at,
                        .end = end,
                        .word = begins_word ? spaces : spaces - 1});
      spaces += std::ranges::count(spelt, ' ');
      at = end;
    }
    return result;
  }

  Index size() const override { return static_cast<Index>(pieces_.size()); }

  std::string piece(std::int32_t id) const override {
    check_id(id);
    return pieces_[static_cast<std::size_t>(id)];
  }

  std::string type() const override { return type_; }
  std::string bytes() const override { return file_; }

 protected:
  std::string_view spelling(std::int32_t id) const override {
    return spellings_[static_cast<std::size_t>(id)];
  }

 private:
  static std::string spelling_of(const SubwordPiece& piece, int byte) {
    if (piece.type == PieceType::control) return {};
    if (piece.type == PieceType::unknown) return " <unk> ";
    if (byte >= 0) return {static_cast<char>(byte)};
    std::string text;
    for (std::string_view left = piece.text; !left.empty();) {
      const std::size_t mark = left.find(kSpaceMark);
      text += left.substr(0, mark);
      if (mark == std::string_view::npos) break;
      text.push_back(' ');
      left.remove_prefix(mark + kSpaceMark.size());
    }
    return text;
  }

  /// SentencePiece's space mark in the text itself goes in as bytes, or it would come out as space.
  void add_stretch(std::string_view stretch, std::vector<std::int32_t>& ids) const {
    while (!stretch.empty()) {
      const std::size_t mark = stretch.find(kSpaceMark);
      add_plain(stretch.substr(0, mark), ids);
      if (mark == std::string_view::npos) return;
      add_bytes(kSpaceMark, ids);
      stretch.remove_prefix(mark + kSpaceMark.size());
    }
  }

  void add_plain(std::string_view text, std::vector<std::int32_t>& ids) const {
    if (text.empty()) return;
    std::vector<int> found;
    const auto status = processor_.Encode(text, &found);
    if (!status.ok()) fail(Fault::bug, "SentencePiece cannot encode: ", status.ToString());
    ids.insert(ids.end(), found.begin(), found.end());
  }

  void add_bytes(std::string_view text, std::vector<std::int32_t>& ids) const {
    for (const char byte : text) ids.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
  }

  sentencepiece::SentencePieceProcessor processor_;
  std::string type_, file_;
  std::vector<std::string> pieces_;
  std::vector<std::string> spellings_;  // what each id adds to a text
  std::array<std::int32_t, 256> byte_ids_{};
};

/// One character only would let ordinary text spell a control piece.
bool is_single_character(std::string_view text) {
  return first_character(text).size == text.size();
}

void check_usable(const SubwordModel& model, const std::string& path) {
  const auto refuse = [&](const auto&... why) {
    fail(Fault::input, path, ": a SentencePiece model that cannot be used: ", why...,
         "; train one with 'regard vocab'");
  };
  constexpr PieceType kExpected[] = {PieceType::control, PieceType::control, PieceType::control,
                                     PieceType::unknown};
  constexpr std::string_view kRoles[] = {"padding", "begin", "end", "unknown"};
  for (std::size_t i = 0; i < kSpecials; ++i)
    if (i >= model.pieces.size() || model.pieces[i].type != kExpected[i])
      refuse("id ", i, " must be the special piece for ", kRoles[i], ", but is ",
             i < model.pieces.size() ? "'" + model.pieces[i].text + "'" : "missing");
  for (const SubwordPiece& piece : model.pieces)
    if (piece.type == PieceType::control && is_single_character(piece.text))
      refuse("the control piece '", piece.text, "' is a single character");
  if (!model.byte_fallback) refuse("it has no byte fallback, so some text could not come back");
  // Without it SentencePiece would spell a space in bytes, as it does the mark itself.
  const bool has_space = std::ranges::any_of(model.pieces, [](const SubwordPiece& piece) {
    return piece.text == kSpaceMark && piece.type == PieceType::normal;
  });
  if (!has_space) refuse("it has no piece for a space alone");
  if (model.own_normalisation) refuse("it normalises text by a character map of its own");
  if (model.space_as_suffix) refuse("it marks the ends of words instead of their beginnings");
  if (model.kind != SubwordModel::Kind::bpe && model.kind != SubwordModel::Kind::unigram)
    refuse("it is neither bpe nor unigram");
}

}  // namespace

std::vector<std::string_view> stretches(std::string_view text, std::size_t most) {
  std::vector<std::string_view> result;
  while (text.size() > most) {
    std::size_t cut = text.rfind(' ', most);
    if (cut == std::string_view::npos || cut == 0) {
      cut = most;
      while (is_utf8_continuation(text[cut])) --cut;
    }
    result.push_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  result.push_back(text);
  return result;
}

std::shared_ptr<const Tokenizer> subword_tokenizer(std::string_view bytes,
                                                   const std::string& path) {
  const SubwordModel model = read_subword_model(bytes, path);
  check_usable(model, path);
  return std::make_shared<SubwordTokenizer>(bytes, model, path);
}

}  // namespace regard
