#include "regard/model/transformer.h"

#include "regard/base/check.h"
#include "regard/ops/reshape.h"

namespace regard {
namespace {

TokenEmbeddingSpec embedding_spec(const TransformerSpec& spec, Rng rng) {
  return {.vocabulary = spec.vocabulary,
          .width = spec.width,
          .position = spec.position,
          .length = spec.max_length,
          .dtype = spec.dtype,
          .rng = rng.fork("embed")};
}

/// Tokens with their positions among all tokens so far, `keys`: [N, D].
template <class Stack>
Var vectors_of(const Stack& stack, const TokenIds& tokens, const Segments& keys, const Pass& pass) {
  std::vector<Index> places = positions(tokens.segments, keys);
  for (Index& place : places) place += stack.first_position;
  return stack.embed(tokens.ids, places,
                     {pass.training ? stack.dropout : 0, pass.rng.fork("embed")});
}

/// [N, D], or [B, T, D] where the tokens are padded.
Var as_given(const TokenIds& tokens, const Var& rows) {
  if (!tokens.padded) return rows;
  return reshape(rows, {tokens.segments.count(), tokens.segments.longest(), rows.size(-1)});
}

}  // namespace

Encoder::Encoder(const TransformerSpec& spec, Rng rng)
    : embed(embedding_spec(spec, rng)),
      stack(spec, rng),
      dropout(spec.dropout),
      first_position(spec.first_position) {}

EmbeddedRows Encoder::embedded(const TokenIds& tokens, const Pass& pass) const {
  return {.rows = vectors_of(*this, tokens, tokens.segments, pass),
          .segments = tokens.segments,
          .keys = tokens.mask(),
          .position = embed.position.get()};
}

Var Encoder::operator()(const TokenIds& tokens, const Pass& pass) const {
  return as_given(tokens, stack(embedded(tokens, pass), pass));
}

EncoderOutput Encoder::source(const TokenIds& tokens, const Pass& pass) const {
  return {(*this)(tokens, pass), tokens.segments, tokens.lens};
}

void DecoderState::reorder(std::span<const Index> chosen) {
  for (const Index b : chosen)
    check(b >= 0 && b < past.count(), "sequence ", b, " was chosen, but there are only ",
          past.count());
  for (DecoderBlock::State& block : blocks) block.reorder(chosen);
  std::vector<Index> lengths, lens;
  for (const Index b : chosen) {
    lengths.push_back(past.length(b));
    if (!source_lens.empty()) lens.push_back(source_lens[static_cast<std::size_t>(b)]);
  }
  past = Segments::of_lengths(lengths);
  source_lens = std::move(lens);
}

void DecoderState::join(const DecoderState& more) {
  check(more.blocks.size() == blocks.size() && more.source_lens.empty() == source_lens.empty(),
        "states of different decoders cannot join");
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].past.join(more.blocks[i].past);
    if (blocks[i].source) blocks[i].source->join(*more.blocks[i].source);
  }
  source_lens.insert(source_lens.end(), more.source_lens.begin(), more.source_lens.end());
  past = one_after_other(past, more.past);
}

Decoder::Decoder(const TransformerSpec& spec, Rng rng)
    : embed(embedding_spec(spec, rng)),
      blocks(blocks_of<DecoderBlock>(spec, rng)),
      last(last_norm(spec)),
      dropout(spec.dropout),
      first_position(spec.first_position),
      window(spec.window > 0 ? Mask::window(spec.window, 0) : Mask::causal()) {}

Var Decoder::operator()(const TokenIds& tokens, const EncoderOutput& source,
                        const Pass& pass) const {
  Var x = vectors_of(*this, tokens, tokens.segments, pass);
  const DecoderLayout layout{
      .self = Layout::self(tokens.segments, window & tokens.mask(), embed.position.get()),
      .cross = {tokens.segments, source.segments, source.mask()}};
  for (std::size_t i = 0; i < blocks.size(); ++i)
    x = blocks[i](x, source.rows, layout, pass.inside(i));
  return as_given(tokens, last ? (*last)(x) : x);
}

DecoderState Decoder::start(const EncoderOutput& source) const {
  DecoderState state;
  const NoGrad quiet;
  for (const DecoderBlock& block : blocks)
    state.blocks.push_back(block.start(source.rows, source.segments));
  state.source_lens = source.lens;
  state.past = Segments::equal(source.segments.count(), 0);
  return state;
}

Var Decoder::step(const TokenIds& tokens, DecoderState& state, const Pass& pass) const {
  check(tokens.lens.empty(), "a step takes the tokens that follow, without padding");
  check(tokens.segments.count() == state.past.count(), "a step for ", tokens.segments.count(),
        " sequences, but the state has ", state.past.count());
  const NoGrad quiet;  // the past is kept without its gradients
  const Segments all = joined(state.past, tokens.segments);
  Var x = vectors_of(*this, tokens, all, pass);
  const NextRows next{tokens.segments, window, embed.position.get()};
  const Mask to_source = valid_keys(state.source_lens);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    x = blocks[i].step(x, state.blocks[i], next, to_source, pass.inside(i));
  state.past = all;
  return as_given(tokens, last ? (*last)(x) : x);
}

}  // namespace regard
