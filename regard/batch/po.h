#pragma once

#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"

namespace regard {

/// Reads the messages of a gettext PO file: msgid is the source, msgstr the target, each put on one
/// line. A plural message gives two pairs: msgid with msgstr[0] and msgid_plural with the last
/// msgstr[n]. Fuzzy, obsolete, untranslated and repeated messages are dropped, malformed ones bad.
/// Throws Error(input) if the header names a character set other than UTF-8.
void read_po(Lines& lines, PairFilter& filter);

}  // namespace regard
