#pragma once

#include "regard/embedding/class_token.h"
#include "regard/logits/output_layer.h"
#include "regard/model/model.h"
#include "regard/model/transformer.h"

namespace regard {

/// What the blocks make of a class token that stands in front of each sequence, whatever its rows
/// are made of.   [N, D] -> [B, D]   REQUIRES rows without padding
Var class_rows(const ClassToken& token, const EncoderStack& stack, const EmbeddedRows& rows,
               const Pass& pass);

/// A model that says which label a text has: an encoder reads the text with a class token in front,
/// and the output layer has a row for each label. Several threads may read one at once.
class LabelModel final : public Model {
 public:
  LabelModel(const ModelSpec& spec, Rng rng, Dtype dtype);

  /// What the output layer reads of each text.   -> [B, D]   REQUIRES texts that are not padded
  Var forward(const TokenIds& texts, const Pass& pass) const;

  const OutputLayer& output() const { return output_; }

  void each(const Visit& visit) override;
  void pack() override;
  void quantise() override;

 private:
  Encoder encoder_;
  ClassToken token_;
  OutputLayer output_;
};

}  // namespace regard
