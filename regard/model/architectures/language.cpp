#include "regard/base/check.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"
#include "regard/model/architecture.h"
#include "regard/model/decoder_steps.h"
#include "regard/model/sequence_model.h"

namespace regard::architectures {
namespace {

/// A decoder alone: each token is predicted from those before it. Sources are not read.
class LanguageModel final : public SequenceModel {
 public:
  LanguageModel(const ModelSpec& spec, Rng rng, Dtype dtype)
      : decoder_(decoder_alone(spec, dtype), rng.fork("decoder")),
        output_(spec.tied == "none" ? OutputLayer({.vocabulary = spec.target_vocabulary,
                                                   .width = spec.width,
                                                   .dtype = dtype,
                                                   .rng = rng.fork("output")})
                                    : OutputLayer(decoder_.embed.table)) {}

  Var forward(const TokenIds& source, const TokenIds& decoder_input,
              const Pass& pass) const override {
    check(source.segments.count() == decoder_input.segments.count(), "got ",
          source.segments.count(), " source and ", decoder_input.segments.count(),
          " target sequences");
    return decoder_(decoder_input, {}, pass.inside("decoder"));
  }

  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass&) const override {
    return started(decoder_, {.rows = {}, .segments = source.segments});
  }

  Tensor step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
              const Pass& pass) const override {
    return stepped(decoder_, decoder_input, state, pass.inside("decoder"));
  }

  const OutputLayer& output() const override { return output_; }

  void each(const Visit& visit) override {
    const Visit once = each_once(visit);
    each_parameter(decoder_, once, "decoder");
    each_parameter(output_, once, "output");
  }

  void pack() override {
    pack_output(output_, {&decoder_.embed});
    pack_weights(decoder_);
  }

  void quantise() override {
    quantise_tables(output_, {&decoder_.embed});
    quantise_weights(decoder_);
  }

 private:
  static TransformerSpec decoder_alone(const ModelSpec& spec, Dtype dtype) {
    TransformerSpec decoder = decoder_spec(spec, dtype);
    decoder.cross = false;
    return decoder;
  }

  Decoder decoder_;
  OutputLayer output_;
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
