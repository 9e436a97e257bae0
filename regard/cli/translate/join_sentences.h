#pragma once

#include "regard/cli/translate/line_translator.h"

namespace regard {

/// Fills a line from its sentences: tokens, unknown words and translations. The n-th best is made
/// of the n-th best of each sentence, or its last; white space is that of the line, but a character
/// that would end a line elsewhere is a space; if there is none, one is added if the script
/// needs it.
void join_sentences(TranslatedLine& line);

}  // namespace regard
