#include "regard/model/label_model.h"

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
    : token_(spec.width, rng.fork("class"), dtype),
      output_({.vocabulary = spec.target_vocabulary,
               .width = spec.width,
               .bias = true,
               .dtype = dtype,
               .rng = rng.fork("output")}) {}

}  // namespace regard
