#pragma once

#include "regard/model/decoder_with_output.h"
#include "regard/model/sequence_model.h"
#include "regard/model/transformer.h"

namespace regard {

/// Encoder, decoder and output layer as one model (Vaswani et al. 2017, arXiv:1706.03762).
class TransformerModel final : public SequenceModel {
 public:
  TransformerModel(const ModelSpec& spec, Rng rng, Dtype dtype);

  Var forward(const TokenIds& source, const TokenIds& decoder_input,
              const Pass& pass) const override;
  std::unique_ptr<IncrementalState> start(const TokenIds& source, const Pass& pass) const override;
  Tensor step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
              const Pass& pass) const override;
  Tensor source_embedding(std::span<const std::int32_t> ids) const override {
    return encoder_.embed.without_positions(ids).value();
  }
  const OutputLayer& output() const override { return decoder_.output; }
  void each(const Visit& visit) override;
  void pack() override;
  void quantise() override;

 private:
  Encoder encoder_;
  DecoderWithOutput decoder_;
};

}  // namespace regard
