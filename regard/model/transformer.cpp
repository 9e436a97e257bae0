#include "regard/model/transformer.h"

#include "regard/base/check.h"
#include "regard/ops/reshape.h"

namespace regard {
namespace {

BlockSpec block_spec(const TransformerSpec& spec, Rng rng) {
  return {.width = spec.width,
          .heads = spec.heads,
          .hidden = spec.hidden,
          .kv_heads = spec.kv_heads,
          .mechanism = spec.mechanism,
          .activation = spec.activation,
          .pre_norm = spec.pre_norm,
          .dropout = spec.dropout,
          .attention_dropout = spec.attention_dropout,
          .ffn_dropout = spec.ffn_dropout,
          .epsilon = spec.epsilon,
          .dtype = spec.dtype,
          .rng = rng};
}

TokenEmbeddingSpec embedding_spec(const TransformerSpec& spec, Rng rng) {
  return {.vocabulary = spec.vocabulary,
          .width = spec.width,
          .position = spec.position,
          .length = spec.max_length,
          .dtype = spec.dtype,
          .rng = rng.fork("embed")};
}

template <class Block>
std::vector<Block> stack(const TransformerSpec& spec, Rng rng) {
  check(spec.layers >= 1, "a stack of ", spec.layers, " layers; expected 1 or more");
  std::vector<Block> blocks;
  for (Index i = 0; i < spec.layers; ++i)
    blocks.emplace_back(block_spec(spec, rng.fork("blocks").fork(static_cast<std::uint64_t>(i))));
  return blocks;
}

std::optional<LayerNorm> last_norm(const TransformerSpec& spec) {
  if (!spec.pre_norm) return std::nullopt;
  return LayerNorm({spec.width}, spec.epsilon, spec.dtype);
}

/// Tokens with their positions among all tokens so far, `keys`: [N, D].
template <class Stack>
Var embedded(const Stack& stack, const TokenIds& tokens, const Segments& keys, const Pass& pass) {
  std::vector<Index> places = positions(tokens.segments, keys);
  for (Index& place : places) place += stack.first_position;
  return stack.embed(tokens.ids, places,
                     {pass.training ? stack.dropout : 0, pass.rng.fork("embed")});
}

template <class Stack>
Var finished(const Stack& stack, const TokenIds& tokens, const Var& x) {
  const Var rows = stack.last ? (*stack.last)(x) : x;
  if (!tokens.padded) return rows;
  return reshape(rows, {tokens.segments.count(), tokens.segments.longest(), rows.size(-1)});
}

}  // namespace

Encoder::Encoder(const TransformerSpec& spec, Rng rng)
    : embed(embedding_spec(spec, rng)),
      blocks(stack<EncoderBlock>(spec, rng)),
      last(last_norm(spec)),
      dropout(spec.dropout),
      first_position(spec.first_position) {}

Var Encoder::operator()(const TokenIds& tokens, const Pass& pass) const {
  Var x = embedded(*this, tokens, tokens.segments, pass);
  const Layout layout = Layout::self(tokens.segments, tokens.mask(), embed.position.get());
  for (std::size_t i = 0; i < blocks.size(); ++i) x = blocks[i](x, layout, pass.inside(i));
  return finished(*this, tokens, x);
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
    blocks[i].source.join(more.blocks[i].source);
  }
  source_lens.insert(source_lens.end(), more.source_lens.begin(), more.source_lens.end());
  past = one_after_other(past, more.past);
}

Decoder::Decoder(const TransformerSpec& spec, Rng rng)
    : embed(embedding_spec(spec, rng)),
      blocks(stack<DecoderBlock>(spec, rng)),
      last(last_norm(spec)),
      dropout(spec.dropout),
      first_position(spec.first_position) {}

Var Decoder::operator()(const TokenIds& tokens, const EncoderOutput& source,
                        const Pass& pass) const {
  Var x = embedded(*this, tokens, tokens.segments, pass);
  const DecoderLayout layout{
      .self = Layout::self(tokens.segments, Mask::causal() & tokens.mask(), embed.position.get()),
      .cross = {tokens.segments, source.segments, source.mask()}};
  for (std::size_t i = 0; i < blocks.size(); ++i)
    x = blocks[i](x, source.rows, layout, pass.inside(i));
  return finished(*this, tokens, x);
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
  Var x = embedded(*this, tokens, all, pass);
  const NextRows next{tokens.segments, Mask::causal(), embed.position.get()};
  const Mask to_source = valid_keys(state.source_lens);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    x = blocks[i].step(x, state.blocks[i], next, to_source, pass.inside(i));
  state.past = all;
  return finished(*this, tokens, x);
}

}  // namespace regard
