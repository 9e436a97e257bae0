#include "regard/batch/tsv.h"

#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"

namespace regard::targets {
namespace {

void read_as_tsv(ReadCall bytes, PairFilter& filter) {
  Lines lines("-", filter.filters().max_line_bytes, std::move(bytes));
  read_tsv(lines, filter);
}

/// Pairs written as TSV are read as the same pairs.
void try_tsv(std::string_view bytes) {
  const Filters filters = filters_for(bytes);
  const CorpusOutcome outcome = lawful_corpus(read_as_tsv, bytes, filters);
  std::string written;
  for (const Pair& pair : outcome.pairs)
    written += pair.source + "\t" + pair.target +
               (pair.alignment.empty() ? "" : "\t" + pair.alignment) + "\n";
  // A first line that begins like a packed file, or with a byte order mark, is not taken for text.
  const CorpusOutcome again = corpus_outcome(read_as_tsv, reading(written, kAtOnce), filters);
  law(again.refused || written.starts_with("\xEF\xBB\xBF") || again.pairs == outcome.pairs,
      "written and read again, the pairs are others");
}

}  // namespace

extern const FuzzTarget tsv{.name = "tsv",
                            .about = "parallel text, source TAB target",
                            .max_bytes = 256,
                            .attempt = try_tsv,
                            .slow = true};

}  // namespace regard::targets
