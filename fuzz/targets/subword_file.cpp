#include "regard/tokens/subword_file.h"

#include <algorithm>

#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// What is accepted can be written for SentencePiece and read again: same pieces, same kind.
void try_subword_file(std::string_view bytes) {
  const SubwordModel model = read_subword_model(bytes, "x.tokens");
  const std::string bare = bare_subword_file(model);
  const SubwordModel again = read_subword_model(bare, "again.tokens");
  const auto same = [](const SubwordPiece& a, const SubwordPiece& b) {
    return a.text == b.text && a.score == b.score && a.type == b.type;
  };
  law(std::ranges::equal(again.pieces, model.pieces, same), "the pieces are others");
  law(again.kind == model.kind && again.byte_fallback == model.byte_fallback, "another kind");
  law(!again.own_normalisation && !again.space_as_suffix, "it is not bare");
  law(bare_subword_file(again) == bare, "written twice, the bytes differ");
}

}  // namespace

extern const FuzzTarget subword_file{.name = "subword_file",
                                     .about = "vocabularies of SentencePiece",
                                     .max_bytes = 1024,
                                     .attempt = try_subword_file};

}  // namespace regard::targets
