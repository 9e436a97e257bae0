#include "regard/block/decoder_block.h"

namespace regard {

void DecoderBlock::State::reorder(std::span<const Index> chosen) {
  past.reorder(chosen);
  if (source) source->reorder(chosen);
}

DecoderBlock::DecoderBlock(const BlockSpec& spec)
    : self(spec.attention("self")),
      around_self(spec.add_norm()),
      cross(spec.cross ? std::optional(CrossAttention(spec.cross_attention())) : std::nullopt),
      around_cross(spec.cross ? std::optional(AddNorm(spec.add_norm())) : std::nullopt),
      feed(spec.feed_forward()),
      around_feed(spec.add_norm()) {}

template <class LookBack, class LookAcross>
Var DecoderBlock::run(const Var& x, const Pass& pass, const LookBack& back,
                      const LookAcross& across) const {
  const Pass in_self = pass.inside("self"), in_cross = pass.inside("cross"),
             in_feed = pass.inside("feed");
  Var y = around_self(x, in_self, [&](const Var& z) { return back(z, in_self); });
  if (cross) y = (*around_cross)(y, in_cross, [&](const Var& z) { return across(z, in_cross); });
  return around_feed(y, in_feed, [&](const Var& z) { return feed(z, in_feed); });
}

Var DecoderBlock::operator()(const Var& x, const Var& source, const DecoderLayout& layout,
                             const Pass& pass) const {
  return run(
      x, pass, [&](const Var& z, const Pass& inside) { return self(z, layout.self, inside); },
      [&](const Var& z, const Pass& inside) { return (*cross)(z, source, layout.cross, inside); });
}

DecoderBlock::State DecoderBlock::start(const Var& source, const Segments& segments) const {
  State state{.past = self.no_past(segments.count()), .source = {}};
  if (cross) state.source = cross->remember(source, segments);
  return state;
}

Var DecoderBlock::step(const Var& x, State& state, const NextRows& next, const Mask& to_source,
                       const Pass& pass) const {
  return run(
      x, pass,
      [&](const Var& z, const Pass& inside) { return self.step(z, state.past, next, inside); },
      [&](const Var& z, const Pass& inside) {
        return cross->step(z, *state.source, next.segments, to_source, inside);
      });
}

}  // namespace regard
