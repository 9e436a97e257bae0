#include "regard/model/label_model.h"

#include "regard/base/check.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"

namespace regard {

Var class_rows(const ClassToken& token, const EncoderStack& stack, const EmbeddedRows& rows,
               const Pass& pass) {
  const Segments segments = ClassToken::with_token(rows.segments);
  const EmbeddedRows all{.rows = token.in_front_of(rows.rows, rows.segments),
                         .segments = segments,
                         .position = rows.position};
  return ClassToken::row_of(stack(all, pass), segments);
}

LabelModel::LabelModel(const ModelSpec& spec, Rng rng, Dtype dtype)
    : encoder_(encoder_spec(spec, dtype), rng.fork("encoder")),
      token_(spec.width, rng.fork("class"), dtype),
      output_({.vocabulary = spec.target_vocabulary,
               .width = spec.width,
               .bias = true,
               .dtype = dtype,
               .rng = rng.fork("output")}) {}

Var LabelModel::forward(const TokenIds& texts, const Pass& pass) const {
  check(!texts.padded, "texts to be labelled come one after another, without padding");
  const Pass inside = pass.inside("encoder");
  return class_rows(token_, encoder_.stack, encoder_.embedded(texts, inside), inside);
}

void LabelModel::each(const Visit& visit) {
  each_parameter(encoder_, visit, "encoder");
  each_parameter(token_, visit, "class");
  each_parameter(output_, visit, "output");
}

void LabelModel::pack() {
  output_.pack();
  pack_weights(encoder_);
}

void LabelModel::quantise() {
  output_.quantise();
  quantise_weights(encoder_);
}

}  // namespace regard
