#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/batch/pair.h"

namespace regard {

/// What the built-in corpus is called, where text may also be a file.
inline constexpr std::string_view kBuiltinEnFr = "builtin:en-fr";

/// Is it the name of a built-in corpus, not of a file? Throws Error(usage) if there is none of that
/// name.
bool is_builtin(std::string_view path);

/// Which text the built-in corpus holds: another number, other sentences.
inline constexpr int kBuiltinVersion = 2;

enum class Split { train, valid, test };

/// "train", "valid" or "test".
std::string_view name(Split split);

struct BuiltinSpec {
  Split split = Split::train;
  Index pairs = 50000;
  std::uint64_t seed = 1;
};

/// Pairs of a hand-written synchronous grammar of English and French, with the alignment of their
/// words; all different, in random order, the same for the same spec. English settles the French.
/// A sentence belongs to the same split for every seed; each test sentence holds two content words
/// that no train or valid sentence of any seed holds together.
///
/// Lines are as people write them: "The black cat doesn't see the dog." / "Le chat noir ne voit pas
/// le chien." The French has a plain space before ? and !, where print has a narrow one. Alignments
/// count words between spaces, so that "l'homme" is one word; every word of both sides has a
/// partner. "not" goes with both "ne" and "pas", the "do" of a denial and "will" with the French
/// verb, "do" of a question with "est-ce que", "did" with the auxiliary, "to him" with "lui".
std::vector<Pair> builtin_en_fr(const BuiltinSpec& spec);

/// The most pairs of a split that may be asked for.
Index max_builtin_pairs(Split split);

}  // namespace regard
