#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/batch/pair.h"

namespace regard {

enum class Split { train, valid, test };

/// "train", "valid" or "test".
std::string_view name(Split split);

struct BuiltinSpec {
  Split split = Split::train;
  Index pairs = 50000;
  std::uint64_t seed = 1;
};

/// A corpus inside the program, and how a model is trained on it unless set otherwise.
struct BuiltinCorpus {
  std::string_view name;  ///< given where text may also be a file: builtin:en-fr
  PairKind holds;
  int version;                      ///< which text it holds: another number, other sentences
  std::string_view source, target;  ///< languages; a model may translate either way. Of a text
                                    ///< that is no translation, only the target; of a text
                                    ///< with labels only the source
  Index held_out_pairs;             ///< of the valid and the test split
  std::string_view vocab_type;
  Index min_frequency;  ///< of a word in the vocabulary
  std::vector<Pair> (*make)(const BuiltinSpec& spec);
  Index (*max_pairs)(Split split);

  bool is_parallel() const { return holds == PairKind::translation; }

  /// Whether these are the languages of a model from `target` to `source`; one may be empty.
  bool is_reversed(std::string_view from, std::string_view to) const {
    return is_parallel() && (from == target || to == source);
  }
};

std::span<const BuiltinCorpus> builtin_corpora();

/// The corpus of that name; nullptr if it names a file. Throws Error(usage) if it begins with
/// "builtin:", but there is no such corpus, or it holds pictures.
const BuiltinCorpus* find_builtin(std::string_view name);

inline constexpr std::string_view kBuiltinEnFr = "builtin:en-fr", kBuiltinEn = "builtin:en",
                                  kBuiltinKinds = "builtin:kinds";
/// Pictures, no BuiltinCorpus: see image/picture_corpus.h.
inline constexpr std::string_view kBuiltinScenes = "builtin:scenes",
                                  kBuiltinShapes = "builtin:shapes";

/// Pairs of a hand-written synchronous grammar of English and French, with the alignment of their
/// words; all different, in random order, the same for the same spec. English decides the French.
/// A sentence belongs to the same split for every seed; each test sentence holds two content words
/// that no train or valid sentence of any seed holds together.
///
/// Lines are as people write them: "The black cat doesn't see the dog." / "Le chat noir ne voit pas
/// le chien." The French has a plain space before ? and !, where print has a narrow one. Alignments
/// count words between spaces, so that "l'homme" is one word; every word of both sides has a
/// partner. "not" goes with both "ne" and "pas", the "do" of a denial and "will" with the French
/// verb, "do" of a question with "est-ce que", "did" with the auxiliary, "to him" with "lui".
std::vector<Pair> builtin_en_fr(const BuiltinSpec& spec);

/// The English side of builtin_en_fr alone, as targets without a source.
std::vector<Pair> builtin_en(const BuiltinSpec& spec);

/// English sentences of the same grammar, each with what it is about as its label: "person",
/// "people", "animal", "animals", "thing" or "things", by the subject of its first clause or what
/// it presents. The six take turns, in any order, so that each is as frequent as the others. A
/// sentence about a pronoun, or about nobody, is left out. Splits are those of builtin_en_fr.
std::vector<Pair> builtin_kinds(const BuiltinSpec& spec);

/// The most pairs of a split that may be asked for.
Index max_builtin_pairs(Split split);

}  // namespace regard
