#include "regard/trace/trace.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/decode/candidates.h"
#include "regard/decode/pool.h"
#include "regard/ops/slice.h"
#include "regard/trace/position_table.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void check_length(const TracedText& text, const char* what, const ModelSpec& spec) {
  const auto tokens = static_cast<Index>(text.tokens.size()) - 1;
  const Index most = max_traced_tokens(spec);
  if (tokens > most)
    fail(Fault::input, "the ", what, " has ", tokens, " tokens, but at most ", most,
         " can be traced; shorten it");
}

void check_request(const TraceRequest& request, const ModelSpec& spec) {
  Index layers = 0;
  for (const AttentionKind kind :
       {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross})
    layers = std::max(layers, layers_of(spec, kind));
  for (const Index layer : request.layers)
    check(layer >= 0 && layer < layers, "no layer ", layer, " in a model of ", layers,
          " layers, counted from 0");
  for (const Index head : request.heads)
    check(head >= 0 && head < heads_of(spec), "no head ", head, " in layers of ", heads_of(spec),
          " heads, counted from 0");
  check(request.prefix.empty() || !request.reference,
        "a translation that is given needs no prefix; leave one of them out");
  check(request.top >= 0, "the ", request.top, " likeliest tokens were asked for");
}

template <class T>
bool wanted(const std::vector<T>& chosen, T one) {
  return std::ranges::find(chosen, one) != chosen.end();
}

/// Stops here where nobody waits for the trace any more.
void check_wanted(const TraceRequest& request) {
  check(!request.wanted || request.wanted(), "the trace is not wanted any more");
}

/// Whose capture it is: "encoder/0/self" is layer 0 of the encoder.
struct Place {
  AttentionKind kind;
  Index layer;
};

std::optional<Place> place_of(std::string_view where) {
  const bool encoder = where.starts_with("encoder/");
  if (!encoder && !where.starts_with("decoder/")) return std::nullopt;
  where.remove_prefix(std::string_view("encoder/").size());
  Index layer = 0;
  const char* end = where.data() + where.size();
  const auto [rest, error] = std::from_chars(where.data(), end, layer);
  const std::string_view part(rest, static_cast<std::size_t>(end - rest));
  if (error != std::errc() || (part != "/self" && part != "/cross")) return std::nullopt;
  return Place{encoder           ? AttentionKind::encoder
               : part == "/self" ? AttentionKind::decoder
                                 : AttentionKind::cross,
               layer};
}

std::vector<float> floats(const Tensor& x) {
  const std::vector<double> values = x.values();
  return {values.begin(), values.end()};
}

TracedHead traced_head(const AttentionCapture& capture, const Place& place, Index head,
                       bool vectors) {
  const Tensor weights = capture.weights(0, head);
  TracedHead one{.kind = place.kind,
                 .layer = place.layer,
                 .head = head,
                 .rows = weights.size(0),
                 .cols = weights.size(1),
                 .weights = floats(weights),
                 .query = {},
                 .key = {},
                 .value = {}};
  one.entropy = entropy_bits(one.matrix());
  one.tag = tag_of(one.matrix());
  if (vectors && capture.queries) {
    const Tensor query = capture.queries(0, head);
    one.query = floats(query);
    one.key = floats(capture.keys(0, head));
    one.width = query.size(1);
    one.scale = capture.scale;
  }
  if (vectors && capture.values) {
    const Tensor value = capture.values(0, head);
    one.value = floats(value);
    one.value_width = value.size(1);
  }
  return one;
}

/// log p of each generated token and of the end, and its runners-up.
std::vector<TracedStep> traced_steps(const LoadedModel& model, const Tensor& rows,
                                     const std::vector<Token>& target,
                                     const TraceRequest& request) {
  constexpr Index kAtOnce = 16;
  const auto N = static_cast<Index>(target.size());
  std::vector<TracedStep> steps;
  for (Index begin = 0; begin < N; begin += kAtOnce) {
    check_wanted(request);
    const Index end = std::min(N, begin + kAtOnce);
    std::vector<TokenAsk> asks;
    for (Index t = begin; t < end; ++t)
      asks.push_back({.top = request.top, .named = target[static_cast<std::size_t>(t)].id});
    const Tensor some = slice(rows, 0, begin, end);
    for (const NextTokens& next : model.model->output().next_tokens(some, asks)) {
      TracedStep step{checked_log_p(next.named), {}};
      for (const Candidate& each : next.candidates)
        step.top.push_back({token_text(*model.info.target, each.token), each.token,
                            elementary::exp(checked_log_p(each.log_probability))});
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

/// Reads source and target once, as in training, and listens.
void read_once(const LoadedModel& model, const TraceRequest& request, Trace& trace) {
  const NoGrad quiet;
  Ids source = trace.source.ids(), decoder_input = trace.target.ids();
  source.push_back(kEos);
  decoder_input.insert(decoder_input.begin(), kBos);
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) {
    const std::optional<Place> place = place_of(capture.where);
    if (!place || !wanted(request.kinds, place->kind)) return;
    if (!request.layers.empty() && !wanted(request.layers, place->layer)) return;
    for (Index head = 0; head < capture.heads; ++head)
      if (request.heads.empty() || wanted(request.heads, head))
        trace.attention.push_back(traced_head(capture, *place, head, request.vectors));
  };
  const Var rows =
      model.model->forward(TokenIds::ragged({source}), TokenIds::ragged({decoder_input}), pass);
  trace.steps = traced_steps(model, rows.value(), trace.target.tokens, request);
  std::ranges::stable_sort(trace.attention, {}, &TracedHead::kind);
}

/// What the source's tokens enter the encoder as.
void trace_embedding(const LoadedModel& model, Trace& trace) {
  const NoGrad quiet;
  Ids source = trace.source.ids();
  source.push_back(kEos);
  const Tensor vectors = model.model->source_embedding(source);
  if (vectors.rank() != 2) return;
  trace.embedding = {vectors.size(0), vectors.size(1), floats(vectors)};
  const PositionTable added = position_table(model, static_cast<Index>(source.size()));
  trace.position = {added.rows, added.cols, added.values};
}

/// The best hypothesis; where the translation is given, the one that is it. A given translation is
/// a prefix with no room behind it, so its score and its tree come from the same search.
Hypothesis found(const LoadedModel& model, const Ids& source, const std::optional<Ids>& given,
                 const TraceRequest& request, BeamLog& log) {
  DecodeSpec spec = request.decode;
  spec.max_length = std::min(spec.max_length, max_traced_tokens(model.info.spec));
  if (given) {
    spec.beam = spec.n_best = 1;
    spec.sample = false;
    spec.max_length = 0;
  }
  TranslationPool pool(*model.model, spec.batch_tokens);
  pool.add({.source = source, .spec = spec, .prefix = given.value_or(request.prefix), .log = &log});
  for (;;) {
    check_wanted(request);
    for (const PoolResult& result : pool.advance()) {
      if (result.error) std::rethrow_exception(result.error);
      return result.best.front();
    }
  }
}

void search(const LoadedModel& model, const TraceRequest& request, Trace& trace) {
  const Tokenizer& target = *model.info.target;
  std::optional<Ids> given;
  if (request.reference) {
    trace.target = given_text(target, *request.reference);
    check_length(trace.target, "reference", model.info.spec);
    given = trace.target.ids();
  } else if (trace.source.words.empty()) {
    given = Ids();
  }
  Ids source = trace.source.ids();
  source.push_back(kEos);
  auto start = Clock::now();
  model.model->start(TokenIds::ragged({source}), Pass{});  // only to time it
  trace.encode_ms = milliseconds_since(start);
  start = Clock::now();
  BeamLog log;
  const Hypothesis best = found(model, source, given, request, log);
  trace.decode_ms = std::max(0.0, milliseconds_since(start) - trace.encode_ms);
  trace.score = best.score;
  trace.log_probability = best.log_probability;
  if (!request.reference) trace.target = generated_text(target, best.ids);
  for (const BeamNode& node : log.nodes)
    trace.beam.push_back({node, token_text(target, node.token)});
}

TracedAlignment traced_alignment(const LoadedModel& model, const Trace& trace) {
  TracedAlignment result{.from = model.info.alignment,
                         .links = {},
                         .rows = static_cast<Index>(trace.target.words.size()),
                         .cols = static_cast<Index>(trace.source.words.size()),
                         .soft = {}};
  result.soft.resize(static_cast<std::size_t>(result.rows * result.cols));
  PairToAlign pair{.source = trace.source.ids(),
                   .target = trace.target.ids(),
                   .source_words = trace.source.word_of(),
                   .target_words = trace.target.word_of()};
  pair.source.push_back(kEos);
  const WordAlignment words = align(*model.model, std::span(&pair, 1), result.from).front();
  result.links = words.links;
  if (words.soft.count() > 0) result.soft = floats(words.soft);
  check(static_cast<Index>(result.soft.size()) == result.rows * result.cols,
        "words and their alignment differ: ", words.soft.shape(), " for ", result.rows, " and ",
        result.cols);
  return result;
}

}  // namespace

Index max_traced_tokens(const ModelSpec& spec) {
  if (spec.architecture == "bahdanau" || spec.position != "learned") return kMaxTracedTokens;
  return std::min(kMaxTracedTokens, std::max<Index>(1, spec.max_length - 1));
}

Index heads_of(const ModelSpec& spec) {
  return spec.architecture == "bahdanau" ? 1 : spec.heads;
}

Index layers_of(const ModelSpec& spec, AttentionKind kind) {
  if (spec.architecture == "bahdanau") return kind == AttentionKind::cross ? 1 : 0;
  return kind == AttentionKind::encoder ? spec.encoder_layers : spec.decoder_layers;
}

Trace trace_translation(const LoadedModel& model, const std::string& name, const std::string& text,
                        const TraceRequest& request) {
  check_request(request, model.info.spec);
  Trace trace;
  trace.model = name;
  trace.from = model.info.from;
  trace.to = model.info.to;
  trace.spec = model.info.spec;
  trace.source = given_text(*model.info.source, text);
  check_length(trace.source, "text", model.info.spec);
  const std::span<const Token> tokens(trace.source.tokens);
  trace.unknown = unknown_text(*model.info.source, text, tokens.first(tokens.size() - 1));
  search(model, request, trace);
  check_wanted(request);
  read_once(model, request, trace);
  if (request.embedding) trace_embedding(model, trace);
  check_wanted(request);
  trace.alignment = traced_alignment(model, trace);
  return trace;
}

}  // namespace regard
