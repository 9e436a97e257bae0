#include "regard/model/sequence_model.h"

#include "regard/base/check.h"
#include "regard/model/architecture.h"

namespace regard {

void pack_output(OutputLayer& output, std::initializer_list<TokenEmbedding*> embeddings) {
  const Var table = output.table;
  output.pack();
  for (TokenEmbedding* embedding : embeddings)
    if (embedding->table == table && output.packed_table)
      embedding->read_from(output.packed_table, output.table);
}

void quantise_tables(OutputLayer& output, std::initializer_list<TokenEmbedding*> embeddings) {
  const Var table = output.table;
  output.quantise();
  for (TokenEmbedding* embedding : embeddings) {
    if (embedding->table == table) {
      embedding->table = output.table;
      embedding->table_scale = output.table_scale;
    } else {
      embedding->quantise();
    }
  }
}

std::unique_ptr<SequenceModel> make_sequence_model(const ModelSpec& spec, Rng rng, Dtype dtype) {
  return as_kind<SequenceModel>(make_model(spec, rng, dtype), spec);
}

}  // namespace regard
