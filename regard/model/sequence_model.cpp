#include "regard/model/sequence_model.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/model/bahdanau.h"
#include "regard/model/transformer_model.h"

namespace regard {
namespace {

void check_spec(const ModelSpec& spec) {
  check(spec.source_vocabulary >= 1 && spec.target_vocabulary >= 1, "a model of ",
        spec.source_vocabulary, " source and ", spec.target_vocabulary,
        " target tokens; both vocabularies must hold at least 1");
  check(spec.tied == "all" || spec.tied == "target" || spec.tied == "none", "tied is '", spec.tied,
        "', expected all, target or none");
  check(spec.tied != "all" || spec.source_vocabulary == spec.target_vocabulary, "tables of ",
        spec.source_vocabulary, " source and ", spec.target_vocabulary,
        " target tokens cannot share embeddings; set tied to target or none, or use a joint "
        "vocabulary");
}

}  // namespace

SequenceModel::Visit each_once(const SequenceModel::Visit& visit) {
  return [visit, seen = std::make_shared<std::vector<Var>>()](const std::string& name,
                                                              Var& parameter) {
    if (std::ranges::find(*seen, parameter) != seen->end()) return;
    seen->push_back(parameter);
    visit(name, parameter);
  };
}

void pack_output(OutputLayer& output, std::initializer_list<TokenEmbedding*> embeddings) {
  const Var table = output.table;
  output.pack();
  for (TokenEmbedding* embedding : embeddings)
    if (embedding->table == table && output.packed_table)
      embedding->read_from(output.packed_table, output.table);
}

void SequenceModel::quantise() {
  fail(Fault::usage, "this kind of model has no int8 form");
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

std::unique_ptr<SequenceModel> make_model(const ModelSpec& spec, Rng rng, Dtype dtype) {
  check_spec(spec);
  if (spec.architecture == "transformer")
    return std::make_unique<TransformerModel>(spec, rng, dtype);
  check(spec.architecture == "bahdanau", "architecture '", spec.architecture,
        "' is unknown; expected transformer or bahdanau");
  return std::make_unique<BahdanauModel>(spec, rng, dtype);
}

ModelSpec preset(std::string_view name) {
  struct Size {
    std::string_view name;
    Index width, hidden, heads, layers;
    double dropout;
  };
  constexpr Size kSizes[] = {{"tiny", 128, 512, 4, 2, 0.1},
                             {"small", 256, 1024, 4, 3, 0.2},
                             {"base", 512, 2048, 8, 6, 0.1},
                             {"big", 1024, 4096, 16, 6, 0.3}};
  for (const Size& size : kSizes)
    if (size.name == name)
      return {.width = size.width,
              .hidden = size.hidden,
              .heads = size.heads,
              .encoder_layers = size.layers,
              .decoder_layers = size.layers,
              .dropout = size.dropout};
  fail(Fault::usage, "preset '", name, "' is unknown; expected tiny, small, base or big");
}

Index parameter_count(SequenceModel& model) {
  Index count = 0;
  model.each([&](const std::string&, Var& parameter) { count += parameter.value().count(); });
  return count;
}

}  // namespace regard
