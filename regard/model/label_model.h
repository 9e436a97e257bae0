#pragma once

#include <utility>

#include "regard/base/check.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"
#include "regard/embedding/class_token.h"
#include "regard/logits/output_layer.h"
#include "regard/model/encoder_stack.h"
#include "regard/model/model.h"
#include "regard/model/token_ids.h"

namespace regard {

/// What the blocks make of a class token that stands in front of each sequence, whatever its rows
/// are made of.   [N, D] -> [B, D]   REQUIRES rows without padding
Var class_rows(const ClassToken& token, const EncoderStack& stack, const EmbeddedRows& rows,
               const Pass& pass);

/// A model that says which label something has: an encoder reads it with a class token in front,
/// and the output layer has a row for each label. A source is a list of whole numbers, as of a
/// SequenceModel. Several threads may read one at once.
class LabelModel : public Model {
 public:
  /// What the output layer reads of each source.   -> [B, D]   REQUIRES sources without padding
  virtual Var forward(const TokenIds& sources, const Pass& pass) const = 0;

  /// Numbers of a source that make one row of the encoder: a token, or the levels of a patch.
  virtual Index numbers_per_row() const = 0;

  const OutputLayer& output() const { return output_; }

 protected:
  LabelModel(const ModelSpec& spec, Rng rng, Dtype dtype);

  ClassToken token_;
  OutputLayer output_;
};

/// The same with an encoder of some kind, which makes the rows and has the blocks.
template <class Encoder>
class LabelModelOf final : public LabelModel {
 public:
  LabelModelOf(Encoder encoder, const ModelSpec& spec, Rng rng, Dtype dtype)
      : LabelModel(spec, rng, dtype), encoder_(std::move(encoder)) {}

  Var forward(const TokenIds& sources, const Pass& pass) const override {
    check(!sources.padded, "what is to be labelled comes one after another, without padding");
    const Pass inside = pass.inside("encoder");
    return class_rows(token_, encoder_.stack, encoder_.embedded(sources, inside), inside);
  }

  Index numbers_per_row() const override { return encoder_.numbers_per_row(); }

  void each(const Visit& visit) override {
    each_parameter(encoder_, visit, "encoder");
    each_parameter(token_, visit, "class");
    each_parameter(output_, visit, "output");
  }

  void pack() override {
    output_.pack();
    pack_weights(encoder_);
  }

  void quantise() override {
    output_.quantise();
    quantise_weights(encoder_);
  }

 private:
  Encoder encoder_;
};

}  // namespace regard
