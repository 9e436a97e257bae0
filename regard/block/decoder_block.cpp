#include "regard/block/decoder_block.h"

namespace regard {

void DecoderBlock::State::reorder(std::span<const Index> chosen) {
  past.reorder(chosen);
  source.reorder(chosen);
}

DecoderBlock::DecoderBlock(const BlockSpec& spec)
    : self(spec.attention("self")),
      around_self(spec.add_norm()),
      cross(spec.attention("cross")),
      around_cross(spec.add_norm()),
      feed(spec.feed_forward()),
      around_feed(spec.add_norm()) {}

template <class Look>
Var DecoderBlock::run(const Var& x, const Var& keys_values, const Layout& to_source,
                      const Pass& pass, const Look& look) const {
  const Pass in_self = pass.inside("self"), in_cross = pass.inside("cross"),
             in_feed = pass.inside("feed");
  Var y = around_self(x, in_self, [&](const Var& z) { return look(z, in_self); });
  y = around_cross(y, in_cross,
                   [&](const Var& z) { return cross(z, keys_values, to_source, in_cross); });
  return around_feed(y, in_feed, [&](const Var& z) { return feed(z, in_feed); });
}

Var DecoderBlock::operator()(const Var& x, const Var& source, const DecoderLayout& layout,
                             const Pass& pass) const {
  return run(x, cross.keys_values(source), layout.cross, pass,
             [&](const Var& z, const Pass& inside) { return self(z, layout.self, inside); });
}

DecoderBlock::State DecoderBlock::start(const Var& source, const Segments& segments) const {
  return {.past = KeptRows::none(segments.count(), self.kept_width(), source.dtype()),
          .source = {cross.keys_values(source).value(), segments}};
}

Var DecoderBlock::step(const Var& x, State& state, const NextRows& next, const Mask& to_source,
                       const Pass& pass) const {
  const Layout cross_layout{next.segments, state.source.segments, to_source};
  return run(x, Var(state.source.rows), cross_layout, pass, [&](const Var& z, const Pass& inside) {
    return self.step(z, state.past, next, inside);
  });
}

}  // namespace regard
