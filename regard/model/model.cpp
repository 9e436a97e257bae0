#include "regard/model/model.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "regard/base/check.h"
#include "regard/model/architecture.h"

namespace regard {
namespace {

void check_spec(const ModelSpec& spec) {
  const Architecture& kind = find_architecture(spec.architecture);
  const bool source = kind.uses("source_vocabulary"), target = kind.uses("target_vocabulary");
  check((spec.source_vocabulary >= 1 || !source) && (spec.target_vocabulary >= 1 || !target),
        "a model of ", spec.source_vocabulary, " source and ", spec.target_vocabulary,
        " target tokens; its vocabularies must hold at least 1");
  check(!kind.uses("tied") || spec.tied == "all" || spec.tied == "target" || spec.tied == "none",
        "tied is '", spec.tied, "', expected all, target or none");
  check(spec.tied != "all" || spec.source_vocabulary == spec.target_vocabulary || !source ||
            !target || !kind.uses("tied"),
        "tables of ", spec.source_vocabulary, " source and ", spec.target_vocabulary,
        " target tokens cannot share embeddings; set tied to target or none, or use a joint "
        "vocabulary");
}

}  // namespace

Model::Visit each_once(const Model::Visit& visit) {
  return [visit, seen = std::make_shared<std::vector<Var>>()](const std::string& name,
                                                              Var& parameter) {
    if (std::ranges::find(*seen, parameter) != seen->end()) return;
    seen->push_back(parameter);
    visit(name, parameter);
  };
}

void Model::quantise() {
  fail(Fault::usage, "this kind of model has no int8 form");
}

std::unique_ptr<Model> make_model(const ModelSpec& spec, Rng rng, Dtype dtype) {
  check_spec(spec);
  return find_architecture(spec.architecture).make(spec, rng, dtype);
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

Index parameter_count(Model& model) {
  Index count = 0;
  model.each([&](const std::string&, Var& parameter) { count += parameter.value().count(); });
  return count;
}

}  // namespace regard
