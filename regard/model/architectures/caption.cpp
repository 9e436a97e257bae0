#include "regard/base/check.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"
#include "regard/model/architecture.h"
#include "regard/model/decoder_with_output.h"
#include "regard/model/image_encoder.h"
#include "regard/model/sequence_model.h"

namespace regard::architectures {
namespace {

/// An encoder of patches, and the decoder of a Transformer, which looks at them.
class CaptionModel final : public SequenceModel {
 public:
  CaptionModel(const ModelSpec& spec, Rng rng, Dtype dtype)
      : encoder_(spec, dtype, rng.fork("encoder")),
        decoder_(spec, decoder_spec(spec, dtype), rng) {}

  Var forward(const TokenIds& source, const TokenIds& decoder_input,
              const Pass& pass) const override {
    return decoder_(decoder_input, encoder_.source(source, pass.inside("encoder")), pass);
  }

  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass& pass) const override {
    const NoGrad quiet;
    return decoder_.start(encoder_.source(source, pass.inside("encoder")));
  }

  Tensor step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
              const Pass& pass) const override {
    return decoder_.step(decoder_input, state, pass);
  }

  Index numbers_per_row() const override { return encoder_.numbers_per_row(); }

  const OutputLayer& output() const override { return decoder_.output; }

  void each(const Visit& visit) override {
    const Visit once = each_once(visit);
    each_parameter(decoder_.decoder, once, "decoder");
    each_parameter(encoder_, once, "encoder");
    each_parameter(decoder_.output, once, "output");
  }

  void pack() override {
    decoder_.pack();
    pack_weights(encoder_);
  }

  void quantise() override {
    decoder_.quantise();
    quantise_weights(encoder_);
  }

 private:
  ImageEncoder encoder_;
  DecoderWithOutput decoder_;
};

constexpr std::string_view kUnused[] = {"source_vocabulary"};

}  // namespace

extern const Architecture caption{
    .name = "caption",
    .summary = "an encoder of the patches of an image, and a decoder that says what it shows",
    .paper = "Xu et al. 2015, arXiv:1502.03044; Dosovitskiy et al. 2021, arXiv:2010.11929",
    .reads = Reads::image,
    .command = "caption",
    .unused = kUnused,
    .preferred =
        [](ModelSpec spec) {
          spec.width = 128;
          spec.hidden = 512;
          spec.encoder_layers = spec.decoder_layers = 2;
          spec.pre_norm = true;
          spec.dropout = spec.ffn_dropout = spec.attention_dropout = 0;
          return spec;
        },
    .layers =
        [](const ModelSpec& spec, AttentionKind kind) {
          return kind == AttentionKind::encoder ? spec.encoder_layers : spec.decoder_layers;
        },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      return std::make_unique<CaptionModel>(spec, rng, dtype);
    },
};

}  // namespace regard::architectures
