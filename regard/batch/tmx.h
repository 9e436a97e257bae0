#pragma once

#include <string>

#include "regard/batch/byte_stream.h"
#include "regard/batch/pair_filter.h"

namespace regard {

/// Which two languages of a translation memory are wanted: "en", "pt-BR".
struct LanguagePair {
  std::string from, to;
};

/// Reads the units of a TMX file (Translation Memory eXchange 1.4), streamed. Of each `tu` the
/// `tuv` of each language is taken: the one with exactly that code, else the first one whose code
/// extends it or is extended by it ("en" and "en-US"), in any case. Further `tuv`s are ignored, and
/// units that lack one of the languages are dropped. Native codes in `bpt ept ph it ut` are left
/// out with all they hold, also `sub`; the text in `hi` stays. No entity may be declared, nothing
/// outside the file is read, elements nest at most 256 deep. Throws Error(input) with the line for
/// XML that is malformed or beyond these limits, Error(usage) if a language is not named.
void read_tmx(ByteStream& bytes, const LanguagePair& languages, PairFilter& filter);

}  // namespace regard
