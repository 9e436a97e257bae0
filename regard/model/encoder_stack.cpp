#include "regard/model/encoder_stack.h"

#include "regard/block/layout.h"

namespace regard {

EncoderStack::EncoderStack(const TransformerSpec& spec, Rng rng)
    : blocks(blocks_of<EncoderBlock>(spec, rng)),
      last(last_norm(spec)),
      window(spec.window > 0 ? Mask::window(spec.window, spec.window) : Mask::full()) {}

Var EncoderStack::operator()(const EmbeddedRows& embedded, const Pass& pass) const {
  Var x = embedded.rows;
  const Layout layout = Layout::self(embedded.segments, window & embedded.keys, embedded.position);
  for (std::size_t i = 0; i < blocks.size(); ++i) x = blocks[i](x, layout, pass.inside(i));
  return last ? (*last)(x) : x;
}

}  // namespace regard
