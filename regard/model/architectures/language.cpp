#include "regard/base/check.h"
#include "regard/block/parameters.h"
#include "regard/model/architecture.h"
#include "regard/model/decoder_with_output.h"
#include "regard/model/sequence_model.h"

namespace regard::architectures {
namespace {

/// A decoder alone: each token is predicted from those before it. Sources are not read.
class LanguageModel final : public SequenceModel {
 public:
  LanguageModel(const ModelSpec& spec, Rng rng, Dtype dtype)
      : decoder_(spec, decoder_alone(spec, dtype), rng) {}

  Var forward(const TokenIds& source, const TokenIds& decoder_input,
              const Pass& pass) const override {
    check(source.segments.count() == decoder_input.segments.count(), "got ",
          source.segments.count(), " source and ", decoder_input.segments.count(),
          " target sequences");
    return decoder_(decoder_input, {}, pass);
  }

  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass&) const override {
    return decoder_.start({.rows = {}, .segments = source.segments});
  }

  Tensor step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
              const Pass& pass) const override {
    return decoder_.step(decoder_input, state, pass);
  }

  const OutputLayer& output() const override { return decoder_.output; }

  void each(const Visit& visit) override {
    const Visit once = each_once(visit);
    each_parameter(decoder_.decoder, once, "decoder");
    each_parameter(decoder_.output, once, "output");
  }

  void pack() override { decoder_.pack(); }
  void quantise() override { decoder_.quantise(); }

 private:
  static TransformerSpec decoder_alone(const ModelSpec& spec, Dtype dtype) {
    TransformerSpec decoder = decoder_spec(spec, dtype);
    decoder.cross = false;
    return decoder;
  }

  DecoderWithOutput decoder_;
};

constexpr std::string_view kUnused[] = {"source_vocabulary", "encoder_layers", "encoder_norm",
                                        "encoder_attention", "encoder_heads",  "encoder_window",
                                        "cross_attention",   "cross_heads"};

}  // namespace

extern const Architecture language{
    .name = "language",
    .summary = "a decoder alone, which continues a text",
    .paper = "Radford et al. 2018; Vaswani et al. 2017, arXiv:1706.03762",
    .reads = Reads::nothing,
    .command = "generate",
    .unused = kUnused,
    .preferred = [](ModelSpec spec) { return spec; },
    .layers = [](const ModelSpec& spec, AttentionKind kind) -> Index {
      return kind == AttentionKind::decoder ? spec.decoder_layers : 0;
    },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      return std::make_unique<LanguageModel>(spec, rng, dtype);
    },
};

}  // namespace regard::architectures
