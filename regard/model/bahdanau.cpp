#include "regard/model/bahdanau.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/block/attention/cached_rows.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"
#include "regard/ops/add.h"
#include "regard/ops/attending_gru.h"
#include "regard/ops/concat.h"
#include "regard/ops/dropout.h"
#include "regard/ops/embedding.h"
#include "regard/ops/gru_cell.h"
#include "regard/ops/pad.h"
#include "regard/ops/reshape.h"
#include "regard/ops/slice.h"

namespace regard {
namespace {

TokenEmbedding token_vectors(const ModelSpec& spec, Index vocabulary, Rng rng, Dtype dtype) {
  return TokenEmbedding({.vocabulary = vocabulary,
                         .width = spec.width,
                         .position = "none",
                         .dtype = dtype,
                         .rng = rng});
}

GruSpec gru_spec(const ModelSpec& spec, Index layers, Rng rng, Dtype dtype) {
  return {.in = spec.width,
          .hidden = spec.hidden,
          .layers = layers,
          .dropout = spec.dropout,
          .dtype = dtype,
          .rng = rng};
}

Var embedded(const TokenEmbedding& embed, std::span<const std::int32_t> ids, double dropout,
             const Pass& pass) {
  const std::vector<Index> nowhere(ids.size());
  return embed(ids, nowhere, {pass.training ? dropout : 0, pass.rng.fork("embed")});
}

/// A source without its padding, which a recurrence would read on through.
TokenIds without_padding(const TokenIds& tokens) {
  if (tokens.lens.empty()) return {tokens.ids, tokens.segments};
  TokenIds result{{}, Segments::of_lengths(tokens.lens)};
  for (Index b = 0; b < tokens.segments.count(); ++b) {
    const auto begin = tokens.ids.begin() + tokens.segments.begin(b);
    result.ids.insert(result.ids.end(), begin, begin + tokens.lens[static_cast<std::size_t>(b)]);
  }
  return result;
}

std::vector<Index> lengths(const Segments& segments) {
  std::vector<Index> result;
  for (Index b = 0; b < segments.count(); ++b) result.push_back(segments.length(b));
  return result;
}

/// Ragged rows [N, W] as [B, 1, S, W], zeros after a shorter sequence.
Var boxed(const Var& rows, const Segments& segments) {
  const Index B = segments.count(), S = segments.longest();
  const SegmentView view = segments.view();
  const Var box =
      segments.all_equal() ? rows : pad(rows, {view.offsets, static_cast<std::size_t>(B + 1)}, S);
  return reshape(box, {B, 1, S, rows.size(-1)});
}

/// Row i of the result is row rows[i] of x [B, ...].
Var chosen_rows(const Var& x, std::span<const std::int32_t> rows) {
  const Index width = x.value().count() / std::max<Index>(x.size(0), 1);
  const Var flat = embedding(reshape(x, {x.size(0), width}), rows);
  return reshape(flat, x.shape().with(0, static_cast<Index>(rows.size())));
}

/// The states that the decoder starts from, in its order of sequences.
std::vector<Var> first_states(const EncodedSource& from, const TimeOrder& order) {
  std::vector<Var> states;
  for (const Var& state : from.states) states.push_back(embedding(state, order.sequences));
  return states;
}

class BahdanauState final : public IncrementalState {
 public:
  Index count() const override { return values.segments.count(); }

  void reorder(std::span<const Index> chosen) override {
    values.reorder(chosen);  // refuses what is not there
    keys.reorder(chosen);
    const std::vector<std::int32_t> rows(chosen.begin(), chosen.end());
    for (Tensor& state : states) state = embedding(Var(state), rows).value().lasting();
  }

  void join(const IncrementalState& more) override {
    const auto& other = dynamic_cast<const BahdanauState&>(more);
    check(other.states.size() == states.size(), "states of different models cannot join");
    values.join(other.values);
    keys.join(other.keys);
    for (std::size_t i = 0; i < states.size(); ++i)
      states[i] = concat({Var(states[i]), Var(other.states[i])}, 0).value().lasting();
  }

  SourceMemory memory() const {
    return {boxed(Var(keys.rows), keys.segments), boxed(Var(values.rows), values.segments),
            lengths(values.segments)};
  }

  CachedRows keys, values;     // of the source
  std::vector<Tensor> states;  // one a layer: [B, F]
};

/// Where the decoder looks at the source, as a listener calls it.
Pass at_the_source(const Pass& decoder) {
  return decoder.inside(0).inside("cross");
}

}  // namespace

SourceMemory SourceMemory::front(Index count) const {
  return {
      slice(keys, 0, 0, count), slice(values, 0, 0, count), {lens.begin(), lens.begin() + count}};
}

RecurrentDecoder::RecurrentDecoder(const ModelSpec& spec, Rng rng, Dtype dtype)
    : embed(token_vectors(spec, spec.target_vocabulary, rng.fork("embed"), dtype)),
      cells(gru_spec(spec, spec.decoder_layers, rng.fork("cells"), dtype)),
      context({.in = spec.hidden,
               .out = 3 * spec.hidden,
               .bias = false,
               .part = spec.hidden,
               .dtype = dtype,
               .rng = rng.fork("context")}),
      attention(make_attention(find_mechanism(spec.mechanism), {.query_width = spec.hidden,
                                                                .key_width = spec.hidden,
                                                                .dtype = dtype,
                                                                .rng = rng.fork("attention")})),
      readout({.in = 2 * spec.hidden + spec.width,
               .out = spec.width,
               .dtype = dtype,
               .rng = rng.fork("readout")}),
      dropout(spec.dropout),
      attention_dropout(spec.attention_dropout),
      additive(spec.mechanism == "additive") {}

Var RecurrentDecoder::advance(const Var& token_gates, const SourceMemory& memory,
                              std::vector<Var>& states, const Pass& pass) const {
  const Index B = token_gates.size(0), F = states.back().size(1);
  const Var seen = (*attention)({.q = reshape(states.back(), {B, 1, 1, F}),
                                 .k = memory.keys,
                                 .v = memory.values,
                                 .mask = Mask::valid(memory.lens),
                                 .dropout = attention_dropout,
                                 .prepared = true},
                                pass);
  const Var context_rows = reshape(seen, {B, F});
  for (std::size_t i = 0; i < states.size(); ++i) {
    Var gates;
    if (i == 0) {
      gates = add(token_gates, context(context_rows));
    } else {
      const DropoutSpec drop{pass.training ? dropout : 0, pass.rng.fork("layer").fork(i)};
      gates = cells.layers[i].input(regard::dropout(states[i - 1], drop));
    }
    states[i] = gru_cell(gates, cells.layers[i].hidden(states[i]), states[i]);
  }
  return context_rows;
}

Var RecurrentDecoder::run(const Var& token_gates, const EncodedSource& from, const TimeOrder& order,
                          const Pass& pass) const {
  AttendingGruInputs in{.token_gates = token_gates,
                        .keys = from.keys,
                        .values = from.rows,
                        .begins = {},
                        .lens = {},
                        .query = {},
                        .judge = {},
                        .layers = {},
                        .starts = order.starts};
  for (const std::int32_t b : order.sequences) {
    in.begins.push_back(from.segments.begin(b));
    in.lens.push_back(from.segments.length(b));
  }
  const std::vector<Var> states = first_states(from, order);
  attention->each([&](std::string_view name, Var& parameter) {
    if (name == "query") in.query = reshape(parameter, {parameter.size(1), parameter.size(2)});
    if (name == "judge") in.judge = parameter;
  });
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Gru::Layer& layer = cells.layers[i];
    const Linear& input = i == 0 ? context : layer.input;
    in.layers.push_back(
        {input.weight, input.bias, layer.hidden.weight, layer.hidden.bias, states[i]});
  }
  const auto step_rng = [&](Index t) { return pass.rng.fork(static_cast<std::uint64_t>(t)); };
  if (!pass.training) return attending_gru(in, {});
  return attending_gru(in, {attention_dropout, dropout, step_rng});
}

Var RecurrentDecoder::run_step_by_step(const Var& token_gates, const EncodedSource& from,
                                       const TimeOrder& order, StepCaptures& captures) const {
  SourceMemory memory{chosen_rows(boxed(from.keys, from.segments), order.sequences),
                      chosen_rows(boxed(from.rows, from.segments), order.sequences),
                      {}};
  for (const std::int32_t b : order.sequences) memory.lens.push_back(from.segments.length(b));
  std::vector<Var> states = first_states(from, order);
  std::vector<Var> last_states, contexts;
  for (const Var& gates : cut_rows(token_gates, order.starts)) {
    const Index going = gates.size(0);
    if (going < states[0].size(0)) {
      for (Var& state : states) state = slice(state, 0, 0, going);
      memory = memory.front(going);
    }
    contexts.push_back(advance(gates, memory, states, captures.next_pass()));
    last_states.push_back(states.back());
  }
  return concat({concat(last_states, 0), concat(contexts, 0)}, 1);
}

Var RecurrentDecoder::read_out(const Var& state_context, const Var& token, const Pass& pass) const {
  const Var rows = readout(concat({state_context, token}, 1), Activation::tanh);
  return regard::dropout(rows, {pass.training ? dropout : 0, pass.rng.fork("readout")});
}

BahdanauModel::BahdanauModel(const ModelSpec& spec, Rng rng, Dtype dtype)
    : encoder_{token_vectors(spec, spec.source_vocabulary, rng.fork("encoder").fork("embed"),
                             dtype),
               Gru(gru_spec(spec, spec.encoder_layers, rng.fork("encoder").fork("cells"), dtype))},
      decoder_(spec, rng.fork("decoder"), dtype),
      output_(spec.tied == "none" ? OutputLayer({.vocabulary = spec.target_vocabulary,
                                                 .width = spec.width,
                                                 .dtype = dtype,
                                                 .rng = rng.fork("output")})
                                  : OutputLayer(decoder_.embed.table)),
      dropout_(spec.dropout) {
  check(spec.encoder_layers == spec.decoder_layers, "an encoder of ", spec.encoder_layers,
        " layers cannot start the states of a decoder of ", spec.decoder_layers,
        "; set encoder_layers and decoder_layers to one number");
  if (spec.tied == "all") encoder_.embed.table = decoder_.embed.table;
}

EncodedSource BahdanauModel::encoded(const TokenIds& source, const Pass& pass) const {
  const TokenIds tokens = without_padding(source);
  const Var vectors = embedded(encoder_.embed, tokens.ids, dropout_, pass);
  const Gru::Result result = encoder_.cells(vectors, tokens.segments, {}, pass.inside("cells"));
  const Index N = result.outputs.size(0), F = result.outputs.size(1);
  // Attention asks for [B, H, S, d]; for what concerns keys alone all rows are one sequence.
  const Var keys = decoder_.attention->keys(reshape(result.outputs, {1, 1, N, F}));
  return {result.outputs, reshape(keys, {N, keys.size(-1)}), tokens.segments, result.states};
}

Var BahdanauModel::forward(const TokenIds& source, const TokenIds& decoder_input,
                           const Pass& pass) const {
  check(source.segments.count() == decoder_input.segments.count(), "got ", source.segments.count(),
        " source and ", decoder_input.segments.count(), " target sequences");
  const EncodedSource from = encoded(source, pass.inside("encoder"));
  const Pass within = pass.inside("decoder");
  const TimeOrder order(decoder_input.segments);
  std::vector<std::int32_t> ids;
  for (const std::int32_t row : order.to_time)
    ids.push_back(decoder_input.ids[static_cast<std::size_t>(row)]);
  const Var tokens = embedded(decoder_.embed, ids, decoder_.dropout, within);  // in order of time
  if (ids.empty()) return tokens;

  const Var gates = decoder_.cells.layers[0].input(tokens);
  const Pass looking = at_the_source(within);
  StepCaptures captures(looking);
  const bool at_once = decoder_.additive && !decoder_.context.panels && !looking.on_attention;
  const Var seen = at_once ? decoder_.run(gates, from, order, looking)
                           : decoder_.run_step_by_step(gates, from, order, captures);
  captures.show(order, from.segments);
  const Var rows = decoder_.read_out(seen, tokens, within);
  const Var result = embedding(rows, order.from_time);
  if (!decoder_input.padded) return result;
  return reshape(
      result, {decoder_input.segments.count(), decoder_input.segments.longest(), result.size(-1)});
}

std::unique_ptr<IncrementalState> BahdanauModel::start(const TokenIds& source,
                                                       const Pass& pass) const {
  const NoGrad quiet;
  const EncodedSource from = encoded(source, pass.inside("encoder"));
  auto state = std::make_unique<BahdanauState>();
  state->keys = {from.keys.value().lasting(), from.segments};
  state->values = {from.rows.value().lasting(), from.segments};
  for (const Var& layer : from.states) state->states.push_back(layer.value().lasting());
  return state;
}

Tensor BahdanauModel::step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
                           const Pass& pass) const {
  const NoGrad quiet;
  auto& so_far = dynamic_cast<BahdanauState&>(state);
  check(static_cast<Index>(decoder_input.size()) == so_far.count(), "a step for ",
        decoder_input.size(), " sequences, but the state has ", so_far.count());
  const Pass within = pass.inside("decoder");
  const Var tokens = embedded(decoder_.embed, decoder_input, decoder_.dropout, within);
  std::vector<Var> states;
  for (const Tensor& state : so_far.states) states.emplace_back(state);
  StepCaptures captures(at_the_source(within));
  const Var context = decoder_.advance(decoder_.cells.layers[0].input(tokens), so_far.memory(),
                                       states, captures.next_pass());
  captures.show(TimeOrder(Segments::equal(so_far.count(), 1)), so_far.values.segments);
  for (std::size_t i = 0; i < states.size(); ++i) so_far.states[i] = states[i].value().lasting();
  return decoder_.read_out(concat({states.back(), context}, 1), tokens, within).value();
}

void BahdanauModel::each(const Visit& visit) {
  const Visit once = each_once(visit);
  each_parameter(decoder_, once, "decoder");
  each_parameter(encoder_, once, "encoder");
  each_parameter(output_, once, "output");
}

void BahdanauModel::pack() {
  pack_output(output_, {&decoder_.embed, &encoder_.embed});
  pack_weights(encoder_);
  pack_weights(decoder_);
}

void BahdanauModel::quantise() {
  quantise_tables(output_, {&decoder_.embed, &encoder_.embed});
  quantise_weights(encoder_);
  quantise_weights(decoder_);
}

}  // namespace regard
